"""`Watch`: a limit on the time that one piece of work takes, and a way to cancel it. `Allowance`: on that of several.

Who starts the work enters a watch. The loops that can run long call `checkpoint()`, which raises once the time is up or
the work was cancelled. A watch counts for the thread that entered it, inside of another one as well as that, and 0.1 us
is all that a checkpoint costs.

A checkpoint is also where work pauses that somebody else steps (`slices.Slices`). It does so only inside of `pausing`,
where it holds nothing that others wait for but what it can let go.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, TypeVar

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
            self._count(now)
        if now > self._end and time.thread_time() > self._processor_end:
            raise LimitExceededError(self._limit, self._seconds, "seconds")
        if self._outer is not None:
            self._outer.check()

    def _count(self, now: float) -> None:
        """From now on the processor's time counts."""
        self._count_from = math.inf
        self._processor_end = time.thread_time() + self._seconds

    @property
    def outer(self) -> Watch | None:
        """The one inside of which it was entered."""
        return self._outer

    def delay(self, seconds: float) -> None:
        """So much of the clock's time does not count."""
        self._end += seconds
        self._count_from += seconds

    @property
    def patience_s(self) -> float:
        """How long its thread may wait for what another one holds, from now on. Seconds."""
        return math.inf if self._outer is None else self._outer.patience_s

    def give_up(self) -> None:
        """Raises what it has for a wait of more than `patience_s`."""
        if self._outer is not None:
            self._outer.give_up()

    def step_aside(self) -> None:
        """Its thread is about to wait for another one."""
        if self._outer is not None:
            self._outer.step_aside()

    def __enter__(self) -> Watch:
        self._outer = _present.watch
        _present.watch = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _present.watch = self._outer


class Allowance(Watch):
    """Processor time for several pieces of work together, one after the other; a context manager, entered for each.

    So what one text makes a grammar build is bounded, however many masks it asks for. Short work counts by the clock.
    PERF: nearly every new mask enters one, so it calls nothing of `Watch` (0.5 us less).
    left_s: how many seconds are left.
    """

    __slots__ = ("_start", "left_s")

    def __init__(self, limit: str, seconds: float, cancel: threading.Event | None = None) -> None:
        super().__init__(limit, seconds, cancel)
        self.left_s = seconds
        self._start = 0.0

    def delay(self, seconds: float) -> None:
        """See `Watch`."""
        super().delay(seconds)
        self._start += seconds

    def _count(self, now: float) -> None:
        self.left_s -= now - self._start
        self._count_from = math.inf
        self._processor_end = time.thread_time() + self.left_s

    def __enter__(self) -> Allowance:
        self._start = now = time.monotonic()
        left_s = self.left_s
        self._count_from = now + (left_s if left_s < UNCOUNTED_S else UNCOUNTED_S)
        self._end, self._processor_end = now + left_s, -math.inf
        self._outer = _present.watch
        _present.watch = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _present.watch = self._outer
        if self._count_from == math.inf:
            left_s = self._processor_end - time.thread_time()
        else:
            left_s = self.left_s - (time.monotonic() - self._start)
        self.left_s = left_s if left_s > 0.0 else 0.0


class Holder(Protocol):
    """What a thread holds that pauses, a lock say. Both are called by that thread."""

    def let_go(self, turn: Turn) -> None:
        """Let others have it while the work of `turn` pauses."""

    def take_back(self) -> None:
        """Have it again as it was; what others may have changed meanwhile is looked at anew."""


class Turn(Protocol):
    """Who steps the work of a thread. holder: what must be let go for a pause; None: not here."""

    holder: Holder | None

    def look(self) -> None:
        """Pause if the time of this step is up, or raise CompileCancelledError."""

    def sit_out(self) -> bool:
        """Pause until the next step, with nothing held; False where somebody waits, who does not step it."""

    def hurry(self) -> None:
        """Go on without further pauses, as somebody waits for what the work is in the middle of; called by them. They
        wait until it has what it let go."""


class _Present(threading.local):
    """The innermost watch of each thread, and who steps it."""

    watch: Watch | None = None
    turn: Turn | None = None


_present = _Present()
_Result = TypeVar("_Result")


def checkpoint() -> None:
    """Raises what `Watch.check` raises of the watches that this thread has entered; outside of any, nothing.

    In work that is done in slices, it may pause.
    """
    watch = _present.watch
    if watch is not None:
        watch.check()
    turn = _present.turn
    if turn is not None:
        turn.look()


def pausing(holder: Holder | None, work: Callable[[], _Result]) -> _Result:
    """What `work` gives, which may pause at its checkpoints; `holder` is let go then. None: it may not."""
    turn = _present.turn
    if turn is None:
        return work()
    outer, turn.holder = turn.holder, holder
    try:
        return work()
    finally:
        turn.holder = outer


def delay_watches(outermost: Watch, seconds: float) -> None:
    """This thread has waited so long for others: inside of `outermost` that counts for no limit."""
    watch = _present.watch
    while watch is not None and watch is not outermost:
        watch.delay(seconds)
        watch = watch.outer


def take(lock: threading.RLock) -> None:
    """Take a lock that another thread may hold for long; the watches of this thread say how long it may wait."""
    watch = _present.watch
    seconds = math.inf if watch is None else watch.patience_s
    if watch is not None:
        watch.step_aside()
    if seconds == math.inf:
        lock.acquire()
    elif not lock.acquire(timeout=max(0.0, seconds)):
        give_up()


def give_up() -> None:
    """Raises where a watch of this thread bounds how long it may wait."""
    watch = _present.watch
    if watch is not None:
        watch.give_up()


def present_turn() -> Turn | None:
    """Who steps the work of this thread."""
    return _present.turn


def set_turn(turn: Turn | None) -> None:
    """Let `turn` step the work of this thread from now on."""
    _present.turn = turn
