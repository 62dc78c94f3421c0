"""`Context`: shared data of all frames of one grammar. `FormulaGoal`: the condition on a value.

A place in a document asks for a value with a goal. The goal has a formula that the value must satisfy, and tracked
formulas. The place later needs to know which tracked formulas the value satisfied, for example those of `anyOf` or
`contains`. A value returns a class, which stands for a vector of booleans: which tracked
formulas it satisfied.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ..limits import Limits
from ..machine.frames import Lexeme, Marks, OpenArray, OpenObject, ValueSpec
from ..regex import algebra as lang
from .formula import FALSE, TRUE, Formula, JsonKind, all_of, any_of, ids_of, negate
from .number_sets import cells_of
from .satisfiable import Satisfiability, possible_kinds
from .specialise import number_domain, number_language, specialise, string_language

# Memory of each kind of object with everything that only it refers to, in bytes, measured on real schemas.
_FRAME_BYTES = 1_000
_USED_VALUE_BYTES = 200  # for each value in a frame's `used`
_GOAL_BYTES = 3_000
_FOLLOWED_BYTES = 150

Vector = tuple[bool, ...]

_Following = TypeVar("_Following")
_Made = TypeVar("_Made")


class Context(ABC):
    """The options, interned frames and goals, and known answers about satisfiability of one grammar.

    is_canonical: True: numbers are written as writers write them.
    is_counting: True: the context only serves to count the values of a formula.
    marks: see `ValueSpec`.
    """

    def __init__(
        self,
        formula: Formula,
        *,
        any_order: bool = False,
        max_plans: int = Limits().max_plans,
        is_canonical: bool = False,
        is_counting: bool = False,
        marks: Marks | None = None,
    ) -> None:
        self.formula = formula
        self.is_canonical = is_canonical
        self.is_counting = is_counting
        self.marks = marks
        self.any_order = any_order
        self.max_plans = max_plans
        self.vectors: dict[int, Vector] = {0: ()}  # class -> the vector that it stands for; (): nothing is known
        self._vector_ids: dict[Vector, int] = {(): 0}
        self._goals: dict[Any, FormulaGoal] = {}
        self.frames: dict[Any, Any] = {}
        self.plans: dict[int, Any] = {}  # number of an object's frame -> plans that complete it
        self._followed: dict[int, Any] = {}
        self._num_frames = self._num_used = 0
        self.listed: dict[Formula, tuple[int, frozenset[bytes] | None]] = {}  # see `distinct.values_of`
        self._satisfiability = Satisfiability(self)

    def dismantle(self) -> None:
        """Release all frames and goals; they can't be used any more."""
        self.frames.clear()
        self.plans.clear()
        self.listed.clear()
        self._followed.clear()
        for goal in self._goals.values():
            goal.dismantle()
        self._goals.clear()
        self._satisfiability.dismantle()

    def vector_id(self, vector: Vector) -> int:
        """The class of a vector."""
        found = self._vector_ids.get(vector)
        if found is None:
            found = self._vector_ids[vector] = len(self.vectors)
            self.vectors[found] = vector
        return found

    def goal(self, formula: Formula, tracked: tuple[Formula, ...] = ()) -> FormulaGoal:
        """The goal with these formulas, interned."""
        key = (formula.id, ids_of(tracked) if tracked else ())
        found = self._goals.get(key)
        if found is None:
            found = self._goals[key] = FormulaGoal(self, formula, tracked)
        return found

    @property
    def num_bytes(self) -> int:
        """Estimated memory of the frames and goals, without formulas and languages, which may be shared."""
        frames = _FRAME_BYTES * self._num_frames + _USED_VALUE_BYTES * self._num_used
        return frames + _GOAL_BYTES * len(self._goals) + _FOLLOWED_BYTES * len(self._followed)

    def new_number(self, num_used: int = 0) -> int:
        """The number of a new frame. num_used: number of values that the frame knows as used."""
        self._num_frames += 1
        self._num_used += num_used
        return self._num_frames

    def kept(self, key: object, make: Callable[[], _Made]) -> _Made:
        """The result of `make`, computed once for each key."""
        found: _Made | None = self.frames.get(key)
        if found is None:
            found = self.frames[key] = make()
        return found

    def followed(self, number: int, cls: int, find: Callable[[int], _Following]) -> _Following:
        """The successor of a frame after a class, found by `find` the first time.

        number: the frame's number. All frames share one table, to have a single object.
        """
        key = number << 32 | cls
        found: Any = self._followed.get(key)
        if found is None and key not in self._followed:
            found = self._followed[key] = find(cls)
        following: _Following = found
        return following

    def is_satisfiable(self, formula: Formula) -> bool:
        """True if some value satisfies the formula."""
        return self._satisfiability.ask(formula)

    @property
    def is_final(self) -> bool:
        """True if a negative answer found now may be kept."""
        return self._satisfiability.is_final

    def numbers(self, formula: Formula) -> lang.Language:
        """The texts of the numbers that satisfy the formula."""
        return number_language(formula, is_written=self.is_canonical)

    @abstractmethod
    def live_object(
        self, formula: Formula, tracked: tuple[Formula, ...] = (), is_root: bool = False
    ) -> OpenObject | None:
        """The frame of an object that has just been opened; None if it can't be completed.

        formula, tracked: specialised to objects.
        is_root: True: the object is the whole document.
        """

    @abstractmethod
    def live_array(self, formula: Formula, tracked: tuple[Formula, ...] = ()) -> OpenArray | None:
        """The frame of an array that has just been opened; None if it can't be completed. For arguments see above."""

    def apart(self, formula: Formula) -> Context:
        """A context with the same options that only serves to count the values of a formula."""
        return type(self)(
            formula,
            any_order=self.any_order,
            max_plans=self.max_plans,
            is_canonical=self.is_canonical,
            is_counting=True,
        )

    def search(self, formula: Formula, kind: JsonKind) -> bool:
        """True if a value of this kind satisfies the formula; `is_satisfiable` keeps the answer."""
        special = specialise(formula, kind)
        if special is FALSE:
            return False
        if kind == "string":
            return not lang.is_empty(string_language(special))
        if kind == "number":
            return not lang.is_empty(self.numbers(special))
        if kind == "object":
            return self.live_object(special, is_root=formula is self.formula) is not None
        if kind == "array":
            return self.live_array(special) is not None
        return special is TRUE


class ContainerState(ABC):
    """The remaining conditions on an object or array that is being written. rest, tracked: residual formulas."""

    __slots__ = ("_is_live",)
    document: Context
    rest: Formula
    tracked: tuple[Formula, ...]

    def __post_init__(self) -> None:
        self._is_live: bool | None = None

    @property
    def is_settled(self) -> bool:
        """True if there are no open alternatives."""
        return self.rest is TRUE and not self.tracked

    @property
    def num_outcomes(self) -> int:
        """Upper bound on the number of classes that the container can return."""
        return 1 << len(self.tracked)

    @property
    def is_live(self) -> bool:
        """True if the container can be completed."""
        if self._is_live is None:
            found = self._search()
            if not found and not self.document.is_final:
                return False
            self._is_live = found
        return self._is_live

    @abstractmethod
    def _search(self) -> bool:
        """Find out if the container can be completed, without kept answers."""


@dataclass(slots=True, eq=False)
class FormulaGoal:
    """A formula that a value must satisfy, and tracked formulas whose truth the value returns."""

    document: Context
    formula: Formula
    tracked: tuple[Formula, ...]
    is_root: bool = False
    _spec: ValueSpec | None = field(default=None, init=False)

    def dismantle(self) -> None:
        """Release the goal's frames."""
        self._spec = None

    def spec(self) -> ValueSpec:
        """The values that may be written; one object for all places with this goal."""
        if self._spec is None:
            spec = ValueSpec(marks=self.document.marks)
            for kind in possible_kinds(self.formula):
                special = specialise(self.formula, kind)
                if special is not FALSE:
                    tracked = tuple([specialise(one, kind) for one in self.tracked])
                    self._add(spec, kind, special, tracked)
            self._spec = spec
        return self._spec

    def _add(self, spec: ValueSpec, kind: JsonKind, special: Formula, tracked: tuple[Formula, ...]) -> None:
        document = self.document
        if kind == "string":
            spec.strings = self._lexeme(string_cells(special, tracked))
        elif kind == "number":
            spec.numbers = self._lexeme(number_cells(special, tracked, document))
        elif kind == "object":
            spec.object = document.live_object(special, tracked, self.is_root)
        elif kind == "array":
            spec.array = document.live_array(special, tracked)
        elif special is TRUE:
            setattr(spec, kind, document.vector_id(tuple([one is TRUE for one in tracked])))  # null, true or false

    def _lexeme(self, cells: list[tuple[lang.Language, Vector]]) -> Lexeme:
        return tuple([(language, self.document.vector_id(vector)) for language, vector in cells])


def allows_something(spec: ValueSpec) -> bool:
    """True if some value may be written."""
    literals = (spec.true, spec.false, spec.null)
    return bool(spec.strings or spec.numbers or spec.object or spec.array) or any(one is not None for one in literals)


def narrowed(spec: ValueSpec, is_kept: Callable[[int], bool]) -> ValueSpec:
    """The spec without the scalars of the classes that can't come."""

    def kept(cls: int | None) -> int | None:
        return cls if cls is not None and is_kept(cls) else None

    return replace(
        spec,
        strings=tuple([pair for pair in spec.strings if is_kept(pair[1])]),
        numbers=tuple([pair for pair in spec.numbers if is_kept(pair[1])]),
        true=kept(spec.true),
        false=kept(spec.false),
        null=kept(spec.null),
    )


def string_cells(special: Formula, tracked: tuple[Formula, ...]) -> list[tuple[lang.Language, Vector]]:
    """The non-empty languages of strings that satisfy `special`, one for each outcome of `tracked`."""
    language = string_language(special)
    if not tracked:
        return [] if lang.is_empty(language) else [(language, ())]
    others = [string_language(one) for one in tracked]
    if isinstance(language, lang.Words):
        return _word_cells(language.words, others)
    words = [other.words for other in others if isinstance(other, lang.Words)]
    if len(words) == len(others):
        every_word = frozenset[str]().union(*words)
        known = lang.intersect(language, lang.words(every_word))
        cells = _word_cells(known.words, others) if isinstance(known, lang.Words) else []
        unknown = lang.difference(language, lang.words(every_word))
        return cells if lang.is_empty(unknown) else [*cells, (unknown, (False,) * len(others))]
    return _split(special, tracked, string_language)


def number_cells(
    special: Formula, tracked: tuple[Formula, ...], document: Context
) -> list[tuple[lang.Language, Vector]]:
    """Like `string_cells`, for the texts of numbers."""
    if not tracked:
        language = document.numbers(special)
        return [] if lang.is_empty(language) else [(language, ())]
    domain = number_domain([special, *tracked])
    cells = cells_of(special, tracked, domain, is_written=document.is_canonical)
    if cells is None:
        return _split(special, tracked, document.numbers)
    return [cell for cell in cells if not lang.is_empty(cell[0])]


def _word_cells(words: frozenset[str], languages: list[lang.Language]) -> list[tuple[lang.Language, Vector]]:
    """Words, grouped by the languages that have them. If all languages are lists of words, the time is linear."""
    members: dict[str, list[int]] = {word: [] for word in sorted(words)}
    for i, language in enumerate(languages):
        known = language.words if isinstance(language, lang.Words) else members
        for word in known:
            if word in members and (known is not members or lang.matches(language, word)):
                members[word].append(i)
    groups: dict[tuple[int, ...], list[str]] = {}
    for word, indexes in members.items():
        groups.setdefault(tuple(indexes), []).append(word)
    every = range(len(languages))
    return [(lang.words(group), tuple(map(set(indexes).__contains__, every))) for indexes, group in groups.items()]


def _split(
    special: Formula, tracked: tuple[Formula, ...], language_of: Callable[[Formula], lang.Language]
) -> list[tuple[lang.Language, Vector]]:
    cells: list[tuple[Formula, Vector]] = [(special, ())]
    for one in tracked:
        halves = [
            (all_of((formula, part)), (*vector, is_in))
            for formula, vector in cells
            for part, is_in in ((one, True), (negate(one), False))
        ]
        cells = [(formula, vector) for formula, vector in halves if not lang.is_empty(language_of(formula))]
    return [(language_of(formula), vector) for formula, vector in cells]


def condition(asked: tuple[Formula, ...], live: list[Vector]) -> Formula:
    """A formula that holds if the outcome of `asked` is in `live`; short if `live` means "all hold" or "some holds"."""
    if live == [(True,) * len(asked)]:
        return all_of(asked)
    if len(live) == 2 ** len(asked) - 1 and all(any(vector) for vector in live):
        return any_of(asked)
    return any_of(
        all_of(one if is_true else negate(one) for one, is_true in zip(asked, vector, strict=True)) for vector in live
    )
