"""`LoopTurns`: tasks of an event loop that have much to do at once let the others have their turn."""

from __future__ import annotations

import asyncio
from time import monotonic

from .per_loop import PerLoop

AT_ONCE_S = 0.002


class LoopTurns:
    """Of one event loop. All its tasks that call `pause` work for `AT_ONCE_S` together, then the loop looks around.

    An event loop runs every task that is ready before it looks for what came in. So a bound for each task alone would
    be none: 64 outputs that end together are 64 tasks.
    """

    def __init__(self) -> None:
        self._end_s = 0.0
        self._is_renewing = False

    @property
    def is_over(self) -> bool:
        """It is time to `pause`."""
        return monotonic() > self._end_s

    async def pause(self) -> None:
        """Go on, or where the time is up behind all others."""
        while self.is_over:
            if not self._is_renewing:
                self._is_renewing = True
                asyncio.get_running_loop().call_soon(self._renew)
            await asyncio.sleep(0)

    def _renew(self) -> None:
        self._is_renewing = False
        self._end_s = monotonic() + AT_ONCE_S


present_turns = PerLoop(LoopTurns).present
