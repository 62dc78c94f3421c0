r"""Patterns of Python's `re` as Languages, against `re.fullmatch` itself."""

from __future__ import annotations

import itertools
import re
import sys
import time
import warnings
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.grammars.errors import InvalidRegexError
from guided.grammars.regex import algebra as lang
from guided.grammars.regex.pattern_parser import MAX_ASSERTIONS, MAX_NESTED_GROUPS
from guided.grammars.regex.python_re import LONG_CHARS, full
from tests.examples import examples

from .python_patterns import PATTERNS, strings

TEXTS = ["".join(letters) for n in range(5) for letters in itertools.product("ab-", repeat=n)]
TEXTS += ["".join(letters) for n in range(1, 4) for letters in itertools.product("a-\n", repeat=n) if "\n" in letters]

ATOMS = ["a", "b", "-", "ab", ".", "[ab]", "[^a]", r"\w", r"\W", r"\n", "(?:a|b-)", "()", "a{0}"]
PLACES = ["^", "$", r"\A", r"\Z", r"\b", r"\B", "(?m:^)", "(?m:$)"]
QUANTIFIERS = ["", "*", "+", "?", "{2}", "{1,2}", "{,3}", "{2,}", "*?", "+?", "??", "{1,3}?"]
FIXED = [
    "a",
    "b",
    "-",
    "ab",
    "[ab]",
    "[^a]b",
    "^",
    r"\b",
    "^a",
    r"\ba",
    r"a\b",
    "a$",
    "(?:a|-)",
    "(?:a|b$)",
    "(?=a).",
    "(?<!a)b",
]
PARTS = [*r"ab\\()[]{}|*+?^$.-,:#<>=!imsxuaN0127dwzZ ", "(?", "(?P<n>", "(?P=n)", "\n", "\xe9"]
ADVICE = ["; a named group is written (?P<name>...)", r"; the end of the text is \Z"]


def patterns() -> st.SearchStrategy[str]:
    """Small patterns of all that `re` has but backreferences."""

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        group = st.builds("(?:{}){}".format, inner, st.sampled_from(QUANTIFIERS))
        joined = st.lists(inner, min_size=1, max_size=3).map("".join)
        either = st.builds("(?:{}|{})".format, inner, inner)
        around = st.builds("(?{}{})".format, st.sampled_from(["=", "!"]), inner)
        back = st.builds("(?<{}{})".format, st.sampled_from("=!"), st.sampled_from(FIXED))
        return group | joined | either | around | back

    return st.recursive(st.sampled_from(ATOMS + PLACES), grow, max_leaves=6)


def read(pattern: str) -> lang.Language:
    """The Language; warnings of `re` about sets are expected here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return full(pattern)


def test_the_table_is_large() -> None:
    assert len(set(PATTERNS)) == len(PATTERNS) >= 200


@pytest.mark.parametrize("pattern", PATTERNS)
def test_against_re(pattern: str) -> None:
    language = read(pattern)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        compiled = re.compile(pattern)
    for text in strings(pattern, language, len(pattern)):
        assert lang.matches(language, text) == (compiled.fullmatch(text) is not None), ascii(text)


def asked(pattern: str) -> re.Pattern[str] | re.error:
    """What `re` makes of the pattern."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return re.compile(pattern)
        except re.error as error:
            return error


def outcome(pattern: str) -> lang.Language | InvalidRegexError:
    """What we make of it."""
    try:
        return read(pattern)
    except InvalidRegexError as error:
        return error


def assert_same(pattern: str, texts: list[str]) -> None:
    """`re` and we refuse the same patterns, with the same reason, but for what can't be enforced; else both match."""
    expected, found = asked(pattern), outcome(pattern)
    if isinstance(expected, re.error):
        assert isinstance(found, InvalidRegexError)
        assert found.reason in (expected.msg, *[expected.msg + advice for advice in ADVICE])
        assert expected.pos in (None, found.position)
    elif isinstance(found, InvalidRegexError):
        assert "can't be enforced" in found.reason
    else:
        for text in texts:
            assert lang.matches(found, text) == (expected.fullmatch(text) is not None), (pattern, text)


@settings(max_examples=examples(150), deadline=None)
@given(patterns())
def test_random_patterns_against_re(pattern: str) -> None:
    assert_same(pattern, TEXTS)


@settings(max_examples=examples(250), deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=10).map("".join))
def test_random_text_as_patterns(pattern: str) -> None:
    assert_same(pattern, ["", "a", "b", "ab", "aa", "\n", "a\n", "1", "0", "\xe9", "a b", "-", "abab", pattern])


@pytest.mark.parametrize("flags", ["i", "ia"])
def test_case_over_all_characters(flags: str) -> None:
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x1F000), *range(0x1F000, sys.maxunicode + 1, 97)]))
    asked = lang.chars(_charset(everything))
    odd = (
        "iI\u0131\u0130sS\u017fkK\u212a\xdf\u1e9e\xb5\u03bc\u03c2\u03c3\u03a3\u03b8\u03f4\u03d1\u03a9\u2126\xe5\xc5\u212b"
        "\u01c4\u01c5\u01c6\u0149\u0390\u1fd3\ufb05\ufb06\u0345\u03b9\u1fb3\ua64b\u1c88\u10d0\u1c90\uab70\u13a0"
        "\U00010400\U00010428\U0001e922\xe9-1"
    )
    classes = [
        "[a-z]",
        "[^a-z]",
        "[\xc0-\xff]",
        r"[\Wk]",
        r"[\D]",
        "[^\\w\u017f]",
        "[\u0370-\u03ff]",
        "[\u0100-\uffff]",
    ]
    classes += ["[\U00010400-\U00010427]", "[\U00010400x]", r"\w", r"\W"]
    for source in [*odd, *classes]:
        found = re.findall(f"(?{flags}){source}", everything)
        language = full(f"(?{flags}){source}")
        assert lang.intersect(language, asked) is lang.chars(_charset(found)), ascii(source)


def _charset(found: Iterable[str]) -> lang.CharSet:
    runs: list[tuple[int, int]] = []
    for code in map(ord, found):
        if runs and runs[-1][1] == code - 1:
            runs[-1] = (runs[-1][0], code)
        else:
            runs.append((code, code))
    return tuple(runs)


@pytest.mark.parametrize(
    ("pattern", "found", "not_found"),
    [
        (r"\p{L}+", ["aé日"], ["a1", ""]),
        (r"\p{Lu}\P{L}", ["A1", "É-"], ["a1", "AA"]),
        (r"[\p{Lu}\d_-]+", ["AÉ5_-"], ["a"]),
        (r"[^\p{L}]", ["5"], ["a"]),
        (r"[^\P{L}]", ["a"], ["5"]),
        (r"(?i)\p{Lu}", ["a", "A"], ["1"]),
        (r"(?i)[\p{Lu}1]k", ["aK", "1k"], ["-k"]),
        (r"(?<=\p{L})b|a\b\p{Z}", ["a "], ["b", "ab"]),
        (r"(?x) \p{gc=Nd} # \p{", ["5"], ["a"]),
        (r"\\p{2}", ["\\pp"], ["\\p"]),
        (r"(?:\p{L}|\d)+-", ["a5-"], ["-"]),
    ],
)  # fmt: skip
def test_properties(pattern: str, found: list[str], not_found: list[str]) -> None:
    language = full(pattern)
    assert [text for text in found if not lang.matches(language, text)] == []
    assert [text for text in not_found if lang.matches(language, text)] == []


@pytest.mark.parametrize(
    ("pattern", "position", "reason"),
    [
        ("a(b", 1, "missing ), unterminated subpattern"),
        ("a(?<y>b)", 2, "a named group is written (?P<name>...)"),
        (r"ab\z", 2, r"the end of the text is \Z"),
        ("a)b", 1, "unbalanced parenthesis"),
        ("a[b", 1, "unterminated character set"),
        ("*a", 0, "nothing to repeat"),
        ("a**", 2, "multiple repeat"),
        ("^*", 1, "nothing to repeat"),
        ("a{3,2}", 2, "min repeat greater than max repeat"),
        ("[b-a]", 1, "bad character range b-a"),
        (r"[\d-a]", 1, r"bad character range \d-a"),
        ("[b-\\p{L}]", 1, "bad character range"),
        (r"a\q", 1, r"bad escape \q"),
        ("a\\", 1, "bad escape (end of pattern)"),
        (r"\x1", 0, r"incomplete escape \x1"),
        (r"\777", 0, "octal escape value"),
        (r"\N{NO SUCH}", 0, "undefined character name"),
        ("a(?i)b", 1, "global flags not at the start"),
        ("(?L)a", 3, "cannot use 'L' flag"),
        ("(?a)(?u)a", 0, "incompatible"),
        ("(?y)a", 1, "unknown"),
        ("(?P<n>a)(?P<n>b)", 12, "redefinition of group name"),
        ("b(?<=a*)", 1, "look-behind requires fixed-width pattern"),
        (r"\p{L}(?<!a|bc)", 5, "look-behind requires fixed-width pattern"),
        (r"\p{L}(", 5, "missing ), unterminated subpattern"),
        (r"\pL", 0, "need a property in braces"),
        (r"a\p{Foo}(", 1, "unknown Unicode property 'Foo'"),
        (r"[\P{Foo}]", 1, "unknown Unicode property 'Foo'"),
        ("a{99999999999}", 1, "too large"),
        ("a{4294967295}", 1, "too large"),
        ("ab{2,%s}" % ("9" * 5000), 2, "too large"),
        (r"(a)\1", 3, "backreference can't be enforced"),
        (r"(a)\1(", 5, "missing ), unterminated subpattern"),
        (r"(?P<n>a)(?P=n)", 8, "backreference can't be enforced"),
        (r"(a)?(?(1)b|c)", 4, "conditional group can't be enforced"),
        (r"(?P<n>a)?(?(n)b)", 9, "conditional group can't be enforced"),
        ("b(?>(?:a|aa)*)", 1, "depends on the order"),
        ("b(?:a|aa)*+c", 9, "depends on the order"),
        ("b(?<=a(?=bc)b)", 1, "looks past its end"),
        (r"(?:.(?<=a$\n))*", 4, "looks past its end"),
        ("(?:(?=a)b?){100}", 3, "let the group read something, or repeat it less often"),
        ("^x(?:(?=a)b?){100}", 5, "let the group read something, or repeat it less often"),
        (r"(?:(?:\ba?){20}b?){20}", 6, "repeated too often"),
        (r"a*\b" * 80, 2, "too many assertions between which"),
        ("(?i)x|\U00010400", 6, "past U+FFFF can't be enforced"),
        ("(" * 101 + ")" * 101, 100, f"nested more than {MAX_NESTED_GROUPS} deep"),
        ("(" * 100_000, 100, f"nested more than {MAX_NESTED_GROUPS} deep"),
        (r"a\b" * 1001, 3001, f"more than {MAX_ASSERTIONS} assertions"),
    ],
)  # fmt: skip
def test_refusals(pattern: str, position: int, reason: str) -> None:
    with pytest.raises(InvalidRegexError) as caught:
        full(pattern)
    assert reason in caught.value.reason
    assert (caught.value.pattern, caught.value.position) == (pattern, position)


@pytest.mark.parametrize("pattern", ["b(?<=a*)", "(?<!a|bc)", "(a", "a)", "a**", "[b-a]", "(?<=ab|xx)", "a\\"])
def test_long_patterns_are_refused_as_short_ones_are(pattern: str) -> None:
    long = LONG_CHARS * "x" + pattern
    try:
        re.compile(long)
    except re.error as error:
        with pytest.raises(InvalidRegexError, match=re.escape(error.msg)):
            full(long)
    else:
        assert full(long) is not lang.NOTHING


@pytest.mark.parametrize("pattern", ["[" * 200_000, "(?#" * 60_000, "(?<" * 60_000], ids=lambda pattern: pattern[:3])
def test_long_patterns_are_refused_fast(pattern: str) -> None:
    start = time.process_time()
    with pytest.raises(InvalidRegexError):
        read(pattern)
    assert time.process_time() - start < 2  # an hour if each bracket is looked for to the end


def test_brackets_in_comments_are_no_groups() -> None:
    assert full("(?x) a # ( [ (?<=x*)\n (b) # )") is lang.text("ab")
    assert full("(?x)#" + "(" * 200 + r"\b" * 1001 + "\na") is lang.text("a")
    with pytest.raises(InvalidRegexError, match="look-behind requires fixed-width pattern") as caught:
        full("(?x) # (?<=a)(\n a(?<=b*)")
    assert caught.value.position == 17


def test_warnings_are_those_of_re() -> None:
    with pytest.warns(FutureWarning, match="Possible nested set at position 1"):
        full("[[a]bcd")


def test_plain_patterns_are_plain_languages() -> None:
    assert full("(?:foo|bar)") is lang.words(["foo", "bar"])
    assert full("^[a-z]{1,63}?$") is lang.repeat(lang.chars(((97, 122),)), 1, 63)
    assert full("a{1000000}").min_length == 1_000_000
    assert full("[^\\s\\S]") is lang.NOTHING
    assert full("\ud800|a") is lang.text("a")


@pytest.mark.parametrize(
    "pattern",
    [
        "((((a{1000}){1000}){1000}){1000}){1000}",
        "(?:(?:a{0,1000}b?){1000}){1000}",
        "(?:(?:a|a?)+b)+" * 10,
        "(?:a?){100}a{100}",
        "(?:" * 99 + "a" + ")*" * 99,
        "(b" * 40 + r"\ba?" + ")*" * 40,
        "(?!" * 99 + "a" + ")" * 99,
        "(?<!" * 99 + "a" + ")" * 99,
        r"\b" * 30,
        "(?=.*a)" * 60,
        r"(?:\ba?){0,1000000}",
        "(?i)[\\u0000-\\uffff]" + "[\\u0000-\\U0010ffff]" * 500,
        "(?i)" + "ab" * 5_000,
        "|".join(f"word{number}" for number in range(5_000)),
        "|".join(rf"\bword{number}\b" for number in range(500)),
        "(?!" + "|".join(f"w{number}" for number in range(1_000)) + ").*",
    ],
    ids=lambda pattern: pattern[:20],
)
def test_hostile_patterns_are_read_fast(pattern: str) -> None:
    start = time.process_time()
    language = full(pattern)
    assert time.process_time() - start < 4
    assert lang.matches(language, "\ufeff" * 20) in (True, False)


def test_reading_takes_about_a_millisecond() -> None:
    list(map(read, PATTERNS))  # classes of Unicode are made once
    re.purge()
    start = time.process_time()
    kept = [
        read(f"(?:{pattern})" if not pattern.startswith(("(?#", "(?")) else pattern + "(?:)") for pattern in PATTERNS
    ]
    assert (time.process_time() - start) / len(kept) < 0.005  # 0.4 ms on an idle machine
