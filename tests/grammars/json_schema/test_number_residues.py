"""Multiples of several numbers that are combined, by remainders: the same texts as by arithmetic, and no dead ends."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from guided.grammars.json_schema import formula as fm
from guided.grammars.json_schema import numbers
from guided.grammars.json_schema.number_sets import cells_of
from guided.grammars.json_schema.specialise import number_language
from guided.grammars.regex import algebra as lang
from guided.grammars.regex.algebra import Language

from .test_number_combinations import TEXTS, Test, random_formula

MULTIPLES = ["1", "2", "3", "4", "5", "6", "8", "15", "0.5", "0.75", "0.1", "0.03", "30", "2.5"]
MOST_STATES = 3000


def _atom(choose: random.Random) -> tuple[fm.Formula, Test]:
    if choose.random() < 0.3:
        low, high = sorted([Decimal(choose.randint(-400, 400)) / choose.choice([1, 1, 4, 100]) for _ in range(2)])
        language = numbers.bounded(low, None, None, high)
        return fm.number_in(language, plain_only=True), lambda value: low <= value < high
    multiple = Decimal(choose.choice(MULTIPLES))
    least = choose.choice([None, None, Decimal(choose.randint(-40, 40)) / 2])
    integer = choose.choice([None, None, None, "value"])
    language = numbers.bounded(minimum=least, multiple_of=multiple, integer=integer)

    def test(value: Decimal) -> bool:
        return value % multiple == 0 and (least is None or value >= least) and (not integer or value % 1 == 0)

    return fm.number_in(language, plain_only=True), test


def _texts(choose: random.Random) -> list[str]:
    found = TEXTS[:]
    for places in (0, 0, 1, 2, 2, 3, 5):
        for _ in range(40):
            digits = choose.randint(0, 9999) if choose.random() < 0.5 else 30 * choose.randint(0, 400)
            found.append(f"{choose.choice(['', '-'])}{Decimal(digits).scaleb(-places):f}")
    return found


def _states(language: Language) -> dict[Language, list[Language]]:
    found: dict[Language, list[Language]] = {}
    waiting = [language]
    while waiting:
        one = waiting.pop()
        if one not in found:
            assert len(found) < MOST_STATES
            found[one] = [target for _, target in one.transitions()]
            waiting += found[one]
    return found


def _live(states: dict[Language, list[Language]]) -> set[Language]:
    live = {one for one in states if one.nullable}
    while True:
        more = {one for one, targets in states.items() if one not in live and not live.isdisjoint(targets)}
        if not more:
            return live
        live |= more


@pytest.mark.parametrize("seed", range(90))
def test_residues_hold_what_arithmetic_says(seed: int) -> None:
    choose = random.Random(seed)
    formula, test = random_formula(choose, 3, _atom)
    cells = cells_of(formula, (), numbers.PLAIN)
    if cells is None:
        return
    ((language, _),) = cells
    texts = _texts(choose)
    for text in texts:
        expected = lang.matches(numbers.PLAIN, text) and test(Decimal(text))
        assert lang.matches(language, text) == expected, (text, formula)
    if language is lang.NOTHING:
        return
    assert not lang.is_empty(language)
    if seed % 5 == 0:
        states = _states(language)
        assert _live(states) == set(states)


def test_states_are_as_few_as_the_set_needs() -> None:
    """Remainders that the same digits may follow are one state."""
    twelve = fm.number_in(numbers.bounded(multiple_of=Decimal(12)), plain_only=True)
    others = [fm.number_in(numbers.bounded(multiple_of=Decimal(one)), plain_only=True) for one in (2, 3, 4, 5, 7, 6)]
    formula = fm.all_of([*others[:3], fm.any_of([*others[3:], twelve])])
    assert number_language(formula) is number_language(twelve)
    odd = fm.all_of([fm.negate(others[0]), fm.any_of([others[1], fm.negate(others[1])])])
    assert len(_states(number_language(odd))) < 12


def test_what_has_no_small_common_multiple() -> None:
    primes = [fm.number_in(numbers.bounded(multiple_of=Decimal(one)), plain_only=True) for one in (101, 103, 107)]
    assert cells_of(fm.all_of(primes), (), numbers.PLAIN) is None
    assert lang.matches(number_language(fm.all_of(primes)), str(101 * 103 * 107))
