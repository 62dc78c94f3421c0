"""Decides if an object with open alternatives can be completed: searches a plan and members that carry it out.

A plan decides which assertions of the residual formula hold and which fail. Then the search looks for witnesses: keys
that must come, and for each failing assertion a member that breaks it. The method follows L. Attouche et al., "Witness
Generation for JSON Schema", VLDB 2022, but starts in the middle of an object.

A completion also shows that most other keys may come: those that its plan leaves open. So few searches tell for many
keys whether they may come.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .formula import FALSE, Each, Formula, NamesIn, Outcome, all_of, any_of, negate
from .keys import is_named, value_formula
from .object_state import ObjectState
from .plan import Plan
from .plan_search import Budget, plans
from .residual import atoms
from .truth import Truth

Members = dict[tuple[int, int], Formula]
"""Members of a plan: (class of the key, number within the class) -> condition on the value."""


class Completion(NamedTuple):
    """A plan with members that carry it out.

    plan: the plan.
    keys: classes of the members' keys.
    num_members: number of members.
    """

    plan: Plan
    keys: frozenset[int]
    num_members: int

    def leaves_open(self, frame: ObjectState, key: int) -> bool:
        """True if a member with this key is one of the completion's members, or may come beside them."""
        if key in self.keys:
            return True
        high = self.plan.high
        return (high is None or self.num_members < high) and self.plan.allows(frame, key)


def find_plan(frame: ObjectState, key: int | None = None) -> Completion | None:
    """A way to complete the object; None if there is none.

    key: class of a key that must come; None: any. With a key, the search prefers plans that leave other keys open.
    Raises LimitExceededError("max_plans").
    """
    start = _start(frame)
    if key is not None:
        start = start._replace(needed=start.needed | {key})
    broken: Truth = {} if key is None else dict[Formula, bool].fromkeys(_broken_by(frame, start, key), False)
    budget = Budget(frame.document.max_plans)
    return _find(frame, plans(frame.rest, broken, start, frame, budget, is_generous=key is not None), budget)


def condition_before(frame: ObjectState, left: Formula, value: Formula) -> Formula:
    """The weakest condition on a member's value under which the object after it can be completed.

    frame: the object after the value, with only its unconditional requirements.
    left: the rest of its residual formula; `Outcome` stands for conditions that depend on the value.
    value: formula that the value satisfies anyway.
    Raises LimitExceededError("max_plans").

    Each completion requires some outcomes. The search then looks for completions that require others, until there are
    none; the result is the "or" of the requirements.
    """
    budget = Budget(frame.document.max_plans)
    start = _start(frame)._replace(before=value)
    is_satisfiable = frame.document.is_satisfiable
    outcomes = [one for one in atoms(left) if isinstance(one, Outcome)]
    truth: Truth = {one: False for one in outcomes if not is_satisfiable(all_of((value, one.value)))}
    found: list[frozenset[tuple[Outcome, bool]]] = []
    while True:
        others = [any_of([negate(one) if holds else one for one, holds in asked]) for asked in found]
        completion = _find(frame, plans(all_of([left, *others]), truth, start, frame, budget), budget)
        if completion is None:
            return any_of([_asked(sorted(asked, key=lambda pair: pair[0].id)) for asked in found])
        asked = _without_needless(completion.plan.outcomes, found)
        found = [one for one in found if not asked <= one] + [asked]


def _without_needless(
    asked: frozenset[tuple[Outcome, bool]], known: list[frozenset[tuple[Outcome, bool]]]
) -> frozenset[tuple[Outcome, bool]]:
    """The outcomes without needless ones. An outcome is needless if its opposite with the others is known to be enough.

    known: sets of outcomes that are enough.
    """
    for outcome, holds in sorted(asked, key=lambda pair: pair[0].id):
        others = asked - {(outcome, holds)}
        if any((outcome, not holds) in one and one - {(outcome, not holds)} <= others for one in known):
            asked = others
    return asked


def _asked(outcomes: list[tuple[Outcome, bool]]) -> Formula:
    return all_of([one.value if holds else negate(one.value) for one, holds in outcomes])


def _start(frame: ObjectState) -> Plan:
    """The plan of the unconditional requirements."""
    shape = frame.shape
    needed = frozenset(frame.missing())
    return Plan(frame.low, frame.high, holding=shape.eaches, names=shape.names, needed=needed)


def _find(frame: ObjectState, ways: Iterator[Plan], budget: Budget) -> Completion | None:
    found = (_members(plan, frame, budget) for plan in ways)
    return next((completion for completion in found if completion is not None), None)


def _broken_by(frame: ObjectState, start: Plan, key: int) -> list[Each]:
    """The assertions in `rest` that every member with this key breaks. To know them first decides most alternatives."""
    value = start.value(frame, key)
    eaches = [] if value is None else [atom for atom in atoms(frame.rest) if isinstance(atom, Each)]
    return [each for each in eaches if _breaks(frame, each, key, value)]  # type: ignore[arg-type]


def _breaks(frame: ObjectState, each: Each, key: int, value: Formula) -> bool:
    """True if every member with this key and a value that satisfies `value` breaks an assertion."""
    return not frame.document.is_satisfiable(all_of((value, value_formula(frame.order, each, key))))


def _members(plan: Plan, frame: ObjectState, budget: Budget) -> Completion | None:
    """Members that carry out the plan; None if there are none."""
    if plan.outcomes and not frame.document.is_satisfiable(plan.before):
        return None
    values: Members = {}
    for key in sorted(plan.needed):
        value = plan.value(frame, key)
        if value is None or not frame.document.is_satisfiable(value):
            return None
        values[key, 0] = value
    witnesses: list[Each | NamesIn] = [*plan.failing, *plan.broken_names]
    return _place(witnesses, values, plan.possible(frame), plan, frame, budget)


def _place(
    witnesses: list[Each | NamesIn],
    values: Members,
    candidates: list[int],
    plan: Plan,
    frame: ObjectState,
    budget: Budget,
) -> Completion | None:
    """Find a member that breaks each of `witnesses`, within the counts; None if there are none.

    witnesses: assertions that some member must still break.
    values: the members so far.
    candidates: keys of members that may be used.
    """
    budget.spend()
    if not witnesses:
        return _filled(values, candidates, plan, frame)
    witness, others = witnesses[0], witnesses[1:]
    if isinstance(witness, Each) and any(_breaks(frame, witness, key, value) for (key, _), value in values.items()):
        return _place(others, values, candidates, plan, frame, budget)
    for member in _places(values, candidates, plan, frame):
        key = member[0]
        value = values[member] if member in values else plan.value(frame, key)
        if value is None:
            continue
        if isinstance(witness, Each):
            value = all_of((value, negate(value_formula(frame.order, witness, key))))
        elif is_named(frame.order, key, witness.language):
            continue
        if value is FALSE or not frame.document.is_satisfiable(value):
            continue
        found = _place(others, {**values, member: value}, candidates, plan, frame, budget)
        if found is not None:
            return found
    return None


def _places(values: Members, candidates: list[int], plan: Plan, frame: ObjectState) -> Iterator[tuple[int, int]]:
    """Yields the members so far, and members that may be added."""
    is_full = plan.high is not None and len(values) >= plan.high
    num_names = len(frame.order.names)
    for key in candidates:
        count = 0
        while (key, count) in values:
            yield key, count
            count += 1
        if not is_full and (count == 0 or (key >= num_names and frame.num_free(key, count + 1) > count)):
            yield key, count


def _filled(values: Members, candidates: list[int], plan: Plan, frame: ObjectState) -> Completion | None:
    """The completion with the members, and more of them if `low` requires it; None if too few keys are possible."""
    keys = {key for key, _ in values}
    missing = plan.low - len(values)
    num_names = len(frame.order.names)
    for key in candidates:
        if missing <= 0:
            break
        value = plan.value(frame, key)
        if value is None or not frame.document.is_satisfiable(value):
            continue
        num_there = sum(one == key for one, _ in values)
        num_possible = frame.num_free(key, missing + num_there) if key >= num_names else 1
        if num_possible > num_there:
            missing -= num_possible - num_there
            keys.add(key)
    return Completion(plan, frozenset(keys), max(len(values), plan.low)) if missing <= 0 else None
