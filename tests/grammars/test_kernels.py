from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from numba import njit
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock

from guided.grammars import kernels
from guided.grammars.kernels import IS_PLAIN, compile_kernel
from guided.grammars.watch import Watch

pytestmark = pytest.mark.skipif(IS_PLAIN, reason="NUMBA_DISABLE_JIT=1")

SOURCE = "def increase(x):\n    return x + {step}\n"


def load(path: Path, step: int) -> Any:
    path.write_text(SOURCE.format(step=step))
    os.utime(path, (time.time() - 60, 1_000_000_000))  # as if the file had not changed
    names: dict[str, Any] = {"__name__": "guided.made_for_a_test"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["increase"]


def test_what_is_on_disk_is_used_while_the_stamp_stays(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "increase.py"
    kernels._tell_once.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert compile_kernel(load(path, 1), lambda: "a")(5) == 6
        assert caplog.text.count("compiling kernels, once for an installation") == 1
        assert compile_kernel(load(path, 2), lambda: "b")(5) == 7, "compiled again"
        assert caplog.text.count("compiling kernels") == 1, "told once in a process"
        kernels._tell_once.cache_clear()
        assert compile_kernel(load(path, 3), lambda: "b")(5) == 7, "taken from disk"
        assert caplog.text.count("compiling kernels") == 1


def test_it_says_that_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("no locator available")

    kernels.require_kept()
    monkeypatch.setattr(kernels, "_KernelCache", refuse)
    monkeypatch.setattr(kernels, "_unkept", [])
    kernels._tell_unkept.cache_clear()
    assert [compile_kernel(lambda x: x + 1, lambda: "a")(1) for _ in range(2)] == [2, 2]
    assert caplog.text.count("set NUMBA_CACHE_DIR to one that can") == 1
    with pytest.raises(SystemExit, match="compiled kernels can't be kept"):
        kernels.require_kept()


def test_options_reach_the_compiler(tmp_path: Path) -> None:
    divide = compile_kernel(lambda x, y: x / y, lambda: "a", error_model="numpy")
    assert divide(1.0, 0.0) == float("inf")


def test_other_users_of_numba_are_left_alone() -> None:
    names: dict[str, Any] = {}
    exec("def increase(x): return x + 1", names)
    assert names["increase"].__module__ is None
    compile_kernel(lambda x: x, lambda: "a")  # now at the latest this listens
    assert njit(names["increase"])(5) == 6


WARMED = """
from guided.grammars.automaton.warmup import warmup
from guided.grammars.vocabulary import Vocabulary

warmup(Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256]))
from guided.grammars.automaton.masks import is_complete
from guided.grammars.ebnf.parsing import parse_kinds
from guided.grammars.pushdown.steps import forced_byte, known_mask, next_place

kernels = is_complete, parse_kinds, forced_byte, known_mask, next_place
print([kernel.py_func.__name__ for kernel in kernels if not kernel.overloads])
"""


def test_the_warmup_compiles_what_is_called_from_outside() -> None:
    command = [sys.executable, "-c", WARMED]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


class Extended(Watch):
    """Remembers by how much."""

    by_s = 0.0

    def extend(self, seconds: float, processor_seconds: float) -> None:
        super().extend(seconds, processor_seconds)
        self.by_s += seconds


class Waiting(event.Listener):  # type: ignore[misc, unused-ignore]
    """Sets an event once the thread that made it asks for numba's lock."""

    def __init__(self) -> None:
        self.thread = threading.current_thread()
        self.has_begun = threading.Event()

    def on_start(self, _: event.Event) -> None:
        if threading.current_thread() is self.thread:
            self.has_begun.set()

    def on_end(self, _: event.Event) -> None:
        pass


def test_waiting_for_another_threads_compilation_is_not_counted(tmp_path: Path) -> None:
    increase = compile_kernel(load(tmp_path / "increase.py", 1), lambda: "a")
    waiting, is_held = Waiting(), threading.Event()

    def hold() -> None:
        with global_compiler_lock:
            is_held.set()
            assert waiting.has_begun.wait(30)
            time.sleep(0.2)

    other = threading.Thread(target=hold)
    other.start()
    assert is_held.wait(30)
    watch = Extended("max_mask_seconds", 60.0)
    with event.install_listener("numba:compiler_lock", waiting), watch:  # type: ignore[no-untyped-call, unused-ignore]
        assert increase(5) == 6
    other.join()
    assert watch.by_s >= 0.2
