"""`Stack`: the hash-consed stacks of one machine; a node is a frame on top of another node, node 0 the empty stack."""

from __future__ import annotations

from ..automaton import layout as at
from .structs import RuleMachine


class Stack:
    """The tables that `steps.push_frame` fills."""

    def __init__(self, machine: RuleMachine) -> None:
        self._nodes, self._depths = machine.nodes, machine.depths
        self._depths.ensure(256)

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
