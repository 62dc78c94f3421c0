"""What the whole of a long text must have is asked of none of its pieces; all else is."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import jsonschema
import pytest
from pydantic import BaseModel, Field

from guided.documents.pieces import Cut
from guided.extraction.piece_schema import for_pieces
from guided.llm import LLM
from guided.schemas.python_types import to_json_schema

NAMES = {"type": "array", "items": {"type": "string"}, "minItems": 2}
OBJECT = {"type": "object", "required": ["names"], "additionalProperties": False}


class Line(BaseModel):
    """A line with two parts at the least."""

    parts: list[int] = Field(min_length=2)


class Bill(BaseModel):
    """Three lines at the least."""

    lines: list[Line] = Field(min_length=3)
    notes: dict[str, str] = Field(min_length=1)


def is_valid(schema: Any, document: Any) -> bool:
    return bool(jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)(schema).is_valid(document))


@pytest.mark.parametrize(
    "schema",
    [
        NAMES,
        {"anyOf": [NAMES, {"type": "null"}]},
        {"allOf": [{"$ref": "#/$defs/n"}], "$defs": {"n": NAMES}},
        {"$ref": "#/$defs/n", "$defs": {"n": NAMES}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/n", "definitions": {"n": NAMES}},
        {"type": "array", "items": {"type": "string"}, "contains": {"const": "x"}, "minContains": 3},
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "array",
            "items": {"type": "string"},
            "contains": {"const": "x"},
        },
    ],
)
@pytest.mark.parametrize("is_inside", [False, True])
def test_a_list_may_be_empty_in_a_piece(schema: dict[str, Any], is_inside: bool) -> None:
    if is_inside:
        definitions = {key: schema[key] for key in ("$defs", "definitions", "$schema") if key in schema}
        schema = {**OBJECT, "properties": {"names": schema}, **definitions}
    before = copy.deepcopy(schema)
    piece = for_pieces(schema)
    documents: list[Any] = [[], ["a"], ["a", "b"], ["x", "x", "x"], [1], None, "a", {}]
    documents = [{"names": one} for one in documents] if is_inside else documents
    assert is_valid(piece, documents[0])
    assert not is_valid(schema, documents[0])
    assert all(is_valid(piece, one) for one in documents if is_valid(schema, one))
    assert not is_valid(piece, documents[4])
    assert schema == before


def test_items_unions_and_tuples_stay_whole() -> None:
    bill = for_pieces(to_json_schema(Bill))
    assert is_valid(bill, {"lines": [], "notes": {}})
    assert not is_valid(bill, {"lines": [{"parts": [1]}], "notes": {}})
    pair = {"type": "array", "prefixItems": [{}, {}], "minItems": 2}
    first = {**OBJECT, "properties": {"names": NAMES}}
    union = {"anyOf": [first, {"type": "object", "properties": {"other": NAMES}, "required": ["other"]}]}
    one_of = {"oneOf": [NAMES, {"type": "array", "items": {"type": "string"}, "maxItems": 1}]}
    for schema in (pair, union, one_of):
        assert for_pieces(schema) == schema


def test_a_recursive_type_ends() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#"}, "names": NAMES}, "minProperties": 1}
    piece = for_pieces(node)
    assert is_valid(piece, {})
    assert is_valid(piece, {"next": {"names": []}})


def test_no_piece_invents_what_the_whole_must_have(tiny_model_folder: Any) -> None:
    """A model that writes as little as it may: each piece had to have three names."""
    text = "\n\n".join(f"{name} lives in Oslo, and has for years." for name in ("Ada", "Bo", "Cy", "Di", "Eva", "Fia"))
    schema = {**OBJECT, "properties": {"names": {**NAMES, "minItems": 40, "items": {"type": "string", "maxLength": 4}}}}
    with LLM(str(tiny_model_folder)) as llm:
        seen = []
        for max_tokens, overlap in itertools.product([60], [0]):
            found = llm.extract_document(text, schema, cut=Cut(max_tokens=max_tokens, overlap_tokens=overlap))
            seen.append((found.num_pieces, len(found.data["names"]), type(found.error).__name__))
    for num_pieces, num_names, error in seen:
        assert num_pieces > 2
        assert num_names < 40 * num_pieces
        assert (num_names >= 40) == (error == "NoneType")
