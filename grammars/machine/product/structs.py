"""Structs that kernels and Python share for products: one product, and the searches for one goal.

A pair is a configuration of the machine (code, stack node) with a state of the regular side, q.
"""

from __future__ import annotations

from ...memory.hash_map import HashMap, PairMap
from ...memory.structs import Array, Part, Struct, Table, int32, int64, uint8
from ..structs import Request


class QueueEntry(Struct):
    """An entry of a walk's queue: a node of the trie, and the pair after its bytes."""

    node: int64
    code: int64
    stack: int64
    q: int64
    capture: int64  # see Pair
    pair: int64  # number of the pair; -1 at the start


class Arrival(Struct):
    """A node of the trie, with the pair that it leads to."""

    node: int32  # with SUBTREE: all tokens below lead there
    pair: int32  # number of the pair


class Pair(Struct):
    """A pair that a walk or a search met."""

    code: int64
    stack: int64
    q: int64
    capture: int64  # 1 + the stack node below the frame whose captured text was not read; 0: none; or SEVERAL


class NodeState(Struct):
    """A node of the trie, with a q."""

    node: int32
    q: int32


class Pairs(Struct):
    """Numbered pairs, found by a hash map."""

    pairs: Table[Pair]
    pair_index: Part[HashMap]


class ProductWalk(Pairs):
    """The current walk of a product, with the pairs that it met. The regular side is in the DFA of the vocabulary's
    tables.
    """

    request: Part[Request]  # request of a kernel, if the machine's own request has kind 0
    preference: Array[uint8]  # all bytes; a search tries them in this order
    queue: Table[QueueEntry]  # a node occurs at most once in each of `queue`, `tokens` and `forks`
    head: int64
    cursor: int64  # progress within the entry at the head
    tokens: Table[Arrival]  # nodes where tokens end
    # nodes where a document or other text may begin; for an `Inside`: nodes before a byte of another class
    forks: Table[Arrival]
    classes: int64  # byte classes of an `Inside`, as bits; 0: a walk with the machine
    large: int64  # minimum number of tokens under a node for which a walk asks for an `Inside`; 0: never
    inside: int64  # for the entry at the head: UNASKED, TAKEN or NO_INSIDE
    exits: Array[NodeState]  # exits of the current `Inside`: nodes before a byte of another class, with their q


class KnownPair(Struct):
    """The answer for a pair."""

    known: int32  # 0 unknown; CLEAN, CAPTURING, DOUBTFUL, LOST
    visited_by: int32  # number of the last search that reached it


class SearchEntry(Struct):
    """A pair that a search visits."""

    code: int64
    stack: int64
    q: int64
    cursor: int64  # number of bytes tried, in the order of `preference`
    capture: int64  # capture on the step that led here
    pair: int64  # number of the pair
    parent: int64  # the entry before; -1 for none
    byte: int64  # byte of the step that led here


class ProductSearch(Pairs):
    """The answers for the pairs of one goal, and the current search."""

    known: Table[KnownPair]  # answer for each pair
    answers: Part[PairMap]  # (q, 1) -> 1 if the document may end in state q, else 0
    entries: Table[SearchEntry]  # the pairs that the search met, in this order
    here: int64  # index of the current entry
    number: int64  # number of this search
    budget: int64  # maximum number of pairs to visit
    is_deep: int64  # 1: depth first; 0: breadth first
    has_found: int64  # 1: it has reached the goal
    work_left: int64  # entries to go on with before the next look at the time limit
