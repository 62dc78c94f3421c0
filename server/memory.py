"""Memory of a server's process: `ServerCollector` and `Heap`.

`ServerCollector` replaces Python's automatic full garbage collections by timed ones (in `guided.engines.local`), since
all threads of the server create objects. While requests run, a collection looks only at new objects.

The C library keeps freed memory in a heap for each thread. After a prompt of 2 MB, that is 170 MB in the thread that
read it. `malloc_trim` gives that memory back to the system. glibc has it, with a count of free bytes, from 2.33 on;
elsewhere `Heap` does nothing.
"""

from __future__ import annotations

import ctypes
import gc
from time import monotonic
from typing import Protocol

from guided.engines.local.collector import COLLECTOR

QUIET_S = 1.0  # seconds without a request before a collection of all objects, which takes up to 0.3 s
FREE_BYTES = 32 << 20  # growth of free bytes since the last trim that starts the next one
EVERY_S = 5.0  # seconds between counts; one takes 5 to 15 ms if a million pieces are free


class ServerCollector:
    """Collects garbage from `start` to `stop`. quiet_s: seconds without a request before all objects are collected."""

    def __init__(self, quiet_s: float = QUIET_S) -> None:
        self._is_started = False
        self._quiet_s = quiet_s
        self._last_busy_s = monotonic()

    def start(self) -> None:
        """Exclude all present objects from collections during requests. A later call also excludes newer objects. May
        be called from any thread.
        """
        COLLECTOR.freezes = True
        COLLECTOR.collect_all()
        if not self._is_started:
            self._is_started = True
            COLLECTOR.begin_work()

    def tick(self, *, is_idle: bool) -> None:
        """Collect if a collection is due; call it regularly. is_idle: no request is in flight."""
        now_s = monotonic()
        if not is_idle:
            self._last_busy_s = now_s
        if self._is_started:
            COLLECTOR.tick(is_idle=is_idle and now_s - self._last_busy_s >= self._quiet_s)

    def stop(self) -> None:
        """Restore Python's collector to its state before `start`."""
        if self._is_started:
            self._is_started = False
            COLLECTOR.freezes = False
            COLLECTOR.end_work()
            gc.unfreeze()


class Allocator(Protocol):
    """Access to the C library's heaps."""

    def free_bytes(self) -> int:
        """Bytes that are free in all heaps, whether or not the system has them back."""

    def trim(self) -> None:
        """Give free memory back to the system."""


class Heap:
    """The C library's heaps of this process. allocator: None if the C library can't trim."""

    def __init__(self, allocator: Allocator | None) -> None:
        self._allocator = allocator
        self._least = 0
        self._next_s = 0.0

    def tick(self) -> None:
        """Give free memory back to the system if it grew much; call it regularly."""
        now_s = monotonic()
        if self._allocator is None or now_s < self._next_s:
            return
        self._next_s = now_s + EVERY_S
        free = self._allocator.free_bytes()
        if free - self._least >= FREE_BYTES:
            self._allocator.trim()
            free = self._allocator.free_bytes()
            self._least = free
        self._least = min(self._least, free)


def allocator_of_process() -> Allocator | None:
    """glibc's allocator; None for another or too old C library."""
    library = ctypes.CDLL(None)
    return _Glibc(library) if hasattr(library, "malloc_trim") and hasattr(library, "mallinfo2") else None


class _Mallinfo(ctypes.Structure):
    """The C type `struct mallinfo2`."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks")
        + ("keepcost",)
    )


class _Glibc:
    def __init__(self, library: ctypes.CDLL) -> None:
        self._mallinfo, self._trim = library.mallinfo2, library.malloc_trim
        self._mallinfo.restype = _Mallinfo

    def free_bytes(self) -> int:
        return int(self._mallinfo().fordblks)

    def trim(self) -> None:
        self._trim(0)
