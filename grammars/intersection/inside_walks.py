"""Kernels: what the regular side does inside of a string or a name, where the machine stays as it is.

That is found without the machine, from the kinds of bytes that leave it so.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load8, load32, load64, store32, store64
from . import layout as ix
from .steps import wait


@kernel
def begin_inside(i: int, node: int, q: int) -> None:
    """Set up the walk of what is under a node of the trie. q: 0 where characters are counted."""
    store32(load64(i, ix.I_QUEUE), 0, node)
    store32(load64(i, ix.I_QUEUE), 1, q)
    store64(i, ix.I_HEAD, 0)
    store64(i, ix.I_TAIL, 1)
    store64(i, ix.I_NUM_OUT, 0)
    store64(i, ix.I_NUM_EXITS, 0)


@kernel
def walk_inside(x: int, lexicon: int, i: int, kinds: int, wanted: int) -> int:
    """Follow ASCII bytes of the wanted kinds; list tokens with the q that they lead to, and where other bytes come.

    x: 0 where characters are counted instead of q. kinds: address of the kind of each ASCII byte. wanted: kinds, as
    bits. 0, or WAITING for X_NEED, then call again. Reads the children of each node that is reached.
    BOUNDS: each node of the trie is listed at most once in each list.
    """
    head = load64(i, ix.I_HEAD)
    while head < load64(i, ix.I_TAIL):
        node, q = load32(load64(i, ix.I_QUEUE), 2 * head), load32(load64(i, ix.I_QUEUE), 2 * head + 1)
        if x and load32(load64(x, ix.X_ROWS), q * 256) == ix.UNBUILT:
            return wait(x, ix.NEED_ROW, q)
        first_child, bytes_ = load64(lexicon, at.L_FIRST_CHILD), load64(lexicon, at.L_BYTE)
        for child in range(load32(first_child, node), load32(first_child, node + 1)):
            byte = load8(bytes_, child)
            if byte >= 128 or load64(kinds, byte) & ~wanted:
                _list(i, ix.I_EXITS, ix.I_NUM_EXITS, child, q)
            else:
                following = load32(load64(x, ix.X_ROWS), q * 256 + byte) if x else q + 1
                if following >= 0:
                    loops = load64(load64(x, ix.X_LOOPS), following) if x else 0
                    _pass(lexicon, i, child, following, wanted & loops)
        head += 1
        store64(i, ix.I_HEAD, head)
    return 0


@kernel
def _pass(lexicon: int, i: int, node: int, q: int, loops: int) -> None:
    """Tokens may end at a node; the walk goes on from there, unless nothing below changes q."""
    first_child = load64(lexicon, at.L_FIRST_CHILD)
    if load32(first_child, node) < load32(first_child, node + 1):
        if load64(load64(lexicon, at.L_BELOW), node) & ~loops == 0:
            _list(i, ix.I_OUT, ix.I_NUM_OUT, node | ix.SUBTREE, q)
            return
        _list(i, ix.I_QUEUE, ix.I_TAIL, node, q)
    if load32(load64(lexicon, at.L_OWN_END), node) > load32(load64(lexicon, at.L_TOKEN_START), node):
        _list(i, ix.I_OUT, ix.I_NUM_OUT, node, q)


@kernel
def _list(i: int, field: int, count: int, node: int, q: int) -> None:
    number = load64(i, count)
    store32(load64(i, field), 2 * number, node)
    store32(load64(i, field), 2 * number + 1, q)
    store64(i, count, number + 1)


@kernel
def fill_rows(lexicon: int, out: int, count: int, numbers: int, rows: int) -> None:
    """Set the bits of listed tokens. numbers: address of int32 (count,): which of the rows; rows: int32 (., W)."""
    ids, width = load64(lexicon, at.L_SORTED), load64(lexicon, at.L_NUM_WORDS)
    for index in range(count):
        node, row = load32(out, 2 * index), rows + load32(numbers, index) * width * 4
        end = at.L_TOKEN_END if node & ix.SUBTREE else at.L_OWN_END
        node &= ix.SUBTREE - 1
        for place in range(load32(load64(lexicon, at.L_TOKEN_START), node), load32(load64(lexicon, end), node)):
            token = load32(ids, place)
            store32(row, token >> 5, load32(row, token >> 5) | 1 << (token & 31))
