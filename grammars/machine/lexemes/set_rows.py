"""Kernels: rows of sets of positions, and the searches that decide whether product states lead to a text.

`find_life` searches product states, from thread to thread (`threads`). The search expands in turns the oldest state and
the newest one nearest to an end. Results are kept: all states that lead to an accepting one are live. If a search meets
no accepting state, all states that it met are lifeless. No search is made twice.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Final

from ...memory.kernel import exported, kernel
from .. import layout as at
from ..structs import Dfa
from .distances import find_distances
from .leaf_rows import build, make_leaf_rows
from .mask_states import find_loose
from .products import (
    characters_left,
    find_arcs,
    leaves_of,
    list_successors,
    make_room,
    note_life,
    product_of,
    settle,
)
from .runs import ALL_CLASSES, MAX_RUN, begin_run, best_thread, go_on, leaf_run, note_run
from .sets import members_of, product_state_of
from .source_rows import build_place_row, is_place
from .threads import count_threads, find_thread_arcs, interned_threads, nearest_thread

BUSY: Final = -1
_STATES_AT_ONCE: Final = 2000  # product states between two looks at the time limit
NO_BOUND: Final = 1 << 62
_FEW_STATES: Final = 256  # maximum number of product states to visit if the life of most threads suffices


@exported
def build_row(address: int, state: int) -> int:
    """`try_row`, for Python. address: address of the Dfa."""
    return try_row(Dfa.at(address), state)


@exported
def find_life(address: int, number: int) -> int:
    """Decide whether a product state leads to a text, and write the answer into its field `life`.

    address: address of the Dfa.
    Returns 0 when done, else what is missing, as `try_row` says.
    """
    return find_life_of(Dfa.at(address), number, NO_BOUND)


@kernel
def has_row(dfa: Dfa, state: int) -> bool:
    """Return True if the row of a state exists, and make it if no Python is needed for that."""
    return dfa.rows[state][0] != at.UNBUILT or (dfa.set_of[state].count > 0 and try_row(dfa, state) == 0)


@kernel
def try_row(dfa: Dfa, state: int) -> int:
    """Make the row of a state that is a set or a place.

    Returns 0 when done, BUSY if the caller must call again, or 1 + a state whose row is needed first.
    """
    if is_place(dfa, state):
        build_place_row(dfa, state)
        return 0
    for member in members_of(dfa, dfa.set_of[state]):
        # also inside a character: `lone_steps` get there without the row of the state before it
        number = dfa.items[member - at.FIRST_SET_ITEM].product_state if member >= at.FIRST_SET_ITEM else -1
        if number >= 0 and dfa.product_states[number].is_settled == 0:
            missing = settle_state(dfa, number)
            if missing:
                return missing
    for member in members_of(dfa, dfa.set_of[state]):
        number = product_state_of(dfa, member)
        if number >= 0 and dfa.states[state].is_between:
            missing = _find_product_run(dfa, number)
            if missing:
                return missing
    build(dfa, state)
    for member in members_of(dfa, dfa.set_of[state]):
        number = product_state_of(dfa, member)
        if number >= 0 and dfa.states[state].is_between:
            _note_product_run(dfa, state, number)
    return 0


@kernel
def settle_state(dfa: Dfa, number: int) -> int:
    """Decide whether the product states after one lead to a text."""
    missing = make_leaf_rows(dfa, number)
    if missing:
        return missing
    list_successors(dfa, number)
    count = dfa.product_successors.used
    dfa.to_decide.ensure(count)
    for index in range(count):  # searches for life list other successors
        dfa.to_decide[index] = dfa.product_successors[index]
    for index in range(count):
        missing = find_life_of(dfa, dfa.to_decide[index], NO_BOUND)
        if missing:
            return missing
    settle(dfa, number)
    return 0


@kernel
def _run_thread(dfa: Dfa, number: int) -> int:
    """Return the thread of a product state with the best runs of its leaves; DEAD if there is none."""
    leaves, positive = leaves_of(dfa, number), product_of(dfa, number).positive
    make_room(dfa, product_of(dfa, number), 1)
    dfa.leaf_threads.ensure(len(leaves))
    for leaf in range(len(leaves)):
        dfa.leaf_threads[leaf] = best_thread(dfa, leaves[leaf]) if positive >> leaf & 1 else leaves[leaf]
    return interned_threads(dfa, number)


@kernel
def _find_product_run(dfa: Dfa, number: int) -> int:
    """Follow the best thread of a product state as far as its run goes on. Returns 0 when done, else like `try_row`.

    A thread whose life takes long to decide has no run. Example: `@.*` beside a host name, after the `@` was read
    elsewhere.
    """
    thread, length = _run_thread(dfa, number), 0
    if thread == at.DEAD:
        return 0
    missing = find_life_of(dfa, thread, _FEW_STATES)
    if missing or dfa.product_states[thread].life != at.LIVE:
        return missing
    while length < MAX_RUN:
        state = dfa.product_states[thread]
        if state.run_classes < 0:
            missing = _find_run_following(dfa, thread)
            if missing:
                return missing
        if state.run_classes == 0 or state.run_following == thread:
            return 0
        thread = state.run_following
        length += 1
    return 0


@kernel
def _find_run_following(dfa: Dfa, number: int) -> int:
    """Find the thread that continues the run of another one. Returns 0 when done, else like `try_row`."""
    missing = make_leaf_rows(dfa, number)
    if missing:
        return missing
    leaves, positive, classes = leaves_of(dfa, number), product_of(dfa, number).positive, ALL_CLASSES
    make_room(dfa, product_of(dfa, number), 1)
    dfa.leaf_threads.ensure(len(leaves))
    for leaf in range(len(leaves)):
        of_leaf, following = leaf_run(dfa, leaves[leaf], positive >> leaf & 1)
        classes &= of_leaf
        dfa.leaf_threads[leaf] = following
    target = interned_threads(dfa, number) if classes else at.DEAD
    if target != at.DEAD:
        missing = find_life_of(dfa, target, _FEW_STATES)
        if missing:
            return missing
    state = dfa.product_states[number]
    is_live = target != at.DEAD and dfa.product_states[target].life == at.LIVE
    state.run_following = target if is_live else at.DEAD
    state.run_classes = classes if is_live else 0
    return 0


@kernel
def _note_product_run(dfa: Dfa, state: int, number: int) -> None:
    """Improve a state's run by the run of one of its product states. BOUNDS: that run was found."""
    thread = _run_thread(dfa, number)
    if thread == at.DEAD or dfa.product_states[thread].life != at.LIVE:
        return
    run, first = dfa.product_run, thread
    begin_run(run, dfa.product_states[thread].run_classes, 0)
    while run.length_of_few < MAX_RUN:
        thread = dfa.product_states[thread].run_following
        if thread == at.DEAD or not go_on(run, dfa.product_states[thread].run_classes, 1 if thread == first else 0):
            break
    note_run(dfa, state, run)


@kernel
def find_life_of(dfa: Dfa, number: int, most: int) -> int:
    """Search a little along the thread nearest to an end, then along all threads. most: as in `_search`."""
    if dfa.product_states[number].loose == 0:
        missing = _find_loose_life(dfa, number)
        if missing:
            return missing
    if dfa.product_states[number].life != at.UNDECIDED:
        return 0
    nearest = nearest_thread(dfa, number)
    if nearest != at.DEAD and nearest != number:
        missing = _search(dfa, nearest, _FEW_STATES)
        if missing:
            return missing
        if dfa.product_states[nearest].life == at.LIVE:
            note_life(dfa, number)
            return 0
    return _search(dfa, number, most)


@kernel
def _find_loose_life(dfa: Dfa, number: int) -> int:
    """Decide whether a product state leads to a text if its leaves are in distant counts. Returns like `try_row`."""
    loose = find_loose(dfa, number)
    if loose != number:
        missing = find_distances(dfa, loose)
        if missing:
            return missing
        if not dfa.product_states[loose].is_near:
            loose = number
        elif dfa.product_states[loose].life != at.LIVE:
            dfa.product_states[number].life = at.LIFELESS
        elif dfa.product_states[number].life != at.LIVE:
            note_life(dfa, number)
    dfa.product_states[number].loose = loose + 1
    return 0


@kernel
def _search(dfa: Dfa, number: int, most: int) -> int:
    """Search for a product state that is known to lead to a text.

    The search expands in turns the state met first and the newest state nearest to an end. most: maximum number of
    states to meet; beyond it the life stays undecided.
    """
    if dfa.product_states[number].life != at.UNDECIDED:
        return 0
    dfa.product_mark += 1
    mark, head, count, budget = dfa.product_mark, 0, 1, dfa.product_states.used + _STATES_AT_ONCE
    dfa.product_queue.ensure(1)
    dfa.product_queue[0] = number
    dfa.product_states[number].visited = mark
    nearest, is_turn = number, True
    while head < count:
        if count > most:
            return 0
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
    """Find the threads of a product state. If the state is itself a thread, find the states after it.

    Returns 0, or 1 + the state of a leaf whose row is needed.
    """
    if dfa.product_states[number].first_arc >= 0:
        return 0
    count = count_threads(dfa, number)
    if count > 1:
        find_thread_arcs(dfa, number, count)
        return 0
    missing = make_leaf_rows(dfa, number)
    if missing == 0:
        find_arcs(dfa, number)
    return missing
