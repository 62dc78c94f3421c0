"""`KindRow`: for a set of kinds of bytes, the tokens of nothing but these, and where others leave them.

A local state of a grammar that such bytes leave as it is takes its tokens from there (see `pushdown.walks`). They
depend on the vocabulary only, so a lexicon keeps them, and has the most usual ones from its beginning.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..memory.structs import address_of
from .segments import sort_kinds, walk_kinds
from .structs import Tables
from .trie import KINDS, ODD, WIDE

_NAMES = int(KINDS[ord("a")] | KINDS[ord("A")] | KINDS[ord("0")] | KINDS[ord("_")])
_STRINGS = sum({int(KINDS[byte]) for byte in range(0x20, 0x7F) if byte not in b'"\\'}) | WIDE | ODD
USUAL = (_STRINGS, _NAMES, int(KINDS[ord("0")]))
"""Sets of kinds: within JSON strings, names, numbers."""


@dataclass(frozen=True)
class KindRow:
    """row: int32 (W,), the tokens under a node that go on from there with some kinds of bytes only.

    nodes: int32, the nodes whose byte is the first other one, those with byte b are nodes[starts[b] : starts[b + 1]].
    starts: int32 (257,). firsts: int32, the byte after the node on the way to each of them.
    """

    row: NDArray[np.int32]
    nodes: NDArray[np.int32]
    starts: NDArray[np.int32]
    firsts: NDArray[np.int32]

    @property
    def num_bytes(self) -> int:
        """Memory of its arrays."""
        return self.row.nbytes + self.nodes.nbytes + self.starts.nbytes + self.firsts.nbytes


def make_kind_row(tables: Tables, scratch: NDArray[np.void], kinds: int, node: int) -> KindRow:
    """The row of a set of kinds, as bits, at a node. scratch: 16 bytes for each node of the trie."""
    row, starts = np.zeros(tables.trie.num_words, dtype=np.int32), np.zeros(257, dtype=np.int32)
    queue, pairs = np.split(scratch.view(np.int32)[: scratch.nbytes // 16 * 4].reshape(-1, 2), 2)
    pairs = pairs[: walk_kinds(tables.address, kinds, node, address_of(row), queue, pairs)]
    nodes, firsts = np.empty(len(pairs), dtype=np.int32), np.empty(len(pairs), dtype=np.int32)
    sort_kinds(tables.address, pairs, starts, nodes, firsts)
    return KindRow(row, nodes, starts, firsts)
