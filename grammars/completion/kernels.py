"""Kernels: ends of lexemes, the fewest tokens of a text, and questions about states in strings of a word set."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..kernels.arrays import Int32s, UInt8s
from ..machine import layout as at
from ..machine.documents.word_steps import base_at, is_allowed, word_set_of
from ..machine.lexemes.threads import find_threads
from ..machine.machine import Machine
from ..machine.mask_work import child_of
from ..machine.structs import Dfa, Tables
from ..memory.kernel import exported, kernel
from ..memory.structs import Array, Struct, Table, int32, int64, uint8

_MORE = 64  # states visited after the first end, to find ends of other languages
UNSPELLABLE = 1 << 30
"""More tokens than any text has."""


class Visited(Struct):
    """A state of a lexeme that a search met."""

    state: int32
    origin: int32  # entry that it was reached from; -1 at the start
    byte: int32  # byte that led here


class LexemeEnd(Struct):
    """The first end of a language."""

    language: int32  # number of the language
    origin: int32  # entry that it was reached from
    byte: int32  # last byte; -1 if the text ends without one


class EndSearch(Struct):
    """A breadth-first search for the ends of a lexeme."""

    preference: Array[uint8]  # all bytes, in the order in which they are tried
    visited: Table[Visited]  # with room for all states
    head: int64
    limit: int64  # maximum number of entries to visit
    marks: Array[int32]  # DFA state -> epoch of the last search that met it
    epoch: int64  # number of this search
    ends: Table[LexemeEnd]


@kernel
def _visit(dfa: Dfa, search: EndSearch, state: int, origin: int, byte: int) -> None:
    """Add the threads of a new state. There are fewer threads than sets of them."""
    if search.marks[state] == search.epoch:
        return
    find_threads(dfa, state)  # may start the kernel again
    search.marks[state] = search.epoch
    for index in range(dfa.threads.used):
        thread = dfa.threads[index]
        if thread == state or search.marks[thread] != search.epoch:
            search.marks[thread] = search.epoch
            tail = search.visited.used
            entry = search.visited[tail]
            entry.state = thread
            entry.origin = origin
            entry.byte = byte
            search.visited.used = tail + 1


@kernel
def _note(search: EndSearch, language: int, origin: int, byte: int) -> None:
    """Note the first end of a language. byte: last byte; -1 if the text ends without one."""
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
    """Go on with a search. Returns -1 when it is done, else the state whose row must be made first."""
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
                _visit(dfa, search, following, entry, byte)
            elif following <= at.FIRST_END:
                _note(search, at.FIRST_END - following, entry, byte)
        search.head = entry + 1
    return -1


@exported
def spell_backwards(tables: int, text: UInt8s, counts: Int32s, tokens: Int32s) -> None:
    """Find the fewest tokens that spell a text.

    tables: address of the vocabulary's Tables.
    text: uint8, bytes of the text.
    counts: int32 (length + 1,), output: fewest tokens from each offset on; UNSPELLABLE if no tokens spell the rest.
    tokens: int32 (length + 1,), output: first of these tokens.
    """
    trie, length = Tables.at(tables).trie, len(text)
    ids, starts, ends, first_child = trie.sorted_ids, trie.token_start, trie.own_end, trie.first_child
    counts[length] = 0
    for start in range(length - 1, -1, -1):
        best, token, node = UNSPELLABLE, -1, 0
        for index in range(start, length):
            node = child_of(trie, node, int(text[index]))
            if node == 0:
                break
            if ends[node] > starts[node] and counts[index + 1] + 1 <= best:
                best, token = int(counts[index + 1]) + 1, ids[starts[node]]
            if first_child[node] == first_child[node + 1]:
                break
        counts[start] = best
        tokens[start] = token


@exported(releases_gil=False)
def is_word_allowed(address: int, code: int, word: int) -> int:
    """Return 1 if a word of a state's set may come now.

    address: address of the Machine.
    word: number of the word in the set.
    """
    machine = Machine.at(address)
    return is_allowed(machine, word_set_of(machine, code), word)


@exported(releases_gil=False)
def base_code(address: int, code: int) -> int:
    """Return the code of the base lexeme beside an OVERLAY state; DEAD if no text goes on. address: address of the
    Machine.
    """
    return base_at(Machine.at(address), code)
