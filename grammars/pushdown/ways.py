"""Kernels: continuations, interned sets of ways to go on (see `Continuations`), and their unions.

They return NEED where Python must make room, as register M_NEED says; then the same is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load32, load64, store32, store64
from ..automaton.steps import need, pair_hash
from . import layout as pd

_HASH_BITS = (1 << 31) - 1


@kernel
def continuation_field(p: int, continuation: int, field: int) -> int:
    """A field of a continuation."""
    return load32(load64(p, pd.P_CONTINUATIONS), continuation * pd.CONTINUATION_FIELDS + field)


@kernel
def note(p: int, continuation: int, field: int, value: int) -> None:
    """Set a field of a continuation."""
    store32(load64(p, pd.P_CONTINUATIONS), continuation * pd.CONTINUATION_FIELDS + field, value)


@kernel
def ways_of(p: int, continuation: int) -> int:
    """The address of a continuation's ways."""
    return load64(p, pd.P_WAYS) + continuation_field(p, continuation, pd.K_FIRST) * 8


@kernel
def position_field(p: int, position: int, field: int) -> int:
    """A field of a position of the network."""
    return load32(load64(p, pd.P_POSITIONS), position * pd.POSITION_FIELDS + field)


@kernel
def new_ways(p: int, most: int) -> int:
    """The address at which up to `most` ways may be put together; NEED."""
    if load64(p, pd.P_WAYS + 1) + most > load64(p, pd.P_WAYS + 2):
        return need(p, pd.NEED_WAYS, most, 0)[0]
    return load64(p, pd.P_WAYS) + load64(p, pd.P_WAYS + 1) * 8


@kernel
def intern_ways(p: int, count: int) -> int:
    """The continuation of the ways that were put together at `new_ways`, ascending; NEED."""
    ways, key = load64(p, pd.P_WAYS) + load64(p, pd.P_WAYS + 1) * 8, count
    for index in range(count):
        way = load64(ways, index)
        key = ((key ^ (way >> 32)) * 0x9E3779B1 + (way & at.MASK32) * 0x85EBCA6B) & (_HASH_BITS << 16 | 0xFFFF)
    key = (key >> 16) & _HASH_BITS
    table, mask = load64(p, pd.P_CONTINUATION_TABLE), load64(p, pd.P_CONTINUATION_MASK)
    place = key & mask
    while load32(table, place) != 0:
        known = load32(table, place) - 1
        if continuation_field(p, known, pd.K_HASH) == key and continuation_field(p, known, pd.K_COUNT) == count:
            others, index = ways_of(p, known), 0
            while index < count and load64(others, index) == load64(ways, index):
                index += 1
            if index == count:
                return known
        place = (place + 1) & mask
    used = load64(p, pd.P_CONTINUATIONS + 1)
    number = used // pd.CONTINUATION_FIELDS
    if used + pd.CONTINUATION_FIELDS > load64(p, pd.P_CONTINUATIONS + 2) or 2 * number > mask:
        return need(p, pd.NEED_WAYS, count, 0)[0]
    store64(p, pd.P_CONTINUATIONS + 1, used + pd.CONTINUATION_FIELDS)
    store32(table, place, number + 1)
    note(p, number, pd.K_FIRST, load64(p, pd.P_WAYS + 1))
    store64(p, pd.P_WAYS + 1, load64(p, pd.P_WAYS + 1) + count)
    note(p, number, pd.K_COUNT, count)
    note(p, number, pd.K_HASH, key)
    _describe(p, number, ways, count)
    return number


@kernel
def _describe(p: int, number: int, ways: int, count: int) -> None:
    """Fill in what follows from the ways of a new continuation."""
    is_flat, is_deep = 1, 0
    for index in range(count):
        position, then = load64(ways, index) >> 32, load64(ways, index) & at.MASK32
        if position >= 0:
            is_flat = 0
            if position_field(p, position, pd.T_FLAGS) & pd.IS_CUT:
                is_deep |= 1 - continuation_field(p, then, pd.K_FLAT)
            else:
                is_deep |= continuation_field(p, then, pd.K_DEEP)
    note(p, number, pd.K_FLAT, is_flat)
    note(p, number, pd.K_DEEP, is_deep)
    note(p, number, pd.K_LEFT, -1)
    note(p, number, pd.K_SEEN, 0)
    note(p, number, pd.K_KNOWN_IN, 0)
    note(p, number, pd.K_LABEL_IN, 0)


@kernel
def single(p: int, position: int, then: int) -> int:
    """The continuation with one way; NEED. position: also END_WAY, or of a label."""
    way = new_ways(p, 1)
    if way == pd.NEED:
        return pd.NEED
    store64(way, 0, position << 32 | then)
    return intern_ways(p, 1)


@kernel
def after(p: int, position: int, then: int) -> int:
    """What comes when a position was reached, with `then` after its rule; NEED."""
    return then if position_field(p, position, pd.T_FLAGS) & pd.IS_LAST else single(p, position, then)


@kernel
def union(p: int, first: int, second: int) -> int:
    """The continuation with the ways of both; NEED. What comes after a position that both have is united too."""
    if first == second:
        return first
    found = _known_union(p, first, second)
    if found >= 0:
        return found
    pairs, depth = load64(p, pd.P_PAIRS), 1
    store64(pairs, 0, first << 32 | second)
    while depth:
        if load64(p, pd.P_WORK) <= 0:
            return need(p, pd.NEED_PAUSE, 0, 0)[0]
        one, other = load64(pairs, depth - 1) >> 32, load64(pairs, depth - 1) & at.MASK32
        if _known_union(p, one, other) >= 0:
            depth -= 1
            continue
        before = depth
        depth = _add_missing(p, one, other, depth)
        if depth == before:
            found = _unite(p, one, other)
            if found >= 0:
                found = _remember(p, one, other, found)
            depth -= 1
        if depth == pd.NEED or found == pd.NEED:
            return pd.NEED
    return _known_union(p, first, second)


@kernel
def _add_missing(p: int, first: int, second: int, depth: int) -> int:
    """List the unions that are needed for one in P_PAIRS, from `depth` on; how many there are then, NEED."""
    ways, others, pairs = ways_of(p, first), ways_of(p, second), load64(p, pd.P_PAIRS)
    count, num_others = continuation_field(p, first, pd.K_COUNT), continuation_field(p, second, pd.K_COUNT)
    store64(p, pd.P_WORK, load64(p, pd.P_WORK) - 8 * (count + num_others))
    if depth + count > load64(p, pd.P_SCRATCH_ROOM):
        return need(p, pd.NEED_SCRATCH, depth + count, 0)[0]
    left, right = 0, 0
    while left < count and right < num_others:
        way, other = load64(ways, left), load64(others, right)
        if way >> 32 == other >> 32 and _known_union(p, way & at.MASK32, other & at.MASK32) < 0:
            store64(pairs, depth, (way & at.MASK32) << 32 | (other & at.MASK32))
            depth += 1
        if way >> 32 <= other >> 32:
            left += 1
        if other >> 32 <= way >> 32:
            right += 1
    return depth


@kernel
def _unite(p: int, first: int, second: int) -> int:
    """Merge the ways of two continuations, where the unions that are needed for it are known; NEED."""
    count, num_others = continuation_field(p, first, pd.K_COUNT), continuation_field(p, second, pd.K_COUNT)
    merged = new_ways(p, count + num_others)
    if merged == pd.NEED:
        return pd.NEED
    ways, others = ways_of(p, first), ways_of(p, second)
    size, left, right = 0, 0, 0
    while left < count or right < num_others:
        if right == num_others:
            way = load64(ways, left)
            left += 1
        elif left == count:
            way = load64(others, right)
            right += 1
        else:
            way, other = load64(ways, left), load64(others, right)
            if way >> 32 == other >> 32:
                left, right = left + 1, right + 1
                if way != other:
                    way = (way >> 32) << 32 | _known_union(p, way & at.MASK32, other & at.MASK32)
            elif way < other:
                left += 1
            else:
                way = other
                right += 1
        store64(merged, size, way)
        size += 1
    return intern_ways(p, size)


@kernel
def _known_union(p: int, first: int, second: int) -> int:
    """A union that was made; UNBUILT."""
    if first == second:
        return first
    if first > second:
        first, second = second, first
    keys, mask = load64(p, pd.P_UNION_KEYS), load64(p, pd.P_UNION_MASK)
    key, place = first << 32 | second, pair_hash(first, second, mask)
    while True:
        found = load64(keys, place)
        if found == key:
            return load32(load64(p, pd.P_UNION_VALUES), place)
        if found == 0:
            return pd.UNBUILT
        place = (place + 1) & mask


@kernel
def _remember(p: int, first: int, second: int, union: int) -> int:
    """Note a union; 0, or NEED."""
    if first > second:
        first, second = second, first
    return add_pair(p, pd.P_UNION_KEYS, first, second, union, 0)


@kernel
def add_pair(p: int, table: int, first: int, second: int, value: int, which: int) -> int:
    """Add a pair that is not there yet to a `PairTable`, whose first register is `table`; 0, or NEED_PAIRS `which`."""
    used, mask = load64(p, table + 1), load64(p, table + 6)
    if 2 * used > mask:
        return need(p, pd.NEED_PAIRS, which, 0)[0]
    keys, place = load64(p, table), pair_hash(first, second, mask)
    while load64(keys, place) != 0:
        place = (place + 1) & mask
    store64(keys, place, first << 32 | second)
    store32(load64(p, table + 3), place, value)
    store64(p, table + 1, used + 1)
    return 0
