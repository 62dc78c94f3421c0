"""Documents end without being told to: a budget from the schema and the text, and bounds of what is left open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guided import LLM, SamplingParams
from guided.errors import IncompleteOutputError, OutputCutError
from guided.extraction.answer_budget import AnswerBudget
from guided.grammars.errors import InvalidSchemaError
from tests.guided.extraction.test_extract import TEXT


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> Iterator[LLM]:
    loaded = LLM(tiny_model_folder)
    yield loaded
    loaded.shutdown()


OPEN = {"type": "array", "items": {"type": "string"}}
FLAT = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


def test_a_text_of_more_tokens_may_have_a_longer_document() -> None:
    flat, many = AnswerBudget(FLAT, len), AnswerBudget(OPEN, len)
    assert flat.of("x" * 100) - flat.of("x" * 90) < many.of("x" * 100) - many.of("x" * 90)
    assert AnswerBudget({**OPEN, "minItems": 500}, len).of("") > 500 + many.of("")
    assert AnswerBudget({"type": "string", "minLength": 9000}, len).of("") > 9000
    assert AnswerBudget(True, len).of("x") > 0


def test_a_document_has_a_budget_unless_told_otherwise(llm: LLM) -> None:
    extractor = llm.extractor(OPEN)
    most = extractor.params_for(TEXT).max_new_tokens
    assert most is not None
    assert most < llm.engine.max_context_tokens * 100
    assert llm.extractor(OPEN, max_new_tokens=None).params_for(TEXT).max_new_tokens is None
    assert llm.extractor(OPEN, max_new_tokens=7).params_for(TEXT).max_new_tokens == 7
    own = SamplingParams(temperature=0, max_new_tokens=9)
    assert llm.extractor(OPEN, params=own).params_for(TEXT).max_new_tokens == 9
    whole = SamplingParams(temperature=0, max_new_tokens=None)
    assert llm.extractor(OPEN, params=whole).params_for(TEXT).max_new_tokens == most


@pytest.mark.parametrize("text", [TEXT, "Ada is 36"])
def test_numbers_are_bounded_unless_told_otherwise(llm: LLM, text: str) -> None:
    """Before: as many digits as the context took."""
    found: Any = llm.extract_detailed(text, int, params=SamplingParams(temperature=1.5, seed=2, max_new_tokens=60))
    assert abs(found.data) < 10**18
    assert "maximum" in llm.extractor({"type": "integer"}).params.json_schema
    assert "maximum" not in llm.extractor({"type": "integer"}, bounds=None).params.json_schema


def test_a_budget_that_is_used_up_is_told(llm: LLM) -> None:
    with pytest.raises((OutputCutError, IncompleteOutputError)):
        llm.extract(TEXT, {"type": "string", "minLength": 30}, max_new_tokens=20)


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"const": object()}, "/const"),
        ({"enum": {1, 2}}, "/enum"),
        ({"type": 3}, "/type"),
        ({"type": "array", "minItems": "x"}, "/minItems"),
        ({"properties": {1: {"type": "string"}}}, "/properties"),
        ({"type": "number", "minimum": float("nan")}, "/minimum"),
    ],
)
def test_an_invalid_schema_is_an_error_that_names_its_place(llm: LLM, schema: Any, place: str) -> None:
    """Neither bounds nor the budget stumble over it first."""
    with pytest.raises(InvalidSchemaError, match=f"invalid JSON Schema at '{place}'"):
        llm.extract(TEXT, schema)
