"""`ChunkQueue`: passes chunks of outputs from the engine's thread to the thread or coroutine that reads them."""

from __future__ import annotations

import asyncio
from queue import Empty, SimpleQueue

from .completion import CompletionChunk
from .wakes import LoopWakes, present_wakes

Placed = tuple[int, CompletionChunk]  # (index of the prompt, chunk)


class ChunkQueue:
    """The chunks of one generation. Any thread may put chunks; only one thread or task may read at a time."""

    def __init__(self) -> None:
        self._chunks: SimpleQueue[Placed | None] = SimpleQueue()
        self._waiter: tuple[LoopWakes, asyncio.Future[None]] | None = None

    @property
    def is_empty(self) -> bool:
        """True if a reader has to wait for the next chunk."""
        return self._chunks.empty()

    def put(self, placed: Placed | None) -> None:
        """Add a chunk. None closes the queue: after the chunks before it, the reader gets None."""
        self._chunks.put(placed)
        waiter, self._waiter = self._waiter, None
        if waiter is not None:
            of_loop, woken = waiter
            of_loop.wake(woken)

    def get(self, timeout_s: float | None = None) -> Placed | None:
        """Wait for the next chunk; None if the queue is closed.

        timeout_s: seconds to wait; None: no limit. Raises TimeoutError after this time.
        """
        try:
            return self._chunks.get(timeout=timeout_s)
        except Empty:
            raise TimeoutError from None

    async def get_async(self) -> Placed | None:
        """Await the next chunk; None if the queue is closed."""
        while self._chunks.empty():
            # The order matters: `put` adds its chunk before it looks for a waiter. So either `put` sees this waiter, or
            # the test below sees the chunk.
            woken = asyncio.get_running_loop().create_future()
            self._waiter = (present_wakes(), woken)
            if self._chunks.empty():
                await woken
            self._waiter = None
        return self._chunks.get_nowait()
