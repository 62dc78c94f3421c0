"""Kernels: the tokens that are allowed in a local state with a stack.

A mask is a base row, of the tokens that stay within local states, and changed words. The base row and the exits, where
a byte pushes or pops, are the state's segment (see `walks`). From the exits on, `fill_mask` walks with a queue of
(node, local state, stack node).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.masks import append, begin, delay, finish, has_room, set_own, set_subtree, start_mask
from ..automaton.masks import walk as walk_document
from ..automaton.steps import need
from ..automaton.structs import DocumentMachine, MaskEntry
from ..memory.kernel import exported, kernel
from . import layout as pd
from .rows import entry_at, ready_for
from .steps import follow, step
from .structs import RuleMachine

_NEVER = 1 << 40  # more frames than any stack has


@exported
def fill_mask(address: int, node: int, state: int, stack: int, resume: int) -> tuple[int, int, int]:
    """The mask of what comes at a trie node (0: of a whole token): (address of the base row, of the changed words,
    how many of them).

    The changed words are int32 pairs (word, value). (NEED, 0, 0): build what `machine.request` says, then call again
    with resume = 1. address: of a RuleMachine, whose `lowest` is then the fewest frames that the stack had before a
    pop. The delayed entries of the mask say where JSON documents may begin inside of tokens, as (node, state, stack).
    """
    machine = RuleMachine.at(address)
    mask = machine.tables.mask
    if not resume:
        start_mask(mask)
        machine.lowest = _NEVER
        machine.is_leaving = 1 if node == 0 else 0
        if node:
            append(mask, node, state, stack)
    if machine.is_leaving:
        if _leave(machine, state, stack) < 0:
            return pd.NEED, 0, 0
        machine.is_leaving = 0
        mask.cursor = 0
    while mask.head < mask.tail:
        if _expand(machine, mask.queue[mask.head]) < 0:
            return pd.NEED, 0, 0
        mask.head += 1
        mask.cursor = 0
    return finish(machine)


@kernel
def _leave(machine: RuleMachine, state: int, stack: int) -> int:
    """Take the base row of a state, and go on from its exits; 0, or NEED, then it is done again from the cursor on."""
    mask, bytes_, number = machine.tables.mask, machine.tables.trie.byte, machine.states[state].segment
    if number < 0:
        return need(machine, pd.NEED_SEGMENT, state, 0)[0]
    segment = machine.segments[number]
    num_exits = segment.num_exits
    if min(len(mask.queue), len(mask.delayed)) < num_exits + 300:
        return need(machine, at.NEED_QUEUE, 0, num_exits + 300)[0]
    mask.base_row = segment.row
    exits = machine.exits.span().part(segment.first_exit, num_exits)
    last, byte, following, new_stack = -1, -1, pd.DEAD, 0
    for index in range(mask.cursor, num_exits):
        child, before = exits[index].node, exits[index].state
        if before != last or bytes_[child] != byte:
            last, byte = before, bytes_[child]
            following, new_stack = step(machine, before, stack, byte)
            if following == pd.NEED:
                mask.cursor = index
                return pd.NEED
        _enter(machine, child, following, new_stack)
    return 0


@kernel
def _enter(machine: RuleMachine, node: int, state: int, stack: int) -> None:
    """A token may end at a node, in a state; and the walk goes on from there. BOUNDS: callers made room."""
    trie, mask = machine.tables.trie, machine.tables.mask
    if trie.below[node] & ~machine.loops[state] == 0:
        set_subtree(machine.tables, node, 1)
        return
    set_own(machine.tables, node)
    if trie.first_child[node] < trie.first_child[node + 1]:
        append(mask, node, state, stack)
        if machine.states[state].begins_document:
            delay(mask, node, state, stack)


@kernel
def _expand(machine: RuleMachine, entry: MaskEntry) -> int:
    """Step through the children of an entry of the queue; 0, or NEED, then it is done again from the cursor on."""
    mask, trie = machine.tables.mask, machine.tables.trie
    node, state, stack = entry.node, entry.code, entry.stack
    if not has_room(mask, 300):
        return need(machine, at.NEED_QUEUE, 0, 300)[0]
    bytes_, first, end = trie.byte, trie.first_child[node], trie.first_child[node + 1]
    if ready_for(machine, state, end - first) == pd.NEED:
        return pd.NEED
    for child in range(first + mask.cursor, end):
        following, new_stack = entry_at(machine, state, bytes_[child]), stack
        if following == pd.DEAD:
            continue
        if following <= pd.FIRST_ACTION:
            following, new_stack = follow(machine, following, stack)
        if following == pd.NEED:
            mask.cursor = child - first
            return pd.NEED
        _enter(machine, child, following, new_stack)
    return 0


@exported
def fill_document(address: int, node: int, code: int, stack: int, resume: int) -> tuple[int, int, int]:
    """As `automaton.masks.fill_mask`, for the tokens under a trie node, when `code` is the state there.

    address: of the DocumentMachine of a JSON document. The ends of the mask are the nodes at which the document ends
    inside of tokens.
    """
    machine = DocumentMachine.at(address)
    machine.is_exact = 0
    if not resume:
        begin(machine.tables, code, stack)
        machine.tables.mask.queue[0].node = node
    return finish(machine) if walk_document(machine) >= 0 else (pd.NEED, 0, 0)
