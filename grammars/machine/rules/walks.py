"""Kernels: interiors of local states: the tokens that stay within local states, and the exits of the others.

An interior is made once for each local state, by a walk of the vocabulary's trie. Some byte classes may leave a local
state unchanged, as within a string or a name. Tokens made only of such bytes come from a row that all states and
grammars share (`ByteClassRow`). The walk goes on at the nodes where other bytes follow.

If units are counted, one interior holds for all counts that are far from a bound: no token reaches it. The walk for
this interior counts from FAR_COUNT, a large negative number; `exit_count` adds the real count later. Nearer to a bound
each count has an interior of its own.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from ...memory.structs import Array
from .. import asking
from ..byte_class_walks import known_byte_class_row
from ..codes import counted_code
from ..interiors import (
    add_exit,
    characters_on_run,
    clear,
    go_on,
    keep_interior,
    known_interior,
    set_short_tokens,
    set_tokens,
    start_walk,
)
from ..lexemes.trie_kernels import ODD, WIDE
from ..mask_work import new_row
from ..structs import ByteClassRow, Interior, InteriorExit, MaskRoom, Trie
from . import layout as pd
from .rows import best_run, entry_at, make_ready, make_ready_for
from .structs import Rules

FAR_COUNT = -(1 << 30)
_LARGE = 2048  # minimum number of tokens under a node for the use of byte class rows. PERF: a guess


@kernel
def local_interior(rules: Rules, room: MaskRoom, state: int, count: int) -> Interior:
    """Return the interior of a local state with a count; made on first use.

    room: memory for its row.
    count: see `Branch.num_units`.

    If the kernel waits for Python, the next call goes on with the same walk.
    """
    fields, kept = rules.states[state], rules.interiors
    number = known_interior(kept, state, 0)
    if number < 1:
        number = _build_interior(rules, room, state, FAR_COUNT if fields.is_counting else 0)
    if fields.is_counting and count >= kept.made[number].max_count:
        number = known_interior(kept, state, count + 1)
        if number < 1:
            number = _build_interior(rules, room, state, count)
    return kept.made[number]


@kernel
def exit_count(exit_: InteriorExit, count: int) -> int:
    """Return the count at an exit. Below 0 it is relative to FAR_COUNT, and the count of the configuration is added."""
    return exit_.characters if exit_.characters >= 0 else exit_.characters - FAR_COUNT + count


@kernel
def _build_interior(rules: Rules, room: MaskRoom, state: int, count: int) -> int:
    """Make an interior by a walk, and return its number.

    count: 0 or FAR_COUNT for all counts that are far from a bound.
    """
    walk, row = rules.tables.walk, new_row(room, rules.tables.trie.num_words)
    key = counted_code(state, count if count >= 0 else pd.NO_CROSSING >> 5)
    if walk.key != key:
        _begin_walk(rules, state, count, row)
        walk.key = key
    while walk.head < walk.queue.used:
        entry = walk.queue[walk.head]
        _walk_on(rules, entry.node, entry.state, entry.characters, row)
        walk.head += 1
        walk.cursor = 0
    is_near = rules.states[state].is_counting and count >= 0
    number = keep_interior(rules.interiors, state, count + 1 if is_near else 0, walk, row.address)
    rules.interiors.made[number].max_count = walk.limit
    room.rows.used += len(row)
    return number


@kernel
def _begin_walk(rules: Rules, state: int, count: int, row: Array[int]) -> None:
    """Begin a walk that sets the tokens that stay in local states from `state` on, and lists the exits."""
    clear(row)
    if rules.states[state].is_complete:
        for token in rules.tables.trie.end_ids:
            row[token >> 5] |= 1 << (token & 31)
    start_walk(rules.tables.walk, 0, state)
    rules.tables.walk.queue[0].characters = count
    rules.tables.walk.limit = pd.NO_CROSSING


@kernel
def _counts_on(rules: Rules, state: int, count: int, characters: int) -> bool:
    """Return True if `characters` more characters reach no bound of a state's count.

    Lowers the walk's limit if the walk counts from FAR_COUNT.
    """
    fields, walk = rules.states[state], rules.tables.walk
    if not fields.is_counting:
        return True
    if count >= 0:
        return count + characters < fields.crossing
    walk.limit = min(walk.limit, fields.crossing - (count - FAR_COUNT) - characters)
    return True


@kernel
def _walk_on(rules: Rules, node: int, state: int, count: int, row: Array[int]) -> None:
    """Do an entry of the walk."""
    trie, walk = rules.tables.trie, rules.tables.walk
    if trie.token_end[node] - trie.token_start[node] >= _LARGE:
        make_ready(rules, state)
        main = _main_state(rules, state)
        if rules.loops[main] and _counts_on(rules, main, count, trie.most_chars[node] - trie.chars[node]):
            byte_class_row = _byte_class_row(rules, main, node)
            _take_byte_classes(rules, node, state, count, main, byte_class_row, row)
            _walk_from_byte_classes(rules, node, state, count, main, byte_class_row, row)
            return
    bytes_, first, end = trie.byte, trie.first_child[node], trie.first_child[node + 1]
    make_ready_for(rules, state, end - first)
    run, longest = best_run(rules, state)
    for child in range(first + walk.cursor, end):
        walk.cursor = child - first
        sure = characters_on_run(trie, run, longest, node, child)
        if sure >= 0:
            set_short_tokens(trie, child, trie.chars[node] + sure, row)
            continue
        following = entry_at(rules, state, bytes_[child])
        if following != pd.DEAD:
            _walk_over(rules, child, state, count, following, row)


@kernel
def _main_state(rules: Rules, state: int) -> int:
    """Return the local state that most ASCII bytes lead to, if some byte class leaves that state unchanged.

    Otherwise returns `state` itself.
    """
    row, loops = rules.rows[state], rules.loops.span()
    found, most = state, 0
    if loops[state] == 0:
        for byte in range(128):
            target, count = row[byte], 0
            if target >= 0 and target != found and (byte == 0 or target != row[byte - 1]):
                for other in range(128):
                    count += 1 if row[other] == target else 0
                if count > most:
                    found, most = target, count
        make_ready(rules, found)
    return found if loops[found] else state


@kernel
def _byte_class_row(rules: Rules, main: int, node: int) -> ByteClassRow:
    """Return the byte class row at a node, for the byte classes that leave a local state unchanged."""
    number = known_byte_class_row(rules.tables, rules.loops[main], node)
    if number < 0:
        asking.ask(rules.request, asking.BYTE_CLASSES, node=node, byte_classes=rules.loops[main])
    return rules.tables.byte_class_rows[number]


@kernel
def _take_byte_classes(
    rules: Rules, node: int, state: int, count: int, main: int, byte_classes: ByteClassRow, row: Array[int]
) -> None:
    """Set the tokens of a byte class row. Under bytes that do not lead from `state` to `main`, walk instead."""
    trie, scratch, is_changed = rules.tables.trie, rules.tables.mask.scratch, 0
    first, end = trie.first_child[node], trie.first_child[node + 1]
    for child in range(first, end if main != state else first):
        if _is_other(rules, child, state, main):
            if not is_changed:
                _copy(scratch, byte_classes.row)
                is_changed = 1
            _clear_tokens(trie, child, scratch)
    if is_changed:
        _unite(row, scratch)
    else:
        _unite(row, byte_classes.row)
    for child in range(first, end if main != state else first):
        following = rules.rows[state][trie.byte[child]]
        if following != pd.DEAD and _is_other(rules, child, state, main):
            _walk_over(rules, child, state, count, following, row)


@kernel
def _is_other(rules: Rules, child: int, state: int, main: int) -> int:
    """Return 1 if a byte class row has tokens under a node whose byte acts differently in `state` and in `main`."""
    trie, loops = rules.tables.trie, rules.loops[main]
    byte = trie.byte[child]
    following = rules.rows[state][byte]
    if byte < 128:
        return 1 if trie.byte_classes[byte] & ~loops == 0 and following != main else 0
    if loops & (WIDE | ODD) != (WIDE | ODD) and trie.within[child] & ~loops:
        return 0
    return 1 if following != rules.rows[main][byte] else 0


@kernel
def _copy(row: Array[int], other: Array[int]) -> None:
    """row = other. Reads and writes 4 W bytes."""
    for word in range(len(row)):
        row[word] = other[word]


@kernel
def _unite(row: Array[int], other: Array[int]) -> None:
    """row |= other. Reads and writes 4 W bytes."""
    for word in range(len(row)):
        row[word] |= other[word]


@kernel
def _clear_tokens(trie: Trie, node: int, row: Array[int]) -> None:
    """Clear the bits of all tokens under a node."""
    start = trie.token_start[node]
    for token in trie.sorted_ids.part(start, trie.token_end[node] - start):
        row[token >> 5] &= ~(1 << (token & 31))


@kernel
def _walk_from_byte_classes(
    rules: Rules, node: int, state: int, count: int, main: int, byte_classes: ByteClassRow, row: Array[int]
) -> None:
    """Walk on at the nodes where tokens leave the byte classes of `main`, except at bytes that can't follow."""
    nodes, starts, firsts = byte_classes.nodes, byte_classes.starts, byte_classes.firsts
    entries, main_entries = rules.rows[state], rules.rows[main]
    end = rules.tables.trie.first_child[node + 1]  # end of the node's children; deeper nodes have larger numbers
    for byte in range(256):
        following, main_following = entries[byte], main_entries[byte]
        if following == pd.DEAD and main_following == pd.DEAD:
            continue
        for index in range(starts[byte], starts[byte + 1]):
            below = nodes[index]
            if below < end:
                if following != pd.DEAD:
                    _walk_over(rules, below, state, count, following, row)
            elif main_following != pd.DEAD and _leads_alike(state, main, entries, main_entries, firsts[index]):
                _walk_over(rules, below, main, _count_before(rules, node, below, main, count), main_following, row)


@kernel
def _count_before(rules: Rules, node: int, below: int, main: int, count: int) -> int:
    """Return the count before the byte of a node below another one. Each character between them led back to `main`."""
    trie, fields = rules.tables.trie, rules.states[main]
    if not fields.is_counting:
        return 0
    return count + fields.ticks * (trie.chars[below] - 1 - trie.chars[node])


@kernel
def _leads_alike(state: int, main: int, entries: Array[int], main_entries: Array[int], byte: int) -> int:
    """Return 1 if a byte, with the rest of its character, leads from `state` to `main`."""
    if state == main:
        return 1
    wanted = main if byte < 128 else main_entries[byte]
    return 1 if entries[byte] == wanted else 0


@kernel
def _walk_over(rules: Rules, node: int, before: int, count: int, following: int, row: Array[int]) -> None:
    """Go from a local state to a node by an entry of its row, or note an exit."""
    if following < 0:
        add_exit(rules.tables.walk, node, before, count)
        return
    fields = rules.states[following]
    count = count + fields.ticks if fields.is_counting else 0
    if _counts_on(rules, following, count, 0):
        _walk_into(rules, node, following, count, row)
    else:
        add_exit(rules.tables.walk, node, before, count - fields.ticks)


@kernel
def _walk_into(rules: Rules, node: int, state: int, count: int, row: Array[int]) -> None:
    """Set the tokens that end at a node, and walk on; or set all tokens under it if none changes the state."""
    trie = rules.tables.trie
    more = trie.most_chars[node] - trie.chars[node]
    if trie.below[node] & ~rules.loops[state] == 0 and _counts_on(rules, state, count, more):
        set_tokens(trie, node, trie.token_end[node], row)
        return
    set_tokens(trie, node, trie.own_end[node], row)
    if trie.first_child[node] < trie.first_child[node + 1]:
        go_on(rules.tables.walk, node, state, count)
