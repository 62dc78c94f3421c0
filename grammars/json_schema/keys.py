"""The keys of one object: declared keys and their order, languages of other keys, and which key may come next."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from ..regex import algebra as lang
from ..regex.emptiness import MANY_WORDS, has_word, num_words
from .context import Context
from .formula import TRUE, Each, Formula, Has, NamesIn, PartCount, all_of
from .residual import atoms, conjuncts

FEW_USED = MANY_WORDS // 2
METADATA = ("$schema", "$id")

KeyState = tuple[int, int, tuple[str, ...]]
"""The keys that an object has: (position, seen, used). The garbage collector can skip such a plain tuple.

position: index of the first ordered key that may still come.
seen: free declared keys that are present, as bits 1 << index.
used: undeclared keys that are present, sorted.
"""


@dataclass(slots=True, eq=False)
class OpenCell:
    """Undeclared keys that every pattern and every `propertyNames` treats alike.

    language: Language of the keys.
    is_in: whether the keys are in each pattern and each language of names.
    """

    language: lang.Language
    is_in: dict[lang.Language, bool]

    def formula(self, each: Each) -> Formula:
        """The formula that `each` requires of the value of such a key."""
        matching = [formula for pattern, formula in each.patterns if self.is_in[pattern]]
        return all_of(matching) if matching else each.additional


def bits(number: int) -> list[int]:
    """The indices of the 1 bits of a number, ascending."""
    return [index for index, bit in enumerate(bin(number)[:1:-1]) if bit == "1"]


class KeyOrder:
    """The declared keys of an object, their order, and the cells of undeclared keys.

    If only one schema declares properties, and all of them are required, they come in exactly one order. Other
    declared keys, such as keys of dependencies, are free and come after them, as undeclared keys do. Otherwise all
    keys are free, but required ones wait for each other (`ObjectShape.in_turn`). METADATA keys may come, too, in a root
    object whose keys are all free: JSON files often begin with them.

    formula, tracked: the formulas of the object.
    is_free: True: keys come in any order.
    is_root: True if the object is the whole document.
    names: attribute; the declared keys: first the `num_ordered` ordered ones, in order, then the free ones.
    required: attribute; the keys that some schema requires, in its order; () if the keys need not wait.
    free_bits: attribute; the free keys as bits 1 << index.
    is_vacuous: attribute; True if some `Each` requires nothing.
    """

    def __init__(self, formula: Formula, tracked: tuple[Formula, ...], *, is_free: bool, is_root: bool) -> None:
        eaches: list[Each] = []
        spoken_of: dict[str, None] = {}
        names: dict[lang.Language, None] = {}
        most_asked = 0  # bound on the keys of one cell that the formulas can need: one for each failing assertion
        for part in (formula, *tracked):
            for atom in atoms(part):
                most_asked += 1
                if isinstance(atom, Each) and atom.gives_order:
                    eaches.append(atom)
                elif isinstance(atom, Each):
                    spoken_of |= dict.fromkeys(atom.properties)
                elif isinstance(atom, Has):
                    spoken_of[atom.key] = None
                elif isinstance(atom, NamesIn):
                    names[atom.language] = None
                elif isinstance(atom, PartCount):
                    most_asked += max(atom.low, atom.high or 0)
        self.is_vacuous = any(map(asks_nothing, eaches))
        sure = conjuncts(formula)
        ordered: dict[str, Any] = {}
        for each in eaches:
            ordered |= each.properties
        required = dict.fromkeys([part.key for part in sure if isinstance(part, Has)])
        ordered |= required
        num_ordered = len(ordered)
        self.names = tuple(ordered | spoken_of)
        self._orders(eaches, sure, tuple(spoken_of), required.keys(), num_ordered, is_free=is_free, is_root=is_root)
        self.index = dict(zip(self.names, range(len(self.names)), strict=True))
        self.declared = frozenset(self.names)
        self.free_bits = (1 << len(self.names)) - (1 << self.num_ordered)
        patterns = dict.fromkeys(pattern for each in eaches for pattern, _ in each.patterns)
        self._surely = dict.fromkeys(part.language for part in sure if isinstance(part, NamesIn))
        self._languages = tuple([one for one in {**patterns, **names} if one not in self._surely])
        self._cells: tuple[OpenCell, ...] | None = None
        self._most_asked = len(self.names) + most_asked
        self._is_plenty: bool | None = None
        self._left: dict[tuple[str, ...], tuple[int, ...]] = {}

    def _orders(
        self,
        eaches: list[Each],
        sure: tuple[Formula, ...],
        spoken_of: tuple[str, ...],
        required: Set[str],
        num_ordered: int,
        *,
        is_free: bool,
        is_root: bool,
    ) -> None:
        """Set `num_ordered` and `required`; add METADATA to `names` if it may come."""
        self.num_ordered = 0
        self.required: tuple[str, ...] = ()
        if is_free:
            return
        declaring = [each for each in eaches if each.properties]
        if len(declaring) <= 1 and required >= set(self.names[:num_ordered]):
            keys = [key for key in declaring[0].properties if key in spoken_of] if declaring else []
            has_one_order = len(keys) <= 1 or keys == [key for key in spoken_of if key in declaring[0].properties]
            if has_one_order and (not declaring or declaring[0] in sure):
                self.num_ordered = num_ordered
                return
        if is_root:
            self.names += tuple([name for name in METADATA if name not in self.names])
        self.required = spoken_of

    @property
    def cells(self) -> tuple[OpenCell, ...]:
        """The cells with at least one undeclared key. Keys that `formula` forbids unconditionally are in no cell."""
        if self._cells is None and not self._languages and not self._surely:
            self._cells = (OpenCell(lang.ANYTHING, {}),)
        elif self._cells is None:
            surely = dict.fromkeys(self._surely, True)
            found = [
                OpenCell(language, surely | dict(zip(self._languages, vector, strict=True)))
                for vector, language in lang.split(self._languages, within=lang.intersect(*surely))
                if has_word(language, self.declared)
            ]
            self._cells = tuple(found)
        return self._cells

    def excluded(self, used: tuple[str, ...]) -> frozenset[str]:
        """The keys that can't come as open keys: declared keys and used ones. used: open keys that are present."""
        return self.declared.union(used) if used else self.declared

    def cells_left(self, used: tuple[str, ...]) -> tuple[int, ...]:
        """The classes of open keys that have a key outside `used`. Cached, because every search for a plan asks."""
        found = self._left.get(used)
        if found is None:
            excluded = self.excluded(used)
            left = [not used or has_word(cell.language, excluded) for cell in self.cells]
            found = self._left[used] = tuple([len(self.names) + i for i, is_left in enumerate(left) if is_left])
        return found

    @property
    def is_plenty(self) -> bool:
        """True if each cell has more keys than the formulas can need, even without any FEW_USED of them."""
        if self._is_plenty is None:
            self._is_plenty = self._most_asked + FEW_USED < MANY_WORDS and all(
                num_words(cell.language) == MANY_WORDS for cell in self.cells
            )
        return self._is_plenty


def asks_nothing(each: Each) -> bool:
    """True if all objects satisfy the `Each`. Such an `Each` only determines the order of keys."""
    if each.additional is not TRUE:
        return False
    return all(one is TRUE for one in each.properties.values()) and all(one is TRUE for _, one in each.patterns)


class ObjectShape:
    """The unconditional requirements on an object: assertions that must stay true, and keys that must come. Interned.

    document: the context of the grammar.
    order: the object's keys.
    eaches, names: the assertions about members and about keys.
    required: indices of the required declared keys, ascending; some may be present already.
    required_bits: attribute; the same keys as bits 1 << index.
    orders: attribute; two orders for the required keys of the first schema with properties, as indices: that of its
        `properties` and that of its `required`.
    waiting_bits: attribute; the keys of these orders as bits 1 << index.
    known_possible: attribute; the declared keys that `is_possible` has found possible, as bits 1 << index.
    """

    __slots__ = (
        *("_satisfiable", "_values", "document", "eaches", "known_possible", "names"),
        *("order", "orders", "required", "required_bits", "waiting_bits"),
    )

    def __init__(
        self,
        document: Context,
        order: KeyOrder,
        eaches: tuple[Each, ...],
        names: tuple[NamesIn, ...],
        required: tuple[int, ...],
    ) -> None:
        self.document = document
        self.order = order
        self.eaches = eaches
        self.names = names
        self.required = required
        self.required_bits = sum([1 << i for i in required])
        ordering = (each.properties for each in eaches if each.properties and each.gives_order)
        declared = next(ordering, {}) if order.required else {}
        by_required = tuple([order.index[key] for key in order.required if key in declared])
        by_properties = tuple([order.index[key] for key in declared if order.index[key] in set(by_required)])
        self.orders = tuple(dict.fromkeys([by_properties, by_required])) if len(by_required) > 1 else ()
        self.waiting_bits = sum([1 << index for index in by_required]) if self.orders else 0
        self._values: dict[int, Formula] = {}
        self._satisfiable: dict[int, bool] = {}
        self.known_possible = 0

    def value(self, key_class: int) -> Formula:
        """The formula that the value of a key must satisfy.

        key_class: index of a declared key, or number of declared keys + index of a cell.
        """
        found = self._values.get(key_class)
        if found is None:
            eaches, order = self.eaches, self.order
            found = self._values[key_class] = (
                value_formula(order, eaches[0], key_class)
                if len(eaches) == 1
                else all_of([value_formula(order, each, key_class) for each in eaches])
            )
        return found

    def possible_bits(self) -> int:
        """The declared keys that members can have, as bits 1 << index. PERF: most are known to be satisfiable."""
        order, only = self.order, self.eaches[0] if len(self.eaches) == 1 and not self.names else None
        if only is None or only.patterns:
            possible = [index for index in range(len(order.names)) if self.is_possible(index)]
        else:
            declared, others = only.properties, only.additional
            possible = [
                index
                for index, name in enumerate(order.names)
                if declared.get(name, others).is_satisfiable or self.is_possible(index)
            ]
        return sum([1 << index for index in possible])

    def is_possible(self, key_class: int) -> bool:
        """True if some member can have a key of this class."""
        found = self._satisfiable.get(key_class)
        if found is None:
            found = not self.names or all(is_named(self.order, key_class, one.language) for one in self.names)
            found = found and self.document.is_satisfiable(self.value(key_class))
            if found or self.document.is_final:
                self._satisfiable[key_class] = found
            if found and key_class < len(self.order.names):
                self.known_possible |= 1 << key_class
        return found

    def in_turn(self, missing: int) -> int:
        """The missing keys that may come now: in one of the orders no missing key precedes them.

        missing: the required keys that are not present, as bits 1 << index.
        """
        firsts = [next((index for index in keys if missing >> index & 1), None) for keys in self.orders]
        return missing & ~self.waiting_bits | sum({1 << first for first in firsts if first is not None})

    def next_required(self, position: int) -> int | None:
        """The first required index at or after a position among the ordered keys; None if there is none."""
        i = bisect_left(self.required, position)
        found = self.required[i] if i < len(self.required) else self.order.num_ordered
        return found if found < self.order.num_ordered else None


def value_formula(order: KeyOrder, each: Each, key_class: int) -> Formula:
    """The formula that one `Each` requires of the value of a key. key_class: as in `ObjectShape.value`."""
    if key_class >= len(order.names):
        return order.cells[key_class - len(order.names)].formula(each)
    key = order.names[key_class]
    declared = each.properties.get(key)
    if not each.patterns:
        return each.additional if declared is None else declared
    matching = [formula for pattern, formula in each.patterns if lang.matches(pattern, key)]
    if declared is not None:
        return all_of([declared, *matching]) if matching else declared
    return all_of(matching) if matching else each.additional


def is_named(order: KeyOrder, key_class: int, names: lang.Language) -> bool:
    """True if the keys of a class are in a language of names. key_class: as in `ObjectShape.value`."""
    if key_class >= len(order.names):
        return order.cells[key_class - len(order.names)].is_in[names]
    return lang.matches(names, order.names[key_class])


def state_after(order: KeyOrder, state: KeyState, key_class: int) -> KeyState:
    """The state after one more key; `used` does not change. key_class: as in `ObjectShape.value`."""
    _, seen, used = state
    if key_class < order.num_ordered:
        return key_class + 1, seen, used
    return order.num_ordered, seen | 1 << key_class if key_class < len(order.names) else seen, used
