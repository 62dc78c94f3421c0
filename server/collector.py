"""`Collector`: when the garbage collector of a server's process looks at all objects, which holds up every thread.

Such a full round takes 0.3 s for the half million objects of libraries and a model, more on a busy machine. Python
makes one whenever a quarter more objects live than at the last one: again and again while a grammar builds many. What
is there once the models are loaded stays, so it is looked at no more. For the rest full rounds wait until no request
is in flight, or until so much was made since the last one that what it may free is worth a pause. Objects that refer
to each other in circles are all that waits for it; young ones are found by the small rounds, which go on as ever.
"""

from __future__ import annotations

import gc

IDLE_ROUNDS = 30  # small rounds since the last full one, of 8,000 more objects each, after which idle time is used
MAX_ROUNDS = 300  # after which a round is made whatever is in flight
_NEVER = 1 << 30  # small rounds


class Collector:
    """Takes the full rounds over from Python; `stop` gives them back."""

    def __init__(self) -> None:
        self._thresholds: tuple[int, int, int] | None = None

    def start(self) -> None:
        """What is there now stays. From any thread."""
        gc.collect()
        gc.freeze()
        if self._thresholds is None:
            self._thresholds = gc.get_threshold()
            gc.set_threshold(*self._thresholds[:2], _NEVER)

    def tick(self, *, is_idle: bool) -> None:
        """Make a full round if it is time for one; called again and again. is_idle: nobody waits for anything."""
        num_rounds = gc.get_count()[2]
        if self._thresholds is not None and num_rounds >= (IDLE_ROUNDS if is_idle else MAX_ROUNDS):
            gc.collect()

    def stop(self) -> None:
        """All is as it was before `start`."""
        if self._thresholds is not None:
            gc.set_threshold(*self._thresholds)
            gc.unfreeze()
            self._thresholds = None
