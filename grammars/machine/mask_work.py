"""Kernels: the mask that is being made (`MaskWork`): its queue, its bits, and the tokens that it leaves open.

Bits. A row of a bitmask is an array of int32 numbers, called mask words here. Token 32 * w + j is bit j of mask word w.
A mask is an existing base row, and the mask words that differ from it. A mask word is copied from the base row to
`scratch` when its first bit is set or cleared. The cost of a mask is therefore proportional to its difference from its
base row.

Queue. An entry is a node of the vocabulary's trie, the configuration to which its bytes lead, and a taint (masks.py).

Left open. The effect of a token can depend on the text before it, which the kernel does not know. Such tokens are
listed to be tried out, not allowed. Forks are listed, too: nodes inside tokens at which documents may begin beside
other things. The mask's caller adds the tokens that the documents allow there.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.kernel import kernel
from ..memory.rows import row_at
from ..memory.structs import Array, int32
from .layout import UNTAINTED
from .structs import MaskEntry, MaskRoom, MaskWork, Tables, Trie

ROOT = 0  # the root of the trie; no node has it as a child

# ---- The trie.


@kernel
def child_of(trie: Trie, node: int, byte: int) -> int:
    """Return the child of a node by a byte, found by bisection; 0 if there is none. Children are sorted by their
    bytes.
    """
    if node == ROOT:
        return trie.root_child[byte]
    low, end = trie.first_child[node], trie.first_child[node + 1]
    high = end
    while low < high:
        middle = (low + high) >> 1
        if trie.byte[middle] < byte:
            low = middle + 1
        else:
            high = middle
    return low if low < end and trie.byte[low] == byte else 0


# ---- The queue.


@kernel
def begin(mask: MaskWork, node: int, code: int, stack: int) -> None:
    """Begin a mask without allowed tokens, whose queue has one entry: a node of the trie in a configuration."""
    mask.epoch += 1  # a new epoch: no mask word counts as touched
    mask.num_touched = 0
    mask.base_row = mask.zero_row
    mask.code = code
    mask.stack = stack
    mask.head = 0
    mask.cursor = 0
    mask.queue.used = 0
    mask.delayed.used = 0
    mask.num_must_try = 0
    mask.forks.used = 0
    append(mask, node, code, stack)


@kernel
def append(mask: MaskWork, node: int, code: int, stack: int) -> None:
    """Add an untainted entry to the queue."""
    append_tainted(mask, node, UNTAINTED, code, stack)


@kernel
def append_tainted(mask: MaskWork, node: int, taint: int, code: int, stack: int) -> None:
    """Add an entry with a taint to the queue."""
    _set_entry(mask.queue[mask.queue.reserve(1)], node, taint, code, stack)


@kernel
def delay(mask: MaskWork, node: int, code: int, stack: int) -> None:
    """Add an untainted entry to the list that waits until the queue is empty."""
    _set_entry(mask.delayed[mask.delayed.reserve(1)], node, UNTAINTED, code, stack)


@kernel
def _set_entry(entry: MaskEntry, node: int, taint: int, code: int, stack: int) -> None:
    entry.node = node
    entry.taint = taint
    entry.code = code
    entry.stack = stack


@kernel
def make_room(mask: MaskWork, count: int) -> None:
    """Make room for `count` more entries in each table. Growing a table later would start the exported kernel again."""
    mask.queue.ensure(mask.queue.used + count)
    mask.delayed.ensure(mask.delayed.used + count)
    mask.forks.ensure(mask.forks.used + count)


@kernel
def take_last_delayed(mask: MaskWork) -> None:
    """Move the last of the delayed entries to the queue. BOUNDS: all entries of the queue are done."""
    last = mask.delayed.used - 1
    entry = mask.delayed[last]
    mask.head = 0
    mask.cursor = 0
    mask.queue.used = 0
    append(mask, entry.node, entry.code, entry.stack)
    mask.delayed.used = last


# ---- The bits.


@kernel
def start_from(mask: MaskWork, row: int) -> None:
    """Take another base row. row: address of the row. BOUNDS: no bit was set yet, as touched mask words copy the old
    row.
    """
    mask.base_row = row


@kernel
def _touch(mask: MaskWork, word: int) -> None:
    """Copy a mask word to `scratch` if it is not there yet."""
    if mask.epochs[word] != mask.epoch:
        mask.epochs[word] = mask.epoch
        mask.scratch[word] = row_at(mask.base_row, len(mask.scratch))[word]
        mask.touched[mask.num_touched] = word
        mask.num_touched += 1


@kernel
def set_bit(mask: MaskWork, token: int, value: int) -> None:
    """Allow a token (value 1) or forbid it (0)."""
    word, bit = token >> 5, 1 << (token & 31)
    _touch(mask, word)
    old = mask.scratch[word]
    mask.scratch[word] = old | bit if value else old & ~bit


@kernel
def set_own(tables: Tables, node: int) -> None:
    """Allow the tokens that end at a node."""
    trie = tables.trie
    for place in range(trie.token_start[node], trie.own_end[node]):
        set_bit(tables.mask, trie.sorted_ids[place], 1)


@kernel
def set_subtree(tables: Tables, node: int, value: int) -> None:
    """Allow (value 1) or forbid (0) all tokens that end at a node or below it."""
    trie = tables.trie
    for place in range(trie.token_start[node], trie.token_end[node]):
        set_bit(tables.mask, trie.sorted_ids[place], value)


@kernel
def finish(mask: MaskWork, room: MaskRoom) -> tuple[int, int, int]:
    """Keep the finished mask: its base row and a patch, or a new row if more than half of the mask words differ.

    Returns the row's address, the patch's address, and the number of `ChangedWord`s in the patch.
    """
    num_words, first = len(mask.scratch), room.words.used
    mask.num_open = mask.num_must_try + mask.forks.used
    room.words.ensure(first + mask.num_touched)
    changed, base = room.words.span().part(first, mask.num_touched), row_at(mask.base_row, num_words)
    num_changed = 0
    for index in range(mask.num_touched):
        word = mask.touched[index]
        value = mask.scratch[word]
        if value != base[word]:
            changed[num_changed].word = word
            changed[num_changed].value = value
            num_changed += 1
    if 2 * num_changed <= num_words:
        room.words.used = first + num_changed
        return mask.base_row, changed.address, num_changed
    row = new_row(room, num_words)
    for word in range(num_words):
        row[word] = mask.scratch[word] if mask.epochs[word] == mask.epoch else base[word]
    room.rows.used += num_words
    return row.address, 0, 0


@kernel
def new_row(room: MaskRoom, num_words: int) -> Array[int32]:
    """Return the memory where the next row is put together, behind the rows in use."""
    room.rows.ensure(room.rows.used + num_words)
    return room.rows.span().part(room.rows.used, num_words)


# ---- Tokens and nodes that are left open.


@kernel
def list_own_to_try(tables: Tables, node: int) -> None:
    """List the tokens that end at a node among those to be tried out."""
    trie, mask = tables.trie, tables.mask
    for place in range(trie.token_start[node], trie.own_end[node]):
        mask.must_try[mask.num_must_try] = place  # BOUNDS: has room for all tokens, and no token is listed twice
        mask.num_must_try += 1


@kernel
def list_fork(mask: MaskWork, node: int, taint: int, code: int, stack: int) -> None:
    """List a node at which documents may begin beside the walk's own texts."""
    _set_entry(mask.forks[mask.forks.reserve(1)], node, taint, code, stack)


@kernel
def take_back(tables: Tables, node: int) -> None:
    """Forbid all tokens that end at a node or below it, and take them off the lists."""
    set_subtree(tables, node, 0)
    _unlist_must_try(tables, node)
    _unlist_forks(tables, node)


@kernel
def _unlist_must_try(tables: Tables, node: int) -> None:
    """Remove the tokens that end at a node or below it from the list of those to be tried out."""
    mask, start, end, num_kept = tables.mask, tables.trie.token_start[node], tables.trie.token_end[node], 0
    for index in range(mask.num_must_try):
        place = mask.must_try[index]
        if place < start or place >= end:
            mask.must_try[num_kept] = place
            num_kept += 1
    mask.num_must_try = num_kept


@kernel
def _unlist_forks(tables: Tables, node: int) -> None:
    """Remove a node and the nodes below it from the list of forks.

    A node is below another one if its number is higher and its tokens are among that one's.
    """
    mask, starts, token_ends, num_kept = tables.mask, tables.trie.token_start, tables.trie.token_end, 0
    for index in range(mask.forks.used):
        fork = mask.forks[index]
        if fork.node < node or starts[fork.node] < starts[node] or token_ends[fork.node] > token_ends[node]:
            _set_entry(mask.forks[num_kept], fork.node, fork.taint, fork.code, fork.stack)
            num_kept += 1
    mask.forks.used = num_kept
