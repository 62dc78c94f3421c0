"""Shortest completions of arrays whose items must differ, where items are objects and arrays."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.json_schema.objects import SettledMember
from guided.grammars.machine.tables import DocumentTables
from guided.grammars.protocol import Matcher
from tests.fuzz.walks import VOCABULARY, compiled, try_piece

ARRAYS = {"type": "array", "contains": {"type": "array"}, "minContains": 2, "uniqueItems": True}
OBJECTS = {"type": "array", "contains": {"type": "object"}, "minContains": 3, "uniqueItems": True}
FEW_ARRAYS = {"items": {"type": "array", "maxItems": 1, "items": {"type": "boolean"}}, "minItems": 3}
PAIR = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}
FEW_PAIRS = {**PAIR, "properties": {"a": {"enum": [0, 1]}, "b": {"type": "boolean"}}}
BEGIN_ALIKE = {"type": "array", "prefixItems": [{"const": {}}, True], "minItems": 1}
SAME_MEMBER = {"type": "object", "properties": {"o": {"const": {"b": [1], "a": 2}}}, "required": ["o"]}
NAMED = {"type": "object", "propertyNames": {"enum": ["x", "y"]}, "additionalProperties": {"const": 1}}


def unique(**keywords: Any) -> dict[str, Any]:
    """A schema of an array whose items must differ."""
    return {"type": "array", "uniqueItems": True, **keywords}


def behind(schema: Any, text: bytes) -> Matcher:
    """A matcher that has read the text."""
    matcher = compiled(schema).matcher()
    assert try_piece(matcher, text)
    return matcher


@pytest.mark.parametrize(
    ("schema", "text", "length"),
    [
        (ARRAYS, b"[[]", 6),
        (ARRAYS, b"[[],[", 3),
        (ARRAYS, b"[[],[1],[1", 5),
        (ARRAYS, b"[[],1,2,3,4,5", 6),
        (OBJECTS, b'[{"a":1},1,2,3', 11),
        (unique(**FEW_ARRAYS), b"[", 18),
        (unique(**FEW_ARRAYS), b"[[true],", 11),
        (unique(items=PAIR, minItems=3), b"[{", 54),
        (unique(items=PAIR, minItems=3), b'[{"a":1,"b":true},{"a":1,', 29),
        (unique(items=PAIR, minItems=3), b'[{"a":1,"b":true},{"a":1,"b":false},{"a":1', 12),
        (unique(items=PAIR, minItems=3), b'[{"a":0,"b":true},{"a":0,"b":false},{"a"', 13),
        (unique(items=FEW_PAIRS, minItems=4), b"[", 72),
        (unique(items=FEW_PAIRS, minItems=3), b'[{"a":0,"b":true},{"a":1,"b":false},{"a":0,"b":', 7),
        (unique(items=unique(items=FEW_PAIRS, minItems=2), minItems=2), b"[", 78),
        (unique(items=NAMED, minItems=4), b"[", 34),
        (unique(contains=BEGIN_ALIKE, minContains=2), b"[[]", 14),
        (unique(items=SAME_MEMBER, minItems=2), b'[{"o":{"b":[1],"a":2}}', 31),
    ],
)
def test_arrays_of_different_containers_are_completed(schema: Any, text: bytes, length: int) -> None:
    completion = bytes(behind(schema, text).find_shortest_completion())
    assert len(completion) <= length
    jsonschema.validate(json.loads(text + completion), schema)


def test_an_array_does_not_hide_what_another_text_before_it_allows() -> None:
    """What is known of the end after one text, where an item repeats another, must not be taken for all texts."""
    matcher = compiled(unique(items=PAIR, minItems=3)).matcher()
    for text in (
        b'[{"a":1,"b":true},{"a":1,"b":true',
        b'[{"a":1,"b":true},{"a":1,"b":fals',
        b'[{"a":2,"b":true},{"a":1,"b":fals',
    ):
        matcher.reset()
        if try_piece(matcher, text):
            completion = bytes(matcher.find_shortest_completion())
            jsonschema.validate(json.loads(text + completion), unique(items=PAIR, minItems=3))


@pytest.mark.parametrize("text", [b"[0,1,2,3,4,5,6,7,8,9", b'["a",10,11,12,13,14,15,16,17,18,19,110,111'])
def test_items_that_do_not_help_are_left_out(text: bytes) -> None:
    """Without that the search tries every set of small items before the needed ones."""
    completion = bytes(behind(unique(contains={"type": "object"}, minContains=3), text).find_shortest_completion())
    assert json.loads(text + completion)[-3:][0] == {}


def test_required_keys_in_any_order_are_not_tried_in_every_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes first of the keys that must come, and may all come later, decides nothing: 2^12 sets of them."""
    num_members = 0
    on_return = SettledMember.on_return

    def counted(self: SettledMember, cls: int) -> Any:
        nonlocal num_members
        num_members += 1
        return on_return(self, cls)

    monkeypatch.setattr(SettledMember, "on_return", counted)
    keys = [f"k{i}" for i in range(12)]
    item = {"type": "object", "required": keys, "properties": {key: {"type": "string"} for key in keys}}
    grammar = compile_grammar(VOCABULARY, json_schema=unique(items=item, minItems=2), property_order="any", cache=None)
    found = json.loads(bytes(grammar.matcher().find_shortest_completion()))
    assert [set(one) for one in found] == [set(keys), set(keys)]
    assert sum(len(value) for one in found for value in one.values()) == 1
    assert num_members < 1000


def test_states_along_an_excluded_item_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Near the end of a budget each token that may come is tried out; its completion is no reason to look again whether
    there is one, and the bytes that may come in a state are found once."""
    num_steps = 0
    step = DocumentTables.step

    def counted(*arguments: Any) -> Any:
        nonlocal num_steps
        num_steps += 1
        return step(*arguments)

    monkeypatch.setattr(DocumentTables, "step", counted)
    item = {"type": "object", "properties": {"a key": {"type": "integer", "minimum": 2673}}, "required": ["a key"]}
    schema = unique(items={**item, "additionalProperties": False}, minItems=3)
    matcher = behind(schema, b'[{"a key":2673},{"a key":2674},{"a key":26')
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    matcher.fill_bitmask(bitmask)
    assert matcher.restrict_to_budget(bitmask, 0, len(b"75}]"))
    assert num_steps < 15_000
