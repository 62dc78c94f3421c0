"""Kernels: where quotes may end, and from which places of the text an end lies ahead."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, slot_of
from ...memory.kernel import kernel
from ..documents.steps import QUOTE, next_dfa_state
from ..layout import FIRST_END
from ..machine import Machine
from .structs import QuoteLexeme

_PACE = 8  # of so many places of the text one is remembered for where it leads
_TEXT_BITS, _STATE_BITS = 24, 20
_HASH_BIT = 1 << 60  # keys are not 0


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
