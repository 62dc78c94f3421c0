"""`Watch`: limits the processor time of one piece of work, and allows to cancel it.

The code that starts the work enters a watch. Loops that can run long call `checkpoint()`, which raises if the time is
up or the work was cancelled. A watch applies to the thread that entered it. Inside another watch, both apply. No limit
counts the time that a thread waits. A checkpoint costs 0.1 us.

Inside `pausing`, a checkpoint may also let go of a lock that other threads wait for.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Protocol, TypeVar

from .errors import CompileCancelledError, GuidedError, LimitExceededError

UNCOUNTED_S = 0.01  # first seconds without processor time: `time.thread_time` takes as long as a step of a matcher
YIELD_S = 0.001
"""Longest time in seconds for which work with checkpoints keeps the interpreter. Python's own 5 ms would delay each
token of other requests; to give the interpreter away takes 0.06 ms.
"""
FEW_ITEMS, MANY_ITEMS = 16, 256
"""Number of items between two checkpoints of a loop: if an item may take long, and if it takes a few microseconds."""
LOOK_S = 0.02  # seconds between two looks at the watches while a thread waits for another one


class Watch:
    """Context manager that limits the processor time of one piece of work of this thread.

    Processor time counts from the first checkpoint that comes UNCOUNTED_S or later, so short work needs no system call.

    limit: name of the limit, for the error.
    seconds: processor time from now on.
    cancel: event that cancels the work; any thread may set it. None: no cancelling.
    """

    __slots__ = ("_cancel", "_limit", "_look_from", "_outer", "_processor_end", "_seconds")

    def __init__(self, limit: str, seconds: float, cancel: threading.Event | None = None) -> None:
        self._limit = limit
        self._seconds = seconds
        self._cancel = cancel
        self._look_from = time.monotonic() + min(seconds, UNCOUNTED_S)
        self._processor_end = math.inf  # infinity: no processor time is counted yet
        self._outer: Watch | None = None

    def check(self) -> None:
        """Raises LimitExceededError if the time is up, CompileCancelledError if the work was cancelled."""
        if self._cancel is not None and self._cancel.is_set():
            raise CompileCancelledError("the compilation was cancelled by whoever asked for it")
        now = time.monotonic()
        if now > self._look_from:
            self._look(now)
        if self._outer is not None:
            self._outer.check()

    def _look(self, now: float) -> None:
        """Look at the processor time. The next look comes when the time may be up.

        A thread can't use more processor time than clock time passes.
        """
        spent_s = time.thread_time()
        if self._processor_end == math.inf:
            self._processor_end = spent_s + self._left_at(now)
        left_s = self._processor_end - spent_s
        if left_s <= 0:
            raise LimitExceededError(self._limit, self._seconds, "seconds", is_of_time=True)
        self._look_from = now + left_s

    def _left_at(self, now: float) -> float:
        """Seconds that are left at the first look at the processor time. now: that time by the clock."""
        return self._seconds

    def __enter__(self) -> Watch:
        self._outer = present.watch
        present.watch = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        present.watch = self._outer


class TrialOverError(GuidedError):
    """Work takes longer than a step of an engine may wait for it. The engine handles this error; users never see it."""

    def __init__(self) -> None:
        super().__init__("the time of this step is up")


class Trial(Watch):
    """Context manager for work of a grammar in a step of an engine: either it is done soon, or it is given up.

    All processor time counts. When it is up, `checkpoint` raises TrialOverError. Unfinished work is dropped, as at a
    limit. The step waits no longer than this for other threads, either.

    seconds: processor time.
    """

    __slots__ = ("_outer_trial", "_waits_until")

    def __init__(self, seconds: float) -> None:
        super().__init__("a step's trial", seconds)
        self._processor_end = time.thread_time() + seconds
        self._waits_until = time.monotonic() + seconds
        self._outer_trial: Trial | None = None

    @property
    def patience_s(self) -> float:
        """Seconds that the step may still wait for another thread."""
        return max(0.0, self._waits_until - time.monotonic())

    def _look(self, now: float) -> None:
        """Like in `Watch`, but raises TrialOverError if the time is up."""
        try:
            super()._look(now)
        except LimitExceededError:
            raise TrialOverError from None

    def __enter__(self) -> Trial:
        super().__enter__()
        self._outer_trial, present.trial = present.trial, self
        return self

    def __exit__(self, *_: object) -> None:
        super().__exit__(None, None, None)
        present.trial = self._outer_trial


class HeldLock(Protocol):
    """A lock that this thread holds and may let go of at a checkpoint."""

    @property
    def is_wanted(self) -> bool:
        """True if other threads wait for it, and this thread need not keep it for longer."""

    def let_go(self) -> AbstractContextManager[None]:
        """A block without the lock. Other threads have it first afterwards, then this thread has it again, even if an
        error ends the block.
        """


class _Present(threading.local):
    """The state of one thread that its checkpoints read.

    watch: the innermost watch.
    trial: the trial that the thread is in.
    lock: the lock that the thread may let go of.
    step_aside: called before the thread waits for another one.
    """

    watch: Watch | None = None
    trial: Trial | None = None
    lock: HeldLock | None = None
    step_aside: Callable[[], None] | None = None


present = _Present()
_Result = TypeVar("_Result")
_Item = TypeVar("_Item")


def checkpoint() -> None:
    """Check the watches that this thread has entered, and raise the errors of `Watch.check`. Does nothing without
    watches.

    Inside `pausing` it may also let another thread have a lock. A step of an engine does not: its waits are short.
    """
    watch = present.watch
    if watch is not None:
        watch.check()
    lock = present.lock
    if lock is not None and lock.is_wanted and present.trial is None:
        with lock.let_go():
            pass


def pausing(lock: HeldLock | None, work: Callable[[], _Result]) -> _Result:
    """Call `work` and return its result. Checkpoints in the work may let go of `lock`.

    lock: lock that checkpoints may let go of; the thread must hold no other one. None: no lock.
    """
    outer, present.lock = present.lock, lock
    try:
        return work()
    finally:
        present.lock = outer


def paced(items: Collection[_Item]) -> Iterable[_Item]:
    """Iterate over the items. If there are many, there is a checkpoint about every half millisecond."""
    return items if len(items) <= 2 * FEW_ITEMS else _paced(items)


def _paced(items: Iterable[_Item]) -> Iterator[_Item]:
    left, size = iter(items), FEW_ITEMS
    while part := list(itertools.islice(left, size)):
        checkpoint()
        start_s = time.monotonic()
        yield from part
        is_short = time.monotonic() - start_s < YIELD_S / 2
        size = min(2 * size, MANY_ITEMS) if is_short else max(size // 2, 1)


def parts_of(items: Sequence[_Item], size: int = 16 * MANY_ITEMS) -> Iterator[Sequence[_Item]]:
    """The items in parts, with a checkpoint before each part but the first: for calls that would take long for all
    items.

    size: number of items of a part.
    """
    for first in range(0, len(items), size):
        if first:
            checkpoint()
        yield items[first : first + size]


def sort_inplace(items: list[Any]) -> None:
    """Like `items.sort()`, with checkpoints: it sorts parts and then merges pairs of them. `items.sort()` would keep
    the interpreter for 50 ms with 40,000 items.
    """
    if len(items) <= MANY_ITEMS:
        items.sort()
        return
    runs = [sorted(part) for part in parts_of(items)]
    while len(runs) > 1:
        checkpoint()
        runs = [sorted(itertools.chain(*pair)) for pair in parts_of(runs, 2)]
    items[:] = itertools.chain(*runs)


def unwatched(work: Callable[[], _Result]) -> _Result:
    """Call `work` and return its result. None of its checkpoints ends it, so a module is never imported by half."""
    outer, present.watch = present.watch, None
    try:
        return pausing(None, work)
    finally:
        present.watch = outer


def take(lock: threading.RLock) -> None:
    """Take a lock that another thread may hold for long. Raises TrialOverError in a trial that may wait no longer."""
    step_aside()
    trial = present.trial
    if trial is None:
        lock.acquire()
    elif not lock.acquire(timeout=trial.patience_s):
        raise TrialOverError


def wait_for(event: threading.Event) -> None:
    """Wait until another thread sets an event. The other thread has its own limits.

    Raises CompileCancelledError if the work of this thread is cancelled.
    """
    step_aside()
    while not event.wait(LOOK_S):
        checkpoint()
        step_aside()


def step_aside() -> None:
    """Let other threads with long work compute, as this one is about to wait for one of them."""
    if present.step_aside is not None:
        present.step_aside()


def yield_interpreter() -> None:
    """Give the interpreter to another thread that waits for it, if there is one."""
    if threading.active_count() > 1:
        time.sleep(0)
