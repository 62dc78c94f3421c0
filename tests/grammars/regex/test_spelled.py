"""Languages in JSON strings: a text is in one exactly if what `json` writes for it is in its spelling."""

from __future__ import annotations

import json
import random

import pytest

from guided.grammars.ebnf.substrings import substrings
from guided.grammars.limits import Limits
from guided.grammars.quote_sources import QuoteRequest, read_quote, read_sources
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import python_re
from guided.grammars.regex.spelled import JSON_ESCAPES, spelled

ANY_STRING = spelled(lang.ANYTHING, JSON_ESCAPES)


def in_json_string(language: lang.Language) -> lang.Language:
    return spelled(language, JSON_ESCAPES)


def written(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


@pytest.mark.parametrize(
    "pattern",
    [
        r'(?:a|"|\\|\n|é)*',
        r"[^x]{0,3}\t?",
        r'(?!ab)[a-z"\n]*',
        r".*\bfoo\b.*",
        r'abc|"q"|x\\y',
        r"(?s).*\x01.*|\U0001f600",
    ],
)
def test_random_texts(pattern: str) -> None:
    language, rng = python_re.full(pattern), random.Random(1)
    found = in_json_string(language)
    for _ in range(400):
        text = "".join(rng.choice('ab"\\\n\té foo\x01') for _ in range(rng.randrange(6)))
        assert lang.matches(found, written(text)) == lang.matches(language, text)
        other = "".join(rng.choice('ab"\\nu001') for _ in range(rng.randrange(7)))
        try:
            read = json.loads(f'"{other}"')
        except ValueError:
            assert not lang.matches(ANY_STRING, other)
            continue
        is_canonical = written(read) == other
        assert lang.matches(found, other) == (is_canonical and lang.matches(language, read))
        assert lang.matches(ANY_STRING, other) == is_canonical


def test_an_automaton_from_outside() -> None:
    """Of quotes, and of chunks in a row."""
    sources = read_sources({"mail": 'She said "no" to \\ all'}, Limits())
    quote = read_quote({"source": "mail"}, sources)
    assert sources is not None
    assert isinstance(quote, QuoteRequest)
    assert in_json_string(sources.language(quote)).is_transient
    found = in_json_string(substrings(["a\n", '"b"', "\\"]))
    for text, is_there in (("a\n", True), ('"b"\\', True), ("a", False), ("", True), ("\\\\", False)):
        assert lang.matches(found, written(text)) == is_there
