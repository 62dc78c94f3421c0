"""What a value must satisfy so that its container can be completed, against all cases of its outcomes."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import NamedTuple

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.json_schema.formula import (
    FALSE,
    TRUE,
    Atom,
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
from guided.grammars.json_schema.residual import rewrite
from guided.grammars.json_schema.tableau import Budget, Tableau
from tests.grammars.vocabularies import byte_vocabulary, matches

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


class Literals(NamedTuple):
    """A plan that is carried out if `can_be_completed` says so of its assertions."""

    can_be_completed: Callable[[Formula], bool]
    decided: tuple[Formula, ...] = ()

    def with_atom(self, atom: Atom, holds: bool) -> Literals:
        return self._replace(decided=(*self.decided, atom if holds else negate(atom)))

    def carried_out(self, budget: Budget) -> Literals | None:
        budget.spend()
        return self if self.can_be_completed(all_of(self.decided)) else None


def demand(left: Formula, can_be_completed: Callable[[Formula], bool], max_choices: int) -> Formula:
    search = Tableau(Literals(can_be_completed), lambda formula: formula is not FALSE, Budget(max_choices, "object"))
    return search.weakest_condition(left)


def _decided(atom: Formula, known: dict[Formula, bool]) -> Formula:
    if not isinstance(atom, Outcome):
        return atom
    return TRUE if known[atom.value] else FALSE


@pytest.mark.parametrize("seed", range(60))
def test_the_demand_is_what_all_cases_say(seed: int) -> None:
    left = residual(random.Random(seed), 3)
    found = demand(left, can_be_completed, 10_000)
    for truths in itertools.product((True, False), repeat=len(ASKED)):
        known = dict(zip(ASKED, truths, strict=True))
        after = rewrite(left, lambda atom, known=known: _decided(atom, known))  # type: ignore[misc]
        expected = can_be_completed(after)
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
    """Two "or"s of four outcomes each, with other things left after each: a few steps for each of 16 ways, not 2^8."""
    asked = [has(f"asked {i}") for i in range(8)]
    left = [has(f"left {i}") for i in range(8)]
    ways = [all_of([outcome(one), rest]) for one, rest in zip(asked, left, strict=True)]
    found = demand(all_of([any_of(ways[:4]), any_of(ways[4:])]), lambda rest: rest is not FALSE, 100)
    for truths in itertools.product((TRUE, FALSE), repeat=8):
        known = dict(zip(asked, truths, strict=True))
        expected = TRUE if TRUE in truths[:4] and TRUE in truths[4:] else FALSE
        assert rewrite(found, lambda atom, known=known: known[atom]) is expected  # type: ignore[misc]


def test_outcomes_that_exclude_each_other_take_no_combinations() -> None:
    """Tuples that a constant in the first place tells apart, and numbers in the second one that do not."""
    tuples = [
        {
            "type": "array",
            "prefixItems": [{"const": f"k{i}"}, {"type": "integer", "minimum": i}],
            "minItems": 2,
            "items": False,
        }
        for i in range(20)
    ]
    matcher = compile_grammar(byte_vocabulary(), json_schema={"oneOf": tuples}, cache=None).matcher()
    assert matches(matcher, '["k3",5]')
    assert not matches(matcher, '["k7",5]')
