"""What the kernels and Python share of quotes: `Quotes`, of one automaton, whose source texts are spelled as they stand
in JSON strings."""

from __future__ import annotations

from typing import ClassVar

from ...memory.hash_map import HashMap, PairMap
from ...memory.structs import Array, Part, Struct, Table, int32, int64
from ..sources.structs import SortedText, SuffixBuckets


class QuoteLexeme(SortedText):
    """A string that is a quote, beside what else is said of it."""

    characters: Array[int32]  # for each place how many characters end there or before; empty where nobody asks
    state: int64  # of the DFA of what else is said, at the beginning; -1 where nothing is
    low: int64  # bounds of the number of characters
    high: int64  # -1: no bound
    is_free: int64  # 1 where nothing else is said, so that every place leads to an end
    lexeme_class: int64


class QuotePlace(Struct):
    """What is read of a string: an interval of the suffixes of a lexeme, and a state of its DFA."""

    lexeme: int32
    first: int32
    count: int32
    depth: int32
    state: int32  # -1 where there is no DFA
    may_end: int32  # 1 where it is a quote, with all else that is said


class QuoteEntry(Struct):
    """An entry of a walk: a node of the vocabulary's trie, and where its bytes lead."""

    node: int32
    first: int32
    count: int32
    depth: int32
    state: int32


class QuoteInterior(Struct):
    """What a subtree of the vocabulary does at a place."""

    row: int64  # address of the row of tokens that stay inside; 0 where there is none
    first_inside: int64  # of the nodes whose own tokens stay inside
    num_inside: int64
    first_exit: int64  # of the nodes after a closing quote
    num_exits: int64


class Quotes(Struct):
    """Those of one automaton."""

    rooms: ClassVar = {"places": 64, "queue": 256, "inside": 1024, "exits": 64, "interiors": 8, "lexemes": 4}
    unused: ClassVar = frozenset({"interiors", "places"})  # interior 0 is one that is not kept, place 0 none
    lexemes: Table[QuoteLexeme]
    places: Table[QuotePlace]
    place_index: Part[HashMap]  # of hashes of places
    work_left: int64  # steps of a state until the next look at the watch
    lives: Part[HashMap]  # of a lexeme, DFA state and place in the text: 1 where it leads to an end, 0 not; see `ahead`
    buckets: Part[SuffixBuckets]
    queue: Table[QuoteEntry]
    inside: Table[int32]
    num_inside: int64  # that are kept
    exits: Table[int32]
    num_exits: int64
    interiors: Table[QuoteInterior]
    interior_of: Part[PairMap]  # of a place and a node
