"""Kernels: a search, breadth first over the bytes of a lazy DFA's rows, for the ends of a lexeme."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.structs import Dfa
from ..memory.kernel import exported, kernel
from .structs import EndSearch

_MORE = 64  # states that are looked at after the first end, for the ends of other languages


@kernel
def _visit(search: EndSearch, state: int, origin: int, byte: int) -> None:
    if search.marks[state] != search.epoch:
        search.marks[state] = search.epoch
        tail = search.visited.used
        entry = search.visited[tail]
        entry.state = state
        entry.origin = origin
        entry.byte = byte
        search.visited.used = tail + 1


@kernel
def _note(search: EndSearch, language: int, origin: int, byte: int) -> None:
    """Note the first end of a language. byte: the last one, -1 where the text ends without."""
    ends, count = search.ends.span(), search.ends.used
    for number in range(count):
        if ends[number].language == language:
            return
    if count < len(ends):
        end = ends[count]
        end.language = language
        end.origin = origin
        end.byte = byte
        search.ends.used = count + 1
        if count == 0:
            search.limit = search.visited.used + _MORE


@exported
def find_ends(dfa_address: int, address: int) -> int:
    """Go on with a search: -1 when it is done, else the state whose row must be made first."""
    dfa, search = Dfa.at(dfa_address), EndSearch.at(address)
    preference, rows = search.preference, dfa.rows.span()
    while search.head < search.visited.used and search.head < search.limit:
        entry = search.head
        state = search.visited[entry].state
        accepted = dfa.states[state].accepts
        if accepted >= 0:
            _note(search, accepted, entry, -1)
        row = rows[state]
        if row[0] == at.UNBUILT:
            return state
        for index in range(256):
            byte = preference[index]
            following = row[byte]
            if following >= 0:
                _visit(search, following, entry, byte)
            elif following <= at.FIRST_END:
                _note(search, at.FIRST_END - following, entry, byte)
        search.head = entry + 1
    return -1
