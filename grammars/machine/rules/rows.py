"""Kernels: the rows of local states. A row has one entry for each byte: where the byte leads the state's items.

Entries of a row are made on demand, or all at once if many are needed. A kernel that has waited for Python starts its
work again from the beginning.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from ...memory.sorting import sort
from ...memory.structs import Array
from .. import asking
from .. import layout as at
from ..lexemes.lone_steps import lone_target
from ..lexemes.runs import worth
from ..lexemes.set_rows import has_row
from ..lexemes.sets import may_unite, united_state
from ..lexemes.trie_kernels import ODD, WIDE
from ..structs import Run
from . import layout as pd
from .closures import left_of
from .counters import after_byte, dfa_state_of_item, may_end, separate
from .entries import entry_of, local_mask_state_of
from .gss_edges import add_united, sort_united, union
from .numbers import intern, make_room_to_move, numbers_of, rest_flags
from .structs import Rules

_MANY = 12  # minimum number of bytes for which a whole row is made at once. PERF: a guess


@kernel
def entry_at(rules: Rules, state: int, byte: int) -> int:
    """Return the entry of a local state's row for a byte; made on first use."""
    if rules.states[state].row_kind == pd.NO_ROW:
        _begin_row(rules, state)
    entry = rules.rows[state][byte]
    return entry if entry != pd.UNBUILT else _build_entries(rules, state, byte)


@kernel
def lone_entry_at(rules: Rules, state: int, byte: int) -> int:
    """Like `entry_at`, for a step that no mask needs: a state with the masks of another state gets no row."""
    if rules.states[state].row_kind != pd.NO_ROW or local_mask_state_of(rules, state) == state:
        return entry_at(rules, state, byte)
    items, moved, found = numbers_of(rules, rules.states[state].content), rules.moving.moved.span(), 0
    for item in items:
        following = _lone_step(rules, dfa_state_of_item(item), byte)
        if following != at.DEAD:
            moved[found] = after_byte(item, following)
            found += 1
    return _settle(rules, _unite_alike(rules, moved, found), 1)


@kernel
def _unite_alike(rules: Rules, moved: Array[int], count: int) -> int:
    """Unite the states of items with the same continuation, and return the number of items left.

    Otherwise a counted repetition that may begin at each character would have an item for each beginning.
    """
    dfa, num_kept = rules.tables.dfa, 0
    for index in range(count):
        item, place = moved[index], -1
        for before in range(num_kept):
            other = moved[before]
            if item & at.MASK32 == other & at.MASK32 and max(item, other) >> 32 <= pd.DFA_STATE_BITS:
                place = before if may_unite(dfa, item >> 32, other >> 32) else place
        if place >= 0:
            item = united_state(dfa, item >> 32, moved[place] >> 32) << 32 | item & at.MASK32
        moved[place if place >= 0 else num_kept] = item
        num_kept += 0 if place >= 0 else 1
    return num_kept


@kernel
def _lone_step(rules: Rules, lexeme: int, byte: int) -> int:
    """Return the state of a terminal after a byte; DEAD if none."""
    following = lone_target(rules.tables.dfa, lexeme, byte)
    if following != at.UNBUILT:
        return following
    _make_row(rules, lexeme)
    return rules.tables.dfa.rows[lexeme][byte]


@kernel
def _make_row(rules: Rules, lexeme: int) -> None:
    """Make the row of a terminal's state if it does not exist."""
    if not has_row(rules.tables.dfa, lexeme):
        asking.ask(rules.request, asking.ROW, state=lexeme)


@kernel
def best_run(rules: Rules, state: int) -> tuple[Run, int]:
    """Return the best run of a local state's uncounted terminals, and the maximum number of characters that may still
    come.
    """
    if rules.states[state].row_kind == pd.NO_ROW:
        _begin_row(rules, state)
    runs, content = rules.tables.dfa.runs.span(), rules.states[state].content
    best, most, longest = runs[rules.empty_text], 0, 0
    is_bounded = rest_flags(rules, content) & ~pd.HAS_COMPLETE == 0
    for item in numbers_of(rules, content):
        lexeme = item >> 32
        is_bounded = is_bounded and lexeme <= pd.DFA_STATE_BITS and item & at.MASK32 == pd.END
        if lexeme <= pd.DFA_STATE_BITS:
            found, longest = worth(runs[lexeme].classes, runs[lexeme].length), max(longest, runs[lexeme].longest)
            if found > most:
                best, most = runs[lexeme], found
    return best, longest if is_bounded else at.MAX_COUNT + 1


@kernel
def make_ready_for(rules: Rules, state: int, num_bytes: int) -> None:
    """Call `make_ready` if enough bytes will be asked for; else entries are made on demand. num_bytes: their number."""
    if num_bytes >= _MANY:
        make_ready(rules, state)


@kernel
def make_ready(rules: Rules, state: int) -> None:
    """Make all entries of a local state's row, and its loops."""
    kind = rules.states[state].row_kind
    if kind == pd.ALL_ENTRIES:
        return
    if kind == pd.NO_ROW:
        _begin_row(rules, state)
    row, is_loop = rules.rows[state], 0
    for byte in range(256):
        entry = row[byte]
        if entry == pd.UNBUILT:
            entry = _build_entries(rules, state, byte)
        if entry == state:
            is_loop = 1
    if is_loop:
        rules.loops[state] = _loops(rules, state)
    rules.states[state].row_kind = pd.ALL_ENTRIES


@kernel
def _begin_row(rules: Rules, state: int) -> None:
    """Find the bytes at which a row may change, and set all its entries to UNBUILT."""
    items, dfa = numbers_of(rules, rules.states[state].content), rules.tables.dfa
    row_edges = rules.row_edges[state]
    for word in range(4):
        row_edges[word] = 1 if word == 0 else 0
    for item in items:
        lexeme = dfa_state_of_item(item)
        _make_row(rules, lexeme)
        edges = dfa.edges[lexeme]
        if edges[0] == 0:
            _find_edges(dfa.rows[lexeme], edges)
        for word in range(4):
            row_edges[word] |= edges[word]
    row = rules.rows[state]
    for byte in range(256):
        row[byte] = pd.UNBUILT
    rules.states[state].row_kind = pd.SOME_ENTRIES


@kernel
def _find_edges(row: Array[int], edges: Array[int]) -> None:
    """Set a bit for each byte whose entry in a terminal's row differs from the entry before, and for the first byte."""
    last, found = row[0], 1
    for byte in range(1, 256):
        if byte & 63 == 0:
            edges[(byte >> 6) - 1] = found
            found = 0
        target = row[byte]
        if target != last:
            found |= 1 << (byte & 63)
            last = target
    edges[3] = found


@kernel
def _is_edge(edges: Array[int], byte: int) -> int:
    return edges[byte >> 6] >> (byte & 63) & 1


@kernel
def _build_entries(rules: Rules, state: int, byte: int) -> int:
    """Make the entry for a byte, and store it for all neighbouring bytes that have the same effect on all items.

    BOUNDS: a content has at most as many items as `moving` has room.
    """
    items = numbers_of(rules, rules.states[state].content)
    if rules.work_left <= 0:
        asking.ask(rules.request, asking.PAUSE)
    rules.work_left -= 8 * (len(items) + 8)
    entry = _settle(rules, _move(rules, items, byte), 1)
    edges, row = rules.row_edges[state], rules.rows[state]
    first, end = byte, byte + 1
    while not _is_edge(edges, first):
        first -= 1
    while end < 256 and not _is_edge(edges, end):
        end += 1
    for offset in range(first, end):
        row[offset] = entry
    return entry


@kernel
def _move(rules: Rules, items: Array[int], byte: int) -> int:
    """List in `moved` the items after a byte, and return their number."""
    terminals, moved, found = rules.tables.dfa.rows.span(), rules.moving.moved.span(), 0
    for item in items:
        following = terminals[dfa_state_of_item(item)][byte]
        if following != at.DEAD:
            moved[found] = after_byte(item, following)
            found += 1
    return found


@kernel
def _settle(rules: Rules, count: int, may_add: int) -> int:
    """Return the entry of the items in `moved`, after entering the closures of items that may end; DEAD for none.

    may_add: 0 to look only: a content that was never met gives DEAD.
    """
    if count == 0:
        return pd.DEAD
    moved, kept = rules.moving.moved.span(), rules.moving.kept.span()
    sort(moved, count)
    empty = rules.empty_text
    num_kept, ended = 0, -1
    for index in range(count):
        lexeme, gss_node = moved[index] >> 32, moved[index] & at.MASK32
        if may_end(rules, moved[index]):
            ended = gss_node if ended < 0 else union(rules, ended, gss_node)
        if lexeme != empty:
            num_kept = add_united(rules, kept, num_kept, moved[index])
    if ended < 0:
        return _entry_of_items(rules, kept, num_kept, 0, may_add)
    left = left_of(rules, ended)
    if num_kept == 0:
        return entry_of(rules, left)
    num_merged = _merge(rules, kept, num_kept, left)
    return _entry_of_items(rules, rules.moving.merged.span(), num_merged, rules.contents[left].rest, may_add)


@kernel
def _merge(rules: Rules, kept: Array[int], num_kept: int, content: int) -> int:
    """Merge sorted items with those of a content into `merged`, and return their number."""
    others = numbers_of(rules, content)
    num_others = len(others)
    make_room_to_move(rules, num_kept + num_others)
    merged = rules.moving.merged.span()
    count, left, right = 0, 0, 0
    while left < num_kept or right < num_others:
        if right == num_others or (left < num_kept and kept[left] < others[right]):
            item = kept[left]
            left += 1
        else:
            item = others[right]
            right += 1
        count = add_united(rules, merged, count, item)
    return sort_united(rules, merged, count) if separate(rules, merged, count) else count


@kernel
def _entry_of_items(rules: Rules, items: Array[int], count: int, rest: int, may_add: int) -> int:
    """Like `entry_of`, for items and a rest; DEAD if this content was never met and may_add is 0."""
    content = intern(rules, items, count, rest, may_add)
    return content if content == pd.DEAD else entry_of(rules, content)


@kernel
def _loops(rules: Rules, state: int) -> int:
    """Return the byte classes that leave a state between characters unchanged; 0 inside a character."""
    items, row = numbers_of(rules, rules.states[state].content), rules.rows[state]
    dfa, moved, num_moved, wide = rules.tables.dfa, rules.moving.moved.span(), 0, WIDE | ODD
    for item in items:
        lexeme = dfa_state_of_item(item)
        if dfa.states[lexeme].is_between == 0:
            return 0
        if _has_wide(dfa.rows[lexeme]):
            wide &= dfa.loops[lexeme]
            moved[num_moved] = after_byte(item, lexeme)
            num_moved += 1
    byte_classes, all_kinds, changed = rules.tables.trie.byte_classes, 0, 0
    for byte in range(128):
        all_kinds |= byte_classes[byte]
        if row[byte] != state:
            changed |= byte_classes[byte]
    if wide & WIDE == 0 or num_moved == 0:
        return all_kinds & ~changed
    entry = _settle(rules, num_moved, 0)
    return all_kinds & ~changed | (wide if entry == state else 0)


@kernel
def _has_wide(row: Array[int]) -> int:
    """Return 1 if a byte from 128 on leads on from a state of a terminal."""
    for byte in range(128, 256):
        if row[byte] != at.DEAD:
            return 1
    return 0
