"""Searches plans that satisfy the residual formula of an object. plans.py finds members for each plan.

The search is depth first, without recursion. It first decides everything that leaves no choice. Then it takes the
choice with the fewest branches, and tries each branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from ..errors import LimitExceededError
from ..watch import checkpoint
from .formula import FALSE, TRUE, And, Atom, ExactlyOne, Formula, MemberCount, Not, Or, all_of, member_count
from .object_state import ObjectState
from .plan import Plan
from .truth import Choice, Goal, Truth, branches, parts_of, value_by_parts


class Budget:
    """The number of steps that searches may still make. maximum: the limit `max_plans`."""

    def __init__(self, maximum: int) -> None:
        self.maximum = self.left = maximum

    def spend(self) -> None:
        """Count one step. Raises LimitExceededError("max_plans") if none is left."""
        checkpoint()
        self.left -= 1
        if self.left < 0:
            raise LimitExceededError("max_plans", self.maximum, "choices", "alternatives of one object")


def plans(
    formula: Formula, truth: Truth, start: Plan, frame: ObjectState, budget: Budget, *, is_generous: bool = False
) -> Iterator[Plan]:
    """Yields the plans that satisfy a formula and the requirements of `start`.

    formula: residual formula of the object.
    truth: assertions whose truth is known; they add nothing to the plans.
    start: the requirements to begin with.
    frame: the object.
    budget: limits the steps; raises LimitExceededError.
    is_generous: True: plans that forbid few keys come first.
    """
    if not start.allows_all(frame, start.needed):
        return
    places: list[Iterator[_Place]] = [iter((_Place(frame, is_generous, start, dict(truth), [], [(formula, True)]),))]
    while places:
        place = next(places[-1], None)
        if place is None:
            places.pop()
            continue
        budget.spend()
        if place.is_settled():
            if place.choices:
                places.append(place.ways())
            else:
                yield place.plan


@dataclass(slots=True)
class _Place:
    """A state of the search.

    plan: the requirements so far.
    truth: the decisions so far, see `Truth`.
    choices: formulas that can be made true or false in several ways.
    goals: formulas that must hold or fail, and that are not decided yet.
    new: attribute; formulas that were decided since the choices were last looked at.
    """

    frame: ObjectState
    is_generous: bool
    plan: Plan
    truth: dict[Formula, bool]
    choices: list[Choice]
    goals: list[Goal]
    new: set[Formula] = field(default_factory=set)

    def ways(self) -> Iterator[_Place]:
        """Yields the state after each branch of the choice with the fewest parts."""
        choice = min(self.choices, key=lambda one: len(one[0].parts))
        others = [one for one in self.choices if one is not choice]
        for branch in branches(choice, self.truth, {}, is_generous=self.is_generous):
            yield _Place(self.frame, self.is_generous, self.plan, dict(self.truth), list(others), branch)

    def is_settled(self) -> bool:
        """Decide everything that leaves no choice. Returns False if this leads to a contradiction."""
        while self.goals:
            found: list[Choice] = []
            while self.goals:
                formula, holds = self.goals.pop()
                while isinstance(formula, Not):
                    formula, holds = formula.part, not holds
                if isinstance(formula, And | Or | ExactlyOne):
                    known = self.truth.get(formula)
                    if known is not None:
                        if known is not holds:
                            return False
                        continue
                    self.truth[formula] = holds
                    self.new.add(formula)
                    if isinstance(formula, And if holds else Or):
                        self.goals += [(part, holds) for part in reversed(formula.parts)]
                    else:
                        found.append((formula, holds))
                elif not self._is_decided(formula, holds):
                    return False
            if not self._are_open(found):
                return False
        return True

    def _is_decided(self, formula: Formula, holds: bool) -> bool:
        """Decide an assertion. Returns False if this is a contradiction."""
        if formula is TRUE or formula is FALSE:
            return holds is (formula is TRUE)
        assert isinstance(formula, Atom)
        known = self.truth.get(formula)
        if known is not None:
            return known is holds
        self.truth[formula] = holds
        self.new.add(formula)
        if isinstance(formula, MemberCount) and not holds and formula.low and formula.high is not None:
            self.goals.append((all_of((member_count(formula.low, None), member_count(0, formula.high))), False))
            return True
        plan = self.plan.with_atom(formula, holds, self.frame)
        if plan is not None:
            self.plan = plan
        return plan is not None

    def _are_open(self, found: list[Choice]) -> bool:
        """Keep the open choices; a choice with one branch left becomes goals. Returns False if a choice has none left.

        found: new choices. Old choices are looked at again if a part of them was decided.
        """
        kept = [one for one in self.choices if self.new.isdisjoint(parts_of(one[0]))]
        if len(kept) < len(self.choices):
            found += [one for one in self.choices if one not in kept]
        self.choices = kept
        self.new.clear()
        known: dict[Formula, bool | None] = {}
        for choice in found:
            formula, holds = choice
            is_true = value_by_parts(formula, self.truth, known)
            if is_true is None:
                ways = list(islice(branches(choice, self.truth, known, is_generous=self.is_generous), 2))
                if len(ways) == 1:
                    self.goals += ways[0]
                elif choice not in self.choices:
                    self.choices.append(choice)
            elif is_true is not holds:
                return False
        return True
