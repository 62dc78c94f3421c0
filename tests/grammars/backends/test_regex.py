"""Python `re` syntax as trees: the same language as `re.fullmatch` and `re.search`, or a refusal with its position."""

from __future__ import annotations

import itertools
import re
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.grammars.backends.regex.anchors import full_match, search
from guided.grammars.backends.regex.automaton_size import measure
from guided.grammars.backends.regex.parser import parse
from guided.grammars.backends.regex.rust import MAX_DEPTH, to_rust
from guided.grammars.backends.regex.syntax import (
    EMPTY,
    EPSILON,
    Repeat,
    Sequence,
    Text,
    chars,
    optional,
    repeat,
    sequence,
    union,
)
from guided.grammars.backends.regex.utf8 import first_byte, num_inner_states
from guided.grammars.errors import InvalidRegexError, LimitExceededError, UnsupportedGrammarError
from guided.grammars.limits import Limits
from guided.grammars.regex import charset as cs
from tests.grammars.backends.regex_matching import fits

PATTERNS = (
    "",
    "a|ab|",
    "(a|ab)(c|bcd)?",
    "a{2}b{1,}c{,2}",
    "a{,}",
    "a{x}{2",
    "a{1",
    "(?:ab)*?c+?",
    "(?P<name>a)b",
    "a(?#comment)*b",
    "(?#c)a",
    "^a$|^b",
    r"\Aab\Z",
    "^(a|b)$",
    "(^a|^b)c?",
    "()*a",
    "[]a]b",
    "[^]a]",
    "[a-c-]",
    "[-a]",
    "[a-]",
    "[--a]",
    r"[\]\-\\]",
    r"[\d\s_]",
    r"[^\w]",
    r"\D\S\W",
    r"\x61\u0062\U00000063\141\0",
    r"\N{LATIN SMALL LETTER A}",
    r"[\b\n]",
    r"\.\*\/\-\é",
    ".",
    "[[a]",
    "é|日",
    "]}",
    "a|(b|(c|d))",
    "(a?){3}b",
    "[a-z&&b]",
)
REFUSED = (
    ("a(?=b)", "lookahead", 1),
    ("(?!a)", "negative lookahead", 0),
    ("a(?<=b)", "lookbehind", 1),
    ("(?>a)", "atomic", 0),
    ("(a)(?(1)b|c)", "conditional", 3),
    ("(?P<a>b)(?P=a)", "backreference", 8),
    (r"(a)\1", "backreference", 3),
    (r"a\b", "word boundary", 1),
    (r"\Ba", "word boundary", 0),
    ("(?i)a", "inline flags", 0),
    ("(?s:a)", "inline flags", 0),
    ("a*+", "possessive", 2),
    ("a++", "possessive", 2),
    ("a**", "multiple repeat", 2),
    ("a{2}{3}", "multiple repeat", 4),
    ("*a", "nothing to repeat", 0),
    ("a|+", "nothing to repeat", 2),
    ("(?:*)", "nothing to repeat", 3),
    ("^*", "nothing to repeat", 1),
    ("a{3,2}", "min repeat", 1),
    ("a{99999999999}", "too large", 1),
    ("(a", "unterminated subpattern", 0),
    ("a)", "unbalanced", 1),
    ("[a", "unterminated character set", 0),
    ("[]", "unterminated character set", 0),
    ("[b-a]", "bad character range b-a", 1),
    (r"[a-\d]", "bad character range", 1),
    (r"\q", "bad escape", 0),
    (r"\x6", "2 hexadecimal digits", 0),
    (r"\u00g0", "4 hexadecimal digits", 0),
    (r"\ud800", "UTF-8", 0),
    (r"\U00110000", "UTF-8", 0),
    ("\ud800", "surrogate", 0),
    (r"\N{NO SUCH NAME}", "undefined character name", 0),
    (r"[\777]", "bad octal", 1),
    ("a\\", "the pattern ends", 2),
    ("(?", "the pattern ends", 2),
    ("(?P<1>a)", "bad group name", 4),
    ("(?P<a>b)(?P<a>c)", "used twice", 12),
    ("(?#", "unterminated comment", 0),
    ("a^", "only at the very start", 1),
    ("$a", "only at the very end", 0),
    ("(?:^a)*", "only at the very start", 3),
    ("(" * 41 + ")" * 41, "nested groups", 40),
)
ALPHABET = "abcd0 _]-\\\n\b\x00é日.*/{1x&["


@pytest.mark.parametrize("pattern", PATTERNS)
def test_same_language_as_re_fullmatch(pattern: str) -> None:
    expected = re.compile(pattern) if not pattern.startswith("[[") and "&&" not in pattern else _literal_set(pattern)
    node = full_match(pattern, parse(pattern))
    for text in itertools.chain.from_iterable(map("".join, itertools.product(ALPHABET, repeat=n)) for n in range(3)):
        assert fits(node, text) == bool(expected.fullmatch(text)), repr(text)
    for text in ("aabcc", "abc", "aab", "abcd", "ababc", "aaab", "abbcd", "a{x}{2", "{{x}{2", "aabbb"):
        assert fits(node, text) == bool(expected.fullmatch(text)), repr(text)


def _literal_set(pattern: str) -> re.Pattern[str]:
    """`re` warns of sets that a later version may read otherwise; it reads them literally, as this does."""
    with pytest.warns(FutureWarning):
        return re.compile(pattern)


@pytest.mark.parametrize(
    "pattern", ["a", "^a", "a$", "^a$", "^a|b$", "(^a|b$)", "^(a|b)$", "", "^", "$", "a*", "^[^b]*$", r"\d"]
)
def test_same_language_as_re_search(pattern: str) -> None:
    node = search(pattern, parse(pattern))
    for text in itertools.chain.from_iterable(map("".join, itertools.product("ab0\x00é", repeat=n)) for n in range(5)):
        assert fits(node, text) == bool(re.search(pattern, text)), repr(text)


@pytest.mark.parametrize(("pattern", "reason", "position"), REFUSED)
def test_refused_with_reason_and_position(pattern: str, reason: str, position: int) -> None:
    with pytest.raises(InvalidRegexError, match=re.escape(reason)) as caught:
        full_match(pattern, parse(pattern))
    assert caught.value.position == position
    assert caught.value.pattern == pattern


@pytest.mark.parametrize("pattern", ["(^a|b)c", "(?:^a)?b", "a^b"])
def test_search_refuses_anchors_inside(pattern: str) -> None:
    with pytest.raises(InvalidRegexError, match="anchor"):
        search(pattern, parse(pattern))


_ATOMS = st.sampled_from(["a", "b", "é", ".", "[ab]", "[^a]", r"\d", "(?:ab|a)", "(b?)", "", "(?:)", "[b-é]"])
_PIECES = st.builds(str.__add__, _ATOMS.filter(bool), st.sampled_from(["", "*", "+?", "?", "{2}", "{0,2}", "{1,}"]))
_PATTERNS = st.lists(st.lists(_PIECES, max_size=4).map("".join), min_size=1, max_size=3).map("|".join)


@settings(max_examples=60, deadline=None)
@given(_PATTERNS, st.text("ab1é\n", max_size=6))
def test_random_patterns(pattern: str, text: str) -> None:
    node = full_match(pattern, parse(pattern))
    assert fits(node, text) == bool(re.fullmatch(pattern, text))
    assert fits(search(pattern, parse(pattern)), text) == bool(re.search(pattern, text))


@settings(max_examples=60, deadline=None)
@given(st.text("ab^$|()[]{}*+?\\.,-:<>=!P1dbx#é", max_size=8))
def test_anything_parses_as_re_does_or_is_refused(pattern: str) -> None:
    try:
        full_match(pattern, parse(pattern))
    except InvalidRegexError as error:
        is_inside = error.position is not None and 0 <= error.position <= len(pattern)
    else:
        is_inside = True
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            re.compile(pattern)
    assert is_inside


def test_charset_operations() -> None:
    letters, digits = cs.from_ranges([(97, 122)]), cs.from_ranges([(48, 57)])
    assert cs.union(digits, letters, digits) == ((48, 57), (97, 122))
    assert cs.from_ranges([(5, 9), (1, 4), (3, 6)]) == ((1, 9),)
    assert cs.complement(cs.ALL) == cs.NONE
    assert cs.complement(cs.NONE) == cs.ALL
    assert cs.intersection(letters, cs.from_chars("az1")) == ((97, 97), (122, 122))
    assert cs.difference(letters, cs.from_ranges([(98, 122)])) == cs.single("a")
    assert cs.from_ranges([(0xD7FF, 0xE000)]) == ((0xD7FF, 0xD7FF), (0xE000, 0xE000))
    assert cs.single("\ud900") == cs.NONE


@pytest.mark.parametrize("letter", ["d", "w", "s"])
def test_python_classes_are_those_of_re(letter: str) -> None:
    members = {code for low, high in cs.python_class(letter) for code in range(low, high + 1)}
    for code in (*range(0x3000), *range(0xD000, 0xD800), *range(0xE000, 0x11000), 0x1D7CE, 0x10FFFF):
        assert (code in members) == bool(re.match(f"\\{letter}", chr(code)))


@pytest.mark.parametrize(
    ("pattern", "members", "others"),
    [
        (r"\d", "09", "٣a"),
        (r"\D", "aé", "0٣"),
        (r"\w", "a_Z9", "é-"),
        (r"\W", "-\n", "aé"),
        (r"\s", " \t\u2003\xa0", "\x1f\ufeff\x85a"),
        (r"\S", "aé", " \x1f\ufeff\x85"),
        (".", "aé", "\n\r\u2028"),
        (r"[^\d.]", "aé", "0٣."),
        (r"[\d\sé]", "0 é", "٣a"),
    ],
)
def test_classes_that_two_flavors_agree_on(pattern: str, members: str, others: str) -> None:
    node = parse(pattern, ("python", "ecma"))
    assert [char for char in members if not fits(node, char)] == []
    assert [char for char in others if fits(node, char)] == []


def test_constructors_leave_no_dead_branch() -> None:
    a = Text("a")
    assert sequence(a, EMPTY) is EMPTY
    assert union([EMPTY, a]) is a
    assert union([]) is EMPTY
    assert repeat(EMPTY, 0, None) is EPSILON
    assert repeat(EMPTY, 1, 2) is EMPTY
    assert repeat(a, 2, 1) is EMPTY
    assert repeat(a, 0, 0) is EPSILON
    assert optional(EPSILON) is EPSILON
    assert chars(cs.NONE) is EMPTY
    joined = sequence(a, Sequence((Text("b"), Repeat(a, 0, None))), EPSILON)
    assert isinstance(joined, Sequence)
    assert isinstance(joined.parts[0], Text)
    assert joined.parts[0].text == "ab"


def test_first_byte_is_that_of_utf8() -> None:
    for code in (0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF):
        assert first_byte(code) == chr(code).encode()[0]


@pytest.mark.parametrize(
    ("ranges", "num_states"),
    [
        ([(0, 0x7F)], 0),
        ([(0x80, 0x7FF)], 1),
        ([(0xE9, 0xE9)], 1),
        ([(0xE9, 0xE9), (0x169, 0x169)], 1),
        ([(0xE0, 0xE9), (0x150, 0x159)], 2),
        ([(0x20, 0xD7FF), (0xE000, 0x10FFFF)], 7),
    ],
)
def test_states_inside_characters(ranges: list[tuple[int, int]], num_states: int) -> None:
    assert num_inner_states(cs.from_ranges(ranges)) == num_states


ONE_TOKEN_A_BYTE = np.zeros((256, 257), dtype=np.int64)
ONE_TOKEN_A_BYTE[:, 256] = 1


@pytest.mark.parametrize(
    ("pattern", "num_states", "num_entries"),
    [
        ("a", 2, 1),
        ("ab|ac", 3, 3),
        ("(?:ab)*", 2, 2),
        ("[a-c]{3}", 4, 9),
        ("(a|b)*a(a|b){3}", 16, 32),
        ("é", 3, 1 + 64),
        ("", 1, 0),
    ],
)
def test_automaton_size(pattern: str, num_states: int, num_entries: int) -> None:
    """States are those of the subset construction; entries in a multi-byte character are counted from above."""
    size = measure(full_match(pattern, parse(pattern)), ONE_TOKEN_A_BYTE, Limits())
    assert size.num_states == num_states
    assert size.num_entries == num_entries


@pytest.mark.parametrize(
    ("pattern", "limit"),
    [
        ("(a|b)*a(a|b){30}", "max_automaton_size"),
        ("(((a{1000}){1000}){1000}){1000}", "max_automaton_size"),
        ("(?:a?){20000}", "max_automaton_size"),
        ("[a-z]{1000}", "max_index_entries"),
        ("a{2000}", "max_index_steps"),
    ],
)
def test_hostile_patterns_meet_a_limit(pattern: str, limit: str) -> None:
    limits = Limits(max_automaton_size=50_000, max_index_entries=10_000, max_index_steps=300_000)
    with pytest.raises(LimitExceededError) as caught:
        measure(full_match(pattern, parse(pattern)), ONE_TOKEN_A_BYTE, limits)
    assert caught.value.limit == limit


def test_many_sets_of_characters_meet_a_limit() -> None:
    pattern = "".join(f"[{chr(0x4E00 + i)}-{chr(0x9000 + i)}]" for i in range(600))
    with pytest.raises(LimitExceededError, match="sets of characters"):
        measure(full_match(pattern, parse(pattern)), ONE_TOKEN_A_BYTE, Limits(max_automaton_size=10_000))


def test_printed_pattern_is_bounded() -> None:
    node = repeat(Text("abc"), 2, 2)
    assert to_rust(node, Limits()) == "(?:abc){2,2}"
    assert to_rust(sequence(Text("a.\n"), chars(cs.from_chars("]x"))), Limits()) == r"a\x{2E}\x{A}[\x{5D}x]"
    with pytest.raises(LimitExceededError, match="max_regex_bytes"):
        to_rust(node, Limits(max_regex_bytes=10))
    for _ in range(MAX_DEPTH):
        node = repeat(sequence(node, Text("x")), 0, 2)
    with pytest.raises(UnsupportedGrammarError, match="nests deeper"):
        to_rust(node, Limits())


@pytest.mark.parametrize(("letter", "last"), [("s", cs.LAST_WHITESPACE), ("d", cs.LAST_LETTER), ("w", cs.LAST_LETTER)])
def test_no_member_of_a_python_class_comes_after_the_last_that_is_asked(letter: str, last: int) -> None:
    rest = "".join(map(chr, range(max(last + 1, cs.LAST_SURROGATE + 1), sys.maxunicode + 1)))
    assert re.search(f"\\{letter}", rest) is None
    middle = "".join(map(chr, range(last + 1, cs.FIRST_SURROGATE)))
    assert re.search(f"\\{letter}", middle) is None
