"""`RulesDistanceBound`: the bound of the texts of a general grammar.

A configuration is in the middle of terminals, each with a GSS node,
over a stack. So it needs at most the sum of three parts: what any terminal needs to its end, what the costliest GSS
node needs for its own rules, and what the stack needs. Configurations with the same upper frames share their masks, so
a token may lead to a stack that no walk has met. It adds no more than what any stack that was met needs.
"""

from __future__ import annotations

from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.layout import END_EDGE
from .distance_bounds import FAR, DistanceBound
from .document_distance_bounds import DocumentDistanceBound
from .ropes import Rope
from .rules import RuleRopes
from .tools import Tools

_SPECIAL = 1  # a token that counts by its id


class RulesDistanceBound(DistanceBound):
    """See `DistanceBound`. What `below` says of a stack comes beside it."""

    def __init__(self, automaton: PushdownAutomaton, ropes: RuleRopes, tools: Tools) -> None:
        super().__init__()
        self._automaton = automaton
        self._ropes = ropes
        self._tools = tools
        self._num_gss_nodes = 0
        self._num_nodes = 1
        self._most_after = 0
        self._most_below = 0
        self._in_terminal: int | None = None
        self._own: dict[int, int] = {}
        self._below: dict[int, int] = {0: 0}
        self._documents: list[DocumentDistanceBound] = []

    def _has_more(self) -> bool:
        states = self._automaton.states
        return (
            self._num_gss_nodes < states.num_gss_nodes
            or self._num_nodes < self._automaton.machine.nodes.used
            or any(distance_bound.is_new for distance_bound in self._documents)
        )

    def below(self, stack: int) -> int:
        """The most tokens that the rules on a stack need."""
        found = self._below.get(stack)
        if found is None:
            frame, parent = self._automaton.machine.top(stack)
            kept = [self._own_of(gss_node) for gss_node in self._automaton.states.numbers(frame)]
            found = self._below[stack] = max(kept, default=0) + self.below(parent)
        return found

    def _find(self) -> int:
        while self._num_gss_nodes < self._automaton.states.num_gss_nodes:
            self._most_after = max(self._most_after, self._own_of(self._num_gss_nodes))
            self._num_gss_nodes += 1
        while self._num_nodes < self._automaton.machine.nodes.used:  # each is above an older one, so this does not nest
            self._most_below = max(self._most_below, self.below(self._num_nodes))
            self._num_nodes += 1
        if self._in_terminal is None:
            self._in_terminal = self._find_in_terminal()
        in_document = 0
        if self._automaton.documents and not self._documents:
            self._documents = [self._ropes.distance_bound_of(machine) for machine in self._automaton.documents.values()]
        for distance_bound in self._documents:
            in_document = max(in_document, distance_bound.find())
        return in_document + self._in_terminal + self._most_after + self._most_below

    def _own_of(self, gss_node: int) -> int:
        """The most that the rules of a GSS node need, up to the end of the text or to what a frame keeps."""
        found = self._own.get(gss_node)
        if found is None:
            found = self._own[gss_node] = FAR
            for position, then in self._automaton.states.gss_edges(gss_node):
                if position == END_EDGE or position < 0:
                    found = 0
                else:
                    rope = self._ropes.of_position(position)
                    found = min(found, FAR if rope is None else rope.num_tokens + self._own_of(then))
            self._own[gss_node] = found
        return found

    def _find_in_terminal(self) -> int:
        """The most that is needed to end a terminal from any of its states."""
        most = _SPECIAL
        for position in self._automaton.states.network.positions:
            for language, _ in position.terminals:
                bound = self._ropes.texts.bounds.most(language)
                if bound is None:
                    bound = self._tools.lexeme_ends.most(self._ropes.first_state(language))
                if bound is None:
                    return FAR
                most = max(most, bound)
            for document, _ in position.documents:
                rope: Rope | None = self._ropes.of_whole(document)
                most = max(most, FAR if rope is None else rope.num_tokens)
        return most
