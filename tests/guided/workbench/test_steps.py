"""An answer token by token: its statistics against log-probabilities and masks, forks, pauses, budgets."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from guided import LLM, SamplingParams
from guided.errors import GuidedError, RequestFieldError
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.errors import InvalidInputError
from guided.workbench.steps.step import GenerationStep
from guided.workbench.steps.stream import stream_steps

PROMPT = "ab the"
SCHEMA: dict[str, Any] = {
    "title": "Pair",
    "type": "object",
    "properties": {"left": {"enum": ["a", "bc"]}, "right": {"type": ["integer", "null"]}},
    "required": ["left", "right"],
    "additionalProperties": False,
}
PARAMS = SamplingParams(json_schema=SCHEMA, whitespace="compact", temperature=1.0, seed=5, max_new_tokens=60)


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> Iterator[LLM]:
    with LLM(str(tiny_model_folder)) as one:
        yield one


def steps_of(llm: LLM, params: SamplingParams = PARAMS, **options: Any) -> list[GenerationStep]:
    with stream_steps(llm, PROMPT, params, **options) as stream:
        return list(stream)


def ids(steps: Sequence[GenerationStep]) -> list[int | None]:
    return [step.token_id for step in steps]


def test_the_same_tokens_as_unwatched(llm: LLM) -> None:
    plain = llm.generate(PROMPT, replace(PARAMS, logprobs=5, logprobs_mode="both"))
    steps = steps_of(llm)
    assert tuple(ids(steps)) == plain.token_ids == llm.generate(PROMPT, PARAMS).token_ids
    assert "".join(step.text for step in steps) == plain.text
    assert [step.index for step in steps] == list(range(len(steps)))
    assert plain.logprobs is not None
    for step, one in zip(steps, plain.logprobs, strict=True):
        # Which tokens one pass reads depends on what drafts seemed worth: the last bits of float32 are not the same.
        assert step.raw_prob == pytest.approx(math.exp(one.logprob), rel=1e-4)
        assert step.masked_mass == pytest.approx(one.masked_mass, rel=1e-4, abs=1e-6)
        assert (step.rank, step.token) == (one.rank, one.token)
        assert one.processed_logprob is not None
        assert step.prob == pytest.approx(math.exp(one.processed_logprob), rel=1e-4)
    assert steps[-1].finish_reason == plain.finish_reason
    assert steps[-1].fits_grammar is True
    assert all(step.finish_reason is None for step in steps[:-1])


def test_statistics_of_the_mask(llm: LLM) -> None:
    """The oracle: the grammar's own masks. At temperature 1 a probability after the mask is the raw one, scaled."""
    grammar = llm.compile(PARAMS)
    assert grammar is not None
    matcher, bitmask = grammar.matcher(), allocate_bitmask(1, llm.vocabulary.size)
    for step in steps_of(llm, num_top=20):
        matcher.fill_bitmask(bitmask)
        allowed = np.unpackbits(bitmask[0].view(np.uint8), bitorder="little")[: llm.vocabulary.size]
        assert step.num_allowed == allowed.sum()
        assert step.token_id is not None
        for chances in (step.top_raw, step.top):
            assert [one.is_allowed for one in chances] == [bool(allowed[one.token_id]) for one in chances]
            assert [one.prob for one in chances] == sorted([one.prob for one in chances], reverse=True)
        assert len(step.top_raw) == min(20, llm.vocabulary.size)
        if step.kind == "drawn":
            assert step.raw_prob is not None
            assert step.masked_mass is not None
            assert step.prob == pytest.approx(step.raw_prob / (1 - step.masked_mass), rel=1e-3)
        else:
            assert (step.kind, step.prob) == ("forced", pytest.approx(1.0))
        assert all(one.is_allowed for one in step.top)
        assert step.token_id in [one.token_id for one in step.top]
        assert matcher.accept_token(step.token_id)


def test_what_is_expected_and_where(llm: LLM) -> None:
    steps = steps_of(llm)
    assert steps[0].expected is not None
    assert (steps[0].expected.text, steps[0].expected.document) == ("an object, Pair", "")
    text, places = "", {}
    for step in steps:
        assert step.expected is not None
        places[text] = step.expected
        text += step.text
    json.loads(text)
    at_left = next(one for before, one in places.items() if before.endswith('"left":'))
    assert (at_left.text, at_left.schemas) == ('"a" or "bc"', ("/properties/left",))


def test_times(llm: LLM) -> None:
    steps = steps_of(llm)
    assert all(step.times is not None and step.times.forward_s > 0 and step.times.mask_s >= 0 for step in steps)
    assert steps[0].compile_s is not None
    assert {step.compile_s for step in steps[1:]} == {None}


@pytest.mark.parametrize("num_written", [0, 1, 3, 6])
def test_a_prefix_goes_on_as_it_did(llm: LLM, num_written: int) -> None:
    whole = steps_of(llm)
    rest = steps_of(llm, prefix_token_ids=ids(whole[:num_written]))
    assert ids(rest) == ids(whole[num_written:])
    assert [step.index for step in rest] == list(range(num_written, len(whole)))
    assert [step.text for step in rest] == [step.text for step in whole[num_written:]]
    for step, one in zip(rest, whole[num_written:], strict=True):
        assert step.raw_prob == pytest.approx(one.raw_prob, rel=1e-4)
        assert (step.kind, step.expected) == (one.kind, one.expected)


def test_forks(llm: LLM) -> None:
    """Every token that is shown as allowed can stand at the end of a prefix, and what follows fits the grammar."""
    whole = steps_of(llm)
    place, step = next((place, step) for place, step in enumerate(whole) if len(step.top) > 1)
    for one in [one for one in step.top if one.token_id != step.token_id][:3]:
        prefix = [*ids(whole[:place]), one.token_id]
        with stream_steps(llm, PROMPT, PARAMS, prefix_token_ids=prefix) as stream:
            fork = list(stream)
        assert stream.completion is not None
        assert fork[-1].fits_grammar
        assert sorted(json.loads(stream.completion.text)) == ["left", "right"]


def test_single_steps_are_the_whole_answer(llm: LLM) -> None:
    """Stepping one by one never closes the text sooner: the budget is of the whole answer."""
    whole = steps_of(llm)
    written: list[int | None] = []
    for one in whole:
        (step,) = steps_of(llm, prefix_token_ids=written, max_steps=1)
        assert (step.token_id, step.kind) == (one.token_id, one.kind)
        assert step.finish_reason == (one.finish_reason or "pause")
        written.append(step.token_id)


def test_closing_in_budget(llm: LLM) -> None:
    tight = replace(PARAMS, max_new_tokens=llm.compile(PARAMS).min_tokens)  # type: ignore[union-attr]
    steps = steps_of(llm, tight)
    assert "closing" in {step.kind for step in steps}
    assert steps[-1].fits_grammar is True
    assert {step.kind for step in steps_of(llm)} <= {"drawn", "forced"}


def test_without_a_grammar(llm: LLM) -> None:
    steps = steps_of(llm, SamplingParams(temperature=0, max_new_tokens=5, ignore_eos=True))
    assert [step.kind for step in steps] == ["drawn"] * 5
    assert {(step.expected, step.num_allowed, step.masked_mass, step.compile_s) for step in steps} == {(None,) * 4}
    assert steps[-1].finish_reason == "length"


def test_temperature_zero_is_certain(llm: LLM) -> None:  # A3.1
    for params in (replace(PARAMS, temperature=0.0), SamplingParams(temperature=0, max_new_tokens=5, ignore_eos=True)):
        for step in steps_of(llm, params):
            assert step.prob == 1.0
            assert [(one.token_id, one.prob) for one in step.top] == [(step.token_id, 1.0)]
            assert step.top_raw[0].prob < 1.0


def test_stops_and_stop_strings(llm: LLM) -> None:
    plain = llm.generate(PROMPT, replace(PARAMS, stop=['"right"']))
    with stream_steps(llm, PROMPT, replace(PARAMS, stop=['"right"'])) as stream:
        steps = list(stream)
    assert stream.completion is not None
    assert stream.completion.text == plain.text == "".join(step.text for step in steps)
    assert steps[-1].finish_reason == "stop"


def test_it_can_be_left(llm: LLM) -> None:
    with stream_steps(llm, PROMPT, replace(PARAMS, regex="[a-z ]*", json_schema=None, whitespace=None)) as stream:
        next(stream)
    assert list(stream) == []
    assert steps_of(llm)  # the engine goes on


def test_penalties_count_the_prefix(llm: LLM) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=8, ignore_eos=True, frequency_penalty=2.0)
    whole = steps_of(llm, params)
    assert ids(steps_of(llm, params, prefix_token_ids=ids(whole[:4]))) == ids(whole[4:])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prefix_token_ids": [-1]}, "prefix_token_ids has -1; the model's ids are 0"),
        ({"prefix_token_ids": [10**6]}, "prefix_token_ids has 1000000"),
        ({"max_steps": 0}, "max_steps must be at least 1, not 0"),
        ({"num_top": 51}, r"num_top must be in \[0, 50\], not 51"),
        ({"params": replace(PARAMS, n=2)}, "n: steps are told of one output"),
        ({"params": replace(PARAMS, particles=2)}, "particles: steps are told of one output"),
    ],
)
def test_wrong_options(llm: LLM, options: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestFieldError, match=message):
        steps_of(llm, **{"params": PARAMS, **options})


def test_wrong_prefixes(llm: LLM) -> None:
    with pytest.raises(RequestFieldError, match=r"prefix_token_ids\[1\]: the grammar does not allow token"):
        steps_of(llm, prefix_token_ids=[*ids(steps_of(llm)[:1]), *ids(steps_of(llm)[:1])])
    with pytest.raises(RequestFieldError, match="which ends the answer"):
        steps_of(llm, prefix_token_ids=[next(iter(llm.vocabulary.eos_token_ids))])
    with pytest.raises(RequestFieldError, match="has 2 tokens, of an answer of at most 2"):
        steps_of(llm, replace(PARAMS, max_new_tokens=2), prefix_token_ids=ids(steps_of(llm)[:2]))


def test_an_engine_that_can_not_resume(tiny_model_folder: Path) -> None:
    echo = LLM(str(tiny_model_folder), engine="echo")
    with echo, pytest.raises(InvalidInputError, match="the engine 'transformers' alone"):
        stream_steps(echo, PROMPT)


def test_what_fails_midway_is_the_last_step(llm: LLM) -> None:
    step = steps_of(llm, deadline_s=0.0)[-1]
    assert (step.token_id, step.finish_reason) == (None, "error")
    assert isinstance(step.error, GuidedError)
