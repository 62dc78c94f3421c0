"""The plans that satisfy what is left of an object, one after the other: see `plans`, which finds members for them.

Depth first, without recursion. What leaves no choice is decided first; then the choice with the fewest ways is made,
each way in turn.
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
    """Choices left of `limits.max_plans`."""

    def __init__(self, maximum: int) -> None:
        self.maximum = self.left = maximum

    def spend(self) -> None:
        """One choice. Raises LimitExceededError where there is none left."""
        checkpoint()
        self.left -= 1
        if self.left < 0:
            raise LimitExceededError("max_plans", self.maximum, "choices", "alternatives of one object")


def plans(
    formula: Formula, truth: Truth, start: Plan, frame: ObjectState, budget: Budget, *, is_generous: bool = False
) -> Iterator[Plan]:
    """The plans that satisfy a formula as `start` asks. truth: assertions that are decided, of which nothing is asked.
    is_generous: plans that forbid few keys come first."""
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
    """What is decided so far, what leaves a choice, and the goals that are still to be looked at.

    truth: what is decided, see `Truth`; new: since the choices were looked at.
    """

    frame: ObjectState
    is_generous: bool
    plan: Plan
    truth: dict[Formula, bool]
    choices: list[Choice]
    goals: list[Goal]
    new: set[Formula] = field(default_factory=set)

    def ways(self) -> Iterator[_Place]:
        """The places after each way to make the choice that has the fewest."""
        choice = min(self.choices, key=lambda one: len(one[0].parts))
        others = [one for one in self.choices if one is not choice]
        for branch in branches(choice, self.truth, {}, is_generous=self.is_generous):
            yield _Place(self.frame, self.is_generous, self.plan, dict(self.truth), list(others), branch)

    def is_settled(self) -> bool:
        """Decide all that leaves no choice. False where that can't be."""
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
        """Decide an assertion. False where that can't be."""
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
        """Keep the choices that are open; those that leave one way become goals. False where one leaves none.

        found: choices that were not looked at. The others are looked at where something in them was decided.
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
