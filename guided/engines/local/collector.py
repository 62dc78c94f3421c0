"""`Collector`: decides when Python's garbage collector makes a full round over all objects, which stops every thread.

A full round takes 0.3 s for the half million objects of libraries and a model, more on a busy machine. Python makes one
whenever the number of objects has grown by a quarter, which a large grammar does again and again. While requests run,
the engine's thread therefore decides. The thread makes full rounds between two requests. If very many objects were
created since the last round, it makes one between two steps. Only objects in reference cycles wait for a full round.
Small rounds over young objects go on as usual.

While requests run in a server (`freezes`), a round looks only at new objects and freezes the survivors: later rounds
skip these. A round without waiting requests looks at all objects again.
"""

from __future__ import annotations

import gc
import os
import threading

IDLE_ROUNDS = 30  # number of small rounds, of 8,000 new objects each, before an idle moment is used for a full round
MAX_ROUNDS = 1000  # number of small rounds before a full round comes even beside requests: 8 million objects, a GB
MAX_ROUNDS_FROZEN = 6  # like MAX_ROUNDS, if survivors are frozen, so that a full round takes about 15 ms
MANY_FROZEN = 2_000_000  # number of frozen objects, about 400 MB, before a round beside requests looks at all objects.
# After 1 million such a round came beside one grammar of a 1 MB regex, and held up all requests for 0.3 s
_NEVER = 1 << 30  # a number of small rounds that is never reached


class Collector:
    """Makes the full rounds instead of Python while at least one thread works, between `begin_work` and `end_work`.

    freezes: attribute; True: objects that survive a round are frozen, so that later rounds skip them, until a round
        without waiting requests. Default: False.
    """

    def __init__(self) -> None:
        self.freezes = False
        self._num_frozen = 0  # objects frozen since the last round over all objects
        self._is_part_left = False  # the last round has skipped frozen objects
        self._lock = threading.Lock()
        self._num_working = 0
        self._old_rounds = 0  # Python's own number of small rounds before a full one

    @property
    def max_rounds(self) -> int:
        """Number of small rounds before `tick` makes a full round even beside requests."""
        return MAX_ROUNDS_FROZEN if self.freezes else MAX_ROUNDS

    def begin_work(self) -> None:
        """Let `tick` make the full rounds from now on, instead of Python."""
        with self._lock:
            self._num_working += 1
            if self._num_working == 1:
                young, middle, self._old_rounds = gc.get_threshold()
                gc.set_threshold(young, middle, _NEVER)

    def end_work(self) -> None:
        """End this thread's work. If no other thread works, make a full round if it is due, and give the full rounds
        back to Python.
        """
        self.tick(is_idle=self._num_working == 1)
        with self._lock:
            self._num_working -= 1
            if not self._num_working:
                self._give_back()

    def tick(self, *, is_idle: bool) -> None:
        """Make a full round if it is due. The engine calls this often. is_idle: True: no request waits."""
        if not self._num_working or not gc.isenabled():
            return
        num_rounds = gc.get_count()[2]
        if is_idle and (self._is_part_left or num_rounds >= IDLE_ROUNDS):
            self.collect_all()
        elif num_rounds >= self.max_rounds:
            if self.freezes and self._num_frozen < MANY_FROZEN:
                self._collect_new()
            else:
                self.collect_all()

    def collect_all(self) -> None:
        """Make a round over all objects, including frozen ones. With `freezes`, freeze the survivors."""
        if self.freezes:
            gc.unfreeze()
        gc.collect()
        if self.freezes:
            gc.freeze()
        self._num_frozen = 0
        self._is_part_left = False

    def _collect_new(self) -> None:
        """Make a round over objects that are not frozen, and freeze the survivors.

        PERF: the survivors are counted here, because `gc.get_freeze_count` walks all frozen objects, which takes 50 ms.
        """
        gc.collect()
        self._num_frozen += len(gc.get_objects(generation=2))
        gc.freeze()
        self._is_part_left = True

    def start_anew(self) -> None:
        """Reset the collector in a forked process, which does not have the working threads."""
        self._lock = threading.Lock()
        if self._num_working:
            self._num_working = 0
            self._give_back()

    def _give_back(self) -> None:
        young, middle, rounds = gc.get_threshold()
        if rounds == _NEVER:  # otherwise other code has set a number meanwhile
            gc.set_threshold(young, middle, self._old_rounds)


COLLECTOR = Collector()
"""The collector of this process."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=COLLECTOR.start_anew)
