"""Kernels: rows of sets of positions, with what must be known of product states before: whether they lead to a text.

Product states are gone through breadth first (`find_life`). What is found out stays known: all that lead to an
accepting state are live, and where the search ends without one, all that it met are lifeless. No search is made twice.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Final

from ...memory.kernel import exported, kernel
from .. import layout as at
from ..structs import Dfa
from .products import characters_left, class_byte, find_arcs, leaves_of, note_life, product_of, settle
from .source_rows import build_place_row, is_place
from .subsets import build_set_row, members_of, product_state_of

BUSY: Final = -1
_STATES_AT_ONCE: Final = 2000  # product states between two looks at the clock


@exported
def build_row(address: int, state: int) -> int:
    """Make the row of a state that is a set or a place, as `try_row` says. address: of the Dfa."""
    return try_row(Dfa.at(address), state)


@exported
def find_life(address: int, number: int) -> int:
    """Find whether a product state leads to a text, as `try_row` says. address: of the Dfa."""
    return _find_life(Dfa.at(address), number)


@kernel
def try_row(dfa: Dfa, state: int) -> int:
    """Make the row of a state that is a set or a place: 0 when done, BUSY: call again, or 1 + a state whose row is
    needed."""
    if is_place(dfa, state):
        build_place_row(dfa, state)
        return 0
    for member in members_of(dfa, dfa.set_of[state]):
        number = product_state_of(dfa, member)
        if number >= 0 and dfa.product_states[number].is_settled == 0:
            missing = _settle(dfa, number)
            if missing:
                return missing
    build_set_row(dfa, state)
    return 0


@kernel
def _has_products(dfa: Dfa, state: int) -> bool:
    """True for a set with product states."""
    count = 0
    for member in members_of(dfa, dfa.set_of[state]):
        count += product_state_of(dfa, member) >= 0
    return count > 0


@kernel
def _settle(dfa: Dfa, number: int) -> int:
    """Find whether the product states after one lead to a text."""
    missing = _find_arcs(dfa, number)
    state = dfa.product_states[number]
    for arc in range(state.first_arc, state.first_arc + state.num_arcs):
        if missing == 0:
            missing = _find_life(dfa, dfa.product_arcs[arc].target)
    if missing == 0:
        settle(dfa, number)
    return missing


@kernel
def _find_life(dfa: Dfa, number: int) -> int:
    """Up to the first product state that is known to lead to a text: in turn the one met first, and the one after the
    last such that is nearest to an end."""
    if dfa.product_states[number].life != at.UNDECIDED:
        return 0
    dfa.product_mark += 1
    mark, head, count, budget = dfa.product_mark, 0, 1, dfa.product_states.used + _STATES_AT_ONCE
    dfa.product_queue.ensure(1)
    dfa.product_queue[0] = number
    dfa.product_states[number].visited = mark
    nearest, is_turn = number, True
    while head < count:
        is_near = is_turn and nearest != at.DEAD
        here = nearest if is_near else dfa.product_queue[head]
        head += 0 if is_near else 1
        is_turn = not is_turn
        missing = _find_arcs(dfa, here)
        if missing:
            return missing
        if is_near:
            nearest = at.DEAD
        state, least = dfa.product_states[here], at.MAX_COUNT + 2
        dfa.product_queue.ensure(count + state.num_arcs)
        for index in range(state.first_arc, state.first_arc + state.num_arcs):
            arc = dfa.product_arcs[index]
            target = dfa.product_states[arc.target]
            if target.life == at.LIVE:
                note_life(dfa, here)
                return 0
            if target.life == at.UNDECIDED and target.visited != mark:
                target.visited = mark
                dfa.product_queue[count] = arc.target
                count += 1
                if is_near and characters_left(dfa, arc.target) < least:
                    nearest, least = arc.target, characters_left(dfa, arc.target)
        if dfa.product_states.used > budget:
            return BUSY
    for index in range(count):
        dfa.product_states[dfa.product_queue[index]].life = at.LIFELESS
    return 0


@kernel
def _find_arcs(dfa: Dfa, number: int) -> int:
    """Find the product states after one: 0, or 1 + the state of a leaf whose row is needed."""
    if dfa.product_states[number].first_arc >= 0:
        return 0
    for leaf_state in leaves_of(dfa, number):
        for char_class in range(product_of(dfa, number).num_classes):
            state = leaf_state
            for index in range(4):
                byte = class_byte(dfa, number, char_class, index)
                if byte == 0 or state == at.DEAD:
                    continue
                if dfa.rows[state][0] == at.UNBUILT:
                    if is_place(dfa, state):
                        build_place_row(dfa, state)
                    elif dfa.set_of[state].count == 0 or _has_products(dfa, state):
                        return state + 1
                    else:
                        build_set_row(dfa, state)
                state = dfa.rows[state][byte]
    find_arcs(dfa, number)
    return 0
