"""What the kernels of this package and Python share."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..memory.arena import Arena
from ..memory.components import Graph, Visit
from ..memory.layout import dtype_of
from ..memory.structs import Array, Part, Struct, Table, int64

SYMBOL, SEQUENCE, CHOICE, REPEAT = range(4)
"""Kinds of nodes."""


class Node(Struct):
    """An expression. Its parts come right after it, each followed by its own ones."""

    kind: int64
    symbol: int64  # of a SYMBOL: its number
    num_parts: int64  # of a SEQUENCE or a CHOICE
    low: int64  # of a REPEAT: the least count
    high: int64  # and the highest; -1: no bound
    end: int64  # the node after its last part


class Symbol(Struct):
    """What an edge reads."""

    called: int64  # the rule that it calls; -1: none
    is_terminal: int64
    is_nullable: int64  # it has the empty text
    is_dead: int64  # it has no other text


class Automaton(Struct):
    """The texts of one rule but the empty one. State 0 is the first one, which no edge leads to.

    An edge is one number, so that edges can be sorted: the symbol that it reads times 2**32, plus the state after it.
    """

    edges: Array[int64]
    first_edge: Array[int64]  # of each state, and one more for the end
    is_final: Array[int64]  # of each state: a text may end


class Pending(Struct):
    """A node that is still to be drawn between two states."""

    node: int64
    before: int64
    after: int64


class DrawnEdges(Struct):
    """Edges of a sketch, or skips, in the order in which they were drawn."""

    rooms: ClassVar = {"sources": 256, "targets": 256}
    sources: Table[int64]  # of each the state that it leaves
    targets: Table[int64]  # of an edge as in automata; of a skip the state that it leads to


class Call(Struct):
    """An edge that calls a rule."""

    caller: int64  # the rule that the edge is of
    called: int64
    target: int64  # the place of the state after it among the states of all rules
    rank: int64  # calls of high ranks are rather cut: see `cuts`
    is_left: int64  # it is not cut
    is_recursive: int64  # it is left, something can come after it, and calls that are left lead back to its rule
    next_left: int64  # another call of its rule that is surely left; -1


class Work(Struct):
    """A network while it is built.

    Rules are known by their numbers; the last one is the start. Drawn automata have steps without text for a while:
    `sketch` are their edges then, `skips` these steps.
    """

    rooms: ClassVar = {"pending": 256, "calls": 256}
    nodes: Array[Node]
    has_empty: Array[int64]  # of each node: 1 if it has the empty text
    symbols: Array[Symbol]
    roots: Array[int64]  # of each rule its node
    is_nullable: Array[int64]  # of each rule
    automata: Array[Automaton]  # of each rule
    unrolled: Array[Automaton]  # and without left recursion
    visits: Array[Visit]  # of each rule
    arena: Arena
    pending: Table[Pending]
    drawn: Part[DrawnEdges]  # of the rule that is being drawn
    drawn_skips: Part[DrawnEdges]
    calls: Table[Call]
    sketch: Part[Graph]
    skips: Part[Graph]
    before: Part[Graph]  # from the states of an automaton back to those that lead to them
    first_calls: Part[Graph]  # from each rule to those that it can begin with
    left_calls: Part[Graph]  # from each rule to those that it calls by calls that are left
    members: Part[Graph]  # from each component of rules to its rules
    rule: int64  # the one that is too large, where one is
    is_unrolling: int64  # it is so without its left recursion
    order: Array[int64]  # the result: the rules that the start uses, each before those that it can begin with
    starts: Array[int64]  # of each of these its first position
    flags: Array[int64]  # of each position: IS_FINAL, IS_LAST, IS_CUT
    first_edge: Array[int64]  # of each position, and one more for the end
    edges: Array[int64]  # as in automata, but to positions
    parallel: Array[int64]  # pairs of edges of terminals that lead from one position to the same one, as places

    def __init__(self, nodes: NDArray[Any], roots: NDArray[np.int64], symbols: NDArray[Any], room: int) -> None:
        """nodes: of Node. symbols: of Symbol; they stay as they are. room: of the arena, at first."""
        super().__init__()
        self.nodes, self.roots, self.symbols = nodes, roots, symbols.copy()
        self.has_empty = np.zeros(len(nodes), np.int64)
        self.is_nullable = np.zeros(len(roots), np.int64)
        self.automata, self.unrolled = (np.zeros(len(roots), dtype_of(Automaton)) for _ in range(2))
        self.visits = np.zeros(len(roots), dtype_of(Visit))
        self.arena = Arena(room)
