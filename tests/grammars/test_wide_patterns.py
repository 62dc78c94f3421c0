r"""Patterns whose sets of positions are many: "anything, x, exactly n", names with counts in counts and look-aheads.

Masks must be made in time, and tell what Python's `re` tells; an end is found from every place.
"""

from __future__ import annotations

import json
import random
import re
import time

import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.protocol import Matcher
from tests.grammars.vocabularies import mask_of, vocabulary_of

SECONDS = 0.25  # of processor time, for one mask

PIECES = [
    "ab",
    "www",
    "TODO",
    "xx",
    ".c",
    "..",
    "a.b",
    "/a",
    "//",
    "-a",
    "--",
    "9.",
    "x.y.z",
    "@",
    " a",
    '."',
    '/"',
    'a"',
    "é.",
    "01",
]
LONGER = [char * count for char in ".-/" for count in (7, 64, 128)]
VOCABULARY = vocabulary_of(
    *[bytes([byte]) for byte in range(256)],
    *[(first + second).encode() for first in PIECES for second in ["", *PIECES]],
    *[text.encode() for text in LONGER],
)

HOSTS = {
    r"^(?!.*//)(?=.{1,200}$)((.{1,60}\.){1,100}(?![0-9]*$)[a-z0-9-]+\.?)$": "a.bc.e9",
    r"^(?=.{1,253}$)(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*$": "a-b.www.c",
    r"^(?=.{1,255}$)[0-9a-z]([0-9a-z-]{0,61}[0-9a-z])?(\.[0-9a-z]([0-9a-z-]{0,61}[0-9a-z])?)*\.?$": "x.y.z.",
    r"^(?!.{256})(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$": "ab.x-x.ab",
    r"^(?=.{4,253}$)([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$": "ab.9x.ab",
    r"^((?=.{1,63}\.)[a-z0-9]([a-z0-9-]*[a-z0-9])?\.){1,10}(?=.{2,24}$)[a-z]+$": "www.x.abc",
    r"^(?!.*\.\.)(?!.*--)(?=.{3,63}$)[a-z0-9][a-z0-9.-]*[a-z0-9]$": "ab.c-a9",
    r"^(?=.{1,300}$)(?!.*//)(/[A-Za-z0-9._-]{1,64}){1,50}/?$": "/ab/a..b/",
    r"^(?=.{1,254}$)(?=.{1,64}@)[a-z0-9]+([._-][a-z0-9]+)*@([a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$": "ab.c@x-x.y.ab",
    r"^(?!.*[._-]{2})(?=.{1,100}$)([a-z0-9]{1,20}[._-]){0,20}[a-z0-9]{1,20}$": "ab.c-a9",
    r"^(?=.{1,200}$)(?!.*\.\.)([^/]{1,40}/){1,60}[^/]{1,40}$": "ab/c d/é",
    r"^(?!.*(?:admin|root))(?=.{3,180}$)(.{1,50}-){1,60}(?!.*\d$)[a-z0-9]+$": "x- -a",
    r"^(?=.{2,120}$)((.{1,30},){1,40}(?![a-z]*$)[a-z0-9]+)$": "a,b c,,9a",
    r"^(?!.*  )(?=.{1,150}$)(\S{1,20} ){0,60}\S{1,20}$": "ab www x.y",
}
SUFFIXES = {
    r"^[\s\S]*x[\s\S]{200}$": "xa\nxx",
    r"^.*TODO.{40}$": "a TODO TOTODOx",
    r"^[a-z]*x[a-z]{20}$": "abxaxxxab",
    r"^(?=.*[0-9])[\s\S]*a.{100}$": "aab9a",
    r"^(?!.*--).*(ab|ba).{60}$": "abab-ba",
    r"^(.{0,80}x){3}.{50}[a-z]{20}$": "xaxbxcxx",
}
PATTERNS = HOSTS | SUFFIXES


def _tokens(text: str) -> list[int]:
    """Greedy."""
    data, found = text.encode(), list[int]()
    tokens = sorted(
        [(token, number) for number, token in enumerate(VOCABULARY.tokens) if token], key=lambda one: -len(one[0])
    )
    while data:
        token, number = next((token, number) for token, number in tokens if data.startswith(token))
        found.append(number)
        data = data[len(token) :]
    return found


def _timed_mask(matcher: Matcher) -> set[int]:
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    start = time.process_time()
    matcher.fill_bitmask(bitmask)
    seconds = time.process_time() - start
    assert seconds < SECONDS
    return set(mask_of(matcher, VOCABULARY))


def _ended(matcher: Matcher) -> bytes:
    return b"".join([VOCABULARY.tokens[token_id] or b"" for token_id in matcher.find_shortest_completion()])


def _check_along(matcher: Matcher, pattern: str, text: str, *, is_json: bool) -> None:
    """Masks in time, true to what tokens do; and an end from each place that `re` finds right."""
    rng, written = random.Random(1), b""
    short = [token_id for token_id in range(256, VOCABULARY.size) if len(VOCABULARY.tokens[token_id] or b"") < 9]
    for place, token_id in enumerate(
        token_ids := _tokens(json.dumps(text, ensure_ascii=False)[:-1] if is_json else text)
    ):
        mask = _timed_mask(matcher)
        for tried in [*rng.sample(short, 4), *rng.choices(sorted(mask.intersection(short)) or short, k=2)]:
            if VOCABULARY.tokens[tried]:
                assert matcher.fork().accept_token(tried) == (tried in mask), (written, VOCABULARY.tokens[tried])
        assert matcher.accept_token(token_id), written
        written += VOCABULARY.tokens[token_id] or b""
        if place not in (0, len(token_ids) - 1):
            continue
        whole = (written + _ended(matcher)).decode()
        assert re.fullmatch(pattern, json.loads(whole) if is_json else whole), whole


def test_there_are_twenty_patterns() -> None:
    assert len(PATTERNS) == 20


@pytest.mark.parametrize("pattern", PATTERNS)
def test_strings_of_wide_patterns(pattern: str) -> None:
    grammar = compile_grammar(VOCABULARY, json_schema={"type": "string", "pattern": pattern}, cache=None)
    _check_along(grammar.matcher(), pattern, PATTERNS[pattern], is_json=True)


@pytest.mark.parametrize("pattern", SUFFIXES)
def test_texts_of_wide_patterns(pattern: str) -> None:
    grammar = compile_grammar(VOCABULARY, regex=pattern, cache=None)
    _check_along(grammar.matcher(), pattern, PATTERNS[pattern], is_json=False)


@pytest.mark.parametrize(
    ("name", "pattern", "text"),
    [
        ("email", "@", "ab.c@www.a.b"),
        ("email", "^.*?@.*.*$", "a@[IPv6:1::"),
        ("hostname", "^.*e.*$", "www.xx.e9-a"),
        ("uri", "^.*//.*$", "a://www.a.b/x"),
    ],
)
def test_a_format_beside_a_wide_pattern(name: str, pattern: str, text: str) -> None:
    """A thread may have no text, like one of `.*@.*` that waits for the `@` in a host name. To know it takes long."""
    schema = {"type": "string", "format": name, "pattern": pattern}
    matcher = compile_grammar(VOCABULARY, json_schema=schema, cache=None).matcher()
    for token_id in _tokens(json.dumps(text, ensure_ascii=False)[:-1]):
        assert token_id in _timed_mask(matcher)
        assert matcher.accept_token(token_id)
    whole = json.loads(json.dumps(text, ensure_ascii=False)[:-1] + _ended(matcher).decode())
    assert whole.startswith(text)
    assert re.search(pattern, whole)
