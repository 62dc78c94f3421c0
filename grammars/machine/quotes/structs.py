"""Structs that kernels and Python share for quotes: `Quotes` of one automaton, with its source texts as spelled in JSON
strings."""

from __future__ import annotations

from typing import ClassVar

from ...memory.hash_map import HashMap
from ...memory.structs import Array, Part, Struct, Table, int32, int64
from ..sources.structs import SortedText, SuffixBuckets
from ..structs import Interiors


class QuoteLexeme(SortedText):
    """A string that is a quote, with its other conditions."""

    characters: Array[int32]  # for each place: number of whole characters before the place; empty if not needed
    state: int64  # first state of the DFA of the other conditions; -1: there are none
    low: int64  # minimum number of characters
    high: int64  # maximum number of characters; -1: no bound
    is_free: int64  # 1 if there are no other conditions, so that every place leads to an end
    returned: int64  # class of the string


class QuotePlace(Struct):
    """The state of a string: an interval of a lexeme's suffixes, and a state of its DFA."""

    lexeme: int32
    first: int32
    count: int32
    depth: int32
    state: int32  # -1: there is no DFA
    may_end: int32  # 1 if the text so far is a quote and fits the other conditions


class QuoteEntry(Struct):
    """An entry of a walk: a node of the vocabulary's trie, and the suffixes that continue with its bytes."""

    node: int32
    first: int32
    count: int32
    depth: int32
    state: int32


class Quotes(Struct):
    """The quotes of one automaton."""

    rooms: ClassVar = {"places": 64, "queue": 256, "lexemes": 4}
    unused: ClassVar = frozenset({"places"})
    lexemes: Table[QuoteLexeme]
    places: Table[QuotePlace]
    place_index: Part[HashMap]  # hash of a place -> its number
    work_left: int64  # steps until the next look at the watch
    lives: Part[HashMap]  # (lexeme, DFA state, place in the text) -> 1 if it leads to an end, else 0; see `ahead`
    buckets: Part[SuffixBuckets]
    queue: Table[QuoteEntry]
    interiors: Part[Interiors]  # the interiors of places at the beginning of a quote
