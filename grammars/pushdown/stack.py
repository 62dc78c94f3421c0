"""`Stack`: the hash-consed stacks of one machine; a node is a frame on top of another node, node 0 the empty stack."""

from __future__ import annotations

import numpy as np

from ..automaton import layout as at
from ..automaton.steps import index_nodes
from .structs import RuleMachine


class Stack:
    """The tables that `steps.push_frame` fills."""

    def __init__(self, machine: RuleMachine) -> None:
        self._machine = machine
        self._nodes, self._depths = machine.nodes, machine.depths
        self._nodes.ensure(2048)
        self._depths.ensure(2048)
        machine.node_index.ensure(8192)
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
        self._nodes.ensure(2 * self._nodes.capacity)
        self._depths.ensure(self._nodes.capacity)
        self._machine.node_index.replace(np.zeros(4 * self._nodes.capacity, dtype=np.int32))
        index_nodes(self._machine.address)
