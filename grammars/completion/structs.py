"""What the kernels of this package and Python share."""

from __future__ import annotations

from ..memory.structs import Array, Struct, Table, int32, int64, uint8


class Visited(Struct):
    """A state of a lexeme that a search met."""

    state: int32
    origin: int32  # the entry from which it was reached, -1 at the start
    byte: int32  # that led here


class LexemeEnd(Struct):
    """The first end of a language."""

    language: int32  # number
    origin: int32  # the entry from which it was reached
    byte: int32  # the last one, -1 where the text ends without


class EndSearch(Struct):
    """A search, breadth first, for the ends of a lexeme."""

    preference: Array[uint8]  # all bytes in the order in which they are tried
    visited: Table[Visited]  # with room for all states
    head: int64
    limit: int64  # so many entries are looked at
    marks: Array[int32]  # for each state of the DFA the epoch in which a search last met it
    epoch: int64  # of this search
    ends: Table[LexemeEnd]
