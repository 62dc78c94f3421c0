"""`Liveness`: whether some text completes both a configuration of a grammar and the regular side at q."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from ...solver import Evaluation, Solver
from ..rules.automaton import PushdownAutomaton
from ..rules.layout import END_EDGE, FIRST_LABEL
from ..rules.states import LocalItems
from .dfa import ProductDfa
from .relations import Relations


class Liveness:
    """The answers for one automaton of rules without JSON documents. They are exact."""

    def __init__(self, automaton: PushdownAutomaton, dfa: ProductDfa) -> None:
        self._automaton = automaton
        self._states = automaton.states
        self._dfa = dfa
        self.relations = Relations(automaton, dfa)
        self._known: dict[tuple[int, int, int], bool] = {}
        self._solver: Solver[tuple[int, int, int], bool] = Solver(self._evaluate, False, operator.gt)

    def of_state(self, state: int, stack: int, q: int) -> bool:
        """Return True if some text completes both sides from a local state."""
        key = (state, stack, q)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._find_out(state, stack, q)
        return known

    def _find_out(self, state: int, stack: int, q: int) -> bool:
        content = self._states.item_set(state)
        if content.is_complete and self._dfa.accepts(q):
            return True
        ends = self._ends(content, q)
        return any(self._solver((node, stack, end)) for node, states in ends for end in self._dfa.members(states))

    def _ends(self, content: LocalItems, q: int) -> Iterator[tuple[int, int]]:
        """Yield the GSS nodes after the items of a local state, each with the set of q at the item's end."""
        for lexeme, gss_node in sorted(content.items, key=lambda item: self._must_go_on(item[1])):
            yield gss_node, self.relations.terminal_ends(lexeme, q)
        for token_set, gss_node in content.tokens:
            yield gss_node, self.relations.token_ends(self._states.token_ids(token_set), q)

    def _must_go_on(self, gss_node: int) -> bool:
        """Return True if the text can't end with a GSS node. Nodes where it can are tried first."""
        return all(position != END_EDGE for position, _ in self._states.gss_edges(gss_node))

    def _evaluate(self, unknown: tuple[int, int, int]) -> Evaluation[tuple[int, int, int], bool]:
        """Decide whether some text completes both sides from a GSS node over a stack, at a q."""
        gss_node, stack, q = unknown
        for position, then in self._states.gss_edges(gss_node):
            if position == END_EDGE:
                if self._dfa.accepts(q):
                    return True
            elif position >= 0:
                for end in self._dfa.members(self.relations.rest_ends(position, q)):
                    if (yield then, stack, end):
                        return True
            else:
                kept, below = self._automaton.kept_below(stack)
                if (yield kept[FIRST_LABEL - position], below, q):
                    return True
        return False
