"""Events from the engine's thread to a task: each one, or only when a request ends."""

from __future__ import annotations

import asyncio
import time

import pytest

from guided import SamplingParams
from guided.engine.base import TokenEvent
from guided.engine.events import EventQueue
from tests.guided.engine.conftest import MakeLLM


@pytest.mark.parametrize("wakes_at_end", [False, True])
def test_a_task_is_woken_for_each_event_or_at_the_end(wakes_at_end: bool) -> None:
    async def read() -> tuple[int, int]:
        queue = EventQueue()
        queue.wakes_at_end = wakes_at_end
        reader = asyncio.ensure_future(queue.get_async())
        await asyncio.sleep(0)
        queue.put(TokenEvent(0, 1))
        for _ in range(5):
            await asyncio.sleep(0)
        was_woken = reader.done()
        queue.put(TokenEvent(0, 2, finish_reason="stop"))
        events = [await reader, await queue.get_async()]
        assert [event.token_id for event in events if event is not None] == [1, 2]
        return was_woken, len(events)

    assert asyncio.run(asyncio.wait_for(read(), 10)) == (not wakes_at_end, 2)


def test_whole_answers_are_the_same_with_and_without_stops(make_llm: MakeLLM) -> None:
    """A stop string is found while the text grows, so that the request ends there."""
    llm = make_llm()
    free = SamplingParams(temperature=0, max_new_tokens=60, ignore_eos=True)
    text = llm.generate("a", free).text
    stop = text[len(text) // 2 :][:3]
    stopped = SamplingParams(temperature=0, max_new_tokens=60, ignore_eos=True, stop=stop)

    async def answers() -> list[str]:
        return [(await llm.complete_async("a", params)).text for params in (free, stopped)]

    before = llm.get_stats().tokens_generated
    whole, cut = asyncio.run(answers())
    assert whole == text
    assert cut == text[: text.index(stop)]
    assert llm.get_stats().tokens_generated - before < 120
    end = time.monotonic() + 10
    while llm.get_stats().active_requests and time.monotonic() < end:  # it leaves before the engine's next step
        time.sleep(0.01)
