"""Structs that the kernels of this package and Python share."""

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


class ExpressionNode(Struct):
    """An expression. The expression's parts follow it directly, each followed by its own parts."""

    kind: int64
    symbol: int64  # for a SYMBOL: its number
    num_parts: int64  # for a SEQUENCE or CHOICE
    low: int64  # for a REPEAT: minimum count
    high: int64  # for a REPEAT: maximum count; -1: no bound
    end: int64  # node after its last part


class EdgeSymbol(Struct):
    """A terminal, rule, document or set of tokens that an edge reads."""

    called: int64  # rule that it calls; -1: none
    is_terminal: int64
    is_nullable: int64  # 1: it has the empty text
    is_dead: int64  # 1: it has no text except perhaps the empty one


class Automaton(Struct):
    """The texts of one rule except the empty one. State 0 is the first one, which no edge leads to.

    An edge is one number, so that edges can be sorted: the symbol that it reads times 2**32, plus the state after it.
    """

    edges: Array[int64]
    first_edge: Array[int64]  # for each state, and one more entry for the end
    is_final: Array[int64]  # for each state: 1 if a text may end


class Pending(Struct):
    """A node that is still to be drawn between two states."""

    node: int64
    before: int64
    after: int64


class DrawnEdges(Struct):
    """Edges or skips of a sketch, in the order of drawing."""

    rooms: ClassVar = {"sources": 256, "targets": 256}
    sources: Table[int64]  # for each edge or skip: the state that it leaves
    targets: Table[int64]  # for an edge: as in automata; for a skip: the state that it leads to


class CallEdge(Struct):
    """An edge that calls a rule."""

    caller: int64  # rule that the edge belongs to
    called: int64
    target: int64  # index of the state after the call, among the states of all rules
    rank: int64  # calls of high ranks are cut first: see `cuts`
    is_left: int64  # 1: the call is not cut
    is_recursive: int64  # 1: the call is uncut, text can follow it, and uncut calls lead from it back to its rule
    next_left: int64  # another certainly uncut call of its rule; -1 for none


class NetworkWork(Struct):
    """A network while it is built.

    Rules are known by their numbers; the last one is the start. Drawn automata have steps without text for a while:
    `sketch` then holds their edges, `skips` these steps.
    """

    rooms: ClassVar = {"pending": 256, "calls": 256}
    nodes: Array[ExpressionNode]
    has_empty: Array[int64]  # for each node: 1 if it has the empty text
    symbols: Array[EdgeSymbol]
    roots: Array[int64]  # rule -> its node
    is_nullable: Array[int64]  # for each rule: 1 if it has the empty text
    automata: Array[Automaton]  # rule -> its automaton
    unrolled: Array[Automaton]  # rule -> its automaton without left recursion
    visits: Array[Visit]  # for each rule: state of a search for components
    arena: Arena
    pending: Table[Pending]
    drawn: Part[DrawnEdges]  # edges of the rule that is being drawn
    drawn_skips: Part[DrawnEdges]
    calls: Table[CallEdge]
    sketch: Part[Graph]
    skips: Part[Graph]
    before: Part[Graph]  # from each state of an automaton back to the states that lead to it
    first_calls: Part[Graph]  # from each rule to the rules that it can begin with
    left_calls: Part[Graph]  # from each rule to the rules that its uncut calls call
    members: Part[Graph]  # from each component of rules to its rules
    rule: int64  # the rule that is too large, if one is
    steps_left: int64  # edges, rules and nodes to visit before the kernel returns for a checkpoint, to begin again
    is_unrolling: int64  # 1: that rule is too large without its left recursion
    order: Array[int64]  # result: the rules that the start uses, each before the rules that it can begin with
    starts: Array[int64]  # result: first position of each of these rules
    flags: Array[int64]  # result: flags of each position: IS_FINAL, IS_LAST, IS_CUT
    first_edge: Array[int64]  # result: first edge of each position, and one more entry for the end
    edges: Array[int64]  # result: edges as in automata, but to positions
    parallel: Array[int64]  # result: pairs of edges of terminals between the same two positions, as indexes

    def __init__(self, nodes: NDArray[Any], roots: NDArray[np.int64], symbols: NDArray[Any], room: int) -> None:
        """nodes: array of ExpressionNode.
        symbols: array of EdgeSymbol, which is copied.
        room: initial capacity of the arena.
        """
        super().__init__()
        self.nodes, self.roots, self.symbols = nodes, roots, symbols.copy()
        self.has_empty = np.zeros(len(nodes), np.int64)
        self.is_nullable = np.zeros(len(roots), np.int64)
        self.automata, self.unrolled = (np.zeros(len(roots), dtype_of(Automaton)) for _ in range(2))
        self.visits = np.zeros(len(roots), dtype_of(Visit))
        self.arena = Arena(room)
