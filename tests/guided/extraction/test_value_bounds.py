"""Bounds of values that a schema leaves open."""

from __future__ import annotations

from typing import Any

import pytest

from guided.compile import compile_grammar
from guided.extraction.value_bounds import ValueBounds, bounded
from guided.grammars.errors import InvalidInputError
from tests.grammars.vocabularies import byte_vocabulary, matches

BOUNDS = ValueBounds(max_characters=3, max_digits=2, max_items=2)
STRING, INTEGER = {"type": "string"}, {"type": "integer"}


@pytest.mark.parametrize(
    ("schema", "inside", "outside"),
    [
        (STRING, '"abc"', '"abcd"'),
        (INTEGER, "-99", "100"),
        ({"type": "array", "items": INTEGER}, "[1,99]", "[1,2,3]"),
        ({"type": "object", "additionalProperties": INTEGER}, '{"a":99}', '{"a":100}'),
        ({"properties": {"a": {"anyOf": [STRING, {"type": "null"}]}}}, '{"a":"abc"}', '{"a":"abcd"}'),
        ({"$ref": "#/$defs/s", "$defs": {"s": STRING}}, '"abc"', '"abcd"'),
    ],
)
def test_what_is_open_gets_bounds(schema: Any, inside: str, outside: str) -> None:
    matcher = compile_grammar(byte_vocabulary(), json_schema=bounded(schema, BOUNDS)).matcher()
    assert matches(matcher, inside)
    matcher.reset()
    assert not matches(matcher, outside)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "maxLength": 9},
        {"type": "string", "pattern": "^a*$"},
        {"enum": ["abcdef", 1000]},
        {"type": "integer", "minimum": 500, "maximum": 600},
        {"oneOf": [STRING, {"type": "string", "minLength": 9}]},
        {"not": STRING},
        {"not": {"$ref": "#/properties/a"}, "properties": {"a": STRING}},
    ],
)
def test_what_is_bounded_or_can_not_be_narrowed_stays(schema: Any) -> None:
    assert bounded(schema, BOUNDS) == schema


def test_bounds_are_positive() -> None:
    with pytest.raises(InvalidInputError, match="max_digits"):
        ValueBounds(max_digits=0)
    with pytest.raises(InvalidInputError, match="max_items"):
        ValueBounds(max_items=True)


def test_a_part_that_stands_twice_is_bounded_where_it_may_be() -> None:
    schema = {"properties": {"a": STRING}, "not": STRING}
    assert bounded(schema, BOUNDS) == {"properties": {"a": STRING | {"maxLength": 3}}, "not": STRING}


@pytest.mark.parametrize("name", ["contains", "then", "if", "not", "else", "oneOf"])
def test_the_name_of_a_property_is_no_keyword(name: str) -> None:
    schema = {"$defs": {"s": STRING}, "properties": {name: {"$ref": "#/$defs/s"}}}
    assert bounded(schema, BOUNDS)["$defs"] == {"s": STRING | {"maxLength": 3}}  # type: ignore[index]


@pytest.mark.parametrize("keyword", ["not", "if", "contains", "oneOf"])
def test_where_a_part_refers_to_from_an_unsafe_keyword_nothing_is_bounded(keyword: str) -> None:
    reference = {"$ref": "#/$defs/s"}
    unsafe = {keyword: [reference, STRING] if keyword == "oneOf" else reference}
    schema = {"$defs": {"s": STRING}, "properties": {"a": reference, "b": STRING, "c": unsafe}}
    found: Any = bounded(schema, BOUNDS)
    assert found["$defs"] == {"s": STRING}
    assert found["properties"] == {"a": reference, "b": STRING | {"maxLength": 3}, "c": unsafe}


def test_what_references_lead_to_outside_of_keywords_is_bounded() -> None:
    schema = {"$ref": "#/components/P", "components": {"P": {"properties": {"a": STRING}}}}
    assert bounded(schema, BOUNDS)["components"] == {"P": {"properties": {"a": STRING | {"maxLength": 3}}}}  # type: ignore[index]
    assert bounded(schema | {"not": {"$ref": "#/components/P"}}, BOUNDS) == schema | {"not": {"$ref": "#/components/P"}}
