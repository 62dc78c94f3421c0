"""`BuildLock`: a lock of what long builds change. `TablesLock`: one that a build passes on at its checkpoints.

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

from .errors import CompileCancelledError
from .forks import anew_after_fork
from .watch import take

HELD_S = 0.002  # seconds for which a thread that had to wait for a lock keeps it, even if others come anew
TURN_S = 0.01  # the same if only builds wait that had it before
LOOK_S = 0.0002  # seconds between two looks whether another thread has taken the lock
PATIENCE_S = 0.05  # longest time in seconds for which a build lets others have the lock first
LOST = (
    "the tables of this grammar were being made in another thread when this process was forked; make a new matcher, or "
    "compile the grammar before the fork"
)
_NOBODY = 1  # no thread has this number


class BuildLock:
    """A lock that its thread may take several times. A context manager.

    lock: attribute; the `threading.RLock`.
    is_lost: attribute; True in a process that was forked while another thread held the lock. What it guards is half
        changed there, so nobody can take it any more.
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
        """Take the lock, which another thread holds. Raises TrialOverError, and CompileCancelledError if it is lost."""
        if self.is_lost:
            raise CompileCancelledError(LOST)
        take(self.lock)

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            self.wait()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


class TablesLock(BuildLock):
    """The lock of vocabulary tables. Most builds hold it for microseconds, some would for seconds.

    Threads that come anew have it before builds that had it and let go of it.
    """

    __slots__ = ("_paused", "_since_s", "_waiting")

    def __init__(self) -> None:
        super().__init__()
        self._since_s = 0.0  # time at which a thread took the lock after a wait
        self._waiting: set[int] = set()  # ids of the threads that wait for the lock and come anew
        self._paused: set[int] = set()  # ids of those that had it and wait for it again
        LOCKS.add(self)

    def _at_fork_reinit(self) -> None:
        super()._at_fork_reinit()
        self._waiting.clear()
        self._paused.clear()

    @property
    def is_wanted(self) -> bool:
        """True if other threads wait for the lock, and this thread has had it for a while."""
        if self._waiting:
            return time.monotonic() > self._since_s + HELD_S
        return bool(self._paused) and time.monotonic() > self._since_s + TURN_S

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
        """A block without the lock, as often as this thread has taken it. Afterwards it has the lock again. No signal
        interrupts the wait for that.
        """
        depth = self.lock._release_save()[0] if self.is_mine else 0
        me = threading.get_ident()
        try:
            yield
            self._let_others_first()
        finally:
            if depth:
                self._paused.add(me)
                self.lock._acquire_restore((depth, me))
                self._paused.discard(me)
                self._since_s = time.monotonic()

    def _let_others_first(self) -> None:
        """Wait until no thread that comes anew waits."""
        end_s = time.monotonic() + PATIENCE_S
        while self._waiting and time.monotonic() < end_s:
            time.sleep(LOOK_S)

    def wait_until_taken(self) -> None:
        """Wait until one of the threads that wait for the lock has it. The caller has let go of it."""
        since_s, end_s = self._since_s, time.monotonic() + PATIENCE_S
        time.sleep(0)
        while (self._waiting or self._paused) and self._since_s == since_s and time.monotonic() < end_s:
            time.sleep(LOOK_S)


LOCKS: weakref.WeakSet[TablesLock] = weakref.WeakSet()
"""The locks that all builds of a vocabulary share."""


def holds_lock() -> bool:
    """True if this thread holds one of LOCKS, so that other threads may wait for it."""
    return any(lock.is_mine for lock in list(LOCKS))
