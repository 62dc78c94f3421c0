"""Kernels: the tokens that are allowed in a local state with a stack.

A mask is a base row, of the tokens that stay within local states, and changed words. The base row and the exits, where
a byte pushes or pops, are the state's segment (see `walks`). From the exits on, `fill_mask` walks with a queue of
(node, local state, stack node).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.masks import _append, _delay, _finish, _set_bit, _set_own, _take_delayed
from ..automaton.masks import _begin as _begin_document
from ..automaton.masks import _expand as _expand_document
from ..automaton.memory import kernel, load8, load32, load64, store64
from ..automaton.steps import need
from . import layout as pd
from .rows import entry_at, ready_for
from .steps import follow, state_field, step

_NEVER = 1 << 40  # more frames than any stack has


@kernel
def fill_mask(p: int, node: int, state: int, stack: int, resume: int) -> tuple[int, int, int]:
    """The mask of what comes at a trie node (0: of a whole token): (address of the base row, of the changed words,
    how many of them).

    The changed words are int32 pairs (word, value). (NEED, 0, 0): build what register M_NEED says, then call again with
    resume = 1. Register P_LOWEST: the fewest frames that the stack had before a pop. L_NUM_DELAYED: how many times a
    JSON document may begin inside a token, each (node, state, stack) at L_DELAYED.
    """
    lexicon = load64(p, at.M_LEXICON)
    if not resume:
        _begin(p, lexicon)
        store64(p, pd.P_LEAVING, 1 if node == 0 else 0)
        if node:
            _append(lexicon, node, state, stack)
    if load64(p, pd.P_LEAVING):
        if _leave(p, lexicon, state, stack) < 0:
            return pd.NEED, 0, 0
        store64(p, pd.P_LEAVING, 0)
        store64(lexicon, at.L_CURSOR, 0)
    head = load64(lexicon, at.L_HEAD)
    while head < load64(lexicon, at.L_TAIL):
        if _expand(p, lexicon, load64(lexicon, at.L_QUEUE) + head * 24) < 0:
            return pd.NEED, 0, 0
        head += 1
        store64(lexicon, at.L_HEAD, head)
        store64(lexicon, at.L_CURSOR, 0)
    return _finish(p, lexicon)


@kernel
def _begin(p: int, lexicon: int) -> None:
    """A new mask."""
    store64(lexicon, at.L_EPOCH, load64(lexicon, at.L_EPOCH) + 1)
    store64(lexicon, at.L_NUM_TOUCHED, 0)
    store64(lexicon, at.L_BASE_ROW, load64(lexicon, at.L_ZERO_ROW))
    store64(lexicon, at.L_HEAD, 0)
    store64(lexicon, at.L_TAIL, 0)
    store64(lexicon, at.L_CURSOR, 0)
    store64(lexicon, at.L_NUM_DELAYED, 0)
    store64(p, pd.P_LOWEST, _NEVER)


@kernel
def _leave(p: int, lexicon: int, state: int, stack: int) -> int:
    """Take the base row of a state, and go on from its exits; 0, or NEED, then it is done again from L_CURSOR on."""
    index = state_field(p, state, pd.G_SEGMENT)
    if index < 0:
        return need(p, pd.NEED_SEGMENT, state, 0)[0]
    segment = load64(p, pd.P_SEGMENTS) + index * (pd.SEGMENT_FIELDS * 8)
    num_exits = load64(segment, pd.S_NUM_EXITS)
    room = min(load64(lexicon, at.L_QUEUE_CAPACITY), load64(lexicon, at.L_DELAYED_CAPACITY))
    if room < num_exits + 300:
        return need(p, at.NEED_QUEUE, 0, num_exits + 300)[0]
    store64(lexicon, at.L_BASE_ROW, load64(segment, pd.S_ROW))
    exits = load64(p, pd.P_EXITS) + load64(segment, pd.S_EXITS) * 8
    bytes_ = load64(lexicon, at.L_BYTE)
    last, byte, following, new_stack = -1, -1, pd.DEAD, 0
    for exit_ in range(load64(lexicon, at.L_CURSOR), num_exits):
        child, before = load32(exits, 2 * exit_), load32(exits, 2 * exit_ + 1)
        if before != last or load8(bytes_, child) != byte:
            last, byte = before, load8(bytes_, child)
            following, new_stack = step(p, before, stack, byte)
            if following == pd.NEED:
                store64(lexicon, at.L_CURSOR, exit_)
                return pd.NEED
        _enter(p, lexicon, child, following, new_stack)
    return 0


@kernel
def _enter(p: int, lexicon: int, node: int, state: int, stack: int) -> None:
    """A token may end at a node, in a state; and the walk goes on from there. BOUNDS: callers made room."""
    first_child = load64(lexicon, at.L_FIRST_CHILD)
    if load64(load64(lexicon, at.L_BELOW), node) & ~load64(load64(p, pd.P_LOOPS), state) == 0:
        ids = load64(lexicon, at.L_SORTED)
        end = load32(load64(lexicon, at.L_TOKEN_END), node)
        for index in range(load32(load64(lexicon, at.L_TOKEN_START), node), end):
            _set_bit(lexicon, load32(ids, index), 1)
        return
    _set_own(lexicon, node)
    if load32(first_child, node) < load32(first_child, node + 1):
        _append(lexicon, node, state, stack)
        if state_field(p, state, pd.G_DOCUMENTS):
            _delay(lexicon, node, state, stack)


@kernel
def _expand(p: int, lexicon: int, entry: int) -> int:
    """Step through the children of an entry of the queue; 0, or NEED, then it is done again from L_CURSOR on."""
    node, state, stack = load64(entry, 0), load64(entry, 1), load64(entry, 2)
    room = load64(lexicon, at.L_QUEUE_CAPACITY) - load64(lexicon, at.L_TAIL)
    if room < 300 or load64(lexicon, at.L_DELAYED_CAPACITY) - load64(lexicon, at.L_NUM_DELAYED) < 300:
        return need(p, at.NEED_QUEUE, 0, 300)[0]
    first_child, bytes_ = load64(lexicon, at.L_FIRST_CHILD), load64(lexicon, at.L_BYTE)
    first, end = load32(first_child, node), load32(first_child, node + 1)
    if ready_for(p, state, end - first) == pd.NEED:
        return pd.NEED
    for child in range(first + load64(lexicon, at.L_CURSOR), end):
        following, new_stack = entry_at(p, state, load8(bytes_, child)), stack
        if following == pd.DEAD:
            continue
        if following <= pd.FIRST_ACTION:
            following, new_stack = follow(p, following, stack)
        if following == pd.NEED:
            store64(lexicon, at.L_CURSOR, child - first)
            return pd.NEED
        _enter(p, lexicon, child, following, new_stack)
    return 0


@kernel
def fill_document(m: int, node: int, code: int, stack: int, resume: int) -> tuple[int, int, int]:
    """As `automaton.masks.fill_mask`, for the tokens under a trie node, when `code` is the state there.

    m: the machine of a JSON document. L_NUM_ENDS: how often the document ends inside of tokens, at the nodes of L_ENDS.
    """
    lexicon = load64(m, at.M_LEXICON)
    store64(m, at.M_EXACT, 0)
    if not resume:
        _begin_document(lexicon, code, stack)
        store64(load64(lexicon, at.L_QUEUE), 0, node)
    while True:
        head = load64(lexicon, at.L_HEAD)
        while head < load64(lexicon, at.L_TAIL):
            if _expand_document(m, lexicon, load64(lexicon, at.L_QUEUE) + head * 24) < 0:
                return pd.NEED, 0, 0
            head += 1
            store64(lexicon, at.L_HEAD, head)
            store64(lexicon, at.L_CURSOR, 0)
        if load64(lexicon, at.L_NUM_DELAYED) == 0:
            break
        _take_delayed(lexicon)
    return _finish(m, lexicon)
