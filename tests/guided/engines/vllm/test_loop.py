"""The thread of vLLM's asynchronous engine, with a client that stands in for it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from guided.engines.stats import EngineCounters
from guided.engines.vllm.loop import EngineThread


class Client:
    """What the thread uses of vLLM's `AsyncLLM` when it ends."""

    output_handler: asyncio.Task[None] | None = None
    was_reading: bool | None = None

    def shutdown(self, timeout: float) -> None:
        self.was_reading = self.output_handler is not None and not self.output_handler.done()


@pytest.mark.parametrize("has_read", [True, False])
def test_results_are_read_no_more_when_the_engine_ends(has_read: bool) -> None:
    """vLLM's reader would log an EngineDeadError."""
    client = Client()
    figures: Any = SimpleNamespace(counters=EngineCounters())
    thread = EngineThread(client, figures, 1, None)

    async def read() -> None:
        client.output_handler = asyncio.create_task(asyncio.sleep(60))

    if has_read:
        asyncio.run_coroutine_threadsafe(read(), thread._loop).result()
    thread.stop()
    assert client.was_reading is False
