"""Kernels: GSS nodes, interned sets of GSS edges (see `LocalStates`), and their unions."""

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
    """A GSS node's edges."""
    fields = rules.gss_nodes[gss_node]
    return rules.gss_edges.span().part(fields.first, fields.count)


@kernel
def new_gss_edges(rules: Rules, count: int) -> Array[int]:
    """Where up to so many edges are put together, behind those of all GSS nodes."""
    rules.gss_edges.ensure(rules.gss_edges.used + count)
    return rules.gss_edges.span().part(rules.gss_edges.used, count)


@kernel
def intern_gss_node(rules: Rules, count: int) -> int:
    """The GSS node of the edges that were put together at `new_gss_edges`, ascending."""
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
    """Fill in what follows from the edges of a new GSS node."""
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
    """The GSS node with one edge. position: also END_EDGE, or of a label."""
    new_gss_edges(rules, 1)[0] = position << 32 | then
    return intern_gss_node(rules, 1)


@exported(releases_gil=False)
def add_end(address: int) -> int:
    """The GSS node {END}. address: of a Rules."""
    return single(Rules.at(address), pd.END_EDGE, 0)


@kernel
def after(rules: Rules, position: int, then: int) -> int:
    """What comes when a position was reached, with `then` after its rule."""
    return then if rules.positions[position].flags & pd.IS_LAST else single(rules, position, then)


@kernel
def union(rules: Rules, first: int, second: int) -> int:
    """The GSS node with the edges of both. What comes after a position that both have is united too."""
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
    """List the unions that are needed for one, from `depth` on; how many there are then."""
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
    """Merge the edges of two GSS nodes, where the unions that are needed for it are known."""
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
    """Add a number to `count` ascending ones, or unite its GSS node with that of the last one where both begin alike;
    how many there are then.
    """
    if count and numbers[count - 1] >> 32 == number >> 32:
        count -= 1
        number = (number >> 32) << 32 | union(rules, numbers[count] & at.MASK32, number & at.MASK32)
    numbers[count] = number
    return count + 1


@kernel
def sort_united(rules: Rules, numbers: Array[int], count: int) -> int:
    """Sort numbers and unite the GSS nodes of those that begin alike; how many there are then."""
    sort(numbers, count)
    num_kept = 0
    for index in range(count):
        num_kept = add_united(rules, numbers, num_kept, numbers[index])
    return num_kept


@kernel
def _known_union(rules: Rules, first: int, second: int) -> int:
    """A union that was made; UNBUILT."""
    if first == second:
        return first
    if first > second:
        first, second = second, first
    slot = slot_of(rules.unions, first << 32 | second)
    return rules.unions.values[slot] if slot >= 0 else pd.UNBUILT


@kernel
def _remember(rules: Rules, first: int, second: int, union: int) -> None:
    """Note a union."""
    if first > second:
        first, second = second, first
    make_room(rules.unions)
    add(rules.unions, first << 32 | second, union)
