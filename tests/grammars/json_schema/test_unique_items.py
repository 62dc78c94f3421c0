"""`uniqueItems` as an assertion that may come true or false: nothing leads to a dead end, nothing valid is refused."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import jsonschema
import pytest

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnsatisfiableError
from guided.grammars.json_schema.array_state import ArrayState
from guided.grammars.vocabulary import Vocabulary
from tests.fuzz import arrays
from tests.fuzz.masks import is_taken
from tests.fuzz.walks import allowed, compiled, takes

X = {"const": "x"}
NOT_UNIQUE = {"not": {"uniqueItems": True}}
DEAD_ENDS: list[dict[str, Any]] = [
    {"maxItems": 2, "oneOf": [{"uniqueItems": True}, {}]},
    {
        "minItems": 2,
        "if": {"uniqueItems": True, "items": {"enum": ["a"]}},
        "then": {"prefixItems": [True, {}]},
        "else": {"items": {"enum": [True]}},
    },
    {"prefixItems": [{}, {"type": "null"}], "oneOf": [{"minItems": 3}], "uniqueItems": True},
    {"if": {"uniqueItems": True}, "then": {"type": "boolean"}, "oneOf": [{"maxItems": 2}]},
    {"not": {"prefixItems": [True, {"enum": [None]}]}, "uniqueItems": True, "items": {"enum": [None, "b"]}},
    {"prefixItems": [{"type": "string"}, X], "minItems": 2, "uniqueItems": True},
    {"prefixItems": [{}, {"enum": ["x", "y"]}, X], "minItems": 3, "uniqueItems": True},
    {"prefixItems": [{}, X], "items": False, **NOT_UNIQUE},
    {"prefixItems": [{}, {"type": "integer"}, X], "minItems": 3, "maxItems": 3, **NOT_UNIQUE},
    {"contains": {"enum": [1, 2]}, "minContains": 2, "uniqueItems": True, "maxItems": 2},
    {
        "items": {"enum": ["", 0]},
        "oneOf": [{"uniqueItems": True}, {"prefixItems": [{}, {}], "items": {"const": True}}],
    },
    {
        "prefixItems": [{"type": "array", "contains": {"type": "boolean"}, "items": {"enum": ["", True]}}],
        "uniqueItems": True,
        "anyOf": [{"oneOf": [{"maxItems": 0}, {}]}],
    },
]
REJECTED: list[dict[str, Any]] = [
    {"maxItems": 3, **NOT_UNIQUE},
    {"oneOf": [{}, {"uniqueItems": True}], "maxItems": 2},
    {"oneOf": [{"prefixItems": [{}, {}, False]}], **NOT_UNIQUE},
]
MANY_CONDITIONS: list[dict[str, Any]] = [
    {"maxItems": 2, "allOf": [{"not": {"items": {"const": i}}} for i in range(5)]},
    {"maxItems": 2, "minItems": 2, "oneOf": [{"prefixItems": [{"const": i}, {"const": i % 3}]} for i in range(6)]},
    {"maxItems": 3, "anyOf": [{"contains": {"const": i}, "minContains": 2, "uniqueItems": i < 2} for i in range(5)]},
]
UNSATISFIABLE: list[dict[str, Any]] = [
    {"uniqueItems": True, "contains": {"enum": [1, 2]}, "minContains": 3},
    {"uniqueItems": True, "items": {"const": 1}, "contains": {}, "minItems": 2},
    {"prefixItems": [{}], "items": False, **NOT_UNIQUE},
    {"prefixItems": [X, {"enum": ["x", "y"]}, {"enum": ["y", "x"]}], "minItems": 3, "uniqueItems": True},
    {"prefixItems": [X, {"const": "y"}], "items": False, **NOT_UNIQUE},
    {"uniqueItems": True, "items": {"enum": [*range(100)]}, "contains": {"maximum": 50}, "minContains": 52},
]


@pytest.mark.parametrize("schema", DEAD_ENDS + REJECTED + MANY_CONDITIONS)
def test_arrays_are_taken_where_validators_take_them(schema: dict[str, Any]) -> None:
    """Walks end, and every array up to length 4 over four values is taken exactly where it is valid."""
    for seed in range(4):
        assert arrays.find({"type": "array", **schema}, random.Random(seed)) is None


@pytest.mark.parametrize("schema", UNSATISFIABLE)
def test_unsatisfiable_arrays_are_refused_quickly(schema: dict[str, Any]) -> None:
    start = time.process_time()
    with pytest.raises(UnsatisfiableError):
        compiled({"type": "array", **schema})
    assert time.process_time() - start < 2


EQUAL = [("1", "1.0"), ('{"a":1,"b":[2]}', '{"b":[2.0],"a":1}'), ('"a"', '"\\u0061"'), ("[1,2]", "[1.0,2.00]")]


@pytest.mark.parametrize(("one", "same"), EQUAL)
def test_equal_values_are_the_same_item(one: str, same: str) -> None:
    """Numbers that are equal, keys in another order, escapes."""
    unique = compiled({"type": "array", "uniqueItems": True}).matcher()
    repeating = compiled({"type": "array", "maxItems": 2, **NOT_UNIQUE}).matcher()
    assert not takes(unique, f"[{one},{same}]".encode())
    assert takes(repeating, f"[{one},{one}]".encode())
    if one[0] in "[{":  # numbers and strings that are items themselves have one spelling there
        assert takes(repeating, f"[{one},{same}]".encode())
    assert not takes(repeating, f"[{one},true]".encode())
    assert takes(unique, f"[{one},true]".encode())


def test_a_repetition_may_be_the_last_item() -> None:
    matcher = compiled({"type": "array", "maxItems": 2, **NOT_UNIQUE}).matcher()
    for value in (1, "long enough", None, [1, {"a": []}], 0.1, -12345.678):
        assert takes(matcher, json.dumps([value, value], separators=(",", ":")).encode())
        assert not takes(matcher, json.dumps([value], separators=(",", ":")).encode())


def test_what_later_items_need_is_left_to_them() -> None:
    """Each of these values is needed by a later item, and no other one is."""
    first = {"enum": ["x", "y", "z", "free"]}
    schema = {"prefixItems": [first, X, {"enum": ["x", "y"]}, {"enum": ["y", "z"]}], "minItems": 4}
    matcher = compiled({"type": "array", "uniqueItems": True, **schema}).matcher()
    assert takes(matcher, b'["free","x","y","z"]')
    matcher.reset()
    assert all(matcher.accept_token(byte) for byte in b'["')
    assert matcher.find_jump_forward_bytes() == b'free","x","y","z"'


def test_arrays_of_many_values_stay_quick() -> None:
    """As many unique items as there are values, and one more condition on them."""
    words = [f"value {i}" for i in range(300)]
    schema = {"items": {"enum": words}, "uniqueItems": True, "minItems": 300, "contains": {"const": words[7]}}
    start = time.process_time()
    matcher = compiled({"type": "array", **schema}).matcher()
    assert takes(matcher, json.dumps(words[:300], separators=(",", ":")).encode())
    assert time.process_time() - start < 10


def test_numbers_that_doubles_can_not_tell_apart() -> None:
    """Texts that differ are different numbers for validators that read doubles."""
    matcher = compiled({"type": "array", "items": {"type": "number"}, "uniqueItems": True}).matcher()
    assert takes(matcher, b"[0.1,0.123456789012345,12345678901234.5,123456789012345678]")
    assert not takes(matcher, b"[99.999999999999999,99.999999999999998]")
    assert not takes(matcher, b"[5,5.0000000000000001]")


def test_tokens_that_end_one_text_share_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mask tries each of them out, but what follows the text is found once."""
    asked = []
    on_capture = ArrayState.on_capture

    def counted(frame: ArrayState, cls: int, text: bytes) -> ArrayState | None:
        asked.append(text)
        return on_capture(frame, cls, text)

    monkeypatch.setattr(ArrayState, "on_capture", counted)
    tokens = [bytes([byte]) for byte in range(256)] + [b'"]', b'",', b'", ', b'","', b'" ', None]
    vocabulary = Vocabulary(tokens, [len(tokens) - 1])
    schema = {"type": "array", "uniqueItems": True, "items": {"enum": ["ab", "ac", "b", 1]}}
    matcher = compile_grammar(vocabulary, json_schema=schema, cache=None).matcher()
    for byte in b'["ab", "ac':
        assert matcher.accept_token(byte)
    asked.clear()
    bitmask = allocate_bitmask(1, vocabulary.size)
    matcher.fill_bitmask(bitmask, 0)
    assert {0x22, *range(256, 261)} == set(allowed_token_ids(bitmask[0], vocabulary.size))
    assert asked == [b'"ac"']


def test_an_array_may_end_after_a_second_item_whose_text_is_not_known() -> None:
    """Within one token: with its second item the array has two equal ones."""
    vocabulary = Vocabulary([*[bytes([byte]) for byte in range(256)], b"[1,1]", b"[1]", b"[1,2]", None], [259])
    schema = {"type": "array", "items": {"type": "array", "minItems": 2, "not": {"uniqueItems": True}}}
    matcher = compile_grammar(vocabulary, json_schema=schema, cache=None, whitespace="compact").matcher()
    assert matcher.accept_token(ord("["))
    bitmask = allocate_bitmask(1, vocabulary.size)
    matcher.fill_bitmask(bitmask, 0)
    assert {256, ord("["), ord("]")} == set(allowed_token_ids(bitmask[0], vocabulary.size))


UNIQUE = {"uniqueItems": True}
FREE_KEY_BESIDE_A_REQUIRED_ONE = {"type": "object", "required": ["d"], "dependentSchemas": {"c": {"required": ["b"]}}}
PAST_AN_ITEM: list[tuple[dict[str, Any], Any]] = [
    (  # what comes after the array depends on whether its items are unique
        {
            "type": "object",
            "properties": {"x": {"type": "array"}, "y": {"enum": ["a", "b"]}},
            "anyOf": [
                {"properties": {"x": UNIQUE, "y": {"const": "a"}}},
                {"properties": {"x": NOT_UNIQUE, "y": {"const": "b"}}},
            ],
        },
        {"x": [1, 1], "y": "b"},
    ),
    (  # also in an array, and in what is around that one
        {
            "type": "array",
            "prefixItems": [{"prefixItems": [{"type": "array"}]}],
            "if": {"prefixItems": [{"prefixItems": [UNIQUE, {"const": 2}]}]},
            "else": {"prefixItems": [{"prefixItems": [True, {"const": 1}]}, {"const": 4}]},
        },
        [[[1, 1], 1, 3], 4],
    ),
    # a used item gives no order of keys
    ({"type": "array", "items": FREE_KEY_BESIDE_A_REQUIRED_ONE, **UNIQUE}, [{"d": 1}, {"d": 2, "c": 1, "b": 1}]),
    ({"type": "array", "items": FREE_KEY_BESIDE_A_REQUIRED_ONE, **NOT_UNIQUE}, [{"d": 1}, {"d": 1}, {"d": 2}]),
]


@pytest.mark.parametrize(("schema", "document"), PAST_AN_ITEM)
def test_masks_have_tokens_that_go_past_an_item(schema: dict[str, Any], document: Any) -> None:
    """Many pieces of a valid document are tokens, tried at every place of it."""
    jsonschema.validate(document, schema)
    text = json.dumps(document, separators=(",", ":")).encode()
    ends = [(start, end) for start in range(len(text)) for end in range(start + 3, min(start + 11, len(text) + 1))]
    pieces = sorted({text[start:end] for start, end in ends} | {b'1},{"b"', b'1},{"c"'})
    vocabulary = Vocabulary([*[bytes([byte]) for byte in range(256)], None, *pieces], [256])
    matcher = compiled(schema, "schema", vocabulary).matcher()
    for byte in text:
        mask = {one for one in allowed(matcher, vocabulary) if one > 256}
        assert mask == {one for one in range(257, vocabulary.size) if is_taken(matcher, one)}
        assert matcher.accept_token(byte)
    assert matcher.is_accepting()
