"""Kernels: what the regular side does inside of a string or a name, while the machine does not change its state.

The machine is not run for that: some byte classes are known to leave its state as it is.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton.structs import Tables, Trie
from ..memory.kernel import exported, kernel
from ..memory.structs import Table
from . import layout as ix
from .steps import row_of, set_tokens
from .structs import InsideWalk, NodeState, Product


@exported(releases_gil=False)
def begin_inside(address: int, node: int, q: int) -> None:
    """Set up the walk of what is under a node of the trie. q: 0 where characters are counted."""
    walk = InsideWalk.at(address)
    walk.queue.used = 0
    walk.tokens.used = 0
    walk.exits.used = 0
    walk.head = 0
    _list(walk.queue, node, q)


@exported
def walk_inside(product_address: int, tables_address: int, address: int, wanted: int) -> int:
    """Follow the bytes of the wanted classes; how many tokens end on such ways. Where it waits, call it again.

    The walk's `tokens` are these, each with the q that it leads to. Its `exits` are the nodes of other bytes.
    product_address: 0 where characters are counted instead of q. wanted: classes of ASCII bytes, as bits.
    BOUNDS: each node of the trie is listed at most once in each list.
    """
    walk, product, tables = InsideWalk.at(address), Product.at(product_address), Tables.at(tables_address)
    dfa, trie = tables.dfa, tables.trie
    byte_classes, bytes_ = trie.byte_classes, trie.byte
    head = walk.head
    while head < walk.queue.used:
        node, q = walk.queue[head].node, walk.queue[head].q
        if product_address:
            row_of(product, dfa, q)
        for child in range(trie.first_child[node], trie.first_child[node + 1]):
            byte = bytes_[child]
            if byte >= 128 or byte_classes[byte] & ~wanted:
                _list(walk.exits, child, q)
            else:
                following = dfa.rows[q][byte] if product_address else q + 1
                if following >= 0:
                    loops = dfa.loops[following] if product_address else 0
                    _pass(trie, walk, child, following, wanted & loops)
        head += 1
        walk.head = head
    return walk.tokens.used


@kernel
def _pass(trie: Trie, walk: InsideWalk, node: int, q: int, loops: int) -> None:
    """List the tokens that end at a node, and go on below it; or list all below it where their bytes leave q as it is.

    loops: the classes of these bytes.
    """
    if trie.first_child[node] < trie.first_child[node + 1]:
        if trie.below[node] & ~loops == 0:
            _list(walk.tokens, node | ix.SUBTREE, q)
            return
        _list(walk.queue, node, q)
    if trie.own_end[node] > trie.token_start[node]:
        _list(walk.tokens, node, q)


@kernel
def _list(states: Table[NodeState], node: int, q: int) -> None:
    """Add to one of the lists of a walk."""
    state = states[states.reserve(1)]
    state.node = node
    state.q = q


@exported
def fill_rows(tables_address: int, address: int) -> None:
    """Set the bits of the tokens that a walk listed, each in its row."""
    walk, trie = InsideWalk.at(address), Tables.at(tables_address).trie
    for index in range(walk.tokens.used):
        row = walk.rows.part(walk.row_numbers[index] * trie.num_words, trie.num_words)
        set_tokens(trie, walk.tokens[index].node, row)
