"""How far number texts can be from their ends: the bound beside a search through all states."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal

import pytest

from guided.grammars.json_schema import numbers
from guided.grammars.json_schema.decimal_edges import Interval
from guided.grammars.json_schema.number_texts import NumberText
from guided.grammars.regex import algebra as lang

MULTIPLES = (None, None, *map(Decimal, ("1", "3", "7", "30", "1.5", "0.25", "0.01")))
MAX_STATES = 700


def test_bounds_hold_for_each_state() -> None:
    rng, num_checked = random.Random(4), 0
    for _ in range(50):
        for language in languages(rng):
            for machine in machines_of(language):
                most = true_most(machine)
                if most is not None:
                    assert machine.most_left is not None
                    assert most <= machine.most_left <= most + 40
                    num_checked += 1
    assert num_checked > 100


@pytest.mark.parametrize(("minimum", "maximum", "most"), [(1, 99, 4), (None, None, 3), (0, None, 3), (-5, "0.125", 6)])
def test_bounds_are_small(minimum: int | None, maximum: int | str | None, most: int) -> None:
    low, high = (None if end is None else Decimal(end) for end in (minimum, maximum))
    language = numbers._texts(numbers.Bounds(Interval(low, high)), has_exponents=False)
    assert [machine.most_left for machine in machines_of(language)] == [most]


def languages(rng: random.Random) -> Iterator[lang.Language]:
    """Languages of random bounds and lists."""
    low, high = sorted([number(rng), number(rng)])
    if rng.random() < 0.4:
        high = low + abs(number(rng)) / rng.choice([1, 1000, 10**9])
    interval = Interval(
        low if rng.random() < 0.6 else None,
        high if rng.random() < 0.6 else None,
        rng.random() < 0.5,
        rng.random() < 0.5,
    )
    multiple, integer = rng.choice(MULTIPLES), rng.choice([None, None, "text", "value"])
    bounds = numbers.Bounds(interval, multiple, integer)
    for is_written in (False, True):
        for has_exponents in (False, True):
            yield numbers._texts(bounds, has_exponents=has_exponents, is_written=is_written)
    yield numbers.one_of([number(rng) for _ in range(rng.randint(2, 6))], multiple, integer)


def number(rng: random.Random) -> Decimal:
    found = Decimal(rng.randint(0, rng.choice([1, 9, 50, 10**6, 10**12]))) / 10 ** rng.choice([0, 1, 2, 3, 6])
    return found if rng.random() < 0.6 else -found


def machines_of(language: lang.Language) -> Iterator[NumberText]:
    if isinstance(language, lang.MachineLanguage) and isinstance(language.machine, NumberText):
        yield language.machine
    for part in getattr(language, "parts", ()):
        yield from machines_of(part)


def true_most(root: NumberText) -> int | None:
    """The most characters from any state but the first to the nearest end; None if there are too many states."""
    states, before = [root], {root: list[NumberText]()}
    for state in states:
        for _, following in state.transitions():
            if following not in before:
                before[following] = []
                states.append(following)
            before[following].append(state)
        if len(states) > MAX_STATES:
            return None
    left = {state: 0 for state in states if state.nullable}
    ordered = list(left)
    for state in ordered:
        for earlier in before[state]:
            if earlier not in left:
                left[earlier] = left[state] + 1
                ordered.append(earlier)
    assert len(left) == len(states), "each state has an end"
    return max([left[state] for state in states[1:]], default=0)
