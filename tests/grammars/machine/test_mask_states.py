"""Counts beside lookarounds and overlapping classes: long texts of ordinary English, with few states and fast masks."""

from __future__ import annotations

import json
import random
import re
import time
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.protocol import Matcher
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import python_re
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.vocabularies import mask_of

ENGLISH = re.findall(
    r"\w+",
    "it was a bright cold day in april and the clocks were striking thirteen as winston smith slipped in",
)
WORDS = sorted({*ENGLISH, *[" " + word for word in ENGLISH], "é", " é", "ad", "min", "12", "123456", ", ", ". ", "  "})
VOCABULARY = Vocabulary(
    [*[bytes([byte]) for byte in range(256)], *[word.encode() for word in WORDS], None], [256 + len(WORDS)]
)
NUMBERS = {word: 256 + number for number, word in enumerate(WORDS)}
MOST_MASK_S = 0.25
LONG = 3000


def text_of(num_characters: int, first: str = "", between: str = " ") -> list[str]:
    """Tokens of ordinary English."""
    rng, tokens = random.Random(1), [first] if first else []
    while sum(map(len, tokens)) < num_characters:
        word = rng.choice(ENGLISH)
        tokens += [between + word] if between + word in NUMBERS and tokens else [*between * bool(tokens), word]
    return tokens


def walked(grammar: dict[str, Any], tokens: list[str], start: bytes = b"") -> Matcher:
    """The matcher of a grammar after a text. Masks on the way have the next token, and take little time."""
    matcher = compile_grammar(VOCABULARY, **grammar, cache=None).matcher()
    assert all(map(matcher.accept_token, start))
    for number, token in enumerate(tokens):
        begin = time.thread_time()
        is_looked_at = number % 9 == 0 or number > len(tokens) - 30
        mask = mask_of(matcher, VOCABULARY) if is_looked_at else [NUMBERS.get(token, ord(token[0]))]
        assert time.thread_time() - begin < MOST_MASK_S, (grammar, number)
        assert NUMBERS.get(token, ord(token[0])) in mask
        assert matcher.accept_token(NUMBERS.get(token, ord(token[0])))
    return matcher


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(?!.*admin)(\w+ ?){1,4000}", r"[\w ]{1,3100}(?<! )", r"(?=.{5,3100}$)(?!.*admin)[\w ]*[a-z]"),
        *(r"(?=.*bright)(?!.*foo)[\w ]{20,3100}", r"(\w+(?:, | )?){1,3000}(?<!;)", r"(?=.{5,4000}$)(\w+ )*\w+"),
        *(r"[a-z ]{1,2000}[a-z ]{50,3000}[\w ]{1,900}", r"(?!\d)[\w ]{1,3100}(?<![ ,])", r".{0,1600}it.{0,3000}"),
        *(r"(?!.*  )[\w ]{1,3100}", r"(?=[\w ]{1,3100}$)(?!.*(admin|root))(\w{1,20} ?)*", r"(?s).{1,4000}(?<!\n)"),
    ],
)
def test_long_texts_of_patterns(pattern: str) -> None:
    walked({"regex": pattern}, text_of(LONG))


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": r"^(?!.*admin)(\w+ ?){1,4000}$"},
        {"pattern": r"^[\w ]{1,3100}(?<! )$"},
        {"pattern": r"^(?=.{5,3100}$)(\w+ )*\w+$", "minLength": 20},
        {"allOf": [{"pattern": r"^[\s\S]{1,4000}$"}, {"pattern": "^(?!.*admin)"}]},
        {"maxLength": 3100, "not": {"pattern": "admin"}},
        {"minLength": 5, "maxLength": 3100, "pattern": r"^[a-z].*[a-z ]$"},
        {"anyOf": [{"pattern": r"^[a-z ]{1,3200}$"}, {"maxLength": 50, "pattern": "^[A-Z]"}]},
        {"pattern": r"^[\w ]{1,1700}[a-z ]{100,3000}[\w ]{3,500}$"},
    ],
    ids=str,
)
def test_long_texts_of_strings(schema: dict[str, Any]) -> None:
    walked({"json_schema": {"type": "string", **schema}}, text_of(LONG), b'"')


def test_overlapping_counts_of_letters_and_digits() -> None:
    pattern = r"\w{1,900}[0-9]{100,900}\w{3,500}"
    matcher = walked({"regex": pattern}, [*text_of(700, between="x"), *["123456"] * 80, *text_of(400, between="x")])
    assert matcher.is_accepting()


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"[a-z]{1,90}\d{60,90}\w{3,70}", r".*a.{90}", r".*a.{0,90}", r"(?!.*aab)(\w+ ){1,70}", r"[ab ]{1,90}(?<! )"),
        *(r"(?=.{5,90}$)(\w+ )*a+", r"([ab]{1,60};){50,60}", r"(?=.*;)[ab;]{60,90}", r"é{70,90}a|[éa]{80,100}b"),
        *(r"(?:ab|a){60,70}(?<!ba)", r"(?:(a|b ){1,9};?){50,60}", r"(?=a{0,60}b)[ab]{70,}"),
    ],
)
def test_masks_near_bounds_are_those_of_derivatives(pattern: str) -> None:
    """Bounds are further away than the longest token and MOST_LEFT; `language` is read by the algebra."""
    tokens = ["ab", "ba", "aaaa", "a ", "12", "é", ";", "b;", "a", "b", " ", "1"]
    vocabulary = Vocabulary([*[bytes([byte]) for byte in range(256)], *[one.encode() for one in tokens], None], [268])
    language, rng = python_re.full(pattern), random.Random(pattern)
    matcher, length = compile_grammar(vocabulary, regex=pattern, cache=None).matcher(), 0
    while length < 150 and not lang.is_empty(language):
        mask = mask_of(matcher, vocabulary)
        assert (268 in mask) == language.nullable
        after = {number: lang_after(language, token) for number, token in enumerate(tokens, 256)}
        live = [number for number, rest in after.items() if not lang.is_empty(rest)]
        assert [number for number in mask if 256 <= number < 268] == live, (pattern, length)
        if not live:
            break
        number = rng.choice(live[:3])
        assert matcher.accept_token(number)
        length, language = length + len(tokens[number - 256]), after[number]


def lang_after(language: lang.Language, text: str) -> lang.Language:
    for char in text:
        language = language.step(ord(char))
    return language


@pytest.mark.parametrize("pattern", ["^(?=.*\u00e9)(.1){0,60}[^1]+$", "^(?=.*z)(?=.{1,150}$)[^1]+$"])
def test_rows_inside_a_character_that_was_read_byte_by_byte(pattern: str) -> None:
    """The state after two of three bytes was made without the row of the state before, so its product was not settled.

    Its row then led to the texts of one part of the product alone, for all later texts too.
    """
    vocabulary = Vocabulary([*[bytes([byte]) for byte in range(256)], None], [256])
    grammar = compile_grammar(vocabulary, json_schema={"type": "string", "pattern": pattern}, cache=None)
    for begun in ("\uc900", "xx\uc900"):
        matcher, written = grammar.matcher(), f'"{begun}'.encode()
        assert all(matcher.accept_token(byte) for byte in written[:-1])
        completion = vocabulary.join(matcher.find_shortest_completion(thorough=True))
        assert re.search(pattern, json.loads(written[:-1] + completion))
        assert matcher.accept_token(written[-1])
        assert not matcher.accept_token(ord('"'))
