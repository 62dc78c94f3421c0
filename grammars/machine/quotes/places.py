"""Kernels: places in quotes, and one byte further.

A QUOTED code is the number of a place: an interval of the sorted suffixes of the source text that begin with what is
read, and the state of the DFA of all else that is said of the string. A suffix counts only as far as there is an end
ahead: where the quote may end, the DFA accepts, and the number of characters is right. Without all else, each place has
one, as the text is cut after the last end.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, hash_pair, make_room, next_slot, slot_of
from ...memory.kernel import exported, kernel
from ..documents.steps import QUOTE, end_value, next_dfa_state
from ..layout import DEAD, FIRST_END, MASK32, NO_WORD, OTHER_CAPTURE, QUOTED, TAG_SHIFT
from ..machine import Machine
from .structs import QuoteLexeme, QuotePlace, Quotes

_FEW = 24  # suffixes that are sorted by insertion
_PACE = 8  # of so many places of the text one is remembered for where it leads
_TEXT_BITS, _STATE_BITS = 24, 20
_HASH_BIT = 1 << 60  # keys are not 0
_HALF = 0x7FFFFFFF

# ---- Suffixes.


@kernel
def byte_after(lexeme: QuoteLexeme, index: int, depth: int) -> int:
    """The byte of a suffix behind its first `depth` ones; -1 where the text ends there."""
    place = lexeme.order[index] + depth
    return lexeme.text[place] if place < len(lexeme.text) else -1


@kernel
def split(quotes: Quotes, lexeme: QuoteLexeme, first: int, count: int, depth: int) -> None:
    """Let an interval of suffixes with `depth` bytes in common be sorted by the next byte."""
    if count == 1 or lexeme.sorted_to[first] > depth:
        return
    if count <= _FEW:
        _insert(lexeme, first, count, depth)
    else:
        _distribute(quotes, lexeme, first, count, depth)
    last = -2
    for index in range(first, first + count):
        byte = byte_after(lexeme, index, depth)
        if byte != last:
            lexeme.sorted_to[index] = depth + 1
            last = byte


@kernel
def _insert(lexeme: QuoteLexeme, first: int, count: int, depth: int) -> None:
    """Sort by insertion."""
    order = lexeme.order
    for index in range(first + 1, first + count):
        suffix = order[index]
        byte, slot = byte_after(lexeme, index, depth), index
        while slot > first and byte_after(lexeme, slot - 1, depth) > byte:
            order[slot] = order[slot - 1]
            slot -= 1
        order[slot] = suffix


@kernel
def _distribute(quotes: Quotes, lexeme: QuoteLexeme, first: int, count: int, depth: int) -> None:
    """Sort by counting, in place: each suffix is swapped into its bucket."""
    order, heads, tails = lexeme.order, quotes.heads, quotes.tails
    for bucket in range(257):
        tails[bucket] = 0
    for index in range(first, first + count):
        tails[byte_after(lexeme, index, depth) + 1] += 1
    total = first
    for bucket in range(257):
        heads[bucket] = total
        total += tails[bucket]
        tails[bucket] = total
    for bucket in range(257):
        while heads[bucket] < tails[bucket]:
            index = heads[bucket]
            target = byte_after(lexeme, index, depth) + 1
            suffix, other = order[index], heads[target]
            order[index] = order[other]
            order[other] = suffix
            heads[target] = other + 1


@kernel
def first_from(lexeme: QuoteLexeme, low: int, high: int, depth: int, byte: int) -> int:
    """The first suffix of a sorted interval low .. high - 1 whose next byte is `byte` or more; high for none."""
    while low < high:
        middle = (low + high) >> 1
        if byte_after(lexeme, middle, depth) < byte:
            low = middle + 1
        else:
            high = middle
    return low


# ---- Ends.


@kernel
def accepts(machine: Machine, state: int) -> int:
    """1 where the string may end for all that its DFA says."""
    if state < 0:
        return 1
    return 1 if next_dfa_state(machine, state, QUOTE) <= FIRST_END else 0


@kernel
def has_length(lexeme: QuoteLexeme, start: int, place: int) -> int:
    """1 where the text from a start to a place has as many characters as it must have."""
    if lexeme.low <= 1 and lexeme.high < 0:
        return 1
    count = lexeme.characters[place] - lexeme.characters[start]
    return 1 if lexeme.low <= count and (lexeme.high < 0 or count <= lexeme.high) else 0


@kernel
def may_end(machine: Machine, lexeme: QuoteLexeme, first: int, count: int, depth: int, state: int) -> int:
    """1 where what is read is a quote, with all else that is said."""
    if depth == 0 or not has_length(lexeme, lexeme.order[first], lexeme.order[first] + depth):
        return 0
    for index in range(first, first + count):
        if lexeme.ends[lexeme.order[index] + depth]:
            return accepts(machine, state)
    return 0


@kernel
def leads_on(machine: Machine, number: int, start: int, place: int, state: int) -> int:
    """1 where an end lies ahead of a place in the text, or at it, of a quote that began at `start`; else 0.

    Walks along the text. Where no bound counts characters, what is ahead does not depend on the start, and is noted.
    """
    lexeme, lives = machine.quotes.lexemes[number], machine.quotes.lives
    if lexeme.is_free:
        return 1
    is_noted, known, here, now = lexeme.low <= 1 and lexeme.high < 0, -1, place, state
    while known < 0:
        if here > start and lexeme.ends[here] and has_length(lexeme, start, here) and accepts(machine, now):
            known = 1
            break
        if is_noted and here % _PACE == 0:
            slot = slot_of(lives, _key_of_life(number, now, here))
            if slot >= 0:
                known = lives.values[slot]
                break
        if here == len(lexeme.text):
            known = 0
            break
        if lexeme.high >= 0 and lexeme.characters[here] - lexeme.characters[start] >= lexeme.high:
            known = 0
            break
        if now >= 0:
            now = next_dfa_state(machine, now, lexeme.text[here])
            if now < 0:
                known = 0
                break
        here += 1
    if is_noted:
        _note_life(machine, number, place, state, here, known)
    return known


@kernel
def _key_of_life(number: int, state: int, place: int) -> int:
    return number << (_STATE_BITS + _TEXT_BITS) | state << _TEXT_BITS | place | _HASH_BIT


@kernel
def _note_life(machine: Machine, number: int, place: int, state: int, end: int, known: int) -> None:
    """Note where places lead that a walk has passed, up to its end."""
    lexeme, lives = machine.quotes.lexemes[number], machine.quotes.lives
    while place < end:
        if place % _PACE == 0:
            key = _key_of_life(number, state, place)
            if slot_of(lives, key) < 0:
                make_room(lives)
                add(lives, key, known)
        state = next_dfa_state(machine, state, lexeme.text[place])
        place += 1


@kernel
def any_leads_on(machine: Machine, number: int, first: int, count: int, depth: int, state: int) -> int:
    """1 where an end lies ahead of some suffix of an interval."""
    lexeme = machine.quotes.lexemes[number]
    if lexeme.is_free:
        return 1
    for index in range(first, first + count):
        start = lexeme.order[index]
        if leads_on(machine, number, start, start + depth, state):
            return 1
    return 0


# ---- Places.


@kernel
def place_of(machine: Machine, code: int) -> QuotePlace:
    """The place of a QUOTED code."""
    return machine.quotes.places[code & MASK32]


@kernel
def code_of_place(machine: Machine, number: int, first: int, count: int, depth: int, state: int) -> int:
    """The QUOTED code of a place of a lexeme."""
    quotes = machine.quotes
    index = quotes.place_index
    key = hash_pair(hash_pair(first, count) & _HALF, hash_pair(depth, state + 1) & _HALF) | _HASH_BIT
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
    """A byte of a string that is a quote. Where the string may end, it goes on with no quotation mark: one of the text
    stands behind a backslash."""
    place, quotes = place_of(machine, code), machine.quotes
    number, first, count, depth, state = place.lexeme, place.first, place.count, place.depth, place.state
    lexeme = quotes.lexemes[number]
    if byte == QUOTE and place.may_end:
        return end_value(machine, stack, lexeme.lexeme_class, NO_WORD, OTHER_CAPTURE)
    split(quotes, lexeme, first, count, depth)
    low = first_from(lexeme, first, first + count, depth, byte)
    high = first_from(lexeme, low, first + count, depth, byte + 1)
    if low == high:
        return DEAD, 0
    if state >= 0:
        state = next_dfa_state(machine, state, byte)
        if state < 0:
            return DEAD, 0
    if not any_leads_on(machine, number, low, high - low, depth + 1, state):
        return DEAD, 0
    return code_of_place(machine, number, low, high - low, depth + 1, state), stack


# ---- What Python calls.


@exported
def keep_starts(address: int, number: int, start: int, kept: int, most: int) -> tuple[int, int]:
    """Look at most at so many starts of a lexeme, from one on, and keep those from which an end lies ahead: the next
    start, and how many are kept. kept: so many are so far. address: of the Machine. Where it waits, call it again.
    """
    machine = Machine.at(address)
    lexeme = machine.quotes.lexemes[number]
    order, end = lexeme.order, min(start + most, len(lexeme.order))
    for index in range(start, end):  # those that are kept stay where they are until all these are looked at
        lexeme.sorted_to[index] = leads_on(machine, number, order[index], order[index], lexeme.state)
    for index in range(start, end):
        if lexeme.sorted_to[index]:
            lexeme.sorted_to[index] = 0
            order[kept] = order[index]
            kept += 1
    return end, kept


@exported
def first_place(address: int, number: int) -> int:
    """The QUOTED code at the beginning of a lexeme that has a start. address: of the Machine. Where it waits, call it
    again."""
    machine = Machine.at(address)
    lexeme = machine.quotes.lexemes[number]
    return code_of_place(machine, number, 0, len(lexeme.order), 0, lexeme.state)


@exported
def shortest_end(address: int, code: int, length: int, after: int) -> tuple[int, int, int]:
    """The shortest text that ends the string at a place: (its bytes, the suffix, where it begins in the text).

    Of all longer than `length` bytes, and of as long ones of the suffixes behind `after`; (-1, 0, 0) for none.
    address: of the Machine. Where it waits, call it again.
    """
    machine = Machine.at(address)
    place = place_of(machine, code)
    lexeme = machine.quotes.lexemes[place.lexeme]
    best, best_index = -1, 0
    for index in range(place.first, place.first + place.count):
        start = lexeme.order[index]
        here, state = start + place.depth, place.state
        while True:
            written = here - start - place.depth
            if best >= 0 and written >= best:
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
    return best, best_index, lexeme.order[best_index] + place.depth


@exported
def widest_gap(address: int, number: int, most: int) -> int:
    """No place of a lexeme is more bytes than that from the nearest end; -1 where that takes more than `most` steps.

    address: of the Machine. Where it waits, call it again.
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
