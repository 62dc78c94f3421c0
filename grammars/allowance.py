"""`Allowance`: the total processor time that a grammar may use to build tables for one text."""

from __future__ import annotations

import math
import threading
import time

from .watch import UNCOUNTED_S, Watch

SHORT_S = 0.004  # seconds by the clock; a shorter piece of work counts by the clock
MANY_MEASURED = 16  # number of pieces that count by processor time after a longer piece


class _TimeLeft:
    """The seconds left to the allowances that share them."""

    __slots__ = ("seconds",)

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


class Allowance(Watch):
    """Processor time for several pieces of work together, one after the other; a context manager, entered for each.

    Short pieces count by the clock, since asking for processor time may take 7 us. During a long piece other threads
    may have had the processor, so it counts for at most `UNCOUNTED_S`. The next pieces count by their processor time
    until enough of them were short. A busy machine therefore ends no text, and long work without checkpoints counts
    from its second piece on.

    Each allowance is for one thread at a time. Several may share their time; see `share`.

    PERF: nearly every new mask enters an allowance, so it sets all fields itself (0.5 us less).
    """

    __slots__ = ("_at_look_s", "_num_measured", "_start", "_time")

    def __init__(self, limit: str, seconds: float, cancel: threading.Event | None = None) -> None:
        super().__init__(limit, seconds, cancel)
        self._time = _TimeLeft(seconds)
        self._start = 0.0
        self._at_look_s = seconds  # seconds left when `_processor_end` was set
        self._num_measured = 0  # number of further pieces that count by processor time

    @property
    def left_s(self) -> float:
        """Seconds that are left."""
        return self._time.seconds

    def share(self, other: Allowance) -> None:
        """Take time from another allowance from now on: work in one of the two counts for both."""
        self._time = other._time

    def _left_at(self, now: float) -> float:
        self._time.seconds -= min(now - self._start, UNCOUNTED_S)
        self._at_look_s = self._time.seconds
        return self._at_look_s

    def __enter__(self) -> Allowance:
        self._start = now = time.monotonic()
        left_s = self._time.seconds
        self._look_from = now + (left_s if left_s < UNCOUNTED_S else UNCOUNTED_S)
        self._processor_end = math.inf
        if self._num_measured:
            self._processor_end = time.thread_time() + left_s
            self._at_look_s = left_s
        Watch.__enter__(self)
        return self

    def __exit__(self, *exception: object) -> None:
        Watch.__exit__(self, None, None, None)
        elapsed_s = time.monotonic() - self._start
        if elapsed_s > SHORT_S:
            self._num_measured = MANY_MEASURED
        elif self._num_measured:
            self._num_measured -= 1
        if self._processor_end != math.inf:
            spent_s = self._at_look_s - (self._processor_end - time.thread_time())
        else:
            spent_s = elapsed_s if elapsed_s < UNCOUNTED_S else UNCOUNTED_S
        left_s = self._time.seconds - spent_s
        self._time.seconds = left_s if left_s > 0.0 else 0.0
