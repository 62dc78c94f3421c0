"""Penalties, log-probabilities and errors through the engine, beside recomputation and transformers' `generate`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from guided.engines.base import TokenEvent
from guided.engines.factory import EngineOptions
from guided.engines.local import scheduler
from guided.engines.local.core import rows_with_one_choice
from guided.engines.local.loading import load_transformers_engine
from guided.engines.local.transformers import TransformersEngine
from guided.engines.token_logprobs import TokenLogprob, TokenLogprobs
from guided.errors import NoAllowedTokenError
from guided.grammars.bitset import pack_token_ids
from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest
from tests.guided.fixed_strings import FixedStrings

GREEDY = SamplingParams(temperature=0, max_new_tokens=12)
PROMPTS = ["a", "the quick brown fox", "in 2024, and then", "x" * 40]


@pytest.fixture(scope="module")
def engine(tiny_model_folder: Path) -> TransformersEngine:
    loaded = load_transformers_engine(str(tiny_model_folder), EngineOptions(device="cpu"))
    assert isinstance(loaded.engine, TransformersEngine)
    return loaded.engine


@pytest.fixture(scope="module")
def model(tiny_model_folder: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(tiny_model_folder).eval()


@pytest.fixture
def prompts(tiny_model_folder: Path) -> list[list[int]]:
    tokenizer = AutoTokenizer.from_pretrained(tiny_model_folder)
    return [tokenizer.encode(prompt) for prompt in PROMPTS]


def run_one(engine: TransformersEngine, *parts: Any) -> list[TokenEvent]:
    return list(engine.run([PromptRequest(*parts)]))


def ids_of(events: Sequence[TokenEvent], index: int = 0) -> list[int]:
    return [event.token_id for event in events if event.index == index and event.token_id is not None]


def full_logprobs(model: Any, token_ids: list[int]) -> torch.Tensor:
    """The raw log-probabilities after each token, (T, V)."""
    with torch.inference_mode():
        return model(torch.tensor([token_ids]), use_cache=False).logits[0].float().log_softmax(dim=1)


def test_repetition_penalty_writes_what_generate_writes(
    engine: TransformersEngine, model: Any, prompts: list[list[int]]
) -> None:  # B8
    for prompt in prompts:
        ids = torch.tensor([prompt])
        options = {"do_sample": False, "max_new_tokens": 12, "repetition_penalty": 1.3}
        expected = model.generate(ids, attention_mask=torch.ones_like(ids), **options)[0, len(prompt) :].tolist()
        assert ids_of(run_one(engine, prompt, replace(GREEDY, repetition_penalty=1.3))) == expected


def test_bad_words_and_early_ends_write_what_generate_writes(
    engine: TransformersEngine, model: Any, prompts: list[list[int]]
) -> None:
    first = ids_of(run_one(engine, prompts[1], GREEDY))
    words = [[first[0]], [first[2], first[3]]]
    ids = torch.tensor([prompts[1]])
    options = {"do_sample": False, "max_new_tokens": 12, "min_new_tokens": 10, "bad_words_ids": words}
    expected = model.generate(ids, attention_mask=torch.ones_like(ids), **options)[0, len(prompts[1]) :].tolist()
    params = replace(GREEDY, bad_words=words, min_new_tokens=10)
    assert ids_of(run_one(engine, prompts[1], params)) == expected


def test_frequency_penalty_looks_at_the_output_only(engine: TransformersEngine, prompts: list[list[int]]) -> None:
    params = replace(GREEDY, frequency_penalty=2.0, presence_penalty=2.0, max_new_tokens=1)
    assert ids_of(run_one(engine, prompts[1], params)) == ids_of(run_one(engine, prompts[1], GREEDY))[:1]  # B8


def test_each_request_has_its_own_penalties_in_a_batch(engine: TransformersEngine, prompts: list[list[int]]) -> None:
    params = [
        replace(GREEDY, repetition_penalty=1.5),
        replace(GREEDY, frequency_penalty=1.5, max_new_tokens=4),
        replace(GREEDY, logit_bias={40: 9.0}, ignore_eos=True),
        replace(GREEDY, allowed_token_ids=list(range(60, 90)), presence_penalty=2.0),
    ]
    requests = [PromptRequest(prompt, one) for prompt, one in zip(prompts, params, strict=True)]
    together = list(engine.run(requests))
    for i, request in enumerate(requests):
        assert ids_of(together, i) == ids_of(list(engine.run([request])))
    assert all(60 <= token_id < 90 for token_id in ids_of(together, 3))


# --- log-probabilities ---


def test_logprobs_are_those_of_full_recomputation(
    engine: TransformersEngine, model: Any, prompts: list[list[int]]
) -> None:  # A1.4, A5.9, B13, B14
    params = SamplingParams(seed=1, max_new_tokens=6, ignore_eos=True, logprobs=3, logprob_token_ids=[65, 260])
    requests = [PromptRequest(prompt, replace(params, seed=i)) for i, prompt in enumerate(prompts)]
    events = list(engine.run(requests))
    for i, prompt in enumerate(prompts):
        token_ids = ids_of(events, i)
        expected = full_logprobs(model, prompt + token_ids)[len(prompt) - 1 :]
        for step, event in enumerate(event for event in events if event.index == i):
            one = event.logprobs
            assert one is not None
            assert (one.token_id, one.masked_mass) == (event.token_id, None)
            assert one.logprob == pytest.approx(float(expected[step, one.token_id]), abs=1e-4)
            assert one.rank == int((expected[step] > expected[step, one.token_id]).sum()) + 1
            assert [top.token_id for top in one.top] == expected[step].topk(3).indices.tolist()
            assert [top.logprob for top in one.top] == pytest.approx(expected[step].topk(3).values.tolist(), abs=1e-4)
            assert [given.token_id for given in one.given] == [65, 260]
            assert [given.logprob for given in one.given] == pytest.approx(expected[step, [65, 260]].tolist(), abs=1e-4)


def test_tokens_have_their_raw_bytes_and_special_ones_their_names(
    engine: TransformersEngine, prompts: list[list[int]]
) -> None:  # B14
    vocabulary, size = engine.vocabulary, engine.vocabulary.size
    (event,) = run_one(engine, prompts[0], replace(GREEDY, max_new_tokens=1, logprobs=size))
    assert event.logprobs is not None
    names = {token_id: name for name, token_id in vocabulary.special_tokens.items()}
    assert len(event.logprobs.top) == size
    for one in event.logprobs.top:
        token = vocabulary.tokens[one.token_id]
        assert one.is_special == (token is None)
        assert one.token == (names.get(one.token_id, "").encode() if token is None else token)


def test_no_logprobs_without_asking_and_only_its_own_for_zero(
    engine: TransformersEngine, prompts: list[list[int]]
) -> None:  # A1.4
    requests = [PromptRequest(prompts[0], GREEDY), PromptRequest(prompts[1], replace(GREEDY, logprobs=0))]
    events = list(engine.run(requests))
    assert all(event.logprobs is None for event in events if event.index == 0)
    assert all(event.logprobs is not None and event.logprobs.top == () for event in events if event.index == 1)


def test_masked_mass_is_what_the_grammar_ruled_out(
    engine: TransformersEngine, model: Any, prompts: list[list[int]]
) -> None:
    grammar = FixedStrings(["yes", "no"], engine.vocabulary)
    params = replace(GREEDY, max_new_tokens=None, logprobs=2)
    events = list(engine.run([PromptRequest(prompts[1], params, grammar), PromptRequest(prompts[2], params)]))
    expected = full_logprobs(model, prompts[1] + ids_of(events)).exp()
    matcher = grammar.matcher()
    for step, event in enumerate(event for event in events if event.index == 0):
        assert event.logprobs is not None
        allowed = float(expected[len(prompts[1]) - 1 + step, matcher.allowed()].sum())
        assert event.logprobs.masked_mass == pytest.approx(1 - allowed, abs=1e-4)
        assert event.token_id is not None
        assert matcher.accept_token(event.token_id)
    assert all(event.logprobs and event.logprobs.masked_mass is None for event in events if event.index == 1)


@pytest.mark.parametrize("max_scored_tokens", [1, 7, 256])
def test_prompt_logprobs_are_those_of_full_recomputation(
    engine: TransformersEngine,
    model: Any,
    prompts: list[list[int]],
    max_scored_tokens: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # A5.9
    monkeypatch.setattr(scheduler, "MAX_SCORED_TOKENS", max_scored_tokens)
    asking = replace(GREEDY, prompt_logprobs=2, max_new_tokens=3)
    params = [asking, asking, GREEDY, replace(asking, prompt_logprobs=0, logprobs=0, logprob_token_ids=[70])]
    requests = [PromptRequest(prompt, one) for prompt, one in zip(prompts, params, strict=True)]
    events = list(engine.run(requests))
    for i, (prompt, one) in enumerate(zip(prompts, params, strict=True)):
        first, *others = [event for event in events if event.index == i]
        assert all(event.prompt_logprobs is None for event in others)
        assert ids_of(events, i) == ids_of(run_one(engine, prompt, replace(one, prompt_logprobs=None)))
        if one.prompt_logprobs is None:
            assert first.prompt_logprobs is None
            continue
        assert first.prompt_logprobs is not None
        check_prompt_logprobs(first.prompt_logprobs, prompt, full_logprobs(model, prompt), one)


def check_prompt_logprobs(
    scores: Sequence[TokenLogprobs | None], prompt: list[int], expected: torch.Tensor, params: SamplingParams
) -> None:
    assert scores[0] is None
    assert [score.token_id for score in scores if score is not None] == prompt[1:]
    for place, score in enumerate(scores):
        if score is not None:
            assert score.logprob == pytest.approx(float(expected[place - 1, prompt[place]]), abs=1e-4)
            assert [top.token_id for top in score.top] == expected[place - 1].topk(
                params.prompt_logprobs or 0
            ).indices.tolist()
            assert [given.token_id for given in score.given] == list(params.logprob_token_ids or ())


# --- grammars against parameters ---


def test_a_grammar_that_allows_only_the_end_overrules_min_new_tokens(
    engine: TransformersEngine, prompts: list[list[int]]
) -> None:  # B11
    grammar = FixedStrings(["no"], engine.vocabulary)
    events = run_one(engine, prompts[0], replace(GREEDY, min_new_tokens=9), grammar)
    assert [event.min_new_tokens_overruled for event in events] == [False] * (len(events) - 1) + [True]
    assert events[-1].finish_reason == "stop"
    assert engine.vocabulary.join(ids_of(events)) == b"no"


def test_min_new_tokens_takes_the_longer_text_of_a_grammar(
    engine: TransformersEngine, prompts: list[list[int]]
) -> None:
    grammar = FixedStrings(["x", "x" * 30], engine.vocabulary)
    events = run_one(engine, prompts[3], replace(GREEDY, min_new_tokens=9, max_new_tokens=40), grammar)
    assert engine.vocabulary.join(ids_of(events)) == b"x" * 30
    assert not any(event.min_new_tokens_overruled for event in events)


def test_rows_with_one_choice() -> None:
    choices = ([5], [31], [63], [], [1, 2], list(range(32)), list(range(64)), [31, 63])
    bitmask = np.stack([pack_token_ids(ids, 64) for ids in choices])
    assert rows_with_one_choice(bitmask) == [True, True, True, False, False, False, False, False]


@pytest.mark.parametrize("penalize_forced", [False, True])
def test_forced_tokens_are_not_counted(
    engine: TransformersEngine, prompts: list[list[int]], penalize_forced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between "a" and "b" only the penalty decides; the forced text before them is full of "a"."""
    a, b = ord("a"), ord("b")
    forward = engine.paged_model.forward
    token_of = {token: token_id for token_id, token in enumerate(engine.vocabulary.tokens) if token is not None}
    boost = torch.zeros(engine.vocabulary.size)
    boost[token_of[bytes([a])]], boost[token_of[bytes([b])]] = 1000.0, 999.0
    monkeypatch.setattr(engine.paged_model, "forward", lambda chunks: forward(chunks) * 0 + boost)
    grammar = FixedStrings(["aaaa,a", "aaaa,b"], engine.vocabulary)
    params = replace(GREEDY, max_new_tokens=None, presence_penalty=2.0, penalize_forced=penalize_forced)
    text = engine.vocabulary.join(ids_of(run_one(engine, prompts[0], params, grammar)))
    assert text == (b"aaaa,b" if penalize_forced else b"aaaa,a")


@pytest.mark.parametrize(
    ("texts", "fields", "message"),
    [
        ([], {}, "the grammar allows none"),
        (["yes"], {"allowed_token_ids": [70]}, r"the grammar allows \d+, of which allowed_token_ids excludes \d+"),
        (
            None,
            {"allowed_token_ids": [70], "bad_words": [[70]]},
            "there are 280, of which bad_words excludes 1, allowed",
        ),
    ],
)
def test_a_request_without_a_token_says_who_excluded_what(
    engine: TransformersEngine,
    prompts: list[list[int]],
    texts: list[str] | None,
    fields: dict[str, Any],
    message: str,
) -> None:  # B10, issue 5, point 8
    grammar = None if texts is None else FixedStrings(texts, engine.vocabulary)
    bad = PromptRequest(prompts[0], replace(GREEDY, **fields), grammar)
    events = list(engine.run([bad, PromptRequest(prompts[1], GREEDY)]))
    (failed,) = [event for event in events if event.finish_reason == "error"]
    assert isinstance(failed.error, NoAllowedTokenError)
    assert failed.error.args[0].startswith("request 0: no token can be drawn after 0 new tokens: ")
    with pytest.raises(NoAllowedTokenError, match=message):
        raise failed.error
    assert ids_of(events, 1) == ids_of(run_one(engine, prompts[1], GREEDY))


def test_the_model_can_exclude_tokens_too(
    engine: TransformersEngine, prompts: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    forward = engine.paged_model.forward
    monkeypatch.setattr(engine.paged_model, "forward", lambda chunks: torch.full_like(forward(chunks), -math.inf))
    grammar = FixedStrings(["yes", "no"], engine.vocabulary)
    (event,) = run_one(engine, prompts[0], GREEDY, grammar)
    with pytest.raises(NoAllowedTokenError, match=r"the grammar allows 2, of which the model excludes 2$"):
        raise event.error or AssertionError


def test_ids_that_the_model_lacks_are_refused_before_anything_runs(engine: TransformersEngine) -> None:
    for fields in ({"logit_bias": {280: 1.0}}, {"allowed_token_ids": [280]}, {"stop_token_ids": [280]}):
        with pytest.raises(InvalidInputError, match=rf"{next(iter(fields))} has token id 280; the model's ids are"):
            engine.run([PromptRequest([1], replace(GREEDY, **fields))])


def test_alternatives_are_token_logprobs(engine: TransformersEngine, prompts: list[list[int]]) -> None:
    (event,) = run_one(engine, prompts[0], replace(GREEDY, max_new_tokens=1, logprobs=1))
    assert event.logprobs is not None
    assert type(event.logprobs.top[0]) is TokenLogprob
    assert event.logprobs.top[0].token_id == event.token_id
