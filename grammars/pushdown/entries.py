"""Kernels: contents, what local states are made of (see `Contents`), and the entries of rows that lead to them.

A content is interned. Its entry says which local state it is and which frame is pushed before. Kernels return NEED
where Python must build what register M_NEED says; then the same is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load32, load64, store32, store64
from ..automaton.steps import need
from . import layout as pd

_HASH_BITS = (1 << 47) - 1


@kernel
def content_at(p: int, content: int) -> int:
    """The address of a content's fields."""
    return load64(p, pd.P_CONTENTS) + content * (pd.CONTENT_FIELDS * 8)


@kernel
def intern(p: int, threads: int, count: int, rest: int, may_add: int) -> int:
    """The number of a content, of sorted threads at an address; NEED; DEAD when it is new and may not be added."""
    key = count + rest
    for index in range(count):
        thread = load64(threads, index)
        key = ((key ^ (thread >> 32)) * 0x9E3779B1 + (thread & at.MASK32) * 0x85EBCA6B) & _HASH_BITS
    table, mask = load64(p, pd.P_CONTENT_TABLE), load64(p, pd.P_CONTENT_MASK)
    place = (key >> 15) & mask
    while load32(table, place) != 0:
        if _is_same(p, content_at(p, load32(table, place) - 1), key, threads, count, rest):
            return load32(table, place) - 1
        place = (place + 1) & mask
    if not may_add:
        return pd.DEAD
    number, first = load64(p, pd.P_CONTENTS + 1) // pd.CONTENT_FIELDS, load64(p, pd.P_THREADS + 1)
    is_full = (number + 1) * pd.CONTENT_FIELDS > load64(p, pd.P_CONTENTS + 2) or 2 * number > mask
    if is_full or first + count > load64(p, pd.P_THREADS + 2) or count > load64(p, pd.P_MOVED + 2):
        return need(p, pd.NEED_ROOM, count, 0)[0]
    for index in range(count):
        store64(load64(p, pd.P_THREADS), first + index, load64(threads, index))
    store64(p, pd.P_THREADS + 1, first + count)
    content = content_at(p, number)
    store64(content, pd.C_FIRST, first)
    store64(content, pd.C_COUNT, count)
    store64(content, pd.C_REST, rest)
    store64(content, pd.C_ENTRY, pd.UNBUILT)
    store64(content, pd.C_HASH, key)
    store64(p, pd.P_CONTENTS + 1, (number + 1) * pd.CONTENT_FIELDS)
    store32(table, place, number + 1)
    return number


@kernel
def _is_same(p: int, content: int, key: int, threads: int, count: int, rest: int) -> int:
    """1 when a content holds these threads and this rest."""
    if load64(content, pd.C_HASH) != key or load64(content, pd.C_COUNT) != count or load64(content, pd.C_REST) != rest:
        return 0
    others = load64(p, pd.P_THREADS) + load64(content, pd.C_FIRST) * 8
    for index in range(count):
        if load64(others, index) != load64(threads, index):
            return 0
    return 1


@kernel
def entry_of(p: int, number: int) -> int:
    """The entry of a row that leads to a content: frames are pushed, or will be popped, as it needs; NEED."""
    content = content_at(p, number)
    entry = load64(content, pd.C_ENTRY)
    if entry != pd.UNBUILT:
        return entry
    rest = load32(load64(p, pd.P_RESTS), load64(content, pd.C_REST))
    if rest & pd.HAS_LABELS or not (rest & pd.IS_DEEP or _is_deep(p, content)):
        return _shallow_entry(p, number)
    if rest & (pd.HAS_DOCUMENTS | pd.HAS_TOKENS):
        return need(p, pd.NEED_ENTRY, number, 0)[0]
    push = _push_of(p, content)
    if push == pd.NEED:
        return pd.NEED
    shallow = intern(p, load64(p, pd.P_MOVED), load64(content, pd.C_COUNT), load64(content, pd.C_REST), 1)
    state = _shallow_entry(p, shallow) if shallow >= 0 else pd.NEED
    entry = _add_action(p, load64(push, pd.U_FRAME), state) if state >= 0 else pd.NEED
    if entry != pd.NEED:
        store64(content, pd.C_ENTRY, entry)
    return entry


@kernel
def _shallow_entry(p: int, number: int) -> int:
    """As `entry_of`, where nothing is pushed: adds a local state."""
    content = content_at(p, number)
    entry = load64(content, pd.C_ENTRY)
    if entry != pd.UNBUILT:
        return entry
    rest, state = load32(load64(p, pd.P_RESTS), load64(content, pd.C_REST)), load64(p, pd.P_NUM_STATES)
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
    store32(load64(p, pd.P_ROWS), state * 256, pd.UNBUILT)
    store64(load64(p, pd.P_LOOPS), state, 0)
    store64(p, pd.P_NUM_STATES, state + 1)
    store64(content, pd.C_ENTRY, entry)
    return entry


@kernel
def _is_deep(p: int, content: int) -> int:
    """1 when a frame must be pushed before the threads of a content."""
    threads, continuations = load64(p, pd.P_THREADS) + load64(content, pd.C_FIRST) * 8, load64(p, pd.P_CONTINUATIONS)
    for index in range(load64(content, pd.C_COUNT)):
        continuation = load64(threads, index) & at.MASK32
        if load32(continuations, continuation * pd.CONTINUATION_FIELDS + pd.K_DEEP):
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
def _push_of(p: int, content: int) -> int:
    """The address of what to push before a content, whose threads are then in P_MOVED; NEED.

    That depends on the set of continuations only, which is interned as a content of its own.
    """
    count, threads = load64(content, pd.C_COUNT), load64(p, pd.P_THREADS) + load64(content, pd.C_FIRST) * 8
    moved, num_distinct = load64(p, pd.P_MOVED), 0
    for index in range(count):
        store64(moved, index, load64(threads, index) & at.MASK32)
    sort(moved, count)
    for index in range(count):
        if index == 0 or load64(moved, index) != load64(moved, num_distinct - 1):
            store64(moved, num_distinct, load64(moved, index))
            num_distinct += 1
    number = intern(p, moved, num_distinct, pd.PUSHED_REST, 1)
    if number == pd.NEED:
        return pd.NEED
    key = content_at(p, number)
    if load64(key, pd.C_ENTRY) == pd.UNBUILT:
        return need(p, pd.NEED_PUSH, number, 0)[0]
    push = load64(p, pd.P_PUSHES) + load64(key, pd.C_ENTRY) * (pd.PUSH_FIELDS * 8)
    numbers = load64(p, pd.P_THREADS)
    replaced, distinct = numbers + load64(push, pd.U_FIRST) * 8, numbers + load64(key, pd.C_FIRST) * 8
    threads = numbers + load64(content, pd.C_FIRST) * 8
    for index in range(count):
        thread = load64(threads, index)
        place = _place_of(distinct, num_distinct, thread & at.MASK32)
        store64(moved, index, (thread >> 32) << 32 | load64(replaced, place))
    return push


@kernel
def _place_of(numbers: int, count: int, wanted: int) -> int:
    """The place of a number among sorted ones, which it is one of."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) >> 1
        if load64(numbers, middle) < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def sort(numbers: int, count: int) -> None:
    """Sort int64 numbers in place, by insertion over shrinking gaps."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for index in range(gap, count):
            number, place = load64(numbers, index), index
            while place >= gap and load64(numbers, place - gap) > number:
                store64(numbers, place, load64(numbers, place - gap))
                place -= gap
            store64(numbers, place, number)
        gap //= 3
