"""Combined bounds of numbers as intervals: the same texts as by arithmetic."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from guided.grammars.json_schema import formula as fm
from guided.grammars.json_schema import numbers
from guided.grammars.json_schema.number_sets import cells_of
from guided.grammars.json_schema.specialise import number_domain
from guided.grammars.regex import algebra as lang

from .test_number_combinations import TEXTS, Test

GRIDS: tuple[tuple[Decimal | None, numbers.Integers | None], ...] = (
    (None, None),
    (None, "value"),
    (Decimal("0.5"), None),
    (Decimal(3), "value"),
)


def _formula(
    choose: random.Random, depth: int, grid: tuple[Decimal | None, numbers.Integers | None]
) -> tuple[fm.Formula, Test]:
    if not depth or choose.random() < 0.2:
        ends = sorted(choose.sample(range(-60, 60), 2))
        low, high = (choose.choice([None, Decimal(end) / 2]) for end in ends)
        multiple, integer = choose.choice([grid, (None, None)])
        language = numbers.bounded(low, None, None, high, multiple, integer)
        step = Decimal(1) if integer and multiple is None else multiple

        def test(value: Decimal) -> bool:
            return (
                (low is None or value >= low) and (high is None or value < high) and (step is None or value % step == 0)
            )

        return fm.number_in(language, plain_only=grid != (None, None)), test
    found = [_formula(choose, depth - 1, grid) for _ in range(choose.randint(1, 3))]
    parts, tests = [one for one, _ in found], [one for _, one in found]
    match choose.randrange(4):
        case 0:
            return fm.all_of(parts), lambda value: all(test(value) for test in tests)
        case 1:
            return fm.any_of(parts), lambda value: any(test(value) for test in tests)
        case 2:
            return fm.exactly_one(parts), lambda value: sum(test(value) for test in tests) == 1
    return fm.negate(parts[0]), lambda value: not tests[0](value)


@pytest.mark.parametrize("seed", range(70))
def test_intervals_hold_what_arithmetic_says(seed: int) -> None:
    choose = random.Random(seed)
    formula, test = _formula(choose, 3, GRIDS[seed % len(GRIDS)])
    domain = number_domain([formula])
    cells = cells_of(formula, (), domain)
    if cells is None:
        assert isinstance(formula, fm.Constant)
        return
    ((language, _),) = cells
    for text in TEXTS:
        expected = lang.matches(domain, text) and test(Decimal(text))
        assert lang.matches(language, text) == expected, (text, formula)


@pytest.mark.parametrize("seed", range(40))
def test_cells_are_what_each_outcome_leaves(seed: int) -> None:
    choose, grid = random.Random(seed), GRIDS[seed % len(GRIDS)]
    (formula, test), *tracked = [_formula(choose, 2, grid) for _ in range(choose.randint(1, 4))]
    formulas = tuple([one for one, _ in tracked])
    domain = number_domain([formula, *formulas])
    cells = cells_of(formula, formulas, domain)
    if cells is None:
        return
    assert len({outcome for _, outcome in cells}) == len(cells)
    for text in TEXTS:
        holders = [outcome for language, outcome in cells if lang.matches(language, text)]
        is_in = lang.matches(domain, text) and test(Decimal(text))
        assert holders == ([tuple([one(Decimal(text)) for _, one in tracked])] if is_in else []), (text, formula)
