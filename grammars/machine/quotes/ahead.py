"""Kernels: find out if a quote that has reached a place of its source text can still end."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, slot_of
from ...memory.kernel import kernel
from ..asking import PAUSE, ask
from ..documents.steps import next_dfa_state
from ..layout import STATE_BITS
from ..machine import Machine
from .ends import accepts, has_length
from .structs import QuoteLexeme

_PACE = 8  # distance in bytes between places of the text whose answers are noted
_PLACE_BITS = 28  # bits of such a place's number: places are below 2 ** 31
MAX_LEXEMES = (1 << 63 - STATE_BITS - _PLACE_BITS) - 1


@kernel
def any_leads_on(machine: Machine, number: int, first: int, count: int, depth: int, state: int) -> int:
    """1 if an end lies ahead of some suffix of an interval, else 0."""
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
    """1 if a quote that began at `start` and has reached a place in the text may end there or later; else 0.

    Walks along the text. Notes the answer if it does not depend on the start.
    """
    lexeme = machine.quotes.lexemes[number]
    if lexeme.is_free:
        return 1
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
    """True if the answer does not depend on the quote's start, because the quote already has enough characters."""
    if lexeme.high >= 0:
        return False
    return lexeme.low <= 1 or lexeme.characters[place] - lexeme.characters[start] >= lexeme.low


@kernel
def _is_last(lexeme: QuoteLexeme, start: int, place: int) -> bool:
    """True if no quote that began at `start` can continue after a place."""
    if place == len(lexeme.text):
        return True
    return lexeme.high >= 0 and lexeme.characters[place] - lexeme.characters[start] >= lexeme.high


@kernel
def _key_of_life(number: int, state: int, place: int) -> int:
    """A key for each triple, not 0. BOUNDS: number < MAX_LEXEMES, state < 2 ** STATE_BITS, place < 2 ** 31."""
    return (number + 1) << (STATE_BITS + _PLACE_BITS) | state << _PLACE_BITS | place // _PACE


@kernel
def _noted(machine: Machine, number: int, place: int, state: int) -> int:
    """The noted answer for a place: 1: it leads to an end; 0: it does not; -1: nothing is noted."""
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
    """Note the answer for the places that a walk has passed, up to its end."""
    lexeme = machine.quotes.lexemes[number]
    while place < end:
        if place % _PACE == 0 and _is_noted(lexeme, start, place):
            _note(machine, number, place, state, known)
        state = next_dfa_state(machine, state, lexeme.text[place])
        place += 1
