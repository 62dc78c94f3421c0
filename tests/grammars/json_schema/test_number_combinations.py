"""Formulas of several assertions about one number have the same texts as by arithmetic."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal

import pytest

from guided.grammars.json_schema import formula as fm
from guided.grammars.json_schema import numbers
from guided.grammars.json_schema.specialise import number_domain, number_language
from guided.grammars.regex import algebra as lang

Test = Callable[[Decimal], bool]

TEXTS = [
    *map(str, range(-70, 71)),
    "-0",
    "-0.0",
    "0.5",
    "1.50",
    "-2.25",
    "30.0",
    "35.00",
    "105",
    "210.000",
    "1e2",
    "00",
]


def _atom(choose: random.Random) -> tuple[fm.Formula, Test]:
    bound = Decimal(choose.randint(-40, 40))
    match choose.randrange(4):
        case 0:
            return fm.number_in(numbers.bounded(minimum=bound)), lambda value: value >= bound
        case 1:
            return fm.number_in(numbers.bounded(exclusive_maximum=bound)), lambda value: value < bound
        case 2:
            return fm.number_in(numbers.one_of([bound])), lambda value: value == bound
    multiple = Decimal(choose.choice(["2", "3", "5", "7", "0.5", "0.75"]))
    language = numbers.bounded(multiple_of=multiple)
    return fm.number_in(language, plain_only=True), lambda value: value % multiple == 0


def random_formula(
    choose: random.Random, depth: int, atom: Callable[[random.Random], tuple[fm.Formula, Test]]
) -> tuple[fm.Formula, Test]:
    """A formula of what `atom` gives, with what says of a number whether it holds."""
    kind = choose.randrange(5) if depth else 4
    if kind == 4:
        return atom(choose)
    if kind == 3:
        part, test = random_formula(choose, depth - 1, atom)
        return fm.negate(part), lambda value: not test(value)
    found = [random_formula(choose, depth - 1, atom) for _ in range(choose.randint(2, 3))]
    parts, tests = [one for one, _ in found], [one for _, one in found]
    if kind == 0:
        return fm.all_of(parts), lambda value: all(test(value) for test in tests)
    if kind == 1:
        return fm.any_of(parts), lambda value: any(test(value) for test in tests)
    return fm.exactly_one(parts), lambda value: sum(test(value) for test in tests) == 1


@pytest.mark.parametrize("seed", range(60))
def test_combinations_hold_what_arithmetic_says(seed: int) -> None:
    formula, test = random_formula(random.Random(seed), 3, _atom)
    if isinstance(formula, fm.Constant):
        return
    domain, language = number_domain([formula]), number_language(formula)
    for text in TEXTS:
        expected = lang.matches(domain, text) and test(Decimal(text))
        assert lang.matches(language, text) == expected, (text, formula)


def test_what_is_empty_is_known_to_be() -> None:
    multiples = [fm.number_in(numbers.bounded(multiple_of=Decimal(one)), plain_only=True) for one in (3, 5, 15)]
    within = fm.number_in(numbers.bounded(minimum=Decimal(1), maximum=Decimal(14)))
    impossible = fm.all_of([*multiples[:2], within])
    assert lang.is_empty(number_language(impossible))
    assert lang.is_empty(number_language(fm.all_of([*multiples[:2], fm.negate(multiples[2])])))
    assert not lang.is_empty(number_language(fm.all_of([multiples[0], fm.negate(multiples[1])])))


def test_integers_by_their_texts_beside_multiples() -> None:
    """In draft 4 "integer" speaks of the text: 3.0 is none. Beside a multiple these are two sorts of numbers."""
    integer = fm.number_in(numbers.bounded(integer="text"), plain_only=True)
    multiple = fm.number_in(numbers.bounded(multiple_of=Decimal(3)), plain_only=True)
    language = number_language(fm.exactly_one([integer, multiple]))
    for text, is_in in {"3": False, "3.0": True, "4": True, "4.0": False, "4.5": False, "-6.00": True}.items():
        assert lang.matches(language, text) is is_in, text
    between = fm.number_in(numbers.bounded(exclusive_minimum=Decimal(3), exclusive_maximum=Decimal(6)))
    assert lang.is_empty(number_language(fm.all_of([integer, multiple, between])))


def test_parts_that_stand_in_a_formula_often_are_read_once() -> None:
    """Written out, this one would have 2^40 parts."""
    even = fm.number_in(numbers.bounded(multiple_of=Decimal(2)), plain_only=True)
    low, high = (fm.number_in(numbers.bounded(maximum=Decimal(bound))) for bound in (10, 20))
    formula = even
    for _ in range(40):
        formula = fm.exactly_one([fm.all_of([formula, low]), fm.all_of([fm.negate(formula), high])])
    language = number_language(formula)
    for value in range(30):
        expected = value % 2 == 0
        for _ in range(40):
            expected = (expected and value <= 10) != (not expected and value <= 20)
        assert lang.matches(language, str(value)) == expected, value
