"""`AutomatonLock`: an automaton's own lock together with the one of its vocabulary tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...build_locks import BuildLock, TablesLock
from ...watch import checkpoint, pausing
from .shares import StateShare


class AutomatonLock:
    """A context manager that holds both locks, and a `HeldLock`.

    A build may let go of the lock of the vocabulary tables, so that other automata go on. The build keeps its
    automaton's own lock, because frames are half made then. Other threads that need this automaton wait.

    tables_lock: the lock of the vocabulary tables.
    share: counts the states that are made while both locks are held.
    num_pauses: attribute; how often the lock of the tables was let go. Another build may have overwritten the shared
        scratch (`tables.mask`, `walk`) then: begin it again.
    """

    __slots__ = ("_num_holds", "_of_tables", "_own", "num_pauses", "share", "tables_lock")

    def __init__(self, tables_lock: TablesLock, share: StateShare) -> None:
        self.tables_lock = tables_lock
        self.share = share
        self.num_pauses = 0
        self._own = BuildLock()
        self._of_tables = tables_lock.lock
        self._num_holds = 0  # how often its thread has entered it

    @property
    def is_lost(self) -> bool:
        """True if this process was forked while another thread built this automaton, or changed the tables."""
        return self.tables_lock.is_lost or self._own.is_lost

    def __enter__(self) -> None:
        if not self._own.lock.acquire(blocking=False):
            assert not self.tables_lock.is_mine, "the thread that has the own lock may wait for this one"
            self._own.wait()
        try:
            if not self._of_tables.acquire(blocking=False):
                self.tables_lock.wait()
        except BaseException:
            self._own.lock.release()
            raise
        if not self._num_holds:
            self.share.resume()
        self._num_holds += 1

    def __exit__(self, *_: object) -> None:
        self._num_holds -= 1
        if not self._num_holds:
            self.share.pause()
        self._of_tables.release()
        self._own.lock.release()

    def checkpoint(self) -> None:
        """A checkpoint that may let go of the lock. Nothing in the vocabulary tables may be half made."""
        pausing(self, checkpoint)

    @property
    def is_wanted(self) -> bool:
        """See `HeldLock`."""
        return self.tables_lock.is_wanted

    @contextmanager
    def let_go(self) -> Iterator[None]:
        """See `HeldLock`."""
        self.share.pause()
        self.num_pauses += 1
        try:
            with self.tables_lock.let_go():
                yield
        finally:
            self.share.resume()
