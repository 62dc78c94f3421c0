"""Vocabularies that lack bytes: what they can't spell is no way out, and is never begun."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnsatisfiableError
from guided.grammars.spelling import Spelling
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.json_schema.random_schemas import SchemaMaker
from tests.grammars.json_schema.test_random_tokens import PATIENT, compiled, exact_value, validator_of
from tests.grammars.json_schema.token_walk import Unclear, Walker, read_document
from tests.grammars.vocabularies import BYTES, WORDS, mask_of, vocabulary_of


def without(missing: bytes, *more: bytes) -> Vocabulary:
    """All bytes but some, words without those, and more tokens."""
    words = [word for word in WORDS if not set(word) & set(missing)]
    return vocabulary_of(*(byte for byte in BYTES if byte[0] not in missing), *words, *more)


def documents(vocabulary: Vocabulary, schema: Any, max_tokens: int = 14, **options: Any) -> set[str]:
    """Every document of at most that many tokens. Fails where a mask leaves no token, or none leads to an end."""
    found: set[str] = set()
    matcher = compile_grammar(vocabulary, json_schema=schema, whitespace="compact", **options).matcher()

    def go_on(token_ids: list[int]) -> None:
        if matcher.is_accepting():
            found.add(vocabulary.join(token_ids).decode())
        allowed = mask_of(matcher, vocabulary)
        assert allowed, f"dead end after {vocabulary.join(token_ids)!r}"
        for token_id in set(allowed) - vocabulary.eos_token_ids if len(token_ids) < max_tokens else ():
            assert matcher.accept_token(token_id)
            go_on([*token_ids, token_id])
            matcher.rollback(1)

    go_on([])
    return found


CASES: list[tuple[str, bytes, Any, set[str] | None]] = [
    ("enum", b"x", {"enum": ["ax", "b", 1, True]}, {'"b"', "1", "true"}),
    ("enum of literals", b"u", {"enum": [True, False, None]}, {"false"}),
    ("enum that is all missing", b"x", {"enum": ["ax", "x"]}, None),
    ("const", b"5", {"const": 15}, None),
    ("escape", b"n", {"enum": ["a\n", "a\t"]}, {'"a\\t"'}),
    ("no backslash", b"\\", {"enum": ['a"', "a\\", "a\x01", "a"]}, {'"a"'}),
    ("control character", b"0", {"enum": ["a\x01", "a\n"]}, {'"a\\n"'}),
    ("no quotes", b'"', {"enum": ["a", {"a": 1}, {}, [], 1]}, {"{}", "[]", "1"}),
    ("no braces", b"}", {"enum": [{}, [{}], [], "a"]}, {"[]", '"a"'}),
    ("no brackets", b"[", {"enum": [[], {"a": []}, {"a": 1}]}, {'{"a":1}'}),
    ("no comma", b",", {"enum": [[1, 2], [1], {"a": 1, "b": 1}, {"a": 1}]}, {"[1]", '{"a":1}'}),
    ("no comma, two keys", b",", {"type": "object", "required": ["a", "b"]}, None),
    ("no comma, two items", b",", {"type": "array", "minItems": 2}, None),
    ("no colon", b":", {"enum": [{}, {"a": 1}]}, {"{}"}),
    ("required key", b"x", {"type": "object", "required": ["ax"]}, None),
    ("key inside", b"x", {"anyOf": [{"enum": [[{"x": 1}]]}, {"enum": [[{"a": 1}]]}]}, {'[{"a":1}]'}),
    (
        "optional key",
        b"x",
        {
            "properties": {"ax": {"const": 1}, "b": {"const": 1}},
            "additionalProperties": False,
            "type": "object",
        },
        {"{}", '{"b":1}'},
    ),
    ("no digits", b"0123456789", {"type": ["integer", "null"]}, {"null"}),
    ("few digits", b"013456789", {"enum": [1, 2, 22, -2, 20]}, {"2", "22", "-2"}),
    ("no minus", b"-", {"type": "integer", "maximum": -1}, None),
    ("no minus, from below", b"-", {"type": "integer", "maximum": 2}, {"0", "1", "2"}),
    ("wide", b"\xa5", {"enum": ["日", "é"]}, {'"é"'}),  # 日 is e6 97 a5
    ("wide pattern", b"\xa5", {"type": "string", "pattern": "^日$"}, None),
    ("unique", b"cdefghijklmnopqrstuvwxyz", {"enum": [["a", "b"], ["a", "c"]], "uniqueItems": True}, {'["a","b"]'}),
    ("too few", b"y", {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 2, "uniqueItems": True}, None),
    ("contains", b"y", {"type": "array", "contains": {"const": "y"}}, None),
    ("not", b"y", {"enum": ["x", "y"], "not": {"const": "x"}}, None),
    ("nothing but that", b'tfn"{[', {"type": ["boolean", "object", "array", "string", "null"]}, None),
]


@pytest.mark.parametrize(("name", "missing", "schema", "expected"), CASES, ids=[case[0] for case in CASES])
@pytest.mark.parametrize("order", ["schema", "any"])
def test_only_what_can_be_spelled(
    name: str, missing: bytes, schema: Any, expected: set[str] | None, order: str
) -> None:
    vocabulary = without(missing + b".")
    if expected is None:
        with pytest.raises(UnsatisfiableError, match="spell"):
            compile_grammar(vocabulary, json_schema=schema, property_order=order)
    else:
        assert documents(vocabulary, schema, property_order=order, values="canonical") == expected


def test_a_schema_that_nothing_satisfies_at_all() -> None:
    with pytest.raises(UnsatisfiableError, match="no JSON document satisfies this schema"):
        compile_grammar(without(b"x"), json_schema=False)


@pytest.mark.parametrize("missing", [b"x", b"z", b"\xa5", b"\xe6", b"1", b"\\", b"n", b":"])
def test_random_walks_never_get_stuck(missing: bytes) -> None:
    vocabulary = without(missing)
    walker = Walker(vocabulary, max_tokens=120)
    for seed in range(8):
        schema = SchemaMaker(random.Random(600 + seed)).document()
        try:
            grammar = compile_grammar(vocabulary, json_schema=schema, cache=None, limits=PATIENT)
        except UnsatisfiableError:
            continue
        for walk in range(2):
            text = walker.walk(grammar.matcher(), random.Random(walk))
            value = exact_value(text)
            if text is not None and value is not Unclear:
                assert validator_of(schema).is_valid(value), text
                assert not set(text) & set(missing)


def test_whole_vocabularies_have_no_spelling_of_their_own() -> None:
    assert without(b"").spelling is None
    assert compiled({"const": "x"}) is not None


def test_whitespace_that_cannot_be_spelled() -> None:
    vocabulary = without(b" \n")
    schema = {"const": [1, 2]}
    with pytest.raises(UnsatisfiableError, match="spaced"):
        compile_grammar(vocabulary, json_schema=schema, whitespace="spaced")
    with pytest.raises(UnsatisfiableError, match="whitespace="):
        compile_grammar(vocabulary, json_schema=schema, whitespace="\t\n")
    walker = Walker(vocabulary)
    for whitespace in ("flexible", "(\t\n|\t\t)?", "[ \t]?"):
        grammar = compile_grammar(vocabulary, json_schema=schema, whitespace=whitespace)
        for seed in range(20):
            text = walker.walk(grammar.matcher(), random.Random(seed))
            assert text is not None
            assert read_document(text) == [1, 2]


def test_characters_that_are_tokens_of_their_own() -> None:
    """As in vocabularies of characters: no byte of é or 日 is a token, but the characters are."""
    ascii_bytes = [bytes([byte]) for byte in range(0x80)]
    vocabulary = vocabulary_of(*ascii_bytes, "é".encode(), "日".encode(), "本語".encode())
    spelling = vocabulary.spelling
    assert spelling is not None
    assert vocabulary.of_whole_texts is vocabulary
    assert spelling.can_spell("aé日")
    assert not spelling.can_spell("本")
    assert documents(vocabulary, {"enum": ["é日", "ü", "日本語"]}) == {'"é日"'}


def test_no_token_goes_halfway_into_a_character_that_cannot_be_finished() -> None:
    ascii_bytes = [bytes([byte]) for byte in range(0x80)]
    sun = "日".encode()
    vocabulary = vocabulary_of(*ascii_bytes, sun, sun[:2], b"a" + sun[:1])
    tokens = vocabulary.of_whole_texts.tokens
    assert [token_id for token_id, token in enumerate(tokens) if token is None] == [129, 130, 131]
    assert documents(vocabulary, {"enum": ["a日"]}) == {'"a日"'}
    matcher = compile_grammar(vocabulary, json_schema={"enum": ["a日", "a"]}).matcher()
    assert matcher.accept_token(ord('"'))
    assert mask_of(matcher, vocabulary) == [ord("a")]
    assert not matcher.accept_token(130)


def test_a_character_spelled_two_ways_counts_only_where_both_can_be_finished() -> None:
    """日 has a token of its own, but its first byte is one too, and its last is not: after the first, it can't end."""
    ascii_bytes = [bytes([byte]) for byte in range(0x80)]
    sun, moon = "日".encode(), "月".encode()  # e6 97 a5, e6 9c 88
    vocabulary = vocabulary_of(*ascii_bytes, sun, *(bytes([byte]) for byte in moon))
    assert documents(vocabulary, {"enum": ["日", "月"]}) == {'"月"'}


def test_spelled_characters_by_brute_force() -> None:
    rng = random.Random(5)
    samples = [*range(0x100), *range(0x7F0, 0x810), *range(0xD7F0, 0xD800), *range(0xE000, 0xE010)]
    samples += [*range(0xFFF0, 0x10010), *range(0x10FFF0, 0x110000)]
    samples += [rng.randrange(low, high) for low, high in ((0x100, 0xD800), (0x10000, 0x110000)) for _ in range(300)]
    for share in (0.05, 0.3):
        missing = {byte for byte in range(256) if rng.random() < share}
        spelling = Spelling(without(bytes(missing)).tokens)
        for code in samples:
            assert spelling.can_spell(chr(code)) == (not set(chr(code).encode()) & missing), hex(code)


def test_every_document_of_a_small_vocabulary() -> None:
    """All texts of a few tokens, against those that the mask allows."""
    tokens = [b'"', b"a", b"b", b"{", b"}", b":", b"1", b'{"', b'":']
    vocabulary = vocabulary_of(*tokens)
    schema = {
        "type": "object",
        "properties": {"a": {"enum": [1, 11, "b", "c"]}, "c": True},
        "additionalProperties": {"maxLength": 1, "type": "string"},
        "propertyNames": {"maxLength": 1},
    }
    expected = set()
    for length in range(5):
        for first, *inside in itertools.product((b"{", b'{"'), *[tokens] * length):
            text = b"".join((first, *inside, b"}"))
            try:
                value = read_document(text)
            except ValueError:
                continue
            if validator_of(schema).is_valid(value):
                expected.add(text.decode())
    assert len(expected) > 5
    assert documents(vocabulary, schema, max_tokens=6) == expected


def test_numbers_that_can_be_spelled_keep_all_their_texts() -> None:
    vocabulary = without(b"E+34")
    grammar = compile_grammar(vocabulary, json_schema={"type": "number"})
    ids = {token: token_id for token_id, token in enumerate(vocabulary.tokens)}
    for text in (b"1e5", b"-0.50e-12", b"1000"):
        matcher = grammar.matcher()
        assert all(matcher.accept_token(ids[text[place : place + 1]]) for place in range(len(text)))
        assert matcher.is_accepting()
