"""The value of a member of an object: what it must satisfy, and the object after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, Literal, TypeVar

from ..automaton.frames import ValueSpec
from ..automaton.narrowing import narrowed
from .context import ValueGoal, Vector, allows_something
from .formula import FALSE, TRUE, Each, Formula, Or, any_of
from .object_state import ObjectState
from .residual import conjuncts

FEW_OUTCOMES = 4  # of a member; above, those of its objects and arrays are told from those of its scalars
MANY_ALTERNATIVES = 8  # of one disjunction; below, each is looked at for each outcome of a member

ObjectT = TypeVar("ObjectT", bound=ObjectState)


class MemberFrame(Generic[ObjectT]):
    """The value of a member (`Frame` of the machine). frame: the object before it.

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
        if frame.is_settled:
            return frame.after_settled(self.cls)
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
