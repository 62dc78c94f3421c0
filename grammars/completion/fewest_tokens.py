"""A kernel: the fewest tokens of a text."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton.masks import child_of
from ..automaton.structs import Tables
from ..kernels.arrays import Int32s, UInt8s
from ..memory.kernel import exported

FAR = 1 << 30
"""More tokens than any text has."""


@exported
def spell_backwards(tables: int, text: UInt8s, counts: Int32s, tokens: Int32s) -> None:
    """Find the fewest tokens of a text. tables: address of the vocabulary's.

    counts, tokens: int32 (length + 1,), filled: the fewest tokens from each offset on, FAR where no tokens spell the
    rest, and the first of them.
    """
    trie, length = Tables.at(tables).trie, len(text)
    ids, starts, ends, first_child = trie.sorted_ids, trie.token_start, trie.own_end, trie.first_child
    counts[length] = 0
    for start in range(length - 1, -1, -1):
        best, token, node = FAR, -1, 0
        for index in range(start, length):
            node = child_of(trie, node, int(text[index]))
            if node == 0:
                break
            if ends[node] > starts[node] and counts[index + 1] + 1 <= best:
                best, token = int(counts[index + 1]) + 1, ids[starts[node]]
            if first_child[node] == first_child[node + 1]:
                break
        counts[start] = best
        tokens[start] = token
