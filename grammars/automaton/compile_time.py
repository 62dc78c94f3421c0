"""Kernels that are compiled at their first use: no limit of a grammar counts that time.

A kernel that is on no disk yet takes seconds, on a slow machine more than all that a mask may take.
"""

from __future__ import annotations

import threading
import time
from functools import cache

from numba.core import event

from ..watch import extend_watches


@cache
def exempt_compile_time() -> None:
    """From now on, watches run on only while numba does not compile in their thread."""
    event.register("numba:compile", _Listener())  # type: ignore[no-untyped-call, unused-ignore]


class _Listener(event.Listener, threading.local):  # type: ignore[misc, unused-ignore]
    """Times the outermost compilation of each thread; callees are compiled inside of it."""

    depth = 0
    start_s = processor_start_s = 0.0

    def on_start(self, _: event.Event) -> None:
        if self.depth == 0:
            self.start_s, self.processor_start_s = time.monotonic(), time.thread_time()
        self.depth += 1

    def on_end(self, _: event.Event) -> None:
        self.depth -= 1
        if self.depth == 0:
            extend_watches(time.monotonic() - self.start_s, time.thread_time() - self.processor_start_s)
