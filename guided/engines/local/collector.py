"""`Collector`: when Python's garbage collector looks at all objects, which holds up every thread.

Such a full round takes 0.3 s for the half million objects of libraries and a model, more on a busy machine. Python
makes one whenever a quarter more objects live than at the last one: again and again while a grammar builds many. So
while an engine has rows, its thread decides: between two requests, or between two steps once so much was made since the
last round that what it may free is worth a pause. Objects that refer to each other in circles are all that waits for
it; young ones are found by the small rounds, which go on as ever.

In a server (`freezes`) a round beside requests looks only at what is new: what survives it is frozen, left out of
later rounds. A round when nobody waits looks at everything again.
"""

from __future__ import annotations

import gc
import os
import threading

IDLE_ROUNDS = 30  # small rounds since the last full one, of 8,000 more objects each, after which idle time is used
MAX_ROUNDS = 1000  # after which a round is made whatever is in flight: 8 million objects, about a GB
MAX_ROUNDS_FROZEN = 6  # the same where survivors are frozen, so that a round takes some 15 ms
MANY_FROZEN = 2_000_000  # objects, about 400 MB: after as many, a round beside requests looks at frozen ones, too
_NEVER = 1 << 30  # small rounds


class Collector:
    """Takes the full rounds over from Python while somebody works. Any number do, in any threads.

    freezes: what survives a round is left out of the next ones, until nobody waits.
    """

    def __init__(self) -> None:
        self.freezes = False
        self._num_frozen = 0  # objects since the last round that looked at all
        self._is_part_left = False  # the last round has not looked at all
        self._lock = threading.Lock()
        self._num_working = 0
        self._old_rounds = 0  # small rounds to a full one, as Python had it

    @property
    def max_rounds(self) -> int:
        """Small rounds after which a full one is made whatever is in flight."""
        return MAX_ROUNDS_FROZEN if self.freezes else MAX_ROUNDS

    def begin_work(self) -> None:
        """From now on `tick` makes the full rounds."""
        with self._lock:
            self._num_working += 1
            if self._num_working == 1:
                young, middle, self._old_rounds = gc.get_threshold()
                gc.set_threshold(young, middle, _NEVER)

    def end_work(self) -> None:
        """Where nobody else works, make a full round if it is time for one, and let Python make them again."""
        self.tick(is_idle=self._num_working == 1)
        with self._lock:
            self._num_working -= 1
            if not self._num_working:
                self._give_back()

    def tick(self, *, is_idle: bool) -> None:
        """Make a full round if it is time for one; called again and again. is_idle: nobody waits for anything."""
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
        """Look at all objects, frozen ones too where survivors are frozen."""
        if self.freezes:
            gc.unfreeze()
        gc.collect()
        if self.freezes:
            gc.freeze()
        self._num_frozen = 0
        self._is_part_left = False

    def _collect_new(self) -> None:
        """Look at what is not frozen, and freeze what survives.

        PERF: it counts survivors here. `gc.get_freeze_count` walks all that is frozen, which takes 50 ms.
        """
        gc.collect()
        self._num_frozen += len(gc.get_objects(generation=2))
        gc.freeze()
        self._is_part_left = True

    def start_anew(self) -> None:
        """In a forked process, which has none of the threads that work."""
        self._lock = threading.Lock()
        if self._num_working:
            self._num_working = 0
            self._give_back()

    def _give_back(self) -> None:
        young, middle, rounds = gc.get_threshold()
        if rounds == _NEVER:  # else somebody has set another number meanwhile
            gc.set_threshold(young, middle, self._old_rounds)


COLLECTOR = Collector()
"""Of this process."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=COLLECTOR.start_anew)
