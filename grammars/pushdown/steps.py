"""Kernels: one byte, and one token, in a local state.

They return a pair (local state, stack node): DEAD where no text goes on so. Where they wait, the same step is made
again afterwards. `address` is that of a RuleMachine.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.steps import push
from ..memory.hash_map import slot_of
from ..memory.kernel import exported, kernel
from . import layout as pd
from .entries import build_return
from .rows import entry_at, make_ready
from .structs import RuleMachine


@kernel
def push_frame(machine: RuleMachine, parent: int, frame: int) -> int:
    """The stack node of a frame on top of a stack."""
    used = machine.nodes.used
    machine.depths.ensure(used + 1)
    node = push(machine, parent, frame)
    if node == used:
        machine.depths[node] = machine.depths[parent] + 1
    return node


@kernel
def popped(machine: RuleMachine, state: int, frame: int) -> int:
    """What a state that returns becomes when a frame is popped, as in a row; UNBUILT."""
    config = slot_of(machine.returns, state << 32 | frame)
    return machine.returns.values[config] if config >= 0 else pd.UNBUILT


@kernel
def follow(machine: RuleMachine, entry: int, stack: int) -> tuple[int, int]:
    """Where an entry of a row leads to: frames are pushed and popped until a state is reached that does not return.

    Ends, since each turn pops a frame and what is then pushed leads to a state that does not return.
    """
    nodes, actions, states = machine.nodes.span(), machine.actions.span(), machine.states.span()
    while True:
        state = entry
        if entry <= pd.FIRST_ACTION:
            action = actions[pd.FIRST_ACTION - entry]
            frame, state = action.frame, action.state
            if frame:
                stack = push_frame(machine, stack, frame)
        if not states[state].returns:
            return state, stack
        machine.lowest = min(machine.lowest, machine.depths[stack])
        node = nodes[stack]
        entry, stack = popped(machine, state, node & at.MASK32), node >> 32
        if entry == pd.UNBUILT:
            entry = build_return(machine, state, node & at.MASK32)


@exported(releases_gil=False)
def follow_entry(address: int, entry: int, stack: int) -> tuple[int, int]:
    """`follow`, for Python."""
    return follow(RuleMachine.at(address), entry, stack)


@kernel
def step(machine: RuleMachine, state: int, stack: int, byte: int) -> tuple[int, int]:
    """One byte."""
    entry = entry_at(machine, state, byte)
    if entry >= 0:
        return entry, stack
    if entry > pd.FIRST_ACTION:
        return entry, 0
    return follow(machine, entry, stack)


@exported(releases_gil=False)
def advance(address: int, state: int, stack: int, token: int, position: int) -> tuple[int, int]:
    """Where a token's bytes from `position` on lead to. Where it waits, the machine's `position`, `state` and `stack`
    say where to go on.

    When a state is met inside of the token in which a JSON document may begin, `meets_documents` is set to 1.
    """
    machine = RuleMachine.at(address)
    text, starts = machine.tables.trie.text, machine.tables.trie.text_start
    start, end = starts[token], starts[token + 1]
    for index in range(start + position, end):
        if index > start and machine.states[state].begins_document:
            machine.meets_documents = 1
        machine.position = index - start
        machine.state = state
        machine.stack = stack
        state, stack = step(machine, state, stack, text[index])
        if state < 0:
            return state, 0
    return state, stack


@exported(releases_gil=False)
def known_mask(address: int, state: int, stack: int) -> int:
    """The number of the mask of a local state with a stack, if one was made for the same upper frames; -1."""
    machine = RuleMachine.at(address)
    found, nodes = machine.states[state].mask, machine.nodes.span()
    while found < 0:
        node = nodes[stack]
        config = slot_of(machine.masks, -found << 32 | (node & at.MASK32))
        found = machine.masks.values[config] if config >= 0 else 0
        stack = node >> 32
    return found - 1


@exported(releases_gil=False)
def next_config(address: int, config: int, token: int) -> tuple[int, int]:
    """The configuration after a token, as local state << 32 | stack, and the number of its mask, -1 where that is not
    known.

    (DEAD, .); (BESIDE, .) where a JSON document may begin on the way, or more than one local state is needed. Where it
    waits, `advance` goes on.
    """
    machine = RuleMachine.at(address)
    starts = machine.tables.trie.text_start
    if starts[token] == starts[token + 1]:
        return pd.DEAD, -1
    machine.meets_documents = 0
    state, stack = advance(address, config >> 32, config & at.MASK32, token, 0)
    if machine.meets_documents or (state >= 0 and machine.states[state].is_beside):
        return pd.BESIDE, -1
    return (state << 32 | stack, known_mask(address, state, stack)) if state >= 0 else (state, -1)


@exported(releases_gil=False)
def forced_byte(address: int, state: int) -> int:
    """The only byte that may come in a state; DEAD when there are none or several."""
    machine = RuleMachine.at(address)
    make_ready(machine, state)
    row, found = machine.rows[state], pd.DEAD
    for byte in range(256):
        if row[byte] != pd.DEAD:
            if found >= 0:
                return pd.DEAD
            found = byte
    return found
