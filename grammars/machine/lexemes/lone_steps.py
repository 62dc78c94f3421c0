"""Kernels: steps of a text by one byte. The states of a text get no rows, since masks only need those of `mask_states`.

A row has states for all characters that might follow, such as hundreds inside the characters of `\\w`. A text takes
one of them.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from .. import layout as at
from ..structs import Dfa
from .mask_states import mask_state_of
from .products import leaves_of, make_room, position_of, product_of, step, step_class
from .set_rows import NO_BOUND, find_life_of, settle_state
from .sets import (
    add_closure,
    add_item,
    add_product,
    begin_set,
    has_products,
    members_of,
    node_after,
    plain_target,
    state_of_set,
)


@kernel
def lone_target(dfa: Dfa, state: int, byte: int) -> int:
    """Return the state after one byte, without making the state's row; UNBUILT if the row is made or must be made."""
    if dfa.rows[state][0] != at.UNBUILT or mask_state_of(dfa, state) == state:
        return at.UNBUILT
    items, is_between = dfa.set_of[state], dfa.states[state].is_between
    if items.spelling == at.STRING_SPELLING and is_between and (byte <= 0x22 or byte == 0x5C):
        return at.UNBUILT
    if byte >= 128:
        is_valid = 0xC2 <= byte < 0xF5 if is_between else byte < 0xC0
        if not is_valid or items.spelling == at.NUMBER_SPELLING:
            return at.DEAD
    elif not is_between and items.spelling != at.NUMBER_SPELLING:
        return at.DEAD
    if not has_products(dfa, state):
        return plain_target(dfa, state, byte)
    if not _find_targets(dfa, state, byte):
        return at.UNBUILT
    return _target_in_products(dfa, state, byte)


@kernel
def _find_targets(dfa: Dfa, state: int, byte: int) -> bool:
    """List the product states after a byte, one for each product state in a set. False if rows must be made first."""
    items = dfa.set_of[state]
    dfa.lone_targets.ensure(items.count)
    dfa.lone_targets.used = 0
    for member in members_of(dfa, items):
        if member < at.FIRST_SET_ITEM or dfa.items[member - at.FIRST_SET_ITEM].product_state < 0:
            continue
        item = dfa.items[member - at.FIRST_SET_ITEM]
        number, target = item.product_state, at.DEAD
        if not _are_leaves_ready(dfa, number):
            return False
        make_room(dfa, product_of(dfa, number), 1)
        goes = _goes(dfa, item.node, number, byte)
        if byte < 128:
            target = step(dfa, number, byte)
        elif goes < 0:
            target = step_class(dfa, number, at.CHARACTER_END - goes)
        if target != at.DEAD and find_life_of(dfa, target, NO_BOUND):
            return False
        settled = _settled(dfa, number)
        if goes > 0 and not dfa.product_states[settled].is_settled and settle_state(dfa, settled):
            return False
        dfa.lone_targets[dfa.lone_targets.reserve(1)] = target
    return True


@kernel
def _goes(dfa: Dfa, node: int, number: int, byte: int) -> int:
    """Return the node after a byte from 128 on, or CHARACTER_END - class; 0 for none. node: 0 between characters."""
    return node_after(dfa, node if node else product_of(dfa, number).node, byte) if byte >= 128 else 0


@kernel
def _settled(dfa: Dfa, number: int) -> int:
    """Return the product state that knows the live classes: the loose state if there is one, else the state itself."""
    return dfa.product_states[number].loose - 1 if dfa.product_states[number].loose else number


@kernel
def _are_leaves_ready(dfa: Dfa, number: int) -> bool:
    """Return True if all leaves of a product state are sets without products, or have rows."""
    for state in leaves_of(dfa, number):
        if state == at.DEAD or position_of(dfa, state) >= 0 or dfa.rows[state][0] != at.UNBUILT:
            continue
        items = dfa.set_of[state]
        if items.count == 0 or items.spelling == at.SOURCE_SPELLING or has_products(dfa, state):
            return False
    return True


@kernel
def _target_in_products(dfa: Dfa, state: int, byte: int) -> int:
    """Return the state after a byte; DEAD if none. BOUNDS: `_find_targets` has listed the product states after it."""
    items, index = dfa.set_of[state], 0
    begin_set(dfa)
    for member in members_of(dfa, items):
        if member < at.FIRST_SET_ITEM:
            _add_after_position(dfa, member, byte)
            continue
        item = dfa.items[member - at.FIRST_SET_ITEM]
        number, following = item.product_state, item.following
        if number < 0:
            goes = node_after(dfa, item.node, byte)
            if goes > 0:
                add_item(dfa, -1, goes, following)
            elif goes < 0:
                add_closure(dfa, following)
            continue
        goes = _goes(dfa, item.node, number, byte)
        if goes > 0:
            if dfa.node_classes[goes] & dfa.product_states[_settled(dfa, number)].live_classes:
                add_item(dfa, number, goes, following)
        else:
            add_product(dfa, dfa.lone_targets[index], following)
        index += 1
    return state_of_set(dfa, items.spelling)


@kernel
def _add_after_position(dfa: Dfa, position: int, byte: int) -> None:
    """Add to the set being made the members that follow a position after a byte."""
    reads, following = dfa.positions[position].reads, dfa.positions[position].following
    if reads < 0:
        return
    chars = dfa.char_sets[reads]
    if byte < 128:
        if chars.ascii[byte >> 6] >> (byte & 63) & 1:
            add_closure(dfa, following)
        return
    goes = node_after(dfa, chars.others, byte)
    if goes > 0:
        add_item(dfa, -1, goes, following)
    elif goes < 0:
        add_closure(dfa, following)
