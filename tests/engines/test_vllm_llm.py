"""`guided.LLM` on vLLM beside our own engine, with the weights of the model in the package."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from guided import LLM, SamplingParams
from guided.errors import (
    DeadlineExceededError,
    EngineFailureError,
    EngineStoppedError,
    GenerationCancelledError,
    QueueFullError,
    RequestFieldError,
)
from guided.grammars.errors import InvalidInputError
from guided.requests.observer import EngineObserver, RequestRecord, StepRecord
from guided.requests.request import PromptRequest
from guided.server import create_app
from tests.server.live_server import serving, wait_until

TEXTS = [
    "Ada Holm, 36 years old, lives in Oslo.",
    "Our new colleague Ben Okafor (52) moved to Lagos last spring.",
    "Mira Chen is 29 and works from Taipei.",
]
ENDLESS = SamplingParams(ignore_eos=True, max_new_tokens=1500)


class Person(BaseModel):
    name: str
    age: int | None
    city: str | None


class Watcher(EngineObserver):
    def __init__(self) -> None:
        self.steps: list[StepRecord] = []
        self.ends: list[RequestRecord] = []

    def on_step(self, record: StepRecord) -> None:
        self.steps.append(record)

    def on_request_end(self, record: RequestRecord) -> None:
        self.ends.append(record)


@pytest.fixture(scope="module")
def own() -> Iterator[LLM]:
    with LLM(dtype="float32") as llm:
        yield llm


@pytest.fixture(scope="module")
def vllm() -> Iterator[LLM]:
    from guided.engines.settings import EngineSettings

    arguments = '{"enforce_eager": true, "max_model_len": 2048}'
    settings = EngineSettings(max_batch_size=8, max_waiting_requests=2)
    with LLM(engine="vllm", engine_settings=settings, engine_args=arguments) as llm:
        yield llm


@pytest.fixture(params=["own", "vllm"])
def llm(request: pytest.FixtureRequest) -> Any:
    """Each engine."""
    return request.getfixturevalue(request.param)


def test_extraction(llm: LLM) -> None:
    people = llm.extract(TEXTS, Person)
    assert [person.name for person in people] == ["Ada Holm", "Ben Okafor", "Mira Chen"]
    assert people[0] == Person(name="Ada Holm", age=36, city="Oslo")


def test_greedy_texts_are_the_same(own: LLM, vllm: LLM) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=60, json_schema=Person)
    for text in TEXTS:
        messages = [{"role": "user", "content": text}]
        ours, theirs = own.chat(messages, params), vllm.chat(messages, params)
        assert (theirs.text, theirs.finish_reason, theirs.fits_grammar) == (ours.text, "stop", True)
        assert theirs.num_forced_tokens > 0


def test_what_is_enforced_is_told(own: LLM, vllm: LLM) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=60, json_schema=Person, return_enforcement=True)
    ours, theirs = own.generate(TEXTS[0], params), vllm.generate(TEXTS[0], params)
    assert theirs.enforcement is not None
    assert theirs.enforcement == ours.enforcement
    assert {entry.enforcement for entry in theirs.enforcement.report} == {"exactly", "annotation"}
    assert vllm.generate(TEXTS[0], replace(params, return_enforcement=False)).enforcement is None
    with pytest.raises(RequestFieldError, match="needs a grammar"):
        vllm.generate(TEXTS[0], SamplingParams(return_enforcement=True))


def test_fields_are_shown_while_they_are_written(llm: LLM) -> None:
    stream = llm.stream_extract(TEXTS[0], Person)
    done = [event.pointer for event in stream if event.kind == "done"]
    assert done == ["/name", "/age", "/city", ""]
    assert stream.extraction.data["name"] == "Ada Holm"


def test_tools(llm: LLM) -> None:
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tools = [{"type": "function", "function": {"name": "weather", "parameters": parameters}}]
    messages = [{"role": "user", "content": "How is the weather in Oslo?"}]
    answer = llm.chat(messages, SamplingParams(temperature=0), tools=tools, tool_choice="required")
    assert answer.tool_calls[0].name == "weather"
    assert isinstance(json.loads(answer.tool_calls[0].arguments)["city"], str)


def test_log_probabilities_are_the_same(own: LLM, vllm: LLM) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=8, logprobs=3, prompt_logprobs=2, ignore_eos=True)
    ours, theirs = own.generate("The city of", params), vllm.generate("The city of", params)
    assert theirs.token_ids == ours.token_ids
    assert theirs.logprobs is not None
    assert ours.logprobs is not None
    pairs = [*zip(theirs.logprobs, ours.logprobs, strict=True)]
    assert theirs.prompt_logprobs is not None
    assert ours.prompt_logprobs is not None
    assert theirs.prompt_logprobs[0] is None
    pairs += [*zip(theirs.prompt_logprobs[1:], ours.prompt_logprobs[1:], strict=True)]  # type: ignore[arg-type]
    for one, other in pairs:
        assert (one.token_id, one.token, one.rank) == (other.token_id, other.token, other.rank)
        assert one.logprob == pytest.approx(other.logprob, abs=1e-3)
        assert [top.token_id for top in one.top] == [top.token_id for top in other.top]


def test_log_probabilities_under_a_grammar_are_the_models(own: LLM, vllm: LLM) -> None:
    """In one batch with rows that have no grammar, ask for more places, or for none."""
    constrained = SamplingParams(temperature=0, max_new_tokens=90, json_schema=Person, logprobs=2, logprobs_mode="both")
    others = [replace(constrained, logprobs=5), replace(constrained, json_schema=None), SamplingParams(regex="[ab]{9}")]
    prompts = ["Ada Holm, 36, lives in Oslo: ", "Ben Okafor, 52, lives in Lagos: ", "The city of", "x"]
    ours, theirs = own.generate(prompts, [constrained, *others]), vllm.generate(prompts, [constrained, *others])
    assert theirs[3].logprobs is None
    for one, other in zip(theirs[:3], ours[:3], strict=True):
        assert one.token_ids == other.token_ids
        assert one.logprobs is not None
        assert other.logprobs is not None
        for mine, expected in zip(one.logprobs, other.logprobs, strict=True):
            assert mine.logprob == pytest.approx(expected.logprob, abs=1e-3)
            assert mine.processed_logprob == pytest.approx(expected.processed_logprob, abs=1e-3)
            assert mine.masked_mass == pytest.approx(expected.masked_mass, abs=1e-3)
            assert [top.token_id for top in mine.top] == [top.token_id for top in expected.top]
    assert any((one.masked_mass or 0) > 0.01 for one in theirs[0].logprobs or ())


def test_confidences(own: LLM, vllm: LLM) -> None:
    ours, theirs = (one.extract_detailed(TEXTS[0], Person, confidence=True) for one in (own, vllm))
    assert ours.confidence is not None
    assert theirs.confidence is not None
    assert theirs.confidence.keys() == ours.confidence.keys()
    for pointer, expected in ours.confidence.items():
        found = theirs.confidence[pointer]
        assert (found.raw, found.processed) == pytest.approx((expected.raw, expected.processed), abs=1e-2)
        assert found.masked_mass == pytest.approx(expected.masked_mass, abs=1e-2)


@pytest.mark.parametrize(
    "fields",
    [
        {"frequency_penalty": 1.0, "presence_penalty": 0.5, "repetition_penalty": 1.3},
        {"logit_bias": {300: 50.0, 301: 49.0}},
        {"bad_words": ["the", " a", "1"]},
        {"allowed_token_ids": [300, 301, 400]},
        {"min_new_tokens": 20},
        {"stop": ["e"], "max_new_tokens": 40},
        {"stop_regex": "[aeiou].", "max_new_tokens": 40},
    ],
)
def test_fields_of_sampling_mean_the_same(own: LLM, vllm: LLM, fields: Any) -> None:
    params = SamplingParams(**{"temperature": 0, "max_new_tokens": 24, **fields})
    ours, theirs = own.generate("It was a dark", params), vllm.generate("It was a dark", params)
    assert (theirs.text, theirs.finish_reason, theirs.stopped_by) == (ours.text, ours.finish_reason, ours.stopped_by)


def test_several_outputs_of_one_seed(llm: LLM) -> None:
    params = SamplingParams(n=3, seed=4, max_new_tokens=12, ignore_eos=True)
    first = llm.generate("One", params)
    assert len({one.text for one in (first, *first.alternatives)}) == 3
    assert llm.generate("One", params).text == first.text


def test_min_new_tokens_gives_way_to_the_grammar(llm: LLM) -> None:
    answer = llm.generate("x", SamplingParams(choice=["yes", "no"], min_new_tokens=30, max_new_tokens=40))
    assert answer.text in ("yes", "no")
    assert answer.min_new_tokens_overruled


def test_a_processor_by_name(llm: LLM) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=10, logit_processors=[("no_repeat_ngram", {"ngram_size": 3})])
    assert llm.generate("la la la la", params).error is None


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"temperature": 3.0}, "temperature"),
        ({"temperature": 1e-3}, "temperature"),
        ({"logprobs": 0, "logprobs_mode": "processed"}, "logprobs_mode"),
        ({"logprobs": 0, "logprobs_mode": "both", "temperature": 0.5}, "logprobs_mode"),
        ({"regex": "a+", "presence_penalty": 1.0}, "penalize_forced"),
        ({"logit_processors": [object()]}, "logit_processors"),
    ],
)
def test_refusals(vllm: LLM, fields: Any, field: str) -> None:
    with pytest.raises(RequestFieldError) as error:
        vllm.generate("x", SamplingParams(**fields))
    assert error.value.param == field


def test_a_grammar_of_another_backend_is_refused(vllm: LLM) -> None:
    from guided import compile_grammar

    grammar = compile_grammar(vllm.vocabulary, regex="a+", backend="outlines_core")
    with pytest.raises(InvalidInputError, match="backend 'native'"):
        vllm.generate("x", grammar=grammar)


def test_who_leaves_gets_a_last_event_and_nothing_more(llm: LLM) -> None:
    events: list[Any] = []
    prompt = llm._reader.encoder.encode_text("x")
    request = PromptRequest(prompt, ENDLESS, ended=threading.Event())
    llm.engine.check(request)
    llm.engine.submit(request, events.append)
    wait_until(lambda: len(events) > 3)
    request.ended.set()
    wait_until(lambda: events[-1].finish_reason is not None)
    wait_until(lambda: llm.get_stats().active_requests == 0)
    count = len(events)
    time.sleep(0.2)
    assert (len(events), type(events[-1].error)) == (count, GenerationCancelledError)


def test_a_deadline_and_a_full_queue(vllm: LLM) -> None:
    generation = vllm.start("x", ENDLESS, deadline_s=0.5)
    assert isinstance(generation.result(60).error, DeadlineExceededError)
    running = [vllm.start("x", ENDLESS) for _ in range(10)]
    with pytest.raises(QueueFullError):
        vllm.start("x", ENDLESS)
    for one in running:
        one.cancel()
    wait_until(lambda: vllm.get_stats().active_requests + vllm.get_stats().waiting_requests == 0)


@pytest.mark.parametrize(("ignore_eos", "count", "reason"), [(True, 3, "length"), (False, 1, "stop")])
def test_an_ignored_end_token_at_the_limit_is_no_end(llm: LLM, ignore_eos: bool, count: int, reason: str) -> None:
    bias = dict.fromkeys(llm.vocabulary.eos_token_ids, 100.0)
    params = SamplingParams(max_new_tokens=count, ignore_eos=ignore_eos, logit_bias=bias)
    answer = llm.generate("Hello there", params)
    assert (answer.num_tokens, answer.finish_reason) == (count, reason)


def test_observers(llm: LLM) -> None:
    watcher = Watcher()
    llm.add_observer(watcher)
    answer = llm.generate("Hello there", SamplingParams(max_new_tokens=9, ignore_eos=True))
    wait_until(lambda: bool(watcher.ends))
    (record,) = watcher.ends
    assert (record.num_new_tokens, record.finish_reason) == (9, "length")
    assert record.num_prompt_tokens == answer.num_prompt_tokens
    assert record.time_to_first_token_s is not None
    assert record.queue_s <= record.time_to_first_token_s
    assert sum(step.num_new_tokens for step in watcher.steps) == 9


def test_a_core_that_dies_ends_its_requests_and_health_says_so(vllm: LLM) -> None:
    """The last test of this engine."""
    with serving(create_app(vllm)) as url, httpx.Client(base_url=url, timeout=60) as http:
        assert http.get("/health").json()["status"] == "ok"
        generation = vllm.start("x", ENDLESS)
        next(iter(generation))
        os.kill(vllm.engine._client.engine_core.resources.engine_manager.processes[0].pid, signal.SIGKILL)  # type: ignore[attr-defined]
        assert isinstance(generation.result(60).error, EngineFailureError)
        assert isinstance(vllm.failure, EngineFailureError)
        with pytest.raises(EngineFailureError):
            vllm.generate("x")
        health = http.get("/health")
        assert (health.status_code, health.json()["status"]) == (503, "failed")
    vllm.shutdown()
    with pytest.raises(EngineStoppedError):
        vllm.start("x", ENDLESS)
