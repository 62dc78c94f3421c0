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
    folds: int64  # 1 where characters may be written in another case
    lexeme_class: int64


class QuotePlace(Struct):
    """What is read of a string: an interval of the suffixes of a lexeme, and a state of its DFA."""

    lexeme: int32
    first: int32
    count: int32
    depth: int32
    state: int32  # -1 where there is no DFA
    pending: int32  # bytes of a character that is not read yet, where case is folded; see `folding`
    may_end: int32  # 1 where it is a quote, with all else that is said


class Walk(Struct):
    """A walk along a text, of a quote that may be written in another case."""

    lexeme: int64  # -1: there is none
    start: int64  # where the quote begins
    begun: int64  # where the walk began
    state: int64  # of the DFA there
    place: int64  # to which it has come


class PassedPlace(Struct):
    """A place that a walk has passed, and a state of the DFA there."""

    place: int32
    state: int32
    is_alone: int32  # 1 where all that the walk found behind it began in this state


class QuoteEntry(Struct):
    """An entry of a walk: a node of the vocabulary's trie, and where its bytes lead."""

    node: int32
    first: int32
    count: int32
    depth: int32
    state: int32
    pending: int32


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
    rooms |= {"states": 16, "states_after": 16, "marks": 64, "passed": 16}
    unused: ClassVar = frozenset({"interiors", "places"})  # interior 0 is one that is not kept, place 0 none
    lexemes: Table[QuoteLexeme]
    spellings: Array[int32]  # characters that count as others where case is folded, ascending
    folds_to: Array[int32]  # as which ones
    folded: Array[int32]  # the same pairs by what others count as, ascending
    written_as: Array[int32]  # these others
    places: Table[QuotePlace]
    place_index: Part[HashMap]  # of hashes of places
    walk: Part[Walk]
    states: Table[int32]  # of a DFA, that the walk is in
    states_after: Table[int32]  # and those behind the next character
    marks: Table[int64]  # of all states of the DFA: `mark` where the state is one of these
    mark: int64
    passed: Table[PassedPlace]
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
