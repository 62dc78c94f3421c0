"""The keys of one object: the declared ones in their order, the languages of the others, and whose turn it is."""

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
"""Which keys an object has: position, seen, marks, used. A plain tuple, which the garbage collector need not look at.

position: index of the first ordered key that may still come. seen: a bit for each free declared key that is
there, 1 << its index.
marks: for each sequence of the order the rank of the last of its keys, -1 before the first; BROKEN once a key came
out of its order. used: keys outside the declared ones that are there, sorted.
"""


@dataclass(slots=True, eq=False)
class OpenCell:
    """Keys that are not declared and that every pattern and every language of names treats alike."""

    language: lang.Language
    is_in: dict[lang.Language, bool]

    def formula(self, each: Each) -> Formula:
        """What `each` asks of the value of such a key."""
        matching = [formula for pattern, formula in each.patterns if self.is_in[pattern]]
        return all_of(matching) if matching else each.additional


def bits(number: int) -> list[int]:
    """Which bits of a number are 1, ascending."""
    return [index for index, bit in enumerate(bin(number)[:1:-1]) if bit == "1"]


class Sequence:
    """One order in which the keys of an `Each` may come. ranks: index of a key -> its place, in the order of places.

    is_ascending: the keys come in the order of their indexes. bits: 1 << index of each.
    """

    __slots__ = ("bits", "is_ascending", "owner", "ranks")

    def __init__(self, owner: Each, ranks: dict[int, int]) -> None:
        self.owner = owner
        self.ranks = ranks
        self.bits = sum(1 << index for index in ranks)
        self.is_ascending = list(ranks) == sorted(ranks)

    def first(self, keys: int) -> int | None:
        """The first of some keys (1 << index each) in this order; None when none of them is in it."""
        keys &= self.bits
        if not keys:
            return None
        if self.is_ascending:
            return (keys & -keys).bit_length() - 1
        return next(index for index in self.ranks if keys >> index & 1)


class KeyOrder:
    """The declared keys of an object, in which order they come, and the cells of the others.

    names: first those that come in exactly this order, `num_ordered` of them, then the free ones. Where one schema
    alone
        declares properties and all of them are required, they are ordered; what is only spoken of (dependencies)
        is free
        and comes after them, as undeclared keys do. Otherwise all are free, but for `sequences`.
    sequences: the required keys among one schema's properties come in the order of at least one of its sequences:
        that of `properties` or that of `required`. It binds the schemas that surely hold.
    sequence_bits, free_bits: the keys of all sequences, the free keys; 1 << index each.
    is_vacuous: some `Each` of the formulas asks nothing.

    A whole document (is_root) may begin with METADATA, as JSON files do, where its schema has nothing against it
    and does not
    order all keys.
    """

    def __init__(self, formula: Formula, tracked: tuple[Formula, ...], *, is_free: bool, is_root: bool) -> None:
        eaches: list[Each] = []
        spoken_of: dict[str, None] = {}
        names: dict[lang.Language, None] = {}
        most_asked = 0  # keys of one cell, by any way to satisfy the formulas: one for each assertion that must fail
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
        """Decide `num_ordered` and `sequences`, and add METADATA to `names` where it applies."""
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
        """The cells that hold at least one undeclared key; none of keys that `formula` surely forbids."""
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
        """Keys that are no open keys where some are used: declared ones, and these."""
        return self.declared.union(used) if used else self.declared

    def cells_left(self, used: tuple[str, ...]) -> tuple[int, ...]:
        """Classes of open keys of which one is left where some are used. Remembered: every search for a plan asks."""
        found = self._left.get(used)
        if found is None:
            excluded = self.excluded(used)
            left = [not used or has_word(cell.language, excluded) for cell in self.cells]
            found = self._left[used] = tuple([len(self.names) + i for i, is_left in enumerate(left) if is_left])
        return found

    @property
    def is_plenty(self) -> bool:
        """Whether each cell has so many keys that there are always enough of them, whichever of `FEW_USED` are used."""
        if self._is_plenty is None:
            self._is_plenty = self._most_asked + FEW_USED < MANY_WORDS and all(
                num_words(cell.language) == MANY_WORDS for cell in self.cells
            )
        return self._is_plenty


def asks_nothing(each: Each) -> bool:
    """Whether it is true of all objects; then it only gave the keys their order."""
    if each.additional is not TRUE:
        return False
    return all(one is TRUE for one in each.properties.values()) and all(one is TRUE for _, one in each.patterns)


class Shape:
    """What surely holds of an object: assertions that must stay true, and keys that it must get. Interned.

    required: indexes of declared keys, ascending; some of them may be there already. required_bits: 1 << index of each.
    binding: for each of `eaches` the indexes of its sequences. bound_bits: the keys of these, 1 << index each.
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
        self.known_possible = 0  # the declared keys of which that has been found, 1 << index each

    def value(self, key_class: int) -> Formula:
        """What the value of a key must satisfy. key_class: index of a declared key, or past them that of a cell."""
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
        """The declared keys of members that can be written, 1 << index each. PERF: of most that is plain."""
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
        """Whether a member with that key can be written at all."""
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
        """The first required index at or after a position among the ordered keys."""
        i = bisect_left(self.required, position)
        found = self.required[i] if i < len(self.required) else self.order.num_ordered
        return found if found < self.order.num_ordered else None


def value_formula(order: KeyOrder, each: Each, key_class: int) -> Formula:
    """What one `Each` asks of the value of a key of that class."""
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
    """Whether keys of that class are in a language of names."""
    if key_class >= len(order.names):
        return order.cells[key_class - len(order.names)].is_in[names]
    return lang.matches(names, order.names[key_class])


# --- whose turn it is among the keys of sequences


def state_after(order: KeyOrder, state: KeyState, key_class: int) -> KeyState:
    """The state with one more key. key_class: index of a declared key, or past them that of a cell."""
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
    """Those of some keys of sequences (1 << index each) after which all required keys can follow in an order of theirs.

    shape: whose sequences bind. state: of the object so far, which has none of the keys `left`.
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
    """Whether all orders of a schema that are kept so far have passed the key."""
    intact = [i for i in sequences if marks[i] is not BROKEN]
    ranks = [(order.sequences[i].ranks.get(index, BROKEN), marks[i]) for i in intact]
    return bool(ranks) and not any(rank > mark for rank, mark in ranks)


def _keeps_order(shape: Shape, state: KeyState) -> bool:
    """Whether the required keys of each schema can still follow in an order of it."""
    _, seen, marks, _ = state
    missing = shape.required_bits & ~seen
    for sequences in shape.binding:
        intact = [i for i in sequences if marks[i] is not BROKEN]
        if intact and not any(_can_follow(missing, shape.order.sequences[i], marks[i]) for i in intact):
            return False
    return True


def _can_follow(missing: int, sequence: Sequence, mark: int) -> bool:
    """Whether all missing keys of a sequence come after its mark."""
    first = sequence.first(missing)
    return first is None or sequence.ranks[first] > mark
