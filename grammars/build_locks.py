"""`BuildLock`: a lock on data that long builds change. `TablesLock`: a lock that a build passes on at its checkpoints.

An automaton has a `BuildLock`, which its build keeps to the end, and shares the `TablesLock` of its vocabulary with all
others; see `machine/lexemes/automaton_lock.py`.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import TablesLostError
from .forks import anew_after_fork
from .watch import take

HELD_S = 0.002  # seconds that a thread keeps a lock after it waited for it, even if new threads ask
HELD_AMONG_BUILDS_S = 0.01  # like HELD_S, if all waiting threads are builds that have already let go of the lock
POLL_S = 0.0002  # seconds between two looks whether another thread has taken the lock
LONGEST_PASS_S = 0.05  # longest time in seconds that a build lets other threads have the lock first
LOST = (
    "the tables of this grammar were being made in another thread when this process was forked; make a new matcher, or "
    "compile the grammar before the fork"
)
_NOBODY = 1  # no thread has this number


class BuildLock:
    """A lock that its thread may take several times. A context manager.

    lock: attribute; the `threading.RLock`.
    is_lost: attribute; True in a process that was forked while another thread held the lock. The guarded data is half
        changed there, so nobody can take the lock any more.
    """

    __slots__ = ("__weakref__", "is_lost", "lock")

    def __init__(self) -> None:
        self.lock: Any = threading.RLock()
        self.is_lost = False
        anew_after_fork(self)

    def _at_fork_reinit(self) -> None:
        if self.lock.acquire(blocking=False):
            self.lock.release()
            return
        self.is_lost = True
        self.lock._at_fork_reinit()
        self.lock._acquire_restore((1, _NOBODY))

    @property
    def is_mine(self) -> bool:
        """True if this thread holds the lock."""
        is_mine: bool = self.lock._is_owned()
        return is_mine

    def wait(self) -> None:
        """Take the lock, which another thread holds. Raises TrialOverError, and TablesLostError if it is lost."""
        if self.is_lost:
            raise TablesLostError(LOST)
        take(self.lock)

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            self.wait()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


class TablesLock(BuildLock):
    """The lock of vocabulary tables. Most builds hold it for microseconds, some would for seconds.

    A thread that asks for the first time goes before a build that let go of the lock.
    """

    __slots__ = ("_paused", "_since_s", "_waiting")

    def __init__(self) -> None:
        super().__init__()
        self._since_s = 0.0  # time at which a thread took the lock after a wait
        self._waiting: set[int] = set()  # ids of the threads that ask for the first time and wait
        self._paused: set[int] = set()  # ids of the threads that let go of the lock and wait for it again
        LOCKS.add(self)

    def _at_fork_reinit(self) -> None:
        super()._at_fork_reinit()
        self._waiting.clear()
        self._paused.clear()

    @property
    def is_wanted(self) -> bool:
        """True if other threads wait for the lock. A thread that had to wait for it before keeps it for a while."""
        if self._waiting:
            return time.monotonic() > self._since_s + HELD_S
        return bool(self._paused) and time.monotonic() > self._since_s + HELD_AMONG_BUILDS_S

    def wait(self) -> None:
        """See `BuildLock`."""
        me = threading.get_ident()
        try:
            self._waiting.add(me)
            super().wait()
        finally:
            self._waiting.discard(me)
        self._since_s = time.monotonic()

    @contextmanager
    def let_go(self) -> Iterator[None]:
        """A block without the lock, as often as this thread has taken it. Other threads have the lock first afterwards,
        then this thread has it again. No signal interrupts the wait for that.
        """
        since_s, me = self._since_s, threading.get_ident()
        assert self.is_mine, "only who holds a lock can let go of it"
        depth, _ = self.lock._release_save()
        try:
            yield
            self._let_others_first(since_s)
        finally:
            self._paused.add(me)
            self.lock._acquire_restore((depth, me))
            self._paused.discard(me)
            self._since_s = time.monotonic()

    def _let_others_first(self, since_s: float) -> None:
        """Wait until all threads that ask for the first time, and one waiting build, have had the lock.

        since_s: value of `_since_s` when this thread let go of the lock; it changes if a thread takes the lock.
        """
        end_s = time.monotonic() + LONGEST_PASS_S
        time.sleep(0)
        while (self._waiting or (self._paused and self._since_s == since_s)) and time.monotonic() < end_s:
            time.sleep(POLL_S)


LOCKS: weakref.WeakSet[TablesLock] = weakref.WeakSet()
"""The locks that all builds of a vocabulary share."""


def holds_lock() -> bool:
    """True if this thread holds one of LOCKS, so that other threads may wait for it."""
    return any(lock.is_mine for lock in list(LOCKS))
