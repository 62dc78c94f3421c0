"""Kernels: how far product states are from an end, if all leaves are loose (`mask_states`).

A loose leaf has a loop for the copies of a repetition that no token can leave. For a token's characters, and MOST_LEFT
more, the loose leaf reads the same as the leaf itself. A loose product state is therefore live exactly if the real one
is, provided that each live state after it ends within MOST_LEFT characters. A search visits all loose product states
that follow, and decides this for all. There are few of them, since loops have no numbers.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Final

from ...memory.kernel import kernel
from .. import layout as at
from ..structs import Dfa
from .leaf_rows import make_leaf_rows
from .mask_states import find_loose
from .products import list_successors, note_life, product_of

_MOST_STATES: Final = 200  # product states to visit; a product with more goes without mask states
_NONE: Final = 1 << 30


@kernel
def find_distances(dfa: Dfa, number: int) -> int:
    """Find out whether all product states after a loose one are near an end, and decide the life of each.

    Returns 0, or 1 + the state of a leaf whose row is needed first.
    """
    if dfa.product_states[number].is_near or product_of(dfa, number).has_no_mask_states:
        return 0
    dfa.product_mark += 1
    mark, head, count = dfa.product_mark, 0, 1
    dfa.product_queue.ensure(_MOST_STATES + 256)
    dfa.loose_arcs.used = 0
    _begin(dfa, number, mark, 0)
    while head < count:
        if count > _MOST_STATES:
            product_of(dfa, number).has_no_mask_states = 1
            return 0
        missing = make_leaf_rows(dfa, dfa.product_queue[head])
        if missing:
            return missing
        count = _visit_successors(dfa, head, mark, count)
        head += 1
    _spread(dfa, count)
    _note(dfa, number, count)
    return 0


@kernel
def _begin(dfa: Dfa, number: int, mark: int, order: int) -> None:
    """Give a product state its number in the search."""
    state = dfa.product_states[number]
    state.visited = mark
    state.order = order
    state.distance = 0 if state.accepts else _NONE
    dfa.product_queue[order] = number


@kernel
def _visit_successors(dfa: Dfa, head: int, mark: int, count: int) -> int:
    """Note the arcs from a product state of the queue, add new ones to the queue, and return the queue's length."""
    list_successors(dfa, dfa.product_queue[head])
    for index in range(dfa.product_successors.used):
        target = find_loose(dfa, dfa.product_successors[index])
        if dfa.product_states[target].visited != mark:
            _begin(dfa, target, mark, count)
            count += 1
        dfa.loose_arcs[dfa.loose_arcs.reserve(1)] = head << 32 | dfa.product_states[target].order
    return count


@kernel
def _spread(dfa: Dfa, count: int) -> None:
    """Compute the distances of the product states in the queue (R. Bellman, On a routing problem, 1958)."""
    arcs, is_changed = dfa.loose_arcs.span().part(0, dfa.loose_arcs.used), 1
    while is_changed:
        is_changed = 0
        for arc in arcs:
            source = dfa.product_states[dfa.product_queue[arc >> 32]]
            target = dfa.product_states[dfa.product_queue[arc & at.MASK32]]
            if target.distance + 1 < source.distance:
                source.distance = target.distance + 1
                is_changed = 1


@kernel
def _note(dfa: Dfa, number: int, count: int) -> None:
    """Note the life of the product states in the queue if all that lead to a text are near an end."""
    for index in range(count):
        distance = dfa.product_states[dfa.product_queue[index]].distance
        if distance > at.MOST_LEFT and distance < _NONE:
            product_of(dfa, number).has_no_mask_states = 1
            return
    for index in range(count):
        here = dfa.product_queue[index]
        state = dfa.product_states[here]
        state.is_near = 1
        if state.distance == _NONE:
            state.life = at.LIFELESS
        elif state.life != at.LIVE:
            note_life(dfa, here)
