"""Unique arrays of arrays and objects: where there are few, where values are written in other ways, masks by force."""

from __future__ import annotations

import json
import random
from typing import Any

import jsonschema
import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnsatisfiableError
from guided.grammars.vocabulary import Vocabulary
from tests.fuzz.walks import compiled, try_piece
from tests.grammars.vocabularies import BYTES, accepted_ids, mask_of

from .test_random_tokens import VOCABULARY, WALKER

OBJECT = {"const": {"a": 1}}
PAIR = {"enum": [{"a": "x", "b": "y"}]}
LETTERS = {"enum": [["a"], ["b"]]}
SHORT = {"type": "array", "items": {"enum": ["a"]}, "maxItems": 1}


@pytest.mark.parametrize(
    ("items", "num_items"),
    [(OBJECT, 1), ({"const": ["a"]}, 1), (LETTERS, 2), (PAIR, 1), (SHORT, 2), ({"enum": [[1], [2], "a"]}, 3)]
    + [
        ({"type": ["array", "boolean"], "maxItems": 0}, 3),
        ({"type": "object", "properties": {}, "maxProperties": 0}, 1),
    ],
)
@pytest.mark.parametrize("order", ["schema", "any"])
def test_as_many_items_as_there_are_values(items: dict[str, Any], num_items: int, order: str) -> None:
    schema = {"type": "array", "uniqueItems": True, "items": items, "minItems": num_items}
    grammar = compile_grammar(VOCABULARY, json_schema=schema, cache=None, whitespace="compact", property_order=order)
    for seed in range(10):
        value = json.loads(WALKER.walk(grammar.matcher(), random.Random(seed)))
        assert len(value) == num_items
    with pytest.raises(UnsatisfiableError):
        compile_grammar(VOCABULARY, json_schema={**schema, "minItems": num_items + 1}, cache=None, property_order=order)


SPELLINGS = {0: ["0", "-0", "0.0"], 1: ["1", "1.0", "1.00"], -2: ["-2", "-2.0"]}


def text_of(value: Any, rng: random.Random) -> str:
    """One of the texts of a value, without whitespace."""
    if isinstance(value, dict):
        members = [f"{json.dumps(key)}:{text_of(item, rng)}" for key, item in value.items()]
        rng.shuffle(members)
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(text_of(item, rng) for item in value) + "]"
    if isinstance(value, int) and not isinstance(value, bool):
        return rng.choice(SPELLINGS[value])
    return json.dumps(value)


def random_container(rng: random.Random, depth: int = 2) -> Any:
    """A small object or array."""
    scalars = [0, 1, -2, "", "a", "ab", 'q"', True, False, None]
    items = [
        random_container(rng, depth - 1) if depth and rng.random() < 0.3 else rng.choice(scalars)
        for _ in range(rng.randint(0, 3))
    ]
    return dict(zip(["a", "ab", "b"], items, strict=False)) if rng.random() < 0.6 else items


def is_refused_after(first: str, second: str) -> bool:
    """Whether a unique array that holds one item can't get the other one."""
    matcher = compiled({"uniqueItems": True}).matcher()
    assert try_piece(matcher, f"[{first},".encode())
    return not try_piece(matcher, second.encode())


@pytest.mark.parametrize("seed", range(30))
def test_other_texts_of_a_value_are_refused_and_other_values_are_not(seed: int) -> None:
    rng = random.Random(seed)
    first, second = random_container(rng), random_container(rng)
    is_same = json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)
    assert is_refused_after(text_of(first, rng), text_of(first, rng))
    assert is_refused_after(text_of(first, rng), text_of(second, rng)) == is_same


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [("1", "1.0", True), ("100", "1e+02", True), ("1e+20", "100000000000000000000", True), ("-0", "0", True)]
    + [("1", "-1", False), ("12", "1.2", False), ("1e-07", "0.0000001", True), ("0", "1e-300", False)]
    + [("0.1", "0.10000000000000000001", True), ("0.1", "0.10000000000000002", False), ("true", "1", False)]
    + [("5", "5.0000000000000000001", True), ("0.3", "0.30000000000000004", False), ("1e308", "1e307", False)],
)
def test_numbers_inside_are_the_same_where_they_are_read_into_the_same_double(
    first: str, second: str, is_same: bool
) -> None:
    assert is_refused_after(f"[{first}]", f"[{second}]") == is_same
    assert is_refused_after(f'{{"a":{second}}}', f'{{"a":{first}}}') == is_same


FEW_OBJECTS = {
    "type": "object",
    "properties": {"a": {"enum": [1, 12]}},
    "additionalProperties": {"const": "x"},
    "propertyNames": {"enum": ["a", "b"]},
}


@pytest.mark.parametrize(
    ("items", "texts"),
    [
        ({"type": "array", "items": {"enum": [1, 12]}, "maxItems": 2}, ["[[],[1],[1,12],[12]]", "[[1, 12],[1,12]]"]),
        (FEW_OBJECTS, ['[{},{"a":1},{"a":12}]', '[{"a":1},{"a":1}]', '[{"b":"x"}, {"b": "x"}]']),
        (
            {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True},
            ['[["a"],["b"],["a","b"],["b","a"],[]]', '[["a"],["a"]]', '[["a","a"]]'],
        ),
        ({}, ['[{"a": 1, "b": 2}, {"b": 2, "a": 1}]', '[{"a": 1, "b": 2}, {"b": 2}]', "[[], 1, [1], {}, {}]"]),
    ],
)
def test_masks_are_what_is_accepted(items: dict[str, Any], texts: list[str]) -> None:
    """Each token tried along each text, with tokens that end items and begin others."""
    rng = random.Random(3)
    pieces = {b"}]", b"},", b"2}", b'":'}
    for text in texts:
        for _ in range(12):
            start = rng.randrange(len(text))
            pieces.add(text[start : start + rng.randint(2, 9)].encode())
    longer = sorted(piece for piece in pieces if len(piece) > 1)
    vocabulary = Vocabulary([*BYTES, *longer, None], [len(BYTES) + len(longer)])
    grammar = compile_grammar(
        vocabulary, json_schema={"type": "array", "uniqueItems": True, "items": items}, cache=None
    )
    for text in texts:
        matcher, is_accepted = grammar.matcher(), True
        for byte in text.encode():
            assert mask_of(matcher, vocabulary) == accepted_ids(matcher, vocabulary), text
            is_accepted = matcher.accept_token(byte)
            if not is_accepted:
                break
        schema = {"uniqueItems": True, "items": items}
        assert is_accepted == jsonschema.Draft202012Validator(schema).is_valid(json.loads(text))
