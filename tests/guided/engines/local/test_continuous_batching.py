"""Requests that join, leave, wait and lose their pages: each writes what it writes alone (A4.3, A5.6, B17)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from guided import LLM, Completion, CompletionChunk, SamplingParams
from guided.errors import EngineStoppedError
from guided.requests.observer import EngineObserver, RequestRecord, StepRecord
from guided.requests.request import PromptRequest
from tests.guided.engines.local.conftest import MakeLLM, check_pages

SCHEMA = {
    "type": "object",
    "properties": {"the": {"type": "string", "maxLength": 12}, "and": {"enum": ["in", "the", "andin"]}},
    "required": ["the", "and"],
    "additionalProperties": False,
}
KINDS: tuple[dict[str, Any], ...] = (
    {"temperature": 0.0},
    {"temperature": 1.0, "top_p": 0.9},
    {"temperature": 0.8, "presence_penalty": 1.0, "repetition_penalty": 1.3},
    {"temperature": 1.0, "min_new_tokens": 6, "bad_words": ["the"]},
    {"temperature": 1.0, "logit_processors": [("no_repeat_ngram", {"ngram_size": 2, "window_size": 30})]},
    {"temperature": 0.9, "json_schema": SCHEMA},
    {"temperature": 0.9, "json_schema": SCHEMA, "frequency_penalty": 0.7, "penalize_forced": True},
    {"temperature": 0.7, "regex": "(in|an|the)+[0-9]{2,30}"},
    {"temperature": 1.0, "logprobs": 2},
    {"temperature": 0.6, "json_schema": SCHEMA, "logprobs": 1, "logprobs_mode": "processed"},
)


def make_requests(count: int, seed: int) -> list[tuple[str, SamplingParams]]:
    """Prompts of many lengths, some with the same beginning, and parameters of every kind."""
    rng = random.Random(seed)
    requests = []
    for i in range(count):
        prompt = "in the " * rng.choice([0, 0, 8]) + "".join(rng.choices("abc the", k=rng.choice([1, 5, 40])))
        fields = KINDS[i % len(KINDS)]
        requests.append((prompt, SamplingParams(seed=seed + i, max_new_tokens=rng.randint(1, 40), **fields)))
    return requests


def same(one: Completion, other: Completion) -> None:
    """The same output, with equal log-probabilities as far as float32 allows."""
    assert one.error is None
    assert (one.token_ids, one.finish_reason, one.text) == (other.token_ids, other.finish_reason, other.text)
    assert one.num_forced_tokens == other.num_forced_tokens
    for got, expected in zip(one.logprobs or (), other.logprobs or (), strict=True):
        assert got.logprob == pytest.approx(expected.logprob, abs=1e-3)
        assert [top.token_id for top in got.top if top.logprob > -50] == [
            top.token_id for top in expected.top if top.logprob > -50
        ]


@pytest.fixture(scope="module")
def alone(make_llm: MakeLLM) -> list[Completion]:
    """Each request by itself, in an engine that keeps nothing."""
    llm = make_llm(prefix_caching=False)
    return [llm.generate(*request) for request in make_requests(30, 0)]


def test_all_at_once(make_llm: MakeLLM, alone: list[Completion]) -> None:
    requests = make_requests(30, 0)
    llm = make_llm()
    together = llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    for got, expected in zip(together, alone, strict=True):
        same(got, expected)
    check_pages(llm)


@pytest.mark.parametrize(
    "settings",
    [
        {"max_batch_size": 3},
        {"max_prefill_tokens": 5},
        {"page_size": 1},
        {"jump_forward": False},
        {"kv_cache_tokens": 160, "page_size": 4},  # too few for two of the longer ones: they are preempted
        {"kv_cache_tokens": 160, "page_size": 4, "prefix_caching": False, "max_prefill_tokens": 7},
    ],
    ids=str,
)
def test_whatever_the_engine_is_set_to(make_llm: MakeLLM, alone: list[Completion], settings: dict[str, Any]) -> None:
    requests = make_requests(30, 0)
    llm = make_llm(**settings)
    together = llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    for got, expected in zip(together, alone, strict=True):
        same(got, expected)
    assert bool(llm.get_stats().num_preemptions) == ("kv_cache_tokens" in settings)
    check_pages(llm)


def test_requests_of_every_kind_in_half_precision(tiny_model_folder: Path) -> None:
    """The model's logits keep their type; whatever works on them takes it."""
    llm = LLM(tiny_model_folder, dtype="bfloat16")
    requests = make_requests(len(KINDS), 5)
    completions = llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    scored = llm.generate("in the and", SamplingParams(temperature=0, max_new_tokens=2, prompt_logprobs=1))
    assert [one.error for one in (*completions, scored)] == [None] * (len(KINDS) + 1)
    assert all(one.token_ids for one in completions)
    assert scored.prompt_logprobs is not None
    llm.shutdown()


def test_requests_join_and_leave_in_flight(make_llm: MakeLLM, alone: list[Completion]) -> None:  # A4.3
    llm, rng = make_llm(), random.Random(1)
    running = []
    for request in make_requests(30, 0):
        running.append(llm.start(*request))
        for _ in range(rng.randint(0, 3)):
            next(running[rng.randrange(len(running))], None)
    for generation, expected in zip(running, alone, strict=True):
        same(generation.result(), expected)
    check_pages(llm)


class Watcher(EngineObserver):
    """Notes all steps, and how many tokens each request had at its end."""

    def __init__(self) -> None:
        self.steps: list[StepRecord] = []
        self.ends: list[int] = []

    def on_step(self, record: StepRecord) -> None:
        self.steps.append(record)

    def on_request_end(self, record: RequestRecord) -> None:
        self.ends.append(record.num_new_tokens)


def test_the_four_phases(make_llm: MakeLLM) -> None:  # A4.3
    """Who is done leaves at once, who waits comes in, prompts are read beside the others' decoding, all together."""
    llm, watcher = make_llm(max_batch_size=2, max_prefill_tokens=8), Watcher()
    llm.add_observer(watcher)
    long, short, waiting = (SamplingParams(temperature=0, max_new_tokens=n, ignore_eos=True) for n in (400, 20, 30))
    first = llm.start("a", long)
    next(first)
    num_alone = len(watcher.steps)
    others = [llm.start("in the " * 8, short), llm.start("of the " * 8, waiting)]
    results = [one.result() for one in others]
    assert [len(one.token_ids) for one in (*results, first.result())] == [20, 30, 400]
    assert watcher.ends == [20, 30, 400], "cleanup and refill: the third took the second's place beside the first"
    steps = watcher.steps
    assert {step.num_rows for step in steps[num_alone:]} <= {1, 2}
    assert any(step.num_prefill_tokens and step.num_new_tokens for step in steps), "prefill beside decode"
    assert sum(step.num_rows == 2 and step.num_new_tokens == 2 for step in steps) >= 40, "decode together"
    assert max(step.num_prefill_tokens for step in steps) <= 8
    assert len(steps) <= 405, "nobody has steps of its own"


async def pieces(chunks: AsyncIterator[CompletionChunk]) -> str:
    return "".join([str(chunk) async for chunk in chunks])


def test_every_way_to_ask_gives_the_same_answer(tiny_model_folder: Path) -> None:  # A4.6
    """One text, a list, a stream, a list streamed, a task; figures; the end."""
    params = SamplingParams(temperature=0, max_new_tokens=12, ignore_eos=True)
    with LLM(tiny_model_folder) as llm:
        one, two = llm.generate("a", params), llm.generate("b", params)
        assert [str(completion) for completion in llm.generate(["a", "b"], params)] == [one.text, two.text]
        assert llm.generate("a", params, stream=False).text == one.text
        for stream in (llm.stream, partial(llm.generate, stream=True)):
            assert "".join(map(str, stream("a", params))) == one.text
            texts = ["", ""]
            for index, chunk in stream(["a", "b"], params):
                texts[index] += chunk.text
            assert texts == [one.text, two.text]
        assert asyncio.run(llm.complete_async("a", params)).text == one.text
        assert asyncio.run(pieces(llm.stream_async("a", params))) == one.text
        request = PromptRequest(llm.tokenizer.encode("a"), params)
        assert llm.generate_with_request(request).text == one.text
        assert llm.get_stats().total_requests == 14
        assert llm.get_stats().tokens_generated == 14 * 12
    with pytest.raises(EngineStoppedError):
        llm.generate("a", params)


def test_rows_finish_one_by_one(make_llm: MakeLLM) -> None:  # B17
    llm = make_llm()
    params = [SamplingParams(temperature=0, max_new_tokens=count, ignore_eos=True) for count in (30, 3, 12)]
    ends = [i for i, chunk in llm.stream(["a", "b", "c"], params) if chunk.finish_reason is not None]
    assert ends == [1, 2, 0]


def test_a_prompt_that_was_read_is_not_read_again(make_llm: MakeLLM) -> None:  # A4.2, B18
    llm = make_llm(max_batch_size=7)
    params = SamplingParams(temperature=0, max_new_tokens=5)
    prompt = "what the fox did in 2024, and then " * 3
    first, second = llm.generate(prompt, params), llm.generate(prompt, params)
    num_whole_pages = (first.num_prompt_tokens - 1) // 16 * 16
    assert (first.num_cached_tokens, second.num_cached_tokens) == (0, num_whole_pages)
    assert second.token_ids == first.token_ids
    longer = llm.generate(prompt + "and so on", params)
    assert longer.num_cached_tokens == first.num_prompt_tokens // 16 * 16 or longer.num_cached_tokens == num_whole_pages


def test_log_probabilities_of_a_prompt_that_was_read_before(make_llm: MakeLLM) -> None:
    llm = make_llm()
    prompt = "what the fox did in 2023, and then " * 3
    params = SamplingParams(temperature=0, max_new_tokens=2, prompt_logprobs=1)
    llm.generate(prompt, replace(params, prompt_logprobs=None))
    known, unknown = llm.generate(prompt, params), make_llm(prefix_caching=False).generate(prompt, params)
    assert known.num_cached_tokens == 0
    assert known.prompt_logprobs is not None
    assert unknown.prompt_logprobs is not None
    assert len(known.prompt_logprobs) == known.num_prompt_tokens
    for got, expected in zip(known.prompt_logprobs[1:], unknown.prompt_logprobs[1:], strict=True):
        assert got is not None
        assert expected is not None
        assert got.logprob == pytest.approx(expected.logprob, abs=1e-4)


def test_n_outputs_read_their_prompt_once(make_llm: MakeLLM) -> None:
    llm = make_llm(max_batch_size=9)
    prompt = "the " * 50
    before = llm.get_stats()
    completion = llm.generate(prompt, SamplingParams(n=4, seed=1, max_new_tokens=4))
    after = llm.get_stats()
    assert len({one.token_ids for one in (completion, *completion.alternatives)}) > 1
    num_whole_pages = (completion.num_prompt_tokens - 1) // 16 * 16
    assert after.num_cached_prompt_tokens - before.num_cached_prompt_tokens == 3 * num_whole_pages
    assert completion.num_cached_tokens == 0
    assert {one.num_cached_tokens for one in completion.alternatives} == {num_whole_pages}


def test_thinking_survives_drafts_and_the_loss_of_pages(
    tiny_model_folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first engine has neither, the second has right and wrong drafts, the third has few pages and drafts."""
    from guided.engines.local.transformers import TransformersEngine
    from guided.engines.settings import EngineSettings
    from guided.grammars.compile import compile_grammar
    from tests.guided.engines.local.test_drafts import _guess_from
    from tests.guided.processors.thinking_model import THINK, plain_model, thinking_vocabulary

    loaded = LLM(tiny_model_folder)
    vocabulary = thinking_vocabulary(loaded.vocabulary)
    params = [SamplingParams(seed=i, max_new_tokens=40, thinking_budget=4 + i, ignore_eos=True) for i in range(4)]
    grammar = compile_grammar(vocabulary, regex="(?s:.){12,}")
    requests = [PromptRequest([70 + i, THINK], one, grammar if i % 2 else None) for i, one in enumerate(params)]
    seen = []
    for settings in (
        EngineSettings(max_draft_tokens=0),
        EngineSettings(),
        EngineSettings(kv_cache_tokens=60, page_size=4),
    ):
        engine = TransformersEngine(plain_model(tiny_model_folder), vocabulary, model_name="t", settings=settings)
        events: list[list[Any]] = [[] for _ in requests]
        for event in engine.run([replace(request, ended=type(request.ended)()) for request in requests]):
            events[event.index].append((event.token_id, event.finish_reason, event.is_thought))
        if not seen:
            _guess_from(monkeypatch, [tuple(one[0] for one in row) for row in events], len(vocabulary.tokens))
        seen.append(events)
        stats = engine.get_stats()
        assert (stats.num_preemptions > 0) == (settings.kv_cache_tokens is not None)
        if len(seen) == 2:
            assert stats.num_accepted_draft_tokens > 20
        engine.shutdown()
    assert all({is_thought for _, _, is_thought in row} == {True, False} for row in seen[0])
    assert seen[0] == seen[1] == seen[2]
    loaded.shutdown()
