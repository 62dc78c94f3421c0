"""Kernels: segments, the tokens that stay within local states from a state on, and where the others leave them.

A segment is made once for each local state, by a walk of the vocabulary's trie. Where a local state is left as it is
by some kinds of bytes, as within a string or a name, the tokens of such bytes come from a row that all states and
grammars share (`KindRows`), and the walk goes on where other bytes follow.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load8, load32, load64, store32, store64
from ..automaton.steps import need, pair_hash
from ..automaton.trie import ODD, WIDE
from . import layout as pd
from .rows import entry_at, ready, ready_for
from .steps import state_field

_LARGE = 2048  # tokens under a node at which kind rows are used. PERF: a guess


@kernel
def _set_tokens(lexicon: int, node: int, end: int, row: int) -> None:
    """Set the bits of the tokens from the first under a node to end - 1, in the order of their bytes."""
    ids = load64(lexicon, at.L_SORTED)
    for index in range(load32(load64(lexicon, at.L_TOKEN_START), node), end):
        token = load32(ids, index)
        store32(row, token >> 5, load32(row, token >> 5) | 1 << (token & 31))


@kernel
def walk_segment(p: int, state: int, row: int, resume: int) -> int:
    """Set the bits of the tokens that stay in local states from `state` on, and list the exits; 0, or NEED.

    row: address of an int32 (W,) row of zeros. Exits: L_NUM_OUT_EXITS pairs (node, local state before its byte) at
    L_OUT_EXITS. After a NEED call again with resume = 1.
    """
    lexicon = load64(p, at.M_LEXICON)
    if not resume:
        store64(lexicon, at.L_WALK_HEAD, 0)
        store64(lexicon, at.L_WALK_CURSOR, 0)
        store64(lexicon, at.L_NUM_OUT_EXITS, 0)
        store32(load64(lexicon, at.L_WALK_NODE), 0, 0)
        store32(load64(lexicon, at.L_WALK_STATE), 0, state)
        store64(lexicon, at.L_WALK_TAIL, 1)
        if state_field(p, state, pd.G_COMPLETE):
            for index in range(load64(lexicon, at.L_NUM_EOS)):
                token = load32(load64(lexicon, at.L_EOS), index)
                store32(row, token >> 5, load32(row, token >> 5) | 1 << (token & 31))
    head = load64(lexicon, at.L_WALK_HEAD)
    while head < load64(lexicon, at.L_WALK_TAIL):
        if _walk_on(p, lexicon, head, row) < 0:
            return pd.NEED
        head += 1
        store64(lexicon, at.L_WALK_HEAD, head)
        store64(lexicon, at.L_WALK_CURSOR, 0)
    return 0


@kernel
def _walk_on(p: int, lexicon: int, head: int, row: int) -> int:
    """Do the walk's entry `head`; 0, or NEED."""
    node, state = load32(load64(lexicon, at.L_WALK_NODE), head), load32(load64(lexicon, at.L_WALK_STATE), head)
    num_tokens = load32(load64(lexicon, at.L_TOKEN_END), node) - load32(load64(lexicon, at.L_TOKEN_START), node)
    if num_tokens >= _LARGE:
        if ready(p, state) == pd.NEED:
            return pd.NEED
        main = _main_state(p, state)
        if main == pd.NEED:
            return pd.NEED
        if load64(load64(p, pd.P_LOOPS), main):
            kind_row = _kind_row(p, main, node)
            if kind_row == pd.NEED:
                return pd.NEED
            _take_kinds(p, lexicon, node, state, main, kind_row, row)
            _walk_from_kinds(p, lexicon, node, state, main, kind_row, row)
            return 0
    bytes_, first_child = load64(lexicon, at.L_BYTE), load64(lexicon, at.L_FIRST_CHILD)
    first, end = load32(first_child, node), load32(first_child, node + 1)
    if ready_for(p, state, end - first) == pd.NEED:
        return pd.NEED
    for child in range(first + load64(lexicon, at.L_WALK_CURSOR), end):
        following = entry_at(p, state, load8(bytes_, child))
        if following == pd.NEED:
            store64(lexicon, at.L_WALK_CURSOR, child - first)
            return pd.NEED
        if following != pd.DEAD:
            _walk_over(p, lexicon, child, state, following, row)
    return 0


@kernel
def _main_state(p: int, state: int) -> int:
    """The local state that most ASCII bytes lead to from a state, if some kind of bytes then leaves it as it is; else
    the state itself; NEED.
    """
    row, loops = load64(p, pd.P_ROWS) + state * 1024, load64(p, pd.P_LOOPS)
    found, most = state, 0
    if load64(loops, state) == 0:
        for byte in range(128):
            target, count = load32(row, byte), 0
            if target >= 0 and target != found and (byte == 0 or target != load32(row, byte - 1)):
                for other in range(128):
                    count += 1 if load32(row, other) == target else 0
                if count > most:
                    found, most = target, count
        if ready(p, found) == pd.NEED:
            return pd.NEED
    return found if load64(load64(p, pd.P_LOOPS), found) else state


@kernel
def _kind_row(p: int, main: int, node: int) -> int:
    """The address of the `KindRow` of what leaves a local state as it is, at a node; NEED."""
    keys, mask = load64(p, pd.P_KIND_KEYS), load64(p, pd.P_KIND_MASK)
    key, place = main << 32 | (node + 1), pair_hash(main, node + 1, mask)
    while load64(keys, place) != key:
        if load64(keys, place) == 0:
            return need(p, pd.NEED_KINDS, main, node)[0]
        place = (place + 1) & mask
    return load64(p, pd.P_KIND_ROWS) + load32(load64(p, pd.P_KIND_VALUES), place) * (pd.KIND_ROW_FIELDS * 8)


@kernel
def _take_kinds(p: int, lexicon: int, node: int, state: int, main: int, kind_row: int, row: int) -> None:
    """Set the tokens of a kind row; under the bytes that do not lead from `state` to `main`, walk instead."""
    first_child, bytes_ = load64(lexicon, at.L_FIRST_CHILD), load64(lexicon, at.L_BYTE)
    source, first, end = load64(kind_row, pd.R_ROW), load32(first_child, node), load32(first_child, node + 1)
    for child in range(first, end if main != state else first):
        if _is_other(p, lexicon, child, state, main):
            if source == load64(kind_row, pd.R_ROW):
                source = load64(lexicon, at.L_SCRATCH)
                _unite_rows(lexicon, source, load64(kind_row, pd.R_ROW), 0)
            _clear_tokens(lexicon, child, source)
    _unite_rows(lexicon, row, source, 1)
    for child in range(first, end if main != state else first):
        following = load32(load64(p, pd.P_ROWS), state * 256 + load8(bytes_, child))
        if following != pd.DEAD and _is_other(p, lexicon, child, state, main):
            _walk_over(p, lexicon, child, state, following, row)


@kernel
def _is_other(p: int, lexicon: int, child: int, state: int, main: int) -> int:
    """1 when a kind row has tokens under a node whose byte does not do the same in `state` as in `main`."""
    byte = load8(load64(lexicon, at.L_BYTE), child)
    loops, rows = load64(load64(p, pd.P_LOOPS), main), load64(p, pd.P_ROWS)
    following = load32(rows, state * 256 + byte)
    if byte < 128:
        return 1 if load64(load64(p, pd.P_KINDS), byte) & ~loops == 0 and following != main else 0
    if loops & (WIDE | ODD) != (WIDE | ODD) and load64(load64(lexicon, at.L_WITHIN), child) & ~loops:
        return 0
    return 1 if following != load32(rows, main * 256 + byte) else 0


@kernel
def _unite_rows(lexicon: int, row: int, other: int, is_union: int) -> None:
    """row |= other; or row = other, if not is_union. Reads and writes 4 W bytes."""
    num_words = load64(lexicon, at.L_NUM_WORDS)
    kept = -is_union
    for word in range(num_words // 2):
        store64(row, word, (load64(row, word) & kept) | load64(other, word))
    if num_words & 1:
        store32(row, num_words - 1, (load32(row, num_words - 1) & kept) | load32(other, num_words - 1))


@kernel
def _clear_tokens(lexicon: int, node: int, row: int) -> None:
    """Clear the bits of all tokens under a node."""
    ids = load64(lexicon, at.L_SORTED)
    for index in range(load32(load64(lexicon, at.L_TOKEN_START), node), load32(load64(lexicon, at.L_TOKEN_END), node)):
        token = load32(ids, index)
        store32(row, token >> 5, load32(row, token >> 5) & ~(1 << (token & 31)))


@kernel
def _walk_from_kinds(p: int, lexicon: int, node: int, state: int, main: int, kind_row: int, row: int) -> None:
    """Walk from where tokens leave the kinds of bytes of `main`. Reads those nodes, but for bytes that can't follow."""
    nodes, starts, firsts = load64(kind_row, pd.R_NODES), load64(kind_row, pd.R_STARTS), load64(kind_row, pd.R_FIRSTS)
    entries, main_entries = load64(p, pd.P_ROWS) + state * 1024, load64(p, pd.P_ROWS) + main * 1024
    end = load32(load64(lexicon, at.L_FIRST_CHILD), node + 1)  # of its children; what is below comes later
    for byte in range(256):
        following, main_following = load32(entries, byte), load32(main_entries, byte)
        if following == pd.DEAD and main_following == pd.DEAD:
            continue
        for index in range(load32(starts, byte), load32(starts, byte + 1)):
            below = load32(nodes, index)
            if below < end:
                if following != pd.DEAD:
                    _walk_over(p, lexicon, below, state, following, row)
            elif main_following != pd.DEAD and _leads_alike(state, main, entries, main_entries, load32(firsts, index)):
                _walk_over(p, lexicon, below, main, main_following, row)


@kernel
def _leads_alike(state: int, main: int, entries: int, main_entries: int, byte: int) -> int:
    """1 when a byte, with the rest of its character, leads from `state` to `main`."""
    if state == main:
        return 1
    wanted = main if byte < 128 else load32(main_entries, byte)
    return 1 if load32(entries, byte) == wanted else 0


@kernel
def _walk_over(p: int, lexicon: int, node: int, before: int, following: int, row: int) -> None:
    """Go from a local state to a node by an entry of its row; or note an exit."""
    if following >= 0:
        _walk_into(p, lexicon, node, following, row)
        return
    out, found = load64(lexicon, at.L_OUT_EXITS), load64(lexicon, at.L_NUM_OUT_EXITS)
    store32(out, 2 * found, node)
    store32(out, 2 * found + 1, before)
    store64(lexicon, at.L_NUM_OUT_EXITS, found + 1)


@kernel
def _walk_into(p: int, lexicon: int, node: int, state: int, row: int) -> None:
    """Set the tokens that end at a node, and walk on; or all under it, where they leave the state as it is."""
    if load64(load64(lexicon, at.L_BELOW), node) & ~load64(load64(p, pd.P_LOOPS), state) == 0:
        _set_tokens(lexicon, node, load32(load64(lexicon, at.L_TOKEN_END), node), row)
        return
    _set_tokens(lexicon, node, load32(load64(lexicon, at.L_OWN_END), node), row)
    first_child = load64(lexicon, at.L_FIRST_CHILD)
    if load32(first_child, node) < load32(first_child, node + 1):
        tail = load64(lexicon, at.L_WALK_TAIL)
        store32(load64(lexicon, at.L_WALK_NODE), tail, node)
        store32(load64(lexicon, at.L_WALK_STATE), tail, state)
        store64(lexicon, at.L_WALK_TAIL, tail + 1)
