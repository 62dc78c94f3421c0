"""Kernels: quotes whose characters may be written in another case.

The text stands in the case in which characters are compared. What is written may be another spelling, of other bytes
and of another length in UTF-8 ("S" and the long s count as "s"; a Cyrillic capital may begin with another byte). So
while a character is being read its bytes are `pending`, first byte highest, and the interval of suffixes is still that
of the text before it. With its last byte the interval is narrowed by the character that it counts as. The DFA of all
else that is said reads what is written.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from ..documents.steps import next_dfa_state
from ..machine import Machine
from ..sources.suffixes import narrowed
from .ahead import any_leads_on, leads_on, state_behind
from .characters import ASCII_END, first_from_point, is_in_escape, num_utf8_bytes, point_at, utf8_byte
from .structs import QuoteLexeme, Quotes


@kernel
def step_folded(
    machine: Machine, number: int, first: int, count: int, depth: int, state: int, pending: int, byte: int
) -> tuple[int, int, int, int, int]:
    """A byte at a place of a lexeme that folds case: (first, count, depth, state, pending) behind it; count 0 for none.

    An end lies ahead of what is found.
    """
    quotes = machine.quotes
    lexeme = quotes.lexemes[number]
    if state >= 0:
        state = next_dfa_state(machine, state, byte)
        if state < 0:
            return 0, 0, 0, 0, 0
    if pending == 0 and is_in_escape(lexeme, lexeme.order[first] + depth, lexeme.order[first]):
        first, count = narrowed(quotes.buckets, lexeme, first, count, depth, byte)
        depth += 1
    elif pending == 0 and byte < ASCII_END:
        first, count, depth = _with_character(quotes, lexeme, first, count, depth, folded(quotes, byte))
    else:
        if pending != 0 and byte & 0xC0 != 0x80:
            return 0, 0, 0, 0, 0
        pending = pending << 8 | byte
        num_missing = _num_missing(pending)
        if num_missing != 0:
            if num_missing < 0 or not _may_go_on(machine, number, first, count, depth, state, pending, num_missing):
                return 0, 0, 0, 0, 0
            return first, count, depth, state, pending
        point = folded(quotes, _point_of(pending))
        first, count, depth = _with_character(quotes, lexeme, first, count, depth, point)
    if count == 0 or not any_leads_on(machine, number, first, count, depth, state):
        return 0, 0, 0, 0, 0
    return first, count, depth, state, 0


@kernel
def folded(quotes: Quotes, point: int) -> int:
    """The character as which one counts."""
    index = first_from_point(quotes.spellings, point)
    return quotes.folds_to[index] if index < len(quotes.spellings) and quotes.spellings[index] == point else point


@kernel
def _with_character(
    quotes: Quotes, lexeme: QuoteLexeme, first: int, count: int, depth: int, point: int
) -> tuple[int, int, int]:
    """The suffixes of an interval that go on with a character of the text: (first, count, depth)."""
    length = num_utf8_bytes(point)
    for index in range(length):
        first, count = narrowed(quotes.buckets, lexeme, first, count, depth, utf8_byte(point, length, index))
        depth += 1
        if count == 0:
            break
    return first, count, depth


@kernel
def _num_read(pending: int) -> int:
    return 1 if pending < 0x100 else 2 if pending < 0x10000 else 3 if pending < 0x1000000 else 4


@kernel
def _num_missing(pending: int) -> int:
    """How many bytes the character still has; -1 where none begins so."""
    num_read = _num_read(pending)
    lead = pending >> 8 * (num_read - 1)
    if lead < 0xC2 or lead > 0xF4:
        return -1
    return (2 if lead < 0xE0 else 3 if lead < 0xF0 else 4) - num_read


@kernel
def _point_of(pending: int) -> int:
    """The character of some bytes, as far as they are there."""
    num_read = _num_read(pending)
    lead = pending >> 8 * (num_read - 1)
    point = lead & (0x1F if lead < 0xE0 else 0xF if lead < 0xF0 else 7)
    for index in range(1, num_read):
        point = point << 6 | pending >> 8 * (num_read - 1 - index) & 0x3F
    return point


@kernel
def _first_of_as_many_bytes(pending: int) -> int:
    """The first character that takes as many bytes as the one that begins so."""
    num_bytes = _num_read(pending) + _num_missing(pending)
    return 0x80 if num_bytes == 2 else 0x800 if num_bytes == 3 else 0x10000


@kernel
def _may_go_on(
    machine: Machine, number: int, first: int, count: int, depth: int, state: int, pending: int, num_missing: int
) -> bool:
    """Whether some suffix goes on with a character that may be written so as `pending` begins, and leads to an end."""
    quotes = machine.quotes
    lexeme = quotes.lexemes[number]
    begin = _point_of(pending) << 6 * num_missing
    end = begin + (1 << 6 * num_missing)
    num_read = _num_read(pending)
    index = first_from_point(quotes.spellings, max(begin, _first_of_as_many_bytes(pending)))
    while index < len(quotes.spellings) and quotes.spellings[index] < end:
        low, found, behind = _with_character(quotes, lexeme, first, count, depth, quotes.folds_to[index])
        if found:
            after = state if state < 0 else state_behind(machine, state, quotes.spellings[index], num_read)
            is_on = state < 0 or after >= 0
            if is_on and any_leads_on(machine, number, low, found, behind, after):
                return True
        index += 1
    low, found = first, count  # and those that are written as they stand in the text
    for place in range(num_read):
        low, found = narrowed(
            quotes.buckets, lexeme, low, found, depth + place, pending >> 8 * (num_read - 1 - place) & 0xFF
        )
        if found == 0:
            return False
    for index in range(low, low + found):
        start = lexeme.order[index]
        after = state if state < 0 else state_behind(machine, state, point_at(lexeme.text, start + depth), num_read)
        is_on = state < 0 or after >= 0
        if is_on and leads_on(machine, number, start, start + depth + num_read + num_missing, after):
            return True
    return False
