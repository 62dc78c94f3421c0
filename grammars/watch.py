"""`Watch`: limits the time of one piece of work, and allows to cancel it.

The code that starts the work enters a watch. Loops that can run long call `checkpoint()`, which raises if the time is
up or the work was cancelled. A watch applies to the thread that entered it. Inside another watch, both apply. A
checkpoint costs 0.1 us.

At a checkpoint, work may also let go of a lock that other threads wait for (`Courtesy`). It does so only inside
`pausing`, where it holds nothing else.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Protocol, TypeVar

from .errors import CompileCancelledError, LimitExceededError

UNCOUNTED_S = 0.01  # first seconds without processor time: `time.thread_time` takes as long as a step of a matcher
YIELD_S = 0.001
"""Longest time in seconds for which work with checkpoints keeps the interpreter. Python's own 5 ms would delay each
token of other requests; to give the interpreter away takes 0.06 ms.
"""
FEW_ITEMS, MANY_ITEMS = 16, 256
"""Number of items between two checkpoints of a loop: if an item may take long, and if it takes a few microseconds."""
LOOK_S = 0.02  # seconds between two looks at the watches while a thread waits for another one
MANY_LOOKS_S = 10 * YIELD_S  # seconds without a look after which the work counts as newly begun


class Watch:
    """Context manager that limits the time of one piece of work.

    limit: name of the limit, for the error.
    seconds: time from now on.
    cancel: event that cancels the work; any thread may set it. None: no cancelling.
    is_of_processor: True: the seconds are processor time of the thread, not clock time. The first UNCOUNTED_S are not
        counted, so that short work needs no system call.
    """

    __slots__ = ("_cancel", "_end", "_limit", "_look_from", "_outer", "_processor_end", "_seconds")

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
        self._look_from = now + min(seconds, UNCOUNTED_S) if is_of_processor else math.inf
        self._processor_end = -math.inf
        self._outer: Watch | None = None

    def check(self) -> None:
        """Raises LimitExceededError if the time is up, CompileCancelledError if the work was cancelled."""
        if self._cancel is not None and self._cancel.is_set():
            raise CompileCancelledError("the compilation was cancelled by whoever asked for it")
        now = time.monotonic()
        if now > self._look_from:
            self._look(now)
        if now > self._end and time.thread_time() > self._processor_end:
            raise LimitExceededError(self._limit, self._seconds, "seconds")
        if self._outer is not None:
            self._outer.check()

    def _look(self, now: float) -> None:
        """Start to count processor time, after the uncounted first seconds. Called by `check`."""
        self._look_from = math.inf
        self._processor_end = time.thread_time() + self._seconds

    @property
    def outer(self) -> Watch | None:
        """The watch inside which this one was entered; None: the outermost one."""
        return self._outer

    def delay(self, seconds: float) -> None:
        """Exclude some seconds of clock time from the limit."""
        self._end += seconds
        self._look_from += seconds

    @property
    def patience_s(self) -> float:
        """Seconds that the thread may still wait for a lock of another thread; infinity: no limit."""
        return math.inf if self._outer is None else self._outer.patience_s

    def give_up(self) -> None:
        """Raise the error for a wait of more than `patience_s`. A watch without such a limit does nothing."""
        if self._outer is not None:
            self._outer.give_up()

    def step_aside(self) -> None:
        """Called before the thread waits for another one."""
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


class Holder(Protocol):
    """Something that a thread holds and can let go of in a pause, such as a lock. Only this thread calls the
    methods.
    """

    @property
    def is_wanted(self) -> bool:
        """True if other threads wait for it, and this thread has held it for a while."""

    def let_go(self, courtesy: Courtesy) -> None:
        """Release it for a pause of this thread's work. courtesy: the courtesy of this thread."""

    def take_back(self) -> None:
        """Take it again after the pause, even if this raises an error that interrupted the wait. Checks again whatever
        other threads may have changed.
        """


class Courtesy:
    """Lets the work of one thread pause, so that other threads get a lock that they wait for.

    An engine's step never pauses, because its waits are limited.
    holder: attribute; the thing to let go of in a pause; None: the work can't pause here.
    """

    __slots__ = ("_has_all", "_look_s", "holder")

    def __init__(self) -> None:
        self.holder: Holder | None = None
        self._has_all = threading.Event()
        self._look_s = 0.0

    def look(self) -> None:
        """Pause if other threads wait for the holder. No limit counts this time."""
        now = time.monotonic()
        if self.holder is None or now < self._look_s:
            return
        is_fresh = now > self._look_s + MANY_LOOKS_S  # True if the work has just begun
        self._look_s = now + YIELD_S
        if is_fresh or patience_s() < math.inf:
            return
        if self.holder.is_wanted:
            self.pause(_do_nothing)
        else:
            yield_interpreter()
            self._look_s = time.monotonic() + YIELD_S

    def pause(self, wait: Callable[[], None]) -> None:
        """Let go of the holder, call `wait`, and take the holder back. No limit counts this time."""
        holder, start_s = self.holder, time.monotonic()
        assert holder is not None, "it holds something"
        self._has_all.clear()
        holder.let_go(self)
        try:
            wait()
        finally:
            try:
                holder.take_back()
            finally:
                self._has_all.set()
                self._look_s = time.monotonic() + YIELD_S
                delay_watches(None, time.monotonic() - start_s)

    def wait(self) -> None:
        """Wait until the paused work has taken its holder back. Called by other threads."""
        self._has_all.wait()


class _Present(threading.local):
    """The innermost watch and the courtesy of each thread."""

    watch: Watch | None = None
    courtesy: Courtesy | None = None


_present = _Present()
_Result = TypeVar("_Result")
_Item = TypeVar("_Item")


def checkpoint() -> None:
    """Check the watches that this thread has entered, and raise the errors of `Watch.check`. Does nothing without
    watches.

    Inside `pausing` it may also let other threads have a lock for a while.
    """
    watch = _present.watch
    if watch is not None:
        watch.check()
    courtesy = _present.courtesy
    if courtesy is not None:
        courtesy.look()


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


def pausing(holder: Holder | None, work: Callable[[], _Result]) -> _Result:
    """Call `work` and return its result. Its checkpoints may let go of `holder` and pause.

    holder: the only thing that this thread holds; None: the work may not pause.
    """
    courtesy = _present.courtesy
    if courtesy is None:
        if holder is None:
            return work()
        courtesy = _present.courtesy = Courtesy()
    outer, courtesy.holder = courtesy.holder, holder
    try:
        return work()
    finally:
        courtesy.holder = outer


def delay_watches(outermost: Watch | None, seconds: float) -> None:
    """Exclude some seconds, in which this thread waited for others, from its limits.

    outermost: only watches inside this one are changed; None: all.
    """
    watch = _present.watch
    while watch is not None and watch is not outermost:
        watch.delay(seconds)
        watch = watch.outer


def take(lock: threading.RLock) -> None:
    """Take a lock that another thread may hold for long. The watches of this thread limit the wait.

    No other limit counts this time. Raises the error of the watch that limits the wait.
    """
    watch = _present.watch
    if watch is None:
        lock.acquire()
        return
    seconds = watch.patience_s
    watch.step_aside()
    start_s = time.monotonic()
    if seconds == math.inf:
        lock.acquire()
    elif not lock.acquire(timeout=max(0.0, seconds)):
        give_up()
    delay_watches(None, time.monotonic() - start_s)


def wait_for(event: threading.Event) -> None:
    """Wait until another thread sets an event. The time counts for no limit of this thread: the other has its own
    limits.

    Raises CompileCancelledError if the work of this thread is cancelled.
    """
    is_set = False
    while not is_set:
        start_s = time.monotonic()
        is_set = event.wait(LOOK_S)
        delay_watches(None, time.monotonic() - start_s)
        checkpoint()
        step_aside()


def patience_s() -> float:
    """Seconds that this thread may wait for a lock of another one by its watches; infinity: no limit."""
    watch = _present.watch
    return math.inf if watch is None else watch.patience_s


def give_up() -> None:
    """Raise the error of the watch that limits the waits of this thread, if there is one."""
    watch = _present.watch
    if watch is not None:
        watch.give_up()


def _do_nothing() -> None:
    """The wait of a pause without a condition: other threads take the lock meanwhile."""


class OwnedLock(Protocol):
    """A lock that knows the thread that holds it."""

    @property
    def is_mine(self) -> bool:
        """True if this thread holds the lock."""


LOCKS: weakref.WeakSet[OwnedLock] = weakref.WeakSet()
"""The locks that builds hold for long."""


def holds_lock() -> bool:
    """True if this thread holds one of LOCKS, so that other threads may wait for it."""
    return any(lock.is_mine for lock in list(LOCKS))


def yield_interpreter() -> None:
    """Give the interpreter to another thread that waits for it, if there is one."""
    if threading.active_count() > 1:
        time.sleep(0)


def present_courtesy() -> Courtesy | None:
    """The courtesy of this thread; None: its work never entered `pausing` with a holder."""
    return _present.courtesy


def step_aside() -> None:
    """Tell the watches of this thread that it is about to wait for another one."""
    watch = _present.watch
    if watch is not None:
        watch.step_aside()
