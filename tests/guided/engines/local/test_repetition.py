"""Outputs that repeat themselves are noticed, and ended where that is asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from guided import SamplingParams
from guided.engines.local.repetition import repeats_itself
from guided.errors import OutputCutError
from guided.requests.request import PromptRequest
from tests.guided.engines.local.conftest import MakeLLM

LOOP = {"type": "array", "items": {"enum": ["the"]}}


WORDS = bytes(range(33, 128))  # a period of 95
DISTINCT = bytes(byte for byte in range(256) if byte not in b" \t\n\r")  # of 252


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"ab" * 192, True),
        (b"ab" * 191, False),  # too short
        (b"x" * 300 + b"ab" * 192, True),
        (WORDS * 8, True),
        (WORDS * 8 + b"!" + WORDS, False),
        (b"!" + WORDS * 7, False),  # seven times
        (DISTINCT * 8, True),
        ((DISTINCT + b"abcde") * 8, False),  # too long a sequence
        (b"0" * 383 + b"1", False),
        (b'"the", "the",\n"the",\t' * 40, True),  # whitespace does not count
        (b"", False),
    ],
)
def test_what_repeats_itself(text: bytes, expected: bool) -> None:
    assert repeats_itself(text) is expected


@pytest.mark.parametrize("jump_forward", [True, False])
def test_a_loop_is_ended_and_told(make_llm: MakeLLM, jump_forward: bool) -> None:
    llm = make_llm(jump_forward=jump_forward)
    ends = [token_id for token_id, token in enumerate(llm.vocabulary.tokens) if token and b"]" in token]
    params = SamplingParams(temperature=0, max_new_tokens=400, json_schema=LOOP, whitespace="compact")
    params = replace(params, logit_bias=dict.fromkeys(ends, -100))
    grammar = llm.compile(params)
    request = PromptRequest([5, 6], params, grammar)
    *_, free = llm.engine.run([request])
    assert (free.finish_reason, free.ended_repetition) == ("stop", False)
    events = list(llm.engine.run([replace(request, ends_repetition=True)]))
    last = events[-1]
    assert len(events) < 300
    assert (last.finish_reason, last.closed_in_budget, last.ended_repetition) == ("stop", True, True)
    assert len(json.loads(llm.vocabulary.join([event.token_id or 0 for event in events]))) > 10


def test_extraction_ends_it_unless_told_otherwise(make_llm: MakeLLM) -> None:
    llm = make_llm()
    ends = [token_id for token_id, token in enumerate(llm.vocabulary.tokens) if token and b"]" in token]
    params = SamplingParams(temperature=0, max_new_tokens=800, logit_bias=dict.fromkeys(ends, -100))
    found: Any = llm.extract_detailed("the text", LOOP, params=params)
    assert isinstance(found.error, OutputCutError)
    assert "repeated itself" in str(found.error)
    assert found.completion.ended_repetition
    assert found.completion.num_tokens < 600
    assert found.value
    whole: Any = llm.extract_detailed("the text", LOOP, params=params, end_repetition=False, allow_cut=True)
    assert (whole.completion.num_tokens > 700, whole.completion.ended_repetition) == (True, False)
