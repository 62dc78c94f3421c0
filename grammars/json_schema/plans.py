"""Whether an object with open alternatives can be completed: a search for a plan.

A plan picks a way to satisfy the residual formula (which assertions hold, which fail) and then witnesses: keys
that must
come, keys that must not, and for each assertion that must fail a member that breaks it. After L. Attouche et al.,
"Witness Generation for JSON Schema", VLDB 2022, started in the middle of an object.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import LimitExceededError
from ..watch import checkpoint
from .formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Each,
    ExactlyOne,
    Formula,
    Has,
    MemberCount,
    NamesIn,
    Not,
    Or,
    all_of,
    negate,
)
from .keys import is_named, value_formula
from .object_state import ObjectState
from .residual import conjuncts, rewrite


@dataclass(frozen=True)
class Plan:
    """What one way to satisfy the residual asks. low, high: bounds on the number of further members."""

    low: int
    high: int | None
    holding: tuple[Each, ...] = ()
    failing: tuple[Each, ...] = ()
    names: tuple[NamesIn, ...] = ()
    broken_names: tuple[NamesIn, ...] = ()
    needed: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()

    def with_atom(self, atom: Formula, holds: bool, frame: ObjectState) -> Iterator[Plan]:
        """The plans with one more assertion decided."""
        if isinstance(atom, Each):
            yield self._with(holding=(*self.holding, atom)) if holds else self._with(failing=(*self.failing, atom))
        elif isinstance(atom, NamesIn):
            yield (
                self._with(names=(*self.names, atom)) if holds else self._with(broken_names=(*self.broken_names, atom))
            )
        elif isinstance(atom, Has):
            yield from self._with_key(frame.order.index[atom.key], holds)
        else:
            assert isinstance(atom, MemberCount)
            yield from self._with_count(atom, holds)

    def _with_key(self, key: int, holds: bool) -> Iterator[Plan]:
        if key in (self.forbidden if holds else self.needed):
            return
        yield self._with(needed=self.needed | {key}) if holds else self._with(forbidden=self.forbidden | {key})

    def _with_count(self, atom: MemberCount, holds: bool) -> Iterator[Plan]:
        if holds:
            yield from self._within(atom.low, atom.high)
            return
        yield from self._within(0, atom.low - 1)
        if atom.high is not None:
            yield from self._within(atom.high + 1, None)

    def _within(self, low: int, high: int | None) -> Iterator[Plan]:
        low = max(low, self.low)
        high = self.high if high is None else high if self.high is None else min(high, self.high)
        if high is None or low <= high:
            yield self._with(low=low, high=high)

    def _with(self, **changes: object) -> Plan:
        return Plan(**{**self.__dict__, **changes})


Members = dict[tuple[int, int], Formula]
"""Members of a plan: (class of the key, which one of that class) -> what the value must satisfy."""


class _Budget:
    """Choices left of `limits.max_plans`."""

    def __init__(self, maximum: int) -> None:
        self.maximum = self.left = maximum

    def spend(self) -> None:
        checkpoint()
        self.left -= 1
        if self.left < 0:
            raise LimitExceededError("max_plans", self.maximum, "choices", "alternatives of one object")


def find_plan(frame: ObjectState) -> frozenset[int] | None:
    """The keys of members that complete the object, so that everything that the frame's goal asks holds.

    They may come in any order, other members may not. None where there are none. Each is the index of a declared
    key, or past them that of a class of open ones.
    """
    start = Plan(
        low=frame.low,
        high=frame.high,
        holding=frame.shape.eaches,
        names=frame.shape.names,
        needed=frozenset(frame.missing()),
    )
    budget = _Budget(frame.document.max_plans)
    found = (_members(plan, frame, budget) for plan in _plans(frame.rest, start, frame, budget))
    return next((keys for keys in found if keys is not None), None)


def _plans(formula: Formula, plan: Plan, frame: ObjectState, budget: _Budget) -> Iterator[Plan]:
    """The plans that satisfy the formula: what it leaves no choice about is decided first, then one assertion both
    ways."""
    budget.spend()
    if formula is FALSE or _is_hopeless(plan, frame):
        return
    if formula is TRUE:
        yield plan
        return
    units = [part for part in conjuncts(formula) if isinstance(part.part if isinstance(part, Not) else part, Atom)]
    atom, holds = _polarity(units[0]) if units else _first_atom(formula)
    for truth in (holds,) if units else (holds, not holds):
        decided = TRUE if truth else FALSE
        following = rewrite(formula, lambda one, decided=decided: decided if one is atom else one)  # type: ignore[misc]
        for more in plan.with_atom(atom, truth, frame):
            yield from _plans(following, more, frame, budget)


def _polarity(unit: Formula) -> tuple[Formula, bool]:
    return (unit.part, False) if isinstance(unit, Not) else (unit, True)


def _first_atom(formula: Formula) -> tuple[Formula, bool]:
    """An assertion of the smallest part that leaves a choice, and the truth that helps there.

    Where it is to fail, the absence of a key is tried first: it needs no member that breaks anything.
    """
    holds, sizes = True, dict[Formula, int]()
    while not isinstance(formula, Atom):
        if isinstance(formula, Not):
            formula, holds = formula.part, not holds
        else:
            assert isinstance(formula, And | Or | ExactlyOne), formula
            formula = min(formula.parts, key=lambda part: (_size(part, sizes), holds is isinstance(part, Has)))
    return formula, holds


def _size(formula: Formula, known: dict[Formula, int]) -> int:
    """The number of assertions, as often as they stand there. known: sizes of parts that were met before."""
    if isinstance(formula, Not):
        return _size(formula.part, known)
    if not isinstance(formula, And | Or | ExactlyOne):
        return 1
    size = known.get(formula)
    if size is None:
        size = known[formula] = sum([_size(part, known) for part in formula.parts])
    return size


def _is_hopeless(plan: Plan, frame: ObjectState) -> bool:
    """Whether a key that must come can't, or no key that may come can break what must fail.

    Seen early, since what is decided later makes it no better.
    """
    if plan.high is not None and len(plan.needed) > plan.high:
        return True
    if not plan.needed.issubset(frame.later()):
        return True
    if not all(_may_fail(each, plan, frame) for each in plan.failing):
        return True
    values = [_value(plan, frame, key) for key in plan.needed]
    return not all(value is not None and frame.document.is_satisfiable(value) for value in values)


def _may_fail(each: Each, plan: Plan, frame: ObjectState) -> bool:
    """Whether some key may come of which `each` asks anything."""
    return any(value_formula(frame.order, each, key) is not TRUE for key in _possible(plan, frame))


def _members(plan: Plan, frame: ObjectState, budget: _Budget) -> frozenset[int] | None:
    """The keys of members that do what the plan asks, which is not hopeless."""
    values: Members = {}
    for key in sorted(plan.needed):
        value = _value(plan, frame, key)
        assert value is not None, "or the plan is hopeless"
        values[key, 0] = value
    candidates = _possible(plan, frame)
    witnesses: list[Each | NamesIn] = [*plan.failing, *plan.broken_names]
    return _place(witnesses, values, candidates, plan, frame, budget)


def _possible(plan: Plan, frame: ObjectState) -> list[int]:
    """The keys that may come."""
    return [key for key in frame.later() if key not in plan.forbidden] + [*frame.open_cells()]


def _value(plan: Plan, frame: ObjectState, key: int) -> Formula | None:
    """What a member with that key must satisfy in the plan; None when it can't be there."""
    if not all(is_named(frame.order, key, names.language) for names in plan.names):
        return None
    return all_of([value_formula(frame.order, each, key) for each in plan.holding])


def _place(
    witnesses: list[Each | NamesIn],
    values: Members,
    candidates: list[int],
    plan: Plan,
    frame: ObjectState,
    budget: _Budget,
) -> frozenset[int] | None:
    """The keys when every assertion that must fail has found a member that breaks it, within the counts."""
    budget.spend()
    if not witnesses:
        return _filled(values, candidates, plan, frame)
    witness, others = witnesses[0], witnesses[1:]
    for member in _places(values, candidates, plan, frame):
        key = member[0]
        value = values[member] if member in values else _value(plan, frame, key)
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


def _filled(values: Members, candidates: list[int], plan: Plan, frame: ObjectState) -> frozenset[int] | None:
    """The keys of the members, with as many more as the count asks for."""
    keys = {key for key, _ in values}
    missing = plan.low - len(values)
    num_names = len(frame.order.names)
    for key in candidates:
        if missing <= 0:
            break
        value = _value(plan, frame, key)
        if value is None or not frame.document.is_satisfiable(value):
            continue
        num_there = sum(one == key for one, _ in values)
        num_possible = frame.num_free(key, missing + num_there) if key >= num_names else 1
        if num_possible > num_there:
            missing -= num_possible - num_there
            keys.add(key)
    return frozenset(keys) if missing <= 0 else None
