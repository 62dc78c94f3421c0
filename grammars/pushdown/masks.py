"""Kernels: the tokens that are allowed in a local state with a stack.

A mask is a base row, of the tokens that stay within local states, and changed words. The base row and the exits, where
a byte pushes or pops, are the state's interior (see `walks`). From the exits on, `fill_mask` walks with a queue of
(node, local state, stack node).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import asking
from ..automaton.mask_work import append, begin, delay, finish, make_room, set_own, set_subtree
from ..automaton.structs import MaskEntry
from ..memory.kernel import exported, kernel
from . import layout as pd
from .rows import entry_at, make_ready_for
from .steps import follow, step
from .structs import RuleMachine

_NEVER = 1 << 40  # more frames than any stack has


@exported(releases_gil=False)
def begin_mask(address: int, node: int, state: int, stack: int) -> None:
    """Begin the mask of what comes at a trie node (0: of a whole token). address: of a RuleMachine."""
    machine = RuleMachine.at(address)
    mask = machine.tables.mask
    begin(mask, node, state, stack)
    machine.lowest = _NEVER
    machine.is_leaving = 1 if node == 0 else 0
    if machine.is_leaving:
        mask.queue.used = 0


@exported
def fill_mask(address: int) -> tuple[int, int, int]:
    """Go on with a mask to its end: (address of the base row, of the changed words, how many of them).

    The changed words are int32 pairs (word, value). Where it waits, call it again. address: of a RuleMachine, whose
    `lowest` is then the fewest frames that the stack had before a pop. The delayed entries of the mask say where JSON
    documents may begin inside of tokens, as (node, state, stack).
    """
    machine = RuleMachine.at(address)
    mask = machine.tables.mask
    if machine.is_leaving:
        _leave(machine, mask.code, mask.stack)
        machine.is_leaving = 0
        mask.cursor = 0
    while mask.head < mask.queue.used:
        _expand(machine, mask.queue[mask.head])
        mask.head += 1
        mask.cursor = 0
    return finish(machine)


@kernel
def _leave(machine: RuleMachine, state: int, stack: int) -> None:
    """Take the base row of a state, and go on from its exits, from the cursor on."""
    mask, bytes_, number = machine.tables.mask, machine.tables.trie.byte, machine.states[state].interior
    if number < 0:
        asking.ask(machine.request, asking.INTERIOR, state=state)
    interior = machine.interiors[number]
    num_exits = interior.num_exits
    make_room(mask, num_exits)
    mask.base_row = interior.row
    exits = machine.exits.span().part(interior.first_exit, num_exits)
    last, byte, following, new_stack = -1, -1, pd.DEAD, 0
    for index in range(mask.cursor, num_exits):
        child, before = exits[index].node, exits[index].state
        if before != last or bytes_[child] != byte:
            last, byte = before, bytes_[child]
            mask.cursor = index
            following, new_stack = step(machine, before, stack, byte)
        _enter(machine, child, following, new_stack)


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
def _expand(machine: RuleMachine, entry: MaskEntry) -> None:
    """Step through the children of an entry of the queue, from the cursor on."""
    mask, trie = machine.tables.mask, machine.tables.trie
    node, state, stack = entry.node, entry.code, entry.stack
    bytes_, first, end = trie.byte, trie.first_child[node], trie.first_child[node + 1]
    make_room(mask, end - first)
    make_ready_for(machine, state, end - first)
    for child in range(first + mask.cursor, end):
        mask.cursor = child - first
        following, new_stack = entry_at(machine, state, bytes_[child]), stack
        if following == pd.DEAD:
            continue
        if following <= pd.FIRST_ACTION:
            following, new_stack = follow(machine, following, stack)
        _enter(machine, child, following, new_stack)
