"""`Levels`: the tokens of one configuration, grouped by how many more tokens the text needs after each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bitset import Bitmask
from ..machine.product.machines import Reached
from ..machine.product.steps import allow
from ..machine.vocabulary_tables import VocabularyTables
from ..memory.structs import address_of
from .ropes import Way

MANY_ROWS = 1024
"""Maximum number of rows in all kept levels of one automaton: 16 MiB with a vocabulary of 129,280."""

Group: TypeAlias = tuple[Reached, list[Way]]
"""The result of a walk, with the way to the end from each state."""

Distance: TypeAlias = tuple[int | None, bool]
"""The number of tokens that a state needs (None if unknown), and True if it holds whatever the text before is."""


@dataclass(slots=True)
class Levels:
    """Tokens grouped by distance.

    distances: distances of the groups, ascending, each once.
    rows: for each distance, the tokens of all groups up to it.
    highest: no token needs more; None if some tokens were not examined or have no completion.
    uncertain: tokens whose distance depends on the text before, int32 (W,); None if there are none.
    """

    distances: list[int]
    rows: list[Bitmask]
    highest: int | None
    uncertain: Bitmask | None

    def within(self, budget: int) -> Bitmask | None:
        """Return the tokens that leave at most `budget` tokens to the end, int32 (W,); None if there are none."""
        count = bisect_right(self.distances, budget)
        return self.rows[count - 1] if count else None

    def nearest(self) -> tuple[int, int] | None:
        """Return a token with the smallest distance after it, and that distance; None if none is known."""
        if not self.distances:
            return None
        word = int(np.flatnonzero(self.rows[0])[0])
        bits = int(self.rows[0][word]) & 0xFFFFFFFF
        return 32 * word + (bits & -bits).bit_length() - 1, self.distances[0]


def levels_of(vocabulary_tables: VocabularyTables, groups: Iterable[tuple[Reached, list[Distance]]]) -> Levels:
    """Group tokens by distance.

    groups: results of walks, with the distance of each state. Tokens of unknown distance (None) are in no level.
    """
    by_distance: dict[int, list[NDArray[np.int32]]] = {}
    address = vocabulary_tables.tables.address
    row, uncertain, is_whole = np.zeros(vocabulary_tables.num_words, dtype=np.int32), None, True
    for reached, found in groups:
        known = np.array([-1 if distance is None else distance for distance, _ in found], dtype=np.int64)
        is_whole &= bool((known >= 0).all())
        for distance, nodes in _by_distance(reached, known):
            by_distance.setdefault(distance, []).append(nodes)
        is_certain = np.array([is_certain for _, is_certain in found], dtype=np.bool_)
        if not is_certain.all():
            uncertain = row.copy() if uncertain is None else uncertain
            allow(address, address_of(uncertain), reached.nodes[~is_certain[reached.pairs_of]])
    distances, rows = sorted(by_distance), []
    for distance in distances:
        row = row.copy()
        for nodes in by_distance[distance]:
            allow(address, address_of(row), nodes)
        rows.append(row)
    return Levels(distances, rows, max(distances, default=0) if is_whole else None, uncertain)


def _by_distance(reached: Reached, distances: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """Yield the nodes at each distance, except negative distances. distances: distances of the walk's pairs.

    PERF: few different distances are sorted as numbers of 8 or 16 bits, in linear time. 120,000 tokens at 29 distances
    take 0.7 ms. One pass over all tokens for each distance takes 6.2 ms.
    """
    found, places = np.unique(distances, return_inverse=True)
    of_nodes = places.astype(np.min_scalar_type(len(found)))[reached.pairs_of]
    in_order = reached.nodes[np.argsort(of_nodes, kind="stable")]
    ends = np.cumsum(np.bincount(of_nodes, minlength=len(found))).tolist()
    for place, distance in enumerate(found.tolist()):
        start = ends[place - 1] if place else 0
        if distance >= 0 and start < ends[place]:
            yield distance, in_order[start : ends[place]]


def of_tokens(token_ids: Sequence[int]) -> Reached:
    """Return tokens that all lead to one state, in the form of a walk's result."""
    nodes = -1 - np.array(token_ids, dtype=np.int32)
    return Reached([], nodes, np.zeros(len(token_ids), dtype=np.int32), np.zeros(0, np.void))
