"""Frames inside an array: what the next item must satisfy, whether the array may end.

As in an object, what surely holds (item formulas, the number of items) is apart from `rest`, the residual of
alternatives and of `contains`. The residuals are the state: there is no index.

`uniqueItems` is an assertion like others: it stays in the residuals until an item comes that is equal to an earlier
one, and is false from then on. What the next item may be then depends on the items so far: see `unique_items`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..automaton.frames import ValueSpec
from .demand import demand
from .distinct import Values, text_of_value
from .document import MAX_TRACKED_EXACTLY, ValueGoal, Vector, condition, outcomes
from .formula import (
    FALSE,
    TRUE,
    UNIQUE_ITEMS,
    Contains,
    Formula,
    ItemCount,
    Items,
    all_of,
    any_of,
    contains,
    ids_of,
    item_count,
    items,
    negate,
    outcome,
)
from .item_search import can_repeat, find_distinct, reaches_end
from .residual import atoms, conjuncts, holds_at_close, rewrite
from .unique_items import NextItems, exclusions, narrowed, without

if TYPE_CHECKING:
    from ..automaton.frames import Frame
    from .document import Document

NOTHING_USED: Values = frozenset()


def open_array(document: Document, formula: Formula, tracked: tuple[Formula, ...]) -> ArrayFrame:
    """The frame at `[`. Both are specialised to arrays."""
    return make_frame(document, (), 0, None, formula, tracked, False, NOTHING_USED)


def make_frame(
    document: Document,
    surely: tuple[Items, ...],
    low: int,
    high: int | None,
    formula: Formula,
    tracked: tuple[Formula, ...],
    is_unique: bool,
    used: Values,
) -> ArrayFrame:
    """The interned frame of these parts, with what surely must hold moved out of `formula`."""
    is_unique = is_unique or UNIQUE_ITEMS in conjuncts(formula)
    if is_unique and any(map(_speaks_of_repeats, (formula, *tracked))):
        formula = _assuming(formula, TRUE)
        tracked = tuple([_assuming(one, TRUE) for one in tracked])
    rest = []
    for part in conjuncts(formula):
        if isinstance(part, Items):
            surely = (*surely, part) if part not in surely else surely
        elif isinstance(part, ItemCount):
            low = max(low, part.low)
            high = part.high if high is None else high if part.high is None else min(high, part.high)
        else:
            rest.append(part)
    left = all_of(rest)
    captures = 2 if any(map(_speaks_of_repeats, (left, *tracked))) else int(is_unique)
    if not captures:
        used = NOTHING_USED
    key = ("array", ids_of(surely), low, high, left.id, ids_of(tracked), is_unique, used)
    found: ArrayFrame | None = document.frames.get(key)
    if found is None:
        found = ArrayFrame(document, surely, low, high, left, tracked, is_unique, used, captures)
        document.frames[key] = found
    return found


class ArrayFrame:
    """An array being written: an item or `]` comes next (`Frame` of the machine).

    surely: item formulas that every further item must keep. low, high: bounds on the number of further items.
    rest, tracked: residual formulas over the array. used: its items, where repetition matters. is_unique: no item may
    repeat another. captures: as in `ValueSpec`; 1 in an array that is only unique, 2 where that is open.
    number: one of its own among the frames of the document.
    """

    __slots__ = (
        *("_is_live", "_known", "_new_spec", "_spec", "captures", "document", "high", "is_unique", "low"),
        *("number", "rest", "surely", "tracked", "used"),
    )
    kind: Literal["array"] = "array"

    def __init__(
        self,
        document: Document,
        surely: tuple[Items, ...],
        low: int,
        high: int | None,
        rest: Formula,
        tracked: tuple[Formula, ...],
        is_unique: bool,
        used: Values,
        captures: int,
    ) -> None:
        self.document = document
        self.number = document.new_number(len(used))
        self.surely = surely
        self.low = low
        self.high = high
        self.rest = rest
        self.tracked = tracked
        self.is_unique = is_unique
        self.used = used
        self.captures = captures
        self._is_live: bool | None = None
        self._spec: ValueSpec | Literal[False] | None = False
        self._new_spec: ValueSpec | Literal[False] | None = False
        self._known: dict[Formula, Formula] | None = None

    # --- what the machine asks

    def key_spec(self) -> None:
        """No key comes here."""

    @property
    def close_class(self) -> int | None:
        """The outcome of the tracked formulas when the array ends here; None when it can't."""
        if self.low > 0 or not holds_at_close(self.rest):
            return None
        return self.document.vector_id(tuple(holds_at_close(one) for one in self.tracked))

    def value_spec(self) -> ValueSpec | None:
        """The next item; None when there can be none."""
        if self._spec is False:
            self._spec = self._make_spec()
        return self._spec

    def new_value_spec(self) -> ValueSpec | None:
        """The next item where it is none of those that are used, as far as that makes a difference."""
        spec = self.value_spec()
        if self._new_spec is False:
            self._new_spec = spec
            if spec is not None and self.captures > 1:
                self._new_spec = without(spec, self.used.union(exclusions(spec)), self.captures)
        return self._new_spec

    def on_return(self, cls: int) -> Frame | None:
        """The array after an item; where its text decides (captures 2), one with more ways to go on than there are."""
        return self.document.followed(self.number, cls, self._after)

    def _after(self, cls: int) -> Frame | None:
        following = self.after_item(self.document.vectors[cls])
        if self.captures < 2:
            return following if following.is_live else None
        again = self.after_item(self.document.vectors[cls], repeats=True)
        closing = following.close_class if following.close_class is not None else again.close_class
        loose = make_frame(self.document, following.surely, 0, following.high, TRUE, (), False, NOTHING_USED)
        return _loose(loose, closing)

    def on_capture(self, cls: int, text: bytes) -> ArrayFrame | None:
        """The array after an item with that text, which counts as used from now on."""
        following = self.after_value(self.document.vectors[cls], text_of_value(text))
        return following if following.is_live else None

    # --- items

    def item_formula(self) -> Formula:
        """What the next item surely must satisfy."""
        return all_of([_item(one) for one in self.surely])

    def known(self) -> dict[Formula, Formula]:
        """For each undecided assertion about items, what it asks of the next one."""
        if self._known is None:
            surely = set(conjuncts(self.item_formula()))
            self._known = {}
            for formula in (self.rest, *self.tracked):
                for atom in atoms(formula):
                    if isinstance(atom, Items | Contains):
                        child = _item(atom) if isinstance(atom, Items) else atom.item
                        self._known[atom] = TRUE if all(part in surely for part in conjuncts(child)) else child
        return self._known

    @property
    def asked(self) -> tuple[Formula, ...]:
        """The formulas whose truth for the next item must be known."""
        return tuple(dict.fromkeys(one for one in self.known().values() if one is not TRUE and one is not FALSE))

    def needed_items(self) -> list[tuple[Formula, int]]:
        """What the next `low` items surely must satisfy, and how many in a row."""
        longest = max((len(one.prefix) - one.offset for one in self.surely), default=0)
        needed = [
            (all_of([_item(items(one.prefix, one.rest, one.offset + place)) for one in self.surely]), 1)
            for place in range(min(longest, self.low))
        ]
        if self.low > longest:
            needed.append((all_of([one.rest for one in self.surely]), self.low - longest))
        return needed

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

        def decide(atom: Formula) -> Formula:
            if isinstance(atom, ItemCount):
                return item_count(atom.low - 1, None if atom.high is None else atom.high - 1)
            holds = outcome(known[atom])
            if isinstance(atom, Items):
                return all_of((holds, items(atom.prefix, atom.rest, atom.offset + 1)))
            assert isinstance(atom, Contains)
            return any_of((all_of((holds, _after_match(atom))), all_of((negate(holds), atom))))

        return rewrite(self.rest, decide)

    def _can_be_completed(self, left: Formula) -> bool:
        """Whether the array can be completed after an item by which this is left of `rest`."""
        surely = [items(one.prefix, one.rest, one.offset + 1) for one in self.surely]
        high = None if self.high is None else self.high - 1
        formula = all_of([*surely, left])
        return make_frame(self.document, (), max(self.low - 1, 0), high, formula, (), False, NOTHING_USED).is_live

    def after_item(self, vector: Vector, *, repeats: bool = False) -> ArrayFrame:
        """The array after an item with this outcome, not counted as used. repeats: it is equal to an earlier one."""
        high = None if self.high is None else self.high - 1
        known = self.known()
        truth = dict(zip(self.asked, vector, strict=True))

        def decide(atom: Formula) -> Formula:
            if isinstance(atom, ItemCount):
                return item_count(atom.low - 1, None if atom.high is None else atom.high - 1)
            if atom is UNIQUE_ITEMS:
                return FALSE if repeats else atom
            child = known[atom]
            is_true = child is TRUE or truth.get(child, False)
            if isinstance(atom, Items):
                return items(atom.prefix, atom.rest, atom.offset + 1) if is_true else FALSE
            assert isinstance(atom, Contains)
            return _after_match(atom) if is_true else atom

        surely = [items(one.prefix, one.rest, one.offset + 1) for one in self.surely]
        is_possible = (high is None or high >= 0) and not (repeats and self.is_unique)
        return make_frame(
            self.document,
            (),
            max(self.low - 1, 0),
            high,
            all_of([*surely, rewrite(self.rest, decide)]) if is_possible else FALSE,
            tuple(rewrite(one, decide) for one in self.tracked),
            self.is_unique,
            self.used,
        )

    def after_value(self, vector: Vector, text: bytes) -> ArrayFrame:
        """The array after an item with this outcome that is this value, as `text_of_value` writes it."""
        if text in self.used:
            return self.after_item(vector, repeats=True)
        following = self.after_item(vector)
        if not following.captures:
            return following
        return make_frame(
            self.document,
            following.surely,
            following.low,
            following.high,
            following.rest,
            following.tracked,
            following.is_unique,
            self.used | {text},
        )

    def _make_spec(self) -> ValueSpec | None:
        if self.high == 0:
            return None
        following = NextItems(self) if self.captures else None
        goal = self.goal() if following is None else following.goal
        if not self.document.is_satisfiable(goal.formula):
            return None
        spec = goal.spec()
        if following is not None:
            spec = following.spec(spec)
        elif goal.tracked:
            spec = narrowed(spec, lambda cls: self.on_return(cls) is not None)
        is_possible = spec.strings or spec.numbers or spec.object or spec.array
        literals = (spec.true, spec.false, spec.null)
        return spec if is_possible or any(one is not None for one in literals) else None

    # --- can it end

    @property
    def is_hopeless(self) -> bool:
        """Whether it is plain that the array can't be completed."""
        return self.rest is FALSE or (self.high is not None and self.high < self.low)

    @property
    def is_live(self) -> bool:
        """Whether the array can be completed."""
        if self._is_live is None:
            found = self._search()
            if not found and not self.document.is_final:
                return False
            self._is_live = found
        return self._is_live

    def _search(self) -> bool:
        if self.is_hopeless:
            return False
        if self.low == 0 and holds_at_close(self.rest):
            return True
        if self.is_unique or _speaks_of_repeats(self.rest):
            unique = self.plain(is_unique=True)
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
        repeating = self.plain(is_unique=False)
        return repeating.is_live and can_repeat(repeating, self.used)

    def plain(self, *, is_unique: bool) -> ArrayFrame:
        """The array where it is taken for true, or for false, that its items are unique, and nobody sees to that."""
        rest = FALSE if self.is_unique and not is_unique else _assuming(self.rest, TRUE if is_unique else FALSE)
        return make_frame(self.document, self.surely, self.low, self.high, rest, (), False, NOTHING_USED)


class LooseArray:
    """What may follow an item whose text is not known: all that any text leads to, and more.

    array: what further items surely must satisfy. close_class: what is returned where the array ends.
    """

    __slots__ = ("_array", "close_class")
    kind: Literal["array"] = "array"

    def __init__(self, array: ArrayFrame, close_class: int | None) -> None:
        self._array = array
        self.close_class = close_class

    def key_spec(self) -> None:
        """No key comes here."""

    def value_spec(self) -> ValueSpec | None:
        """The next item."""
        return self._array.value_spec()

    def on_return(self, cls: int) -> LooseArray | None:
        """The array after an item."""
        following = self._array.after_item(self._array.document.vectors[cls])
        return None if following.is_hopeless else _loose(following, self.close_class)

    def on_capture(self, cls: int, text: bytes) -> LooseArray | None:
        """The same: no text matters here."""
        del text
        return self.on_return(cls)


def _loose(array: ArrayFrame, close_class: int | None) -> LooseArray:
    key = ("loose array", array.number, close_class)
    found: LooseArray | None = array.document.frames.get(key)
    if found is None:
        found = array.document.frames[key] = LooseArray(array, close_class)
    return found


def _speaks_of_repeats(formula: Formula) -> bool:
    """Whether the truth of the formula may depend on `uniqueItems`."""
    if formula is TRUE or formula is FALSE:
        return False
    memo = formula.memo()
    found: bool | None = memo.get("speaks_of_repeats")
    if found is None:
        found = memo["speaks_of_repeats"] = UNIQUE_ITEMS in atoms(formula)
    return found


def _assuming(formula: Formula, are_unique: Formula) -> Formula:
    """The formula where `uniqueItems` is TRUE, or FALSE."""
    return rewrite(formula, lambda atom: are_unique if atom is UNIQUE_ITEMS else atom)


def _item(atom: Formula) -> Formula:
    """What `Items` asks of the next item."""
    if not isinstance(atom, Items):
        return TRUE
    return atom.prefix[atom.offset] if atom.offset < len(atom.prefix) else atom.rest


def _after_match(atom: Contains) -> Formula:
    if atom.high == 0:
        return FALSE
    return contains(atom.item, atom.low - 1, None if atom.high is None else atom.high - 1)
