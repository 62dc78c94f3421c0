"""Kernels: the rows of local states: what each byte makes of their threads.

They return NEED where Python must build what register M_NEED says; then the same is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load32, load64, store32, store64
from ..automaton.steps import need, pair_hash
from ..automaton.trie import ODD, WIDE
from . import layout as pd
from .entries import content_at, entry_of, intern, sort


@kernel
def ready(p: int, state: int) -> int:
    """0 when the row of a local state is there, made if need be; NEED."""
    if load32(load64(p, pd.P_ROWS), state * 256) != pd.UNBUILT:
        return 0
    return _build_row(p, state)


@kernel
def _build_row(p: int, state: int) -> int:
    """Make a row: for each run of bytes that does the same to all threads, the entry of what they become.

    Reads 256 numbers of each thread's terminal. BOUNDS: a content has at most as many threads as P_MOVED has room.
    """
    content = content_at(p, load32(load64(p, pd.P_STATES), state * pd.STATE_FIELDS + pd.G_CONTENT))
    count, threads = load64(content, pd.C_COUNT), load64(p, pd.P_THREADS) + load64(content, pd.C_FIRST) * 8
    if load64(p, pd.P_WORK) <= 0:
        return need(p, pd.NEED_PAUSE, 0, 0)[0]
    store64(p, pd.P_WORK, load64(p, pd.P_WORK) - (count + 1) * 256)
    terminals = load64(load64(p, at.M_LEXICON), at.L_ROWS)
    for index in range(count):
        lexeme = load64(threads, index) >> 32
        if load32(terminals, lexeme * 256) == at.UNBUILT:
            return need(p, pd.NEED_TERMINAL, lexeme, 0)[0]
    row = load64(p, pd.P_ROWS) + state * 1024
    first, entry, is_loop = pd.DEAD, pd.DEAD, 0
    for byte in range(256):
        if byte == 0 or _differs(terminals, threads, count, byte):
            entry = _settle(p, _move(p, terminals, threads, count, byte), 1)
            if entry == pd.NEED:
                return pd.NEED
            if entry == state:
                is_loop = 1
        if byte:
            store32(row, byte, entry)
        else:
            first = entry
    if is_loop:
        loops = _loops(p, state, row, terminals, threads, count, first)
        if loops == pd.NEED:
            return pd.NEED
        store64(load64(p, pd.P_LOOPS), state, loops)
    store32(row, 0, first)
    return 0


@kernel
def _differs(terminals: int, threads: int, count: int, byte: int) -> int:
    """1 when a byte does something else to some thread than the byte before it."""
    for index in range(count):
        row = terminals + (load64(threads, index) >> 32) * 1024
        if load32(row, byte) != load32(row, byte - 1):
            return 1
    return 0


@kernel
def _move(p: int, terminals: int, threads: int, count: int, byte: int) -> int:
    """List what a byte makes of threads in P_MOVED; how many go on."""
    moved, found = load64(p, pd.P_MOVED), 0
    for index in range(count):
        thread = load64(threads, index)
        following = load32(terminals, (thread >> 32) * 256 + byte)
        if following != at.DEAD:
            store64(moved, found, following << 32 | (thread & at.MASK32))
            found += 1
    return found


@kernel
def _settle(p: int, count: int, may_add: int) -> int:
    """The entry of the threads in P_MOVED, where those that may end go on with what comes after them; DEAD for none.

    may_add: 0 to look only, and give DEAD for what was never met.
    """
    if count == 0:
        return pd.DEAD
    moved, kept = load64(p, pd.P_MOVED), load64(p, pd.P_KEPT)
    sort(moved, count)
    empty, states = load64(p, pd.P_EMPTY_TEXT), load64(load64(p, at.M_LEXICON), at.L_STATES)
    num_kept, ended = 0, -1
    for index in range(count):
        lexeme, continuation = load64(moved, index) >> 32, load64(moved, index) & at.MASK32
        if load32(states, lexeme * at.STATE_FIELDS + at.D_ACCEPT) >= 0:
            ended = continuation if ended < 0 else _union(p, ended, continuation)
            if ended == pd.NEED:
                return pd.NEED
        if lexeme != empty:
            num_kept = _add(p, kept, num_kept, lexeme, continuation)
            if num_kept == pd.NEED:
                return pd.NEED
    if ended < 0:
        return _entry_of_threads(p, kept, num_kept, 0, may_add)
    left = load32(load64(p, pd.P_CONTINUATIONS), ended * pd.CONTINUATION_FIELDS + pd.K_LEFT)
    if left < 0:
        return need(p, pd.NEED_LEFT, ended, 0)[0]
    if num_kept == 0:
        return entry_of(p, left)
    content = content_at(p, left)
    num_merged = _merge(p, kept, num_kept, content)
    if num_merged == pd.NEED:
        return pd.NEED
    return _entry_of_threads(p, load64(p, pd.P_MERGED), num_merged, load64(content, pd.C_REST), may_add)


@kernel
def _add(p: int, threads: int, count: int, lexeme: int, continuation: int) -> int:
    """Add a thread to sorted ones, united with the last one if that is in the same state; how many there are, NEED."""
    if count and load64(threads, count - 1) >> 32 == lexeme:
        continuation = _union(p, load64(threads, count - 1) & at.MASK32, continuation)
        if continuation == pd.NEED:
            return pd.NEED
        count -= 1
    store64(threads, count, lexeme << 32 | continuation)
    return count + 1


@kernel
def _merge(p: int, kept: int, num_kept: int, content: int) -> int:
    """Merge sorted threads with those of a content into P_MERGED; how many there are then, NEED."""
    others, num_others = load64(p, pd.P_THREADS) + load64(content, pd.C_FIRST) * 8, load64(content, pd.C_COUNT)
    if num_kept + num_others > load64(p, pd.P_MERGED + 2):
        return need(p, pd.NEED_ROOM, num_kept + num_others, 0)[0]
    merged, count, left, right = load64(p, pd.P_MERGED), 0, 0, 0
    while left < num_kept or right < num_others:
        if right == num_others or (left < num_kept and load64(kept, left) < load64(others, right)):
            thread = load64(kept, left)
            left += 1
        else:
            thread = load64(others, right)
            right += 1
        count = _add(p, merged, count, thread >> 32, thread & at.MASK32)
        if count == pd.NEED:
            return pd.NEED
    return count


@kernel
def _union(p: int, first: int, second: int) -> int:
    """The union of two continuations; NEED."""
    if first == second:
        return first
    if first > second:
        first, second = second, first
    keys, mask = load64(p, pd.P_UNION_KEYS), load64(p, pd.P_UNION_MASK)
    key, place = first << 32 | second, pair_hash(first, second, mask)
    while True:
        found = load64(keys, place)
        if found == key:
            return load32(load64(p, pd.P_UNION_VALUES), place)
        if found == 0:
            return need(p, pd.NEED_UNION, first, second)[0]
        place = (place + 1) & mask


@kernel
def _entry_of_threads(p: int, threads: int, count: int, rest: int, may_add: int) -> int:
    """As `entry_of`, for threads and a rest; DEAD if they were never met and may not be added."""
    content = intern(p, threads, count, rest, may_add)
    return content if content < 0 else entry_of(p, content)


@kernel
def _loops(p: int, state: int, row: int, terminals: int, threads: int, count: int, first: int) -> int:
    """The kinds of bytes that leave a state between characters as it is; 0 inside of one; NEED.

    first: the entry of byte 0, which the row does not hold yet.
    """
    lexicon = load64(p, at.M_LEXICON)
    states, loops = load64(lexicon, at.L_STATES), load64(lexicon, at.L_LOOPS)
    moved, num_moved, wide = load64(p, pd.P_MOVED), 0, WIDE | ODD
    for index in range(count):
        thread = load64(threads, index)
        lexeme = thread >> 32
        if load32(states, lexeme * at.STATE_FIELDS + at.D_BOUNDARY) == 0:
            return 0
        if _has_wide(terminals + lexeme * 1024):
            wide &= load64(loops, lexeme)
            store64(moved, num_moved, thread)
            num_moved += 1
    kinds, all_kinds, changed = load64(p, pd.P_KINDS), 0, 0
    for byte in range(128):
        all_kinds |= load64(kinds, byte)
        if (load32(row, byte) if byte else first) != state:
            changed |= load64(kinds, byte)
    if wide & WIDE == 0 or num_moved == 0:
        return all_kinds & ~changed
    entry = _settle(p, num_moved, 0)
    if entry == pd.NEED:
        return pd.NEED
    return all_kinds & ~changed | (wide if entry == state else 0)


@kernel
def _has_wide(row: int) -> int:
    """1 when a byte from 128 on leads on from a state of a terminal."""
    for byte in range(128, 256):
        if load32(row, byte) != at.DEAD:
            return 1
    return 0
