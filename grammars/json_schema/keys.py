"""The keys of one object: declared keys and their order, languages of other keys, and which key may come next."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Set
from dataclasses import dataclass
from functools import reduce
from itertools import repeat
from operator import or_
from typing import Any

from ..regex import algebra as lang
from ..regex.emptiness import MANY_WORDS, has_word, num_words
from .context import Context
from .formula import TRUE, Each, Formula, Has, MemberCount, NamesIn, all_of
from .residual import atoms, conjuncts

FEW_USED = MANY_WORDS // 2
METADATA = ("$schema", "$id")
BROKEN = sys.maxsize

KeyState = tuple[int, int, tuple[int, ...], tuple[str, ...]]
"""The keys that an object has: (position, seen, marks, used). The garbage collector can skip such a plain tuple.

position: index of the first ordered key that may still come.
seen: free declared keys that are present, as bits 1 << index.
marks: for each sequence of the order, the rank of its last key that is present; -1: none is; BROKEN: a key came out of
    order.
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


class Sequence:
    """One order in which the keys of an `Each` may come.

    owner: the `Each`.
    ranks: index of a key -> its rank in the order; sorted by rank.
    bits: attribute; the keys as bits 1 << index.
    is_ascending: attribute; True if the order is that of the indices.
    """

    __slots__ = ("bits", "is_ascending", "owner", "ranks")

    def __init__(self, owner: Each, ranks: dict[int, int]) -> None:
        self.owner = owner
        self.ranks = ranks
        self.bits = sum(1 << index for index in ranks)
        self.is_ascending = list(ranks) == sorted(ranks)

    def first(self, keys: int) -> int | None:
        """The index of the key that comes first in this order; None if the order has none of the keys.

        keys: bits 1 << index.
        """
        keys &= self.bits
        if not keys:
            return None
        if self.is_ascending:
            return (keys & -keys).bit_length() - 1
        return next(index for index in self.ranks if keys >> index & 1)


class KeyOrder:
    """The declared keys of an object, their order, and the cells of undeclared keys.

    If only one schema declares properties, and all of them are required, they come in exactly one order. Other
    declared keys, such as keys of dependencies, are free and come after them, as undeclared keys do. Otherwise all
    keys are free, within the limits of `sequences`; then METADATA may come, too, if `is_root`: JSON files often begin
    with such keys.

    formula, tracked: the formulas of the object.
    is_free: True: keys come in any order.
    is_root: True if the object is the whole document.
    names: attribute; the declared keys: first the `num_ordered` ordered ones, in order, then the free ones.
    sequences: attribute; the orders of the required keys of one schema's properties: that of `properties` and that of
        `required`. At least one order of each unconditional schema must be kept.
    sequence_bits, free_bits: attributes; the keys of all sequences, and the free keys, as bits 1 << index.
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
                if isinstance(atom, Each):
                    eaches.append(atom)
                elif isinstance(atom, Has):
                    spoken_of[atom.key] = None
                elif isinstance(atom, NamesIn):
                    names[atom.language] = None
                elif isinstance(atom, MemberCount):
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
        """Set `num_ordered`, `sequences` and `sequence_bits`; add METADATA to `names` if it may come."""
        self.num_ordered = 0
        self.sequences: tuple[Sequence, ...] = ()
        self.sequence_bits = 0
        if is_free:
            return
        declaring = [each for each in eaches if each.properties]
        sequences = []
        for each in declaring:
            by_required = tuple([key for key in spoken_of if key in each.properties])
            if len(by_required) > 1:
                spoken = set(by_required)
                by_properties = tuple([key for key in each.properties if key in spoken])
                sequences += [(each, keys) for keys in dict.fromkeys([by_properties, by_required])]
        are_required = required >= set(self.names[:num_ordered])
        is_linear = len(sequences) <= 1 and len(declaring) <= 1 and are_required
        if is_linear and (not declaring or declaring[0] in sure):
            self.num_ordered = num_ordered
            return
        if is_root:
            self.names += tuple([name for name in METADATA if name not in self.names])
        if not sequences:
            return
        index = {name: i for i, name in enumerate(self.names)}
        self.sequences = tuple(
            Sequence(each, {index[key]: rank for rank, key in enumerate(keys)}) for each, keys in sequences
        )
        self.sequence_bits = reduce(or_, [sequence.bits for sequence in self.sequences], 0)

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
        """True if each cell has enough keys for everything that the formulas can need, whichever FEW_USED are used."""
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


class Shape:
    """The unconditional requirements on an object: assertions that must stay true, and keys that must come. Interned.

    document: the context of the grammar.
    order: the object's keys.
    eaches, names: the assertions about members and about keys.
    required: indices of the required declared keys, ascending; some may be present already.
    required_bits: attribute; the same keys as bits 1 << index.
    binding: attribute; for each of `eaches`, the indices of its sequences.
    bound_bits: attribute; the keys of these sequences as bits 1 << index.
    known_possible: attribute; the declared keys that `is_possible` has found possible, as bits 1 << index.
    """

    __slots__ = (
        *("_satisfiable", "_values", "binding", "bound_bits", "document", "eaches", "known_possible", "names"),
        *("order", "required", "required_bits"),
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
        self.binding: tuple[tuple[int, ...], ...] = ()
        self.bound_bits = 0
        for each in eaches if order.sequences else ():
            own = tuple([i for i, sequence in enumerate(order.sequences) if sequence.owner is each])
            self.binding += (own,)
            for i in own:
                self.bound_bits |= order.sequences[i].bits
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

    def next_required(self, position: int) -> int | None:
        """The first required index at or after a position among the ordered keys; None if there is none."""
        i = bisect_left(self.required, position)
        found = self.required[i] if i < len(self.required) else self.order.num_ordered
        return found if found < self.order.num_ordered else None


def value_formula(order: KeyOrder, each: Each, key_class: int) -> Formula:
    """The formula that one `Each` requires of the value of a key. key_class: as in `Shape.value`."""
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
    """True if the keys of a class are in a language of names. key_class: as in `Shape.value`."""
    if key_class >= len(order.names):
        return order.cells[key_class - len(order.names)].is_in[names]
    return lang.matches(names, order.names[key_class])


# --- which keys of sequences may come next


def state_after(order: KeyOrder, state: KeyState, key_class: int) -> KeyState:
    """The state after one more key; `used` does not change. key_class: as in `Shape.value`."""
    _, seen, marks, used = state
    if key_class < order.num_ordered:
        return key_class + 1, seen, marks, used
    if key_class >= len(order.names):
        return order.num_ordered, seen, marks, used
    marks = tuple(map(_mark_after, marks, order.sequences, repeat(key_class))) if marks else ()
    return order.num_ordered, seen | 1 << key_class, marks, used


def _mark_after(mark: int, sequence: Sequence, index: int) -> int:
    rank = sequence.ranks.get(index)
    return mark if rank is None else rank if rank > mark else BROKEN


def in_turn(shape: Shape, state: KeyState, left: int) -> int:
    """The keys after which all required keys can still follow in one of their orders, as bits 1 << index.

    shape: the requirements, with the sequences that must be kept.
    state: the keys that the object has.
    left: keys to choose from, as bits 1 << index; the object has none of them.
    """
    order, (_, seen, marks, _) = shape.order, state
    missing, bound = shape.required_bits & ~seen, left & shape.bound_bits
    found = left & ~bound
    firsts = [order.sequences[i].first(missing) for sequences in shape.binding for i in sequences]
    for index in {*bits(bound & ~missing), *[first for first in firsts if first is not None]}:
        is_passed = any(_is_passed(order, marks, sequences, index) for sequences in shape.binding if sequences)
        if not is_passed and _keeps_order(shape, state_after(order, state, index)):
            found |= 1 << index
    return found


def _is_passed(order: KeyOrder, marks: tuple[int, ...], sequences: tuple[int, ...], index: int) -> bool:
    """True if the key comes too late in all orders of a schema that were kept so far.

    sequences: indices of the schema's sequences.
    index: index of the key.
    """
    intact = [i for i in sequences if marks[i] is not BROKEN]
    ranks = [(order.sequences[i].ranks.get(index, BROKEN), marks[i]) for i in intact]
    return bool(ranks) and not any(rank > mark for rank, mark in ranks)


def _keeps_order(shape: Shape, state: KeyState) -> bool:
    """True if the missing keys of each schema can still follow in one of its orders."""
    _, seen, marks, _ = state
    missing = shape.required_bits & ~seen
    for sequences in shape.binding:
        intact = [i for i in sequences if marks[i] is not BROKEN]
        if intact and not any(_can_follow(missing, shape.order.sequences[i], marks[i]) for i in intact):
            return False
    return True


def _can_follow(missing: int, sequence: Sequence, mark: int) -> bool:
    """True if each key of `missing` in the sequence ranks above `mark`, the rank of the last key that is there."""
    first = sequence.first(missing)
    return first is None or sequence.ranks[first] > mark
