"""What a value must satisfy, against all cases of its outcomes."""

from __future__ import annotations

import itertools
import random

import pytest

from guided.grammars.json_schema.demand import decided, demand
from guided.grammars.json_schema.formula import (
    FALSE,
    TRUE,
    ExactlyOne,
    Formula,
    Or,
    Outcome,
    all_of,
    any_of,
    exactly_one,
    has,
    negate,
    outcome,
)
from guided.grammars.json_schema.residual import atoms, rewrite

ASKED = [has(f"asked {i}") for i in range(6)]
LATER = [has(f"later {i}") for i in range(3)]


def residual(rng: random.Random, depth: int) -> Formula:
    """A residual formula over outcomes of `ASKED` and assertions of `LATER`."""
    if depth == 0:
        return outcome(rng.choice(ASKED)) if rng.random() < 0.7 else rng.choice(LATER)
    if rng.random() < 0.2:
        return negate(residual(rng, depth - 1))
    parts = [residual(rng, depth - 1) for _ in range(rng.randint(2, 4))]
    return rng.choice([all_of, any_of, exactly_one])(parts)


def can_be_completed(left: Formula) -> bool:
    """Whether some choice of what comes later satisfies it."""
    for truths in itertools.product((TRUE, FALSE), repeat=len(LATER)):
        known = dict(zip(LATER, truths, strict=True))
        if rewrite(left, lambda atom, known=known: known[atom]) is TRUE:  # type: ignore[misc]
            return True
    return False


@pytest.mark.parametrize("seed", range(60))
def test_the_demand_is_what_all_cases_say(seed: int) -> None:
    left = residual(random.Random(seed), 3)
    found = demand(left, can_be_completed, 10_000)
    for truths in itertools.product((True, False), repeat=len(ASKED)):
        known = dict(zip(ASKED, truths, strict=True))
        true = [one for one in atoms(left) if isinstance(one, Outcome) and known[one.value]]
        false = [one for one in atoms(left) if isinstance(one, Outcome) and not known[one.value]]
        expected = can_be_completed(decided(left, true, false))
        constant = rewrite(found, lambda atom, known=known: TRUE if known[atom] else FALSE)  # type: ignore[misc]
        assert constant is (TRUE if expected else FALSE)


def test_many_outcomes_take_few_cases() -> None:
    """An `oneOf` of 40 outcomes that nothing else decides, and 60 alternatives: far from 2^40 cases."""
    asked = [has(f"asked {i}") for i in range(60)]
    one = demand(exactly_one([outcome(each) for each in asked[:40]]), can_be_completed, 5000)
    assert isinstance(one, Or | ExactlyOne)
    alternatives = [all_of([outcome(each), LATER[0]]) for each in asked]
    assert demand(any_of(alternatives), can_be_completed, 200) is any_of(asked)
    assert demand(all_of([negate(one) for one in alternatives]), can_be_completed, 200) is TRUE


def test_alternatives_with_outcomes_of_their_own_take_no_case_for_each_set_of_outcomes() -> None:
    """Two "or"s of four outcomes each, with other things left after each: 30 questions, not 2^8."""
    asked = [has(f"asked {i}") for i in range(8)]
    left = [has(f"left {i}") for i in range(8)]
    ways = [all_of([outcome(one), rest]) for one, rest in zip(asked, left, strict=True)]
    found = demand(all_of([any_of(ways[:4]), any_of(ways[4:])]), lambda rest: rest is not FALSE, 60)
    for truths in itertools.product((TRUE, FALSE), repeat=8):
        known = dict(zip(asked, truths, strict=True))
        expected = TRUE if TRUE in truths[:4] and TRUE in truths[4:] else FALSE
        assert rewrite(found, lambda atom, known=known: known[atom]) is expected  # type: ignore[misc]
