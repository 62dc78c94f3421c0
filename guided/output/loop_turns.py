"""`LoopTurns`: makes tasks of an event loop that have much work at once give way to other tasks."""

from __future__ import annotations

import asyncio
from time import monotonic

from .per_loop import PerLoop

AT_ONCE_S = 0.002


class LoopTurns:
    """The turns of one event loop. All tasks that call `pause` share AT_ONCE_S seconds. Then the loop runs other tasks
    and looks for new input.

    An event loop runs all ready tasks before it looks for input. So a limit for each task would not help: 64 outputs
    that end together are 64 tasks.
    """

    def __init__(self) -> None:
        self._end_s = 0.0
        self._is_renewing = False

    @property
    def is_over(self) -> bool:
        """True if the shared time is used up, so that the task should `pause`."""
        return monotonic() > self._end_s

    async def pause(self) -> None:
        """Return at once, or, if the shared time is used up, after all other tasks have had a turn."""
        while self.is_over:
            if not self._is_renewing:
                self._is_renewing = True
                asyncio.get_running_loop().call_soon(self._renew)
            await asyncio.sleep(0)

    def _renew(self) -> None:
        self._is_renewing = False
        self._end_s = monotonic() + AT_ONCE_S


present_turns = PerLoop(LoopTurns).present
