"""Frames of plain containers, which kernels make from numbers, say the same as those that Python makes."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnsatisfiableError
from guided.grammars.json_schema.listing import words_of
from guided.grammars.machine import layout as at
from guided.grammars.machine.structs import WordSet
from guided.grammars.machine.tables import DocumentTables
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.vocabularies import accept_bytes, accepted_ids, byte_vocabulary, mask_of, matches, random_walk

VOCABULARY = byte_vocabulary()
WORDS = ["a", "ab", "abc", "b", "", "zero", "é"]
SCALARS: list[Any] = [{"type": "integer"}, {"type": "boolean"}, {"enum": ["x", "y"]}, {"type": "null"}, False]


def schema_of(rng: random.Random, names: list[str], depth: int = 1) -> dict[str, Any]:
    """Objects with declared, required and other keys in one or two orders, and arrays with places and bounds."""
    keys = rng.sample(names, rng.randint(0, len(names)))
    schema: dict[str, Any] = {"type": "object", "properties": {key: value_of(rng, names, depth) for key in keys}}
    if rng.random() < 0.7:
        schema["required"] = rng.sample(names, rng.randint(0, min(4, len(names))))
    if rng.random() < 0.6:
        schema["additionalProperties"] = rng.choice([False, {"type": "null"}])
    if rng.random() < 0.2:
        schema["patternProperties"] = {"^p": rng.choice([{"type": "null"}, False])}
    if rng.random() < 0.3 and depth:
        schema = {"allOf": [schema, schema_of(rng, names, 0)]}
    if rng.random() < 0.3:
        schema["minProperties"] = rng.randint(1, 3)
    if rng.random() < 0.3:
        schema["maxProperties"] = rng.randint(2, 4)
    if rng.random() < 0.3 and depth:
        schema["anyOf"] = [{"required": rng.sample(names, 1)}, {"if": {}, "then": schema_of(rng, names, 0)}]
    if rng.random() < 0.3 and len(names) > 1:
        schema["if"] = {"required": [names[0]]}
        schema["then"] = {"required": rng.sample(names, 2)}
    return schema


def value_of(rng: random.Random, names: list[str], depth: int) -> Any:
    if depth and rng.random() < 0.3:
        return schema_of(rng, names, depth - 1)
    if rng.random() < 0.3:
        low = rng.randint(0, 3)
        places = rng.sample(SCALARS, rng.randint(0, 3))
        array: dict[str, Any] = {"type": "array", "items": rng.choice(SCALARS), "minItems": low}
        if places:
            array["prefixItems"] = places
        if rng.random() < 0.5:
            array["maxItems"] = low + rng.randint(0, 3)
        if rng.random() < 0.4:
            strings = {"type": "string", "pattern": rng.choice(["", "^[ab]*$"])}
            array |= {"uniqueItems": True, "items": rng.choice([{"enum": rng.sample(WORDS, 5)}, strings])}
            array.pop("prefixItems", None)
        return array
    return rng.choice(SCALARS)


def word_set_of(tables: DocumentTables, code: int) -> WordSet:
    return tables.machine.sets[code >> (at.WORD_BITS + at.DEPTH_BITS) & (at.MAX_SETS - 1)]


def words_of_set(tables: DocumentTables, code: int, *, are_allowed: bool = False) -> set[str]:
    """The words of a code's set: those that are allowed, or the others."""
    word_set, machine = word_set_of(tables, code), tables.machine
    words = [machine.words[word_set.first + index] for index in range(word_set.size + 1)]
    texts = [json.loads(b'"' + machine.word_text.data[a.start : b.start].tobytes()) for a, b in pairwise(words)]
    bits = [word.bit for word in words[:-1]]
    allowed = [bit >= 0 and bool(machine.keys[word_set.allowed + bit // 64] >> bit % 64 & 1) for bit in bits]
    return {text for text, is_allowed in zip(texts, allowed, strict=True) if is_allowed is are_allowed}


def check_frames(tables: DocumentTables) -> int:
    """Hold the rows of plain containers to the frames that they stand for; how many there were."""
    num_checked = 0
    for number in range(1, tables.machine.frames.used):
        row = tables.machine.frames[number]
        if not row.shape or not row.is_described:
            continue
        num_checked += 1
        frame = tables.frame(number)
        assert row.close == (-1 if frame.close_class is None else frame.close_class)
        if frame.kind == "array":
            values = frame.value_spec()
            assert bool(row.continues) == (values is not None)
            if values is not None and row.captures:
                assert (values.captures, row.fragile) == (1, 0)
                assert words_of_set(tables, row.string) == values.excluded_strings
            elif values is not None and values.captures:
                left = {word for language, _ in values.strings for word in words_of(language, 100)}
                assert words_of_set(tables, row.string, are_allowed=True) == left - values.excluded_strings
            continue
        assert frame.kind == "object"
        spec = frame.key_spec()
        assert row.continues == int(spec is not None)
        if spec is not None:
            assert (row.key >> at.TAG_SHIFT == at.OVERLAY) == bool(spec.open)
            word_set = word_set_of(tables, row.key)
            assert spec.declared is not None
            bits = [
                tables.machine.keys[word_set.allowed + index // 64] >> index % 64 & 1
                for index in spec.declared.values()
            ]
            assert {name for name, bit in zip(spec.declared, bits, strict=True) if bit} == set(spec.words)
    return num_checked


def test_a_required_key_out_of_its_turn() -> None:
    """The orders of two schemas, of which one alone holds: what the other one says of a key's turn does not count."""
    declared: dict[str, Any] = {"d": {}, "c": {}}
    closed = {"required": ["c"], "properties": declared, "additionalProperties": False}
    schema = {"type": "object", "anyOf": [{"required": ["d"]}, {"if": {}, "then": closed}], "properties": declared}
    matcher = compile_grammar(VOCABULARY, json_schema=schema, cache=None).matcher()
    assert accept_bytes(matcher, b'{"c":{},"b":1,"$id":"","$schema":0,"d":1')
    assert check_frames(matcher._automaton) > 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("order", ["schema", "any"])
@pytest.mark.parametrize("seed", range(50))
def test_rows_of_plain_containers(seed: int, order: str) -> None:
    rng = random.Random(seed)
    names = list("abcdep")[: rng.randint(1, 6)] if rng.random() < 0.8 else [f"k{index}" for index in range(70)]
    schema = schema_of(rng, names)
    try:
        grammar = compile_grammar(VOCABULARY, json_schema=schema, property_order=order, cache=None)
    except UnsatisfiableError:
        return
    matcher = grammar.matcher()
    for walk in range(8):
        matcher.reset()
        random_walk(matcher, VOCABULARY, seed=100 * seed + walk, max_tokens=300)
    check_frames(matcher._automaton)  # type: ignore[attr-defined]


def test_different_words_need_no_text() -> None:
    """An array of different words: which of them have come is a set of bits. Masks are exact within tokens, too."""
    words = [f"w{index}" for index in range(70)]
    schema = {"type": "array", "items": {"enum": words}, "uniqueItems": True, "minItems": 2, "maxItems": 69}
    matcher = compile_grammar(VOCABULARY, json_schema=schema, cache=None, whitespace="compact").matcher()
    tables: DocumentTables = matcher._automaton  # type: ignore[attr-defined]
    text = "[" + ",".join(json.dumps(word) for word in words[1:]) + "]"
    num_allowed = 0
    for index, byte in enumerate(text.encode()):
        if index % 7 == 0:
            allowed = mask_of(matcher, VOCABULARY)
            assert allowed == accepted_ids(matcher, VOCABULARY)
            num_allowed += len(allowed)
        assert matcher.accept_token(byte)
    assert matcher.is_accepting()
    assert num_allowed > 50
    assert tables.num_frames[1] == 0
    assert not matches(matcher, '["w3","w4","w3"]')
    assert not matches(matcher, '["w3"]')
    assert matches(matcher, '["w3","w0"]')


def test_unique_strings() -> None:
    """The strings that an array has are words that its shape excludes; masks are exact within tokens, too."""
    schema = {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 2, "maxItems": 4}
    grammar = compile_grammar(VOCABULARY, json_schema=schema, cache=None, whitespace="compact")
    matcher = grammar.matcher()
    for byte in b'["a","","abc","ab"]':
        assert mask_of(matcher, VOCABULARY) == accepted_ids(matcher, VOCABULARY)
        assert matcher.accept_token(byte)
    assert matcher.is_accepting()
    assert matcher._automaton.num_frames[1] == 0  # type: ignore[attr-defined]
    assert check_frames(matcher._automaton) > 4  # type: ignore[attr-defined]
    for text in ('["a","b","a"]', '["a"]', '["a","b","c","d","e"]', '["",""]'):
        assert not matches(matcher, text)
    many = [f"w{index}" for index in range(520)]  # of which not all are sure to be plain
    assert matches(
        compile_grammar(VOCABULARY, json_schema=schema | {"maxItems": 600}, cache=None).matcher(),
        json.dumps(many, separators=(",", ":")),
    )


def test_plain_frames_need_no_python() -> None:
    """However long a document gets, Python is asked once for each schema inside of it."""
    person = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    grammar = compile_grammar(VOCABULARY, json_schema={"type": "array", "items": person}, cache=None)
    matcher = grammar.matcher()
    tables: DocumentTables = matcher._automaton  # type: ignore[attr-defined]
    assert accept_bytes(
        matcher, b'[{"name":"a","age":1,"tags":["x","y"]},{"age":1,"tags":[],"name":"b"},{"tags":["x"],'
    )
    assert check_frames(tables) == 9
    num_frames, num_residual = tables.num_frames
    assert num_residual == 0 < num_frames
    num_python = len(tables._frames)
    assert accept_bytes(matcher, b'"name":"c","age":2},' + 20 * b'{"name":"a","age":1},' + b'{"name":"z","tags":["q"')
    assert len(tables._frames) == num_python


def test_counted_members_need_no_python() -> None:
    """Bounds on the number of members are part of the shape, also where keys have an order or are open."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: {"type": "integer"} for key in "abcd"},
        "required": ["c", "a"],
        "patternProperties": {"^x": {"type": "null"}},
        "additionalProperties": False,
        "minProperties": 3,
        "maxProperties": 4,
    }
    matcher = compile_grammar(VOCABULARY, json_schema=schema, cache=None, whitespace="compact").matcher()
    tables: DocumentTables = matcher._automaton  # type: ignore[attr-defined]
    for text, is_whole in {
        '{"a":1,"b":1,"c":1,"d":1}': True,
        '{"a":1,"c":1,"x":null,"xy":null}': True,
        '{"a":1,"c":1,"d":1}': True,
        '{"a":1,"c":1}': False,
        '{"b":1,"d":1,"a":1,"c":1,"x":null}': False,
        '{"a":1,"c":1,"x":null,"xy":null,"xz":null}': False,
    }.items():
        matcher.reset()
        for byte in text.encode():
            assert mask_of(matcher, VOCABULARY) == accepted_ids(matcher, VOCABULARY)
            if not matcher.accept_token(byte):
                break
        assert matcher.is_accepting() is is_whole, text
    assert tables.num_frames[1] == 0
    assert check_frames(tables) > 12


def test_open_keys_are_counted_within_tokens() -> None:
    """A mask counts an open key that ends inside of a token, though it does not know its text."""
    schema = {"type": "object", "maxProperties": 2, "minProperties": 2}
    text = b'{"a":1,"b":2}'
    tokens = [text[start:end] for start in range(len(text)) for end in range(start + 2, len(text) + 1)]
    wide = Vocabulary(
        [*[bytes([byte]) for byte in range(256)], *tokens, b'":2,"', b'{"a":1}', None], [258 + len(tokens)]
    )
    matcher = compile_grammar(wide, json_schema=schema, cache=None, whitespace="compact").matcher()
    for byte in text:
        assert mask_of(matcher, wide) == accepted_ids(matcher, wide)
        assert matcher.accept_token(byte)
    assert matcher.is_accepting()


@pytest.mark.parametrize(("kind", "text"), [("Properties", '{"a":1}'), ("Items", "[1]")])
def test_bounds_beyond_machine_words(kind: str, text: str) -> None:
    for low, high in ((0, 10**30), (10**30, 10**31)):
        schema = {f"min{kind}": low, f"max{kind}": high, "type": "object" if kind == "Properties" else "array"}
        matcher = compile_grammar(VOCABULARY, json_schema=schema, cache=None).matcher()
        assert matches(matcher, text) is (low == 0)


def test_frames_with_open_alternatives_are_counted() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    matcher = compile_grammar(VOCABULARY, json_schema=schema, cache=None).matcher()
    assert accept_bytes(matcher, b'{"a":1,"b":2}')
    num_frames, num_residual = matcher._automaton.num_frames  # type: ignore[attr-defined]
    assert num_residual == 2  # the object before its first key, and the value of that
    assert num_frames > num_residual
