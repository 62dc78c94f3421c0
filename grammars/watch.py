"""`Watch`: a limit on the time that one piece of work takes, and a way to cancel it.

Who starts the work enters a watch. The loops that can run long call `checkpoint()`, which raises once the time is up or
the work was cancelled. A watch counts for the thread that entered it, and 0.1 us is all that a checkpoint costs.
Time that is not the work's own, as for kernels that are compiled at their first use, is given back by `extend_watches`.
"""

from __future__ import annotations

import math
import threading
import time
from types import TracebackType

from .errors import CompileCancelledError, LimitExceededError

UNCOUNTED_S = 0.01  # of the clock: `time.thread_time` takes as long as a whole step of a matcher


class Watch:
    """Time for one piece of work; a context manager.

    limit: the name of the limit, for the error. seconds: its value, from now on. cancel: cancels the work when it is
    set, from any thread. is_of_processor: the seconds are those of the thread's processor time, not of the clock; its
    first ones go uncounted, so that short work pays for no system call.
    """

    __slots__ = ("_cancel", "_count_from", "_end", "_limit", "_outer", "_processor_end", "_seconds")

    def __init__(
        self,
        limit: str,
        seconds: float,
        cancel: threading.Event | None = None,
        *,
        is_of_processor: bool = False,
    ) -> None:
        self._limit = limit
        self._seconds = seconds
        self._cancel = cancel
        now = time.monotonic()
        self._end = now + seconds
        self._count_from = now + min(seconds, UNCOUNTED_S) if is_of_processor else math.inf
        self._processor_end = -math.inf
        self._outer: Watch | None = None

    def check(self) -> None:
        """Raises LimitExceededError when the time is up, CompileCancelledError when the work was cancelled."""
        if self._cancel is not None and self._cancel.is_set():
            raise CompileCancelledError("the compilation was cancelled by whoever asked for it")
        now = time.monotonic()
        if now > self._count_from:
            self._count_from = math.inf
            self._processor_end = time.thread_time() + self._seconds
        if now > self._end and time.thread_time() > self._processor_end:
            raise LimitExceededError(self._limit, self._seconds, "seconds")

    def extend(self, seconds: float, processor_seconds: float) -> None:
        """The time ends so much later."""
        self._end += seconds
        self._processor_end += processor_seconds

    def __enter__(self) -> Watch:
        self._outer = _present.watch
        _present.watch = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _present.watch = self._outer


class _Present(threading.local):
    """The innermost watch of each thread."""

    watch: Watch | None = None


_present = _Present()


def checkpoint() -> None:
    """Raises what `Watch.check` raises of the innermost watch that this thread has entered; outside of any, nothing."""
    watch = _present.watch
    if watch is not None:
        watch.check()


def extend_watches(seconds: float, processor_seconds: float) -> None:
    """Every watch that this thread has entered ends so much later, by the clock and in processor time."""
    watch = _present.watch
    while watch is not None:
        watch.extend(seconds, processor_seconds)
        watch = watch._outer
