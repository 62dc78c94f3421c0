"""Kernels: the rows of DFA states that are places in a source text, for texts made of its quotes.

A state is an interval of the text's sorted suffixes, as in `machine.quotes`. The states after one are parts of its
interval, which no other state has, and are made with its row. If few suffixes are left, only their places in the text
count, not the text read before: such a state is looked up. A text therefore has not many more states than places (A.
Blumer and others, The smallest automaton recognizing the subwords of a text, 1985).

PERF: a row takes 1 to 3 us; as derivatives of a Language it took 100 to 300 us.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import NOT_ZERO, add, hash_pair, next_slot, slot_of
from ...memory.kernel import exported, kernel
from .. import layout as at
from ..sources.structs import SortedText
from ..sources.suffixes import byte_after, first_from, split
from ..structs import Dfa, SourcePlace
from .sets import add_state, fill_row, make_room_for_states

_FEW = 8  # a new interval with at most this many suffixes takes a known state whose suffixes are at the same places
_HALF = 0x7FFFFFFF


@exported(releases_gil=False)
def first_place_state(address: int, text: int) -> int:
    """Return the state before the quotes of a source text; there is one per text.

    address: address of the Dfa.
    text: number of the text.
    """
    dfa = Dfa.at(address)
    _make_room(dfa, 1)
    return _add_place(dfa, text, 0, len(dfa.source_texts[text].order), 0)


@kernel
def is_place(dfa: Dfa, state: int) -> bool:
    """Return True if a state is a place in a source text."""
    return dfa.set_of[state].spelling == at.SOURCE_SPELLING


@kernel
def build_place_row(dfa: Dfa, state: int) -> None:
    """Make the row of a state that is a place in a source text."""
    interval = dfa.source_places[dfa.set_of[state].first]
    number, first, end, depth = interval.text, interval.first, interval.first + interval.count, interval.depth
    text, row = dfa.source_texts[number], dfa.row
    split(dfa.buckets, text, first, end - first, depth)
    _make_room(dfa, min(end - first, 256))  # at most one state for each byte
    fill_row(row, at.DEAD)
    while first < end:
        byte = byte_after(text, first, depth)
        following = first_from(text, first + 1, end, depth, byte + 1)
        if byte >= 0:
            row[byte] = _add_place(dfa, number, first, following - first, depth + 1)
        first = following
    dfa.loops[state] = 0
    built = dfa.rows[state]  # copied at once: a row exists completely or not at all
    for byte in range(256):
        built[byte] = row[byte]


@kernel
def _make_room(dfa: Dfa, count: int) -> None:
    """Make room for `count` more places. Growing a table starts the kernel again."""
    make_room_for_states(dfa, count)
    dfa.source_places.ensure(dfa.source_places.used + count)
    keys = dfa.source_index.keys
    if 2 * (keys.used + count) >= keys.capacity:
        keys.ensure(2 * keys.capacity)


@kernel
def _add_place(dfa: Dfa, number: int, first: int, count: int, depth: int) -> int:
    """Return the state of an interval, found or added. BOUNDS: `_make_room`."""
    text, key = dfa.source_texts[number], 0
    if depth > 0 and count <= _FEW:
        key = _key_of(text, number, first, count, depth)
        slot = slot_of(dfa.source_index, key)
        while slot >= 0:
            known = dfa.source_places[dfa.source_index.values[slot]]
            if known.text == number and known.count == count and _are_same(text, known, first, depth):
                return known.state
            slot = next_slot(dfa.source_index, key, slot)
    place, accepts = text.order[first] + depth, -1
    for index in range(first, first + count if depth else first):
        if text.ends[text.order[index] + depth]:
            accepts = 0
            break
    state = add_state(dfa, accepts)
    fields = dfa.states[state]
    fields.is_between = 1 if place == len(text.text) or text.text[place] & 0xC0 != 0x80 else 0
    fields.shortest = 1 if accepts < 0 and fields.is_between else 0
    added = dfa.source_places.used
    dfa.source_places.used = added + 1
    interval = dfa.source_places[added]
    interval.text = number
    interval.first = first
    interval.count = count
    interval.depth = depth
    interval.state = state
    if key:
        add(dfa.source_index, key, added)
    items = dfa.set_of[state]
    items.first = added
    items.count = 1
    items.spelling = at.SOURCE_SPELLING
    fill_row(dfa.rows[state], at.UNBUILT)
    return state


@kernel
def _key_of(text: SortedText, number: int, first: int, count: int, depth: int) -> int:
    """Return a key for the places that an interval's suffixes have reached in the text, in any order."""
    total = count * depth
    for index in range(first, first + count):
        total += text.order[index]
    return hash_pair(hash_pair(total & _HALF, count) & _HALF, number) | NOT_ZERO


@kernel
def _are_same(text: SortedText, known: SourcePlace, first: int, depth: int) -> bool:
    """Return True if the suffixes of two intervals of equal size have reached the same places in the text."""
    for index in range(first, first + known.count):
        place, is_there = text.order[index] + depth, False
        for other in range(known.first, known.first + known.count):
            if text.order[other] + known.depth == place:
                is_there = True
                break
        if not is_there:
            return False
    return True
