"""Kernels: interiors, the effect of a vocabulary's subtree on a state.

An interior is the result of a walk: the tokens that stay inside, and the exits at which others leave. The walk lists
them in `InteriorWalk`, and `keep_interior` keeps them in `Interiors`. There are three kinds of states, which read bytes
differently: states of strings and numbers (here), places of quotes (quotes/walks.py), local states (rules/walks.py).
Interiors of DFA states are made once for each (state, node) that a mask asks for, and shared by all grammars.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.hash_map import add, make_room, value_of_pair
from ..memory.kernel import exported, kernel
from ..memory.rows import row_at
from ..memory.sorting import sort
from ..memory.structs import Array, int32
from . import layout as at
from .documents.steps import make_row
from .machine import Machine
from .mask_work import new_row
from .structs import Interiors, InteriorWalk, Run, Tables, Trie


@kernel
def build_interior(machine: Machine, state: int, node: int) -> int:
    """Make the interior of a DFA's state at a node, and return its number.

    A string's exit is the node after the quote. A number's exit is a node where it may end, if some child's byte can
    follow a number. If the kernel waits for Python, the next call goes on with the same walk.
    """
    tables, key, row = machine.tables, node << 32 | state, 0
    walk = tables.walk
    if node == 0:
        row = new_row(tables.room, tables.trie.num_words).address
    if walk.key != key:
        start_walk(walk, node, state)
        walk.key = key
        if row:
            clear(row_at(row, tables.trie.num_words))
    while walk.head < walk.queue.used:
        make_row(machine, walk.queue[walk.head].state)
        _walk_children(tables, walk.head, row)
        walk.head += 1
    sort(walk.tokens.span(), walk.tokens.used)
    number = keep_interior(tables.interiors, state, node, walk, row)
    if row:
        tables.room.rows.used += tables.trie.num_words
    return number


@exported
def make_interior(address: int, state: int, node: int) -> None:
    """`build_interior`, for Python. address: address of the Machine."""
    build_interior(Machine.at(address), state, node)


@kernel
def clear(row: Array[int32]) -> None:
    """Clear all bits of a row."""
    for word in range(len(row)):
        row[word] = 0


@kernel
def known_interior(kept: Interiors, state: int, node: int) -> int:
    """Return the number of a kept interior; below 1 if it is not made. node: see `Interiors.index`."""
    return value_of_pair(kept.index, state + 1, node)


@kernel
def keep_interior(kept: Interiors, state: int, node: int, walk: InteriorWalk, row: int) -> int:
    """Keep the result of a walk as the interior of a state at a node, and return its number.

    node: see `Interiors.index`.
    row: address of the row of the tokens that stay inside; 0 if the walk lists them.
    """
    kept.tokens.ensure(kept.tokens.used + walk.tokens.used)
    kept.exits.ensure(kept.exits.used + walk.exits.used)
    make_room(kept.index)
    number = kept.made.reserve(1)
    write_interior(kept, number, walk, row)
    kept.tokens.used += walk.tokens.used
    kept.exits.used += walk.exits.used
    add(kept.index, (state + 1) << 32 | node, number)
    walk.key = at.DEAD
    return number


@kernel
def write_interior(kept: Interiors, number: int, walk: InteriorWalk, row: int) -> None:
    """Write the result of a walk as an interior, behind the tokens and exits in use. The next one takes their place."""
    kept.tokens.ensure(kept.tokens.used + walk.tokens.used)
    kept.exits.ensure(kept.exits.used + walk.exits.used)
    interior = kept.made[number]
    interior.row = row
    interior.max_count = walk.most_characters
    interior.first_token = kept.tokens.used
    interior.num_tokens = walk.tokens.used
    interior.first_exit = kept.exits.used
    interior.num_exits = walk.exits.used
    for index in range(walk.tokens.used):
        kept.tokens[kept.tokens.used + index] = walk.tokens[index]
    for index in range(walk.exits.used):
        found, exit_ = walk.exits[index], kept.exits[kept.exits.used + index]
        exit_.node = found.node
        exit_.language = found.language
        exit_.characters = found.characters


@exported
def list_inside(address: int, state: int) -> int:
    """List the tokens that stay inside in the walk of the Tables. Returns 0 when done, or 1 + a state whose row is
    needed.

    address: address of the Tables.
    """
    tables = Tables.at(address)
    start_walk(tables.walk, 0, state)
    while tables.walk.head < tables.walk.queue.used:
        here = tables.walk.queue[tables.walk.head].state
        if tables.dfa.rows[here][0] == at.UNBUILT:
            return here + 1
        _walk_children(tables, tables.walk.head, 0)
        tables.walk.head += 1
    return 0


@kernel
def start_walk(walk: InteriorWalk, node: int, state: int) -> None:
    """Start a new walk from a node in a state."""
    clear_walk(walk)
    go_on(walk, node, state, 0)


@kernel
def clear_walk(walk: InteriorWalk) -> None:
    """Forget the last walk with its result."""
    walk.key = at.DEAD
    walk.head = 0
    walk.queue.used = 0
    walk.cursor = 0
    walk.tokens.used = 0
    walk.exits.used = 0
    walk.most_characters = 0
    walk.limit = 0


@kernel
def go_on(walk: InteriorWalk, node: int, state: int, characters: int) -> None:
    """Add an entry to the queue. BOUNDS: the queue has room for every node, and no node comes twice."""
    entry = walk.queue[walk.queue.reserve(1)]
    entry.node = node
    entry.state = state
    entry.characters = characters


@kernel
def add_exit(walk: InteriorWalk, node: int, language: int, characters: int) -> None:
    """Note an exit. BOUNDS: as in `go_on`."""
    exit_ = walk.exits[walk.exits.reserve(1)]
    exit_.node = node
    exit_.language = language
    exit_.characters = characters


@kernel
def _walk_children(tables: Tables, head: int, row: int) -> None:
    """Step through the children of the walk's entry `head`.

    row: address of an int32 (W,) row that gets the tokens' bits, or 0 to list the tokens.
    """
    trie, dfa, entry = tables.trie, tables.dfa, tables.walk.queue[head]
    node, characters = entry.node, entry.characters
    next_states, state = dfa.rows[entry.state], dfa.states[entry.state]
    if state.accepts >= 0 and trie.may_end_number[node]:
        add_exit(tables.walk, node, state.accepts, characters)
    begun = characters + state.is_between
    others, run = ~dfa.loops[entry.state], dfa.runs[entry.state]
    # no runs for plain text: a run may contain the mark after a text
    has_run = row and dfa.set_of[entry.state].spelling != at.TEXT_SPELLING
    for child in range(trie.first_child[node], trie.first_child[node + 1]):
        if trie.within[child] & others == 0:
            _note_subtree(tables, child, begun + state.shortest, row)
            continue
        sure = characters_on_run(trie, run, run.longest, node, child) if has_run else -1
        if sure >= 0:
            set_short_tokens(trie, child, trie.chars[node] + sure, row_at(row, trie.num_words))
            tables.walk.most_characters = max(tables.walk.most_characters, begun + sure + run.most_left)
            continue
        following = next_states[trie.byte[child]]
        if following >= 0 and dfa.states[following].accepts >= 0 and dfa.states[following].is_between:
            add_exit(tables.walk, child, dfa.states[following].accepts, begun)  # the byte ends the mark behind a text
        elif following >= 0:
            _walk_into(tables, child, following, begun, row)
        elif following <= at.FIRST_END:
            add_exit(tables.walk, child, at.FIRST_END - following, characters)


@kernel
def characters_on_run(trie: Trie, run: Run, longest: int, node: int, child: int) -> int:
    """Return n: tokens under `child` with at most n characters, counted from `node`, surely stay in the state; -1: the
    run doesn't tell.

    longest: maximum number of characters that can still come in the state.
    """
    classes, count = trie.within[child], trie.most_chars[child] - trie.chars[node]
    if classes & ~run.classes == 0 and min(count, longest) <= run.length:
        return min(count, longest)
    if classes & ~run.few_classes == 0 and min(count, longest) <= run.length_of_few:
        return min(count, longest)
    return -1


@kernel
def set_short_tokens(trie: Trie, node: int, most_chars: int, row: Array[int32]) -> None:
    """Set the bits of the tokens under a node that have at most `most_chars` characters."""
    if trie.most_chars[node] <= most_chars:
        set_tokens(trie, node, trie.token_end[node], row)
        return
    for index in range(trie.token_start[node], trie.token_end[node]):
        if trie.sorted_chars[index] <= most_chars:
            token = trie.sorted_ids[index]
            row[token >> 5] |= 1 << (token & 31)


@kernel
def _walk_into(tables: Tables, node: int, state: int, characters: int, row: int) -> None:
    """Note the tokens that end at a node, and walk on from there; or note all tokens under it if none changes the
    state.

    PERF: without that, and the same in `_walk_children`, the broadest states take 2 ms instead of 0.3 ms.
    """
    trie, walk = tables.trie, tables.walk
    needed = characters + tables.dfa.states[state].shortest
    if trie.below[node] & ~tables.dfa.loops[state] == 0:
        _note_subtree(tables, node, needed, row)
        return
    walk.most_characters = max(walk.most_characters, needed)
    note_tokens(tables, node, trie.own_end[node], row, needed - trie.chars[node])
    if trie.first_child[node] < trie.first_child[node + 1]:
        go_on(walk, node, state, characters)


@kernel
def _note_subtree(tables: Tables, node: int, needed: int, row: int) -> None:
    """Note all tokens under a node, which stay in the same state. needed: characters that the text up to the node
    needs.
    """
    trie, walk = tables.trie, tables.walk
    more = needed - trie.chars[node]
    walk.most_characters = max(walk.most_characters, more + trie.most_chars[node])
    note_tokens(tables, node, trie.token_end[node], row, more)


@kernel
def note_tokens(tables: Tables, node: int, end: int, row: int, more: int) -> None:
    """Set the bits of the tokens from the first under a node to end - 1 in the order of bytes, or list these tokens.

    more: characters that the text still needs after the token's own ones.
    """
    trie, walk = tables.trie, tables.walk
    if row:
        set_tokens(trie, node, end, row_at(row, trie.num_words))
        return
    for index in range(trie.token_start[node], end):
        walk.tokens[walk.tokens.reserve(1)] = more + trie.sorted_chars[index] << 32 | trie.sorted_ids[index]


@kernel
def set_tokens(trie: Trie, node: int, end: int, row: Array[int32]) -> None:
    """Set the bits of the tokens from the first under a node to end - 1 in the order of bytes."""
    start = trie.token_start[node]
    for token in trie.sorted_ids.part(start, end - start):
        row[token >> 5] |= 1 << (token & 31)


@exported
def fill_count_rows(address: int, rows: int, num_rows: int) -> None:
    """Set bits by the walk's list: row r of int32 (num_rows, W), zeros, gets the tokens that need at most r characters.

    address: address of the Tables.
    rows: address of the first row.
    """
    tables = Tables.at(address)
    walk, width = tables.walk, tables.trie.num_words
    words = row_at(rows, num_rows * width)
    for index in range(walk.tokens.used):
        characters, token = walk.tokens[index] >> 32, walk.tokens[index] & at.MASK32
        words[characters * width + (token >> 5)] |= 1 << (token & 31)
    for offset in range(width, num_rows * width):
        words[offset] |= words[offset - width]
