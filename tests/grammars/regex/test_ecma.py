"""ECMA-262 patterns against Python's `re` where both agree, and a table where they differ."""

from __future__ import annotations

import inspect
import itertools
import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.grammars.errors import InvalidRegexError
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import ecma
from tests.examples import examples

TEXTS = ["".join(letters) for n in range(5) for letters in itertools.product("ab-", repeat=n)]

LINES = ["".join(letters) for n in range(5) for letters in itertools.product("a-\n", repeat=n)]

ATOMS = ["a", "b", "-", "ab", ".", "[ab]", "[^a]", r"\w", r"\W", "[a-b-]", r"\-", "(a|b-)", "(?:)"]
ASSERTIONS = ["^", "$", r"\b", r"\B"]
QUANTIFIERS = ["", "*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "*?", "??"]


def patterns(with_assertions: bool) -> st.SearchStrategy[str]:
    """Small patterns that mean the same to ECMA-262 and to `re` on texts without line ends."""
    atoms = st.sampled_from(ATOMS + ASSERTIONS if with_assertions else ATOMS)

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        group = st.builds("(?:{}){}".format, inner, st.sampled_from(QUANTIFIERS))
        joined = st.lists(inner, min_size=1, max_size=3).map("".join)
        either = st.builds("(?:{}|{})".format, inner, inner)
        if not with_assertions:
            return group | joined | either
        ahead = st.builds("(?{}{})".format, st.sampled_from("=!"), inner)
        fixed = st.sampled_from(["a", "b", "-", "ab", "[ab]", "[^a]b", "^", "^a", "(?:a|-)", "(?<!a)b"])
        back = st.builds("(?<{}{})".format, st.sampled_from("=!"), fixed)
        return group | joined | either | ahead | back

    return st.recursive(atoms, grow, max_leaves=6)


def assert_same(pattern: str) -> None:
    python = pattern.replace("$", r"\Z").replace(r"\B", r"(?!\b)")  # before 3.14, \B is not found in ""
    compiled = re.compile(python, re.ASCII)
    search, full = ecma.search(pattern), ecma.full(pattern)
    for text in TEXTS:
        assert lang.matches(search, text) == (compiled.search(text) is not None), (pattern, text)
        assert lang.matches(full, text) == (compiled.fullmatch(text) is not None), (pattern, text)


@settings(max_examples=examples(80), deadline=None)
@given(patterns(False))
def test_plain_patterns_against_re(pattern: str) -> None:
    assert_same(pattern)


@settings(max_examples=examples(120), deadline=None)
@given(patterns(True))
def test_assertions_against_re(pattern: str) -> None:
    assert_same(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "^(?!-)[ab-]{1,3}(?<!-)$",
        "^((?!-)[ab-]{1,3}(?<!-)b)+[ab]{1,2}$",
        r"\bab\b",
        r"\Ba\B",
        r"^\b",
        r"(?:\b|a)+-",
        "^(?=.*a)(?=.*b).{2,}$",
        "^(?:(?!ab).)*$",
        "(^|-)a(-|$)",
        "^a|b$",
        "a^|$b",
        "(?:^a|b)(?:b|a$)",
        "(?=a)*b",
        "(?!a)*b",
        "(?:(?=a)){2}a",
        "(?:(?<=a)b?)*$",
        "(?:^a?){0,100}b",
        "(?<=a)(?<!-a)b",
        "(?<=^a)b",
        "(?<=(?<!a)b)-",
        "(?!(?!a))b|a",
        "(?:.(?<=a$|b))*",
        r"(?:.(?<!a\b|-))*",
        "^(?!(?:.*-){2})",
        "(?:(?:a|(?=b))*b)*-$",
        "a{0}b",
        "(?:a{2}){0,2}b",
        "",
        "^$",
        "$",
        "|a",
        "()",
        "[^]",
    ],
)
def test_assertions(pattern: str) -> None:
    assert_same(pattern.replace("[^]", r"(?:.)"))


@pytest.mark.parametrize(
    ("pattern", "found", "not_found"),
    [
        (r"^\d$", ["7"], ["\u0663", "a"]),
        (r"^\w$", ["_", "Z", "9"], ["\u00e9", "-"]),
        (r"^\W$", ["\u00e9", "-"], ["a"]),
        (r"^\s$", [" ", "\ufeff", "\u2003", "\u2028", "\v"], ["\x1c", "\x85", "a"]),
        (r"^\S$", ["\x1c", "a"], ["\u00a0"]),
        (r"^.$", ["a", "\x85", "\U0001f600"], ["\n", "\r", "\u2028", "\u2029"]),
        (r"^[^]$", ["\n", "a"], ["", "ab"]),
        (r"^a$", ["a"], ["a\n", "\na"]),
        (r"[]", [], ["", "a"]),
        (r"^[\s\S]*$", ["", "\n\U0001f600"], []),
        (r"^\x41\u0042\u{43}\u{1F600}$", ["ABC\U0001f600"], ["ABC"]),
        (r"^\uD83D\uDE00$", ["\U0001f600"], []),
        (r"^[\uD83D\uDE00-\uD83D\uDE4F]$", ["\U0001f601"], ["a"]),
        (r"^[\ud800-\udbff]$", [], ["a", "\U0001f600"]),
        (r"^\cJ\0\t\n\v\f\r$", ["\n\0\t\n\v\f\r"], []),
        (r"^\012[\12\b]$", ["\n\n", "\n\b"], ["\nb"]),
        (r"^\-\_\@\/\.\"\ $", ['-_@/." '], []),
        (r"^a]b}c{d{,e{1f$", ["a]b}c{d{,e{1f"], []),
        (r"^{a}$", ["{a}"], ["a"]),
        (r"^[[:alpha:]]$", ["a]", ":]", "[]"], ["a", "b]"]),
        (r"^[\d-x]$", ["5", "-", "x"], ["a"]),
        (r"^[a\-z]$", ["a", "-", "z"], ["b"]),
        (r"^[a-]$", ["a", "-"], ["b"]),
        (r"^[-a]$", ["a", "-"], ["b"]),
        (r"^(?<year>\d{4})(?:-)(?P<month>\d\d)$", ["2024-05"], ["2024"]),
        (r"^\p{L}\p{Lu}\p{Uppercase_Letter}$", ["\u00e9\u00c9A"], ["eeA", "1AA"]),
        (r"^\p{gc=Nd}\P{General_Category=Decimal_Number}$", ["\u0663a"], ["aa"]),
        (r"^[\p{L}\d]+$", ["\u00e9t\u00e99"], ["\u00e9-"]),
        (r"^[^\P{L}]$", ["\u00e9"], ["9"]),
        (r"^\p{ASCII}\p{Any}$", ["a\n"], ["\u00e9a"]),
        (r"^(?:a(?i:bc)d)$", ["abcd", "aBCd"], ["Abcd", "abcD"]),
        (r"(?i)^stra\u00dfe[k-l]$", ["STRA\u1e9eEK", "stra\u00dfe\u212a"], ["strassek"]),
        (r"(?i)^[^a]$", ["b"], ["A", "a"]),
        (r"(?i)^\w$", ["\u017f"], ["-"]),
        (r"(?m)^a$", ["b\na\nc", "a"], ["ba"]),
        (r"(?s)^.$", ["\n"], ["ab"]),
        (r"^(?s:.)(?-s:.)$", ["\na"], ["a\n"]),
        (r"^a{2}{$", [], []),
        (r"^a{70000}$", ["a" * 70_000], ["a" * 69_999]),
        ("^\u00e9+$", ["\u00e9\u00e9"], ["e"]),
        (r"^[\u0000-\u{10FFFF}]$", ["\U0010ffff"], [""]),
    ],
)
def test_meaning(pattern: str, found: list[str], not_found: list[str]) -> None:
    language = ecma.search(pattern)
    assert [text for text in found if not lang.matches(language, text)] == []
    assert [text for text in not_found if lang.matches(language, text)] == []


@pytest.mark.parametrize(
    ("pattern", "found", "not_found"),
    [
        (r"^\p{Script=Greek}+$", ["\u03b1\u03b2"], ["a"]),
        (r"^\p{sc=Latin}$", ["a"], ["\u03b1"]),
        (r"^\p{Alphabetic}$", ["a", "\u03b1"], ["1"]),
        (r"^\p{Emoji_Presentation}$", ["\U0001f600"], ["a"]),
    ],
)
def test_properties_of_the_regex_package(pattern: str, found: list[str], not_found: list[str]) -> None:
    pytest.importorskip("regex")
    test_meaning(pattern, found, not_found)


@pytest.mark.parametrize(
    ("pattern", "position", "reason"),
    [
        ("a(b", 1, "without its"),
        ("a)b", 1, "without its"),
        ("a[b", 1, "without its"),
        ("*a", 0, "nothing to repeat"),
        ("a**", 2, "nothing to repeat"),
        ("a{2}{3}", 4, "nothing to repeat"),
        ("^*", 1, "nothing to repeat"),
        (r"\b+", 2, "nothing to repeat"),
        ("(?<=a)*", 6, "nothing to repeat"),
        ("a++", 2, "nothing to repeat"),
        ("a{3,2}", 1, "out of order"),
        ("a{,2}", 1, "write {0,n}"),
        ("[b-a]", 1, "below its start"),
        (r"(a)\1", 3, "backreference"),
        (r"(?<n>a)\k<n>", 7, "backreference"),
        (r"(?P<n>a)(?P=n)", 8, "backreference"),
        (r"^a\Z", 2, r"write \$"),
        (r"\Aa", 0, r"write \^"),
        (r"[\a]", 1, "no escape"),
        (r"\p{Foo}", 0, "unknown Unicode property"),
        (r"\p{Script=Foo}", 0, "unknown Unicode property"),
        (r"\pL", 0, "braces"),
        (r"\x1", 0, "incomplete"),
        (r"\u{110000}", 0, "10FFFF"),
        ("a\\", 1, "at the end"),
        ("a(?i)b", 1, "very start"),
        ("(?>a)", 0, "no group"),
        ("(?#a)", 0, "no group"),
        ("(?<n>a)(?<n>b)", 7, "two groups"),
        ("b(?<=a(?=bc)b)", 1, "looks past its end"),
        ("(?:(?=a)b?){100}", 3, "let the group read something, or repeat it less often"),
        ("^x(?:(?=a)b?){100}", 5, "let the group read something, or repeat it less often"),
        ("a{%s}" % ("9" * 5000), 1, "too large"),
        ("(?:" * 8 + r"\bx?" + "){2}" * 8, 3 * 8, "repeated too often"),
        (r"(?:(?:\ba?){20}){20}", 6, "repeated too often"),
        (r"\b" * 150, 0, "too many assertions between which"),
        ("(?<=" + "^a?" * 180 + ")", 4, "too many assertions between which"),
        ("(" * 101 + ")" * 101, 100, "nested"),
        (r"a\b" * 1001, 3001, "assertions"),
    ],
)
def test_errors(pattern: str, position: int, reason: str) -> None:
    with pytest.raises(InvalidRegexError, match=reason) as caught:
        ecma.search(pattern)
    assert (caught.value.pattern, caught.value.position) == (pattern, position)


def test_quantifiers_have_no_largest_number() -> None:
    assert ecma.search("^.{0,4294967295}$") is ecma.full(".{0,4294967295}")
    assert ecma.full("[a-z]{1,99999999999}").max_length == 99999999999
    huge = "9" * 400
    language = ecma.full(f"(?:(?:a*(?!b)c){{{huge}}}|a){{0,{huge}}}(?<=a|ba{{{huge}}})")
    assert lang.matches(language, "aa")
    assert not lang.matches(language, "ac")


@pytest.mark.parametrize(
    ("group", "depth"),
    [("(?:a|b{})*x", 100), ("(?<!a|b{}c)", 100), ("(?<=a|b{}c)", 100), ("(?<=a|b{})", 80), ("(?=a|b{})", 80)],
)
@pytest.mark.parametrize("inner", ["a", "$"])
def test_nested_groups_need_no_deep_stack(group: str, depth: int, inner: str) -> None:
    pattern = inner if "c" not in group else "^"
    for _ in range(depth):
        pattern = group.format(pattern)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 500)
    try:
        ecma.search(pattern)
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize(("pattern", "same"), [("(?<=a(?=b)*)c", "(?<=a)c"), (r"a(?<=(?:[]\b){0})b", "ab")])
def test_a_lookbehind_may_repeat_an_assertion_no_times(pattern: str, same: str) -> None:
    assert ecma.search(pattern) is ecma.search(same)


def test_common_patterns_need_no_machine() -> None:
    assert ecma.search("^[a-z]{1,63}$") is ecma.full("[a-z]{1,63}")
    assert ecma.search("^") is lang.ANYTHING
    assert ecma.search("a*") is lang.ANYTHING
    assert ecma.full("(?:foo|bar)") is lang.words(["foo", "bar"])
    assert ecma.search("^(?!foo$).*$").kind == "intersection"


def test_words_and_loops_with_assertions() -> None:
    language = ecma.search("^(?:a?(?:-|$))+$")
    assert lang.intersect(lang.words(["a-", "aa", "-a", "a\n", "--"]), language) is lang.words(["a-", "-a", "--"])
    assert lang.count_words(lang.difference(lang.words(["a-", "aa"]), language), 9) == 1
    assert not lang.is_empty(language)


def test_many_alternatives_and_long_texts() -> None:
    language = ecma.search("^(?:" + "|".join(f"word{i}" for i in range(5000)) + ")$")
    assert lang.count_words(language, 10_000) == 5000
    assert lang.matches(ecma.search("^" + "ab-" * 5000 + "$"), "ab-" * 5000)
    nullable = ecma.search("^" + r"\b(?:a|)(?:b|)" * 40 + "$")
    assert lang.matches(nullable, "ab")
