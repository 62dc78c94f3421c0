"""Frames inside an object: the keys that may come next, the condition on a value, and whether the object may end.

A frame has the residual of the goal and of the tracked formulas in two parts. `ObjectShape` has the conditions that
must hold; `rest` has the open alternatives and negations. Most objects have no rest and need no search. Such an object
depends on its keys alone. `PlainMembers` describes these objects for the machine, which makes their frames itself
(`machine.documents.containers`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from ..machine import frames
from ..machine.frames import Choices, KeySpec, PlainKeys, PlainObject, ValueSpec, whole_words
from ..regex import algebra as lang
from ..watch import checkpoint, paced
from .context import Context, FormulaGoal
from .formula import (
    FALSE,
    TRUE,
    Atom,
    Each,
    Formula,
    Has,
    Outcome,
    all_of,
    any_of,
    fewer,
    ids_of,
    kinds,
    outcome,
)
from .keys import FEW_USED, KeyOrder, KeyState, ObjectShape, asks_nothing, bits, state_after, value_formula
from .object_search import ObjectPlan, condition_before, find_plan
from .object_state import FEW_OUTCOMES, MemberFrame, ObjectState, SettledMember
from .residual import (
    any_key_changes,
    atoms,
    conjuncts,
    distance,
    helping_keys,
    holds_at_close,
    rewrite,
    said_of,
    signed_atoms,
)
from .satisfiable import possible_kinds

CONTAINERS = ("object", "array")
_MANY_HELPING_KEYS = 16  # number of keys that could make one condition true


def open_object(
    document: Context, formula: Formula, tracked: tuple[Formula, ...], is_root: bool = False
) -> ObjectFrame:
    """The frame at `{`. formula, tracked: specialised to objects. is_root: the object is the whole document."""
    key = ("open object", formula.id, ids_of(tracked), is_root)
    found: ObjectFrame | None = document.frames.get(key)
    if found is None:
        order = KeyOrder(formula, tracked, is_free=document.any_order, is_root=is_root)
        start = (0, 0, ())
        if order.is_vacuous:
            formula, *others = (rewrite(one, _without_vacuous) for one in (formula, *tracked))
            tracked = tuple(others)
        found = document.frames[key] = ObjectFrame.of(document, order, start, (), (), (), 0, None, formula, tracked)
    return found


def _without_vacuous(atom: Formula) -> Formula:
    """TRUE for an `Each` that asks nothing, since it only gave the keys their order; else the atom."""
    return TRUE if isinstance(atom, Each) and asks_nothing(atom) else atom


class ObjectFrame(ObjectState):
    """An object being written: a key or `}` comes next. For methods without a docstring see `frames.OpenObject`."""

    __slots__ = ("_close_class",)
    kind: Literal["object"] = "object"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._close_class: int | None = -1

    # --- what the machine asks

    def value_spec(self) -> None:
        """None: a key comes first."""

    @property
    def close_class(self) -> int | None:
        """The outcome of the tracked formulas if the object ends here; None if it can't end."""
        if self._close_class == -1:
            self._close_class = None
            if self.low == 0 and not self.missing_bits() and holds_at_close(self.rest):
                self._close_class = self.document.vector_id(tuple(holds_at_close(one) for one in self.tracked))
        return self._close_class

    @property
    def plain(self) -> tuple[PlainMembers, int] | None:
        if not self.is_settled:
            return None
        num_members = self.position + self.seen.bit_count() + len(self.used)
        low, high = self.low and self.low + num_members, fewer(self.high, -num_members)
        found = PlainMembers.of(self.shape, self.used, low, high)
        return found, found.keys_of(self.state)

    def key_spec(self) -> KeySpec | None:
        """The keys that may come now; None if there are none."""
        names = self.order.names
        words = {names[i]: i for i in paced(self.available()) if self._is_offered(i)}
        open_languages = self._open_languages()
        if not words and not open_languages:
            return None
        return KeySpec(words, open_languages, self.excluded_keys(), self.order.index, self.document.marks)

    def value_before(self, goal: frames.ValueGoal) -> SettledMember:
        return self.document.kept(("member", self.number, id(goal)), lambda: SettledMember(self, goal))

    def on_return(self, cls: int) -> Member | None:
        """The frame of the member's value. cls: index of a declared key; `len(names) + i` for cell i of open keys."""
        return self.document.followed(self.number, cls, self._member)

    def on_capture(self, cls: int, text: bytes) -> Member | None:
        """Like `on_return`, for an open key, which can't be used again. text: the key as JSON writes it."""
        return self._using(json.loads(text)).on_return(cls)

    # --- what completion asks

    @property
    def members(self) -> ObjectShape:
        return self.shape

    def member_specs(self) -> Iterator[ValueSpec]:
        for cls in range(len(self.order.names) + len(self.order.cells)):
            checkpoint()
            if self.shape.is_possible(cls):
                yield self.document.goal(self.shape.value(cls)).spec()

    def needed_members(self) -> list[list[int]]:
        """See `frames.OpenObject`: the missing keys, and the keys that could make a condition true."""
        missing = self.missing()
        groups, taken, later = [[index] for index in missing], set(missing), set(self.later())
        for part in conjuncts(self.rest):
            keys = helping_keys(part)
            if keys is None or not 0 < len(keys) <= _MANY_HELPING_KEYS:
                continue
            indexes = {self.order.index[key] for key in keys}
            possible = [index for index in sorted(indexes & later) if self.shape.is_possible(index)]
            if taken.isdisjoint(indexes) and possible:
                taken |= indexes
                groups.append(possible)
        return groups

    def member(self, number: int) -> tuple[str, FormulaGoal]:
        return self.order.names[number], self.document.goal(self.shape.value(number))

    @property
    def min_members(self) -> int:
        return self.low

    def left_to_choose(self) -> tuple[Hashable, Choices]:
        alike = (self.shape, tuple(self.missing()), self.rest, self.tracked)
        return alike, Choices(self.position, self.low, self.high, self.seen, frozenset(self.used))

    def distance(self) -> int:
        return max(len(self.missing()), self.low) + distance(self.rest, True)

    def helpful_keys(self) -> set[str]:
        found = {self.order.names[index] for index in self.missing()}
        for formula in (self.rest, *self.tracked):
            for atom in atoms(formula):
                if isinstance(atom, Has):
                    found.add(atom.key)
                elif isinstance(atom, Each):
                    found.update(atom.properties)
        return found

    @property
    def any_key_helps(self) -> bool:
        signed = [*signed_atoms(self.rest)]
        asked = atoms(self.rest) if self.low else []  # members that only count must not break these
        signed += [(one, helps) for one in (*asked, *self._tracked_atoms()) for helps in (True, False)]
        return any(any_key_changes(atom, helps) for atom, helps in signed)

    def _tracked_atoms(self) -> list[Atom]:
        return [atom for one in self.tracked for atom in atoms(one)]

    def possible_members(self) -> Iterator[int]:
        return (index for index in paced(self.later()) if self.shape.is_possible(index))

    # --- which keys

    def available(self) -> list[int]:
        """Indexes of the declared keys that the order allows now."""
        last = self.shape.next_required(self.position)
        if last is not None:
            return list(range(self.position, last + 1))
        missing = self.missing_bits()
        free = self.order.free_bits & ~self.seen & ~missing | self.order.free_bits & self.shape.in_turn(missing)
        return [*range(self.position, self.order.num_ordered), *bits(free)]

    def next_members(self) -> list[tuple[str, Member]]:
        """See `frames.OpenObject`: the first missing required key that may come now. If no key is missing, the keys
        that can make an unmet condition true.
        """
        if not self.is_settled and self.shape.next_required(self.position) is not None:
            return []
        missing = self.missing_bits()
        if missing:
            in_turn = self.shape.in_turn(missing)
            keys = [(in_turn & -in_turn).bit_length() - 1]
        else:
            group = [] if self.is_settled else next(iter(self.needed_members()), [])
            keys = group if set(group) <= set(self.available()) else []
        members = [(self.order.names[index], self.on_return(index)) for index in keys]
        return [(name, member) for name, member in members if member is not None]

    def _open_languages(self) -> tuple[tuple[lang.Language, int], ...]:
        if self.high == 0 or (self.missing_bits() and not self.document.any_order):
            return ()
        num_names = len(self.order.names)
        offered = [cls for cls in self.open_cells() if self._is_offered(cls)]
        return tuple((self.order.cells[cls - num_names].language, cls) for cls in offered)

    def _is_offered(self, cls: int) -> bool:
        if self.high == 0 or not self.shape.is_possible(cls):
            return False
        return self._has_room(cls) if self.rest is TRUE else self._may_be_next(cls)

    def _may_be_next(self, cls: int) -> bool:
        """True if the object, which has open alternatives, can be completed with a key of this class."""
        if self.has_plenty:
            return self.with_used(())._may_be_next(cls)
        if any(one.leaves_open(cls) for one in reversed(self._plans)):
            return True
        found = find_plan(self, cls)
        if found is not None:
            self.document.plans[self.number] = (*self._plans, found)
        return found is not None

    def _using(self, key: str) -> ObjectFrame:
        return self.with_used((*self.used, key))

    def with_used(self, keys: Iterable[str]) -> ObjectFrame:
        """The same object with these open keys instead of its own."""
        state = (self.position, self.seen, tuple(sorted(keys)))
        return self.interned(self.shape, state, self.low, self.high, self.rest, self.tracked)

    @property
    def has_plenty(self) -> bool:
        """True if open keys never run out. The used ones then have no effect except that they can't come again.

        Results for the object without them then hold for this object too.
        """
        return 0 < len(self.used) <= FEW_USED and self.order.is_plenty

    def _has_room(self, cls: int) -> bool:
        """True if the required keys still have room after a key of this class."""
        return self.high is None or (self.missing_bits() & ~(1 << cls)).bit_count() < self.high

    # --- the frame after a key

    def _member(self, cls: int) -> Member | None:
        value = self.shape.value(cls)
        if self.is_settled:
            after = self.after_key(state_after(self.order, self.state, cls), TRUE, ())
            return after.value_before(self.document.goal(value))
        if self.has_plenty:
            alike = self.with_used(()).on_return(cls)
            return MemberFrame(self, cls, alike.goal, alike.known) if isinstance(alike, MemberFrame) else None
        surely = set(conjuncts(value))
        known: dict[Each, Formula] = {}
        for formula in (self.rest, *self.tracked):
            for atom in atoms(formula):
                if isinstance(atom, Each) and atom not in known:
                    child = value_formula(self.order, atom, cls)
                    known[atom] = TRUE if all(part in surely for part in conjuncts(child)) else child
        asked = tuple(dict.fromkeys(one for one in known.values() if one is not TRUE and one is not FALSE))
        needed = self._demand(cls, value, known)
        if needed is FALSE:
            return None
        return MemberFrame(self, cls, self.document.goal(all_of((value, needed)), asked), known)

    def _demand(self, cls: int, value: Formula, known: Mapping[Each, Formula]) -> Formula:
        """The condition on a member's value, beside `value`, under which the object can be completed after it."""
        state = state_after(self.order, self.state, cls)
        left = rewrite(self.rest, self.decided_by(cls, state, lambda each: outcome(known[each])))
        after = self.after_key(state, TRUE, ())
        if sum(isinstance(atom, Outcome) for atom in atoms(left)) <= FEW_OUTCOMES:
            return condition_before(after, left, value)
        possible = possible_kinds(value)
        scalars = kinds([kind for kind in possible if kind not in CONTAINERS])
        containers = kinds([kind for kind in possible if kind in CONTAINERS])
        of_scalars = all_of((scalars, said_of(self.rest, lambda one: known.get(one)).needed))  # type: ignore[call-overload]
        if containers is FALSE:
            return of_scalars
        return any_of((of_scalars, all_of((containers, condition_before(after, left, all_of((value, containers)))))))

    def after_member(self, cls: int, holds: Callable[[Each], Formula], left: Formula) -> ObjectFrame:
        state = state_after(self.order, self.state, cls)
        decide = self.decided_by(cls, state, holds)
        rest = rewrite(left, decide)
        return self.after_key(state, rest, tuple(rewrite(one, decide) for one in self.tracked))

    # --- can it end

    @property
    def _plans(self) -> tuple[ObjectPlan, ...]:
        """The plans found so far that complete the object. The document keeps them, since they refer to the object."""
        plans: tuple[ObjectPlan, ...] = self.document.plans.get(self.number, ())
        return plans

    def _search(self) -> bool:
        if self.rest is FALSE or (self.high is not None and self.high < self.low):
            return False
        missing = self.missing()
        if self.high is not None and len(missing) > self.high:
            return False
        if not all(self.shape.is_possible(i) for i in missing):
            return False
        if self.rest is TRUE:
            return self.low == 0 or self.capacity(self.low) >= self.low
        if self.has_plenty:
            alike = self.with_used(())
            is_live, self.document.plans[self.number] = alike.is_live, alike._plans
            return is_live
        if self.close_class is not None:
            return True
        found = find_plan(self)
        if found is not None:
            self.document.plans[self.number] = (found, *self._plans)
        return found is not None


Member: TypeAlias = MemberFrame[ObjectFrame] | SettledMember


class PlainMembers(PlainObject):
    """Objects of a shape that have some open keys.

    low, high, before: see `PlainObject`.
    """

    __slots__ = ("_shape", "_used", "before", "high", "low")

    def __init__(
        self,
        shape: ObjectShape,
        used: tuple[str, ...],
        low: int,
        high: int | None,
        before: tuple[PlainObject, str] | None = None,
    ) -> None:
        self._shape, self._used, self.before = shape, used, before
        self.low, self.high = low, high

    @classmethod
    def of(
        cls,
        shape: ObjectShape,
        used: tuple[str, ...],
        low: int,
        high: int | None,
        before: tuple[PlainObject, str] | None = None,
    ) -> PlainMembers:
        """The interned description with these fields. before: only for a new one."""
        key = ("plain object", id(shape), used, low, high)
        return shape.document.kept(key, lambda: cls(shape, used, low, high, before))

    def using(self, key: str) -> PlainMembers:
        used = tuple(sorted((*self._used, key)))
        before = (self, key) if self._shape.order.is_plenty and len(used) <= FEW_USED else None
        return self.of(self._shape, used, self.low, self.high, before)

    def keys(self) -> PlainKeys:
        shape, order = self._shape, self._shape.order
        possible = [cls for cls in order.cells_left(self._used) if shape.is_possible(cls)]
        return PlainKeys(
            declared=order.index,
            possible=shape.possible_bits(),
            required=shape.required_bits,
            num_ordered=order.num_ordered,
            orders=shape.orders,
            open=tuple([(order.cells[cls - len(order.names)].language, cls) for cls in possible]),
            excluded=order.excluded(self._used),
            num_classes=len(order.names) + len(order.cells),
            is_open_early=shape.document.any_order,
            marks=shape.document.marks,
        )

    def goal(self, cls: int) -> FormulaGoal:
        return self._shape.document.goal(self._shape.value(cls))

    @property
    def _count_place(self) -> int:
        """The first bit of the number of open keys."""
        return whole_words(len(self._shape.order.names))

    def keys_of(self, state: KeyState) -> int:
        """The keys of a state, as `frame` takes them."""
        position, seen, used = state
        num_open = min(len(used), self.low) if self.high is None else len(used)
        return (1 << position) - 1 | seen | num_open << self._count_place

    def frame(self, keys: int) -> ObjectFrame:
        order = self._shape.order
        num_open, present = keys >> self._count_place, keys & ((1 << self._count_place) - 1)
        ordered = (1 << order.num_ordered) - 1
        state = ((present & ordered).bit_length(), present & ~ordered, self._used)
        num_members = present.bit_count() + num_open
        low, high = max(self.low - num_members, 0), fewer(self.high, num_members)
        return ObjectFrame.interned(self._shape, state, low, high, TRUE, ())
