"""Searches ways to make a residual formula hold: which of its assertions hold, and which fail.

Such a way is a plan: requirements on the rest of the container, collected while assertions are decided. The search is
depth first, without recursion. First the search decides everything that leaves no choice. Then it takes the choice with
the fewest branches, and tries each branch. New formulas are never built.
The search is a tableau method (E. Beth 1955; R. Smullyan, First-Order Logic, 1968). Choices with a single branch are
taken at once (M. Davis, G. Logemann, D. Loveland, A machine program for theorem-proving, CACM 1962).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Generic, Protocol, Self, TypeAlias, TypeVar

from ..errors import LimitExceededError
from ..watch import checkpoint
from .formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    ExactlyOne,
    Formula,
    Has,
    JsonKind,
    Not,
    Or,
    Outcome,
    all_of,
    any_of,
    negate,
    remembered,
)
from .residual import atoms

Goal: TypeAlias = tuple[Formula, bool]
"""(formula, True: it must hold; False: it must fail)."""
Choice: TypeAlias = tuple[And | Or | ExactlyOne, bool]
"""A goal that can be reached in several ways. Each way is a list of other goals, called a branch."""
Truth: TypeAlias = Mapping[Formula, bool]
"""Formula -> whether it must hold, for assertions and other formulas that are decided."""
Outcomes: TypeAlias = frozenset[tuple[Outcome, bool]]
"""Decisions about the value before the container: (outcome, whether it holds) pairs."""


class Plan(Protocol):
    """Requirements on what still comes in a container."""

    def with_atom(self, atom: Atom, holds: bool) -> Self | None:
        """The plan with one more decided assertion; None if it surely can't be carried out."""

    def carried_out(self, budget: Budget) -> Self | None:
        """The plan with what carries it out; None if nothing does. Raises LimitExceededError("max_plans")."""


PlanT = TypeVar("PlanT", bound=Plan)


class Budget:
    """The number of steps that searches may still make.

    maximum: the limit `max_plans`.
    kind: kind of container that is searched, for the error.
    """

    def __init__(self, maximum: int, kind: JsonKind) -> None:
        self.maximum = self.left = maximum
        self.kind = kind

    def spend(self) -> None:
        """Count one step. Raises LimitExceededError("max_plans") if no steps are left."""
        checkpoint()
        self.left -= 1
        if self.left < 0:
            raise LimitExceededError("max_plans", self.maximum, "choices", f"alternatives of one {self.kind}")


@dataclass(slots=True)
class Tableau(Generic[PlanT]):
    """The searches for one container.

    start: plan of the unconditional requirements.
    is_satisfiable: function that returns True for a formula that some value satisfies.
    budget: limits the steps of all searches; raises LimitExceededError.
    before: known condition on the next member or item. Plans describe only the rest of the container after that member
        or item.
    is_generous: True: plans that forbid few keys come first.
    outcomes: attribute; the outcomes in the formula.
    """

    start: PlanT
    is_satisfiable: Callable[[Formula], bool]
    budget: Budget
    before: Formula = TRUE
    is_generous: bool = False
    outcomes: list[Outcome] = field(default_factory=list, init=False)

    def find(self, formula: Formula, truth: Truth) -> PlanT | None:
        """A plan that is carried out; None if there is none.

        formula: residual formula of the container.
        truth: formulas whose truth is known; they add nothing to the plan.
        """
        return next((plan for plan, _ in self._plans(formula, truth, [])), None)

    def weakest_condition(self, left: Formula) -> Formula:
        """The weakest condition on the value before the container under which the container can be completed.

        left: the residual formula after the value; `Outcome` stands for conditions that depend on the value.
        Each plan requires some outcomes; the result is the "or" of these requirements.
        """
        self.outcomes = [one for one in atoms(left) if isinstance(one, Outcome)]
        impossible = [one for one in self.outcomes if not self.is_satisfiable(all_of((self.before, one.value)))]
        known: list[Outcomes] = []
        for _, asked in self._plans(left, dict.fromkeys(impossible, False), known):
            asked = _without_needless(asked, known)
            if not asked:
                return TRUE
            known[:] = [*[one for one in known if not asked <= one], asked]
        return any_of([_asked(asked) for asked in known])

    def _plans(self, formula: Formula, truth: Truth, known: list[Outcomes]) -> Iterator[tuple[PlanT, Outcomes]]:
        """Yields plans that are carried out, with the outcomes that they require.

        known: sets of outcomes; the search skips plans that require all outcomes of one of them. May grow meanwhile.
        """
        places: list[Iterator[_Place[PlanT]]] = [
            iter((_Place(self, self.start, self.before, dict(truth), [(formula, True)]),))
        ]
        while places:
            place = next(places[-1], None)
            if place is None:
                places.pop()
                continue
            self.budget.spend()
            if not place.is_settled() or any(one <= place.outcomes for one in known):
                continue
            if place.choices:
                places.append(place.ways())
            elif not place.outcomes or self.is_satisfiable(place.before):
                plan = place.plan.carried_out(self.budget)
                if plan is not None:
                    yield plan, place.outcomes


def _without_needless(asked: Outcomes, known: list[Outcomes]) -> Outcomes:
    """The outcomes without needless ones: those whose opposite, together with the others, is known to be enough.

    known: sets of outcomes that are enough.
    """
    for outcome, holds in _sorted(asked):
        others = asked - {(outcome, holds)}
        if any((outcome, not holds) in one and one - {(outcome, not holds)} <= others for one in known):
            asked = others
    return asked


def _asked(outcomes: Outcomes) -> Formula:
    return all_of([one.value if holds else negate(one.value) for one, holds in _sorted(outcomes)])


def _sorted(outcomes: Outcomes) -> list[tuple[Outcome, bool]]:
    return sorted(outcomes, key=lambda pair: pair[0].id)


@dataclass(slots=True)
class _Place(Generic[PlanT]):
    """A state of the search.

    search: the search that it belongs to.
    plan: the requirements so far.
    before: the condition on the value before the container, with the decided outcomes.
    truth: the decisions so far, see `Truth`.
    goals: formulas that must hold or fail, and that are not decided yet.
    choices: formulas that can be made true or false in several ways.
    outcomes: the decided outcomes.
    new: attribute; formulas that were decided since the last look at the choices.
    """

    search: Tableau[PlanT]
    plan: PlanT
    before: Formula
    truth: dict[Formula, bool]
    goals: list[Goal]
    choices: list[Choice] = field(default_factory=list)
    outcomes: Outcomes = frozenset()
    new: set[Formula] = field(default_factory=set)

    def ways(self) -> Iterator[_Place[PlanT]]:
        """Yields the state after each branch of the choice with the fewest parts."""
        choice = min(self.choices, key=lambda one: len(one[0].parts))
        others = [one for one in self.choices if one is not choice]
        for branch in _branches(choice, self.truth, {}, is_generous=self.search.is_generous):
            yield _Place(self.search, self.plan, self.before, dict(self.truth), branch, list(others), self.outcomes)

    def is_settled(self) -> bool:
        """Decide everything that leaves no choice. Returns False if this leads to a contradiction."""
        while self.goals:
            found: list[Choice] = []
            while self.goals:
                formula, holds = self.goals.pop()
                while isinstance(formula, Not):
                    formula, holds = formula.part, not holds
                known = self.truth.get(formula)
                if known is None and formula is not TRUE and formula is not FALSE:
                    self.truth[formula] = holds
                    self.new.add(formula)
                    if isinstance(formula, Atom):
                        if not self._is_decided(formula, holds):
                            return False
                    elif isinstance(formula, And if holds else Or):
                        self.goals += [(part, holds) for part in reversed(formula.parts)]
                    else:
                        assert isinstance(formula, And | Or | ExactlyOne), formula
                        found.append((formula, holds))
                elif holds is not (formula is TRUE if known is None else known):
                    return False
            if not self._are_open(found):
                return False
        return True

    def _is_decided(self, atom: Atom, holds: bool) -> bool:
        """Take an assertion into the plan. Returns False if this is a contradiction."""
        if isinstance(atom, Outcome):
            self.outcomes |= {(atom, holds)}
            self.before = all_of((self.before, atom.value if holds else negate(atom.value)))
            if holds and not self.search.is_satisfiable(self.before):
                return False
            if holds:
                self._rule_out()
            return True
        plan = self.plan.with_atom(atom, holds)
        if plan is not None:
            self.plan = plan
        return plan is not None

    def _rule_out(self) -> None:
        """Decide that outcomes are false if no value can have them any more."""
        for outcome in self.search.outcomes:
            if outcome not in self.truth and not self.search.is_satisfiable(all_of((self.before, outcome.value))):
                self.truth[outcome] = False
                self.new.add(outcome)

    def _are_open(self, found: list[Choice]) -> bool:
        """Keep the open choices; a choice with one branch left becomes goals. Returns False if a choice has none left.

        found: new choices. Old choices are considered again if a part of them was decided.
        """
        kept = [one for one in self.choices if self.new.isdisjoint(_parts_of(one[0]))]
        if len(kept) < len(self.choices):
            found += [one for one in self.choices if one not in kept]
        self.choices = kept
        self.new.clear()
        known: dict[Formula, bool | None] = {}
        for choice in found:
            formula, holds = choice
            is_true = _value_by_parts(formula, self.truth, known)
            if is_true is None:
                ways = list(islice(_branches(choice, self.truth, known, is_generous=self.search.is_generous), 2))
                if len(ways) == 1:
                    self.goals += ways[0]
                elif choice not in self.choices:
                    self.choices.append(choice)
            elif is_true is not holds:
                return False
        return True


@remembered
def _parts_of(formula: Formula) -> frozenset[Formula]:
    """All parts of a formula, at any depth."""
    found, pending = set[Formula](), [formula]
    while pending:
        part = pending.pop()
        inner = (part.part,) if isinstance(part, Not) else part.parts if isinstance(part, And | Or | ExactlyOne) else ()
        pending += [one for one in inner if one not in found]
        found.update(inner)
    return frozenset(found)


def _value(formula: Formula, truth: Truth, known: dict[Formula, bool | None]) -> bool | None:
    """The truth of a formula; None if it is open. known: cache of the values of parts under this `truth`."""
    decided = truth.get(formula)
    if decided is not None or isinstance(formula, Atom):
        return decided
    if formula is TRUE or formula is FALSE:
        return formula is TRUE
    if formula in known:
        return known[formula]
    if isinstance(formula, Not):
        inner = _value(formula.part, truth, known)
        found = None if inner is None else not inner
    else:
        assert isinstance(formula, And | Or | ExactlyOne), formula
        found = _value_by_parts(formula, truth, known)
    known[formula] = found
    return found


def _value_by_parts(formula: And | Or | ExactlyOne, truth: Truth, known: dict[Formula, bool | None]) -> bool | None:
    """Like `_value`, but computed from the parts even if `truth` has an entry for the formula."""
    values = [_value(part, truth, known) for part in formula.parts]
    if isinstance(formula, ExactlyOne):
        num_true = values.count(True)
        if num_true > 1:
            return False
        return None if None in values else num_true == 1
    decisive = isinstance(formula, Or)
    if decisive in values:
        return decisive
    return None if None in values else not decisive


def _branches(
    choice: Choice, truth: Truth, known: dict[Formula, bool | None], *, is_generous: bool
) -> Iterator[list[Goal]]:
    """Yields the branches of an open choice. Branches that constrain the value before the container come last.

    is_generous: True: branches that forbid a key come after others; False: before them. Forbidding a key never
        needs a further member, but leaves fewer keys for later ones.
    """
    formula, holds = choice
    open_parts = [part for part in formula.parts if _value(part, truth, known) is None]
    open_parts.sort(key=lambda part: (_asks_before(part), _forbids(part, holds) is is_generous))
    if not isinstance(formula, ExactlyOne):
        for part in open_parts:
            yield [(part, holds)]
        return
    is_one_true = any(_value(part, truth, known) for part in formula.parts)
    if is_one_true is holds:
        yield [(part, False) for part in open_parts]
    if holds and not is_one_true:
        for place, part in enumerate(open_parts):
            yield [(part, True), *[(other, False) for other in (*open_parts[:place], *open_parts[place + 1 :])]]
    elif not holds and is_one_true:
        for part in open_parts:
            yield [(part, True)]
    elif not holds:
        yield from ([(first, True), (second, True)] for first, second in combinations(open_parts, 2))


def _forbids(part: Formula, holds: bool) -> bool:
    return isinstance(part.part, Has) and holds if isinstance(part, Not) else isinstance(part, Has) and not holds


def _asks_before(part: Formula) -> bool:
    inner = part.part if isinstance(part, Not) else part
    return any(isinstance(one, Outcome) for one in (inner.parts if isinstance(inner, And) else (inner,)))
