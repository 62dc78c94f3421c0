"""`Turnstile`: the lock of the vocabulary tables, for one automaton whose building may pause."""

from __future__ import annotations

import threading
from types import TracebackType

from ..watch import Turn, give_up, present_turn, take


class Turnstile:
    """A context manager that holds the lock of the vocabulary tables, and a `Holder`.

    A build that pauses lets go of the lock, so that other automata of the vocabulary tables go on. What frames ask of a
    schema is half known then, so whoever comes to the same automaton has to wait: in a slice until its next one,
    elsewhere until the build, which then goes on without further pauses, is done. Who may not wait so long, as its
    watches say, gives up instead, also where a build that can't pause holds the lock. lock: of the vocabulary tables.
    num_pauses: how many there were; what builds used of the memory of the vocabulary tables is lost after one.
    """

    __slots__ = ("_depth", "_paused", "lock", "num_pauses")

    def __init__(self, lock: threading.RLock) -> None:
        self.lock = lock
        self.num_pauses = 0
        self._depth = 0
        self._paused: Turn | None = None

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            take(self.lock)
        try:
            while self._paused is not None:
                self._wait(self._paused)
        except BaseException:
            self.lock.release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.lock.release()

    def let_go(self, turn: Turn) -> None:
        """See `Holder`."""
        self._paused = turn
        self.num_pauses += 1
        self._depth = _release(self.lock)

    def take_back(self) -> None:
        """See `Holder`."""
        _acquire(self.lock, self._depth)
        self._paused = None

    def _wait(self, paused: Turn) -> None:
        """Let the build of another thread get to its end, or nearer to it."""
        mine = present_turn()
        if mine is None:
            give_up()
        depth = _release(self.lock)
        try:
            if mine is None or not mine.sit_out():
                paused.hurry()
        finally:
            _acquire(self.lock, depth)


def _release(lock: threading.RLock) -> int:
    """Let go of a lock that this thread has; how often it had taken it."""
    depth = 0
    try:
        while True:
            lock.release()
            depth += 1
    except RuntimeError:  # it has it no more
        return depth


def _acquire(lock: threading.RLock, depth: int) -> None:
    for _ in range(depth):
        lock.acquire()
