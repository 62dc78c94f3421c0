"""Texts by the dozen, with confidences, and fields that are shown as they are written."""

from __future__ import annotations

import asyncio
import gc
import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
import torch
from pydantic import BaseModel

from guided.errors import ContextLengthError, IncompleteOutputError
from guided.extraction.extractor import Reading
from guided.grammars.errors import CompileCancelledError, InvalidInputError, InvalidSchemaError
from guided.json_events import read_json_events
from guided.llm import LLM
from guided.output.completion import Completion, CompletionChunk
from guided.output.generation import Generation
from guided.params.sampling_params import SamplingParams
from tests.guided.processors.thinking_model import plain_model
from tests.server.live_server import wait_until


class Line(BaseModel):
    """One line of an order."""

    product: str
    quantity: int
    is_paid: bool


class Order(BaseModel):
    """An order with its lines."""

    customer: str
    lines: list[Line]


SHORT = {"type": "object", "properties": {"n": {"enum": [1, 25, 250]}, "s": {"type": "string", "maxLength": 4}}}
SHORT |= {"required": ["n", "s"], "additionalProperties": False}


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> Iterator[LLM]:
    with LLM(str(tiny_model_folder)) as llm:
        yield llm


def test_many_texts_come_in_order_and_like_alone(llm: LLM) -> None:
    texts = [f"text number {i}" for i in range(23)]
    found = list(llm.extract_each(texts, SHORT))
    assert [one.data for one in found] == [llm.extract(text, SHORT) for text in texts]
    assert all(one.is_valid for one in found)


def test_texts_are_taken_when_they_are_needed(llm: LLM) -> None:
    taken = []

    def texts() -> Iterator[str]:
        for i in range(100):
            taken.append(i)
            yield f"text {i}"

    results = llm.extractor(SHORT).extract_each(texts(), max_in_flight=3)
    assert next(results).is_valid
    assert len(taken) == 3
    results.close()  # type: ignore[attr-defined]
    gc.collect()
    assert len(taken) == 3
    with pytest.raises(InvalidInputError, match="max_in_flight"):
        llm.extractor(SHORT).extract_each([], max_in_flight=0)
    with pytest.raises(InvalidInputError, match="max_in_flight must be an integer >= 1, not 'all'"):
        llm.extractor(SHORT).extract_each([], max_in_flight="all")  # type: ignore[arg-type]


def test_one_bad_text_does_not_stop_the_others(llm: LLM) -> None:
    long = "word " * llm.max_context_tokens
    first, empty, too_long, last = llm.extract_each(["a", " ", long, "b"], SHORT)
    assert first.is_valid
    assert last.is_valid
    assert "is empty" in str(empty.error)
    assert isinstance(too_long.error, ContextLengthError)
    assert (empty.data, empty.completion.token_ids, empty.completion.finish_reason) == (None, (), "error")
    with pytest.raises(InvalidSchemaError):
        list(llm.extract_each(["a"], {"type": "no such type"}))


def test_confidences_are_the_models_own_probabilities(llm: LLM, tiny_model_folder: Path) -> None:
    """Against the logits of one forward over the whole text."""
    extractor = llm.extractor(SHORT, confidence=True)
    result = llm.extract_detailed("a text", SHORT, confidence=True)
    assert result.confidence is not None  # type: ignore[union-attr]
    completion: Completion = result.completion  # type: ignore[union-attr]
    prompt = extractor.encode("a text")
    model = plain_model(tiny_model_folder)
    ids = torch.tensor([[*prompt, *completion.token_ids]])
    with torch.inference_mode():
        logprobs = model(input_ids=ids).logits.float().log_softmax(dim=-1)[0, len(prompt) - 1 : -1]
    own = logprobs.gather(1, torch.tensor(completion.token_ids)[:, None])[:, 0].tolist()
    whole = result.confidence[""]  # type: ignore[union-attr,index]
    assert whole.raw == pytest.approx(math.exp(sum(own[: whole.num_tokens])), rel=1e-3)
    assert set(result.confidence) == {"", "/n", "/s"}  # type: ignore[union-attr,arg-type]
    for one in result.confidence.values():  # type: ignore[union-attr]
        assert 0 <= one.raw <= one.processed <= 1
        assert one.processed * (1 - one.masked_mass) == pytest.approx(one.raw, abs=1e-6)
    plain = llm.extract_detailed("a text", SHORT)
    assert (plain.data, plain.confidence) == (result.data, None)  # type: ignore[union-attr]


def test_fields_are_shown_while_they_are_written(llm: LLM) -> None:
    params = SamplingParams(temperature=1, seed=3, max_new_tokens=300)
    schema: dict[str, Any] = SHORT | {"properties": SHORT["properties"] | {"t": {"type": "array", "items": SHORT}}}  # type: ignore[operator]
    with llm.stream_extract("a text", schema, params=params) as stream:
        events = list(stream)
    result = stream.extraction
    assert result.is_valid
    assert _joined(events) == _joined(list(read_json_events([result.completion.text])))
    assert len(events) > len(list(read_json_events([result.completion.text])))  # in more pieces than one
    assert events[-1].value == result.data


class Priced(BaseModel):
    """A number of which all digits count."""

    price: Decimal


def test_a_stream_keeps_the_digits_of_a_decimal(llm: LLM) -> None:
    text = '{"price": 99.123456789012345}'
    generation = MagicMock(spec=Generation)
    generation.__iter__.return_value = [
        CompletionChunk(text, completion=Completion(text, (), "stop", None, 0, 0, 0.0)),
    ]
    extractor = llm.extractor(Priced)
    stream = extractor._streamed(Reading(extractor, "a text"), generation)
    assert [event.value.text for event in stream if (event.kind, event.pointer) == ("done", "/price")] == [text[10:-1]]
    assert str(stream.extraction.value.price) == text[10:-1]
    assert stream.partial == stream.extraction.value


def test_fields_are_those_of_the_first_output(llm: LLM) -> None:
    params = SamplingParams(temperature=1, seed=3, max_new_tokens=300)
    alone = llm.stream_extract("a text", SHORT, params=params)
    several = llm.stream_extract("a text", SHORT, params=replace(params, n=3))
    assert _joined(list(several)) == _joined(list(alone))
    assert several.extraction.data == alone.extraction.data


def test_a_stream_that_is_left_ends_its_generation(llm: LLM) -> None:
    numbers = {"type": "array", "items": {"type": "integer"}, "minItems": 200}
    events = iter(llm.stream_extract("a text", numbers))
    next(events)
    assert num_unfinished(llm) == 1
    del events
    gc.collect()
    wait_until(lambda: num_unfinished(llm) == 0)
    assert llm.get_stats().num_free_pages == llm.get_stats().num_pages


def test_a_stream_that_is_left_in_a_coroutine_can_be_read_on(llm: LLM) -> None:
    params = SamplingParams(temperature=1, seed=3, max_new_tokens=300)

    async def run() -> None:
        whole = [event async for event in await llm.stream_extract_async("a text", SHORT, params=params)]
        stream = await llm.stream_extract_async("a text", SHORT, params=params)
        first = await anext(aiter(stream))
        async for event in stream:
            assert [first, event] == whole[:2]
            break
        gc.collect()
        await asyncio.sleep(0)
        assert (await stream.wait()).data == stream.extraction.data == whole[-1].value
        left = await llm.stream_extract_async(
            "a text", {"type": "array", "items": {"type": "integer"}, "minItems": 200}
        )
        await anext(aiter(left))
        assert num_unfinished(llm) == 1
        del left
        gc.collect()
        await asyncio.to_thread(wait_until, lambda: num_unfinished(llm) == 0)

    asyncio.run(run())


@pytest.mark.parametrize("draft", [False, True])
def test_a_task_that_is_cancelled_ends_the_compiling_before_the_prompt(
    llm: LLM, draft: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The schema is compiled first, with an event that cancelling sets."""
    extractor = llm.extractor(SHORT, draft=draft)
    events, may_end = list[threading.Event | None](), threading.Event()

    def compile_long(params: SamplingParams, cancel: threading.Event | None = None) -> None:
        events.append(cancel)
        may_end.wait(30.0)
        raise CompileCancelledError("the test has ended it")

    monkeypatch.setattr(extractor._reader, "compile", compile_long)
    monkeypatch.setattr(extractor, "encode", lambda *_: pytest.fail("the prompt is made before"))

    async def run() -> None:
        for ask in extractor.extract_async, extractor.stream_async:
            task = asyncio.create_task(ask("a text"))
            await asyncio.to_thread(wait_until, lambda: bool(events))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            event = events.pop()
            assert event is not None
            assert event.is_set()

    async def run_to_end() -> None:
        try:
            await run()
        finally:
            may_end.set()

    asyncio.run(run_to_end())


def num_unfinished(llm: LLM) -> int:
    """Requests that are not over; one whose grammar takes long on a busy machine waits meanwhile."""
    stats = llm.get_stats()
    return stats.active_requests + stats.waiting_requests


def _joined(events: list[Any]) -> list[tuple[Any, ...]]:
    """Events without deltas, whose cuts depend on the tokens, and the deltas of each value joined."""
    deltas: dict[str, str] = {}
    for event in events:
        deltas[event.pointer] = deltas.get(event.pointer, "") + event.delta
    return [(one.kind, one.pointer, one.value, one.start, one.end) for one in events if one.kind != "delta"] + [
        (deltas,)
    ]


def test_a_stream_that_is_cut_off_says_so(llm: LLM) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=2)
    stream = llm.stream_extract("a text", SHORT, params=params)
    assert [event.pointer for event in stream if event.kind == "done"] == []
    assert isinstance(stream.extraction.error, IncompleteOutputError)
    closed = llm.stream_extract("a text", Order)
    closed.close()
    with pytest.raises(InvalidInputError, match="closed before its end"):
        _ = closed.extraction
    with pytest.raises(InvalidInputError, match="is empty"):
        llm.stream_extract("", Order)
