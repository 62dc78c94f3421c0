"""Structs that kernels and Python share for the walks of products.

A pair is a configuration of the machine (code, stack node) with a state of the regular side, q.
"""

from __future__ import annotations

from ...memory.hash_map import HashMap
from ...memory.structs import Part, Struct, Table, int32, int64
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
    """A pair that a walk met."""

    code: int64
    stack: int64
    q: int64
    capture: int64  # 1 + the stack node below the frame whose captured text was not read; 0: none; or SEVERAL


class ProductWalk(Struct):
    """The current walk of a product, with the pairs that it met. The regular side is in the DFA of the vocabulary's
    tables.
    """

    request: Part[Request]  # request of a kernel, if the machine's own request has kind 0
    pairs: Table[Pair]  # found by `pair_index`
    pair_index: Part[HashMap]
    queue: Table[QueueEntry]  # a node occurs at most once in each of `queue`, `tokens` and `forks`
    head: int64
    cursor: int64  # progress within the entry at the head
    tokens: Table[Arrival]  # nodes where tokens end
    forks: Table[Arrival]  # nodes where a document or other text may begin
