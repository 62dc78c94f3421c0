"""The search for the shortest rest of a container: how many configurations it looks at, and that its ways hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError
from guided.grammars.json_schema.objects import ObjectFrame
from guided.grammars.limits import Limits
from guided.grammars.machine.frames import KeySpec
from guided.grammars.protocol import Matcher
from tests.fuzz.walks import VOCABULARY, compiled, takes, try_piece

LONG = {"const": "a long value"}


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[ObjectFrame]:
    """The objects at which somebody has looked for the keys that may come."""
    found: list[ObjectFrame] = []
    key_spec = ObjectFrame.key_spec

    def noted(self: ObjectFrame) -> KeySpec | None:
        found.append(self)
        return key_spec(self)

    monkeypatch.setattr(ObjectFrame, "key_spec", noted)
    return found


def either_of_pairs(number: int) -> dict[str, Any]:
    return {"allOf": [{"anyOf": [{"required": [f"k{i}"]}, {"required": [f"l{i}"]}]} for i in range(number)]}


def some_item_has(number: int) -> dict[str, Any]:
    conditions = [{"contains": {"required": [f"k{i}"]}} for i in range(number)]
    return {"type": "array", "maxItems": 3, "items": {"type": "object"}, "allOf": conditions}


def completion(schema: Any) -> tuple[Matcher, bytes]:
    matcher = compiled(schema).matcher()
    text = bytes(matcher.find_shortest_completion())
    assert takes(matcher, text)
    matcher.reset()
    return matcher, text


def test_what_the_missing_values_take_leads_the_search(looked_at: list[ObjectFrame]) -> None:
    """Else every set of keys that takes less than the long value would be tried."""
    _, text = completion({"type": "object", "required": ["a"], "properties": {"a": LONG}, **either_of_pairs(3)})
    assert len(text) == len('{"a":"a long value","k0":1,"k1":1,"k2":1}')
    assert len(looked_at) < 20


def test_members_that_change_nothing_are_left_out(looked_at: list[ObjectFrame]) -> None:
    """Here no key is known to help, and the shortest way is one long member."""
    patterns = {"^x": {"type": "null"}, "y$": {"minimum": 1}, "z": {"maxLength": 1}}
    either = [{"required": ["a"]}, {"not": {"propertyNames": {"maxLength": 30}}}]
    _, text = completion({"type": "object", "properties": {"a": LONG}, "patternProperties": patterns, "anyOf": either})
    assert text == b'{"a":"a long value"}'
    assert len(looked_at) < 20


def test_the_order_of_keys_that_must_come_is_not_searched(looked_at: list[ObjectFrame]) -> None:
    """With alternatives, too: else every set of ten keys in any order would be tried."""
    keys = [f"k{i}" for i in range(10)]
    properties = {key: {"enum": ["a", "bb"]} for key in keys}
    either = [{"properties": {"k1": {"const": "bb"}}}, {"required": ["z"]}]
    schema = {"type": "object", "required": keys, "properties": properties, "anyOf": either}
    matcher = compile_grammar(VOCABULARY, json_schema=schema, property_order="any", cache=None).matcher()
    found = bytes(matcher.find_shortest_completion())
    assert len(found) == len("{}") + 10 * len('"k0":"a",')
    assert takes(matcher, found)
    assert len(looked_at) < 20


def test_keys_of_which_one_must_come_are_looked_at_together(looked_at: list[ObjectFrame]) -> None:
    """One pair after the other: which of the pairs comes first decides nothing."""
    completion({"type": "object", **either_of_pairs(12)})
    assert len(looked_at) < 20


def test_what_comes_after_a_long_value_is_not_looked_for(looked_at: list[ObjectFrame]) -> None:
    """Where another value, with all that follows, is shorter."""
    either = [{"properties": {"v": {"const": "x"}}}, {"properties": {"v": LONG}, "anyOf": either_of_pairs(2)["allOf"]}]
    schema = {"type": "object", "required": ["v"], "oneOf": either}
    matcher = compiled(schema).matcher()
    assert try_piece(matcher, b'{"v":')
    looked_at.clear()
    assert bytes(matcher.find_shortest_completion()) == b'"x"}'
    assert not looked_at


@pytest.mark.parametrize("schema", [{"type": "object", **either_of_pairs(12)}, some_item_has(12)])
def test_many_independent_conditions(schema: Any) -> None:
    """The sets of those that hold are not looked at one by one: their number is exponential."""
    _, text = completion(schema)
    assert all(f'"k{i}":'.encode() in text or f'"l{i}":'.encode() in text for i in range(12))


def test_a_way_gets_no_longer_while_it_is_written() -> None:
    """Where the search was greedy, another one from a later configuration must not end farther away."""
    matcher, text = completion(some_item_has(7))
    left = len(text)
    for byte in text:
        assert matcher.accept_token(byte)
        left -= 1
        assert len(bytes(matcher.find_shortest_completion())) <= left


def test_members_that_are_too_many_to_be_listed() -> None:
    """Only their number counts for the bound that leads the search; a list of them would take all memory."""
    many = {"type": "object", "minProperties": 10**18}
    for schema in (many, many | {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}):
        limits = Limits(max_mask_seconds=0.3)
        matcher = compile_grammar(VOCABULARY, json_schema=schema, limits=limits, cache=None).matcher()
        assert all(matcher.accept_token(byte) for byte in b'{"x":1')
        with pytest.raises(LimitExceededError, match="max_mask_seconds"):
            matcher.find_shortest_completion()


C_IS_DEEPER = {
    "properties": {"c": {"$ref": "#"}, "a": {"const": 1}},
    "minProperties": 1,
    "unevaluatedProperties": False,
}
THEN_NO_X = {"properties": {"x": {"const": 1}}}


@pytest.mark.parametrize("order", ["schema", "any"])
@pytest.mark.parametrize(
    "schema",
    [
        {**C_IS_DEEPER, "dependentSchemas": {"c": THEN_NO_X}},
        {**C_IS_DEEPER, "if": {"required": ["c"]}, "then": THEN_NO_X},
        {**C_IS_DEEPER, "anyOf": [{"required": ["a"]}, {"maxProperties": 3}]},
        {**C_IS_DEEPER, "required": ["a"], "properties": {**C_IS_DEEPER["properties"], "d": {"$ref": "#"}}},
        {"properties": {"c": {"$ref": "#"}}, "minProperties": 2},
    ],
)
def test_keys_that_only_count_may_be_the_only_way(schema: Any, order: str) -> None:
    """The keys that conditions speak of need not lead to an end, nor those whose values are such objects again."""
    grammar = compile_grammar(VOCABULARY, json_schema={"type": "object", **schema}, property_order=order, cache=None)
    text = bytes(grammar.matcher().find_shortest_completion())
    assert takes(grammar.matcher(), text)
    assert "a" not in schema["properties"] or text == b'{"a":1}'


@pytest.mark.parametrize("more", [{}, {"anyOf": [{"required": ["k3"]}, {"properties": {"k3": {"const": 1}}}]}])
def test_which_keys_are_counted_is_not_searched(more: Any, looked_at: list[ObjectFrame]) -> None:
    """Of keys that only count the cheapest come: else every set of them would be tried."""
    properties = {f"k{i}": {"type": "integer", "minimum": 10**9 if i % 2 else 0} for i in range(40)}
    schema = {"type": "object", "properties": properties, "minProperties": 20, "additionalProperties": False, **more}
    matcher = compile_grammar(VOCABULARY, json_schema=schema, property_order="any", cache=None).matcher()
    text = bytes(matcher.find_shortest_completion())
    assert takes(matcher, text)
    assert [key for key in json.loads(text) if int(key[1:]) % 2] == []
    assert len(looked_at) < 100
