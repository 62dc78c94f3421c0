"""`ObjectState`: the keys and the remaining conditions of an object that is being written.

`ObjectShape` has the unconditional requirements; `rest` is the residual formula of alternatives and negations.
`MemberFrame` is the frame of a member's value: its condition, and the object after it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal, Self, TypeVar

from ..machine import frames
from ..machine.frames import OpenObject, ValueSpec
from ..regex import algebra as lang
from ..regex.emptiness import num_words
from ..watch import checkpoint, paced
from .context import ContainerState, Context, FormulaGoal, Vector, narrowed
from .formula import FALSE, TRUE, Each, Formula, Has, NamesIn, Or, PartCount, all_of, any_of, fewer, ids_of, lower
from .keys import KeyOrder, KeyState, ObjectShape, bits, is_named
from .residual import Rewrite, conjuncts

FEW_OUTCOMES = 4  # with more outcomes of a member's value, the condition on a scalar is only a necessary one
MANY_ALTERNATIVES = 8  # with as many parts of an "or", the parts that a member's outcome denies are dropped first
# PERF: a prime; sets of keys are hashed modulo this number. Python hashes ints modulo 2**61 - 1: 20,000 sets of one key
# each would have only 61 different hashes. 2 is a primitive root of the prime, so here all differ. The mask of an
# object with 15,000 of 20,000 members takes 0.5 s instead of 3.4.
SPREADING = 2**30 - 35

ObjectT = TypeVar("ObjectT", bound="ObjectState")


@dataclass(slots=True, eq=False)
class ObjectState(ContainerState):
    """The keys and the remaining conditions of one object. Create it with `of` or `interned`.

    shape: the unconditional requirements.
    state: the keys that the object has; `position`, `seen` and `used` are its parts, see `KeyState`.
    low, high: bounds on the number of further members; None: no upper bound.
    rest: residual formula that must hold when the object is closed.
    tracked: residual formulas whose truth the object returns when it is closed.
    number: attribute; identifies the frame within the document.
    """

    shape: ObjectShape
    state: KeyState
    low: int
    high: int | None
    rest: Formula
    tracked: tuple[Formula, ...]
    document: Context = field(init=False)
    number: int = field(init=False)
    order: KeyOrder = field(init=False)
    position: int = field(init=False)
    seen: int = field(init=False)
    used: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        ContainerState.__post_init__(self)
        self.document, self.order = self.shape.document, self.shape.order
        self.number = self.document.new_number()
        self.position, self.seen, self.used = self.state

    @classmethod
    def of(
        cls,
        document: Context,
        order: KeyOrder,
        state: KeyState,
        eaches: tuple[Each, ...],
        names: tuple[NamesIn, ...],
        required: tuple[int, ...],
        low: int,
        high: int | None,
        formula: Formula,
        tracked: tuple[Formula, ...],
    ) -> Self:
        """The interned frame with these fields. Unconditional requirements move from `formula` into the shape."""
        rest: list[Formula] = []
        added: list[int] = []
        for part in conjuncts(formula):
            if isinstance(part, Each):
                eaches = (*eaches, part) if part not in eaches else eaches
            elif isinstance(part, NamesIn):
                names = (*names, part) if part not in names else names
            elif isinstance(part, Has):
                added.append(order.index[part.key])
            elif isinstance(part, PartCount):
                low, high = max(low, part.low), lower(high, part.high)
            else:
                rest.append(part)
        if added:
            required = tuple(sorted({*required, *added}))
        shape_key = ("shape", id(order), ids_of(eaches), ids_of(names), required)
        shape = document.frames.get(shape_key)
        if shape is None:
            shape = document.frames[shape_key] = ObjectShape(document, order, eaches, names, required)
        return cls.interned(shape, state, max(low, 0), high, all_of(rest), tracked)

    @classmethod
    def interned(
        cls,
        shape: ObjectShape,
        state: KeyState,
        low: int,
        high: int | None,
        rest: Formula,
        tracked: tuple[Formula, ...],
    ) -> Self:
        """The frame with these fields. Equal arguments give the same object."""
        residual = (rest.id, *ids_of(tracked)) if tracked else rest.id
        key = (id(shape), state, state[1] % SPREADING, low, high, residual)
        found: Self | None = shape.document.frames.get(key)
        if found is None:
            checkpoint()
            found = shape.document.frames[key] = cls(shape, state, low, high, rest, tracked)
        return found

    @abstractmethod
    def after_member(self, cls: int, holds: Callable[[Each], Formula], left: Formula) -> Self:
        """The object after one more member.

        cls: class of the key.
        holds: function that returns TRUE if the value satisfies the condition of an `Each`, else FALSE.
        left: `rest` without the alternatives that the value denies.
        """

    # --- which keys

    def later(self) -> list[int]:
        """The indices of all declared keys that may still come, now or later."""
        return bits(self.later_bits())

    def later_bits(self) -> int:
        """The keys of `later`, as bits 1 << index."""
        order = self.order
        return (1 << order.num_ordered) - (1 << self.position) | order.free_bits & ~self.seen

    def may_come(self, cls: int) -> bool:
        """True if a key of the class may still come, now or later. cls: class of a declared key or of open keys."""
        if cls >= len(self.order.names):
            return cls in self.open_cells()
        return not self.seen >> cls & 1 if cls >= self.order.num_ordered else cls >= self.position

    def missing(self) -> list[int]:
        """The indices of the required keys that are still missing."""
        return bits(self.missing_bits())

    def missing_bits(self) -> int:
        """The required keys that are still missing, as bits 1 << index."""
        left = self.shape.required_bits & ~self.seen
        return left >> self.position << self.position if self.position else left

    def open_cells(self) -> tuple[int, ...]:
        """The classes of open keys that have an unused key."""
        return self.order.cells_left(self.used)

    def excluded_keys(self) -> frozenset[str]:
        """The keys that can't come as open keys: declared keys, and open keys that are present."""
        return self.order.excluded(self.used)

    def capacity(self, cap: int) -> int:
        """The number of further members that are possible, at most `cap`. PERF: known keys are counted at once."""
        later, known = self.later_bits(), self.shape.known_possible
        count = (later & known).bit_count()
        if count >= cap:
            return cap
        for i in paced(bits(later & ~known)):
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
        """The number of unused open keys of a class, at most `cap`."""
        language = self.order.cells[cls - len(self.order.names)].language
        if num_words(language) >= cap + len(self.excluded_keys()):
            return cap
        return lang.count_words(lang.difference(language, lang.words(self.excluded_keys())), cap)

    # --- the rest after a member

    def after_key(self, state: KeyState, rest: Formula, tracked: tuple[Formula, ...]) -> Self:
        """The frame after one more member. state, rest, tracked: the new fields."""
        low, high = max(self.low - 1, 0), fewer(self.high)
        shape = self.shape
        if rest is TRUE:
            return self.interned(shape, state, low, high, rest, tracked)
        eaches, names = shape.eaches, shape.names
        return self.of(self.document, self.order, state, eaches, names, shape.required, low, high, rest, tracked)

    def decided_by(self, cls: int, state: KeyState, holds: Callable[[Each], Formula]) -> Rewrite:
        """A function from an assertion to its residual after one more member.

        cls: class of the member's key.
        state: the keys that the object has after the member.
        holds: function from an `Each` to the truth of its condition on the member's value; this may be a formula.
        """
        key = self.order.names[cls] if cls < len(self.order.names) else None
        position, seen, _ = state
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
            if isinstance(atom, PartCount):
                return atom.without_one()
            assert isinstance(atom, NamesIn)
            return atom if is_named(self.order, cls, atom.language) else FALSE

        return decide


class SettledMember:
    """The frame of a member's value in an object without open alternatives.

    after: the object after the member.
    goal: the goal of the value.
    """

    __slots__ = ("after", "goal")
    kind: Literal["value"] = "value"
    close_class: int | None = None

    def __init__(self, after: OpenObject, goal: frames.ValueGoal) -> None:
        self.after = after
        self.goal = goal

    @property
    def plain(self) -> tuple[OpenObject, frames.ValueGoal]:
        """The object after the value, and the value's goal."""
        return self.after, self.goal

    def value_spec(self) -> ValueSpec:
        """The values that may be written."""
        return self.goal.spec()

    def key_spec(self) -> None:
        """Return None: a value comes here."""

    def on_return(self, cls: int) -> OpenObject:
        """The object after this member."""
        del cls
        return self.after

    def on_capture(self, cls: int, text: bytes) -> OpenObject:
        """Like `on_return`: the texts of members do not matter."""
        del cls, text
        return self.after


class MemberFrame(Generic[ObjectT]):
    """The frame of a member's value in an object with open alternatives.

    frame: the object before the member.
    cls: class of the member's key.
    goal: the goal of the value.
    known: undecided `Each` of the object -> its condition on this value.
    number: attribute; identifies the frame within the document.
    """

    __slots__ = ("_asking", "_spec", "cls", "frame", "goal", "known", "number")
    kind: Literal["value"] = "value"
    close_class: int | None = None

    def __init__(self, frame: ObjectT, cls: int, goal: FormulaGoal, known: Mapping[Each, Formula]) -> None:
        self.frame = frame
        self.cls = cls
        self.goal = goal
        self.known = known
        self.number = frame.document.new_number()
        self._asking: dict[int | None, list[Formula]] | None = None
        self._spec: ValueSpec | None = None

    plain = None

    def left_by(self, vector: Vector) -> Formula:
        """The object's `rest`; if it has many alternatives, without those that this outcome of the value denies.

        Later steps then need not examine them. vector: truth of the goal's tracked formulas.
        """
        rest = self.frame.rest
        if not isinstance(rest, Or) or len(rest.parts) < MANY_ALTERNATIVES:
            return rest
        if self._asking is None:
            places = {asked: place for place, asked in enumerate(self.goal.tracked)}
            self._asking = {}
            for part in rest.parts:
                children = [self.known[atom] for atom in conjuncts(part) if isinstance(atom, Each)]
                place = next((places[child] for child in children if child in places), None)
                self._asking.setdefault(place, []).append(part)
        holding = [place for place, is_true in enumerate(vector) if is_true]
        return any_of([part for place in (None, *holding) for part in self._asking.get(place, [])])

    def value_spec(self) -> ValueSpec:
        """The values that let the object be completed."""
        if not self.goal.tracked:
            return self.goal.spec()
        if self._spec is None:
            self._spec = narrowed(self.goal.spec(), lambda cls: self.on_return(cls) is not None)
        return self._spec

    def key_spec(self) -> None:
        """Return None: a value comes here."""

    def on_return(self, cls: int) -> ObjectT | OpenObject | None:
        """The object after this member; None if it can't be completed then.

        If the value's class tells nothing about the tracked formulas, the result is an object that allows anything: see
        `ArrayFrame.on_return`.
        """
        return self.frame.document.followed(self.number, cls, self._after)

    def _after(self, cls: int) -> ObjectT | OpenObject | None:
        frame, vector = self.frame, self.frame.document.vectors[cls]
        if len(vector) < len(self.goal.tracked):
            return frame.document.live_object(TRUE)
        truth = dict(zip(self.goal.tracked, vector, strict=True))

        def holds(each: Each) -> Formula:
            child = self.known[each]
            return TRUE if child is TRUE or truth.get(child, False) else FALSE

        following = frame.after_member(self.cls, holds, self.left_by(vector))
        return following if frame.rest is TRUE or following.is_live else None

    def on_capture(self, cls: int, text: bytes) -> ObjectT | OpenObject | None:
        """Like `on_return`: the texts of members do not matter."""
        del text
        return self.on_return(cls)
