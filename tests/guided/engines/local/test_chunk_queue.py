"""Chunks from the engine's thread to whoever reads them; outputs end at their stops also where nobody does."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from guided import SamplingParams
from guided.errors import EngineFailureError
from guided.output.chunk_queue import ChunkQueue
from guided.output.completion import CompletionChunk
from guided.params.stopping import StopSearch
from tests.guided.engines.local.conftest import MakeLLM


def test_a_task_is_woken_from_another_thread_and_gets_all_in_order() -> None:
    async def read() -> list[str | None]:
        queue = ChunkQueue()
        reader = asyncio.ensure_future(queue.get_async())
        await asyncio.sleep(0)
        await asyncio.to_thread(queue.put, (0, CompletionChunk("a")))
        queue.put((0, CompletionChunk("b")))
        queue.put(None)
        found = [await reader, await queue.get_async(), await queue.get_async()]
        return [None if one is None else one[1].text for one in found]

    assert asyncio.run(asyncio.wait_for(read(), 10)) == ["a", "b", None]


def test_a_thread_waits_as_long_as_it_says() -> None:
    queue = ChunkQueue()
    with pytest.raises(TimeoutError):
        queue.get(0.01)
    threading.Timer(0.05, queue.put, [(3, CompletionChunk("a"))]).start()
    assert queue.get(10) == (3, CompletionChunk("a"))


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


FREE = SamplingParams(temperature=0, max_new_tokens=400, ignore_eos=True)


@pytest.mark.parametrize("kind", ["stop", "stop_regex"])
def test_what_nobody_reads_ends_at_its_stop_too(make_llm: MakeLLM, kind: str) -> None:
    llm = make_llm()
    text = llm.generate("a", replace(FREE, max_new_tokens=40)).text
    stop: dict[str, Any] = {kind: text[4:7]}
    if kind == "stop_regex":
        stop = {kind: re.escape(text[4:7])}
    before = llm.get_stats().tokens_generated
    generation = llm.start("a", replace(FREE, **stop))
    _wait_until_idle(llm)
    assert 0 < llm.get_stats().tokens_generated - before < 400
    completion = generation.result(timeout_s=5)
    assert (completion.finish_reason, completion.stopped_by) == ("stop", text[4:7])
    assert text.startswith(completion.text)


def test_an_error_of_the_reader_ends_its_output(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    llm = make_llm()
    monkeypatch.setattr(StopSearch, "push", _refuse)
    completion = llm.start("a", replace(FREE, stop_regex="q+z")).result(timeout_s=20)
    _wait_until_idle(llm)
    assert completion.finish_reason == "error"
    assert isinstance(completion.error, EngineFailureError)


def _refuse(*_: object, **__: object) -> str:
    raise RuntimeError("a fault of ours")


def _wait_until_idle(llm: Any) -> None:
    end = time.monotonic() + 20
    while llm.get_stats().active_requests + llm.get_stats().waiting_requests and time.monotonic() < end:
        time.sleep(0.005)
    assert llm.get_stats().active_requests == 0
