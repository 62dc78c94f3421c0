"""`Turnstile`: the lock of the vocabulary tables, for one automaton whose building may pause."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from types import TracebackType
from typing import Any

from ...errors import CompileCancelledError
from ...forks import anew_after_fork
from ...watch import LOCKS, Courtesy, checkpoint, delay_watches, give_up, pausing, step_aside, take
from .shares import StateShare

SHORT_S = 0.002  # that a build has the lock in any case, before those who come anew have it
TURN_S = 0.01  # and before others that have paused
PATIENCE_S = 0.05  # that the first of those waits at most for newcomers, who may never end
LOST = (
    "the tables of this grammar were being made in another thread when this process was forked; make a new matcher, or "
    "compile the grammar before the fork"
)
_NOBODY = 1  # no thread has this number


class BuildLock:
    """The lock of vocabulary tables. Most builds take microseconds, some seconds: these let go of it in between.

    Those who come anew then go first, before those that have paused, in their order. lock: as who may build takes it.
    is_lost: a forked process has the tables as another thread was changing them. Nobody can take the lock there.
    """

    __slots__ = ("__weakref__", "_changed", "_num_new", "_paused", "_since_s", "is_lost", "lock")

    def __init__(self) -> None:
        self.lock: Any = threading.RLock()
        self.is_lost = False
        self._since_s = 0.0  # when somebody got it who had to wait
        self._nobody_waits()
        LOCKS.add(self)
        anew_after_fork(self)

    def _nobody_waits(self) -> None:
        self._num_new = 0  # who wait for the lock
        self._paused: deque[threading.Event] = deque()  # each is set when it is the first
        self._changed = threading.Condition()  # of these two; nobody comes anew any more

    def _at_fork_reinit(self) -> None:
        self._nobody_waits()
        if not self.lock.acquire(blocking=False):
            self.is_lost = True
            self.lock._at_fork_reinit()
            self.lock._acquire_restore((1, _NOBODY))
        else:
            self.lock.release()

    @property
    def is_mine(self) -> bool:
        """This thread has it."""
        is_mine: bool = self.lock._is_owned()
        return is_mine

    @property
    def is_wanted(self) -> bool:
        """Others wait, and who has it has had it for a while."""
        if self._num_new:
            return time.monotonic() > self._since_s + SHORT_S
        return bool(self._paused) and time.monotonic() > self._since_s + TURN_S

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            self.take()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.lock.release()

    def take(self) -> None:
        """Take it, after a wait; as `watch.take`. Raises CompileCancelledError where it is lost."""
        if self.is_lost:
            raise CompileCancelledError(LOST)
        with self._changed:
            self._num_new += 1
        try:
            take(self.lock)
            self._since_s = time.monotonic()
        finally:
            with self._changed:
                self._num_new -= 1
                if not self._num_new:
                    self._changed.notify()

    def let_go(self) -> int:
        """Let go of it if this thread has it; how often it had taken it."""
        if not self.is_mine:
            return 0
        depth: int
        depth, _ = self.lock._release_save()
        return depth

    def take_back(self, depth: int) -> None:
        """Have it again after others. Whatever interrupts the wait (Ctrl+C) is raised once this thread has it: those
        who took it release it."""
        is_first = threading.Event()
        try:
            with self._changed:
                self._paused.append(is_first)
                self._paused[0].set()
            is_first.wait()
            with self._changed:
                self._changed.wait_for(lambda: not self._num_new, PATIENCE_S)
        finally:
            self.take_again(depth)
            self._since_s = time.monotonic()
            with self._changed:
                if is_first in self._paused:
                    self._paused.remove(is_first)
                if self._paused:
                    self._paused[0].set()

    def take_again(self, depth: int) -> None:
        """Take it so often, at once where it is free. No signal interrupts that."""
        if depth:
            self.lock._acquire_restore((depth, threading.get_ident()))


class Turnstile:
    """A context manager that holds the lock of the vocabulary tables, and a `Holder`.

    A build that pauses lets go of the lock, so that other automata of the vocabulary tables go on. What frames ask of a
    schema is half known then, so whoever comes to the same automaton has to wait until the build has the lock again.
    Who may not wait so long, as its watches say, gives up instead, also where a build that can't pause holds the lock.

    lock: of the vocabulary tables. share: counts the states that are made while it is held.
    num_pauses: how many there were; what builds used of the memory of the vocabulary tables is lost after one.
    """

    __slots__ = ("_depth", "_num_holds", "_paused", "_plain", "_process", "lock", "num_pauses", "share")

    def __init__(self, lock: BuildLock, share: StateShare) -> None:
        self.lock = lock
        self.share = share
        self._num_holds = 0  # how often its thread holds it
        self.num_pauses = 0
        self._plain = lock.lock
        self._depth = 0
        self._paused: Courtesy | None = None
        self._process = 0  # in which it has paused

    @property
    def is_lost(self) -> bool:
        """This process was forked while another thread was building. What was begun can't be finished here."""
        return self.lock.is_lost or (self._paused is not None and self._process != os.getpid())

    def __enter__(self) -> None:
        if not self._plain.acquire(blocking=False):
            self.lock.take()
        try:
            while self._paused is not None:
                self._wait(self._paused)
        except BaseException:
            self._plain.release()
            raise
        if not self._num_holds:
            self.share.resume()
        self._num_holds += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._num_holds -= 1
        if not self._num_holds:
            self.share.pause()
        self._plain.release()

    def checkpoint(self) -> None:
        """A checkpoint of work that has the lock, and nothing half made in the memory of the vocabulary tables."""
        pausing(self, checkpoint)

    @property
    def is_wanted(self) -> bool:
        """See `Holder`."""
        return self.lock.is_wanted

    def let_go(self, courtesy: Courtesy) -> None:
        """See `Holder`."""
        self.share.pause()
        self._process = os.getpid()
        self._paused = courtesy
        self.num_pauses += 1
        self._depth = self.lock.let_go()

    def take_back(self) -> None:
        """See `Holder`."""
        try:
            self.lock.take_back(self._depth)
        finally:
            self._paused = None
            self.share.resume()

    def _wait(self, paused: Courtesy) -> None:
        """Let the build of another thread get to its end, or nearer to it."""
        if self.is_lost:
            raise CompileCancelledError(LOST)
        give_up()
        step_aside()
        depth = self.lock.let_go()
        start_s = time.monotonic()
        try:
            paused.wait()
        finally:
            self.lock.take_again(depth)
            delay_watches(None, time.monotonic() - start_s)
