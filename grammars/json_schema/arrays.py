"""`ArrayFrame`: what the next item of an array must satisfy, whether the array may end."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Literal

from ..machine.documents.words import quoted
from ..machine.frames import Choices, Frame, PlainArray, ValueSpec
from .array_state import NOTHING_USED, ArrayState, decided_by, speaks_of_repeats
from .context import MAX_TRACKED_EXACTLY, Context, ValueGoal, allows_something, condition, outcomes
from .demand import demand
from .distinct import Values
from .formula import FALSE, TRUE, Contains, Formula, all_of, ids_of, items, outcome
from .item_search import can_repeat, find_distinct, reaches_end
from .keys import bits
from .narrowing import narrowed
from .plain import PlainItems, PlainStrings, are_many, different_strings, words_of
from .residual import conjuncts, distance, holds_at_close, rewrite
from .unique_items import NextItems


def open_array(document: Context, formula: Formula, tracked: tuple[Formula, ...]) -> ArrayFrame:
    """The frame at `[`. Both are specialised to arrays."""
    return ArrayFrame.of(document, (), 0, None, formula, tracked, False, NOTHING_USED)


class ArrayFrame(ArrayState):
    """An array being written: an item or `]` comes next (`Frame` of the machine)."""

    __slots__ = ("_new_spec", "_spec")
    kind: Literal["array"] = "array"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._spec: ValueSpec | Literal[False] | None = False
        self._new_spec: ValueSpec | Literal[False] | None = False

    # --- what the machine asks

    @property
    def plain(self) -> PlainArray | None:
        """See `frames.OpenArray`. It knows the array, so the document keeps it, which is dismantled."""
        if not self.is_settled or self.captures > 1:
            return None
        return self.document.kept(("plain array", self.number), self._new_plain)

    def _new_plain(self) -> PlainArray | None:
        return self._plain_strings() if self.captures else PlainItems(self, (), self._after_items)

    def _plain_strings(self) -> PlainArray | None:
        """As `plain`, of a unique array."""
        strings = different_strings(self)
        words = words_of(strings)
        if words:
            return PlainItems(self, words, partial(self._with_words, words))
        return PlainStrings(self, strings, NOTHING_USED, self._with_strings) if strings and are_many(strings) else None

    def _with_strings(self, count: int, used: Values) -> ArrayFrame:
        """A unique array with so many items, some of which are used."""
        high = None if self.high is None else self.high - count
        return self.of(self.document, self.surely, max(self.low - count, 0), high, TRUE, (), True, used)

    def _with_words(self, words: tuple[str, ...], chosen: int) -> ArrayFrame:
        """A unique array with some words, 1 << place each."""
        used = frozenset([quoted(words[place]) for place in bits(chosen)])
        return self._with_strings(len(used), used)

    def _after_items(self, count: int) -> ArrayFrame:
        """The array after some items, of which nothing is asked that is not sure."""
        array = self
        for _ in range(count):
            array = array.after_item(())
        return array

    def key_spec(self) -> None:
        """No key comes here."""

    def value_spec(self) -> ValueSpec | None:
        """The next item; None when there can be none."""
        if self._spec is False:
            self._spec = self._make_spec()
        return self._spec

    def on_return(self, cls: int) -> Frame | None:
        """The array after an item; where its text decides (captures 2), one with more ways to go on than there are."""
        return self.document.followed(self.number, cls, self._after)

    def _after(self, cls: int) -> Frame | None:
        following = self.after_item(self.document.vectors[cls])
        if self.captures < 2:
            return following if following.is_live else None
        again = self.after_item(self.document.vectors[cls], repeats=True)
        closing = following.close_class if following.close_class is not None else again.close_class
        loose = ArrayFrame.of(self.document, following.surely, 0, following.high, TRUE, (), False, NOTHING_USED)
        no_condition = self.document.vector_id((False,) * len(self.tracked))
        return _loose(loose, closing, no_condition if closing is None else closing)

    # --- what completion asks

    def coming_items(self) -> list[tuple[ValueGoal, int]]:
        """See `frames.OpenArray`."""
        return [(self.document.goal(formula), number) for formula, number in self.needed_items()]

    def contained_items(self) -> list[tuple[ValueGoal, int]]:
        """See `frames.OpenArray`."""
        parts = [part for part in conjuncts(self.rest) if isinstance(part, Contains)]
        return [(self.document.goal(part.item), part.low) for part in parts]

    def left_to_choose(self) -> tuple[Hashable, Choices]:
        """See `frames.OpenArray`."""
        if self.captures > 1:
            return self, Choices(0, 0, None, 0, frozenset())
        alike = (ids_of(self.surely), self.rest, self.tracked, self.is_unique)
        return alike, Choices(0, self.low, self.high, 0, self.used)

    def distance(self) -> int:
        """See `frames.OpenArray`."""
        return max(self.low, distance(self.rest, True))

    def new_value_spec(self) -> ValueSpec | None:
        """See `frames.OpenArray`."""
        spec = self.value_spec()
        if self._new_spec is False:
            self._new_spec = spec
            if spec is not None and self.captures > 1:
                self._new_spec = NextItems(self).spec_of_new()
        return self._new_spec

    def goal(self) -> ValueGoal:
        """What the next item must satisfy so that the array can still be completed, and what it returns."""
        value, asked = self.item_formula(), self.asked
        if not asked:
            return self.document.goal(value if self.after_item(()).is_live else FALSE)
        if len(asked) > MAX_TRACKED_EXACTLY:
            needed = demand(self._left_by_any(), self._can_be_completed, self.document.max_plans)
            return self.document.goal(all_of((value, needed)), asked)
        live = [vector for vector in outcomes(len(asked)) if self.after_item(vector).is_live]
        if len(live) == 2 ** len(asked):
            return self.document.goal(value, asked)
        return self.document.goal(all_of((value, condition(asked, live))), asked)

    def _left_by_any(self) -> Formula:
        """What is left of `rest` after an item, with `Outcome` for what must be known of that."""
        known = self.known()
        return rewrite(self.rest, decided_by(lambda atom: outcome(known[atom])))

    def _can_be_completed(self, left: Formula) -> bool:
        """Whether the array can be completed after an item by which this is left of `rest`."""
        surely = [items(one.prefix, one.rest, one.offset + 1) for one in self.surely]
        high = None if self.high is None else self.high - 1
        formula = all_of([*surely, left])
        return ArrayFrame.of(self.document, (), max(self.low - 1, 0), high, formula, (), False, NOTHING_USED).is_live

    def _make_spec(self) -> ValueSpec | None:
        if self.high == 0:
            return None
        if self.captures:
            return NextItems(self).spec()
        goal = self.goal()
        if not self.document.is_satisfiable(goal.formula):
            return None
        spec = goal.spec()
        if goal.tracked:
            spec = narrowed(spec, lambda cls: self.on_return(cls) is not None)
        return spec if allows_something(spec) else None

    # --- can it end

    def _search(self) -> bool:
        if self.is_hopeless:
            return False
        if self.low == 0 and holds_at_close(self.rest):
            return True
        if self.is_unique or speaks_of_repeats(self.rest):
            unique = self.assuming(is_unique=True)
            if unique.is_live and find_distinct(unique, self.used) is not None:
                return True
            return self.may_repeat_live()
        if self.rest is TRUE:
            return all(self.document.is_satisfiable(formula) for formula, _ in self.needed_items())
        return reaches_end(self)

    def may_repeat_live(self) -> bool:
        """Whether the array can be completed with an item that comes twice."""
        if self.is_unique:
            return False
        repeating = self.assuming(is_unique=False)
        return repeating.is_live and can_repeat(repeating, self.used)


class LooseArray:
    """What may follow an item whose text is not known: all that any text leads to, and more.

    array: what further items surely must satisfy. close_class: what is returned where the array ends; later_class: what
    is returned where it ends after another item.
    """

    __slots__ = ("_array", "_later_class", "close_class")
    kind: Literal["array"] = "array"
    is_settled = False
    num_outcomes = 1
    plain = None

    def __init__(self, array: ArrayFrame, close_class: int | None, later_class: int) -> None:
        self._array = array
        self.close_class = close_class
        self._later_class = later_class

    def key_spec(self) -> None:
        """No key comes here."""

    def value_spec(self) -> ValueSpec | None:
        """The next item."""
        return self._array.value_spec()

    def new_value_spec(self) -> ValueSpec | None:
        """The same: no item is known as used."""
        return self._array.value_spec()

    def coming_items(self) -> tuple[()]:
        """None is known."""
        return ()

    def contained_items(self) -> tuple[()]:
        """None is known."""
        return ()

    def left_to_choose(self) -> tuple[Hashable, Choices]:
        """No other place is like it."""
        return self, Choices(0, 0, None, 0, frozenset())

    def distance(self) -> int:
        """It is not known."""
        return 0

    def on_return(self, cls: int) -> LooseArray | None:
        """The array after an item."""
        following = self._array.after_item(self._array.document.vectors[cls])
        # with this item it may have become one that may end
        return None if following.is_hopeless else _loose(following, self._later_class, self._later_class)

    def on_capture(self, cls: int, text: bytes) -> LooseArray | None:
        """The same: no text matters here."""
        del text
        return self.on_return(cls)


def _loose(array: ArrayFrame, close_class: int | None, later_class: int) -> LooseArray:
    key = ("loose array", array.number, close_class, later_class)
    return array.document.kept(key, lambda: LooseArray(array, close_class, later_class))
