"""Kernels: lists of int64 numbers, sorted and searched, and contents, lists that are interned (see `layout`).

They return NEED where Python must make room, as register M_NEED says; then the same is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load32, load64, store32, store64
from ..automaton.steps import need
from . import layout as pd

_HASH_BITS = (1 << 47) - 1


@kernel
def sort(numbers: int, count: int) -> None:
    """Sort numbers in place, by insertion over shrinking gaps."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for index in range(gap, count):
            number, place = load64(numbers, index), index
            while place >= gap and load64(numbers, place - gap) > number:
                store64(numbers, place, load64(numbers, place - gap))
                place -= gap
            store64(numbers, place, number)
        gap //= 3


@kernel
def place_of(numbers: int, count: int, wanted: int) -> int:
    """The place of a number among sorted ones, which it is one of."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) >> 1
        if load64(numbers, middle) < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def content_at(p: int, content: int) -> int:
    """The address of a content's fields."""
    return load64(p, pd.P_CONTENTS) + content * (pd.CONTENT_FIELDS * 8)


@kernel
def numbers_of(p: int, content: int) -> int:
    """The address of a content's numbers."""
    return load64(p, pd.P_THREADS) + load64(content_at(p, content), pd.C_FIRST) * 8


@kernel
def rest_flags(p: int, content: int) -> int:
    """What a content holds beside threads, as bits HAS_...."""
    rest = load64(content_at(p, content), pd.C_REST)
    return load64(content_at(p, rest), pd.C_ENTRY) if rest else 0


@kernel
def intern(p: int, numbers: int, count: int, rest: int, may_add: int) -> int:
    """The content of the numbers at an address; NEED; DEAD when it is new and may not be added."""
    key = count + rest
    for index in range(count):
        number = load64(numbers, index)
        key = ((key ^ (number >> 32)) * 0x9E3779B1 + (number & at.MASK32) * 0x85EBCA6B) & _HASH_BITS
    table, mask = load64(p, pd.P_CONTENT_TABLE), load64(p, pd.P_CONTENT_MASK)
    place = (key >> 15) & mask
    while load32(table, place) != 0:
        if _is_same(p, load32(table, place) - 1, key, numbers, count, rest):
            return load32(table, place) - 1
        place = (place + 1) & mask
    if not may_add:
        return pd.DEAD
    new, first = load64(p, pd.P_CONTENTS + 1) // pd.CONTENT_FIELDS, load64(p, pd.P_THREADS + 1)
    is_full = (new + 1) * pd.CONTENT_FIELDS > load64(p, pd.P_CONTENTS + 2) or 2 * new > mask
    if is_full or first + count > load64(p, pd.P_THREADS + 2) or count > load64(p, pd.P_MOVED + 2):
        return need(p, pd.NEED_ROOM, count, 0)[0]
    for index in range(count):
        store64(load64(p, pd.P_THREADS), first + index, load64(numbers, index))
    store64(p, pd.P_THREADS + 1, first + count)
    content = content_at(p, new)
    store64(content, pd.C_FIRST, first)
    store64(content, pd.C_COUNT, count)
    store64(content, pd.C_REST, rest)
    store64(content, pd.C_ENTRY, pd.UNBUILT)
    store64(content, pd.C_HASH, key)
    store64(p, pd.P_CONTENTS + 1, (new + 1) * pd.CONTENT_FIELDS)
    store32(table, place, new + 1)
    return new


@kernel
def _is_same(p: int, known: int, key: int, numbers: int, count: int, rest: int) -> int:
    """1 when a content holds these numbers and this rest."""
    content = content_at(p, known)
    if load64(content, pd.C_HASH) != key or load64(content, pd.C_COUNT) != count or load64(content, pd.C_REST) != rest:
        return 0
    others = numbers_of(p, known)
    for index in range(count):
        if load64(others, index) != load64(numbers, index):
            return 0
    return 1


@kernel
def refill_contents(p: int) -> None:
    """Put all contents into their hash table, which is empty."""
    table, mask = load64(p, pd.P_CONTENT_TABLE), load64(p, pd.P_CONTENT_MASK)
    for number in range(load64(p, pd.P_CONTENTS + 1) // pd.CONTENT_FIELDS):
        place = (load64(content_at(p, number), pd.C_HASH) >> 15) & mask
        while load32(table, place) != 0:
            place = (place + 1) & mask
        store32(table, place, number + 1)


@kernel
def refill_continuations(p: int) -> None:
    """Put all continuations into their hash table, which is empty."""
    table, mask = load64(p, pd.P_CONTINUATION_TABLE), load64(p, pd.P_CONTINUATION_MASK)
    fields = load64(p, pd.P_CONTINUATIONS)
    for number in range(load64(p, pd.P_CONTINUATIONS + 1) // pd.CONTINUATION_FIELDS):
        place = load32(fields, number * pd.CONTINUATION_FIELDS + pd.K_HASH) & mask
        while load32(table, place) != 0:
            place = (place + 1) & mask
        store32(table, place, number + 1)
