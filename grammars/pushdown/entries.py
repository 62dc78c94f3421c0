"""Kernels: the entries of rows that lead to contents: which local state a content is, and what is pushed before.

They return NEED where Python must build what register M_NEED says; then the same is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load32, load64, store32, store64
from ..automaton.steps import need
from . import layout as pd
from .closures import add_rest, begin_closure, closure_of, left_of, rest_of, returned
from .labels import new_epoch, relabelled
from .numbers import content_at, intern, numbers_of, place_of, rest_flags, sort
from .ways import add_pair, continuation_field


@kernel
def entry_of(p: int, number: int) -> int:
    """The entry of a row that leads to a content: frames are pushed, or will be popped, as it needs; NEED."""
    content = content_at(p, number)
    entry = load64(content, pd.C_ENTRY)
    if entry != pd.UNBUILT:
        return entry
    flags = rest_flags(p, number)
    if flags & pd.HAS_LABELS or not (flags & pd.IS_DEEP or _is_deep(p, number)):
        return _shallow_entry(p, number)
    if flags & (pd.HAS_DOCUMENTS | pd.HAS_TOKENS):
        frame, shallow = _lifted(p, number)
    else:
        frame, shallow = _pushed(p, number)
    state = _shallow_entry(p, shallow) if shallow >= 0 else pd.NEED
    if state == pd.NEED:
        return pd.NEED
    if state <= pd.FIRST_ACTION:
        state = load32(load64(p, pd.P_ACTIONS), (pd.FIRST_ACTION - state) * pd.ACTION_FIELDS + pd.A_STATE)
    entry = _add_action(p, frame, state)
    if entry != pd.NEED:
        store64(content, pd.C_ENTRY, entry)
    return entry


@kernel
def entry_after(p: int, continuation: int) -> int:
    """The entry of a place where a token or a document with that continuation has ended; NEED."""
    left = left_of(p, continuation)
    return entry_of(p, left) if left >= 0 else pd.NEED


@kernel
def start_entry(p: int, position: int, is_complete: int) -> int:
    """The entry of the empty text, at a position of the rule of whole texts; NEED. is_complete: it may be all."""
    content = closure_of(p, position, is_complete)
    return entry_of(p, content) if content >= 0 else pd.NEED


@kernel
def build_return(p: int, state: int, frame: int) -> int:
    """What a state that returns becomes when a frame is popped, noted for `steps.popped`; NEED."""
    content = load32(load64(p, pd.P_STATES), state * pd.STATE_FIELDS + pd.G_CONTENT)
    following = returned(p, content, frame)
    entry = entry_of(p, following) if following >= 0 else pd.NEED
    if entry == pd.NEED or add_pair(p, pd.P_RETURN_KEYS, state, frame, entry, 1) == pd.NEED:
        return pd.NEED
    return entry


@kernel
def _shallow_entry(p: int, number: int) -> int:
    """As `entry_of`, where nothing is pushed: adds a local state."""
    content = content_at(p, number)
    entry = load64(content, pd.C_ENTRY)
    if entry != pd.UNBUILT:
        return entry
    rest, state = rest_flags(p, number), load64(p, pd.P_NUM_STATES)
    if state >= load64(p, pd.P_STATE_ROOM):
        return need(p, pd.NEED_ROOM, 0, 1)[0]
    entry = state
    if rest & (pd.HAS_LABELS | pd.HAS_DOCUMENTS):
        entry = _add_action(p, 0, state)
        if entry == pd.NEED:
            return pd.NEED
    fields = load64(p, pd.P_STATES) + state * (pd.STATE_FIELDS * 4)
    store32(fields, pd.G_RETURNS, 1 if rest & pd.HAS_LABELS else 0)
    store32(fields, pd.G_COMPLETE, 1 if rest & pd.HAS_COMPLETE else 0)
    store32(fields, pd.G_SEGMENT, -1)
    store32(fields, pd.G_DOCUMENTS, 1 if rest & pd.HAS_DOCUMENTS else 0)
    store32(fields, pd.G_CONTENT, number)
    store32(fields, pd.G_ROW, pd.NO_ROW)
    store32(fields, pd.G_BESIDE, 1 if rest & (pd.HAS_DOCUMENTS | pd.HAS_TOKENS) else 0)
    store32(fields, pd.G_MASK, 0)
    store64(load64(p, pd.P_LOOPS), state, 0)
    store64(p, pd.P_NUM_STATES, state + 1)
    store64(content, pd.C_ENTRY, entry)
    return entry


@kernel
def _is_deep(p: int, content: int) -> int:
    """1 when a frame must be pushed before the threads of a content."""
    threads = numbers_of(p, content)
    for index in range(load64(content_at(p, content), pd.C_COUNT)):
        if continuation_field(p, load64(threads, index) & at.MASK32, pd.K_DEEP):
            return 1
    return 0


@kernel
def _add_action(p: int, frame: int, state: int) -> int:
    """The entry that pushes a frame (0 for none) and leads to a state; NEED."""
    actions = load64(p, pd.P_ACTIONS + 1)
    if actions + pd.ACTION_FIELDS > load64(p, pd.P_ACTIONS + 2):
        return need(p, pd.NEED_ROOM, 0, 0)[0]
    store32(load64(p, pd.P_ACTIONS), actions + pd.A_FRAME, frame)
    store32(load64(p, pd.P_ACTIONS), actions + pd.A_STATE, state)
    store64(p, pd.P_ACTIONS + 1, actions + pd.ACTION_FIELDS)
    return pd.FIRST_ACTION - actions // pd.ACTION_FIELDS


@kernel
def _pushed(p: int, number: int) -> tuple[int, int]:
    """The frame that is pushed before the threads of a content, and the content that they then are; (., NEED).

    The frame depends on the set of continuations only, which is interned as a content of its own.
    """
    content, moved, num_distinct = content_at(p, number), load64(p, pd.P_MOVED), 0
    count, threads = load64(content, pd.C_COUNT), numbers_of(p, number)
    for index in range(count):
        store64(moved, index, load64(threads, index) & at.MASK32)
    sort(moved, count)
    for index in range(count):
        if index == 0 or load64(moved, index) != load64(moved, num_distinct - 1):
            store64(moved, num_distinct, load64(moved, index))
            num_distinct += 1
    key = intern(p, moved, num_distinct, pd.PUSH, 1)
    push = _push_of(p, key) if key >= 0 else pd.NEED
    if push == pd.NEED:
        return 0, pd.NEED
    replaced, distinct = load64(p, pd.P_THREADS) + load64(push, pd.U_FIRST) * 8, numbers_of(p, key)
    for index in range(count):
        thread = load64(threads, index)
        place = place_of(distinct, num_distinct, thread & at.MASK32)
        store64(moved, index, (thread >> 32) << 32 | load64(replaced, place))
    return load64(push, pd.U_FRAME), intern(p, moved, count, load64(content, pd.C_REST), 1)


@kernel
def _push_of(p: int, key: int) -> int:
    """The address of what is pushed before a set of continuations; NEED."""
    fields, distinct = content_at(p, key), numbers_of(p, key)
    count = load64(fields, pd.C_COUNT)
    if load64(fields, pd.C_ENTRY) == pd.UNBUILT:
        pushes, first = load64(p, pd.P_PUSHES + 1), load64(p, pd.P_THREADS + 1)
        is_full = pushes + pd.PUSH_FIELDS > load64(p, pd.P_PUSHES + 2)
        if is_full or first + 2 * count > load64(p, pd.P_THREADS + 2):
            return need(p, pd.NEED_ROOM, 2 * count, 0)[0]
        new_epoch(p)
        replaced = load64(p, pd.P_THREADS) + first * 8  # not in use yet
        for index in range(count):
            continuation = relabelled(p, load64(distinct, index))
            if continuation < 0:
                return pd.NEED
            store64(replaced, index, continuation)
        store64(p, pd.P_THREADS + 1, first + count)
        frame = intern(p, load64(p, pd.P_LABELS), load64(p, pd.P_NUM_LABELS), pd.FRAME, 1)
        if frame < 0:
            return pd.NEED
        push = load64(p, pd.P_PUSHES) + pushes * 8
        store64(push, pd.U_FRAME, frame)
        store64(push, pd.U_FIRST, first)
        store64(p, pd.P_PUSHES + 1, pushes + pd.PUSH_FIELDS)
        store64(fields, pd.C_ENTRY, pushes // pd.PUSH_FIELDS)
    return load64(p, pd.P_PUSHES) + load64(fields, pd.C_ENTRY) * (pd.PUSH_FIELDS * 8)


@kernel
def _lifted(p: int, number: int) -> tuple[int, int]:
    """As `_pushed`, of threads with documents and tokens beside them."""
    begin_closure(p)
    content, moved, threads = content_at(p, number), load64(p, pd.P_MOVED), numbers_of(p, number)
    count, old_rest = load64(content, pd.C_COUNT), load64(content, pd.C_REST)
    for index in range(count):
        continuation = relabelled(p, load64(threads, index) & at.MASK32)
        if continuation < 0:
            return 0, pd.NEED
        store64(moved, index, load64(threads, index) >> 32 << 32 | continuation)
    rests = numbers_of(p, old_rest)
    for index in range(load64(content_at(p, old_rest), pd.C_COUNT)):
        beside = load64(rests, index)
        if beside >> pd.KIND_SHIFT != pd.COMPLETE:
            continuation = relabelled(p, beside & at.MASK32)
            if continuation < 0:
                return 0, pd.NEED
            beside = beside >> 32 << 32 | continuation
        if add_rest(p, beside) < 0:
            return 0, pd.NEED
    rest = rest_of(p)
    frame = intern(p, load64(p, pd.P_LABELS), load64(p, pd.P_NUM_LABELS), pd.FRAME, 1) if rest >= 0 else pd.NEED
    if frame < 0:
        return 0, pd.NEED
    return frame, intern(p, moved, count, rest, 1)
