"""Kernel: find matches of a language in a text that arrives in pieces.

A thread is a position, and the place in the text where its match began. Threads step side by side, ordered by these
places. When two threads reach the same position, the later one ends. The time for a character is therefore bounded by
the number of positions, for any number of begun matches.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...kernels.arrays import Int32s
from ...memory.kernel import exported, kernel
from ...memory.structs import Struct, Table, int32, int64
from .. import layout as at
from ..structs import Dfa
from .sets import node_after


class Search(Struct):
    """The search in one text. Each table has room for all positions of `dfa`, which does not change during searches."""

    dfa: Dfa
    first: int64  # the position before a match
    num_read: int64
    match_start: int64  # start of the match that ended at the last character; -1 for none
    num_threads: int64
    mark: int64
    marks: Table[int32]  # for each position: `mark` while a thread is at it
    here: Table[int32]  # positions of threads
    starts: Table[int64]  # starts of their matches
    following: Table[int32]  # this and `following_starts`: `here` and `starts` after the next character
    following_starts: Table[int64]
    pending: Table[int32]


@exported
def read(address: int, codes: Int32s) -> int:
    """Read characters up to the first end of a match. Returns how many were read.

    address: of the Search.
    """
    search = Search.at(address)
    for index in range(len(codes)):
        _step(search, int(codes[index]))
        if search.match_start >= 0:
            return index + 1
    return len(codes)


@exported
def begin(address: int) -> None:
    """Drop all threads, and begin new ones at the current place.

    address: of the Search.
    """
    search = Search.at(address)
    search.mark += 1
    search.num_threads = _add(search, search.first, search.num_read, 0)
    _swap(search)


@kernel
def _step(search: Search, code: int) -> None:
    positions, count = search.dfa.positions.span(), 0
    search.mark += 1
    search.match_start = -1
    search.num_read += 1
    for thread in range(search.num_threads):
        position = search.here[thread]
        if _reads(search.dfa, positions[position].reads, code):
            count = _add(search, positions[position].following, search.starts[thread], count)
    search.num_threads = _add(search, search.first, search.num_read, count)
    _swap(search)


@kernel
def _add(search: Search, position: int, start: int, count: int) -> int:
    """Add the threads that start from a position, and return the new number of threads. A jump leads to other
    positions.

    An END notes a match.
    start: where the match began.
    count: number of threads so far.
    """
    positions, marks, mark = search.dfa.positions.span(), search.marks.span(), search.mark
    stack, depth = search.pending.span(), 0
    if marks[position] != mark:
        marks[position] = mark
        stack[0] = position
        depth = 1
    while depth:
        depth -= 1
        here = stack[depth]
        reads = positions[here].reads
        if reads == at.END:
            if search.match_start < 0:
                search.match_start = start
        elif reads != at.JUMP:
            search.following[count] = here
            search.following_starts[count] = start
            count += 1
        other = positions[here].other if reads == at.JUMP else -1
        for target in (positions[here].following if reads == at.JUMP else -1, other):
            if target >= 0 and marks[target] != mark and positions[target].shortest <= at.MAX_COUNT:
                marks[target] = mark
                stack[depth] = target
                depth += 1
    return count


@kernel
def _swap(search: Search) -> None:
    """Make the following threads the current ones."""
    for thread in range(search.num_threads):
        search.here[thread] = search.following[thread]
        search.starts[thread] = search.following_starts[thread]


@kernel
def _reads(dfa: Dfa, number: int, code: int) -> bool:
    """Return True if the set with this number contains a character."""
    charset = dfa.char_sets[number]
    if code < 0x80:
        return charset.ascii[code >> 6] >> (code & 63) & 1 > 0
    node = charset.others
    if code < 0x800:
        node = node_after(dfa, node, 0xC0 | code >> 6)
    else:
        if code < 0x10000:
            node = node_after(dfa, node, 0xE0 | code >> 12)
        else:
            node = node_after(dfa, node, 0xF0 | code >> 18)
            node = node_after(dfa, node, 0x80 | code >> 12 & 63)
        node = node_after(dfa, node, 0x80 | code >> 6 & 63)
    return node_after(dfa, node, 0x80 | code & 63) < 0
