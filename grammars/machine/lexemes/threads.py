"""Kernels: threads. A thread of a DFA state has one of its positions; a thread of a product state has such leaves.

The texts of a state are those of its threads. Searches for an end, or for a shortest text, therefore go from thread to
thread. There are as many threads as positions, while sets of positions can be exponentially many, as for `.*x.{40}`.
(K. Thompson, Regular expression search algorithm, CACM 1968, runs them side by side; the name is R. Pike's.)

A product state is split by its positive leaves, which are under an even number of complements. A text that fits the
combination for a set of their positions also fits it for one of these positions. Other leaves stay sets.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Final

from ...memory.kernel import exported, kernel
from .. import layout as at
from ..structs import Dfa, ItemSet
from .products import MAX_THREADS, add_arc, interned, leaves_of, make_room, product_of
from .sets import begin_set, item_number, members_of, note_member, product_state_of, state_of_set

_FEW: Final = 3  # largest number of members of a set without products that counts as one thread


@exported
def list_threads(address: int, state: int) -> int:
    """List the threads of a state in `Dfa.threads`, and return their number. address: address of the Dfa."""
    dfa = Dfa.at(address)
    find_threads(dfa, state)
    return dfa.threads.used


@kernel
def find_threads(dfa: Dfa, state: int) -> None:
    """List the threads of a state. A state that is no set, or a small set, is its own thread: small sets are few."""
    dfa.threads.used = 0
    items = dfa.set_of[state]
    if not is_set(dfa, state) or (items.count <= _FEW and not _has_product(dfa, items)):
        _note_thread(dfa, state)
        return
    for member in members_of(dfa, items):
        number = product_state_of(dfa, member)
        count = count_threads(dfa, number) if number >= 0 else 1
        if count == 1:
            _note_thread(dfa, state if items.count == 1 else state_of_member(dfa, member, items.spelling))
            continue
        make_room(dfa, product_of(dfa, number), count)
        for index in range(count):
            thread = _thread_at(dfa, number, index)
            if thread != at.DEAD and dfa.product_states[thread].life != at.LIFELESS:
                following = dfa.items[member - at.FIRST_SET_ITEM].following
                item = at.FIRST_SET_ITEM + item_number(dfa, thread, 0, following)
                _note_thread(dfa, state_of_member(dfa, item, items.spelling))


@kernel
def _has_product(dfa: Dfa, items: ItemSet) -> bool:
    last = dfa.members[items.first + items.count - 1]  # items come after positions
    return last >= at.FIRST_SET_ITEM


@kernel
def find_thread_arcs(dfa: Dfa, number: int, count: int) -> None:
    """Add arcs from a product state to its threads, up to the first thread that is known to lead to a text.

    count: number that `count_threads` has just returned.
    """
    make_room(dfa, product_of(dfa, number), count)
    first = dfa.product_arcs.used
    dfa.product_mark += 1
    for index in range(count):
        thread = _thread_at(dfa, number, index)
        add_arc(dfa, number, thread)
        if thread != at.DEAD and dfa.product_states[thread].life == at.LIVE:
            break
    state = dfa.product_states[number]
    state.first_arc = first
    state.num_arcs = dfa.product_arcs.used - first


@kernel
def count_threads(dfa: Dfa, number: int) -> int:
    """Return the number of threads of a product state, and list its leaves' threads; 1 if it is not split.

    Ends are left out: if all leaves are at an end the state accepts, and otherwise no text goes on from an end.
    """
    leaves, positive, count = leaves_of(dfa, number), product_of(dfa, number).positive, 1
    dfa.leaf_threads.used = 0
    dfa.leaf_thread_starts.ensure(len(leaves) + 1)
    for leaf in range(len(leaves)):
        first, state = dfa.leaf_threads.used, leaves[leaf]
        dfa.leaf_thread_starts[leaf] = first
        if positive >> leaf & 1 and state != at.DEAD and is_set(dfa, state):
            items = dfa.set_of[state]
            for member in members_of(dfa, items):
                if member >= at.NUM_ENDS:
                    thread = state if items.count == 1 else state_of_member(dfa, member, items.spelling)
                    _note_leaf_thread(dfa, thread)
        if dfa.leaf_threads.used == first:
            _note_leaf_thread(dfa, state)
        count = min(count * (dfa.leaf_threads.used - first), MAX_THREADS + 1)
    dfa.leaf_thread_starts[len(leaves)] = dfa.leaf_threads.used
    return count if count <= MAX_THREADS else 1


@kernel
def _thread_at(dfa: Dfa, number: int, index: int) -> int:
    """Return a thread of a product state, by its number among those just counted; DEAD if empty. BOUNDS:
    `make_room`.
    """
    leaf_states, starts, rest = dfa.leaf_states.span(), dfa.leaf_thread_starts.span(), index
    for leaf in range(product_of(dfa, number).num_leaves):
        count = starts[leaf + 1] - starts[leaf]
        leaf_states[leaf] = dfa.leaf_threads[starts[leaf] + rest % count]
        rest = rest // count
    return interned(dfa, dfa.product_states[number].product)


@kernel
def nearest_thread(dfa: Dfa, number: int) -> int:
    """Return the thread of a product state whose leaves are nearest to their ends; DEAD if there is none."""
    leaves, positive = leaves_of(dfa, number), product_of(dfa, number).positive
    make_room(dfa, product_of(dfa, number), 1)
    dfa.leaf_threads.ensure(len(leaves))
    for leaf in range(len(leaves)):
        state = leaves[leaf]
        if positive >> leaf & 1 and state != at.DEAD and is_set(dfa, state):
            state = _nearest_member(dfa, state)
        dfa.leaf_threads[leaf] = state
    return interned_threads(dfa, number)


@kernel
def interned_threads(dfa: Dfa, number: int) -> int:
    """Return the product state whose leaves are in `leaf_threads`."""
    leaf_states = dfa.leaf_states.span()
    for leaf in range(product_of(dfa, number).num_leaves):
        leaf_states[leaf] = dfa.leaf_threads[leaf]
    return interned(dfa, dfa.product_states[number].product)


@kernel
def _nearest_member(dfa: Dfa, state: int) -> int:
    """Return the thread of a set that is nearest to an end; the set itself if it has only ends."""
    items, found, least = dfa.set_of[state], -1, at.MAX_COUNT + 2
    for member in members_of(dfa, items):
        if member >= at.NUM_ENDS:
            is_item = member >= at.FIRST_SET_ITEM
            position = dfa.items[member - at.FIRST_SET_ITEM].following if is_item else member
            if dfa.positions[position].shortest < least:
                found, least = member, dfa.positions[position].shortest
    return state if found < 0 or items.count == 1 else state_of_member(dfa, found, items.spelling)


@kernel
def is_set(dfa: Dfa, state: int) -> bool:
    """Return True if a state is a set of positions: neither a place in a source nor a state made by Python."""
    return dfa.set_of[state].count > 0 and dfa.set_of[state].spelling != at.SOURCE_SPELLING


@kernel
def state_of_member(dfa: Dfa, member: int, spelling: int) -> int:
    """Return the DFA state of the set that has only this member."""
    begin_set(dfa)
    note_member(dfa, member)
    return state_of_set(dfa, spelling)


@kernel
def _note_thread(dfa: Dfa, state: int) -> None:
    dfa.threads.ensure(dfa.threads.used + 1)
    dfa.threads[dfa.threads.used] = state
    dfa.threads.used += 1


@kernel
def _note_leaf_thread(dfa: Dfa, state: int) -> None:
    dfa.leaf_threads.ensure(dfa.leaf_threads.used + 1)
    dfa.leaf_threads[dfa.leaf_threads.used] = state
    dfa.leaf_threads.used += 1
