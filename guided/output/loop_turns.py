"""`LoopTurns`: the tasks of one event loop: woken from other threads, and giving way to each other."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic
from weakref import WeakKeyDictionary

AT_ONCE_S = 0.002


class LoopTurns:
    """The tasks of one event loop.

    All tasks that call `pause` share AT_ONCE_S seconds. Then the loop runs other tasks and looks for new input. An
    event loop runs all ready tasks before it looks for input. A limit for each task would not help: 64 outputs that end
    together are 64 tasks.

    Wakes that come before the loop has handled earlier ones share one call to the loop. Each call from another thread
    writes to a socket that the loop watches, and hands over the interpreter's lock. A call for each token of 32 streams
    would cost more than reading the tokens.
    """

    def __init__(self) -> None:
        self._end_s = 0.0
        self._is_renewing = False
        self._futures: deque[asyncio.Future[None]] = deque()
        self._is_called = False

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

    def wake(self, future: asyncio.Future[None]) -> None:
        """Complete a future of the loop. May be called from any thread."""
        self._futures.append(future)
        # The order matters: the loop clears `_is_called` before it reads the futures, so it misses none.
        if not self._is_called:
            self._is_called = True
            try:
                future.get_loop().call_soon_threadsafe(self._set_all)
            except RuntimeError:  # the loop is closed, so no task waits
                self._futures.clear()

    def _set_all(self) -> None:
        self._is_called = False
        while self._futures:
            future = self._futures.popleft()
            if not future.done():  # the waiting task may have been cancelled
                future.set_result(None)


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopTurns] = WeakKeyDictionary()


def present_turns() -> LoopTurns:
    """The turns of the running loop, which are freed with the loop."""
    loop = asyncio.get_running_loop()
    found = _of_loops.get(loop)
    if found is None:
        found = _of_loops[loop] = LoopTurns()
    return found
