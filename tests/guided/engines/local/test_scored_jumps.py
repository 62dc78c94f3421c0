"""Log-probabilities of forced tokens come from the pass that reads them: all that a run token by token says of them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from guided import LLM, Completion, EngineSettings, SamplingParams
from guided.engines.base import TokenEvent
from guided.engines.local import core
from guided.engines.local.transformers import TransformersEngine
from guided.engines.token_logprobs import TokenLogprob, TokenLogprobs
from guided.errors import DeadlineExceededError
from guided.grammars.cache import PROCESS_CACHE
from guided.grammars.watch import Trial, TrialOverError
from guided.requests.request import PromptRequest
from guided.workbench.steps.step import GenerationStep
from guided.workbench.steps.stream import stream_steps
from tests.guided.engines.local.conftest import MakeLLM, check_pages
from tests.guided.engines.local.test_drafts import _guess_from
from tests.guided.engines.local.test_jump_forward import CONSTRAINTS, SAMPLINGS
from tests.guided.fixed_strings import FixedStrings
from tests.guided.processors.thinking_model import END_THINK, THINK, plain_model, thinking_vocabulary

LOGPROBS: list[dict[str, Any]] = [
    {"logprobs": 3, "logprobs_mode": "both"},
    {"logprobs": 0, "logprob_token_ids": [3, 70, 71]},
    {"logprobs": 5, "logprobs_mode": "processed", "logprob_token_ids": [9]},
]
MORE_SAMPLINGS: list[dict[str, Any]] = [
    {"temperature": 1.3, "repetition_penalty": 1.4, "frequency_penalty": 0.5, "penalize_forced": False},
    {"temperature": 0.9, "min_p": 0.05, "logit_bias": {68: 100.0, 70: -100.0, 3: 2.0}},
]
PROMPTS = ["a", "in the and the 12 " * 6, "the and in 12", "b" * 33]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"max_batch_size": 3},
    {"max_prefill_tokens": 5},
    {"page_size": 1},
    {"max_draft_tokens": 0},
    {"kv_cache_tokens": 260, "page_size": 4},
    {"kv_cache_tokens": 260, "page_size": 4, "prefix_caching": False, "max_prefill_tokens": 7},
]


def make_requests(count: int, seed: int) -> list[tuple[str, SamplingParams]]:
    """Grammars with much that is forced and ways to sample, most with log-probabilities of some kind."""
    rng = random.Random(seed)
    requests = []
    for i in range(count):
        fields = rng.choice(CONSTRAINTS) | rng.choice(SAMPLINGS + MORE_SAMPLINGS) | rng.choice([*LOGPROBS, {}])
        most = rng.choice([200, 200, rng.randint(20, 60)])
        requests.append((rng.choice(PROMPTS), SamplingParams(seed=seed * 1000 + i, max_new_tokens=most, **fields)))
    return requests


def close(one: float | None, other: float | None) -> bool:
    """As far as float32 allows, after passes of other sizes."""
    if one is None or other is None or math.isinf(one) or math.isinf(other):
        return one == other
    return math.isclose(one, other, rel_tol=1e-3, abs_tol=1e-3)


def same_list(some: Sequence[TokenLogprob], others: Sequence[TokenLogprob]) -> bool:
    """The same tokens in the same order, where they can be drawn at all, and are not as probable as others."""
    places = {one.token_id: one.logprob for one in others if one.logprob > -50}
    found = [one for one in some if one.logprob > -50]
    assert len(found) == len(places)
    assert all(close(one.logprob, other.logprob) for one, other in zip(some, others, strict=True))
    return all(close(one.logprob, places.get(one.token_id, one.logprob)) for one in found)


def same_logprobs(one: TokenLogprobs, other: TokenLogprobs) -> None:
    assert (one.token_id, one.token, one.is_special) == (other.token_id, other.token, other.is_special)
    assert close(one.logprob, other.logprob)
    assert one.rank is not None
    assert other.rank is not None
    assert abs(one.rank - other.rank) <= 1  # where two are nearly as probable
    assert close(one.masked_mass, other.masked_mass)
    assert close(one.processed_logprob, other.processed_logprob)
    for field in ("top", "given", "processed_top"):
        assert same_list(getattr(one, field), getattr(other, field)), field


def same(one: Completion, other: Completion) -> None:
    """The same output and log-probabilities."""
    assert one.error is None
    assert (one.token_ids, one.finish_reason, one.text) == (other.token_ids, other.finish_reason, other.text)
    assert one.num_forced_tokens == other.num_forced_tokens
    assert one.fits_grammar == other.fits_grammar
    assert one.min_new_tokens_overruled == other.min_new_tokens_overruled
    assert (one.logprobs is None) == (other.logprobs is None)
    for got, expected in zip(one.logprobs or (), other.logprobs or (), strict=True):
        same_logprobs(got, expected)


def answers(llm: LLM, requests: Sequence[tuple[str, SamplingParams]]) -> list[Completion]:
    return llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])


@pytest.fixture(scope="module")
def token_by_token(make_llm: MakeLLM) -> LLM:
    return make_llm(jump_forward=False, max_draft_tokens=0, prefix_caching=False)


@pytest.fixture(scope="module")
def alone(token_by_token: LLM) -> list[Completion]:
    """Each request by itself, token by token."""
    return [token_by_token.generate(*request) for request in make_requests(14, 0)]


@pytest.mark.parametrize("logprobs", LOGPROBS, ids=str)
@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda one: next(iter(one)))
def test_each_kind_of_grammar(
    make_llm: MakeLLM, token_by_token: LLM, constraint: dict[str, Any], logprobs: dict[str, Any]
) -> None:
    params = [
        SamplingParams(seed=seed, max_new_tokens=200, **constraint, **sampling, **logprobs)
        for seed, sampling in enumerate(SAMPLINGS + MORE_SAMPLINGS)
    ]
    llm = make_llm()
    before = llm.get_stats()
    requests = list(zip(["the"] * len(params), params, strict=True))
    for got, expected in zip(answers(llm, requests), answers(token_by_token, requests), strict=True):
        same(got, expected)
    assert llm.get_stats().num_saved_passes > before.num_saved_passes or "choice" in constraint


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_whatever_the_engine_is_set_to(make_llm: MakeLLM, alone: list[Completion], settings: dict[str, Any]) -> None:
    """Prompts in pieces, rows that lose their pages before their tokens are scored, known prefixes, other rows."""
    llm = make_llm(**settings)
    for _ in range(2):  # the second time prompts, and much of the answers, are known
        for got, expected in zip(answers(llm, make_requests(14, 0)), alone, strict=True):
            same(got, expected)
    assert bool(llm.get_stats().num_preemptions) == ("kv_cache_tokens" in settings)
    check_pages(llm)


@pytest.mark.parametrize("seed", range(1, 3))
def test_right_and_wrong_guesses(
    make_llm: MakeLLM, token_by_token: LLM, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Drafts have read some of what is forced behind their tokens already: then its logits are theirs."""
    requests, llm = make_requests(10, seed), make_llm(page_size=4)
    expected = answers(token_by_token, requests)
    _guess_from(monkeypatch, [tuple(one.token_ids) for one in expected], llm.vocabulary.size)
    before = llm.get_stats().num_accepted_draft_tokens
    for got, one in zip(answers(llm, requests), expected, strict=True):
        same(got, one)
    assert llm.get_stats().num_accepted_draft_tokens > before
    check_pages(llm)


@pytest.mark.parametrize("most", [1, 2, 7])
def test_few_are_scored_in_one_pass(
    make_llm: MakeLLM, alone: list[Completion], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """What is beyond the bound is drawn, or taken in a later jump."""
    monkeypatch.setattr(core, "MAX_UNSCORED", most)
    monkeypatch.setattr(core, "MAX_JUMP_TOKENS", most)
    for got, expected in zip(answers(make_llm(), make_requests(14, 0)), alone, strict=True):
        same(got, expected)


def test_where_everything_is_slow(make_llm: MakeLLM, alone: list[Completion], monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows sit out in the middle of jumps, without their pages."""
    llm = make_llm()
    PROCESS_CACHE.clear()

    def check(self: Trial) -> None:
        raise TrialOverError

    monkeypatch.setattr(Trial, "check", check)
    for got, expected in zip(answers(llm, make_requests(14, 0)), alone, strict=True):
        same(got, expected)
    check_pages(llm)


def test_the_passes_are_those_of_a_jump(make_llm: MakeLLM) -> None:
    """But for one: the token that ends the text is drawn."""
    steps = []
    for logprobs in (None, 2):
        llm = make_llm(max_draft_tokens=0)
        params = SamplingParams(temperature=0, max_new_tokens=300, logprobs=logprobs, **CONSTRAINTS[0])
        before = llm.get_stats().num_steps
        llm.generate("a", params)
        steps.append(llm.get_stats().num_steps - before)
    assert 1 < steps[0] <= steps[1] <= steps[0] + 1


@pytest.mark.parametrize("count", range(1, 9))
def test_budgets_and_ends_in_the_middle_of_a_jump(make_llm: MakeLLM, token_by_token: LLM, count: int) -> None:
    for text in ("abcdefghijklmnop"[:9], "abcd"):
        params = SamplingParams(temperature=0, max_new_tokens=count, logprobs=2)
        got, expected = (
            llm.generate("a", params, grammar=FixedStrings([text], llm.vocabulary))
            for llm in (make_llm(), token_by_token)
        )
        same(got, expected)
        assert len(got.token_ids) == min(count, len(text) + 1)


def test_stop_strings_end_it_within_a_jump(make_llm: MakeLLM, token_by_token: LLM) -> None:
    params = SamplingParams(temperature=1, seed=3, stop=["_band"], logprobs=2, **CONSTRAINTS[0])
    got, expected = (llm.generate("a", params) for llm in (make_llm(), token_by_token))
    assert got.text == expected.text
    assert got.token_ids == expected.token_ids[: len(got.token_ids)]
    for one, other in zip(got.logprobs or (), expected.logprobs or (), strict=True):
        same_logprobs(one, other)


@pytest.fixture
def watched(make_llm: MakeLLM) -> LLM:
    return make_llm()


def steps_of(llm: LLM, params: SamplingParams, **options: Any) -> list[GenerationStep]:
    with stream_steps(llm, "the", params, **options) as stream:
        return list(stream)


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda one: next(iter(one)))
@pytest.mark.parametrize("sampling", SAMPLINGS[1:3] + MORE_SAMPLINGS[1:], ids=str)
def test_steps(watched: LLM, token_by_token: LLM, constraint: dict[str, Any], sampling: dict[str, Any]) -> None:
    """What the mask took, how many tokens it allowed, what was expected; forks and pauses anywhere in a jump."""
    params = SamplingParams(seed=4, max_new_tokens=80, **constraint, **sampling)
    got, expected = steps_of(watched, params), steps_of(token_by_token, params)
    written: list[int] = []
    for step, other in zip(got, expected, strict=True):
        same_step(step, other)
        assert step.times is not None
        assert step.token_id is not None
        written.append(step.token_id)
    assert watched.generate("the", params).token_ids == tuple(written)
    for cut in range(1, len(written), 9):
        part = steps_of(watched, params, prefix_token_ids=written[:cut], max_steps=4)
        assert [step.token_id for step in part] == written[cut : cut + 4]
        for step, other in zip(part, expected[cut : cut + 4], strict=True):
            same_step(replace(step, finish_reason=other.finish_reason, fits_grammar=other.fits_grammar), other)


def same_step(step: GenerationStep, other: GenerationStep) -> None:
    for field in ("token_id", "index", "text", "kind", "num_allowed", "expected", "finish_reason", "fits_grammar"):
        assert getattr(step, field) == getattr(other, field), field
    for field in ("raw_prob", "prob", "masked_mass"):
        assert close(getattr(step, field), getattr(other, field)), field
    assert [one.token_id for one in step.top if one.prob > 1e-3] == [
        one.token_id for one in other.top if one.prob > 1e-3
    ]


def test_what_ends_a_row_before_its_tokens_are_scored(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their events are never given: nobody learns of a token without its log-probabilities."""
    llm, events = make_llm(), list[TokenEvent]()
    params = SamplingParams(temperature=0, logprobs=1, **CONSTRAINTS[0])
    (request,) = llm.read(["a"], params, deadline_s=1e9)
    model, passes = llm.engine.paged_model, 0  # type: ignore[attr-defined]
    forward = model.forward

    def fail(chunks: Any) -> Any:
        nonlocal passes
        passes += 1
        if passes == 3:
            raise RuntimeError("it broke")
        return forward(chunks)

    monkeypatch.setattr(model, "forward", fail)
    events = list(llm.engine.run([request]))
    assert all(event.logprobs is not None for event in events[:-1])
    assert (events[-1].finish_reason, events[-1].token_id) == ("error", None)
    (late,) = llm.read(["a"], params, deadline_s=0.0)
    (event,) = llm.engine.run([late])
    assert isinstance(event.error, DeadlineExceededError)
    check_pages(llm)


@pytest.mark.parametrize("starts_thinking", [True, False])
def test_thinking(tiny_model_folder: Path, starts_thinking: bool) -> None:
    """Nothing is forced while a block of thinking is open, or where one may begin."""
    with LLM(tiny_model_folder) as loaded:
        vocabulary = thinking_vocabulary(loaded.vocabulary)
        grammar = FixedStrings(["the and the in", "the and 12"], vocabulary)
        prompt = [70, THINK] if starts_thinking else [70]
        params = [
            SamplingParams(seed=seed, max_new_tokens=30 + seed, thinking_budget=2 + seed, logprobs=2)
            for seed in range(6)
        ]
        told: list[list[list[TokenEvent]]] = []
        for settings in (EngineSettings(), EngineSettings(jump_forward=False, max_draft_tokens=0)):
            engine = TransformersEngine(
                plain_model(tiny_model_folder),
                vocabulary,
                model_name="thinks",
                tokenizer=loaded.tokenizer,
                settings=settings,
            )
            events: list[list[TokenEvent]] = [[] for _ in params]
            for event in engine.run([PromptRequest(prompt, one, grammar) for one in params]):
                events[event.index].append(event)
            engine.shutdown()
            told.append(events)
    for some, others in zip(*told, strict=True):
        for one, other in zip(some, others, strict=True):
            assert (one.token_id, one.is_forced) == (other.token_id, other.is_forced)
            assert one.finish_reason == other.finish_reason
            assert one.logprobs is not None
            assert other.logprobs is not None
            same_logprobs(one.logprobs, other.logprobs)
        assert not starts_thinking or END_THINK in [event.token_id for event in some]
