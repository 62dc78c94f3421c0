from __future__ import annotations

import logging
import os
import time
from pathlib import Path
from typing import Any

import pytest

from guided.grammars import kernels
from guided.grammars.kernels import IS_PLAIN, compile_kernel

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


def test_options_reach_the_compiler(tmp_path: Path) -> None:
    divide = compile_kernel(lambda x, y: x / y, lambda: "a", error_model="numpy")
    assert divide(1.0, 0.0) == float("inf")
