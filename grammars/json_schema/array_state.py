"""`ArrayState`: the conditions that remain for an array that is being written, and for the same array after an item.

Unconditional requirements (item formulas, bounds on the number of items) are fields of their own. `rest` is the
residual formula of everything else: alternatives and `contains`. There is no index of the next item: the residual
formulas are the state.

`uniqueItems` is an assertion like others: part of the residuals until an item equals an earlier one, and FALSE from
then on. `unique_items` finds the next items of arrays where equal items matter.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from ..watch import paced
from .context import ContainerState, Context, Vector
from .distinct import Values
from .formula import (
    FALSE,
    TRUE,
    UNIQUE_ITEMS,
    Formula,
    Items,
    PartCount,
    all_of,
    any_of,
    fewer,
    ids_of,
    items,
    lower,
    negate,
    remembered,
)
from .listing import text_of_value
from .residual import Rewrite, atoms, conjuncts, holds_at_close, rewrite

NOTHING_USED: Values = frozenset()


@dataclass(slots=True, eq=False)
class ArrayState(ContainerState):
    """The conditions that remain for one array. Create it with `of`, which interns it.

    document: the context of the grammar.
    surely: item formulas that all further items must satisfy.
    low, high: bounds on the number of further items; None: no upper bound.
    rest: residual formula that must hold when the array is closed.
    tracked: residual formulas whose truth the array returns when it is closed.
    is_unique: True if no item may equal another one.
    used: the items so far, if `captures` is above 0; else empty.
    captures: as in `ValueSpec`; 1 if items must be unique, 2 if `rest` or `tracked` depends on `uniqueItems`, else 0.
    number: attribute; identifies the frame within the document.
    """

    document: Context
    surely: tuple[Items, ...]
    low: int
    high: int | None
    rest: Formula
    tracked: tuple[Formula, ...]
    is_unique: bool
    used: Values
    captures: int
    number: int = field(init=False)
    _known: dict[Formula, Formula] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        ContainerState.__post_init__(self)
        self.number = self.document.new_number(len(self.used))

    @classmethod
    def of(
        cls,
        document: Context,
        surely: tuple[Items, ...],
        low: int,
        high: int | None,
        formula: Formula,
        tracked: tuple[Formula, ...],
        is_unique: bool,
        used: Values,
    ) -> Self:
        """The interned frame with these fields. Item formulas, counts and uniqueness that `formula` requires
        unconditionally move from it into their own fields.
        """
        is_unique = is_unique or UNIQUE_ITEMS in conjuncts(formula)
        if is_unique and any(map(speaks_of_repeats, (formula, *tracked))):
            formula = _assuming(formula, TRUE)
            tracked = tuple([_assuming(one, TRUE) for one in tracked])
        rest = []
        for part in conjuncts(formula):
            if isinstance(part, Items):
                surely = (*surely, part) if part not in surely else surely
            elif isinstance(part, PartCount) and part.value is TRUE:
                low, high = max(low, part.low), lower(high, part.high)
            else:
                rest.append(part)
        left = all_of(rest)
        captures = 2 if any(map(speaks_of_repeats, (left, *tracked))) else int(is_unique)
        if not captures:
            used = NOTHING_USED
        key = ("array", ids_of(surely), low, high, left.id, ids_of(tracked), is_unique, used)
        found: Self | None = document.frames.get(key)
        if found is None:
            found = cls(document, surely, low, high, left, tracked, is_unique, used, captures)
            document.frames[key] = found
        return found

    @property
    def close_class(self) -> int | None:
        """The class for the truth of the tracked formulas if the array ends here; None if it can't end here."""
        if self.low > 0 or not holds_at_close(self.rest):
            return None
        return self.document.vector_id(tuple(holds_at_close(one) for one in self.tracked))

    @property
    def is_hopeless(self) -> bool:
        """True if the fields alone show that the array can't be completed. False does not mean that it can."""
        return self.rest is FALSE or (self.high is not None and self.high < self.low)

    @abstractmethod
    def may_repeat_live(self) -> bool:
        """True if the array can be completed so that two of its items are equal."""

    def item_formula(self, place: int = 0) -> Formula:
        """The formula that an item must satisfy unconditionally. place: number of items between here and this item."""
        return all_of([_item(items(one.prefix, one.rest, one.offset + place)) for one in self.surely])

    def known(self) -> dict[Formula, Formula]:
        """Maps each undecided assertion about items to its condition on the next item.

        The condition is TRUE if `surely` implies it.
        """
        if self._known is None:
            surely = set(conjuncts(self.item_formula()))
            self._known = {}
            for formula in (self.rest, *self.tracked):
                for atom in atoms(formula):
                    if isinstance(atom, Items | PartCount):
                        child = _item(atom) if isinstance(atom, Items) else atom.value
                        self._known[atom] = TRUE if all(part in surely for part in conjuncts(child)) else child
        return self._known

    @property
    def asked(self) -> tuple[Formula, ...]:
        """The open conditions on the next item, each once. How the array goes on depends on their truth."""
        return tuple(dict.fromkeys(one for one in self.known().values() if one is not TRUE and one is not FALSE))

    def needed_items(self) -> list[tuple[Formula, int]]:
        """The unconditional formulas of the next `low` items, in order: (formula, number of items in a row)."""
        longest = max((len(one.prefix) - one.offset for one in self.surely), default=0)
        needed = [(self.item_formula(place), 1) for place in paced(range(min(longest, self.low)))]
        if self.low > longest:
            needed.append((all_of([one.rest for one in self.surely]), self.low - longest))
        return needed

    def after_item(self, vector: Vector, *, repeats: bool = False) -> Self:
        """The array after one more item. The item is not added to `used`.

        vector: the truth of each formula in `asked` for the item.
        repeats: True if the item equals an earlier one.
        """
        high = fewer(self.high)
        known = self.known()
        truth = dict(zip(self.asked, vector, strict=True))

        def holds(atom: Formula) -> Formula:
            child = known[atom]
            return TRUE if child is TRUE or truth.get(child, False) else FALSE

        decide = decided_by(holds, repeats=repeats)
        surely = [items(one.prefix, one.rest, one.offset + 1) for one in self.surely]
        is_possible = (high is None or high >= 0) and not (repeats and self.is_unique)
        return self.of(
            self.document,
            (),
            max(self.low - 1, 0),
            high,
            all_of([*surely, rewrite(self.rest, decide)]) if is_possible else FALSE,
            tuple(rewrite(one, decide) for one in self.tracked),
            self.is_unique,
            self.used,
        )

    def after_value(self, vector: Vector, text: bytes) -> Self:
        """The array after the item `text`, which is added to `used`.

        vector: the truth of each formula in `asked` for the item.
        text: the item as `text_of_value` writes it.
        """
        if text in self.used:
            return self.after_item(vector, repeats=True)
        following = self.after_item(vector)
        if not following.captures:
            return following
        return self.of(
            self.document,
            following.surely,
            following.low,
            following.high,
            following.rest,
            following.tracked,
            following.is_unique,
            self.used | {text},
        )

    def after_items(self, count: int, used: Values) -> Self:
        """The array after `count` more items, for arrays without open conditions (`asked` is empty).

        used: the items that the array then knows as used.
        """
        array = self
        for _ in range(count):
            array = array.after_item(())
        return self.of(
            array.document, array.surely, array.low, array.high, array.rest, array.tracked, array.is_unique, used
        )

    def on_capture(self, cls: int, text: bytes) -> Self | None:
        """The array after an item, which is added to `used`; None if the array can't be completed then.

        cls: class of the item.
        text: JSON text of the item.
        """
        following = self.after_value(self.document.vectors[cls], text_of_value(text))
        return following if following.is_live else None

    def assuming(self, *, is_unique: bool) -> Self:
        """The array with `uniqueItems` replaced by a constant. The result does not check whether items are equal.

        is_unique: the constant. With False, an array that must be unique becomes impossible.
        """
        rest = FALSE if self.is_unique and not is_unique else _assuming(self.rest, TRUE if is_unique else FALSE)
        return self.of(self.document, self.surely, self.low, self.high, rest, (), False, NOTHING_USED)


@remembered
def speaks_of_repeats(formula: Formula) -> bool:
    """True if the formula contains `uniqueItems`."""
    return UNIQUE_ITEMS in atoms(formula)


def _assuming(formula: Formula, are_unique: Formula) -> Formula:
    """The formula with `uniqueItems` replaced by `are_unique`, which is TRUE or FALSE."""
    return rewrite(formula, lambda atom: are_unique if atom is UNIQUE_ITEMS else atom)


def _item(atom: Formula) -> Formula:
    """The condition of an `Items` assertion on the next item; TRUE for other assertions."""
    if not isinstance(atom, Items):
        return TRUE
    return atom.prefix[atom.offset] if atom.offset < len(atom.prefix) else atom.rest


def decided_by(holds: Callable[[Formula], Formula], *, repeats: bool = False) -> Rewrite:
    """A function from an assertion to its residual after an item.

    holds: maps an assertion to the truth of its condition on the item; this may be a formula.
    repeats: True if the item equals an earlier one.
    """

    def decide(atom: Formula) -> Formula:
        if atom is UNIQUE_ITEMS:
            return FALSE if repeats else atom
        if isinstance(atom, Items):
            return all_of((holds(atom), items(atom.prefix, atom.rest, atom.offset + 1)))
        assert isinstance(atom, PartCount)
        return _after_either(atom, holds(atom))

    return decide


def _after_either(atom: PartCount, holds: Formula) -> Formula:
    """The residual of a count after an item. holds: the formula that tells if the item matches.

    Without an upper bound a match can only help, and without a lower bound it can only harm. The result shows this, so
    that `_demand` of an array's frame tries fewer outcomes.
    """
    if holds is FALSE:
        return atom
    after = atom.without_one()
    if holds is TRUE:
        return after
    if atom.high is None:
        return any_of((all_of((holds, after)), atom))
    if atom.low == 0:
        return any_of((after, all_of((negate(holds), atom))))
    return any_of((all_of((holds, after)), all_of((negate(holds), atom))))
