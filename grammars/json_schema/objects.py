"""Frames inside an object: which key may come next, what its value must satisfy, whether the object may end.

A frame knows the residual of the goal and of the tracked formulas, split: `Shape` is what surely must hold, `rest` what
is left of alternatives and negations. Most objects have no rest, and then nothing here searches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from ..automaton.frames import KeySpec
from ..regex import algebra as lang
from ..watch import checkpoint
from .demand import decided, demand, outcomes_in
from .formula import (
    FALSE,
    TRUE,
    Each,
    Formula,
    Has,
    MemberCount,
    NamesIn,
    all_of,
    any_of,
    ids_of,
    kinds,
    member_count,
    outcome,
)
from .keys import FEW_USED, KeyOrder, Shape, bits, is_named, num_words, value_formula
from .members import FEW_OUTCOMES, MemberFrame
from .plans import find_plan
from .residual import Rewrite, atoms, conjuncts, holds_at_close, may_hold, rewrite
from .satisfiable import possible_kinds
from .specialise import specialise
from .turns import KeyState, in_turn, state_after

if TYPE_CHECKING:
    from .document import Document, Vector

NOTHING_KNOWN: Mapping[Each, Formula] = {}
MANY_KEYS = 64  # open keys of one class: of so many, one less is taken to make no difference


def open_object(
    document: Document, formula: Formula, tracked: tuple[Formula, ...], is_root: bool = False
) -> ObjectFrame:
    """The frame at `{`. Both are specialised to objects. is_root: the object is the whole document."""
    key = ("open object", formula.id, ids_of(tracked), is_root)
    found: ObjectFrame | None = document.frames.get(key)
    if found is None:
        order = KeyOrder(formula, tracked, is_free=document.any_order, is_root=is_root)
        start = (0, 0, (-1,) * len(order.sequences), ())
        formula, *others = (rewrite(one, _without_vacuous) for one in (formula, *tracked))
        tracked = tuple(others)
        found = document.frames[key] = make_frame(document, order, start, (), (), (), 0, None, formula, tracked)
    return found


def _without_vacuous(atom: Formula) -> Formula:
    """TRUE for an `Each` that asks nothing: it only gave the keys their order."""
    if isinstance(atom, Each) and atom.additional is TRUE:
        is_vacuous = all(one is TRUE for one in atom.properties.values()) and all(
            one is TRUE for _, one in atom.patterns
        )
        return TRUE if is_vacuous else atom
    return atom


def make_frame(
    document: Document,
    order: KeyOrder,
    state: KeyState,
    eaches: tuple[Each, ...],
    names: tuple[NamesIn, ...],
    required: tuple[int, ...],
    low: int,
    high: int | None,
    formula: Formula,
    tracked: tuple[Formula, ...],
) -> ObjectFrame:
    """The interned frame of a state, with what surely must hold moved from `formula` into the shape."""
    rest: list[Formula] = []
    added: list[int] = []
    for part in conjuncts(formula):
        if isinstance(part, Each):
            eaches = (*eaches, part) if part not in eaches else eaches
        elif isinstance(part, NamesIn):
            names = (*names, part) if part not in names else names
        elif isinstance(part, Has):
            added.append(order.index[part.key])
        elif isinstance(part, MemberCount):
            low = max(low, part.low)
            high = part.high if high is None else high if part.high is None else min(high, part.high)
        else:
            rest.append(part)
    if added:
        required = tuple(sorted({*required, *added}))
    shape_key = ("shape", id(order), ids_of(eaches), ids_of(names), required)
    shape = document.frames.get(shape_key)
    if shape is None:
        shape = document.frames[shape_key] = Shape(document, order, eaches, names, required)
    return intern_frame(shape, state, max(low, 0), high, all_of(rest), tracked)


def intern_frame(
    shape: Shape, state: KeyState, low: int, high: int | None, rest: Formula, tracked: tuple[Formula, ...]
) -> ObjectFrame:
    """The frame of these parts, one object for equal ones."""
    residual = (rest.id, *ids_of(tracked)) if tracked else rest.id
    key = (id(shape), state, low, high, residual)
    found: ObjectFrame | None = shape.document.frames.get(key)
    if found is None:
        checkpoint()
        found = shape.document.frames[key] = ObjectFrame(shape, state, low, high, rest, tracked)
    return found


class ObjectFrame:
    """An object being written: a key or `}` comes next (`Frame` of the machine).

    state: which keys it has; position, seen, marks and used are its parts.
    low, high: bounds on the number of further members. rest, tracked: residual formulas over the object.
    number: one of its own among the frames of the document.
    """

    __slots__ = (
        *(
            "_before",
            "_close_class",
            "_is_live",
            "_plan",
            "document",
            "high",
            "low",
            "marks",
            "number",
            "order",
            "position",
        ),
        *("rest", "seen", "shape", "state", "tracked", "used"),
    )
    kind: Literal["object"] = "object"

    def __init__(
        self,
        shape: Shape,
        state: KeyState,
        low: int,
        high: int | None,
        rest: Formula,
        tracked: tuple[Formula, ...],
    ) -> None:
        self.document = shape.document
        self.number = self.document.new_number()
        self.order = shape.order
        self.shape = shape
        self.state = state
        self.position, self.seen, self.marks, self.used = state
        self.low = low
        self.high = high
        self.rest = rest
        self.tracked = tracked
        self._before: ObjectFrame | None = None
        self._is_live: bool | None = None
        self._plan: frozenset[int] | None = None
        self._close_class: int | None = -1

    # --- what the machine asks

    def value_spec(self) -> None:
        """A key comes first."""

    @property
    def close_class(self) -> int | None:
        """The outcome of the tracked formulas when the object ends here; None when it can't."""
        if self._close_class == -1:
            self._close_class = None
            if self.low == 0 and not self._missing() and holds_at_close(self.rest):
                self._close_class = self.document.vector_id(tuple(holds_at_close(one) for one in self.tracked))
        return self._close_class

    def key_spec(self) -> KeySpec | None:
        """The keys that may come now; None when there are none."""
        spec = self._spec_after_key() or self._whole_spec()
        return spec if spec.has_words or spec.open else None

    def _whole_spec(self) -> KeySpec:
        names = self.order.names
        words = {names[i]: i for i in self.available() if self._is_offered(i)}
        return KeySpec(words, self._open_languages(), self._excluded())

    def _spec_after_key(self) -> KeySpec | None:
        """The keys by what differs from those of the frame before; None where that is not known to be little."""
        before, names = self._before, self.order.names
        if before is None or before.shape is not self.shape or not (self._is_plain and before._is_plain):
            return None
        open_languages = self._open_languages()
        has_become_open = bool(open_languages) and before._missing() and not self.document.any_order
        if before.used != self.used or has_become_open:
            return None
        old, new = before._orderly_bits(), self._orderly_bits()
        gone = (old & ~new) | (self.seen & ~before.seen)
        left = new | self.order.free_bits & ~self.seen & ~self.order.sequence_bits
        return KeySpec.changed(
            before,
            tuple([names[i] for i in bits(gone) if self.shape.is_possible(i)]),
            {names[i]: i for i in bits(new & ~old) if self.shape.is_possible(i)},
            self._any_possible(left),
            open_languages,
            self._excluded(),
        )

    def _any_possible(self, keys: int) -> bool:
        """Whether one of some keys (1 << index each) can come."""
        while keys:
            lowest = keys & -keys
            if self.shape.is_possible(lowest.bit_length() - 1):
                return True
            keys ^= lowest
        return False

    @property
    def _is_plain(self) -> bool:
        """Whether every key is offered that can come at all, and whose turn it is."""
        is_counted = self.low > 1 or self.high is not None
        return self.rest is TRUE and not self.tracked and not is_counted and self.order.num_ordered == 0

    def on_return(self, cls: int) -> MemberFrame | None:
        """The frame of the member's value. cls: index of a declared key, or past them that of a cell of open keys."""
        return self.document.followed(self.number, cls, self._member)

    def on_capture(self, cls: int, text: bytes) -> MemberFrame | None:
        """The same for an open key, which can't be used again. text: the key as JSON writes it."""
        return self._using(json.loads(text)).on_return(cls)

    # --- which keys

    def available(self) -> list[int]:
        """Indexes of the declared keys that the order allows now."""
        last = self.shape.next_required(self.position)
        if last is not None:
            return list(range(self.position, last + 1))
        free = self.order.free_bits & ~self.seen & ~self.order.sequence_bits
        return [*range(self.position, self.order.num_ordered), *bits(free | self._orderly_bits())]

    def _orderly_bits(self) -> int:
        """The keys of sequences that may come now.

        Those after which all required keys can still follow in an order of their schema. Where none of the keys that
        lead to an end is in its turn, the order is void, and all may come.
        """
        left = self.order.sequence_bits & ~self.seen
        if not left & self.shape.bound_bits:
            return left
        found = in_turn(self.shape, self.state, left)
        wanted = self._wanted_bits()
        others = self.order.free_bits & ~self.order.sequence_bits
        return found if not wanted or wanted & (found | others) else left

    def _wanted_bits(self) -> int:
        """Declared keys one of which must be offered, or there may be no way to an end; 0 where there is one."""
        missing = self._missing_bits()
        if self.rest is TRUE:
            if missing or self.low == 0:
                return missing
            return sum(1 << i for i in self._free() if self.shape.is_possible(i))
        if self.close_class is not None or not self.is_live:
            return 0
        assert self._plan is not None
        return sum(1 << i for i in self._plan if i < len(self.order.names))

    def later(self) -> list[int]:
        """Indexes of all declared keys that may still come, now or after others, if need be out of their sequence."""
        return [*range(self.position, self.order.num_ordered), *self._free()]

    def missing(self) -> list[int]:
        """Indexes of the required keys that are not there yet."""
        return bits(self._missing_bits())

    def first_missing(self) -> tuple[str, MemberFrame] | None:
        """Of an object without alternatives the first required key that is not there, with its member; None where there
        is none, or other keys may have to come before it. It takes no look at the others."""
        missing = self._missing_bits()
        if self.order.sequences or not missing:
            return None
        index = (missing & -missing).bit_length() - 1
        member = self.on_return(index)
        return None if member is None else (self.order.names[index], member)

    def _missing_bits(self) -> int:
        """The required keys that are not there yet, 1 << index each."""
        left = self.shape.required_bits & ~self.seen
        return left >> self.position << self.position if self.position else left

    def _free(self) -> list[int]:
        """Indexes of the free declared keys that are not there."""
        return bits(self.order.free_bits & ~self.seen)

    def _missing(self) -> bool:
        return self._missing_bits() != 0

    def open_cells(self) -> tuple[int, ...]:
        """Classes of open keys of which one is left."""
        return self.order.cells_left(self.used)

    def _excluded(self) -> frozenset[str]:
        return self.order.declared.union(self.used) if self.used else self.order.declared

    def _open_languages(self) -> tuple[tuple[lang.Language, int], ...]:
        if self.high == 0 or (self._missing() and not self.document.any_order):
            return ()
        num_names = len(self.order.names)
        offered = [cls for cls in self.open_cells() if self._is_offered(cls)]
        return tuple((self.order.cells[cls - num_names].language, cls) for cls in offered)

    def _is_offered(self, cls: int) -> bool:
        if self.high == 0 or not self.shape.is_possible(cls):
            return False
        if self.rest is TRUE and not self.tracked:
            return self._counts_fit(cls)
        member = self._with_key_of(cls).on_return(cls)
        return member is not None and member.is_possible

    def _with_key_of(self, cls: int) -> ObjectFrame:
        """The frame with one of the open keys of a class used, as `on_capture` makes it; all of them are alike.

        Where there are so many of them that one less makes no difference, or the class is a declared key: the frame.
        """
        if cls < len(self.order.names) or self.num_free(cls, MANY_KEYS) == MANY_KEYS:
            return self
        language = self.order.cells[cls - len(self.order.names)].language
        key = lang.find_word(lang.difference(language, lang.words(self._excluded())))
        assert key is not None
        return self._using(key)

    def _using(self, key: str) -> ObjectFrame:
        return self.with_used((*self.used, key))

    def with_used(self, keys: Iterable[str]) -> ObjectFrame:
        """The same object with these open keys, whichever it has."""
        state = (self.position, self.seen, self.marks, tuple(sorted(keys)))
        return intern_frame(self.shape, state, self.low, self.high, self.rest, self.tracked)

    @property
    def has_plenty(self) -> bool:
        """Whether the open keys that it has matter only in that they can't come again: others are left in any case.

        What is found for the object without them then holds for it, too, and need not be found for each key anew.
        """
        return 0 < len(self.used) <= FEW_USED and self.order.is_plenty

    def _counts_fit(self, cls: int) -> bool:
        """Whether the bounds on the number of members can be kept after that key."""
        if self.low <= 1 and self.high is None:
            return True
        after = state_after(self.order, self.state, cls)
        num_required = (self._missing_bits() & ~(1 << cls)).bit_count()
        if self.high is not None and self.high - 1 < num_required:
            return False
        return (
            self.low <= 1
            or intern_frame(self.shape, after, self.low - 1, self.high, TRUE, ()).capacity(self.low - 1) >= self.low - 1
        )

    def capacity(self, cap: int) -> int:
        """How many further members are possible, counted up to `cap`."""
        count = 0
        for i in self.later():
            if count >= cap:
                return cap
            count += self.shape.is_possible(i)
        for cls in self.open_cells():
            if count >= cap:
                return cap
            if self.shape.is_possible(cls):
                count += self.num_free(cls, cap)
        return min(count, cap)

    def num_free(self, cls: int, cap: int) -> int:
        """How many open keys of a class are left, counted up to `cap`."""
        language = self.order.cells[cls - len(self.order.names)].language
        if num_words(language) >= cap + len(self._excluded()):
            return cap
        return lang.count_words(lang.difference(language, lang.words(self._excluded())), cap)

    # --- what follows a key

    def _member(self, cls: int) -> MemberFrame | None:
        value = self.shape.value(cls)
        if self.rest is TRUE and not self.tracked:
            return MemberFrame(self, cls, self.document.goal(value), NOTHING_KNOWN)
        if self.has_plenty:
            alike = self.with_used(()).on_return(cls)
            return None if alike is None else MemberFrame(self, cls, alike.goal, alike.known)
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
        """What a member's value must satisfy beside `value` so that the object can be completed after it."""
        state = state_after(self.order, self.state, cls)
        left = rewrite(self.rest, self._decide(cls, state, lambda each: outcome(known[each])))
        max_plans = self.document.max_plans

        def can_be_completed(rest: Formula) -> bool:
            return self._following(state, rest, ()).is_live

        outcomes = outcomes_in(left)
        if len(outcomes) <= FEW_OUTCOMES:
            return demand(left, can_be_completed, max_plans)
        scalars = [kind for kind in possible_kinds(value) if kind not in ("object", "array")]
        parts = [all_of((kinds(scalars), may_hold(self.rest, lambda one: known.get(one, one))))]  # type: ignore[call-overload]
        for kind in possible_kinds(value):
            if kind in ("object", "array"):
                special = [(one, specialise(one.value, kind)) for one in outcomes]
                of_kind = decided(left, [one for one, found in special if found is TRUE], holds=True)
                of_kind = decided(of_kind, [one for one, found in special if found is FALSE], holds=False)
                parts.append(all_of((kinds([kind]), demand(of_kind, can_be_completed, max_plans))))
        return any_of(parts)

    def after_member(self, cls: int, vector: Vector, member: MemberFrame) -> ObjectFrame:
        """The frame after a member whose value had this outcome."""
        state = state_after(self.order, self.state, cls)
        if self.rest is TRUE and not self.tracked:
            following = self._following(state, TRUE, ())
            if following._before is None and cls < len(self.order.names):
                following._before = self
            return following
        truth = dict(zip(member.goal.tracked, vector, strict=True))

        def holds(each: Each) -> Formula:
            child = member.known[each]
            return TRUE if child is TRUE or truth.get(child, False) else FALSE

        decide = self._decide(cls, state, holds)
        rest = rewrite(member.left_by(vector), decide)
        return self._following(state, rest, tuple(rewrite(one, decide) for one in self.tracked))

    def _following(self, state: KeyState, rest: Formula, tracked: tuple[Formula, ...]) -> ObjectFrame:
        """The frame after one more member, which leads to a state and leaves these residuals."""
        low, high = max(self.low - 1, 0), None if self.high is None else self.high - 1
        shape = self.shape
        if rest is TRUE:
            return intern_frame(shape, state, low, high, rest, tracked)
        eaches, names = shape.eaches, shape.names
        return make_frame(self.document, self.order, state, eaches, names, shape.required, low, high, rest, tracked)

    def _decide(self, cls: int, state: KeyState, holds: Callable[[Each], Formula]) -> Rewrite:
        """What is left of an assertion after a member of that class, which leads to a state.

        holds: whether the member's value satisfies what an `Each` asks of it.
        """
        key = self.order.names[cls] if cls < len(self.order.names) else None
        position, seen, _, _ = state
        index = self.order.index

        def has_come(name: str) -> bool:
            place = index[name]
            return place < position if place < self.order.num_ordered else bool(seen >> place & 1)

        def decide(atom: Formula) -> Formula:
            if isinstance(atom, Each):
                is_done = atom.additional is TRUE and not atom.patterns and all(map(has_come, atom.properties))
                return holds(atom) if is_done else all_of((holds(atom), atom))
            if isinstance(atom, Has):
                is_late = index[atom.key] < position and self.order.num_ordered > 0
                return TRUE if atom.key == key else FALSE if is_late else atom
            if isinstance(atom, MemberCount):
                return member_count(atom.low - 1, None if atom.high is None else atom.high - 1)
            assert isinstance(atom, NamesIn)
            return atom if is_named(self.order, cls, atom.language) else FALSE

        return decide

    # --- can it end

    @property
    def is_live(self) -> bool:
        """Whether the object can be completed."""
        if self._is_live is None:
            found = self._search()
            if not found and not self.document.is_final:
                return False
            self._is_live = found
        return self._is_live

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
            is_live, self._plan = alike.is_live, alike._plan
            return is_live
        if self.close_class is None:
            self._plan = find_plan(self)
        return self.close_class is not None or self._plan is not None
