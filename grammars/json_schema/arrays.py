"""`ArrayFrame`: the frame of an array: the condition on the next item, and whether the array may end.

Most arrays are plain: they depend on the number of their items, or also on which strings they have. `PlainItems`
describes these for the machine, which makes their frames itself (`machine.documents.containers`).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, NamedTuple

from ..machine.documents.words import quoted
from ..machine.frames import Choices, Frame, Lexeme, PlainArray, ValueSpec
from ..regex import algebra as lang
from ..regex.emptiness import MANY_WORDS, num_words
from .array_state import NOTHING_USED, ArrayState, decided_by, speaks_of_repeats
from .context import Context, FormulaGoal, allows_something, narrowed
from .distinct import Values
from .formula import FALSE, TRUE, Atom, Formula, PartCount, all_of, fewer, ids_of, items, negate, outcome
from .item_search import can_repeat, find_distinct, reaches_end
from .keys import FEW_USED, bits
from .residual import conjuncts, distance, holds_at_close, rewrite
from .tableau import Budget, Tableau
from .unique_items import NextItems


def open_array(document: Context, formula: Formula, tracked: tuple[Formula, ...]) -> ArrayFrame:
    """The frame of an array that has just been opened. The frame may be dead: see `is_live`.

    formula: the condition on the array, specialised to arrays.
    tracked: formulas whose truth the array returns, specialised to arrays.
    """
    return ArrayFrame.of(document, (), 0, None, formula, tracked, False, NOTHING_USED)


class ArrayFrame(ArrayState):
    """A machine frame of an array that is being written: an item or `]` comes next."""

    __slots__ = ("_new_spec", "_spec")
    kind: Literal["array"] = "array"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._spec: ValueSpec | Literal[False] | None = False
        self._new_spec: ValueSpec | Literal[False] | None = False

    # --- what the machine asks

    @property
    def plain(self) -> PlainArray | None:
        """The common description, if only the number of items matters, or also which strings were used; else None.

        The description refers to this frame. The document stores it, so `dismantle` can break the cycle.
        """
        if not self.is_settled or self.captures > 1:
            return None
        return self.document.kept(("plain array", self.number), self._new_plain)

    def _new_plain(self) -> PlainItems | None:
        if not self.captures:
            return PlainItems(self)
        strings = self._different_strings()
        words = _words_of(strings)
        if words:
            return PlainItems(self, words)
        are_many = all(num_words(language) == MANY_WORDS for language, _ in strings)
        return PlainItems(self, (), strings) if strings and are_many else None

    def _different_strings(self) -> Lexeme:
        """The strings that the items of a unique array may be; () if items may be other values, or for other arrays."""
        if self.used or any(one.prefix for one in self.surely):
            return ()
        spec = self.document.goal(self.item_formula()).spec()
        has_others = spec.numbers or spec.literals or spec.object or spec.array or spec.excluded_strings
        return () if has_others else spec.strings

    def key_spec(self) -> None:
        """Return None: arrays have no keys."""

    def value_spec(self) -> ValueSpec | None:
        """The values that the next item may have; None if no item can come."""
        if self._spec is False:
            self._spec = self._make_spec()
        return self._spec

    def on_return(self, cls: int) -> Frame | None:
        """The array after an item of class `cls`; None if it can't be completed then.

        If the item's text matters (captures 2), the result is an array that allows any items. Its class then decides no
        formula, so the container around it allows anything, too.
        """
        return self.document.followed(self.number, cls, self._after)

    def _after(self, cls: int) -> Frame | None:
        vector = self.document.vectors[cls]
        if self.captures > 1 or len(vector) < len(self.asked):
            return self.document.live_array(TRUE)
        following = self.after_item(vector)
        return following if following.is_live else None

    # --- what completion asks

    def coming_items(self) -> list[tuple[FormulaGoal, int]]:
        """The goals of the items that must still come, each with a number of items in a row."""
        return [(self.document.goal(formula), number) for formula, number in self.needed_items()]

    def contained_items(self) -> list[tuple[FormulaGoal, int]]:
        """The goals that some further items must satisfy (`contains`), each with the least number of such items."""
        parts = [part for part in conjuncts(self.rest) if isinstance(part, PartCount)]
        return [(self.document.goal(part.value), part.low) for part in parts]

    def left_to_choose(self) -> tuple[Hashable, Choices]:
        """The condition on the rest, and the choices that are left; see `Choices`."""
        if self.captures > 1:
            return self, Choices(0, 0, None, 0, frozenset())
        alike = (ids_of(self.surely), self.rest, self.tracked, self.is_unique)
        return alike, Choices(0, self.low, self.high, 0, self.used)

    def distance(self) -> int:
        """Estimate of the number of items that are left."""
        return max(self.low, distance(self.rest, True))

    def new_value_spec(self) -> ValueSpec | None:
        """Like `value_spec`, without items that the array has already, if `captures` is 2."""
        spec = self.value_spec()
        if self._new_spec is False:
            self._new_spec = spec
            if spec is not None and self.captures > 1:
                self._new_spec = NextItems(self).spec_of_new()
        return self._new_spec

    def goal(self) -> FormulaGoal:
        """The goal of the next item: its formula lets the array be completed, and it tracks the formulas in `asked`."""
        value, asked = self.item_formula(), self.asked
        if not asked:
            return self.document.goal(value if self.after_item(()).is_live else FALSE)
        return self.document.goal(all_of((value, self._demand(value))), asked)

    def _demand(self, value: Formula) -> Formula:
        """The condition on the next item so that the array can be completed. value: condition that holds anyway."""
        known, document = self.known(), self.document
        left = rewrite(self.rest, decided_by(lambda atom: outcome(known[atom])))
        search = Tableau(ArrayPlan(self), document.is_satisfiable, Budget(document.max_plans, "array"), value)
        return search.weakest_condition(left)

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
        """True if the array can be completed so that two of its items are equal."""
        if self.is_unique:
            return False
        repeating = self.assuming(is_unique=False)
        return repeating.is_live and can_repeat(repeating, self.used)


class PlainItems(PlainArray):
    """Arrays that go on from one array with some more items.

    array: the array without these items.
    words, open, before: see `PlainArray`.
    used: the strings of `open` that they have, as `text_of_value` writes them.
    """

    __slots__ = ("_array", "_used", "before", "high", "low", "num_places", "open", "words")

    def __init__(
        self,
        array: ArrayFrame,
        words: tuple[str, ...] = (),
        open: Lexeme = (),
        used: Values = NOTHING_USED,
        before: tuple[PlainArray, str] | None = None,
    ) -> None:
        self._array, self._used = array, used
        self.words, self.open, self.before = words, open, before
        self.num_places = 1 + max([len(one.prefix) - one.offset for one in array.surely], default=0)
        self.low, self.high = array.low, array.high

    def using(self, string: str) -> PlainItems | None:
        array, used = self._array, self._used | {quoted(string)}
        if len(used) > FEW_USED:
            return None
        return array.document.kept(
            ("plain strings", array.number, used), lambda: PlainItems(array, (), self.open, used, (self, string))
        )

    def goal(self, place: int) -> FormulaGoal | None:
        document, formula = self._array.document, self._array.item_formula(place)
        return document.goal(formula) if document.is_satisfiable(formula) else None

    def frame(self, items: int) -> ArrayFrame:
        if not self.words:
            return self._array.after_items(items, self._used)
        chosen = frozenset([quoted(self.words[place]) for place in bits(items)])
        return self._array.after_items(len(chosen), chosen)


def _words_of(strings: Lexeme) -> tuple[str, ...]:
    """The strings of the languages if all are lists of words; else ()."""
    words = [language.words for language, _ in strings if isinstance(language, lang.Words)]
    return tuple(sorted(frozenset[str]().union(*words))) if len(words) == len(strings) else ()


class ArrayPlan(NamedTuple):
    """Assertions that must hold or fail for the items after the next one of an array.

    frame: the array before the next item.
    decided: the assertions that must hold, and the negations of those that must fail.
    """

    frame: ArrayFrame
    decided: tuple[Formula, ...] = ()

    def with_atom(self, atom: Atom, holds: bool) -> ArrayPlan:
        """The plan with one more decided assertion."""
        return self._replace(decided=(*self.decided, atom if holds else negate(atom)))

    def carried_out(self, budget: Budget) -> ArrayPlan | None:
        """The plan itself; None if no items carry it out."""
        del budget
        frame = self.frame
        surely = [items(one.prefix, one.rest, one.offset + 1) for one in frame.surely]
        low, high, formula = max(frame.low - 1, 0), fewer(frame.high), all_of([*surely, *self.decided])
        after = ArrayFrame.of(frame.document, (), low, high, formula, (), False, NOTHING_USED)
        return self if after.is_live else None
