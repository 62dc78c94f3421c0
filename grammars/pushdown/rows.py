"""Kernels: the rows of local states: what each byte makes of their threads.

Entries of a row are made when they are asked for, or all at once where many are. Kernels return NEED where Python must
build what register M_NEED says; then the same is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load32, load64, store32, store64
from ..automaton.steps import need
from ..automaton.subsets import build_set_row
from ..automaton.trie import ODD, WIDE
from . import layout as pd
from .closures import left_of
from .entries import entry_of
from .numbers import content_at, intern, numbers_of, sort
from .ways import union

_MANY = 12  # bytes for which a whole row is made. PERF: a guess


@kernel
def entry_at(p: int, state: int, byte: int) -> int:
    """The entry of a local state's row for a byte, made if need be; NEED."""
    if _row_kind(p, state) == pd.NO_ROW and _begin_row(p, state) < 0:
        return pd.NEED
    entry = load32(load64(p, pd.P_ROWS), state * 256 + byte)
    return entry if entry != pd.UNBUILT else _build_entries(p, state, byte)


@kernel
def ready_for(p: int, state: int, num_bytes: int) -> int:
    """As `ready`, if so many bytes are worth it: else it is enough that entries are made when they are asked for."""
    return ready(p, state) if num_bytes >= _MANY else 0


@kernel
def ready(p: int, state: int) -> int:
    """0 when all entries of a local state's row are there, made if need be, and its loops; NEED."""
    kind = _row_kind(p, state)
    if kind == pd.ALL_ENTRIES:
        return 0
    if kind == pd.NO_ROW and _begin_row(p, state) < 0:
        return pd.NEED
    row, is_loop = load64(p, pd.P_ROWS) + state * 1024, 0
    for byte in range(256):
        entry = load32(row, byte)
        if entry == pd.UNBUILT:
            entry = _build_entries(p, state, byte)
            if entry == pd.NEED:
                return pd.NEED
        if entry == state:
            is_loop = 1
    if is_loop:
        loops = _loops(p, state, row)
        if loops == pd.NEED:
            return pd.NEED
        store64(load64(p, pd.P_LOOPS), state, loops)
    store32(load64(p, pd.P_STATES), state * pd.STATE_FIELDS + pd.G_ROW, pd.ALL_ENTRIES)
    return 0


@kernel
def _row_kind(p: int, state: int) -> int:
    return load32(load64(p, pd.P_STATES), state * pd.STATE_FIELDS + pd.G_ROW)


@kernel
def _begin_row(p: int, state: int) -> int:
    """Find the bytes at which a row may change, and let all its entries be UNBUILT; 0, or NEED."""
    content = load32(load64(p, pd.P_STATES), state * pd.STATE_FIELDS + pd.G_CONTENT)
    count, threads = load64(content_at(p, content), pd.C_COUNT), numbers_of(p, content)
    lexicon = load64(p, at.M_LEXICON)
    terminals, all_edges = load64(lexicon, at.L_ROWS), load64(lexicon, at.L_EDGES)
    row_edges = load64(p, pd.P_ROW_EDGES) + state * 32
    for word in range(4):
        store64(row_edges, word, 1 if word == 0 else 0)
    for index in range(count):
        lexeme = load64(threads, index) >> 32
        if load32(terminals, lexeme * 256) == at.UNBUILT and _build_terminal(lexicon, lexeme) == at.NEED:
            return need(p, pd.NEED_TERMINAL, lexeme, 0)[0]
        edges = all_edges + lexeme * 32
        if load64(edges, 0) == 0:
            _find_edges(terminals + lexeme * 1024, edges)
        for word in range(4):
            store64(row_edges, word, load64(row_edges, word) | load64(edges, word))
    row, both = load64(p, pd.P_ROWS) + state * 1024, pd.UNBUILT << 32 | (pd.UNBUILT & at.MASK32)
    for word in range(128):
        store64(row, word, both)
    store32(load64(p, pd.P_STATES), state * pd.STATE_FIELDS + pd.G_ROW, pd.SOME_ENTRIES)
    return 0


@kernel
def _build_terminal(lexicon: int, lexeme: int) -> int:
    """Make the row of a state of a terminal; 0, or NEED where Python must."""
    return build_set_row(lexicon, lexeme) if load64(load64(lexicon, at.L_SET_OF), lexeme) else at.NEED


@kernel
def _find_edges(row: int, edges: int) -> None:
    """Set a bit for each byte of a terminal's row that leads elsewhere than the byte before; the first one too."""
    last, found = load32(row, 0), 1
    for byte in range(1, 256):
        if byte & 63 == 0:
            store64(edges, (byte >> 6) - 1, found)
            found = 0
        target = load32(row, byte)
        if target != last:
            found |= 1 << (byte & 63)
            last = target
    store64(edges, 3, found)


@kernel
def _is_edge(edges: int, byte: int) -> int:
    return load64(edges, byte >> 6) >> (byte & 63) & 1


@kernel
def _build_entries(p: int, state: int, byte: int) -> int:
    """The entry for a byte, noted for all bytes around it that do the same to all threads; NEED.

    BOUNDS: a content has at most as many threads as P_MOVED has room.
    """
    content = load32(load64(p, pd.P_STATES), state * pd.STATE_FIELDS + pd.G_CONTENT)
    count, threads = load64(content_at(p, content), pd.C_COUNT), numbers_of(p, content)
    if load64(p, pd.P_WORK) <= 0:
        return need(p, pd.NEED_PAUSE, 0, 0)[0]
    store64(p, pd.P_WORK, load64(p, pd.P_WORK) - 8 * (count + 8))
    terminals = load64(load64(p, at.M_LEXICON), at.L_ROWS)
    entry = _settle(p, _move(p, terminals, threads, count, byte), 1)
    if entry == pd.NEED:
        return pd.NEED
    edges, row = load64(p, pd.P_ROW_EDGES) + state * 32, load64(p, pd.P_ROWS) + state * 1024
    first, end = byte, byte + 1
    while not _is_edge(edges, first):
        first -= 1
    while end < 256 and not _is_edge(edges, end):
        end += 1
    for place in range(first, end):
        store32(row, place, entry)
    return entry


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
            ended = continuation if ended < 0 else union(p, ended, continuation)
            if ended == pd.NEED:
                return pd.NEED
        if lexeme != empty:
            num_kept = _add(p, kept, num_kept, lexeme, continuation)
            if num_kept == pd.NEED:
                return pd.NEED
    if ended < 0:
        return _entry_of_threads(p, kept, num_kept, 0, may_add)
    left = left_of(p, ended)
    if left < 0:
        return pd.NEED
    if num_kept == 0:
        return entry_of(p, left)
    num_merged = _merge(p, kept, num_kept, left)
    if num_merged == pd.NEED:
        return pd.NEED
    rest = load64(content_at(p, left), pd.C_REST)
    return _entry_of_threads(p, load64(p, pd.P_MERGED), num_merged, rest, may_add)


@kernel
def _add(p: int, threads: int, count: int, lexeme: int, continuation: int) -> int:
    """Add a thread to sorted ones, united with the last one if that is in the same state; how many there are, NEED."""
    if count and load64(threads, count - 1) >> 32 == lexeme:
        continuation = union(p, load64(threads, count - 1) & at.MASK32, continuation)
        if continuation == pd.NEED:
            return pd.NEED
        count -= 1
    store64(threads, count, lexeme << 32 | continuation)
    return count + 1


@kernel
def _merge(p: int, kept: int, num_kept: int, content: int) -> int:
    """Merge sorted threads with those of a content into P_MERGED; how many there are then, NEED."""
    others, num_others = numbers_of(p, content), load64(content_at(p, content), pd.C_COUNT)
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
def _entry_of_threads(p: int, threads: int, count: int, rest: int, may_add: int) -> int:
    """As `entry_of`, for threads and a rest; DEAD if they were never met and may not be added."""
    content = intern(p, threads, count, rest, may_add)
    return content if content < 0 else entry_of(p, content)


@kernel
def _loops(p: int, state: int, row: int) -> int:
    """The kinds of bytes that leave a state between characters as it is; 0 inside of one; NEED."""
    content = load32(load64(p, pd.P_STATES), state * pd.STATE_FIELDS + pd.G_CONTENT)
    count, threads = load64(content_at(p, content), pd.C_COUNT), numbers_of(p, content)
    lexicon = load64(p, at.M_LEXICON)
    terminals, states, loops = load64(lexicon, at.L_ROWS), load64(lexicon, at.L_STATES), load64(lexicon, at.L_LOOPS)
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
        if load32(row, byte) != state:
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
