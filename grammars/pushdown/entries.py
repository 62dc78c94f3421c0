"""Kernels: the entries of rows that lead to contents: which local state a content is, and what is pushed before.

Where they wait, the same is done again afterwards.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..memory.hash_map import add, make_room
from ..memory.kernel import exported, kernel
from ..memory.sorting import sort
from . import layout as pd
from .closures import add_rest, begin_closure, closure_of, left_of, rest_of, returned
from .labels import relabelled
from .numbers import intern, numbers_of, rest_flags
from .structs import RuleMachine


@kernel
def entry_of(machine: RuleMachine, number: int) -> int:
    """The entry of a row that leads to a content: frames are pushed, or will be popped, as it needs."""
    content = machine.contents[number]
    entry = content.entry
    if entry != pd.UNBUILT:
        return entry
    flags = rest_flags(machine, number)
    if flags & pd.HAS_LABELS or not (flags & pd.IS_DEEP or _is_deep(machine, number)):
        return _shallow_entry(machine, number)
    frame, shallow = _pushed(machine, number)
    state = _shallow_entry(machine, shallow)
    if state <= pd.FIRST_ACTION:
        state = machine.actions[pd.FIRST_ACTION - state].state
    entry = _add_action(machine, frame, state)
    content.entry = entry
    return entry


@exported(releases_gil=False)
def entry_after(address: int, gss_node: int) -> int:
    """The entry of a configuration where a token or a document with that GSS node has ended.

    address: of a RuleMachine.
    """
    machine = RuleMachine.at(address)
    return entry_of(machine, left_of(machine, gss_node))


@exported(releases_gil=False)
def start_entry(address: int, position: int, is_complete: int) -> int:
    """The entry of the empty text, at a position of the rule of whole texts. is_complete: it may be all.

    address: of a RuleMachine.
    """
    machine = RuleMachine.at(address)
    return entry_of(machine, closure_of(machine, position, is_complete))


@kernel
def build_return(machine: RuleMachine, state: int, frame: int) -> int:
    """What a state that returns becomes when a frame is popped, noted for `steps.popped`."""
    entry = entry_of(machine, returned(machine, machine.states[state].content, frame))
    make_room(machine.returns)
    add(machine.returns, state << 32 | frame, entry)
    return entry


@kernel
def _shallow_entry(machine: RuleMachine, number: int) -> int:
    """As `entry_of`, where nothing is pushed: adds a local state."""
    content = machine.contents[number]
    entry = content.entry
    if entry != pd.UNBUILT:
        return entry
    rest, state = rest_flags(machine, number), machine.states.used
    machine.states.ensure(state + 1)
    machine.rows.ensure(state + 1)
    machine.row_edges.ensure(state + 1)
    machine.loops.ensure(state + 1)
    entry = state
    if rest & (pd.HAS_LABELS | pd.HAS_DOCUMENTS):
        entry = _add_action(machine, 0, state)
    new = machine.states[state]
    new.returns = 1 if rest & pd.HAS_LABELS else 0
    new.is_complete = 1 if rest & pd.HAS_COMPLETE else 0
    new.interior = -1
    new.begins_document = 1 if rest & pd.HAS_DOCUMENTS else 0
    new.content = number
    new.row_kind = pd.NO_ROW
    new.is_beside = 1 if rest & (pd.HAS_DOCUMENTS | pd.HAS_TOKENS) else 0
    new.mask = 0
    machine.loops[state] = 0
    machine.states.used = state + 1
    content.entry = entry
    return entry


@kernel
def _is_deep(machine: RuleMachine, content: int) -> int:
    """1 when a frame must be pushed before the items of a content."""
    items, gss_nodes = numbers_of(machine, content), machine.gss_nodes.span()
    for item in items:
        if gss_nodes[item & at.MASK32].is_deep:
            return 1
    return 0


@kernel
def _add_action(machine: RuleMachine, frame: int, state: int) -> int:
    """The entry that pushes a frame (0 for none) and leads to a state."""
    number = machine.actions.reserve(1)
    machine.actions[number].frame = frame
    machine.actions[number].state = state
    return pd.FIRST_ACTION - number


@kernel
def _pushed(machine: RuleMachine, number: int) -> tuple[int, int]:
    """The frame that is pushed before a content, and the content that it then is.

    Labels are given in the order of the items' GSS nodes, so that contents with the same ones have the same frame.
    """
    begin_closure(machine)
    items, moved = numbers_of(machine, number), machine.moving.moved.span()
    count = len(items)
    for index in range(count):
        moved[index] = items[index] & at.MASK32
    sort(moved, count)
    for index in range(count):
        relabelled(machine, moved[index])
    for index in range(count):
        moved[index] = items[index] >> 32 << 32 | relabelled(machine, items[index] & at.MASK32)
    rests = numbers_of(machine, machine.contents[number].rest)
    for beside in rests:
        if beside >> pd.KIND_SHIFT != pd.COMPLETE:
            beside = beside >> 32 << 32 | relabelled(machine, beside & at.MASK32)
        add_rest(machine, beside)
    rest, labels = rest_of(machine), machine.relabelling.labels
    frame = intern(machine, labels.span(), labels.used, pd.FRAME, 1)
    return frame, intern(machine, moved, count, rest, 1)
