"""`LoopWakes`: wakes tasks of an event loop from other threads."""

from __future__ import annotations

import asyncio
from collections import deque

from .per_loop import PerLoop


class LoopWakes:
    """The wakes of one event loop. Wakes that come before the loop has handled earlier ones share one call to the loop.

    Each call from another thread writes to a socket that the loop watches, and hands over the interpreter's lock. One
    call for each token of 32 streams would cost more than reading the tokens.
    """

    def __init__(self) -> None:
        self._futures: deque[asyncio.Future[None]] = deque()
        self._is_called = False

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


present_wakes = PerLoop(LoopWakes).present
