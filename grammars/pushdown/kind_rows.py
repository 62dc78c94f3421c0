"""`KindRows`: for sets of kinds of bytes, the tokens of nothing but these, and where others leave them.

A local state that such bytes leave as it is takes its tokens from there. Made once for each vocabulary, set and node.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..automaton.lexicon import Lexicon
from ..automaton.memory import Block, Column, address
from ..automaton.pair_table import PairTable
from ..automaton.trie import KINDS
from . import layout as pd
from .walks import walk_kinds

_MAX_ROWS = 512  # of a vocabulary; 20 KB or more each


@dataclass(frozen=True)
class KindRow:
    """row: int32 (W,), the tokens under a node that go on from there with some kinds of bytes only.

    nodes: int32, the nodes whose byte is the first other one, those with byte b are nodes[starts[b] : starts[b + 1]].
    starts: int32 (257,). firsts: uint8, the byte after the node on the way to each of them.
    """

    row: NDArray[np.int32]
    nodes: NDArray[np.int32]
    starts: NDArray[np.int32]
    firsts: NDArray[np.uint8]


_made: weakref.WeakKeyDictionary[Lexicon, dict[tuple[int, int], KindRow]] = weakref.WeakKeyDictionary()


def kind_row(lexicon: Lexicon, kinds: int, node: int) -> KindRow:
    """The row of a set of kinds, as bits, at a node. Called under the lexicon's lock."""
    made = _made.setdefault(lexicon, {})
    found = made.get((kinds, node))
    if found is None:
        if len(made) >= _MAX_ROWS:
            made.clear()
        row = np.zeros(lexicon.num_words, dtype=np.int32)
        queue, pairs = (np.empty((len(lexicon.trie.byte), 2), dtype=np.int32) for _ in range(2))
        where = address(row), address(queue), address(pairs)
        num_pairs = walk_kinds(lexicon.block.address, address(KINDS), kinds, node, *where)
        found = made[kinds, node] = _sorted(row, pairs[:num_pairs], lexicon.trie.byte)
    return found


def _sorted(row: NDArray[np.int32], pairs: NDArray[np.int32], bytes_: NDArray[np.uint8]) -> KindRow:
    """The row with its pairs (node, node above it) sorted by the nodes' bytes."""
    last = bytes_[pairs[:, 0]]
    order = np.argsort(last, kind="stable")
    starts = np.searchsorted(last[order], np.arange(257)).astype(np.int32)
    return KindRow(row, pairs[order, 0], starts, bytes_[pairs[order, 1]])


class KindRows:
    """Those that one grammar has asked for, in columns that the kernels read."""

    def __init__(self, lexicon: Lexicon, block: Block) -> None:
        self._lexicon = lexicon
        self._table = PairTable(block, pd.P_KIND_KEYS, pd.P_KIND_VALUES, pd.P_KIND_MASK)
        self._addresses = Column(block, pd.P_KIND_ROWS, np.int64, 16 * pd.KIND_ROW_FIELDS)
        self._numbers: dict[tuple[int, int], int] = {}
        self._kept: list[KindRow] = []

    def add(self, state: int, kinds: int, node: int) -> None:
        """Find the row for a local state that some kinds of bytes leave as it is."""
        number = self._numbers.get((kinds, node))
        if number is None:
            number = self._numbers[kinds, node] = len(self._kept)
            made = kind_row(self._lexicon, kinds, node)
            self._kept.append(made)
            arrays = (made.row, made.nodes, made.starts, made.firsts)
            self._addresses.append(np.array([address(array) for array in arrays]))
        self._table.insert(state, node + 1, number)
