"""Kernels: items with counted units: the configuration has one number beside its local state.

A counted item has its base's DFA state, the number of its counter, and two flags. ENOUGH: one more unit suffices.
FRESH: the item has just begun, so its count is 0. All counted items of a local state began at the same place, so they
have the same count. A local state has one counter: a second counted item becomes ordinary states, one for each number.

An item's possible steps change with the count: near the lower bound the item becomes ENOUGH, at the upper bound the
item is dropped. A local state's `crossing` is the first count at which its items change. `entries.crossed` then finds
the state that replaces the local state.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, slot_of
from ...memory.kernel import kernel
from ...memory.structs import Array
from .. import asking
from .. import layout as at
from . import layout as pd
from .gss_edges import sort_united
from .numbers import intern, make_room_to_move, numbers_of
from .structs import LocalState, Rules


@kernel
def dfa_state_of_item(item: int) -> int:
    """Return the DFA state of an item's terminal."""
    return item >> 32 & pd.DFA_STATE_BITS


@kernel
def is_running(item: int) -> int:
    """Return 1 for a counted item that has begun."""
    lexeme = item >> 32
    return 1 if lexeme > pd.DFA_STATE_BITS and not lexeme & pd.FRESH else 0


@kernel
def after_byte(item: int, following: int) -> int:
    """Return the item after its terminal has come to another state; the item is then no longer FRESH."""
    return (item & ~((pd.FRESH | pd.DFA_STATE_BITS) << 32)) | following << 32


@kernel
def may_end(rules: Rules, item: int) -> int:
    """Return 1 if the terminal of an item may end; a counted one may end after its last unit if it has ENOUGH."""
    lexeme = item >> 32
    if rules.tables.dfa.states[lexeme & pd.DFA_STATE_BITS].accepts < 0:
        return 0
    return 1 if lexeme <= pd.DFA_STATE_BITS or lexeme & pd.ENOUGH else 0


@kernel
def _counter_number(item: int) -> int:
    return ((item >> 32 & pd.COUNTER_BITS) >> pd.COUNTER_SHIFT) - 1


@kernel
def _is_at_boundary(rules: Rules, item: int) -> int:
    """Return 1 between two units."""
    state, boundary = dfa_state_of_item(item), rules.counters[_counter_number(item)].boundary
    if boundary >= 0:
        return 1 if state == boundary else 0
    return rules.tables.dfa.states[state].is_between


@kernel
def _end_of(rules: Rules, item: int) -> int:
    """Return the first count at which a running item can't reach an end any more."""
    counter = rules.counters[_counter_number(item)]
    if counter.high < 0:
        return pd.NO_CROSSING
    needed = 0 if counter.boundary >= 0 else rules.tables.dfa.states[dfa_state_of_item(item)].shortest
    return counter.high - max(needed, 1) + 1 if _is_at_boundary(rules, item) else counter.high - needed


@kernel
def describe_counts(rules: Rules, state: LocalState, items: Array[int]) -> None:
    """Fill in the fields of a new local state that concern counts."""
    state.is_counting = 0
    state.ticks = 0
    state.crossing = pd.NO_CROSSING
    for item in items:
        if is_running(item):
            state.is_counting = 1
            state.ticks |= _is_at_boundary(rules, item)
            state.crossing = min(state.crossing, _end_of(rules, item))
            if not item >> 32 & pd.ENOUGH:
                state.crossing = min(state.crossing, rules.counters[_counter_number(item)].low - 1)


@kernel
def known_crossing(rules: Rules, state: int, count: int) -> int:
    """Return the kept result of `crossed`, an entry as in a row; UNBUILT if there is none."""
    slot = slot_of(rules.crossings, state << 32 | count)
    return rules.crossings.values[slot] if slot >= 0 else pd.UNBUILT


@kernel
def crossed_content(rules: Rules, state: int, count: int) -> int:
    """Return the content that replaces a local state with a count, from its crossing on; DEAD for none."""
    content = rules.contents[rules.states[state].content]
    items, found = numbers_of(rules, rules.states[state].content), 0
    make_room_to_move(rules, len(items))
    moved = rules.moving.moved.span()
    for item in items:
        kept = item
        if is_running(item):
            if count >= _end_of(rules, item):
                continue
            counter = rules.counters[_counter_number(item)]
            if count >= counter.low - 1:
                kept = item | pd.ENOUGH << 32
                if counter.high < 0:
                    kept = item & ~((pd.COUNTER_BITS | pd.ENOUGH) << 32)
        moved[found] = kept
        found += 1
    if found == 0 and content.rest == 0:
        return pd.DEAD
    return intern(rules, moved, sort_united(rules, moved, found), content.rest, 1)


@kernel
def note_crossing(rules: Rules, state: int, count: int, entry: int) -> None:
    """Keep a result of `crossed`."""
    make_room(rules.crossings)
    add(rules.crossings, state << 32 | count, entry)


@kernel
def separate(rules: Rules, items: Array[int], count: int) -> int:
    """Replace counted items that begin while another count runs, by items with separate states for each number.

    items: the first `count` numbers are the items, changed in place.

    Returns 1 if some items were replaced.
    """
    counter, has_fresh = -1, 0
    for index in range(count):
        if is_running(items[index]):
            counter = pd.MANY_COUNTERS
        has_fresh |= items[index] >> 32 & pd.FRESH
    if not has_fresh:
        return 0
    has_changed = 0
    for index in range(count):
        item = items[index]
        if item >> 32 & pd.FRESH:
            number = _counter_number(item)
            if counter < 0:
                counter = number
            if number != counter:
                plain = rules.counters[number].plain
                if plain < 0:
                    asking.ask(rules.request, asking.UNCOUNTED, state=number)
                items[index] = plain << 32 | (item & at.MASK32)
                has_changed = 1
    return has_changed
