"""Kernels: one byte in a local state of rules, and the configuration after a document in rules.

The kernels return a configuration: a code, which is LOCAL or the beginning of a document, and a stack. The code is DEAD
if no text goes on. If a kernel waits for Python, the same step runs again afterwards.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, slot_of
from ...memory.kernel import exported, kernel
from ..codes import (
    code_at,
    counted_code,
    is_between_marks,
    local_count_of,
    local_state_of,
    push,
    stack_below,
    styled_code,
    top_frame,
)
from ..layout import DEAD, LOCAL, MASK32, ROOT_VALUE, RULE_FRAME, STYLED_START, TAG_SHIFT
from ..machine import Machine
from . import layout as pd
from .closures import left_of
from .entries import build_return, crossed, entry_of, local_mask_state_of
from .rows import entry_at, lone_entry_at
from .structs import Rules


@kernel
def popped(rules: Rules, state: int, frame: int) -> int:
    """Return the known entry of a returning state when a frame is popped; UNBUILT if it is not made."""
    slot = slot_of(rules.returns, state << 32 | frame)
    return rules.returns.values[slot] if slot >= 0 else pd.UNBUILT


@kernel
def follow_in_rules(machine: Machine, entry: int, stack: int) -> tuple[int, int]:
    """Return the local state and stack that an entry leads to, after pushing and popping frames.

    Frames are popped until a state is reached that does not return. The loop ends: each turn pops a frame, and a pushed
    frame leads to a state that does not return.
    """
    rules = machine.rules
    actions, states = rules.actions.span(), rules.states.span()
    while True:
        state = entry
        if entry <= pd.FIRST_ACTION:
            action = actions[pd.FIRST_ACTION - entry]
            frame, state = action.frame, action.state
            if frame:
                stack = push(machine, stack, RULE_FRAME | frame)
        if not states[state].returns:
            return state, stack
        machine.lowest = min(machine.lowest, machine.depths[stack])
        frame = top_frame(machine, stack) & ~RULE_FRAME
        stack = stack_below(machine, stack)
        entry = popped(rules, state, frame)
        if entry == pd.UNBUILT:
            entry = build_return(rules, state, frame)


@kernel
def follow(machine: Machine, entry: int, stack: int, count: int) -> tuple[int, int]:
    """Return the configuration that an entry leads to; DEAD if there is none.

    count: number of counted units before.

    If nothing but a document may begin at that place, the result is the beginning of that document.
    """
    state, stack = follow_in_rules(machine, entry, stack)
    state, count = counted(machine.rules, state, count)
    if state == DEAD:
        return DEAD, 0
    root = machine.rules.states[state].root
    return (_first_code(machine, root), push(machine, stack, root)) if root else (counted_code(state, count), stack)


@kernel
def _first_code(machine: Machine, root: int) -> int:
    """Return the code at the beginning of a document, before anything is read. root: its root frame."""
    return styled_code(STYLED_START) if is_between_marks(machine, root) else code_at(ROOT_VALUE)


@kernel
def counted(rules: Rules, state: int, count: int) -> tuple[int, int]:
    """Return the local state and its count after a byte led to `state`; DEAD if the count is too large.

    count: count before the byte.
    """
    fields = rules.states[state]
    if not fields.is_counting:
        return state, 0
    count += fields.ticks
    if count < fields.crossing:
        return state, count
    state = crossed(rules, state, count)
    if state != DEAD and not rules.states[state].is_counting:
        count = 0
    return state, count


@kernel
def follow_after(machine: Machine, gss_node: int, stack: int) -> tuple[int, int]:
    """Return the configuration behind a document.

    gss_node: describes the text after the document.
    stack: the stack below the document.
    """
    rules = machine.rules
    return follow(machine, entry_of(rules, left_of(rules, gss_node)), stack, 0)


@kernel
def step_local(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by one byte in a local state."""
    rules, state = machine.rules, local_state_of(code)
    entry = lone_entry_at(rules, state, byte) if machine.is_exact else entry_at(rules, state, byte)
    return follow_row(machine, entry, local_count_of(code), stack)


@kernel
def follow_row(machine: Machine, entry: int, count: int, stack: int) -> tuple[int, int]:
    """Return the configuration that an entry of a row leads to; DEAD if none. count: count before."""
    if entry >= 0:
        state, count = counted(machine.rules, entry, count)
        return (DEAD, 0) if state == DEAD else (counted_code(state, count), stack)
    if entry > pd.FIRST_ACTION:
        return DEAD, 0
    return follow(machine, entry, stack, count)


@kernel
def may_fork(machine: Machine, code: int) -> int:
    """Return 1 if a JSON document or other text may begin."""
    return machine.rules.states[local_state_of(code)].begins_documents if code >> TAG_SHIFT == LOCAL else 0


@kernel
def known_mask(machine: Machine, code: int, stack: int) -> int:
    """Return the number of the mask that was made for a LOCAL code and the same upper frames.

    Returns -1 if no mask is kept, and BESIDE if documents or tokens by id decide, too, which tokens may come.
    """
    state = machine.rules.states[local_mask_state_of(machine.rules, local_state_of(code))]
    found, masks, nodes = state.mask, machine.rules.masks, machine.nodes.span()
    if state.is_beside:
        return pd.BESIDE
    if state.is_counting:
        return -1
    while found < 0:
        node = nodes[stack]
        slot = slot_of(masks, -found << 32 | (node & MASK32))
        found = masks.values[slot] if slot >= 0 else 0
        stack = node >> 32
    return found - 1


@exported(releases_gil=False)
def find_known_mask(address: int, code: int, stack: int) -> int:
    """`known_mask`, for Python. address: address of the Machine."""
    return known_mask(Machine.at(address), code, stack)


@exported(releases_gil=False)
def keep_mask(address: int, code: int, stack: int, number: int) -> None:
    """Keep the number of the newest mask of a LOCAL code, under its local state and the frames that its walk popped.

    address: address of the Machine.

    A state that counts has a mask for each count; such masks are not kept here.
    """
    machine = Machine.at(address)
    rules, left, found = machine.rules, machine.depths[stack] - machine.lowest + 1, 1 + number
    state = rules.states[local_mask_state_of(rules, local_state_of(code))]
    if state.is_counting:
        return
    if state.mask == 0:
        state.mask = found if left <= 0 else _new_mask_node(rules)
    before = state.mask
    while left > 0:
        key = -before << 32 | top_frame(machine, stack)
        slot = slot_of(rules.masks, key)
        left, stack = left - 1, stack_below(machine, stack)
        if slot < 0:
            make_room(rules.masks)
            add(rules.masks, key, found if left == 0 else _new_mask_node(rules))
            slot = slot_of(rules.masks, key)
        before = rules.masks.values[slot]


@kernel
def _new_mask_node(rules: Rules) -> int:
    """Return a new number of a mask that depends on one more frame, see `LocalState.mask`."""
    rules.num_mask_nodes += 1
    return -rules.num_mask_nodes


@exported(releases_gil=False)
def follow_entry(address: int, entry: int, stack: int) -> tuple[int, int]:
    """`follow_in_rules`, for Python. address: address of the Machine."""
    return follow_in_rules(Machine.at(address), entry, stack)
