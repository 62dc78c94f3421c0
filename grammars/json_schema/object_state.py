"""`ObjectState`: which keys an object has that is being written, what is left to hold of it, and what after one more.

What is left is split: `Shape` is what surely must hold, `rest` what is left of alternatives and negations.
`MemberFrame`: the value of a member: what it must satisfy, and the object after it.
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
from .context import ContainerState, Context, ValueGoal, Vector, allows_something
from .formula import FALSE, TRUE, Each, Formula, Has, MemberCount, NamesIn, Or, all_of, any_of, ids_of, member_count
from .keys import KeyOrder, KeyState, Shape, bits, is_named
from .narrowing import narrowed
from .residual import Rewrite, conjuncts

FEW_OUTCOMES = 4  # of a member; above, those of its objects and arrays are told from those of its scalars
MANY_ALTERNATIVES = 8  # of one disjunction; below, each is looked at for each outcome of a member
# PERF: ints hash modulo 2**61 - 1, so 20,000 sets of one key have 61 hashes between them. Modulo this prime, of which 2
# is a primitive root, all differ: 0.5 s instead of 3.4 for the mask of an object that needs 15,000 of 20,000 members.
SPREADING = 2**30 - 35

ObjectT = TypeVar("ObjectT", bound="ObjectState")


@dataclass(slots=True, eq=False)
class ObjectState(ContainerState):
    """Of an object. `of` makes the interned one of some parts; `ObjectFrame` finds out whether it can be completed.

    state: which keys it has; position, seen, marks and used are its parts.
    low, high: bounds on the number of further members. rest, tracked: residual formulas over the object.
    number: one of its own among the frames of the document.
    """

    shape: Shape
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
    marks: tuple[int, ...] = field(init=False)
    used: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        ContainerState.__post_init__(self)
        self.document, self.order = self.shape.document, self.shape.order
        self.number = self.document.new_number()
        self.position, self.seen, self.marks, self.used = self.state

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
        return cls.interned(shape, state, max(low, 0), high, all_of(rest), tracked)

    @classmethod
    def interned(
        cls, shape: Shape, state: KeyState, low: int, high: int | None, rest: Formula, tracked: tuple[Formula, ...]
    ) -> Self:
        """The frame of these parts, one object for equal ones."""
        residual = (rest.id, *ids_of(tracked)) if tracked else rest.id
        key = (id(shape), state, state[1] % SPREADING, low, high, residual)
        found: Self | None = shape.document.frames.get(key)
        if found is None:
            checkpoint()
            found = shape.document.frames[key] = cls(shape, state, low, high, rest, tracked)
        return found

    @abstractmethod
    def after_member(self, cls: int, holds: Callable[[Each], Formula], left: Formula) -> Self:
        """The object after one more member. cls: of the key. holds: TRUE or FALSE, whether the value satisfies what an
        `Each` asks of it. left: what is left of `rest` when alternatives that the value denies are left out."""

    # --- which keys

    def later(self) -> list[int]:
        """Indexes of all declared keys that may still come, now or after others, if need be out of their sequence."""
        return bits(self.later_bits())

    def later_bits(self) -> int:
        """The same keys, 1 << index each."""
        order = self.order
        return (1 << order.num_ordered) - (1 << self.position) | order.free_bits & ~self.seen

    def may_come(self, cls: int) -> bool:
        """Whether a declared key, or one of a class of open ones, may still come, now or after others."""
        if cls >= len(self.order.names):
            return cls in self.open_cells()
        return not self.seen >> cls & 1 if cls >= self.order.num_ordered else cls >= self.position

    def missing(self) -> list[int]:
        """Indexes of the required keys that are not there yet."""
        return bits(self.missing_bits())

    def missing_bits(self) -> int:
        """The required keys that are not there yet, 1 << index each."""
        left = self.shape.required_bits & ~self.seen
        return left >> self.position << self.position if self.position else left

    def free_keys(self) -> list[int]:
        """Indexes of the free declared keys that are not there."""
        return bits(self.order.free_bits & ~self.seen)

    def open_cells(self) -> tuple[int, ...]:
        """Classes of open keys of which one is left."""
        return self.order.cells_left(self.used)

    def excluded_keys(self) -> frozenset[str]:
        """Keys that are no open keys any more: declared ones, and those that are there."""
        return self.order.excluded(self.used)

    def capacity(self, cap: int) -> int:
        """How many further members are possible, counted up to `cap`. PERF: what is known is counted at once."""
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
        """How many open keys of a class are left, counted up to `cap`."""
        language = self.order.cells[cls - len(self.order.names)].language
        if num_words(language) >= cap + len(self.excluded_keys()):
            return cap
        return lang.count_words(lang.difference(language, lang.words(self.excluded_keys())), cap)

    # --- what is left after a member

    def after_key(self, state: KeyState, rest: Formula, tracked: tuple[Formula, ...]) -> Self:
        """The frame after one more member, which leads to a state and leaves these residuals."""
        low, high = max(self.low - 1, 0), None if self.high is None else self.high - 1
        shape = self.shape
        if rest is TRUE:
            return self.interned(shape, state, low, high, rest, tracked)
        eaches, names = shape.eaches, shape.names
        return self.of(self.document, self.order, state, eaches, names, shape.required, low, high, rest, tracked)

    def decided_by(self, cls: int, state: KeyState, holds: Callable[[Each], Formula]) -> Rewrite:
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


class SettledMember:
    """The value of a member of a settled object (`Frame` of the machine). after: the object after it."""

    __slots__ = ("after", "goal")
    kind: Literal["value"] = "value"
    close_class: int | None = None

    def __init__(self, after: OpenObject, goal: frames.ValueGoal) -> None:
        self.after = after
        self.goal = goal

    @property
    def plain(self) -> tuple[OpenObject, frames.ValueGoal]:
        """See `frames.ValueFrame`."""
        return self.after, self.goal

    def value_spec(self) -> ValueSpec:
        """What may be written."""
        return self.goal.spec()

    def key_spec(self) -> None:
        """A value comes here."""

    def on_return(self, cls: int) -> OpenObject:
        """The object after this member."""
        del cls
        return self.after

    def on_capture(self, cls: int, text: bytes) -> OpenObject:
        """Texts of member values do not matter."""
        del cls, text
        return self.after


class MemberFrame(Generic[ObjectT]):
    """The value of a member where alternatives are open (`Frame` of the machine). frame: the object before it.

    known: for each undecided `Each` of the object, what it asks here. number: see `ObjectState`.
    """

    __slots__ = ("_asking", "_spec", "cls", "frame", "goal", "known", "number")
    kind: Literal["value"] = "value"
    close_class: int | None = None

    def __init__(self, frame: ObjectT, cls: int, goal: ValueGoal, known: Mapping[Each, Formula]) -> None:
        self.frame = frame
        self.cls = cls
        self.goal = goal
        self.known = known
        self.number = frame.document.new_number()
        self._asking: dict[int | None, list[Formula]] | None = None
        self._spec: ValueSpec | None = None

    plain = None

    def left_by(self, vector: Vector) -> Formula:
        """What is left of the object's residual, but for alternatives that ask something that this outcome denies.

        So one outcome costs no look at every alternative, where there are many of them.
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

    @property
    def is_possible(self) -> bool:
        """Whether some value leaves the object completable."""
        if not self.frame.document.is_satisfiable(self.goal.formula):
            return False
        return len(self.goal.tracked) <= FEW_OUTCOMES or allows_something(self.value_spec())

    def value_spec(self) -> ValueSpec:
        """What may be written."""
        if not self.goal.tracked:
            return self.goal.spec()
        if self._spec is None:
            self._spec = narrowed(self.goal.spec(), lambda cls: self.on_return(cls) is not None)
        return self._spec

    def key_spec(self) -> None:
        """A value comes here."""

    def on_return(self, cls: int) -> ObjectT | None:
        """The object after this member."""
        return self.frame.document.followed(self.number, cls, self._after)

    def _after(self, cls: int) -> ObjectT | None:
        frame, vector = self.frame, self.frame.document.vectors[cls]
        truth = dict(zip(self.goal.tracked, vector, strict=True))

        def holds(each: Each) -> Formula:
            child = self.known[each]
            return TRUE if child is TRUE or truth.get(child, False) else FALSE

        following = frame.after_member(self.cls, holds, self.left_by(vector))
        return following if frame.rest is TRUE or following.is_live else None

    def on_capture(self, cls: int, text: bytes) -> ObjectT | None:
        """Texts of member values do not matter."""
        del text
        return self.on_return(cls)
