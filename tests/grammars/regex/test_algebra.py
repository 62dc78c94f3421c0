"""The Language algebra against set semantics on short texts, and its simplifications, walks and limits."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.grammars.errors import LimitExceededError
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import charset as cs
from guided.grammars.regex.algebra import Language
from tests.examples import examples

ALPHABET = "abc"
MAX_LENGTH = 4
TEXTS = ["".join(letters) for n in range(MAX_LENGTH + 1) for letters in itertools.product(ALPHABET, repeat=n)]
ALL_TEXTS = frozenset(TEXTS)


def letters(chars: str) -> Language:
    return lang.chars(cs.from_chars(chars))


def members(language: Language) -> frozenset[str]:
    return frozenset(text for text in TEXTS if lang.matches(language, text))


def concat_sets(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    return frozenset(a + b for a in first for b in second if len(a + b) <= MAX_LENGTH)


def repeat_set(texts: frozenset[str], low: int, high: int | None) -> frozenset[str]:
    power: frozenset[str] = frozenset([""])
    result: frozenset[str] = frozenset()
    for count in range(max(low + MAX_LENGTH + 1, (high or 0) + 1)):
        if count >= low and (high is None or count <= high):
            result |= power
        power = concat_sets(power, texts)
    return result


@st.composite
def expressions(draw: st.DrawFn, depth: int = 4) -> tuple[Language, frozenset[str]]:
    """A Language and its texts of at most MAX_LENGTH characters of the alphabet, computed with sets."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        if draw(st.booleans()):
            chosen = "".join(draw(st.sets(st.sampled_from(ALPHABET), min_size=1)))
            return letters(chosen), frozenset(chosen)
        texts = frozenset(draw(st.sets(st.text(ALPHABET, max_size=3), max_size=4)))
        return lang.words(texts), texts
    inner = expressions(depth - 1)
    kind = draw(st.sampled_from(["concat", "union", "intersect", "complement", "repeat", "difference"]))
    first, first_set = draw(inner)
    if kind == "complement":
        return lang.complement(first), ALL_TEXTS - first_set
    if kind == "repeat":
        low = draw(st.integers(0, 3))
        high = draw(st.one_of(st.none(), st.integers(low, 4)))
        return lang.repeat(first, low, high), repeat_set(first_set, low, high)
    second, second_set = draw(inner)
    match kind:
        case "concat":
            return lang.concat(first, second), concat_sets(first_set, second_set)
        case "union":
            return lang.union(first, second), first_set | second_set
        case "intersect":
            return lang.intersect(first, second), first_set & second_set
        case _:
            return lang.difference(first, second), first_set - second_set


@settings(max_examples=examples(150), deadline=None)
@given(expressions())
def test_constructors_against_sets(case: tuple[Language, frozenset[str]]) -> None:
    language, expected = case
    assert members(language) == expected


@settings(max_examples=examples(100), deadline=None)
@given(expressions())
def test_facts_hold(case: tuple[Language, frozenset[str]]) -> None:
    language, expected = case
    lengths = {len(text) for text in expected}
    assert all(language.min_length <= length for length in lengths)
    assert language.max_length is None or all(length <= language.max_length for length in lengths)
    if language.is_dense and language is not lang.NOTHING:
        longest = MAX_LENGTH if language.max_length is None else min(language.max_length, MAX_LENGTH)
        assert lengths == set(range(language.min_length, longest + 1))


@settings(max_examples=examples(100), deadline=None)
@given(expressions())
def test_transitions_are_disjoint_distinct_and_alive(case: tuple[Language, frozenset[str]]) -> None:
    transitions = case[0].transitions()
    assert len({target for _, target in transitions}) == len(transitions)
    assert lang.NOTHING not in {target for _, target in transitions}
    ranges = sorted(pair for charset, _ in transitions for pair in charset)
    assert all(low <= high for low, high in ranges)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(ranges))
    for charset, target in transitions:
        assert cs.from_ranges(charset) == charset
        assert case[0].step(charset[0][0]) is target
        assert case[0].step(charset[-1][1]) is target


@settings(max_examples=examples(100), deadline=None)
@given(expressions())
def test_walks(case: tuple[Language, frozenset[str]]) -> None:
    language, expected = case
    word = lang.find_word(language)
    assert lang.is_empty(language) == (word is None)
    assert not expected or word is not None
    if word is not None:
        assert lang.matches(language, word)
        assert all(len(word) <= len(text) for text in expected)
    count = lang.count_words(language, 500)
    assert count >= min(len(expected), 500)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(expressions(2), min_size=1, max_size=3))
def test_split(cases: list[tuple[Language, frozenset[str]]]) -> None:
    cells = lang.split([language for language, _ in cases])
    assert len({membership for membership, _ in cells}) == len(cells)
    for text in TEXTS:
        membership = tuple(text in texts for _, texts in cases)
        assert [m for m, cell in cells if lang.matches(cell, text)] == [membership]


@settings(max_examples=examples(60), deadline=None)
@given(expressions(3), expressions(3))
def test_laws_by_emptiness(a: tuple[Language, frozenset[str]], b: tuple[Language, frozenset[str]]) -> None:
    x, y = a[0], b[0]

    def same(first: Language, second: Language) -> bool:
        return lang.is_empty(lang.union(lang.difference(first, second), lang.difference(second, first)))

    assert same(lang.complement(lang.union(x, y)), lang.intersect(lang.complement(x), lang.complement(y)))
    assert same(lang.union(lang.intersect(x, y), lang.difference(x, y)), x)
    assert same(lang.repeat(x, 2, 3), lang.union(lang.concat(x, x), lang.concat(x, x, x)))
    assert same(lang.repeat(x, 1), lang.concat(x, lang.repeat(x, 0)))


DIGIT = lang.chars(cs.from_ranges([(48, 57)]))
LETTER = lang.chars(cs.from_ranges([(97, 122)]))


def test_same_structure_is_same_object() -> None:
    assert lang.repeat(DIGIT, 1, 3) is lang.repeat(lang.chars(cs.from_ranges([(48, 57)])), 1, 3)
    assert lang.words(["b", "a"]) is lang.words(["a", "b", "a"])
    assert lang.union(DIGIT, LETTER) is lang.union(LETTER, DIGIT)
    assert lang.text("ab") is lang.concat(lang.text("a"), lang.text("b"))
    assert lang.words(["xab", "xcd"]).step(ord("x")) is lang.words(["ab", "cd"])


def test_simplifications() -> None:
    assert lang.concat(lang.ANYTHING, lang.repeat(DIGIT, 0), lang.ANYTHING) is lang.ANYTHING
    assert lang.intersect(DIGIT, lang.ANYTHING) is DIGIT
    assert lang.complement(lang.complement(lang.repeat(DIGIT, 2))) is lang.repeat(DIGIT, 2)
    assert lang.intersect(lang.words(["a", "b1", "22"]), lang.repeat(DIGIT, 1)) is lang.text("22")
    assert lang.difference(lang.words(["a", "22"]), lang.repeat(DIGIT, 1)) is lang.text("a")
    run = lang.intersect(lang.repeat(lang.union(DIGIT, LETTER), 2, 7), lang.repeat(LETTER, 0, 5))
    assert run is lang.repeat(LETTER, 2, 5)
    assert (run.kind, run.low, run.high, run.child.charset) == ("repeat", 2, 5, ((97, 122),))
    assert lang.intersect(lang.repeat(DIGIT, 3, 4), lang.repeat(lang.ANY_CHAR, 0, 9)) is lang.repeat(DIGIT, 3, 4)
    assert lang.concat(DIGIT, DIGIT, lang.repeat(DIGIT, 0, 2)) is lang.repeat(DIGIT, 2, 4)
    assert lang.repeat(lang.repeat(DIGIT, 0), 3, 5) is lang.repeat(DIGIT, 0)
    length = lang.complement(lang.repeat(lang.ANY_CHAR, 2, 4))
    assert length is lang.union(lang.repeat(lang.ANY_CHAR, 0, 1), lang.repeat(lang.ANY_CHAR, 5))
    assert lang.union(lang.repeat(DIGIT, 1, 3), lang.EMPTY_TEXT) is lang.repeat(DIGIT, 0, 3)
    assert lang.repeat(DIGIT, 3, 2) is lang.NOTHING
    x = lang.concat(lang.repeat(LETTER, 1), DIGIT)
    assert lang.intersect(x, lang.complement(x)) is lang.NOTHING
    assert lang.union(x, lang.complement(x)) is lang.ANYTHING


def test_kinds() -> None:
    words = lang.words(["a", "bc"])
    assert (words.kind, words.words) == ("words", {"a", "bc"})
    assert DIGIT.kind == "chars"
    assert lang.text("\ud800x") is lang.NOTHING
    assert lang.words(["\ud800", "ok"]) is lang.text("ok")


def test_many_words() -> None:
    texts = [f"word {i}" for i in range(20_000)]
    words = lang.words(texts)
    assert lang.matches(words, "word 19999")
    assert not lang.matches(words, "word 20000")
    assert lang.count_words(words, 10**6) == 20_000
    rest = lang.difference(words, lang.concat(lang.text("word 1"), lang.ANYTHING))
    assert lang.count_words(rest, 10**6) == 20_000 - 11_111
    below = words.step(ord("w"))
    assert len(below.words) == 20_000


def test_long_and_deep_expressions() -> None:
    optional = [lang.repeat(lang.text(f"x{i}"), 0, 1) for i in range(3000)]
    sequence = lang.concat(*optional)
    assert lang.matches(sequence, "x0x2x2999")
    assert not lang.matches(sequence, "x2x0")
    nested = lang.EMPTY_TEXT
    for i in range(5000):
        nested = lang.union(lang.EMPTY_TEXT, lang.concat(nested, lang.text("ab"[i % 2])))
    assert lang.matches(nested, "ab")
    del sequence, nested
    assert lang.matches(lang.text("ab" * 3000), "ab" * 3000)


def test_counts() -> None:
    assert lang.count_words(lang.repeat(DIGIT, 0, 3), 10**6) == 1111
    assert lang.count_words(lang.repeat(DIGIT, 0), 10**9) == 10**9
    assert lang.count_words(lang.intersect(lang.repeat(DIGIT, 0), lang.complement(lang.repeat(DIGIT, 3))), 10**9) == 111
    assert lang.count_words(lang.intersect(lang.concat(DIGIT, lang.ANYTHING), lang.repeat(LETTER, 0)), 9) == 0


def test_emptiness_of_lengths_is_quick() -> None:
    pattern = lang.concat(lang.repeat(LETTER, 1), lang.text("-"), lang.repeat(LETTER, 1))
    assert not lang.is_empty(lang.intersect(pattern, lang.repeat(lang.ANY_CHAR, 100_000, 100_000)), budget=1)
    assert lang.intersect(pattern, lang.repeat(lang.ANY_CHAR, 0, 2)) is lang.NOTHING


def test_emptiness_of_what_leads_back_to_itself() -> None:
    odd = lang.complement(lang.repeat(lang.concat(lang.complement(lang.concat(lang.ANYTHING, DIGIT)), DIGIT), 1))
    inner = lang.intersect(lang.concat(odd, LETTER, odd), lang.complement(lang.concat(odd, LETTER)))
    looped = lang.repeat(lang.complement(lang.union(lang.complement(inner), lang.repeat(DIGIT, 2, 3))), 1)
    assert not lang.is_empty(looped)
    assert lang.is_empty(lang.intersect(looped, lang.repeat(DIGIT, 0, 3)))


def test_budgets() -> None:
    one = lang.concat(lang.ANYTHING, lang.text("a"), lang.repeat(lang.ANY_CHAR, 12, 12))
    either = lang.concat(lang.ANYTHING, letters("ab"), lang.repeat(lang.ANY_CHAR, 12, 12))
    with pytest.raises(LimitExceededError, match="max_automaton_states"):
        lang.is_empty(lang.difference(lang.intersect(one, lang.repeat(letters("abc"), 0)), either), budget=50)


def test_texts_whose_lengths_exclude_each_other_take_no_search() -> None:
    one, other = (lang.concat(lang.ANYTHING, letters(char), lang.repeat(lang.ANY_CHAR, 12, 12)) for char in "ab")
    assert lang.is_empty(lang.intersect(one, other, lang.repeat(letters("abc"), 0)), budget=20)


@dataclass(frozen=True)
class MultipleOf:
    """Decimal numbers whose remainder is 0."""

    divisor: int
    remainder: int = 0

    @property
    def nullable(self) -> bool:
        return self.remainder == 0

    def transitions(self) -> tuple[tuple[cs.CharSet, MultipleOf], ...]:
        by_target: dict[int, list[str]] = {}
        for digit in range(10):
            by_target.setdefault((self.remainder * 10 + digit) % self.divisor, []).append(str(digit))
        return tuple((cs.from_chars(digits), MultipleOf(self.divisor, target)) for target, digits in by_target.items())


@dataclass(frozen=True)
class Trap:
    """Accepts nothing, but goes on for ever."""

    nullable: bool = False

    def transitions(self) -> tuple[tuple[cs.CharSet, Trap], ...]:
        return ((cs.ALL, self),)


def test_machines() -> None:
    sevens = lang.machine(MultipleOf(7))
    assert sevens is lang.machine(MultipleOf(7))
    assert lang.matches(sevens, "343")
    assert not lang.matches(sevens, "344")
    both = lang.intersect(sevens, lang.machine(MultipleOf(5)), lang.repeat(DIGIT, 2, 2))
    assert lang.count_words(both, 100) == 3  # 00 35 70
    assert lang.is_empty(lang.machine(Trap()))
    assert lang.is_empty(lang.concat(LETTER, lang.machine(Trap())))
    assert lang.is_empty(lang.difference(lang.machine(MultipleOf(6)), lang.machine(MultipleOf(3))))
