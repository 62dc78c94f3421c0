"""Kernels: from which places of a source text an end of the quote lies ahead.

Where case is folded and something else is said of the string, too, a character of the text may be written in several
ways, which may lead its DFA to several states: sets of them go along the text.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, slot_of
from ...memory.kernel import kernel
from ..asking import PAUSE, ask
from ..documents.steps import next_dfa_state
from ..layout import DEAD, STATE_BITS
from ..machine import Machine
from .characters import first_from_point, is_in_escape, num_utf8_bytes, point_at, utf8_byte
from .ends import accepts, has_length
from .structs import QuoteLexeme, Quotes

_PACE = 8  # of so many places of the text one is remembered for where it leads
_PLACE_BITS = 28  # of such a place: places are numbers below 2 ** 31
MAX_LEXEMES = (1 << 63 - STATE_BITS - _PLACE_BITS) - 1
_BACKSLASH = 0x5C


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


@kernel
def leads_on(machine: Machine, number: int, start: int, place: int, state: int) -> int:
    """1 where an end lies ahead of a place in the text, or at it, of a quote that began at `start`; else 0.

    Walks along the text. Where what is ahead does not depend on the start, it is noted.
    """
    lexeme = machine.quotes.lexemes[number]
    if lexeme.is_free:
        return 1
    if lexeme.folds and state >= 0:
        return _leads_on_folded(machine, number, start, place, state)
    if machine.quotes.work_left <= 0:
        ask(machine.request, PAUSE)
    known, here, now = -1, place, state
    while known < 0:
        if here > start and lexeme.ends[here] and has_length(lexeme, start, here) and accepts(machine, now):
            known = 1
            break
        if now >= 0 and here % _PACE == 0 and _is_noted(lexeme, start, here):
            known = _noted(machine, number, here, now)
            if known >= 0:
                break
        if _is_last(lexeme, start, here):
            known = 0
            break
        if now >= 0:
            now = next_dfa_state(machine, now, lexeme.text[here])
            if now < 0:
                known = 0
                break
        here += 1
    machine.quotes.work_left -= here - place + 1
    if state >= 0 and lexeme.high < 0:
        _note_walk(machine, number, start, place, state, here, known)
    return known


@kernel
def _is_noted(lexeme: QuoteLexeme, start: int, place: int) -> bool:
    """Whether what is ahead does not depend on where the quote began: it has as many characters as it must have."""
    if lexeme.high >= 0:
        return False
    return lexeme.low <= 1 or lexeme.characters[place] - lexeme.characters[start] >= lexeme.low


@kernel
def _is_last(lexeme: QuoteLexeme, start: int, place: int) -> bool:
    """Whether no quote that began at `start` goes on behind a place."""
    if place == len(lexeme.text):
        return True
    return lexeme.high >= 0 and lexeme.characters[place] - lexeme.characters[start] >= lexeme.high


@kernel
def _key_of_life(number: int, state: int, place: int) -> int:
    """A key of its own for each, not 0. BOUNDS: number < MAX_LEXEMES, state < 2 ** STATE_BITS, place < 2 ** 31."""
    return (number + 1) << (STATE_BITS + _PLACE_BITS) | state << _PLACE_BITS | place // _PACE


@kernel
def _noted(machine: Machine, number: int, place: int, state: int) -> int:
    """What is noted of a place: 1 where it leads to an end, 0 where not, -1 where nothing is."""
    slot = slot_of(machine.quotes.lives, _key_of_life(number, state, place))
    return machine.quotes.lives.values[slot] if slot >= 0 else -1


@kernel
def _note(machine: Machine, number: int, place: int, state: int, known: int) -> None:
    lives, key = machine.quotes.lives, _key_of_life(number, state, place)
    if slot_of(lives, key) < 0:
        make_room(lives)
        add(lives, key, known)


@kernel
def _note_walk(machine: Machine, number: int, start: int, place: int, state: int, end: int, known: int) -> None:
    """Note where places lead that a walk has passed, up to its end."""
    lexeme = machine.quotes.lexemes[number]
    while place < end:
        if place % _PACE == 0 and _is_noted(lexeme, start, place):
            _note(machine, number, place, state, known)
        state = next_dfa_state(machine, state, lexeme.text[place])
        place += 1


# ---- Where characters may be written in another case.


@kernel
def _leads_on_folded(machine: Machine, number: int, start: int, place: int, state: int) -> int:
    """As `leads_on`, with all states to which what is written may lead. Where it waits, it goes on from there."""
    quotes = machine.quotes
    lexeme, walk = quotes.lexemes[number], quotes.walk
    known = -1
    if not (walk.lexeme == number and walk.start == start and walk.begun == place and walk.state == state):
        quotes.passed.used = 0
        quotes.states.used = 0
        quotes.states[quotes.states.reserve(1)] = state
        walk.lexeme = number
        walk.start = start
        walk.begun = place
        walk.state = state
        walk.place = place
    while known < 0:
        known = _look_at_states(machine, quotes, lexeme, number)
        if known < 0:
            _advance_states(machine, quotes, lexeme)
    for index in range(quotes.passed.used):
        passed = quotes.passed[index]
        if known == 0 or passed.is_alone:
            _note(machine, number, passed.place, passed.state, known)
    walk.lexeme = -1
    return known


@kernel
def _look_at_states(machine: Machine, quotes: Quotes, lexeme: QuoteLexeme, number: int) -> int:
    """1 where an end lies ahead of the place to which the walk has come, or at it, 0 where not, -1 where it goes on.

    States that are noted to lead nowhere are left out.
    """
    states, start, place = quotes.states, quotes.walk.start, quotes.walk.place
    if place > start and lexeme.ends[place] and has_length(lexeme, start, place):
        for index in range(states.used):
            if accepts(machine, states[index]):
                return 1
    is_noted = place % _PACE == 0 and _is_noted(lexeme, start, place)
    if is_noted:
        num_kept = 0
        for index in range(states.used):
            found = _noted(machine, number, place, states[index])
            if found == 1:
                return 1
            if found < 0:
                states[num_kept] = states[index]
                num_kept += 1
        states.used = num_kept
    if states.used == 0 or _is_last(lexeme, start, place):
        return 0
    if is_noted:
        _pass_place(quotes, place)
    return -1


@kernel
def _pass_place(quotes: Quotes, place: int) -> None:
    """Keep the states at a place, to note where it leads: all where to no end, and one that is alone where to one."""
    for index in range(quotes.states.used):
        passed = quotes.passed[quotes.passed.reserve(1)]
        passed.place = place
        passed.state = quotes.states[index]
        passed.is_alone = 1 if quotes.states.used == 1 else 0


@kernel
def _advance_states(machine: Machine, quotes: Quotes, lexeme: QuoteLexeme) -> None:
    """Let the states of the walk read the next character, in each way in which it may be written. Of an escape, which
    is written in one way, its next byte."""
    walk, after = quotes.walk, quotes.states_after
    if quotes.work_left <= 0:
        ask(machine.request, PAUSE)
    after.used = 0
    quotes.mark += 1
    byte = lexeme.text[walk.place]
    if byte == _BACKSLASH or is_in_escape(lexeme, walk.place, walk.start):
        length = 1
        _read_byte(machine, quotes, byte)
    else:
        point = point_at(lexeme.text, walk.place)
        length = num_utf8_bytes(point)
        _read_character(machine, quotes, point)
        spelling = first_from_point(quotes.folded, point)
        while spelling < len(quotes.folded) and quotes.folded[spelling] == point:
            _read_character(machine, quotes, quotes.written_as[spelling])
            spelling += 1
    quotes.states.ensure(after.used)  # this may begin the kernel anew, so it comes before everything is written
    quotes.work_left -= quotes.states.used + 1
    quotes.states.used = 0
    for index in range(after.used):
        quotes.states[quotes.states.reserve(1)] = after[index]
    walk.place += length


@kernel
def _read_byte(machine: Machine, quotes: Quotes, byte: int) -> None:
    """Let the states of the walk read a byte of an escape."""
    for index in range(quotes.states.used):
        _include(quotes, next_dfa_state(machine, quotes.states[index], byte))


@kernel
def _read_character(machine: Machine, quotes: Quotes, point: int) -> None:
    """Let the states of the walk read a character."""
    for index in range(quotes.states.used):
        _include(quotes, state_behind(machine, quotes.states[index], point, 0))


@kernel
def _include(quotes: Quotes, state: int) -> None:
    """Let the walk come to a state, once; below 0 for none."""
    if state < 0:
        return
    quotes.marks.ensure(state + 1)
    if quotes.marks[state] != quotes.mark:
        quotes.marks[state] = quotes.mark
        quotes.states_after[quotes.states_after.reserve(1)] = state


@kernel
def state_behind(machine: Machine, state: int, point: int, num_read: int) -> int:
    """The DFA's state behind a character of which `num_read` bytes are read; below 0 for none."""
    length = num_utf8_bytes(point)
    for index in range(num_read, length):
        state = next_dfa_state(machine, state, utf8_byte(point, length, index))
        if state < 0:
            return DEAD
    return state
