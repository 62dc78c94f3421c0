"""`LoopWakes`: wakes tasks of an event loop from other threads."""

from __future__ import annotations

import asyncio
from collections import deque

from .per_loop import PerLoop


class LoopWakes:
    """Of one event loop. Tasks that are woken before it has looked share one call.

    Each call from another thread writes to a socket that the loop watches, and hands the interpreter's lock over: once
    a token, for each of 32 streams, that costs more than reading the tokens.
    """

    def __init__(self) -> None:
        self._futures: deque[asyncio.Future[None]] = deque()
        self._is_called = False

    def wake(self, future: asyncio.Future[None]) -> None:
        """Set a future of the loop done; from any thread."""
        self._futures.append(future)
        # The order matters: the loop forgets that it was called before it looks, so nothing is left behind.
        if not self._is_called:
            self._is_called = True
            try:
                future.get_loop().call_soon_threadsafe(self._set_all)
            except RuntimeError:  # the loop is closed: nobody waits any more
                self._futures.clear()

    def _set_all(self) -> None:
        self._is_called = False
        while self._futures:
            future = self._futures.popleft()
            if not future.done():  # whoever waited may have been cancelled
                future.set_result(None)


present_wakes = PerLoop(LoopWakes).present
