"""`Stack`: the hash-consed stacks of one machine; a node is a frame on top of another node, node 0 the empty stack."""

from __future__ import annotations

import numpy as np

from ..automaton import layout as at
from ..automaton.memory import Block, Column
from ..automaton.pair_table import hash_pair
from . import layout as pd


class Stack:
    """The columns that `steps.push_frame` fills."""

    def __init__(self, block: Block) -> None:
        self._fields = block.fields
        self._nodes = Column(block, at.M_NODES, np.int64, 2048)
        self._table = Column(block, at.M_NODE_TABLE, np.int32, 8192)
        self._depths = Column(block, pd.P_DEPTHS, np.int32, 2048)
        self._fields[at.M_NODE_MASK] = 8191
        self._nodes.used = 1

    @property
    def num_nodes(self) -> int:
        """How many nodes there are, node 0 included."""
        return self._nodes.used

    def top(self, node: int) -> tuple[int, int]:
        """The frame on top of a stack that is not empty, and the stack without it."""
        key: int = self._nodes.data.item(node)
        return key & at.MASK32, key >> 32

    def depth(self, node: int) -> int:
        """How many frames a stack has."""
        return int(self._depths.data[node])

    def grow(self) -> None:
        """Twice the room."""
        self._nodes.ensure(2 * len(self._nodes.data))
        self._depths.ensure(len(self._nodes.data))
        self._table.ensure(4 * len(self._nodes.data))
        table, mask = self._table.data, len(self._table.data) - 1
        table[:] = 0
        self._fields[at.M_NODE_MASK] = mask
        for node in range(1, self._nodes.used):
            key: int = self._nodes.data.item(node)
            place = hash_pair(key >> 32, key & at.MASK32, mask)
            while table[place]:
                place = (place + 1) & mask
            table[place] = node
