"""Kernels: the entries of rows that lead to contents: which local state a content is, and what is pushed before.

They return NEED where Python must build what `machine.request` says; then the same is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.steps import need
from ..memory.kernel import exported, kernel
from ..memory.sorting import sort
from . import layout as pd
from .closures import add_rest, begin_closure, closure_of, left_of, rest_of, returned
from .labels import new_epoch, relabelled
from .numbers import intern, numbers_of, rank_of, rest_flags
from .structs import RuleMachine
from .ways import add_pair


@kernel
def entry_of(machine: RuleMachine, number: int) -> int:
    """The entry of a row that leads to a content: frames are pushed, or will be popped, as it needs; NEED."""
    content = machine.contents[number]
    entry = content.entry
    if entry != pd.UNBUILT:
        return entry
    flags = rest_flags(machine, number)
    if flags & pd.HAS_LABELS or not (flags & pd.IS_DEEP or _is_deep(machine, number)):
        return _shallow_entry(machine, number)
    if flags & (pd.HAS_DOCUMENTS | pd.HAS_TOKENS):
        frame, shallow = _lifted(machine, number)
    else:
        frame, shallow = _pushed(machine, number)
    state = _shallow_entry(machine, shallow) if shallow >= 0 else pd.NEED
    if state == pd.NEED:
        return pd.NEED
    if state <= pd.FIRST_ACTION:
        state = machine.actions[pd.FIRST_ACTION - state].state
    entry = _add_action(machine, frame, state)
    if entry != pd.NEED:
        content.entry = entry
    return entry


@exported(releases_gil=False)
def entry_after(address: int, continuation: int) -> int:
    """The entry of a place where a token or a document with that continuation has ended; NEED.

    address: of a RuleMachine.
    """
    machine = RuleMachine.at(address)
    left = left_of(machine, continuation)
    return entry_of(machine, left) if left >= 0 else pd.NEED


@exported(releases_gil=False)
def start_entry(address: int, position: int, is_complete: int) -> int:
    """The entry of the empty text, at a position of the rule of whole texts; NEED. is_complete: it may be all.

    address: of a RuleMachine.
    """
    machine = RuleMachine.at(address)
    content = closure_of(machine, position, is_complete)
    return entry_of(machine, content) if content >= 0 else pd.NEED


@kernel
def build_return(machine: RuleMachine, state: int, frame: int) -> int:
    """What a state that returns becomes when a frame is popped, noted for `steps.popped`; NEED."""
    following = returned(machine, machine.states[state].content, frame)
    entry = entry_of(machine, following) if following >= 0 else pd.NEED
    if entry == pd.NEED or add_pair(machine, machine.returns, state, frame, entry, 1) == pd.NEED:
        return pd.NEED
    return entry


@kernel
def _shallow_entry(machine: RuleMachine, number: int) -> int:
    """As `entry_of`, where nothing is pushed: adds a local state."""
    content = machine.contents[number]
    entry = content.entry
    if entry != pd.UNBUILT:
        return entry
    rest, state = rest_flags(machine, number), machine.states.used
    if state >= machine.state_room:
        return need(machine, pd.NEED_ROOM, 0, 1)[0]
    entry = state
    if rest & (pd.HAS_LABELS | pd.HAS_DOCUMENTS):
        entry = _add_action(machine, 0, state)
        if entry == pd.NEED:
            return pd.NEED
    new = machine.states[state]
    new.returns = 1 if rest & pd.HAS_LABELS else 0
    new.is_complete = 1 if rest & pd.HAS_COMPLETE else 0
    new.segment = -1
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
    """1 when a frame must be pushed before the threads of a content."""
    threads, continuations = numbers_of(machine, content), machine.continuations.span()
    for thread in threads:
        if continuations[thread & at.MASK32].is_deep:
            return 1
    return 0


@kernel
def _add_action(machine: RuleMachine, frame: int, state: int) -> int:
    """The entry that pushes a frame (0 for none) and leads to a state; NEED."""
    number = machine.actions.used
    if number >= machine.actions.capacity:
        return need(machine, pd.NEED_ROOM, 0, 0)[0]
    machine.actions[number].frame = frame
    machine.actions[number].state = state
    machine.actions.used = number + 1
    return pd.FIRST_ACTION - number


@kernel
def _pushed(machine: RuleMachine, number: int) -> tuple[int, int]:
    """The frame that is pushed before the threads of a content, and the content that they then are; (., NEED).

    The frame depends on the set of continuations only, which is interned as a content of its own.
    """
    threads, moved, num_distinct = numbers_of(machine, number), machine.moving.moved.span(), 0
    count = len(threads)
    for index in range(count):
        moved[index] = threads[index] & at.MASK32
    sort(moved, count)
    for index in range(count):
        if index == 0 or moved[index] != moved[num_distinct - 1]:
            moved[num_distinct] = moved[index]
            num_distinct += 1
    key = intern(machine, moved, num_distinct, pd.PUSH, 1)
    push = _push_of(machine, key) if key >= 0 else pd.NEED
    if push == pd.NEED:
        return 0, pd.NEED
    distinct, frame = numbers_of(machine, key), machine.pushes[push].frame
    replaced = machine.numbers.span().part(machine.pushes[push].first, num_distinct)
    for index in range(count):
        thread = threads[index]
        moved[index] = (thread >> 32) << 32 | replaced[rank_of(distinct, thread & at.MASK32)]
    return frame, intern(machine, moved, count, machine.contents[number].rest, 1)


@kernel
def _push_of(machine: RuleMachine, key: int) -> int:
    """What is pushed before a set of continuations, an index into the machine's pushes; NEED."""
    content, distinct = machine.contents[key], numbers_of(machine, key)
    count = len(distinct)
    if content.entry == pd.UNBUILT:
        number, first = machine.pushes.used, machine.numbers.used
        if number >= machine.pushes.capacity or first + 2 * count > machine.numbers.capacity:
            return need(machine, pd.NEED_ROOM, 2 * count, 0)[0]
        new_epoch(machine)
        replaced = machine.numbers.span().part(first, count)  # not in use yet
        for index in range(count):
            continuation = relabelled(machine, distinct[index])
            if continuation < 0:
                return pd.NEED
            replaced[index] = continuation
        machine.numbers.used = first + count
        frame = _frame_of_labels(machine)
        if frame < 0:
            return pd.NEED
        machine.pushes[number].frame = frame
        machine.pushes[number].first = first
        machine.pushes.used = number + 1
        content.entry = number
    return content.entry


@kernel
def _frame_of_labels(machine: RuleMachine) -> int:
    """The frame that keeps the continuations which got labels; NEED."""
    labels = machine.relabelling.labels
    return intern(machine, labels.span(), labels.used, pd.FRAME, 1)


@kernel
def _lifted(machine: RuleMachine, number: int) -> tuple[int, int]:
    """As `_pushed`, of threads with documents and tokens beside them."""
    begin_closure(machine)
    threads, moved = numbers_of(machine, number), machine.moving.moved.span()
    count = len(threads)
    for index in range(count):
        continuation = relabelled(machine, threads[index] & at.MASK32)
        if continuation < 0:
            return 0, pd.NEED
        moved[index] = threads[index] >> 32 << 32 | continuation
    rests = numbers_of(machine, machine.contents[number].rest)
    for beside in rests:
        if beside >> pd.KIND_SHIFT != pd.COMPLETE:
            continuation = relabelled(machine, beside & at.MASK32)
            if continuation < 0:
                return 0, pd.NEED
            beside = beside >> 32 << 32 | continuation
        if add_rest(machine, beside) < 0:
            return 0, pd.NEED
    rest = rest_of(machine)
    frame = _frame_of_labels(machine) if rest >= 0 else pd.NEED
    if frame < 0:
        return 0, pd.NEED
    return frame, intern(machine, moved, count, rest, 1)
