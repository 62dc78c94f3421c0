"""How kernels are compiled: by numba at their first use, without the GIL, and kept on disk.

numba's own cache looks at the file of the kernel only, and would keep one whose callees have changed; here every
package says what its kernels depend on. With NUMBA_DISABLE_JIT=1 kernels are plain Python functions.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache, IndexDataCacheFile

from .watch import extend_watches

UNKEPT = (
    "compiled kernels can't be kept, so each process compiles them anew: neither the package's folder nor the user's "
    "cache folder can be written; set NUMBA_CACHE_DIR to one that can"
)
IS_PLAIN: bool = getattr(numba.config, "DISABLE_JIT")  # noqa: B009 (numba's stubs do not know it)

log = logging.getLogger(__name__)
_unkept: list[str] = []


def compile_kernel(function: Any, stamp: Callable[[], str], **options: Any) -> Any:
    """`njit` with these options. What is on disk is used while stamp() is what it was when that was compiled.

    The limits of a `Watch` do not count the time in which kernels are compiled, by its own thread or by another that it
    waits for: on a slow machine that is more than all that a mask may take.
    """
    dispatcher: Any = njit(nogil=True, boundscheck=False, **options)(function)
    if not IS_PLAIN:
        _listen()
        try:
            dispatcher._cache = _KernelCache(function, stamp())
        except RuntimeError:  # no folder to keep it can be written
            _unkept.append(function.__qualname__)
            _tell_unkept()
    return dispatcher


def require_kept() -> None:
    """Raise SystemExit where compiled kernels can't be kept on disk; for programs that do nothing but compile them."""
    if _unkept:
        raise SystemExit(UNKEPT)


class _KernelCache(FunctionCache):  # type: ignore[misc, unused-ignore]
    def __init__(self, function: Any, stamp: str) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call, unused-ignore]
        self._cache_file = IndexDataCacheFile(self._cache_path, self._impl.filename_base, stamp)  # type: ignore[no-untyped-call, unused-ignore]


class _Clock(event.Listener, threading.local):  # type: ignore[misc, unused-ignore]
    """Times how long each thread waits for numba's lock and holds it; compiling takes the lock again inside."""

    depth = 0
    start_s = processor_start_s = 0.0

    def on_start(self, _: event.Event) -> None:
        if self.depth == 0:
            self.start_s, self.processor_start_s = time.monotonic(), time.thread_time()
        self.depth += 1

    def on_end(self, _: event.Event) -> None:
        if self.depth == 0:
            return  # taken before this listened
        self.depth -= 1
        if self.depth == 0:
            extend_watches(time.monotonic() - self.start_s, time.thread_time() - self.processor_start_s)


class _Teller(event.Listener):  # type: ignore[misc, unused-ignore]
    def on_start(self, started: event.Event) -> None:
        module = started.data["dispatcher"].py_func.__module__  # anybody's; None where it was made by `exec`
        if module is not None and module.startswith("guided."):
            _tell_once()

    def on_end(self, _: event.Event) -> None:
        pass


@cache
def _listen() -> None:
    event.register("numba:compiler_lock", _Clock())  # type: ignore[no-untyped-call, unused-ignore]
    event.register("numba:compile", _Teller())  # type: ignore[no-untyped-call, unused-ignore]


@cache
def _tell_once() -> None:
    log.warning("compiling kernels, once for an installation: a minute or two; `guided warmup` does it beforehand")


@cache
def _tell_unkept() -> None:
    log.warning(UNKEPT)
