"""Kernels: continuations, interned sets of ways to go on (see `Continuations`), and their unions.

They return NEED where Python must make room, as `machine.request` says; then the same is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.steps import need
from ..memory.kernel import exported, kernel
from ..memory.pair_map import PairMap, place_of
from ..memory.structs import Array
from . import layout as pd
from .structs import RuleMachine

_HASH_BITS = (1 << 31) - 1


@kernel
def ways_of(machine: RuleMachine, continuation: int) -> Array[int]:
    """A continuation's ways."""
    fields = machine.continuations[continuation]
    return machine.ways.span().part(fields.first, fields.count)


@kernel
def make_way(machine: RuleMachine, most: int) -> int:
    """0 when up to `most` ways may be put together, at `new_ways`; NEED."""
    if machine.ways.used + most > machine.ways.capacity:
        return need(machine, pd.NEED_WAYS, most, 0)[0]
    return 0


@kernel
def new_ways(machine: RuleMachine, count: int) -> Array[int]:
    """Where ways are put together, behind those of all continuations. BOUNDS: `make_way`."""
    return machine.ways.span().part(machine.ways.used, count)


@kernel
def intern_ways(machine: RuleMachine, count: int) -> int:
    """The continuation of the ways that were put together at `new_ways`, ascending; NEED."""
    ways, key = new_ways(machine, count), count
    for way in ways:
        key = ((key ^ (way >> 32)) * 0x9E3779B1 + (way & at.MASK32) * 0x85EBCA6B) & (_HASH_BITS << 16 | 0xFFFF)
    key = (key >> 16) & _HASH_BITS
    index, mask = machine.continuation_index.span(), machine.continuation_index.capacity - 1
    slot = key & mask
    while index[slot] != 0:
        known = index[slot] - 1
        fields = machine.continuations[known]
        if fields.hash == key and fields.count == count:
            others, place = ways_of(machine, known), 0
            while place < count and others[place] == ways[place]:
                place += 1
            if place == count:
                return known
        slot = (slot + 1) & mask
    number = machine.continuations.used
    if number >= machine.continuations.capacity or 2 * number > mask:
        return need(machine, pd.NEED_WAYS, count, 0)[0]
    machine.continuations.used = number + 1
    index[slot] = number + 1
    new = machine.continuations[number]
    new.first = machine.ways.used
    new.count = count
    new.hash = key
    machine.ways.used += count
    _describe(machine, number, ways)
    return number


@kernel
def _describe(machine: RuleMachine, number: int, ways: Array[int]) -> None:
    """Fill in what follows from the ways of a new continuation."""
    continuations, is_flat, is_deep = machine.continuations.span(), 1, 0
    for way in ways:
        position, then = way >> 32, way & at.MASK32
        if position >= 0:
            is_flat = 0
            if machine.positions[position].flags & pd.IS_CUT:
                is_deep |= 1 - continuations[then].is_flat
            else:
                is_deep |= continuations[then].is_deep
    new = continuations[number]
    new.is_flat = is_flat
    new.is_deep = is_deep
    new.left = -1
    new.seen = 0
    new.known_in = 0
    new.label_in = 0


@kernel
def single(machine: RuleMachine, position: int, then: int) -> int:
    """The continuation with one way; NEED. position: also END_WAY, or of a label."""
    if make_way(machine, 1) == pd.NEED:
        return pd.NEED
    new_ways(machine, 1)[0] = position << 32 | then
    return intern_ways(machine, 1)


@exported(releases_gil=False)
def add_end(address: int) -> int:
    """The continuation {END}. address: of a RuleMachine."""
    return single(RuleMachine.at(address), pd.END_WAY, 0)


@kernel
def after(machine: RuleMachine, position: int, then: int) -> int:
    """What comes when a position was reached, with `then` after its rule; NEED."""
    return then if machine.positions[position].flags & pd.IS_LAST else single(machine, position, then)


@kernel
def union(machine: RuleMachine, first: int, second: int) -> int:
    """The continuation with the ways of both; NEED. What comes after a position that both have is united too."""
    if first == second:
        return first
    found = _known_union(machine, first, second)
    if found >= 0:
        return found
    missing, depth = machine.missing_unions.span(), 1
    missing[0].first = first
    missing[0].second = second
    while depth:
        if machine.work_left <= 0:
            return need(machine, pd.NEED_PAUSE, 0, 0)[0]
        one, other = missing[depth - 1].first, missing[depth - 1].second
        if _known_union(machine, one, other) >= 0:
            depth -= 1
            continue
        before = depth
        depth = _add_missing(machine, one, other, depth)
        if depth == before:
            found = _unite(machine, one, other)
            if found >= 0:
                found = _remember(machine, one, other, found)
            depth -= 1
        if depth == pd.NEED or found == pd.NEED:
            return pd.NEED
    return _known_union(machine, first, second)


@kernel
def _add_missing(machine: RuleMachine, first: int, second: int, depth: int) -> int:
    """List the unions that are needed for one, from `depth` on; how many there are then, NEED."""
    ways, others, missing = ways_of(machine, first), ways_of(machine, second), machine.missing_unions.span()
    count, num_others = len(ways), len(others)
    machine.work_left -= 8 * (count + num_others)
    if depth + count > machine.missing_unions.capacity:
        return need(machine, pd.NEED_SCRATCH, depth + count, 0)[0]
    left, right = 0, 0
    while left < count and right < num_others:
        way, other = ways[left], others[right]
        if way >> 32 == other >> 32 and _known_union(machine, way & at.MASK32, other & at.MASK32) < 0:
            missing[depth].first = way & at.MASK32
            missing[depth].second = other & at.MASK32
            depth += 1
        if way >> 32 <= other >> 32:
            left += 1
        if other >> 32 <= way >> 32:
            right += 1
    return depth


@kernel
def _unite(machine: RuleMachine, first: int, second: int) -> int:
    """Merge the ways of two continuations, where the unions that are needed for it are known; NEED."""
    ways, others = ways_of(machine, first), ways_of(machine, second)
    count, num_others = len(ways), len(others)
    if make_way(machine, count + num_others) == pd.NEED:
        return pd.NEED
    merged = new_ways(machine, count + num_others)
    size, left, right = 0, 0, 0
    while left < count or right < num_others:
        if right == num_others:
            way = ways[left]
            left += 1
        elif left == count:
            way = others[right]
            right += 1
        else:
            way, other = ways[left], others[right]
            if way >> 32 == other >> 32:
                left, right = left + 1, right + 1
                if way != other:
                    way = (way >> 32) << 32 | _known_union(machine, way & at.MASK32, other & at.MASK32)
            elif way < other:
                left += 1
            else:
                way = other
                right += 1
        merged[size] = way
        size += 1
    return intern_ways(machine, size)


@kernel
def _known_union(machine: RuleMachine, first: int, second: int) -> int:
    """A union that was made; UNBUILT."""
    if first == second:
        return first
    if first > second:
        first, second = second, first
    place = place_of(machine.unions, first, second)
    return machine.unions.values[place] if place >= 0 else pd.UNBUILT


@kernel
def _remember(machine: RuleMachine, first: int, second: int, union: int) -> int:
    """Note a union; 0, or NEED."""
    if first > second:
        first, second = second, first
    return add_pair(machine, machine.unions, first, second, union, 0)


@kernel
def add_pair(machine: RuleMachine, pairs: PairMap, first: int, second: int, value: int, which: int) -> int:
    """Add a pair that is not there yet; 0, or NEED_PAIRS `which`."""
    if 2 * pairs.keys.used >= pairs.keys.capacity:
        return need(machine, pd.NEED_PAIRS, which, 0)[0]
    place = -1 - place_of(pairs, first, second)
    pairs.keys[place] = first << 32 | second
    pairs.values[place] = value
    pairs.keys.used += 1
    return 0
