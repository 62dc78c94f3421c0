"""Masks against brute force, documents against an independent reader, and no dead ends, on small vocabularies."""

from __future__ import annotations

import random

import pytest

from guided.grammars.limits import Limits
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import charset
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.machine.documents import (
    AnyJson,
    Array,
    Object,
    Root,
    Value,
    boolean,
    enum,
    integer,
    number,
    numbers,
    string,
    strings,
)
from tests.grammars.machine.machine import Machine
from tests.grammars.machine.reference import accepts
from tests.grammars.vocabularies import BYTES, WORDS, accepted_ids, mask_of

LOWER = lang.chars(((0x61, 0x7A),))
NO_SPACE = lang.repeat(lang.chars(((0x21, 0x10FFFF),)), 1)
WORDS_OF_LETTERS = lang.concat(lang.repeat(lang.concat(NO_SPACE, lang.text(" ")), 0, 3), NO_SPACE)
SPACES = charset.from_ranges([(32, 32), (0xA0, 0xA0), (0x2000, 0x200A), (0x3000, 0x3000), (0xFEFF, 0xFEFF)])
NO_SPACES = lang.repeat(lang.chars(charset.complement(SPACES)), 1)
FEW = lang.words(["a", "b"])

# Documents, and texts that belong to them or not: the texts are also where masks are compared.
CASES: dict[str, tuple[Value, list[str]]] = {
    "string": (string(), ['"a\\n\\u0001é日本\\"\\\\"', '""', '"\\/"', '"\\u000a"', "1"]),
    "counted": (string(lang.repeat(lang.ANY_CHAR, 2, 4)), ['"ab"', '"é日\\n😀"', '"a"', '"abcde"']),
    "at least": (string(lang.repeat(lang.ANY_CHAR, 3)), ['"abc"', '"日本日本日"', '"ab"']),
    "counted letters": (string(lang.repeat(LOWER, 1, 3)), ['"abc"', '"a"', '""', '"aB"', '"abcd"']),
    "pattern": (string(lang.concat(lang.text("ab"), lang.repeat(LOWER, 0), lang.text("-é"))), ['"ab-é"', '"abx-é"']),
    "counted words": (
        string(lang.intersect(WORDS_OF_LETTERS, lang.repeat(lang.ANY_CHAR, 0, 9))),
        ['"ab c"', '"abcdefghi"', '"ab cdef é"', '"abcdefgh "', '"ab cd efg"', '"abcdefghij"'],
    ),
    "counted both ways": (
        string(
            lang.intersect(
                lang.concat(lang.repeat(LOWER, 1), lang.text("."), lang.repeat(lang.text("p"), 1)),
                lang.repeat(lang.ANY_CHAR, 6, 10),
            )
        ),
        ['"abc.pp"', '"a.p"', '"abcdefgh.p"', '"abcdefghi.p"', '"a.pppppp"'],
    ),
    "no spaces": (string(NO_SPACES), ['"a日x"', '"a\u3000"', '"\u00a0"', '"\u2003"', '"é\u205e"', '"\ufeff"']),
    "counted end": (
        string(lang.intersect(lang.concat(lang.ANYTHING, lang.text("日end")), lang.repeat(lang.ANY_CHAR, 0, 10))),
        ['"日end"', '"123456日end"', '"日日endé\n日end"', '"1234567日end"'],
    ),
    "enum": (enum("a", "ab", 'q"\\', "", "日本"), ['"a"', '"ab"', '"q\\"\\\\"', '""', '"日本"', '"b"']),
    "classes": (
        strings((FEW, 0), (lang.difference(lang.complement(FEW), lang.text("no")), 1)),
        ['"a"', '"ab"', '"no"', '"none"'],
    ),
    "unlike": (string(lang.difference(lang.repeat(LOWER, 0), lang.words(["abc", "ab"]))), ['"abcd"', '"ab"', '"a"']),
    "number": (numbers(), ["0", "-12.5e+3", "01", "-", "1.", "2e5"]),
    "integer": (numbers(integer()), ["0", "-12", "-0", "123"]),
    "few numbers": (numbers(lang.words(["1", "12", "1.5"])), ["1", "12", "1.5", "2"]),
    "any": (AnyJson(), ['{"a":[1,{"b":null}],"ab":"x"}', '{"a":1,"a":2}', "[true, false,[ ] ]", "-1.5", "{}"]),
    "object": (
        Object([("a", string(), True), ("ab", numbers(), False), ("abc", boolean(), True), ("b", enum("x"), False)]),
        ['{"a":"","ab":1,"abc":true}', '{"a":"q","abc":false,"b":"x"}', '{"ab":1}', '{"a":"","abc":true,"abc":true}'],
    ),
    "open object": (
        Object([("a", string(), True), ("abc", boolean(), False)], extra=numbers()),
        ['{"a":"","abc":true,"ab":1,"abcd":2}', '{"a":"","ab":1,"abc":true}', '{"a":"","x":1,"x":2}', '{"a":"","é":1}'],
    ),
    "few keys": (
        Object([("b", string(), False)], extra=boolean(), names=lang.words(["a", "b", "ab", "é"])),
        ['{"ab":true,"a":true,"é":false}', '{"b":"","ab":true}', '{"a":true,"b":""}', '{"a":true,"a":true}'],
    ),
    "short keys": (
        Object(extra=boolean(), names=lang.repeat(lang.chars(((0x61, 0x62),)), 1, 2)),
        ['{"ab":true,"a":true,"b":false,"aa":true,"ba":true,"bb":false}', '{"abc":true}', '{"a":true,"a":true}'],
    ),
    "array": (Array(numbers(integer()), 1, 3), ["[1]", "[1, 12,3]", "[]", "[1,2,3,4]"]),
    "unique strings": (Array(string(), unique=True), ['["a","ab",""]', '["a","a"]', '["\\"", "\\""]']),
    "unique words": (Array(enum("a", "ab", "abc"), unique=True), ['["a","abc","ab"]', '["a","a"]', '["abc"]']),
    "unique numbers": (Array(numbers(lang.words(["1", "12", "123"])), unique=True), ["[1,12,123]", "[12,12]"]),
    "unique booleans": (Array(boolean(), unique=True), ["[true,false]", "[true,true]", "[]"]),
    "unique short": (Array(string(lang.repeat(lang.chars(((0x61, 0x62),)), 0, 1)), unique=True), ['["a","","b"]']),
    "unique mixed": (
        Array(Value(strings=((FEW, 0),), numbers=((number(), 1),), true=0, null=0), unique=True),
        ['["a",1,"b",true,null,12]', '["a",1,"a"]', "[1,1]", "[null,null]"],
    ),
}


def _vocabulary() -> Vocabulary:
    """Every byte, some words, and pieces of the texts above that pass several captures."""
    rng = random.Random(3)
    pieces = set(WORDS) - {bytes([byte]) for byte in range(256)}
    for _, texts in CASES.values():
        for text in texts:
            data = text.encode()
            for _ in range(6):
                start = rng.randrange(len(data))
                pieces.add(data[start : start + rng.randint(2, 9)])
    tokens: list[bytes | None] = [*BYTES, *sorted(piece for piece in pieces if len(piece) > 1), None]
    return Vocabulary(tokens, [len(tokens) - 1])


VOCABULARY = _vocabulary()


def _machine(value: Value, whitespace: str = "flexible") -> tuple[Machine, Root]:
    root = Root(value)
    return Machine(root, VOCABULARY, whitespace, Limits()), root


@pytest.mark.parametrize("name", CASES)
def test_masks_are_what_is_accepted(name: str) -> None:
    """Along each text, and a bit further: the mask is exactly what a fork accepts; the text as the reader says."""
    value, texts = CASES[name]
    machine, root = _machine(value)
    for text in texts:
        matcher = machine.matcher()
        data = text.encode()
        for config, byte in enumerate(data):
            assert mask_of(matcher, VOCABULARY) == accepted_ids(matcher, VOCABULARY), data[:config]
            if not matcher.accept_token(byte):
                assert not accepts(root, data)
                break
        else:
            assert mask_of(matcher, VOCABULARY) == accepted_ids(matcher, VOCABULARY), data
            assert matcher.is_accepting() == accepts(root, data), data


@pytest.mark.parametrize("name", CASES)
def test_random_walks_end_in_documents(name: str) -> None:
    value, _ = CASES[name]
    machine, root = _machine(value)
    for seed in range(6):
        rng = random.Random(seed)
        matcher, text = machine.matcher(), b""
        while not matcher.is_terminated():
            allowed = mask_of(matcher, VOCABULARY)
            assert allowed, text
            if seed < 2:
                assert allowed == accepted_ids(matcher, VOCABULARY), text
            forced = matcher.find_jump_forward_bytes()
            ends = [token for token in allowed if (VOCABULARY.tokens[token] or b'"')[:1] in b'"]},']
            token = rng.choice(ends if ends and rng.random() < (0.3 if len(text) < 150 else 0.95) else allowed)
            assert matcher.accept_token(token)
            read = VOCABULARY.tokens[token] or b""
            assert forced.startswith(read) or read.startswith(forced), (text, forced, read)
            text += read
        assert accepts(root, text), text


@pytest.mark.parametrize(
    ("whitespace", "space"),
    [("compact", ""), ("spaced", None), (r"\r?\n{0,2}", r"\r?\n{0,2}"), (r"(?! {3})[ \n]{0,3}", r"(?! {3})[ \n]{0,3}")],
)
def test_whitespace(whitespace: str, space: str | None) -> None:
    value = Object([("a", Array(numbers(integer())), True)], extra=string())
    machine, root = _machine(value, whitespace)
    for seed in range(6):
        rng = random.Random(seed)
        matcher, text = machine.matcher(), b""
        while not matcher.is_terminated():
            allowed = mask_of(matcher, VOCABULARY)
            assert allowed == accepted_ids(matcher, VOCABULARY), text
            ends = [token for token in allowed if (VOCABULARY.tokens[token] or b'"')[:1] in b'"]},']
            token = rng.choice(ends if ends and rng.random() < 0.5 else allowed)
            assert matcher.accept_token(token)
            text += VOCABULARY.tokens[token] or b""
        if space is not None:
            assert accepts(root, text, space), text
        else:
            assert accepts(root, text, " ?"), text
