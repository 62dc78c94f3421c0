"""Objects whose keys depend on one another: no dead ends, nothing valid rejected, whatever the conditions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from guided.grammars.errors import UnsatisfiableError
from tests.fuzz.objects import PIECES, find
from tests.fuzz.walks import compiled, takes, try_piece, walk

IN_ORDER: list[tuple[dict[str, Any], str]] = [
    (
        {
            "type": "object",
            "properties": {"b": {}, "a": {}, "d": {}},
            "if": {"required": ["d"]},
            "then": {"required": ["b"]},
            "anyOf": [{"required": ["d", "a"]}],
            "additionalProperties": False,
        },
        '{"a":""',
    ),
    (
        {
            "type": "object",
            "properties": {"a": {}, "d": {"const": None}, "c": {}},
            "dependentRequired": {"c": ["d"], "a": ["c"]},
            "unevaluatedProperties": False,
        },
        '{"a":false',
    ),
    (
        {
            "type": "object",
            "required": ["d", "b"],
            "properties": {"c": {"const": None}, "b": {}, "d": True},
            "dependentRequired": {"d": ["c"]},
        },
        '{"b":""',
    ),
    (
        {
            "type": "object",
            "required": ["d"],
            "anyOf": [
                {"required": ["a"], "dependentSchemas": {"c": {"properties": {"c": {}}}}},
                {"required": ["b"]},
            ],
            "properties": {"b": {}, "c": {}, "d": {}},
            "additionalProperties": False,
        },
        '{"c":""',
    ),
    (
        {
            "type": "object",
            "required": ["a"],
            "dependentRequired": {"d": ["c"]},
            "oneOf": [{}, {"properties": {"d": {"not": {}}}}],
            "properties": {"a": {"enum": [False]}, "c": {}, "d": {}},
        },
        '{"c":{}',
    ),
]
"""Schemas of conditions between keys, each with a text after which a key is needed that lies before it in the order."""


@pytest.mark.parametrize("index", range(len(IN_ORDER)))
def test_what_is_begun_can_be_completed(index: int) -> None:
    schema, text = IN_ORDER[index]
    grammar = compiled(schema)
    for seed in range(5):
        matcher = grammar.matcher()
        if try_piece(matcher, text.encode()):
            walk(matcher, PIECES, random.Random(seed))
        assert find(schema, random.Random(seed)) is None


def not_both(number: int) -> dict[str, Any]:
    return {"not": {"properties": {"a": {"const": number}, "b": {"const": number}}}}


PAIRS = [("linux", "x86"), ("linux", "arm"), ("mac", "x86"), ("windows", "arm"), ("windows", "riscv")]
FORBIDDEN_PAIRS = {
    "type": "object",
    "properties": {"os": {"enum": ["linux", "mac", "windows"]}, "arch": {"enum": ["x86", "arm", "riscv"]}},
    "required": ["os", "arch"],
    "allOf": [{"not": {"properties": {"os": {"const": os}, "arch": {"const": arch}}}} for os, arch in PAIRS],
}
ONE_KEY_OF_FIVE = {
    "type": "object",
    "properties": {"m": {"type": "object"}},
    "oneOf": [{"properties": {"m": {"required": [key]}}} for key in "abcde"],
    "required": ["m"],
    "additionalProperties": False,
}
MANY_CONDITIONS: list[tuple[dict[str, Any], list[str], list[str]]] = [
    (
        {"type": "object", "properties": {"a": {}, "b": {}}, "allOf": [not_both(i) for i in range(5)]},
        ['{"a":1,"b":2}', '{"a":7,"b":7}', '{"b":4,"a":3}'],
        ['{"a":1,"b":1}', '{"a":4}', "{}"],
    ),
    (
        FORBIDDEN_PAIRS,
        ['{"os":"linux","arch":"riscv"}', '{"os":"mac","arch":"arm"}', '{"os":"windows","arch":"x86"}'],
        ['{"os":"linux","arch":"x86"}', '{"os":"windows","arch":"arm"}', '{"os":"mac","arch":"x86"}'],
    ),
    (
        ONE_KEY_OF_FIVE,
        ['{"m":{"a":1}}', '{"m":{"e":1,"x":2}}'],
        ['{"m":{"a":1,"b":2}}', '{"m":{}}', '{"m":{"x":2}}'],
    ),
    (
        {
            "type": "object",
            "properties": {"a": {"type": "object"}, "b": {"type": "object"}},
            "required": ["a", "b"],
            "allOf": [
                {"not": {"properties": {"a": {"required": [key]}, "b": {"required": [key]}}}} for key in "pqrstz"
            ],
        },
        ['{"a":{"p":1,"q":1},"b":{"r":1}}', '{"a":{},"b":{}}'],
        ['{"a":{"p":1},"b":{"p":1}}', '{"a":{"z":1,"q":1},"b":{"r":1,"z":1}}'],
    ),
]
"""More than four conditions on one member: (schema, valid documents, others)."""


@pytest.mark.parametrize("property_order", ["schema", "any"])
@pytest.mark.parametrize("index", range(len(MANY_CONDITIONS)))
def test_many_conditions_on_one_member(index: int, property_order: str) -> None:
    schema, valid, invalid = MANY_CONDITIONS[index]
    matcher = compiled(schema, property_order).matcher()
    for text in valid:
        assert takes(matcher, text.encode()) or property_order == "schema", text
    assert any(takes(matcher, text.encode()) for text in valid)
    for text in invalid:
        assert not takes(matcher, text.encode()), text
    for seed in range(4):
        matcher.reset()
        walk(matcher, PIECES, random.Random(seed))


UNSATISFIABLE: list[dict[str, Any]] = [
    {"type": "object", "required": ["a"], "properties": {"a": False}},
    {"type": "object", "required": ["a", "b"], "maxProperties": 1},
    {"type": "object", "minProperties": 3, "properties": {"a": {}, "b": {}}, "additionalProperties": False},
    {"type": "object", "minProperties": 2, "propertyNames": {"enum": ["a", "b"]}, "not": {"required": ["a"]}},
    {"type": "object", "required": ["a"], "dependentRequired": {"a": ["b"]}, "not": {"required": ["b"]}},
    {"type": "object", "required": ["m"], "properties": {"m": {"maxProperties": 0}}, "allOf": [ONE_KEY_OF_FIVE]},
    {
        **FORBIDDEN_PAIRS,
        "properties": {"os": {"enum": ["linux", "mac", "windows"]}, "arch": {"enum": ["x86"]}},
        "allOf": [{"not": {"properties": {"os": {"const": os}}}} for os in ("linux", "mac", "windows")],
    },
]


@pytest.mark.parametrize("schema", UNSATISFIABLE, ids=range(len(UNSATISFIABLE)))
def test_what_nothing_satisfies_is_an_error(schema: dict[str, Any]) -> None:
    for property_order in ("schema", "any"):
        with pytest.raises(UnsatisfiableError):
            compiled(schema, property_order)
