"""`Levels`: of one place, the tokens by what is needed after them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

import numpy as np

from ..automaton.lexicon import Lexicon
from ..bitset import Bitmask
from ..intersection.layout import SUBTREE
from .walk import Reached


class Levels:
    """needs: of the groups of tokens, ascending, each once. rows: the tokens of all groups up to that need.

    highest: no token needs more; None where some tokens were not examined, or have no completion.
    """

    __slots__ = ("highest", "needs", "rows")

    def __init__(self, needs: list[int], rows: list[Bitmask], highest: int | None) -> None:
        self.needs, self.rows, self.highest = needs, rows, highest

    def within(self, budget: int) -> Bitmask | None:
        """The tokens after which at most `budget` tokens are needed, int32 (W,); None where there are none."""
        place = bisect_right(self.needs, budget)
        return self.rows[place - 1] if place else None

    def nearest(self) -> tuple[int, int] | None:
        """A token after which the fewest tokens are needed, and how many; None where none is known."""
        if not self.needs:
            return None
        word = int(np.flatnonzero(self.rows[0])[0])
        bits = int(self.rows[0][word]) & 0xFFFFFFFF
        return 32 * word + (bits & -bits).bit_length() - 1, self.needs[0]


def levels_of(lexicon: Lexicon, groups: Iterable[tuple[Reached, list[int | None]]]) -> Levels:
    """groups: what walks reached, with the need of each state (None: not known, its tokens count in no level)."""
    by_need: dict[int, list[np.ndarray[tuple[int], np.dtype[np.int32]]]] = {}
    is_whole = True
    for reached, needs in groups:
        is_whole &= None not in needs
        known = np.array([-1 if need is None else need for need in needs], dtype=np.int64)
        of_nodes = known[reached.states_of]
        for need in np.unique(of_nodes).tolist():
            if need >= 0:
                by_need.setdefault(need, []).append(reached.nodes[of_nodes == need])
    needs_found, rows = sorted(by_need), []
    row = np.zeros(lexicon.num_words, dtype=np.int32)
    for need in needs_found:
        row = row.copy()
        for nodes in by_need[need]:
            _allow(lexicon, row, nodes)
        rows.append(row)
    return Levels(needs_found, rows, (needs_found[-1] if needs_found else 0) if is_whole else None)


def _allow(lexicon: Lexicon, row: Bitmask, nodes: np.ndarray[tuple[int], np.dtype[np.int32]]) -> None:
    """Set the bits of the tokens of some nodes of the trie."""
    trie = lexicon.trie
    flags = np.unpackbits(row.view(np.uint8), bitorder="little")
    flags[-1 - nodes[nodes < 0]] = 1
    nodes = nodes[nodes >= 0]
    places = nodes & (SUBTREE - 1)
    first = trie.token_start[places]
    end = np.where(nodes & SUBTREE, trie.token_end[places], trie.own_end[places])
    counts = end - first
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    token_ids = trie.sorted_ids[np.repeat(first, counts) + offsets]
    flags[token_ids] = 1
    row[:] = np.packbits(flags, bitorder="little").view(np.int32)
