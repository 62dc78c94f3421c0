"""Whether an object with open alternatives can be completed: a search for a plan with members that do what it asks.

A plan picks a way to satisfy the residual formula (which assertions hold, which fail) and then witnesses: keys that
must come, keys that must not, and for each assertion that must fail a member that breaks it. After L. Attouche et al.,
"Witness Generation for JSON Schema", VLDB 2022, started in the middle of an object.

One completion also tells that most other keys may come: those that its plan leaves open. So whether each key may come
takes few searches, however many keys there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .formula import FALSE, Each, Formula, NamesIn, all_of, negate
from .keys import is_named, value_formula
from .object_state import ObjectState
from .plan import Plan
from .plan_search import Budget, plans
from .residual import atoms

Members = dict[tuple[int, int], Formula]
"""Members of a plan: (class of the key, which one of that class) -> what the value must satisfy."""


class Completion(NamedTuple):
    """A plan with the keys of members that do what it asks, in any order. num_members: how many of them there are."""

    plan: Plan
    keys: frozenset[int]
    num_members: int

    def leaves_open(self, frame: ObjectState, key: int) -> bool:
        """Whether a member with that key may come beside its members, or is one of them."""
        if key in self.keys:
            return True
        high = self.plan.high
        return (high is None or self.num_members < high) and self.plan.allows(frame, key)


def find_plan(frame: ObjectState, key: int | None = None) -> Completion | None:
    """Members that complete the object, so that everything that the frame's goal asks holds; None where there are none.

    key: of a member that must be among them, the index of a declared key, or past them that of a class of open ones.
        Then other keys are left open where that is possible.
    """
    needed = frozenset(frame.missing())
    start = Plan(
        low=frame.low,
        high=frame.high,
        holding=frame.shape.eaches,
        names=frame.shape.names,
        needed=needed if key is None else needed | {key},
    )
    budget = Budget(frame.document.max_plans)
    broken = {} if key is None else dict.fromkeys(_broken_by(frame, start, key), False)
    ways = plans(frame.rest, broken, start, frame, budget, is_generous=key is not None)
    found = (_members(plan, frame, budget) for plan in ways)
    return next((completion for completion in found if completion is not None), None)


def _broken_by(frame: ObjectState, start: Plan, key: int) -> list[Each]:
    """What every member with that key breaks. Known beforehand, since it decides most alternatives."""
    value = start.value(frame, key)
    eaches = [] if value is None else [atom for atom in atoms(frame.rest) if isinstance(atom, Each)]
    return [each for each in eaches if _breaks(frame, each, key, value)]  # type: ignore[arg-type]


def _breaks(frame: ObjectState, each: Each, key: int, value: Formula) -> bool:
    """Whether every member with that key and such a value breaks an assertion."""
    return not frame.document.is_satisfiable(all_of((value, value_formula(frame.order, each, key))))


def _members(plan: Plan, frame: ObjectState, budget: Budget) -> Completion | None:
    """The members that do what the plan asks."""
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
    """The members when every assertion that must fail has found one that breaks it, within the counts."""
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
    """The members that are there and those that may be added."""
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
    """The members, with as many more as the count asks for."""
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
