"""Regexes made to cost much: typed errors within the limits or masks in time, never a hang."""

from __future__ import annotations

import time

import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidRegexError, LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.protocol import Matcher
from tests.grammars.vocabularies import byte_vocabulary

VOCABULARY = byte_vocabulary()
LIMITS = Limits(max_automaton_states=400, max_compile_seconds=3, max_mask_seconds=2, max_regex_bytes=100_000)
SECONDS = 20
"""Far more than any takes, for machines that do other things besides."""

PATTERNS = {
    "a large count": "a{1000000}",
    "a larger count": "(?:ab|c){100000000}",
    "a count of no end": "a{" + "9" * 40 + "}",
    "counts in counts": "(((a{1000}){1000}){1000}){1000}",
    "counts with bounds": "(?:(?:a{2,1000}b?){2,1000}){2,1000}",
    "optional ones": "(?:a?){5000}a{5000}",
    "stars in stars": "(((a+)+)+)+",
    "deep stars": "(" * 60 + "a" + "+)" * 60,
    "catastrophic": "(x+x+)+y|(a|aa)+b|(.*)(.*)(.*)(.*)=",
    "an exponential DFA": "(a|b)*a(a|b){30}",
    "lookaheads that count": "(?=(a|b)*a(a|b){20})(?=(a|b)*b(a|b){19}).*",
    "a negated exponential DFA": "(?!(a|b)*a(a|b){20}$)[ab]*",
    "assertions in loops": r"(?:(?:\ba?){20}){20}",
    "empty rounds": "(?:a*){1000000}",
    "nested groups": "(" * 5000 + ")" * 5000,
    "many characters": "ab" * 60_000,
}


def _write(matcher: Matcher, num_tokens: int) -> None:
    """Follow the grammar for some tokens: b, a, b, ..., or what is allowed instead."""
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    for index in range(num_tokens):
        matcher.fill_bitmask(bitmask)
        wanted = [ord("ab"[(index + shift) % 2]) for shift in (1, 2)]
        taken = next((token for token in wanted if bitmask[0, token >> 5] >> (token & 31) & 1), None)
        if taken is None:
            return
        assert matcher.accept_token(taken)


@pytest.mark.parametrize("name", PATTERNS)
def test_the_limits_hold(name: str) -> None:
    start, message = time.process_time(), ""
    try:
        _write(compile_grammar(VOCABULARY, regex=PATTERNS[name], limits=LIMITS, cache=None).matcher(), 60)
    except (LimitExceededError, InvalidRegexError) as error:
        message = str(error)
    assert len(message) < 1000
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a count of no end", InvalidRegexError),
        ("nested groups", InvalidRegexError),
        ("assertions in loops", InvalidRegexError),
        ("many characters", LimitExceededError),
    ],
)
def test_refused(name: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        compile_grammar(VOCABULARY, regex=PATTERNS[name], limits=LIMITS, cache=None)


@pytest.mark.parametrize("name", ["a large count", "a larger count", "counts in counts", "stars in stars"])
def test_large_counts_are_taken(name: str) -> None:
    matcher = compile_grammar(VOCABULARY, regex=PATTERNS[name], limits=LIMITS, cache=None).matcher()
    for _ in range(60):
        assert matcher.accept_token(ord("a")) or matcher.accept_token(ord("b"))
