"""Kernels: GSS nodes, which are interned sets of GSS edges (see `LocalStates`), and their unions."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, next_slot, slot_of
from ...memory.kernel import exported, kernel
from ...memory.lists import are_equal, hash_of
from ...memory.sorting import sort
from ...memory.structs import Array
from .. import asking
from .. import layout as at
from . import layout as pd
from .structs import Rules


@kernel
def gss_edges_of(rules: Rules, gss_node: int) -> Array[int]:
    """Return the edges of a GSS node."""
    fields = rules.gss_nodes[gss_node]
    return rules.gss_edges.span().part(fields.first, fields.count)


@kernel
def new_gss_edges(rules: Rules, count: int) -> Array[int]:
    """Return room for up to `count` new edges, behind the edges of all GSS nodes."""
    rules.gss_edges.ensure(rules.gss_edges.used + count)
    return rules.gss_edges.span().part(rules.gss_edges.used, count)


@kernel
def intern_gss_node(rules: Rules, count: int) -> int:
    """Return the GSS node of the edges in the room of `new_gss_edges`. The edges are in ascending order."""
    gss_edges = new_gss_edges(rules, count)
    key = hash_of(gss_edges, count)
    slot = slot_of(rules.gss_index, key)
    while slot >= 0:
        known = rules.gss_index.values[slot]
        if are_equal(gss_edges_of(rules, known), gss_edges):
            return known
        slot = next_slot(rules.gss_index, key, slot)
    make_room(rules.gss_index)
    number = rules.gss_nodes.reserve(1)
    new = rules.gss_nodes[number]
    new.first = rules.gss_edges.reserve(count)
    new.count = count
    add(rules.gss_index, key, number)
    _describe(rules, number, gss_edges)
    return number


@kernel
def _describe(rules: Rules, number: int, gss_edges: Array[int]) -> None:
    """Fill in the fields of a new GSS node that its edges decide."""
    gss_nodes, is_flat, is_deep = rules.gss_nodes.span(), 1, 0
    for gss_edge in gss_edges:
        position, then = gss_edge >> 32, gss_edge & at.MASK32
        if position >= 0:
            is_flat = 0
            if rules.positions[position].flags & pd.IS_CUT:
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
def single(rules: Rules, position: int, then: int) -> int:
    """Return the GSS node with one edge. position: also END_EDGE, or the position of a label."""
    new_gss_edges(rules, 1)[0] = position << 32 | then
    return intern_gss_node(rules, 1)


@exported(releases_gil=False)
def add_end(address: int) -> int:
    """Return the GSS node {END}. address: address of a Rules."""
    return single(Rules.at(address), pd.END_EDGE, 0)


@kernel
def after(rules: Rules, position: int, then: int) -> int:
    """Return the GSS node after a position is reached. then: GSS node after the position's rule."""
    return then if rules.positions[position].flags & pd.IS_LAST else single(rules, position, then)


@kernel
def union(rules: Rules, first: int, second: int) -> int:
    """Return the GSS node with the edges of both. If both have an edge at a position, the nodes after it are united,
    too.
    """
    if first == second:
        return first
    found = _known_union(rules, first, second)
    if found >= 0:
        return found
    missing, depth = rules.missing_unions.span(), 1
    missing[0].first = first
    missing[0].second = second
    while depth:
        if rules.work_left <= 0:
            asking.ask(rules.request, asking.PAUSE)
        one, other = missing[depth - 1].first, missing[depth - 1].second
        if _known_union(rules, one, other) >= 0:
            depth -= 1
            continue
        before = depth
        depth = _add_missing(rules, one, other, depth)
        if depth == before:
            _remember(rules, one, other, _unite(rules, one, other))
            depth -= 1
    return _known_union(rules, first, second)


@kernel
def _add_missing(rules: Rules, first: int, second: int, depth: int) -> int:
    """List the unions that one union needs, from `depth` on. Returns the new length of the list."""
    gss_edges, others, missing = (
        gss_edges_of(rules, first),
        gss_edges_of(rules, second),
        rules.missing_unions.span(),
    )
    count, num_others = len(gss_edges), len(others)
    rules.work_left -= 8 * (count + num_others)
    rules.missing_unions.ensure(depth + count)
    left, right = 0, 0
    while left < count and right < num_others:
        gss_edge, other = gss_edges[left], others[right]
        if gss_edge >> 32 == other >> 32 and _known_union(rules, gss_edge & at.MASK32, other & at.MASK32) < 0:
            missing[depth].first = gss_edge & at.MASK32
            missing[depth].second = other & at.MASK32
            depth += 1
        if gss_edge >> 32 <= other >> 32:
            left += 1
        if other >> 32 <= gss_edge >> 32:
            right += 1
    return depth


@kernel
def _unite(rules: Rules, first: int, second: int) -> int:
    """Merge the edges of two GSS nodes. All unions that this needs are known."""
    gss_edges, others = gss_edges_of(rules, first), gss_edges_of(rules, second)
    count, num_others = len(gss_edges), len(others)
    merged = new_gss_edges(rules, count + num_others)
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
            then = _known_union(rules, merged[size] & at.MASK32, gss_edge & at.MASK32)
            gss_edge = (gss_edge >> 32) << 32 | then
        merged[size] = gss_edge
        size += 1
    return intern_gss_node(rules, size)


@kernel
def add_united(rules: Rules, numbers: Array[int], count: int, number: int) -> int:
    """Append a number to `count` ascending numbers, and return the new count.

    If the last number has the same upper half, the GSS nodes of both are united instead.
    """
    if count and numbers[count - 1] >> 32 == number >> 32:
        count -= 1
        number = (number >> 32) << 32 | union(rules, numbers[count] & at.MASK32, number & at.MASK32)
    numbers[count] = number
    return count + 1


@kernel
def sort_united(rules: Rules, numbers: Array[int], count: int) -> int:
    """Sort numbers, unite the GSS nodes of numbers with the same upper half, and return the new count."""
    sort(numbers, count)
    num_kept = 0
    for index in range(count):
        num_kept = add_united(rules, numbers, num_kept, numbers[index])
    return num_kept


@kernel
def _known_union(rules: Rules, first: int, second: int) -> int:
    """Return a known union; UNBUILT if it is not made."""
    if first == second:
        return first
    if first > second:
        first, second = second, first
    slot = slot_of(rules.unions, first << 32 | second)
    return rules.unions.values[slot] if slot >= 0 else pd.UNBUILT


@kernel
def _remember(rules: Rules, first: int, second: int, union: int) -> None:
    """Keep a union."""
    if first > second:
        first, second = second, first
    make_room(rules.unions)
    add(rules.unions, first << 32 | second, union)
