"""Chunks from the engine's thread to whoever reads them; outputs end at their stops also where nobody does."""

from __future__ import annotations

import asyncio
import gc
import re
import threading
import time
import weakref
from dataclasses import replace
from typing import Any

import pytest

from guided import SamplingParams
from guided.errors import EngineFailureError
from guided.output.completion import CompletionChunk
from guided.output.generation import _Chunks
from guided.tools.stop_reader import StopReader
from tests.guided.engines.local.conftest import MakeLLM


async def _texts(llm: Any) -> list[str]:
    generation = llm.start("a", replace(FREE, max_new_tokens=20))
    return [chunk.text async for chunk in generation]


def test_a_task_is_woken_from_the_engine_s_thread_and_gets_all_in_order(make_llm: MakeLLM) -> None:
    llm = make_llm()
    texts = asyncio.run(asyncio.wait_for(_texts(llm), 20))
    assert len(texts) > 5
    assert "".join(texts) == llm.generate("a", replace(FREE, max_new_tokens=20)).text


def test_a_thread_waits_as_long_as_it_says(make_llm: MakeLLM) -> None:
    generation = make_llm().start("a", FREE)
    with pytest.raises(TimeoutError):
        generation.result(timeout_s=1e-4)
    assert generation.result(timeout_s=30).num_tokens == 400


def test_the_engine_s_thread_does_not_keep_what_nobody_reads(make_llm: MakeLLM) -> None:
    llm = make_llm()
    generation = weakref.ref(llm.start("a", FREE))
    gc.collect()
    assert generation() is None
    _wait_until_idle(llm)


def test_the_engine_s_thread_never_has_the_last_reference(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it could end the engine, and would have to stop itself."""
    give, is_dropped = _Chunks.give, threading.Event()

    def slowly(self: _Chunks, place: int, chunk: CompletionChunk) -> None:
        give(self, place, chunk)
        is_dropped.wait(30)

    monkeypatch.setattr(_Chunks, "give", slowly)
    llm = make_llm()
    generation = llm.start("a", SamplingParams(max_new_tokens=1))
    assert generation.result().num_tokens == 1
    found = weakref.ref(generation)
    del generation
    gc.collect()
    is_kept = found() is not None
    is_dropped.set()
    assert not is_kept
    _wait_until_idle(llm)


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
    monkeypatch.setattr(StopReader, "push", _refuse)
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
