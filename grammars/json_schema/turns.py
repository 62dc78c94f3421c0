"""Which keys an object has, and whose turn it is among those of its sequences (`KeyOrder`)."""

from __future__ import annotations

import sys
from itertools import repeat

from .keys import KeyOrder, Sequence, Shape, bits

BROKEN = sys.maxsize

KeyState = tuple[int, int, tuple[int, ...], tuple[str, ...]]
"""Which keys an object has: position, seen, marks, used. A plain tuple, which the garbage collector need not look at.

position: index of the first ordered key that may still come. seen: a bit for each free declared key that is
there, 1 << its index.
marks: for each sequence of the order the rank of the last of its keys, -1 before the first; BROKEN once a key came
out of its order. used: keys outside the declared ones that are there, sorted.
"""


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
