"""`ChunkQueue`: what outputs have become, from the engine's thread to the thread or coroutine that reads it."""

from __future__ import annotations

import asyncio
from queue import Empty, SimpleQueue

from .completion import CompletionChunk
from .wakes import LoopWakes, present_wakes

Placed = tuple[int, CompletionChunk]  # with the place of its prompt


class ChunkQueue:
    """One generation's chunks. Any thread puts them; one thread or one task reads at a time."""

    def __init__(self) -> None:
        self._chunks: SimpleQueue[Placed | None] = SimpleQueue()
        self._waiter: tuple[LoopWakes, asyncio.Future[None]] | None = None

    @property
    def is_empty(self) -> bool:
        """Whoever gets the next chunk has to wait for it."""
        return self._chunks.empty()

    def put(self, placed: Placed | None) -> None:
        """Add a chunk. None closes it: after what is there, its reader gets None."""
        self._chunks.put(placed)
        waiter, self._waiter = self._waiter, None
        if waiter is not None:
            of_loop, woken = waiter
            of_loop.wake(woken)

    def get(self, timeout_s: float | None = None) -> Placed | None:
        """The next chunk, waited for; None once closed. Raises TimeoutError after timeout_s seconds."""
        try:
            return self._chunks.get(timeout=timeout_s)
        except Empty:
            raise TimeoutError from None

    async def get_async(self) -> Placed | None:
        """The next chunk, awaited; None once closed."""
        while self._chunks.empty():
            # The order matters: who puts a chunk looks for a waiter afterwards, so one of the two sees the other.
            woken = asyncio.get_running_loop().create_future()
            self._waiter = (present_wakes(), woken)
            if self._chunks.empty():
                await woken
            self._waiter = None
        return self._chunks.get_nowait()
