"""Kernels: segments, what a subtree of the vocabulary does in a state of a string or number.

Made once for each (DFA state, node) that a mask asks for, and shared by all grammars. Also the rows of a batch.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import layout as at
from .memory import kernel, load8, load32, load64, store32, store64
from .steps import state_field
from .trie import ODD, WIDE, read_utf8


@kernel
def walk_segment(lexicon: int, state: int, node: int, row: int, resume: int) -> int:
    """Find the tokens under a node that stay inside a lexeme, and the exits; 0, or 1 + a DFA state without a row.

    Call again with resume = 1 when that is built. row: address of an int32 (W,) row in which to set the tokens' bits;
    or 0 to list them: register L_NUM_OUT_TOKENS pairs (token, characters it begins and those of the shortest text then)
    at L_OUT_TOKENS. Exits are listed likewise: triples (node, language that ends, characters begun). A string's exit is
    the node after the quote, a number's the node where it may end, if some child has a byte that can follow a number.
    """
    nodes, states = load64(lexicon, at.L_WALK_NODE), load64(lexicon, at.L_WALK_STATE)
    if not resume:
        for field in (at.L_WALK_HEAD, at.L_NUM_OUT_TOKENS, at.L_NUM_OUT_EXITS, at.L_OUT_MAX):
            store64(lexicon, field, 0)
        store32(nodes, 0, node)
        store32(states, 0, state)
        store32(load64(lexicon, at.L_WALK_COUNT), 0, 0)
        store64(lexicon, at.L_WALK_TAIL, 1)
    head = load64(lexicon, at.L_WALK_HEAD)
    while head < load64(lexicon, at.L_WALK_TAIL):
        missing = _walk_children(lexicon, head, row)
        if missing:
            return missing
        head += 1
        store64(lexicon, at.L_WALK_HEAD, head)
    return 0


@kernel
def _walk_children(lexicon: int, head: int, row: int) -> int:
    """Step through the children of the walk's entry `head`; as walk_segment."""
    node, state = load32(load64(lexicon, at.L_WALK_NODE), head), load32(load64(lexicon, at.L_WALK_STATE), head)
    count = load32(load64(lexicon, at.L_WALK_COUNT), head)
    rows, bytes_ = load64(lexicon, at.L_ROWS), load64(lexicon, at.L_BYTE)
    first_child = load64(lexicon, at.L_FIRST_CHILD)
    accepts = state_field(lexicon, state, at.D_ACCEPT)
    first = load32(first_child, node)
    if load32(rows, state * 256) == at.UNBUILT:
        return 1 + state
    if accepts >= 0 and load8(load64(lexicon, at.L_STRUCTURAL), node):
        _add_exit(lexicon, node, accepts, count)
    begun = count + state_field(lexicon, state, at.D_BOUNDARY)
    within, others = load64(lexicon, at.L_WITHIN), ~load64(load64(lexicon, at.L_LOOPS), state)
    for child in range(first, load32(first_child, node + 1)):
        if load64(within, child) & others == 0:
            _note_subtree(lexicon, child, begun + state_field(lexicon, state, at.D_SHORTEST), row)
            continue
        following = load32(rows, state * 256 + load8(bytes_, child))
        if following >= 0:
            _walk_into(lexicon, child, following, begun, row)
        elif following <= at.FIRST_END:
            _add_exit(lexicon, child, at.FIRST_END - following, count)
    return 0


@kernel
def _walk_into(lexicon: int, node: int, state: int, count: int, row: int) -> None:
    """Note the tokens that end at a node, and walk on from there; or all under it, where they leave the state as it is.

    PERF: without that, and the same in `_walk_children`, the broadest states take 2 ms instead of 0.3 ms.
    """
    needed = count + state_field(lexicon, state, at.D_SHORTEST)
    if load64(load64(lexicon, at.L_BELOW), node) & ~load64(load64(lexicon, at.L_LOOPS), state) == 0:
        _note_subtree(lexicon, node, needed, row)
        return
    store64(lexicon, at.L_OUT_MAX, max(load64(lexicon, at.L_OUT_MAX), needed))
    own_end = load32(load64(lexicon, at.L_OWN_END), node)
    _note_tokens(lexicon, node, own_end, row, needed - load32(load64(lexicon, at.L_CHARS), node))
    first_child = load64(lexicon, at.L_FIRST_CHILD)
    if load32(first_child, node) < load32(first_child, node + 1):
        tail = load64(lexicon, at.L_WALK_TAIL)
        store32(load64(lexicon, at.L_WALK_NODE), tail, node)
        store32(load64(lexicon, at.L_WALK_STATE), tail, state)
        store32(load64(lexicon, at.L_WALK_COUNT), tail, count)
        store64(lexicon, at.L_WALK_TAIL, tail + 1)


@kernel
def _note_subtree(lexicon: int, node: int, needed: int, row: int) -> None:
    """Note all tokens under a node, which stay in the same state. needed: what the text up to the node needs."""
    before = load32(load64(lexicon, at.L_CHARS), node)
    needed_most = needed + load32(load64(lexicon, at.L_MOST_CHARS), node) - before
    store64(lexicon, at.L_OUT_MAX, max(load64(lexicon, at.L_OUT_MAX), needed_most))
    _note_tokens(lexicon, node, load32(load64(lexicon, at.L_TOKEN_END), node), row, needed - before)


@kernel
def _note_tokens(lexicon: int, node: int, end: int, row: int, more: int) -> None:
    """Set the bits, or list, the tokens from the first under a node to end - 1, in the order of their bytes.

    more: what they need beside the characters that they begin.
    """
    ids, out, chars = load64(lexicon, at.L_SORTED), load64(lexicon, at.L_OUT_TOKENS), load64(lexicon, at.L_SORTED_CHARS)
    start = load32(load64(lexicon, at.L_TOKEN_START), node)
    if row:
        for index in range(start, end):
            token = load32(ids, index)
            store32(row, token >> 5, load32(row, token >> 5) | 1 << (token & 31))
        return
    found = load64(lexicon, at.L_NUM_OUT_TOKENS)
    for index in range(start, end):
        store32(out, 2 * found, load32(ids, index))
        store32(out, 2 * found + 1, more + load32(chars, index))
        found += 1
    store64(lexicon, at.L_NUM_OUT_TOKENS, found)


@kernel
def _add_exit(lexicon: int, node: int, language: int, count: int) -> None:
    """Note an exit."""
    out, found = load64(lexicon, at.L_OUT_EXITS), load64(lexicon, at.L_NUM_OUT_EXITS)
    store32(out, 3 * found, node)
    store32(out, 3 * found + 1, language)
    store32(out, 3 * found + 2, count)
    store64(lexicon, at.L_NUM_OUT_EXITS, found + 1)


@kernel
def fill_count_rows(lexicon: int, rows: int, num_rows: int) -> None:
    """From the walk's list: row r of `num_rows` (zeroed) gets the tokens whose second number is at most r."""
    out, width = load64(lexicon, at.L_OUT_TOKENS), load64(lexicon, at.L_NUM_WORDS)
    for index in range(load64(lexicon, at.L_NUM_OUT_TOKENS)):
        token = load32(out, 2 * index)
        place = load32(out, 2 * index + 1) * width + (token >> 5)
        store32(rows, place, load32(rows, place) | 1 << (token & 31))
    for place in range(width, num_rows * width):
        store32(rows, place, load32(rows, place) | load32(rows, place - width))


@kernel
def walk_kinds(lexicon: int, kinds: int, wanted: int, start: int, row: int, queue: int, out: int) -> int:
    """Set the bits of the tokens under a node that go on from there with bytes of some kinds only, and list the nodes
    at which others differ first; how many these are.

    kinds: address of the kind of each ASCII byte. wanted: kinds, as bits. row: address of an int32 (W,) row.
    queue, out: addresses of int32 (N, 2); the latter for pairs (node, child of `start` above it). Reads the children
    of each node that is reached by these kinds. Where all characters from U+0080 on are wanted, tokens may end inside
    of one, and nodes that are not UTF-8 are not listed: nothing can follow there. Otherwise all their bytes are others.
    """
    first_child, bytes_ = load64(lexicon, at.L_FIRST_CHILD), load64(lexicon, at.L_BYTE)
    within, below, own_end = load64(lexicon, at.L_WITHIN), load64(lexicon, at.L_BELOW), load64(lexicon, at.L_OWN_END)
    token_end, is_wide = load64(lexicon, at.L_TOKEN_END), wanted & (WIDE | ODD) == (WIDE | ODD)
    head, tail, found = 0, 1, 0
    store32(queue, 0, start)
    store32(queue, 1, 0)
    while head < tail:
        node, top = load32(queue, 2 * head), load32(queue, 2 * head + 1) >> 4
        before = load32(queue, 2 * head + 1) & 15  # in a character
        head += 1
        for child in range(load32(first_child, node), load32(first_child, node + 1)):
            byte, following = load8(bytes_, child), -1
            if node == start:
                top = child
            if before == 0 and load64(within, child) & ~wanted == 0:
                _allow_tokens(lexicon, child, load32(token_end, child), row)
                continue
            if byte < 128:
                if before == 0 and load64(kinds, byte) & ~wanted == 0:
                    following = 0
            elif is_wide:
                following = read_utf8(byte, before)
            if following >= 0:
                if byte >= 128 and following == 0 and load64(below, child) & ~wanted == 0:
                    _allow_tokens(lexicon, child, load32(token_end, child), row)
                    continue
                _allow_tokens(lexicon, child, load32(own_end, child), row)
                store32(queue, 2 * tail, child)
                store32(queue, 2 * tail + 1, top << 4 | following)
                tail += 1
            elif before == 0 and (byte < 128 or not is_wide):
                store32(out, 2 * found, child)
                store32(out, 2 * found + 1, top)
                found += 1
    return found


@kernel
def sort_kinds(lexicon: int, pairs: int, count: int, starts: int, nodes: int, firsts: int) -> None:
    """Sort what `walk_kinds` lists by the nodes' bytes, as `KindRow` has it. pairs: address of int32 (count, 2).

    starts: address of int32 (257,), zeros; nodes, firsts: of int32 (count,).
    """
    bytes_ = load64(lexicon, at.L_BYTE)
    for index in range(count):
        byte = load8(bytes_, load32(pairs, 2 * index))
        store32(starts, byte + 1, load32(starts, byte + 1) + 1)
    for byte in range(256):
        store32(starts, byte + 1, load32(starts, byte + 1) + load32(starts, byte))
    for index in range(count):
        byte = load8(bytes_, load32(pairs, 2 * index))
        place = load32(starts, byte)
        store32(nodes, place, load32(pairs, 2 * index))
        store32(firsts, place, load8(bytes_, load32(pairs, 2 * index + 1)))
        store32(starts, byte, place + 1)
    for byte in range(256, 0, -1):
        store32(starts, byte, load32(starts, byte - 1))
    store32(starts, 0, 0)


@kernel
def _allow_tokens(lexicon: int, node: int, end: int, row: int) -> None:
    """Set the bits of the tokens from the first under a node to end - 1, in the order of their bytes."""
    ids = load64(lexicon, at.L_SORTED)
    for index in range(load32(load64(lexicon, at.L_TOKEN_START), node), end):
        token = load32(ids, index)
        store32(row, token >> 5, load32(row, token >> 5) | 1 << (token & 31))


@kernel
def copy_row(bitmask: NDArray[np.int32], row: int, base: int, patch: int, num_changed: int) -> None:
    """bitmask[row] = the base row, then the changed words. bitmask: int32 (B, W). Reads and writes 4 W bytes."""
    for word in range(bitmask.shape[1]):
        bitmask[row, word] = load32(base, word)
    for index in range(num_changed):
        bitmask[row, load32(patch, 2 * index)] = load32(patch, 2 * index + 1)


@kernel
def copy_rows(bitmask: NDArray[np.int32], jobs: NDArray[np.int64], first: int, end: int) -> None:
    """copy_row for rows first .. end - 1. jobs: int64 (B, 3), for each row base, patch and number of changed words."""
    for row in range(first, end):
        copy_row(bitmask, row, jobs[row, 0], jobs[row, 1], jobs[row, 2])
