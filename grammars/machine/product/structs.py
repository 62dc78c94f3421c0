"""What the kernels of this package and Python share: of one product, and of the searches for one goal.

A pair is a configuration of the machine (code, stack node) with a state of the regular side, q.
"""

from __future__ import annotations

from ...memory.hash_map import HashMap, PairMap
from ...memory.structs import Array, Part, Struct, Table, int32, int64, uint8
from ..structs import Request


class QueueEntry(Struct):
    """An entry of the queue of a walk: what is under a node of the trie goes on from a pair."""

    node: int64
    code: int64
    stack: int64
    q: int64
    capture: int64  # see Pair
    pair: int64  # its number, -1 at the start


class Arrival(Struct):
    """A node of the trie, with the pair that it leads to."""

    node: int32  # with SUBTREE: all tokens below lead there
    pair: int32  # its number


class Pair(Struct):
    """A pair that a walk or a search met."""

    code: int64
    stack: int64
    q: int64
    capture: int64  # 0 none, else 1 + the stack node below the frame that took one without its text; or SEVERAL


class NodeState(Struct):
    """A node of the trie, with a q."""

    node: int32
    q: int32


class Pairs(Struct):
    """Pairs with their numbers."""

    pairs: Table[Pair]
    pair_index: Part[HashMap]


class Product(Pairs):
    """Of one product: the walk that is under way, with the pairs that it met. The regular side is in the DFA of the
    vocabulary's tables."""

    request: Part[Request]  # what a kernel waits for, if the machine's does not say it
    preference: Array[uint8]  # the bytes in the order in which a search tries them
    queue: Table[QueueEntry]  # this and the next two: a node comes there once at most
    head: int64
    cursor: int64  # how far the entry at the head is done
    tokens: Table[Arrival]  # where tokens end
    forks: Table[Arrival]  # where documents may begin beside something else; of an inside: where another byte comes
    classes: int64  # the byte classes of an inside, as bits; 0: the walk is that of a machine
    large: int64  # tokens under a node from which a walk waits for an inside; 0: it never does
    inside: int64  # of the entry at the head: UNASKED, TAKEN or NO_INSIDE
    exits: Array[NodeState]  # of the inside that is taken: nodes at which another byte comes, with the q before it


class KnownPair(Struct):
    """What is known of a pair."""

    known: int32  # 0 nothing; CLEAN, CAPTURING, DOUBTFUL, LOST
    visited_by: int32  # the number of the last search that came there


class SearchEntry(Struct):
    """A pair that a search visits."""

    code: int64
    stack: int64
    q: int64
    cursor: int64  # how many bytes were tried, in the order of their preference
    capture: int64  # on the step that led here
    pair: int64  # its number among the known ones
    parent: int64  # the entry before, -1 none
    byte: int64  # of the step that led here


class Search(Pairs):
    """What is known for one goal of some pairs, without captures, and the search that is under way."""

    known: Table[KnownPair]  # of each pair
    answers: Part[PairMap]  # of q and 1: may a document leave it? 1 if so
    entries: Table[SearchEntry]  # in the order in which they were met
    here: int64  # the entry at which the search is
    number: int64  # of this search
    budget: int64  # pairs that it may visit
    is_deep: int64  # 1: it goes depth first; 0: breadth first
    has_found: int64  # 1: it has reached the goal
