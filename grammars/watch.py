"""`Watch`: a limit on the time that one piece of work takes, and a way to cancel it.

Who starts the work enters a watch. The loops that can run long call `checkpoint()`, which raises once the time is up or
the work was cancelled. A watch counts for the thread that entered it, inside of another one as well as that, and 0.1 us
is all that a checkpoint costs.

A checkpoint is also where work lets go of what others wait for (`Courtesy`). It does so only inside of `pausing`, where
it holds nothing but what it can let go.
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

UNCOUNTED_S = 0.01  # of the clock: `time.thread_time` takes as long as a whole step of a matcher
YIELD_S = 0.001
"""How long work in Python keeps the interpreter at most, where it comes to checkpoints. Python's own 5 ms would add to
each token of somebody else; giving it away takes 0.06 ms."""
FEW_ITEMS, MANY_ITEMS = 16, 256
"""Between two checkpoints of loops: where an item may take long, and where it takes some microseconds."""
LOOK_S = 0.02  # how often who waits for another thread looks at its watches
MANY_LOOKS_S = 10 * YIELD_S  # without one; work that goes on comes to a checkpoint sooner


class Watch:
    """Time for one piece of work; a context manager.

    limit: the name of the limit, for the error. seconds: its value, from now on. cancel: cancels the work when it is
    set, from any thread. is_of_processor: the seconds are those of the thread's processor time, not of the clock; its
    first ones go uncounted, so that short work pays for no system call.
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
        """Raises LimitExceededError when the time is up, CompileCancelledError when the work was cancelled."""
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
        """The time until which `check` has little to do is over: from now on the processor's time counts."""
        self._look_from = math.inf
        self._processor_end = time.thread_time() + self._seconds

    @property
    def outer(self) -> Watch | None:
        """The one inside of which it was entered."""
        return self._outer

    def delay(self, seconds: float) -> None:
        """So much of the clock's time does not count."""
        self._end += seconds
        self._look_from += seconds

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


class Holder(Protocol):
    """What a thread holds that pauses, a lock say. All are called by that thread."""

    @property
    def is_wanted(self) -> bool:
        """Others wait for it, and this thread has had it for a while."""

    def let_go(self, courtesy: Courtesy) -> None:
        """Let others have it while the work of this thread pauses, as its courtesy says."""

    def take_back(self) -> None:
        """Have it again as it was, also where this raises what has interrupted the wait. What others may have changed
        meanwhile is looked at anew."""


class Courtesy:
    """Of a thread: its work lets go of what others wait for, until it is its turn again.

    An engine's step does not: there is a bound on how long it may wait. holder: what must be let go for a pause; None:
    the work can't pause here.
    """

    __slots__ = ("_has_all", "_look_s", "holder")

    def __init__(self) -> None:
        self.holder: Holder | None = None
        self._has_all = threading.Event()
        self._look_s = 0.0

    def look(self) -> None:
        """Pause if others wait. No limit counts the time that they take."""
        now = time.monotonic()
        if self.holder is None or now < self._look_s:
            return
        is_fresh = now > self._look_s + MANY_LOOKS_S  # the work has just begun
        self._look_s = now + YIELD_S
        if is_fresh or patience_s() < math.inf:
            return
        if self.holder.is_wanted:
            self.pause(_do_nothing)
        else:
            yield_interpreter()
            self._look_s = time.monotonic() + YIELD_S

    def pause(self, wait: Callable[[], None]) -> None:
        """Let go of what it holds, wait, and have it again; what that takes counts for no limit."""
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
        """Until its work has what it let go; called by other threads."""
        self._has_all.wait()


class _Present(threading.local):
    """The innermost watch of each thread, and its courtesy."""

    watch: Watch | None = None
    courtesy: Courtesy | None = None


_present = _Present()
_Result = TypeVar("_Result")
_Item = TypeVar("_Item")


def checkpoint() -> None:
    """Raises what `Watch.check` raises of the watches that this thread has entered; outside of any, nothing.

    Inside of `pausing` it may let go of what others wait for.
    """
    watch = _present.watch
    if watch is not None:
        watch.check()
    courtesy = _present.courtesy
    if courtesy is not None:
        courtesy.look()


def paced(items: Collection[_Item]) -> Iterable[_Item]:
    """The same items; where they are many, a checkpoint about each half millisecond."""
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
    """The items in parts, with a checkpoint before each further one: for calls that take long for all at once."""
    for first in range(0, len(items), size):
        if first:
            checkpoint()
        yield items[first : first + size]


def sort_inplace(items: list[Any]) -> None:
    """As `items.sort()`, which keeps the interpreter for 50 ms of 40,000: parts are sorted, then merged two by two."""
    if len(items) <= MANY_ITEMS:
        items.sort()
        return
    runs = [sorted(part) for part in parts_of(items)]
    while len(runs) > 1:
        checkpoint()
        runs = [sorted(itertools.chain(*pair)) for pair in parts_of(runs, 2)]
    items[:] = itertools.chain(*runs)


def pausing(holder: Holder | None, work: Callable[[], _Result]) -> _Result:
    """What `work` gives, which may pause at its checkpoints; `holder` is let go then. None: it may not."""
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
    """This thread has waited so long for others: inside of `outermost` (None: of all) that counts for no limit."""
    watch = _present.watch
    while watch is not None and watch is not outermost:
        watch.delay(seconds)
        watch = watch.outer


def take(lock: threading.RLock) -> None:
    """Take a lock that another thread may hold for long; the watches of this thread say how long it may wait.

    No other limit counts that time.
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
    """Wait for what another thread does, within its own limits: the time counts for no limit of this thread.

    Raises CompileCancelledError where the work of this thread is cancelled.
    """
    is_set = False
    while not is_set:
        start_s = time.monotonic()
        is_set = event.wait(LOOK_S)
        delay_watches(None, time.monotonic() - start_s)
        checkpoint()
        step_aside()


def patience_s() -> float:
    """How long this thread may wait for what another one holds, as its watches say."""
    watch = _present.watch
    return math.inf if watch is None else watch.patience_s


def give_up() -> None:
    """Raises where a watch of this thread bounds how long it may wait."""
    watch = _present.watch
    if watch is not None:
        watch.give_up()


def _do_nothing() -> None:
    """Others take their turns while this one has let go."""


class OwnedLock(Protocol):
    """A lock that knows who has it."""

    @property
    def is_mine(self) -> bool:
        """This thread has it."""


LOCKS: weakref.WeakSet[OwnedLock] = weakref.WeakSet()
"""Those that builds hold for long."""


def holds_lock() -> bool:
    """Others may wait for what this thread does."""
    return any(lock.is_mine for lock in list(LOCKS))


def yield_interpreter() -> None:
    """Let another thread compute that waits for the interpreter, if there is one."""
    if threading.active_count() > 1:
        time.sleep(0)


def present_courtesy() -> Courtesy | None:
    """That of this thread; None: its work has not come to where it could pause."""
    return _present.courtesy


def step_aside() -> None:
    """This thread is about to wait for another one."""
    watch = _present.watch
    if watch is not None:
        watch.step_aside()
