"""Whitespace between JSON tokens, as small automata for each context of a document.

Options: "compact" (none), "spaced" (one space after each comma and colon), "flexible" (up to two of space, newline and
    tab at each context), or a regex (Python `re` syntax) for the whitespace of one context. Nothing may stand before or
    after the document.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...errors import GrammarInputError, InvalidRegexError, UnsatisfiableError
from ...regex import algebra as lang
from ...regex.charset import from_ranges
from ...spelling import Spelling
from .. import layout as at

WHITESPACE_BYTES = b" \t\n\r"
_EXPECTED = 'expected "compact", "flexible", "spaced" or a regex of JSON whitespace characters'

# For each state: the next state by each whitespace byte (-1: none), and True if the whitespace may end.
_Automaton = list[tuple[list[int], bool]]

_NONE: _Automaton = [([-1, -1, -1, -1], True)]
_ONE_SPACE: _Automaton = [([1, -1, -1, -1], False), ([-1, -1, -1, -1], True)]
_FLEXIBLE: _Automaton = [([1, 1, 1, -1], True), ([2, 2, 2, -1], True), ([-1, -1, -1, -1], True)]


def whitespace_table(option: str, spelling: Spelling | None = None) -> NDArray[np.int32]:
    """Return the table of a whitespace option, int32 (NUM_CONTEXTS * WS_STATES, 8).

    option: one of the options above.
    spelling: characters that tokens can spell; None: all.

    A row has the next structural code by space, tab, newline and return (-1: none), then 1 if the whitespace may end.
    Raises UnsatisfiableError if the option needs characters without tokens.
    Raises GrammarInputError for an unknown option, or a regex that matches more than whitespace or has too many states.
    """
    table = np.full((at.NUM_CONTEXTS * at.WS_STATES, 8), -1, dtype=np.int32)
    inside, after_comma = _automata(option, spelling)
    for context in range(1, at.NUM_CONTEXTS):
        _fill_context(table, context, after_comma if context in (at.VALUE, at.KEY) else inside)
    _fill_context(table, at.ROOT_VALUE, _NONE)
    return table


def _fill_context(table: NDArray[np.int32], context: int, automaton: _Automaton) -> None:
    for state, (following, may_end) in enumerate(automaton):
        code = context * at.WS_STATES + state
        table[code, :4] = [context * at.WS_STATES + target if target >= 0 else -1 for target in following]
        table[code, 4] = may_end


def _automata(option: str, spelling: Spelling | None) -> tuple[_Automaton, _Automaton]:
    """Return two automata: for most contexts, and for the contexts after a colon or comma."""
    if option == "compact":
        return _NONE, _NONE
    if option == "spaced":
        if spelling is not None and not spelling.can_spell(" "):
            raise _unspellable(option)
        return _NONE, _ONE_SPACE
    if option == "flexible":
        return _FLEXIBLE, _FLEXIBLE
    custom = _regex_automaton(option, spelling)
    return custom, custom


def _unspellable(option: str) -> UnsatisfiableError:
    return UnsatisfiableError(f"whitespace={option!r} needs characters that the vocabulary has no tokens for")


def _regex_automaton(pattern: str, spelling: Spelling | None) -> _Automaton:
    from ...regex.python_re import full

    try:
        start = full(pattern)
    except InvalidRegexError as error:
        context = "" if error.position is None else f" at offset {error.position}"
        raise GrammarInputError(f"whitespace: {error.reason}{context} of {pattern!r}; {_EXPECTED}") from None
    space = lang.repeat(lang.chars(((9, 10), (13, 13), (32, 32))), 0)
    if lang.is_empty(start) or not lang.is_empty(lang.difference(start, space)):
        raise GrammarInputError(f"whitespace={pattern!r} matches more than JSON allows between tokens; {_EXPECTED}")
    if spelling is not None:
        known = [char for char in WHITESPACE_BYTES if spelling.can_spell(chr(char))]
        start = lang.intersect(start, lang.repeat(lang.chars(from_ranges((char, char) for char in known)), 0))
        if lang.is_empty(start):
            raise _unspellable(pattern)
    states = [start]
    automaton: _Automaton = []
    while len(automaton) < len(states):
        state = states[len(automaton)]
        following = []
        for byte in WHITESPACE_BYTES:
            target = state.step(byte)
            if lang.is_empty(target):
                following.append(-1)
                continue
            if target not in states:
                states.append(target)
            following.append(states.index(target))
        automaton.append((following, state.nullable))
        if len(states) > at.WS_STATES:
            raise GrammarInputError(f"whitespace={pattern!r} needs more than {at.WS_STATES} automaton states")
    return automaton
