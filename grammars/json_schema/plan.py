"""`Plan`: what one way to satisfy what is left of an object asks of the members that are still to come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .formula import TRUE as ANYTHING
from .formula import Atom, Each, Formula, Has, MemberCount, NamesIn, Outcome, all_of, negate
from .keys import is_named, value_formula
from .object_state import ObjectState


class Plan(NamedTuple):
    """low, high: bounds on the number of further members. holding, failing: assertions about members that must hold, or
    be broken by one of them; names, broken_names: the same of keys. needed, forbidden: keys that must come, or must
    not; each is the index of a declared key, or past them that of a class of open ones.

    outcomes: what is decided of the value before the object; before: what that must satisfy, these considered.
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
        """What a member with that key must satisfy; None when it can't be there."""
        if not all(is_named(frame.order, key, names.language) for names in self.names):
            return None
        return all_of([value_formula(frame.order, each, key) for each in self.holding])

    def allows(self, frame: ObjectState, key: int) -> bool:
        """Whether some member with that key can be there."""
        if key in self.forbidden:
            return False
        value = self.value(frame, key)
        return value is not None and frame.document.is_satisfiable(value)

    def possible(self, frame: ObjectState) -> list[int]:
        """The keys that may come."""
        return [key for key in frame.later() if key not in self.forbidden] + [*frame.open_cells()]

    def allows_all(self, frame: ObjectState, keys: Iterable[int]) -> bool:
        """Whether the keys, which must come, can."""
        fits = self.high is None or len(self.needed) <= self.high
        return fits and all(frame.may_come(key) and self.allows(frame, key) for key in keys)

    def with_atom(self, atom: Atom, holds: bool, frame: ObjectState) -> Plan | None:
        """The plan with one more assertion decided; None where it is plain that nothing does what that asks."""
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
        """Whether some member with that key breaks an assertion."""
        asked = value_formula(frame.order, each, key)
        value = None if asked is ANYTHING else self.value(frame, key)
        return value is not None and frame.document.is_satisfiable(all_of((value, negate(asked))))

    def _with_key(self, key: int, holds: bool, frame: ObjectState) -> Plan | None:
        if not holds:
            return None if key in self.needed else self._replace(forbidden=self.forbidden | {key})
        plan = self._replace(needed=self.needed | {key})
        return plan if plan.allows_all(frame, [key]) else None

    def _with_count(self, atom: MemberCount, holds: bool) -> Plan | None:
        """A count that must fail has one bound."""
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
