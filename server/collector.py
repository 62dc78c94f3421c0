"""`ServerCollector`: the garbage collector of a server's process. See `guided.engine.collector`.

What is there once the models are loaded stays, so it is looked at no more. The full rounds are made by hand for as long
as the server runs, as other threads than an engine's make objects for requests, too.
"""

from __future__ import annotations

import gc

from guided.engine.collector import COLLECTOR


class ServerCollector:
    """From `start` to `stop`."""

    def __init__(self) -> None:
        self._is_started = False

    def start(self) -> None:
        """What there is now stays. From any thread; called again, what has come since."""
        gc.collect()
        gc.freeze()
        if not self._is_started:
            self._is_started = True
            COLLECTOR.begin_work()

    def tick(self, *, is_idle: bool) -> None:
        """Make a full round if it is time for one; called again and again. is_idle: no request is in flight."""
        if self._is_started:
            COLLECTOR.tick(is_idle=is_idle)

    def stop(self) -> None:
        """All is as it was before `start`."""
        if self._is_started:
            self._is_started = False
            COLLECTOR.end_work()
            gc.unfreeze()
