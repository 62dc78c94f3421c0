"""What a compiled schema leaves for the garbage collector to look at: its full rounds stop every thread."""

from __future__ import annotations

import gc
import statistics
from typing import Any

import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from tests.grammars.vocabularies import byte_vocabulary

MOST_AFTER_COMPILING = 60
MOST_AFTER_A_MASK = 100
MOST_IN_CIRCLES = 20
TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}
PERSON = {"type": "object", "properties": {"name": TEXT, "age": COUNT}, "required": ["name"]}
SCHEMAS: list[dict[str, Any]] = [
    PERSON,
    {**PERSON, "additionalProperties": False},
    {"type": "object", "properties": {f"key{i}": (TEXT, COUNT)[i % 2] for i in range(20)}},
    {"type": "array", "items": PERSON, "minItems": 1, "maxItems": 9},
    {"$ref": "#/$defs/p", "$defs": {"p": PERSON}},
    {"type": "object", "properties": {"kind": {"enum": ["a", "b", "c"]}, "tags": {"type": "array", "items": TEXT}}},
    {
        "type": "object",
        "properties": {"at": {"type": "string", "format": "date-time"}, "id": {"pattern": "^[a-z]{3}$"}},
    },
    {"type": "object", "properties": {"value": {"anyOf": [TEXT, COUNT, {"type": "null"}]}}, "required": ["value"]},
    {"type": "object", "properties": {"next": {"$ref": "#"}, "n": {"type": "number"}}},
]


def test_a_schema_leaves_few_objects_that_are_tracked() -> None:
    vocabulary = byte_vocabulary()
    mask = allocate_bitmask(1, vocabulary.size)
    after_compiling, after_mask = [], []
    for schema in SCHEMAS:
        compile_grammar(vocabulary, json_schema=schema, cache=None).matcher().fill_bitmask(mask)  # what is made once
        before = _num_tracked()
        grammar = compile_grammar(vocabulary, json_schema=schema, cache=None)
        after_compiling.append(_num_tracked() - before)
        matcher = grammar.matcher()
        matcher.fill_bitmask(mask)
        after_mask.append(_num_tracked() - before)
        del grammar, matcher
    assert statistics.median(after_compiling) < MOST_AFTER_COMPILING, after_compiling
    assert statistics.median(after_mask) < MOST_AFTER_A_MASK, after_mask


def _num_tracked() -> int:
    gc.collect()
    return len(gc.get_objects())


LIST_OF_RECORDS = {"type": "array", "items": {"anyOf": [TEXT, {"pattern": "^[ab]+$"}, {"not": PERSON}]}}


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "array", "items": PERSON}, b'[{"name":"ab","age":10},{"name":"c"}]'),
        (
            {"type": "object", "additionalProperties": COUNT, "properties": {"a": PERSON}},
            b'{"b":1,"cd":2,"a":{"name":"e"}}',
        ),
        (LIST_OF_RECORDS, b'["bc",{"name":1},[]]'),
        ({"type": "array", "items": {"enum": ["ab", "c", 1]}, "uniqueItems": True}, b'["c","ab"]'),
        ({"allOf": [{"anyOf": [PERSON, {"required": ["b"]}]}, {"minProperties": 1}]}, b'{"b":2,"name":"x"}'),
    ],
)
def test_nothing_of_a_grammar_waits_for_the_collector(schema: dict[str, Any], text: bytes) -> None:
    """What refers to itself in circles is let go of with the last matcher."""
    vocabulary = byte_vocabulary()
    mask = allocate_bitmask(1, vocabulary.size)

    def write() -> None:
        matcher = compile_grammar(vocabulary, json_schema=schema, cache=None).matcher()
        for byte in text:
            matcher.fill_bitmask(mask)
            assert matcher.accept_token(byte)

    write()  # what is made once
    gc.collect()
    gc.disable()
    try:
        write()
        num_waiting = gc.collect()
    finally:
        gc.enable()
    assert num_waiting < MOST_IN_CIRCLES
