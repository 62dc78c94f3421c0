"""Kernels: the walk that finds the tokens of a `ByteClassRow`, and the index of these rows."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..kernels.arrays import Int32Rows, Int32s
from ..memory.hash_map import add, hash_three, make_room, next_slot, slot_of
from ..memory.kernel import exported, kernel
from ..memory.rows import row_at
from .interiors import set_tokens
from .lexemes.trie_kernels import ODD, WIDE, read_utf8
from .structs import Tables


@exported
def walk_byte_classes(address: int, wanted: int, start: int, row: int, queue: Int32Rows, out: Int32Rows) -> int:
    """Set the bits of the tokens under a node made of certain byte classes, and list the nodes where others first
    differ.

    address: address of the Tables.
    wanted: byte classes, as bits.
    start: the node.
    row: address of int32 (W,), the bits to set.
    queue: int32 (N, 2), scratch memory.
    out: int32 (N, 2), output: pairs (node, child of `start` above it).

    Returns the number of pairs. Reads the children of each node reached by these classes. If all characters from U+0080
    on are wanted, tokens may end inside such a character. Nodes that are not UTF-8 are then left out, since no text
    goes on there. Otherwise all bytes of these characters count as other bytes.
    """
    trie = Tables.at(address).trie
    allowed = row_at(row, trie.num_words)
    is_wide = wanted & (WIDE | ODD) == (WIDE | ODD)
    head, tail, found = 0, 1, 0
    queue[0, 0] = start
    queue[0, 1] = 0
    while head < tail:
        node, top = queue[head, 0], queue[head, 1] >> 4
        before = queue[head, 1] & 15  # state inside a character
        head += 1
        for child in range(trie.first_child[node], trie.first_child[node + 1]):
            byte, following = trie.byte[child], -1
            if node == start:
                top = child
            if before == 0 and trie.within[child] & ~wanted == 0:
                set_tokens(trie, child, trie.token_end[child], allowed)
                continue
            if byte < 128:
                if before == 0 and trie.byte_classes[byte] & ~wanted == 0:
                    following = 0
            elif is_wide:
                following = read_utf8(byte, before)
            if following >= 0:
                if byte >= 128 and following == 0 and trie.below[child] & ~wanted == 0:
                    set_tokens(trie, child, trie.token_end[child], allowed)
                    continue
                set_tokens(trie, child, trie.own_end[child], allowed)
                queue[tail, 0] = child
                queue[tail, 1] = top << 4 | following
                tail += 1
            elif before == 0 and (byte < 128 or not is_wide):
                out[found, 0] = child
                out[found, 1] = top
                found += 1
    return found


@exported
def sort_by_byte(address: int, pairs: Int32Rows, starts: Int32s, nodes: Int32s, firsts: Int32s) -> None:
    """Sort the list of `walk_byte_classes` by the nodes' bytes, in the form of `ByteClassRow`.

    address: address of the Tables.
    pairs: int32 (count, 2).
    starts: int32 (257,), zeros.
    nodes, firsts: int32 (count,), output.
    """
    trie = Tables.at(address).trie
    for index in range(len(pairs)):
        starts[trie.byte[pairs[index, 0]] + 1] += 1
    for byte in range(256):
        starts[byte + 1] += starts[byte]
    for index in range(len(pairs)):
        byte = trie.byte[pairs[index, 0]]
        offset = starts[byte]
        nodes[offset] = pairs[index, 0]
        firsts[offset] = trie.byte[pairs[index, 1]]
        starts[byte] = offset + 1
    for byte in range(256, 0, -1):
        starts[byte] = starts[byte - 1]
    starts[0] = 0


@kernel
def known_byte_class_row(tables: Tables, byte_classes: int, node: int) -> int:
    """Return the number of the row of some byte classes at a node; -1 if it is not made."""
    index, key = tables.byte_class_index, hash_three(byte_classes, node, 0)
    slot = slot_of(index, key)
    while slot >= 0:
        number = index.values[slot]
        row = tables.byte_class_rows[number]
        if row.byte_classes == byte_classes and row.node == node:
            return number
        slot = next_slot(index, key, slot)
    return -1


@exported(releases_gil=False)
def find_byte_class_row(address: int, byte_classes: int, node: int) -> int:
    """`known_byte_class_row`, for Python. address: address of the Tables."""
    return known_byte_class_row(Tables.at(address), byte_classes, node)


@exported(releases_gil=False)
def add_byte_class_row(address: int, number: int) -> None:
    """Add a new row to the index. address: address of the Tables."""
    tables = Tables.at(address)
    row = tables.byte_class_rows[number]
    make_room(tables.byte_class_index)
    add(tables.byte_class_index, hash_three(row.byte_classes, row.node, 0), number)
