"""Kernels: one byte in a local state of rules, and what comes after a document in them.

They return a configuration: a code, which is LOCAL or the beginning of a document, and a stack; DEAD where no text goes
on so. Where they wait, the same step is made again afterwards.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, slot_of
from ...memory.kernel import exported, kernel
from ..codes import code_at, counted_code, local_count_of, local_state_of, push, stack_below, styled_code, top_frame
from ..layout import DEAD, LOCAL, MASK32, ROOT_VALUE, RULE_FRAME, STYLED_START, TAG_SHIFT
from ..machine import Machine
from . import layout as pd
from .closures import left_of
from .entries import build_return, crossed, entry_of
from .rows import entry_at
from .structs import Rules


@kernel
def popped(rules: Rules, state: int, frame: int) -> int:
    """What a state that returns becomes when a frame is popped, as in a row; UNBUILT."""
    slot = slot_of(rules.returns, state << 32 | frame)
    return rules.returns.values[slot] if slot >= 0 else pd.UNBUILT


@kernel
def follow_in_rules(machine: Machine, entry: int, stack: int) -> tuple[int, int]:
    """The local state and the stack to which an entry of a row leads: frames are pushed and popped until a state is
    reached that does not return.

    Ends, since each turn pops a frame and what is then pushed leads to a state that does not return.
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
    """The configuration to which an entry of a row leads: where nothing but a document may begin, that has begun; DEAD.

    count: of counted units, before.
    """
    state, stack = follow_in_rules(machine, entry, stack)
    state, count = counted(machine.rules, state, count)
    if state == DEAD:
        return DEAD, 0
    root = machine.rules.states[state].root
    return (_first_code(machine, root), push(machine, stack, root)) if root else (counted_code(state, count), stack)


@kernel
def _first_code(machine: Machine, root: int) -> int:
    """The code at the beginning of a document, before anything of it is read. root: its frame."""
    return styled_code(STYLED_START) if machine.frames[root].style else code_at(ROOT_VALUE)


@kernel
def counted(rules: Rules, state: int, count: int) -> tuple[int, int]:
    """The local state and its count where a byte led to a state; DEAD. count: before."""
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
    """The configuration after a document that is followed by a GSS node. stack: below it."""
    rules = machine.rules
    return follow(machine, entry_of(rules, left_of(rules, gss_node)), stack, 0)


@kernel
def step_local(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """One byte in a local state."""
    return follow_row(machine, entry_at(machine.rules, local_state_of(code), byte), local_count_of(code), stack)


@kernel
def follow_row(machine: Machine, entry: int, count: int, stack: int) -> tuple[int, int]:
    """The configuration to which an entry of a row leads; DEAD. count: before."""
    if entry >= 0:
        state, count = counted(machine.rules, entry, count)
        return (DEAD, 0) if state == DEAD else (counted_code(state, count), stack)
    if entry > pd.FIRST_ACTION:
        return DEAD, 0
    return follow(machine, entry, stack, count)


@kernel
def may_fork(machine: Machine, code: int) -> int:
    """1 where JSON documents may begin beside something else."""
    return machine.rules.states[local_state_of(code)].begins_documents if code >> TAG_SHIFT == LOCAL else 0


@kernel
def known_mask(machine: Machine, code: int, stack: int) -> int:
    """The number of the mask of a LOCAL code with a stack, if one was made for the same upper frames; -1. BESIDE where
    what may come is more than a local state.
    """
    state = machine.rules.states[local_state_of(code)]
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
    """`known_mask`, for Python. address: of the Machine."""
    return known_mask(Machine.at(address), code, stack)


@exported(releases_gil=False)
def keep_mask(address: int, code: int, stack: int, number: int) -> None:
    """Note the number of the mask that was just made of a LOCAL code, by the frames on the stack as far as they were
    read. A state that counts has a mask for each count, which is not kept here. address: of the Machine.
    """
    machine = Machine.at(address)
    rules, left, found = machine.rules, machine.depths[stack] - machine.lowest + 1, 1 + number
    state = rules.states[local_state_of(code)]
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
    """What says that a mask depends on a frame; see `LocalState.mask`."""
    rules.num_mask_nodes += 1
    return -rules.num_mask_nodes


@exported(releases_gil=False)
def follow_entry(address: int, entry: int, stack: int) -> tuple[int, int]:
    """`follow_in_rules`, for Python. address: of the Machine."""
    return follow_in_rules(Machine.at(address), entry, stack)
