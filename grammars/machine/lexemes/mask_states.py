"""Kernels: mask states: one state with the same masks for the many states that differ only in distant counts.

If a count has far to go, no token can tell one number of repetitions from the next. In the mask state of a set, a loop
replaces the copies of a repetition that no token can leave (`Positions`). Many states share a mask state, and so one
mask, made by one walk of the vocabulary's trie. A text's own state keeps each position. Example: `\\w{3,900}x` has a
state for each character that is read. From the third on they have one mask state, until a token can reach the 900th.

A product state becomes *loose* if mask states replace its leaves. `distances` decides where that is allowed.

Counting-set automata hold all numbers of a loop in one object (L. Turonova and others, Regex matching with
counting-set automata, 2020). Masks need even less: which numbers a token can tell apart.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from .. import layout as at
from ..structs import Dfa
from .products import interned, leaves_of, make_room, product_of
from .sets import add_item, begin_set, members_of, note_member, state_of_set


@kernel
def mask_state_of(dfa: Dfa, state: int) -> int:
    """Return the mask state of a state: another state with the same mask, but mostly the state itself."""
    if dfa.states[state].mask_state == 0:
        found = _find_mask_state(dfa, state)
        dfa.states[state].mask_state = found + 1
        dfa.states[found].mask_state = found + 1
    return dfa.states[state].mask_state - 1


@kernel
def _find_mask_state(dfa: Dfa, state: int) -> int:
    items = dfa.set_of[state]
    if items.count == 0 or items.spelling == at.SOURCE_SPELLING or not _has_far(dfa, state):
        return state
    begin_set(dfa)
    for member in members_of(dfa, items):
        if member >= at.FIRST_SET_ITEM:
            item = dfa.items[member - at.FIRST_SET_ITEM]
            add_item(dfa, _loose_of(dfa, item.product_state), item.node, _alike(dfa, item.following))
            continue
        position = _alike(dfa, member)
        if dfa.marks[position] != dfa.mark:
            dfa.marks[position] = dfa.mark
            note_member(dfa, position)
    return state_of_set(dfa, items.spelling)


@kernel
def _has_far(dfa: Dfa, state: int) -> bool:
    """Return True if some member of a set is like another position or product state."""
    for member in members_of(dfa, dfa.set_of[state]):
        position = member
        if member >= at.FIRST_SET_ITEM:
            item = dfa.items[member - at.FIRST_SET_ITEM]
            position = item.following
            if _loose_of(dfa, item.product_state) != item.product_state:
                return True
        if dfa.positions[position].alike >= 0:
            return True
    return False


@kernel
def _loose_of(dfa: Dfa, number: int) -> int:
    """Return the loose state of a product state; the state itself if none exists yet. number: -1: no product."""
    if number < 0 or dfa.product_states[number].loose == 0:
        return number
    return dfa.product_states[number].loose - 1


@kernel
def find_loose(dfa: Dfa, number: int) -> int:
    """Return the product state whose positive leaves are mask states, unless these have no way out.

    A loose leaf accepts every text of the real leaf, and perhaps longer ones. `distances` permits loose leaves only if
    masks stay equal.
    """
    leaves, positive, is_other = leaves_of(dfa, number), product_of(dfa, number).positive, 0
    make_room(dfa, product_of(dfa, number), 1)
    dfa.loose_leaves.ensure(len(leaves))
    for leaf in range(len(leaves)):
        state = leaves[leaf]
        if positive >> leaf & 1 and state != at.DEAD:
            found = mask_state_of(dfa, state)
            if found != state and not has_far_end(dfa, found):
                state, is_other = found, 1
        dfa.loose_leaves[leaf] = state
    if not is_other:
        return number
    leaf_states = dfa.leaf_states.span()
    for leaf in range(len(leaves)):
        leaf_states[leaf] = dfa.loose_leaves[leaf]
    return interned(dfa, dfa.product_states[number].product)


@kernel
def _alike(dfa: Dfa, position: int) -> int:
    """Return the position that stands for all positions like a given one. Nested counts take several steps to it."""
    while dfa.positions[position].alike >= 0:
        position = dfa.positions[position].alike
    return position


@kernel
def has_far_end(dfa: Dfa, state: int) -> bool:
    """Return True if a set has a loop without an end, so that `shortest` of its states means nothing."""
    for member in members_of(dfa, dfa.set_of[state]):
        position = dfa.items[member - at.FIRST_SET_ITEM].following if member >= at.FIRST_SET_ITEM else member
        if dfa.positions[position].shortest >= at.FAR_END:
            return True
    return False
