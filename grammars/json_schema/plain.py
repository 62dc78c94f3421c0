"""Plain containers: objects that depend only on their keys, and arrays that depend only on their number of items.

The machine makes their frames itself (`machine.documents.containers`).
"""

from __future__ import annotations

from collections.abc import Callable

from ..machine.documents.words import quoted
from ..machine.frames import Lexeme, OpenArray, OpenObject, PlainArray, PlainKeys, PlainObject, whole_words
from ..regex import algebra as lang
from ..regex.emptiness import MANY_WORDS, num_words
from .array_state import ArrayState
from .context import FormulaGoal
from .distinct import Values
from .formula import fewer
from .keys import FEW_USED, KeyState, ObjectShape


class PlainMembers(PlainObject):
    """Objects of a shape that have some open keys.

    low, high, before: see `PlainObject`.
    frame_of: function that returns the object of a state with bounds on the number of further members.
    """

    __slots__ = ("_frame_of", "_shape", "_used", "before", "high", "low")

    def __init__(
        self,
        shape: ObjectShape,
        used: tuple[str, ...],
        low: int,
        high: int | None,
        frame_of: Callable[[ObjectShape, KeyState, int, int | None], OpenObject],
        before: tuple[PlainObject, str] | None = None,
    ) -> None:
        self._shape, self._used, self._frame_of, self.before = shape, used, frame_of, before
        self.low, self.high = low, high

    @classmethod
    def of(
        cls,
        shape: ObjectShape,
        used: tuple[str, ...],
        low: int,
        high: int | None,
        frame_of: Callable[[ObjectShape, KeyState, int, int | None], OpenObject],
        before: tuple[PlainObject, str] | None = None,
    ) -> PlainMembers:
        """The interned description with these fields. before: only for a new one."""
        key = ("plain object", id(shape), used, low, high)
        return shape.document.kept(key, lambda: cls(shape, used, low, high, frame_of, before))

    def using(self, key: str) -> PlainMembers:
        used = tuple(sorted((*self._used, key)))
        before = (self, key) if self._shape.order.is_plenty and len(used) <= FEW_USED else None
        return self.of(self._shape, used, self.low, self.high, self._frame_of, before)

    def keys(self) -> PlainKeys:
        shape, order = self._shape, self._shape.order
        return PlainKeys(
            declared=order.index,
            possible=shape.possible_bits(),
            required=shape.required_bits,
            num_ordered=order.num_ordered,
            orders=shape.orders,
            open=self._open(),
            excluded=order.excluded(self._used),
            num_classes=len(order.names) + len(order.cells),
            is_open_early=shape.document.any_order,
            marks=shape.document.marks,
        )

    def _open(self) -> Lexeme:
        order = self._shape.order
        possible = [cls for cls in order.cells_left(self._used) if self._shape.is_possible(cls)]
        return tuple([(order.cells[cls - len(order.names)].language, cls) for cls in possible])

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

    def frame(self, keys: int) -> OpenObject:
        order = self._shape.order
        num_open, present = keys >> self._count_place, keys & ((1 << self._count_place) - 1)
        ordered = (1 << order.num_ordered) - 1
        state = ((present & ordered).bit_length(), present & ~ordered, self._used)
        num_members = present.bit_count() + num_open
        low, high = max(self.low - num_members, 0), fewer(self.high, num_members)
        return self._frame_of(self._shape, state, low, high)


class PlainItems(PlainArray):
    """Arrays with the same further conditions. words: see `PlainArray`. frame_of: function, see `frame`."""

    __slots__ = ("_array", "_frame_of", "high", "low", "num_places", "words")
    open: Lexeme = ()
    before: None = None

    def __init__(self, array: ArrayState, words: tuple[str, ...], frame_of: Callable[[int], OpenArray]) -> None:
        self._array, self._frame_of = array, frame_of
        self.num_places = 1 + max([len(one.prefix) - one.offset for one in array.surely], default=0)
        self.low, self.high, self.words = array.low, array.high, words

    def goal(self, place: int) -> FormulaGoal | None:
        document, formula = self._array.document, self._array.item_formula(place)
        return document.goal(formula) if document.is_satisfiable(formula) else None

    def frame(self, items: int) -> OpenArray:
        return self._frame_of(items)

    def using(self, string: str) -> None:
        """Never called: no text matters."""


class PlainStrings(PlainArray):
    """Unique arrays of strings that already have some strings.

    used: the strings, as `text_of_value` writes them.
    array: the array without any.
    frame_of: function that returns the array with a number of items and these strings.
    before: see `PlainArray`.
    """

    __slots__ = ("_array", "_frame_of", "_used", "before", "high", "low", "open")
    words = ()
    num_places = 1

    def __init__(
        self,
        array: ArrayState,
        strings: Lexeme,
        used: Values,
        frame_of: Callable[[int, Values], OpenArray],
        before: tuple[PlainArray, str] | None = None,
    ) -> None:
        self._array, self.open, self._used, self._frame_of, self.before = array, strings, used, frame_of, before
        self.low, self.high = array.low, array.high

    def using(self, string: str) -> PlainStrings | None:
        used = self._used | {quoted(string)}
        if len(used) > FEW_USED:
            return None
        return self._array.document.kept(
            ("plain strings", self._array.number, used),
            lambda: PlainStrings(self._array, self.open, used, self._frame_of, (self, string)),
        )

    def goal(self, place: int) -> FormulaGoal:
        return self._array.document.goal(self._array.item_formula())

    def frame(self, items: int) -> OpenArray:
        return self._frame_of(items, self._used)


def different_strings(array: ArrayState) -> Lexeme:
    """The strings that the items of a unique array may be; () if items may be other values, or for other arrays."""
    if array.used or any(one.prefix for one in array.surely):
        return ()
    spec = array.document.goal(array.item_formula()).spec()
    has_others = spec.numbers or spec.literals or spec.object or spec.array or spec.excluded_strings
    return () if has_others else spec.strings


def are_many(strings: Lexeme) -> bool:
    """True if each language surely has strings left after FEW_USED are used."""
    return all(num_words(language) == MANY_WORDS for language, _ in strings)


def words_of(strings: Lexeme) -> tuple[str, ...]:
    """The strings of the languages if all are lists of words; else ()."""
    languages = [language for language, _ in strings]
    words = [language.words for language in languages if isinstance(language, lang.Words)]
    return tuple(sorted(frozenset[str]().union(*words))) if len(words) == len(languages) else ()
