"""How UTF-8 spells sets of characters, without spelling each one."""

from __future__ import annotations

from ...regex.charset import CharSet
from ...regex.utf8 import leads


def first_byte(code: int) -> int:
    """The first byte of a code point (also of a surrogate, as the edge of a range)."""
    if code < 0x80:
        return code
    if code < 0x800:
        return 0xC0 | code >> 6
    return 0xE0 | code >> 12 if code < 0x10000 else 0xF0 | code >> 18


def num_inner_states(charset: CharSet) -> int:
    """How many states the smallest automaton that reads one character of the set has inside multi-byte characters."""
    states: dict[tuple[tuple[int, int, int], ...], int] = {}
    runs = [(low, high, 0) for low, high in charset]
    list(leads(runs, lambda content: states.setdefault(tuple(content), len(states) + 1)))
    return len(states)
