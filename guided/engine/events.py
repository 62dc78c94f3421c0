"""`EventQueue`: the events of running requests, from the engine's thread to the thread or coroutine that reads them."""

from __future__ import annotations

import asyncio
from queue import Empty, SimpleQueue

from .base import TokenEvent
from .wakes import LoopWakes, present_wakes


class EventQueue:
    """One reader's events. `put` is a sink for `Engine.submit`; one thread or one task reads at a time.

    wakes_at_end: a task that waits is woken only when a request ends: it wants no piece before. Waking an event loop in
        another thread for each token costs as much as a small model's step.
    """

    def __init__(self) -> None:
        self.wakes_at_end = False
        self._events: SimpleQueue[TokenEvent | None] = SimpleQueue()
        self._waiter: tuple[LoopWakes, asyncio.Future[None]] | None = None

    @property
    def is_empty(self) -> bool:
        """Whoever gets the next event has to wait for it."""
        return self._events.empty()

    def put(self, event: TokenEvent) -> None:
        """Add an event; from any thread."""
        self._put(event, wakes=not self.wakes_at_end or event.finish_reason is not None)

    def close(self) -> None:
        """Wake the reader: after what is there, it gets None. From any thread."""
        self._put(None, wakes=True)

    def get(self, timeout_s: float | None = None) -> TokenEvent | None:
        """The next event, waited for; None once closed. Raises TimeoutError after timeout_s seconds."""
        try:
            return self._events.get(timeout=timeout_s)
        except Empty:
            raise TimeoutError from None

    def get_ready(self) -> TokenEvent | None:
        """The next event if it is there; None where it is not, or once closed."""
        try:
            return self._events.get_nowait()
        except Empty:
            return None

    async def get_async(self) -> TokenEvent | None:
        """The next event, awaited; None once closed."""
        while self._events.empty():
            # The order matters: who puts an event looks for a waiter afterwards, so one of the two sees the other.
            woken = asyncio.get_running_loop().create_future()
            self._waiter = (present_wakes(), woken)
            if self._events.empty():
                await woken
            self._waiter = None
        return self._events.get_nowait()

    def _put(self, event: TokenEvent | None, *, wakes: bool) -> None:
        self._events.put(event)
        if not wakes:
            return
        waiter, self._waiter = self._waiter, None
        if waiter is not None:
            of_loop, woken = waiter
            of_loop.wake(woken)
