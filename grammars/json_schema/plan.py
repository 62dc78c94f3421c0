"""`Plan`: one way to satisfy the residual formula of an object, as requirements on the members that still come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .formula import TRUE as ANYTHING
from .formula import Atom, Each, Formula, Has, MemberCount, NamesIn, Outcome, all_of, negate
from .keys import is_named, value_formula
from .object_state import ObjectState


class Plan(NamedTuple):
    """Requirements on the further members of an object. A key is the class of a declared key or of open keys.

    low, high: bounds on the number of further members; None: no upper bound.
    holding, failing: assertions about members that must hold, and those that some member must break.
    names, broken_names: assertions about keys that must hold, and those that some key must break.
    needed, forbidden: keys that must come, and keys that must not.
    outcomes: (outcome, truth) pairs that are decided about the value before the object.
    before: the condition on the value before the object that follows from `outcomes`.
    """

    low: int
    high: int | None
    holding: tuple[Each, ...] = ()
    failing: tuple[Each, ...] = ()
    names: tuple[NamesIn, ...] = ()
    broken_names: tuple[NamesIn, ...] = ()
    needed: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()
    outcomes: frozenset[tuple[Outcome, bool]] = frozenset()
    before: Formula = ANYTHING

    def value(self, frame: ObjectState, key: int) -> Formula | None:
        """The condition on the value of a member with this key; None if the key is not allowed."""
        if not all(is_named(frame.order, key, names.language) for names in self.names):
            return None
        return all_of([value_formula(frame.order, each, key) for each in self.holding])

    def allows(self, frame: ObjectState, key: int) -> bool:
        """True if a member with this key can come."""
        if key in self.forbidden:
            return False
        value = self.value(frame, key)
        return value is not None and frame.document.is_satisfiable(value)

    def possible(self, frame: ObjectState) -> list[int]:
        """The keys that may still come and that the plan does not forbid."""
        return [key for key in frame.later() if key not in self.forbidden] + [*frame.open_cells()]

    def allows_all(self, frame: ObjectState, keys: Iterable[int]) -> bool:
        """True if all these keys can come, and `high` has room for all needed keys."""
        fits = self.high is None or len(self.needed) <= self.high
        return fits and all(frame.may_come(key) and self.allows(frame, key) for key in keys)

    def with_atom(self, atom: Atom, holds: bool, frame: ObjectState) -> Plan | None:
        """The plan with one more decided assertion; None if it surely can't be carried out.

        holds: True: the assertion must hold; False: it must fail.
        """
        if isinstance(atom, Has):
            return self._with_key(frame.order.index[atom.key], holds, frame)
        if isinstance(atom, MemberCount):
            return self._with_count(atom, holds)
        if isinstance(atom, NamesIn):
            if not holds:
                return self._replace(broken_names=(*self.broken_names, atom))
            is_kept = all(is_named(frame.order, key, atom.language) for key in self.needed)
            return self._replace(names=(*self.names, atom)) if is_kept else None
        if isinstance(atom, Outcome):
            before = all_of((self.before, atom.value if holds else negate(atom.value)))
            plan = self._replace(outcomes=self.outcomes | {(atom, holds)}, before=before)
            return plan if not holds or frame.document.is_satisfiable(before) else None
        assert isinstance(atom, Each)
        if holds:
            asked = [key for key in self.needed if value_formula(frame.order, atom, key) is not ANYTHING]
            plan = self._replace(holding=(*self.holding, atom))
            return plan if plan.allows_all(frame, asked) else None
        may_fail = any(self._may_break(frame, atom, key) for key in self.possible(frame))
        return self._replace(failing=(*self.failing, atom)) if may_fail else None

    def _may_break(self, frame: ObjectState, each: Each, key: int) -> bool:
        """True if some member with this key can break an assertion."""
        asked = value_formula(frame.order, each, key)
        value = None if asked is ANYTHING else self.value(frame, key)
        return value is not None and frame.document.is_satisfiable(all_of((value, negate(asked))))

    def _with_key(self, key: int, holds: bool, frame: ObjectState) -> Plan | None:
        if not holds:
            return None if key in self.needed else self._replace(forbidden=self.forbidden | {key})
        plan = self._replace(needed=self.needed | {key})
        return plan if plan.allows_all(frame, [key]) else None

    def _with_count(self, atom: MemberCount, holds: bool) -> Plan | None:
        """The plan with a decided count. A count that must fail must have only one bound."""
        low, high = self.low, self.high
        if holds:
            low = max(low, atom.low)
            if atom.high is not None:
                high = atom.high if high is None else min(high, atom.high)
        elif atom.low:
            high = atom.low - 1 if high is None else min(high, atom.low - 1)
        else:
            assert atom.high is not None
            low = max(low, atom.high + 1)
        if high is not None and high < max(low, len(self.needed)):
            return None
        return self._replace(low=low, high=high)
