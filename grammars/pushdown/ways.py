"""Kernels: continuations, interned sets of ways to go on (see `Continuations`), and their unions."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.asking import ask_for_pause
from ..memory.hash_map import add, make_room, next_place, place_of
from ..memory.kernel import exported, kernel
from ..memory.structs import Array
from . import layout as pd
from .structs import RuleMachine

_NOT_0, _HASH_BITS = 1 << 47, (1 << 47) - 1


@kernel
def ways_of(machine: RuleMachine, continuation: int) -> Array[int]:
    """A continuation's ways."""
    fields = machine.continuations[continuation]
    return machine.ways.span().part(fields.first, fields.count)


@kernel
def new_ways(machine: RuleMachine, count: int) -> Array[int]:
    """Where up to so many ways are put together, behind those of all continuations."""
    machine.ways.ensure(machine.ways.used + count)
    return machine.ways.span().part(machine.ways.used, count)


@kernel
def intern_ways(machine: RuleMachine, count: int) -> int:
    """The continuation of the ways that were put together at `new_ways`, ascending."""
    ways, key = new_ways(machine, count), count
    for way in ways:
        key = ((key ^ (way >> 32)) * 0x9E3779B1 + (way & at.MASK32) * 0x85EBCA6B) & _HASH_BITS
    key |= _NOT_0
    place = place_of(machine.continuation_index, key)
    while place >= 0:
        known = machine.continuation_index.values[place]
        if _is_same(ways_of(machine, known), ways):
            return known
        place = next_place(machine.continuation_index, key, place)
    make_room(machine.continuation_index)
    number = machine.continuations.reserve(1)
    new = machine.continuations[number]
    new.first = machine.ways.reserve(count)
    new.count = count
    add(machine.continuation_index, key, number)
    _describe(machine, number, ways)
    return number


@kernel
def _is_same(ways: Array[int], others: Array[int]) -> int:
    """1 when two continuations have the same ways."""
    if len(ways) != len(others):
        return 0
    for index in range(len(ways)):
        if ways[index] != others[index]:
            return 0
    return 1


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
    """The continuation with one way. position: also END_WAY, or of a label."""
    new_ways(machine, 1)[0] = position << 32 | then
    return intern_ways(machine, 1)


@exported(releases_gil=False)
def add_end(address: int) -> int:
    """The continuation {END}. address: of a RuleMachine."""
    return single(RuleMachine.at(address), pd.END_WAY, 0)


@kernel
def after(machine: RuleMachine, position: int, then: int) -> int:
    """What comes when a position was reached, with `then` after its rule."""
    return then if machine.positions[position].flags & pd.IS_LAST else single(machine, position, then)


@kernel
def union(machine: RuleMachine, first: int, second: int) -> int:
    """The continuation with the ways of both. What comes after a position that both have is united too."""
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
            ask_for_pause(machine)
        one, other = missing[depth - 1].first, missing[depth - 1].second
        if _known_union(machine, one, other) >= 0:
            depth -= 1
            continue
        before = depth
        depth = _add_missing(machine, one, other, depth)
        if depth == before:
            _remember(machine, one, other, _unite(machine, one, other))
            depth -= 1
    return _known_union(machine, first, second)


@kernel
def _add_missing(machine: RuleMachine, first: int, second: int, depth: int) -> int:
    """List the unions that are needed for one, from `depth` on; how many there are then."""
    ways, others, missing = ways_of(machine, first), ways_of(machine, second), machine.missing_unions.span()
    count, num_others = len(ways), len(others)
    machine.work_left -= 8 * (count + num_others)
    machine.missing_unions.ensure(depth + count)
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
    """Merge the ways of two continuations, where the unions that are needed for it are known."""
    ways, others = ways_of(machine, first), ways_of(machine, second)
    count, num_others = len(ways), len(others)
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
    place = place_of(machine.unions, first << 32 | second)
    return machine.unions.values[place] if place >= 0 else pd.UNBUILT


@kernel
def _remember(machine: RuleMachine, first: int, second: int, union: int) -> None:
    """Note a union."""
    if first > second:
        first, second = second, first
    make_room(machine.unions)
    add(machine.unions, first << 32 | second, union)
