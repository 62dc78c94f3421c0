"""Kernels: GSS nodes, interned sets of GSS edges (see `LocalStates`), and their unions."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import asking
from ..automaton import layout as at
from ..memory.hash_map import add, make_room, next_slot, slot_of
from ..memory.kernel import exported, kernel
from ..memory.lists import are_equal, hash_of
from ..memory.sorting import sort
from ..memory.structs import Array
from . import layout as pd
from .structs import RuleMachine


@kernel
def gss_edges_of(machine: RuleMachine, gss_node: int) -> Array[int]:
    """A GSS node's edges."""
    fields = machine.gss_nodes[gss_node]
    return machine.gss_edges.span().part(fields.first, fields.count)


@kernel
def new_gss_edges(machine: RuleMachine, count: int) -> Array[int]:
    """Where up to so many edges are put together, behind those of all GSS nodes."""
    machine.gss_edges.ensure(machine.gss_edges.used + count)
    return machine.gss_edges.span().part(machine.gss_edges.used, count)


@kernel
def intern_gss_node(machine: RuleMachine, count: int) -> int:
    """The GSS node of the edges that were put together at `new_gss_edges`, ascending."""
    gss_edges = new_gss_edges(machine, count)
    key = hash_of(gss_edges, count)
    slot = slot_of(machine.gss_index, key)
    while slot >= 0:
        known = machine.gss_index.values[slot]
        if are_equal(gss_edges_of(machine, known), gss_edges):
            return known
        slot = next_slot(machine.gss_index, key, slot)
    make_room(machine.gss_index)
    number = machine.gss_nodes.reserve(1)
    new = machine.gss_nodes[number]
    new.first = machine.gss_edges.reserve(count)
    new.count = count
    add(machine.gss_index, key, number)
    _describe(machine, number, gss_edges)
    return number


@kernel
def _describe(machine: RuleMachine, number: int, gss_edges: Array[int]) -> None:
    """Fill in what follows from the edges of a new GSS node."""
    gss_nodes, is_flat, is_deep = machine.gss_nodes.span(), 1, 0
    for gss_edge in gss_edges:
        position, then = gss_edge >> 32, gss_edge & at.MASK32
        if position >= 0:
            is_flat = 0
            if machine.positions[position].flags & pd.IS_CUT:
                is_deep |= 1 - gss_nodes[then].is_flat
            else:
                is_deep |= gss_nodes[then].is_deep
    new = gss_nodes[number]
    new.is_flat = is_flat
    new.is_deep = is_deep
    new.left = -1
    new.seen = 0
    new.known_in = 0
    new.label_in = 0


@kernel
def single(machine: RuleMachine, position: int, then: int) -> int:
    """The GSS node with one edge. position: also END_EDGE, or of a label."""
    new_gss_edges(machine, 1)[0] = position << 32 | then
    return intern_gss_node(machine, 1)


@exported(releases_gil=False)
def add_end(address: int) -> int:
    """The GSS node {END}. address: of a RuleMachine."""
    return single(RuleMachine.at(address), pd.END_EDGE, 0)


@kernel
def after(machine: RuleMachine, position: int, then: int) -> int:
    """What comes when a position was reached, with `then` after its rule."""
    return then if machine.positions[position].flags & pd.IS_LAST else single(machine, position, then)


@kernel
def union(machine: RuleMachine, first: int, second: int) -> int:
    """The GSS node with the edges of both. What comes after a position that both have is united too."""
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
            asking.ask(machine.request, asking.PAUSE)
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
    gss_edges, others, missing = (
        gss_edges_of(machine, first),
        gss_edges_of(machine, second),
        machine.missing_unions.span(),
    )
    count, num_others = len(gss_edges), len(others)
    machine.work_left -= 8 * (count + num_others)
    machine.missing_unions.ensure(depth + count)
    left, right = 0, 0
    while left < count and right < num_others:
        gss_edge, other = gss_edges[left], others[right]
        if gss_edge >> 32 == other >> 32 and _known_union(machine, gss_edge & at.MASK32, other & at.MASK32) < 0:
            missing[depth].first = gss_edge & at.MASK32
            missing[depth].second = other & at.MASK32
            depth += 1
        if gss_edge >> 32 <= other >> 32:
            left += 1
        if other >> 32 <= gss_edge >> 32:
            right += 1
    return depth


@kernel
def _unite(machine: RuleMachine, first: int, second: int) -> int:
    """Merge the edges of two GSS nodes, where the unions that are needed for it are known."""
    gss_edges, others = gss_edges_of(machine, first), gss_edges_of(machine, second)
    count, num_others = len(gss_edges), len(others)
    merged = new_gss_edges(machine, count + num_others)
    size, left, right = 0, 0, 0
    while left < count or right < num_others:
        if right == num_others or (left < count and gss_edges[left] < others[right]):
            gss_edge = gss_edges[left]
            left += 1
        else:
            gss_edge = others[right]
            right += 1
        if size and merged[size - 1] >> 32 == gss_edge >> 32:
            size -= 1
            then = _known_union(machine, merged[size] & at.MASK32, gss_edge & at.MASK32)
            gss_edge = (gss_edge >> 32) << 32 | then
        merged[size] = gss_edge
        size += 1
    return intern_gss_node(machine, size)


@kernel
def add_united(machine: RuleMachine, numbers: Array[int], count: int, number: int) -> int:
    """Add a number to `count` ascending ones, or unite its GSS node with that of the last one where both begin alike;
    how many there are then.
    """
    if count and numbers[count - 1] >> 32 == number >> 32:
        count -= 1
        number = (number >> 32) << 32 | union(machine, numbers[count] & at.MASK32, number & at.MASK32)
    numbers[count] = number
    return count + 1


@kernel
def sort_united(machine: RuleMachine, numbers: Array[int], count: int) -> int:
    """Sort numbers and unite the GSS nodes of those that begin alike; how many there are then."""
    sort(numbers, count)
    num_kept = 0
    for index in range(count):
        num_kept = add_united(machine, numbers, num_kept, numbers[index])
    return num_kept


@kernel
def _known_union(machine: RuleMachine, first: int, second: int) -> int:
    """A union that was made; UNBUILT."""
    if first == second:
        return first
    if first > second:
        first, second = second, first
    slot = slot_of(machine.unions, first << 32 | second)
    return machine.unions.values[slot] if slot >= 0 else pd.UNBUILT


@kernel
def _remember(machine: RuleMachine, first: int, second: int, union: int) -> None:
    """Note a union."""
    if first > second:
        first, second = second, first
    make_room(machine.unions)
    add(machine.unions, first << 32 | second, union)
