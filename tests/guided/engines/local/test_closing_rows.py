"""Answers that close within their budget, through the engine: greedy, drawn, jumping or not, after thinking too."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from guided import LLM, SamplingParams
from guided.engines.local.transformers import TransformersEngine
from guided.requests.request import PromptRequest
from tests.guided.engines.local.conftest import MakeLLM
from tests.guided.processors.thinking_model import END_THINK, THINK, plain_model, thinking_vocabulary

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"the": {"type": "string"}, "and": {"type": "array", "items": {"type": "integer"}}},
    "required": ["the", "and"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("jump_forward", [True, False])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_every_budget_from_the_shortest_document_on(make_llm: MakeLLM, jump_forward: bool, temperature: float) -> None:
    llm = make_llm(jump_forward=jump_forward)
    asked = SamplingParams(json_schema=SCHEMA, whitespace="compact")
    grammar = llm.compile(asked)
    assert grammar is not None
    budgets = range(grammar.min_tokens, grammar.min_tokens + 16)
    params = [
        SamplingParams(
            temperature=temperature, seed=budget, max_new_tokens=budget, json_schema=SCHEMA, whitespace="compact"
        )
        for budget in budgets
    ]
    for budget, completion in zip(budgets, llm.generate(["a"] * len(params), params), strict=True):
        jsonschema.validate(json.loads(completion.text), SCHEMA)
        assert len(completion.token_ids) <= budget
        assert completion.finish_reason == ("length" if completion.closed_in_budget else "stop")
        assert completion.is_complete
        assert completion.error is None


BOUNDED: dict[str, Any] = {
    "type": "object",
    "properties": {"the": {"type": "string", "maxLength": 12}, "and": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["the", "and"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("jump_forward", [True, False])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_cut_is_what_would_have_gone_on_otherwise(make_llm: MakeLLM, jump_forward: bool, temperature: float) -> None:
    """Against the same request with room: the budget has cut a text exactly where the two part."""
    llm = make_llm(jump_forward=jump_forward)
    asked = SamplingParams(temperature=temperature, json_schema=BOUNDED, whitespace="compact", max_new_tokens=100)
    grammar = llm.compile(asked)
    assert grammar is not None
    num_cut = num_whole = 0
    for seed in range(6 if temperature else 1):
        ample = llm.generate("the", replace(asked, seed=seed))
        assert (ample.finish_reason, ample.closed_in_budget) == ("stop", False)
        budgets = range(grammar.min_tokens, len(ample.token_ids) + 4)
        params = [replace(asked, seed=seed, max_new_tokens=budget) for budget in budgets]
        for budget, got in zip(budgets, llm.generate(["the"] * len(params), params), strict=True):
            is_cut = got.token_ids != ample.token_ids[: len(got.token_ids)]
            assert is_cut or got.text == ample.text
            assert (got.closed_in_budget, got.finish_reason) == (is_cut, "length" if is_cut else "stop"), budget
            jsonschema.validate(json.loads(got.text), BOUNDED)
            num_cut, num_whole = num_cut + is_cut, num_whole + (not is_cut)
    assert num_cut > 2
    assert num_whole > 2


def test_rows_of_one_batch_are_cut_each_by_its_own_budget(make_llm: MakeLLM) -> None:
    llm = make_llm()
    asked = SamplingParams(temperature=1, json_schema=BOUNDED, whitespace="compact")
    params = [replace(asked, seed=seed, max_new_tokens=12 + seed) for seed in range(16)]
    together = llm.generate(["the"] * 16, params)
    alone = [llm.generate("the", one) for one in params]
    assert [(one.text, one.closed_in_budget) for one in together] == [(one.text, one.closed_in_budget) for one in alone]


def test_jump_forward_changes_nothing_near_the_end(make_llm: MakeLLM) -> None:
    params = [
        SamplingParams(
            temperature=1, seed=seed, max_new_tokens=12 + seed % 12, json_schema=SCHEMA, whitespace="compact"
        )
        for seed in range(24)
    ]
    one, other = (make_llm(jump_forward=jumps).generate(["a"] * 24, params) for jumps in (True, False))
    assert [(got.token_ids, got.finish_reason) for got in one] == [(got.token_ids, got.finish_reason) for got in other]


def test_what_was_closed_is_complete_and_says_so(make_llm: MakeLLM) -> None:
    llm = make_llm()
    ample = llm.generate("a", SamplingParams(temperature=0, max_new_tokens=60, regex="the (and ?){1,4}end"))
    assert (ample.finish_reason, ample.is_complete, ample.closed_in_budget) == ("stop", True, False)
    assert ample.text.endswith("end")
    bias = {llm.tokenizer.encode("]")[0]: -100}
    schema = {"type": "array", "items": {"enum": ["the", "in"]}, "minItems": 1, "maxItems": 200}
    params = SamplingParams(temperature=1, seed=0, max_new_tokens=20, json_schema=schema, logit_bias=bias)
    closed = llm.generate("a", params)
    assert json.loads(closed.text)
    assert (closed.finish_reason, closed.is_complete, closed.closed_in_budget) == ("length", True, True)
    cut = llm.generate("a", replace(params, max_new_tokens=1))
    assert (cut.finish_reason, cut.is_complete, cut.closed_in_budget) == ("length", False, False)


def test_a_text_that_may_go_on_but_need_not(make_llm: MakeLLM) -> None:
    """The budget ends it, so finish_reason is "length"; it is a text of its grammar all the same."""
    llm = make_llm()
    bias = dict.fromkeys(llm.vocabulary.eos_token_ids, -100)
    params = SamplingParams(temperature=1, seed=1, max_new_tokens=5, regex="[a-z ]+", logit_bias=bias)
    endless = llm.generate("a", params)
    assert (endless.finish_reason, endless.is_complete) == ("length", True)
    exact = llm.generate("a", SamplingParams(temperature=1, seed=1, max_new_tokens=4, regex="[0-9]{4}"))
    assert (exact.finish_reason, exact.is_complete, len(exact.text)) == ("stop", True, 4)
    free = llm.generate("a", SamplingParams(temperature=1, seed=1, max_new_tokens=4, ignore_eos=True))
    assert (free.finish_reason, free.is_complete, free.fits_grammar) == ("length", False, None)


def test_less_than_the_shortest_document_is_cut_off(make_llm: MakeLLM) -> None:
    completion = make_llm().generate("a", SamplingParams(temperature=0, max_new_tokens=3, json_schema=SCHEMA))
    assert (len(completion.token_ids), completion.finish_reason, completion.error) == (3, "length", None)


def test_thinking_ends_in_time_for_the_answer(tiny_model_folder: Path) -> None:
    loaded = LLM(tiny_model_folder)
    vocabulary = thinking_vocabulary(loaded.vocabulary)
    engine = TransformersEngine(
        plain_model(tiny_model_folder),
        vocabulary,
        model_name="thinks",
        tokenizer=loaded.tokenizer,
    )
    from guided.grammars.compile import compile_grammar

    grammar = compile_grammar(vocabulary, json_schema=SCHEMA, whitespace="compact")
    for budget in range(grammar.min_tokens + 1, grammar.min_tokens + 12):
        params = SamplingParams(temperature=1, seed=budget, max_new_tokens=budget)
        events = list(engine.run([PromptRequest([70, THINK], params, grammar)]))
        token_ids = [event.token_id or 0 for event in events]
        text = vocabulary.join(token_ids[token_ids.index(END_THINK) + 1 :])
        jsonschema.validate(json.loads(text), SCHEMA)
        assert len(events) <= budget
    engine.shutdown()
    loaded.shutdown()
