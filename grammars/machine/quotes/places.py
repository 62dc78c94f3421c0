"""Kernels: places in quotes, and their steps by one byte.

A QUOTED code is the number of a place. A place has an interval of the source's sorted suffixes, all of which begin with
the bytes read so far. It also has the state of the DFA for the string's other conditions. An end is a position where
the quote may end, the DFA accepts, and the number of characters is allowed. A suffix counts only up to the last end
ahead. Without other conditions every place has an end ahead, since the text is cut after its last end.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import NOT_ZERO, add, hash_pair, make_room, next_slot, slot_of
from ...memory.kernel import exported, kernel
from ..documents.steps import QUOTE, end_value, next_dfa_state
from ..layout import DEAD, MASK32, NO_WORD, OTHER_CAPTURE, QUOTED, TAG_SHIFT
from ..machine import Machine
from ..sources.suffixes import narrowed
from .ahead import any_leads_on, leads_on
from .ends import accepts, has_length, may_end
from .structs import QuotePlace

_HALF = 0x7FFFFFFF
_STEPS_AT_ONCE = 1 << 20
"""Bytes of the text that a search passes between two looks at the time limit: about 10 ms."""


@kernel
def place_of(machine: Machine, code: int) -> QuotePlace:
    """The place of a QUOTED code."""
    return machine.quotes.places[code & MASK32]


@kernel
def code_of_place(machine: Machine, number: int, first: int, count: int, depth: int, state: int) -> int:
    """The QUOTED code of a place of a lexeme."""
    quotes = machine.quotes
    index = quotes.place_index
    key = hash_pair(hash_pair(first, count) & _HALF, hash_pair(depth, state + 1) & _HALF) | NOT_ZERO
    slot = slot_of(index, key)
    while slot >= 0:
        known = index.values[slot]
        place = quotes.places[known]
        is_there = place.first == first and place.count == count and place.depth == depth
        if is_there and place.lexeme == number and place.state == state:
            return QUOTED << TAG_SHIFT | known
        slot = next_slot(index, key, slot)
    is_end = may_end(machine, quotes.lexemes[number], first, count, depth, state)
    make_room(index)
    added = quotes.places.reserve(1)
    place = quotes.places[added]
    place.lexeme = number
    place.first = first
    place.count = count
    place.depth = depth
    place.state = state
    place.may_end = is_end
    add(index, key, added)
    return QUOTED << TAG_SHIFT | added


@kernel
def step_quote(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte of a string that is a quote. At a quotation mark the string may only end: a quotation mark of the
    text stands after a backslash."""
    place, quotes = place_of(machine, code), machine.quotes
    number, first, count, depth, state = place.lexeme, place.first, place.count, place.depth, place.state
    lexeme = quotes.lexemes[number]
    if byte == QUOTE and place.may_end:
        return end_value(machine, stack, lexeme.returned, NO_WORD, OTHER_CAPTURE)
    first, count = narrowed(quotes.buckets, lexeme, first, count, depth, byte)
    if count == 0:
        return DEAD, 0
    if state >= 0:
        state = next_dfa_state(machine, state, byte)
        if state < 0:
            return DEAD, 0
    if not any_leads_on(machine, number, first, count, depth + 1, state):
        return DEAD, 0
    return code_of_place(machine, number, first, count, depth + 1, state), stack


# ---- Called by Python.


@exported
def keep_starts(address: int, number: int, start: int, kept: int, most: int) -> tuple[int, int]:
    """Examine up to `most` starts of a lexeme, and keep the starts that have an end ahead.

    Returns the next start to examine, and the number of kept starts. If the kernel waits, call it again.
    address: address of the Machine. start: first start to examine. kept: number of kept starts so far.
    """
    machine = Machine.at(address)
    lexeme = machine.quotes.lexemes[number]
    order, end = lexeme.order, min(start + most, len(lexeme.order))
    for index in range(start, end):  # kept starts stay where they are until all of these are examined
        lexeme.sorted_to[index] = leads_on(machine, number, order[index], order[index], lexeme.state)
    for index in range(start, end):
        if lexeme.sorted_to[index]:
            lexeme.sorted_to[index] = 0
            order[kept] = order[index]
            kept += 1
    return end, kept


@exported
def first_place(address: int, number: int) -> int:
    """The QUOTED code at the beginning of a lexeme that has a start.

    address: address of the Machine. If the kernel waits, call it again.
    """
    machine = Machine.at(address)
    lexeme = machine.quotes.lexemes[number]
    return code_of_place(machine, number, 0, len(lexeme.order), 0, lexeme.state)


@exported
def shortest_end(
    address: int, code: int, length: int, after: int, index: int, best: int, best_index: int
) -> tuple[int, int, int]:
    """Look for the shortest text that ends the string at a place, for some of its suffixes.

    A text counts if it has more than `length` bytes, or exactly `length` bytes and a suffix after the suffix `after`.

    index: first suffix to examine.
    best: only texts with fewer bytes count.
    best_index: the suffix of a text with `best` bytes; -1 for none.

    Returns the new `index`, `best` and `best_index`. The search has examined all suffixes if `index` is the end of the
    place's interval. address: address of the Machine. If the kernel waits, call it again.
    """
    machine = Machine.at(address)
    place = place_of(machine, code)
    lexeme, end, steps = machine.quotes.lexemes[place.lexeme], place.first + place.count, 0
    while index < end and steps < _STEPS_AT_ONCE:
        start = lexeme.order[index]
        here, state = start + place.depth, place.state
        while True:
            written = here - start - place.depth
            if written >= best:
                break
            is_later = written > length or (written == length and index > after)
            is_end = is_later and here > start and lexeme.ends[here] and has_length(lexeme, start, here)
            if is_end and accepts(machine, state):
                best, best_index = written, index
                break
            if here == len(lexeme.text):
                break
            if state >= 0:
                state = next_dfa_state(machine, state, lexeme.text[here])
                if state < 0:
                    break
            here += 1
        steps += here - start - place.depth + 1
        index += 1
    return index, best, best_index


@exported
def widest_gap(address: int, number: int, most: int) -> int:
    """The largest distance, in bytes, of a place of a lexeme from the nearest end; -1 if it takes over `most` steps.

    address: address of the Machine. If the kernel waits, call it again.
    """
    machine = Machine.at(address)
    lexeme = machine.quotes.lexemes[number]
    widest, steps = 0, 0
    for index in range(len(lexeme.order)):
        start = lexeme.order[index]
        here, last, state = start, start, lexeme.state
        while here < len(lexeme.text) and steps < most:
            steps += 1
            if state >= 0:
                state = next_dfa_state(machine, state, lexeme.text[here])
                if state < 0:
                    break
            here += 1
            if lexeme.ends[here] and has_length(lexeme, start, here) and accepts(machine, state):
                widest = max(widest, here - last)
                last = here
        if steps >= most:
            return -1
    return widest
