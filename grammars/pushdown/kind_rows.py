"""`KindRows`: the rows of kinds of bytes that one grammar has asked for."""

from __future__ import annotations

import numpy as np

from ..automaton.kind_rows import KindRow
from ..automaton.lexicon import Lexicon
from ..automaton.memory import Block, Column, address
from ..automaton.pair_table import PairTable
from . import layout as pd


class KindRows:
    """In columns that the kernels read."""

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
            made = self._lexicon.kind_row(kinds, node)
            self._kept.append(made)
            arrays = (made.row, made.nodes, made.starts, made.firsts)
            self._addresses.append(np.array([address(array) for array in arrays]))
        self._table.insert(state, node + 1, number)
