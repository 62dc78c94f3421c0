"""`Levels`: the tokens of one configuration, grouped by how many more tokens the text needs after each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

import numpy as np

from ..automaton.vocabulary_tables import VocabularyTables
from ..bitset import Bitmask
from ..product.layout import SUBTREE
from .walk import Reached

MANY_ROWS = 1024
"""Of all levels that are kept for one automaton: 16 MiB with a vocabulary of 129,280."""


class Levels:
    """distances: of the groups of tokens, ascending, each once. rows: the tokens of all groups up to that distance.

    highest: no token needs more; None where some tokens were not examined, or have no completion.
    """

    __slots__ = ("distances", "highest", "rows")

    def __init__(self, distances: list[int], rows: list[Bitmask], highest: int | None) -> None:
        self.distances, self.rows, self.highest = distances, rows, highest

    def within(self, budget: int) -> Bitmask | None:
        """The tokens after which at most `budget` tokens are needed, int32 (W,); None where there are none."""
        config = bisect_right(self.distances, budget)
        return self.rows[config - 1] if config else None

    def nearest(self) -> tuple[int, int] | None:
        """A token after which the fewest tokens are needed, and how many; None where none is known."""
        if not self.distances:
            return None
        word = int(np.flatnonzero(self.rows[0])[0])
        bits = int(self.rows[0][word]) & 0xFFFFFFFF
        return 32 * word + (bits & -bits).bit_length() - 1, self.distances[0]


def levels_of(vocabulary_tables: VocabularyTables, groups: Iterable[tuple[Reached, list[int | None]]]) -> Levels:
    """groups: what walks reached, with the distance of each state (None: not known, its tokens count in no level)."""
    by_distance: dict[int, list[np.ndarray[tuple[int], np.dtype[np.int32]]]] = {}
    is_whole = True
    for reached, distances in groups:
        is_whole &= None not in distances
        known = np.array([-1 if distance is None else distance for distance in distances], dtype=np.int64)
        of_nodes = known[reached.states_of]
        for distance in np.unique(of_nodes).tolist():
            if distance >= 0:
                by_distance.setdefault(distance, []).append(reached.nodes[of_nodes == distance])
    distances_found, rows = sorted(by_distance), []
    row = np.zeros(vocabulary_tables.num_words, dtype=np.int32)
    for distance in distances_found:
        row = row.copy()
        for nodes in by_distance[distance]:
            _allow(vocabulary_tables, row, nodes)
        rows.append(row)
    return Levels(distances_found, rows, (distances_found[-1] if distances_found else 0) if is_whole else None)


def _allow(
    vocabulary_tables: VocabularyTables, row: Bitmask, nodes: np.ndarray[tuple[int], np.dtype[np.int32]]
) -> None:
    """Set the bits of the tokens at some nodes of the trie."""
    trie = vocabulary_tables.trie
    flags = np.unpackbits(row.view(np.uint8), bitorder="little")
    flags[-1 - nodes[nodes < 0]] = 1
    nodes = nodes[nodes >= 0]
    configs = nodes & (SUBTREE - 1)
    first = trie.token_start[configs]
    end = np.where(nodes & SUBTREE, trie.token_end[configs], trie.own_end[configs])
    counts = end - first
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    token_ids = trie.sorted_ids[np.repeat(first, counts) + offsets]
    flags[token_ids] = 1
    row[:] = np.packbits(flags, bitorder="little").view(np.int32)
