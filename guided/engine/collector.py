"""`Collector`: when Python's garbage collector looks at all objects, which holds up every thread.

Such a full round takes 0.3 s for the half million objects of libraries and a model, more on a busy machine. Python
makes one whenever a quarter more objects live than at the last one: again and again while a grammar builds many. So
while an engine has rows, its thread decides: between two requests, or between two steps once so much was made since the
last round that what it may free is worth a pause. Objects that refer to each other in circles are all that waits for
it; young ones are found by the small rounds, which go on as ever.
"""

from __future__ import annotations

import gc
import os
import threading

IDLE_ROUNDS = 30  # small rounds since the last full one, of 8,000 more objects each, after which idle time is used
MAX_ROUNDS = 1000  # after which a round is made whatever is in flight: 8 million objects, about a GB
MAX_ROUNDS_FROZEN = 50  # the same where what was there at the start is frozen, so that a round takes some 20 ms
_NEVER = 1 << 30  # small rounds


class Collector:
    """Takes the full rounds over from Python while somebody works. Any number do, in any threads.

    max_rounds: small rounds after which a full one is made whatever is in flight.
    """

    def __init__(self) -> None:
        self.max_rounds = MAX_ROUNDS
        self._lock = threading.Lock()
        self._num_working = 0
        self._old_rounds = 0  # small rounds to a full one, as Python had it

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
        is_due = gc.get_count()[2] >= (IDLE_ROUNDS if is_idle else self.max_rounds)
        if is_due and self._num_working and gc.isenabled():
            gc.collect()

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
