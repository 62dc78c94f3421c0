"""Finds members that complete an object with open alternatives, or that there are none.

A plan says which assertions of the residual formula hold and which fail (`tableau`). Then the search looks for
witnesses: keys that must come, and for each failing assertion a member that breaks it. The method follows L. Attouche
et al., "Witness Generation for JSON Schema", VLDB 2022, but starts in the middle of an object.

A plan proves that each key that it leaves open may come. A few searches therefore answer for many keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from .formula import FALSE, TRUE, Atom, Each, Formula, Has, NamesIn, PartCount, all_of, lower, negate
from .keys import is_named, value_formula
from .object_state import ObjectState
from .residual import atoms
from .tableau import Budget, Tableau

Members: TypeAlias = dict[tuple[int, int], Formula]
"""Members of a plan: (class of the key, number within the class) -> condition on the value."""


def find_plan(frame: ObjectState, key: int | None = None) -> ObjectPlan | None:
    """A plan that completes the object; None if there is none.

    key: class of a key that must come; None: any. With a key, the search prefers plans that leave other keys open.
    Raises LimitExceededError("max_plans").
    """
    start = _start(frame)
    if key is not None:
        start = start._replace(needed=start.needed | {key})
    if not start.allows_all(start.needed):
        return None
    truth: dict[Formula, bool] = {} if key is None else dict.fromkeys(_broken_by(start, key), False)
    return _tableau(start, is_generous=key is not None).find(frame.rest, truth)


def condition_before(frame: ObjectState, left: Formula, value: Formula) -> Formula:
    """The weakest condition on a member's value under which the object after it can be completed.

    frame: the object after the value, with only its unconditional requirements.
    left: the rest of its residual formula; `Outcome` stands for conditions that depend on the value.
    value: formula that the value satisfies anyway.
    Raises LimitExceededError("max_plans").
    """
    start = _start(frame)
    return _tableau(start, before=value).weakest_condition(left) if start.allows_all(start.needed) else FALSE


def _tableau(start: ObjectPlan, before: Formula = TRUE, *, is_generous: bool = False) -> Tableau[ObjectPlan]:
    document = start.frame.document
    return Tableau(start, document.is_satisfiable, Budget(document.max_plans, "object"), before, is_generous)


def _start(frame: ObjectState) -> ObjectPlan:
    """The plan of the unconditional requirements."""
    shape = frame.shape
    needed = frozenset(frame.missing())
    return ObjectPlan(frame, frame.low, frame.high, holding=shape.eaches, names=shape.names, needed=needed)


def _broken_by(start: ObjectPlan, key: int) -> list[Each]:
    """The assertions in `rest` that every member with this key breaks. These decide most alternatives."""
    value = start.value(key)
    eaches = [] if value is None else [atom for atom in atoms(start.frame.rest) if isinstance(atom, Each)]
    return [each for each in eaches if start.breaks(each, key, value)]  # type: ignore[arg-type]


class ObjectPlan(NamedTuple):
    """Requirements on the further members of an object. A key is the class of a declared key or of open keys.

    frame: the object.
    low, high: bounds on the number of further members; None: no upper bound.
    holding: assertions that all members must satisfy.
    failing: assertions about members; some member must break each.
    names: assertions that all keys must satisfy.
    broken_names: assertions about keys; some key must break each.
    needed, forbidden: keys that must come, and keys that must not.
    """

    frame: ObjectState
    low: int
    high: int | None
    holding: tuple[Each, ...] = ()
    failing: tuple[Each, ...] = ()
    names: tuple[NamesIn, ...] = ()
    broken_names: tuple[NamesIn, ...] = ()
    needed: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()

    def value(self, key: int) -> Formula | None:
        """The condition on the value of a member with this key; None if the key is not allowed."""
        order = self.frame.order
        if not all(is_named(order, key, names.language) for names in self.names):
            return None
        return all_of([value_formula(order, each, key) for each in self.holding])

    def allows(self, key: int) -> bool:
        """True if a member with this key can come."""
        if key in self.forbidden:
            return False
        value = self.value(key)
        return value is not None and self.frame.document.is_satisfiable(value)

    def leaves_open(self, key: int) -> bool:
        """For a plan that is carried out: True if a member with this key is in it, or may come beside its members."""
        return key in self.needed or ((self.high is None or self.low < self.high) and self.allows(key))

    def allows_all(self, keys: Iterable[int]) -> bool:
        """True if all these keys can come, and `high` has room for all needed keys."""
        fits = self.high is None or len(self.needed) <= self.high
        return fits and all(self.frame.may_come(key) and self.allows(key) for key in keys)

    def breaks(self, each: Each, key: int, value: Formula) -> bool:
        """True if every member with this key and a value that satisfies `value` breaks an assertion."""
        asked = value_formula(self.frame.order, each, key)
        return not self.frame.document.is_satisfiable(all_of((value, asked)))

    # --- assertions are decided

    def with_atom(self, atom: Atom, holds: bool) -> ObjectPlan | None:
        """The plan with one more decided assertion; None if it surely can't be carried out."""
        order = self.frame.order
        if isinstance(atom, Has):
            return self._with_key(order.index[atom.key], holds)
        if isinstance(atom, PartCount):
            return self._with_count(atom, holds)
        if isinstance(atom, NamesIn):
            if not holds:
                return self._replace(broken_names=(*self.broken_names, atom))
            is_kept = all(is_named(order, key, atom.language) for key in self.needed)
            return self._replace(names=(*self.names, atom)) if is_kept else None
        assert isinstance(atom, Each)
        if holds:
            asked = [key for key in self.needed if value_formula(order, atom, key) is not TRUE]
            plan = self._replace(holding=(*self.holding, atom))
            return plan if plan.allows_all(asked) else None
        may_fail = any(self._may_break(atom, key) for key in self._possible())
        return self._replace(failing=(*self.failing, atom)) if may_fail else None

    def _possible(self) -> list[int]:
        """The keys that may still come and that the plan does not forbid."""
        return [key for key in self.frame.later() if key not in self.forbidden] + [*self.frame.open_cells()]

    def _may_break(self, each: Each, key: int) -> bool:
        """True if some member with this key can break an assertion."""
        asked = value_formula(self.frame.order, each, key)
        value = None if asked is TRUE else self.value(key)
        return value is not None and self.frame.document.is_satisfiable(all_of((value, negate(asked))))

    def _with_key(self, key: int, holds: bool) -> ObjectPlan | None:
        if not holds:
            return None if key in self.needed else self._replace(forbidden=self.forbidden | {key})
        plan = self._replace(needed=self.needed | {key})
        return plan if plan.allows_all([key]) else None

    def _with_count(self, atom: PartCount, holds: bool) -> ObjectPlan | None:
        """The plan with an assertion about the number of members decided. The assertion has only one bound."""
        if holds:
            low, high = atom.low, atom.high
        else:
            low, high = (0, atom.low - 1) if atom.high is None else (atom.high + 1, None)
        low, high = max(low, self.low), lower(high, self.high)
        if high is not None and high < max(low, len(self.needed)):
            return None
        return self._replace(low=low, high=high)

    # --- members are found

    def carried_out(self, budget: Budget) -> ObjectPlan | None:
        """Find members that carry out the plan; None if there are none. In the returned plan, `needed` has their keys,
        and `low` their number.
        """
        values: Members = {}
        for key in sorted(self.needed):
            value = self.value(key)
            if value is None or not self.frame.document.is_satisfiable(value):
                return None
            values[key, 0] = value
        return self._placed([*self.failing, *self.broken_names], values, self._possible(), budget)

    def _placed(
        self, witnesses: list[Each | NamesIn], values: Members, candidates: list[int], budget: Budget
    ) -> ObjectPlan | None:
        """Find members that break all of `witnesses`, within the counts; None if there are none.

        witnesses: assertions that members must still break.
        values: the members so far.
        candidates: keys of members that may be used.
        """
        budget.spend()
        if not witnesses:
            return self._filled(values, candidates)
        witness, others = witnesses[0], witnesses[1:]
        if isinstance(witness, Each) and any(self.breaks(witness, key, value) for (key, _), value in values.items()):
            return self._placed(others, values, candidates, budget)
        for member in self._places(values, candidates):
            key = member[0]
            value = values[member] if member in values else self.value(key)
            if value is None:
                continue
            if isinstance(witness, Each):
                value = all_of((value, negate(value_formula(self.frame.order, witness, key))))
            elif is_named(self.frame.order, key, witness.language):
                continue
            if self.frame.document.is_satisfiable(value):
                found = self._placed(others, {**values, member: value}, candidates, budget)
                if found is not None:
                    return found
        return None

    def _places(self, values: Members, candidates: list[int]) -> Iterator[tuple[int, int]]:
        """Yields the members so far, and members that may be added."""
        is_full = self.high is not None and len(values) >= self.high
        num_names = len(self.frame.order.names)
        for key in candidates:
            count = 0
            while (key, count) in values:
                yield key, count
                count += 1
            if not is_full and (count == 0 or (key >= num_names and self.frame.num_free(key, count + 1) > count)):
                yield key, count

    def _filled(self, values: Members, candidates: list[int]) -> ObjectPlan | None:
        """The plan with the members, and more of them if `low` requires it; None if too few keys are possible."""
        keys = {key for key, _ in values}
        missing = self.low - len(values)
        num_names = len(self.frame.order.names)
        for key in candidates:
            if missing <= 0:
                break
            value = self.value(key)
            if value is None or not self.frame.document.is_satisfiable(value):
                continue
            num_there = sum(one == key for one, _ in values)
            num_possible = self.frame.num_free(key, missing + num_there) if key >= num_names else 1
            if num_possible > num_there:
                missing -= num_possible - num_there
                keys.add(key)
        if missing > 0:
            return None
        return self._replace(needed=frozenset(keys), low=max(len(values), self.low))
