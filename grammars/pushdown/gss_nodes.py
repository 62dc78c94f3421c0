"""`GssNodes`: what comes after the text being read, interned as numbers; the tables that the kernels fill.

A GSS node is a set of GSS edges. An edge is a position of the network, to be read to the end of its rule, with
the GSS node after that; or END (the whole text is complete); or a label: what the frame on top of the stack keeps
under that number. Each position occurs once in a set: what comes after it is united, which is the same language.
"""

from __future__ import annotations

from ..automaton import layout as at
from . import layout as pd
from .gss_edges import add_end
from .structs import RuleMachine

GssEdges = tuple[tuple[int, int], ...]
"""Pairs (position, GSS node after its rule), ascending; END and labels are negative, with a 0 without meaning."""


class GssNodes:
    """All GSS nodes of one grammar, by their numbers; 0 is {END}."""

    def __init__(self, machine: RuleMachine) -> None:
        self._gss_nodes, self._gss_edges = machine.gss_nodes, machine.gss_edges
        self._gss_nodes.ensure(256)
        self._gss_edges.ensure(512)
        end = add_end(machine.address)
        assert end == pd.END

    def __len__(self) -> int:
        return self._gss_nodes.used

    def gss_edges(self, gss_node: int) -> GssEdges:
        """The GSS edges."""
        data = self._gss_nodes.data
        first, count = data["first"].item(gss_node), data["count"].item(gss_node)
        numbers = self._gss_edges.data[first : first + count].tolist()
        return tuple([(number >> 32, number & at.MASK32) for number in numbers])
