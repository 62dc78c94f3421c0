"""The memory of a server's process: `ServerCollector` and `Heap`.

The collector's full rounds are made by hand for as long as the server runs (`guided.engine.collector`), as other
threads than an engine's make objects, too. Beside requests they look only at what is new.
The C library keeps what is freed, in a heap for each thread: a prompt of 2 MB leaves 170 MB there, in each thread that
reads one. `malloc_trim` gives it back. glibc has it, and counts what is free, from 2.33 on; elsewhere nothing is done.
"""

from __future__ import annotations

import ctypes
import gc
from time import monotonic
from typing import Protocol

from guided.engine.collector import COLLECTOR

QUIET_S = 1.0  # without a request, before a round looks at all objects: it takes up to 0.3 s
FREE_BYTES = 32 << 20  # more than after the last time, before it is done again
EVERY_S = 5.0  # counting takes 5 to 15 ms where a million pieces are free


class ServerCollector:
    """From `start` to `stop`. quiet_s: without a request, before a round looks at all objects."""

    def __init__(self, quiet_s: float = QUIET_S) -> None:
        self._is_started = False
        self._quiet_s = quiet_s
        self._last_busy_s = monotonic()

    def start(self) -> None:
        """What there is now is left out of rounds beside requests. From any thread; called again, what came since."""
        COLLECTOR.freezes = True
        COLLECTOR.collect_all()
        if not self._is_started:
            self._is_started = True
            COLLECTOR.begin_work()

    def tick(self, *, is_idle: bool) -> None:
        """Make a full round if it is time for one; called again and again. is_idle: no request is in flight."""
        now_s = monotonic()
        if not is_idle:
            self._last_busy_s = now_s
        if self._is_started:
            COLLECTOR.tick(is_idle=is_idle and now_s - self._last_busy_s >= self._quiet_s)

    def stop(self) -> None:
        """All is as it was before `start`."""
        if self._is_started:
            self._is_started = False
            COLLECTOR.freezes = False
            COLLECTOR.end_work()
            gc.unfreeze()


class Allocator(Protocol):
    """What the C library knows of its heaps."""

    def free_bytes(self) -> int:
        """What is free in all of them, given back or not."""

    def trim(self) -> None:
        """Give all of it back; it stays free, but takes no memory."""


class Heap:
    """Of this process. allocator: None where there is none that can do this."""

    def __init__(self, allocator: Allocator | None) -> None:
        self._allocator = allocator
        self._least = 0
        self._next_s = 0.0

    def tick(self) -> None:
        """Give back what is free if it is much; called again and again."""
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
    """glibc's; None for another one, or one that is too old."""
    library = ctypes.CDLL(None)
    return _Glibc(library) if hasattr(library, "malloc_trim") and hasattr(library, "mallinfo2") else None


class _Mallinfo(ctypes.Structure):
    """`struct mallinfo2`."""

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
