"""The effect of a part of a grammar on the regular side: pairs of a state before and a state after.

A context-free language and a regular one have a context-free product. The product's rules are the grammar's rules with
the states before and after (Bar-Hillel, Perles, Shamir 1961), and are never written out. Instead, sets are computed on
demand: given a position of a rule and a state q of the regular side, the states q after the end of the rule. Sets are
those of `ProductDfa`.
"""

from __future__ import annotations

import operator

from ...memory.components import components
from ...solver import Evaluation, Solver
from ...watch import checkpoint
from ..rules.automaton import PushdownAutomaton
from .dfa import ProductDfa, Run

Pair = tuple[int, int]
"""A state of a terminal, or a position of the network, with a state of the regular side."""


class TerminalRelation:
    """The states of the regular side at the end of a terminal, after at least one more byte.

    The relation is computed by components: pairs that lead to each other have the same set.
    """

    def __init__(self, dfa: ProductDfa) -> None:
        self._dfa = dfa
        self._ends: dict[Pair, int] = {}
        self._following: dict[Pair, list[Pair]] = {}

    def ends(self, state: int, q: int) -> int:
        """Return the set of states at the terminal's end. state: state of the terminal now. q: of the regular side."""
        found = self._ends.get((state, q))
        if found is None:
            for group in components([(state, q)], self._unknown_after):
                self._close(group)
            found = self._ends[state, q]
        return found

    def _close(self, group: list[Pair]) -> None:
        """Compute `ends` of a group of pairs that lead to each other, and so have the same set."""
        if group[0] in self._ends:
            return
        ends, inside = 0, set(group)
        for pair in group:
            for target in self._following[pair]:
                if self._dfa.accepts(target[0]):
                    ends |= self._dfa.bit(target[1])
                if target not in inside:
                    ends |= self._ends[target]
        for pair in group:
            self._ends[pair] = ends
            del self._following[pair]

    def _unknown_after(self, pair: Pair) -> list[Pair]:
        """Return the pairs that one byte leads to and whose sets are unknown."""
        if pair in self._ends:
            return []
        following = self._following.get(pair)
        if following is None:
            checkpoint()
            following = self._following[pair] = _common(self._dfa.runs(pair[0]), self._dfa.runs(pair[1]))
        return [target for target in following if target not in self._ends]


def _common(first: tuple[Run, ...], second: tuple[Run, ...]) -> list[Pair]:
    """Return the pairs of targets that some byte leads to."""
    found: dict[Pair, None] = {}
    later = 0  # index of the first run in `second` that does not end before the current run of `first`
    for start, end, target in first:
        while later < len(second) and second[later][1] <= start:
            later += 1
        index = later
        while index < len(second) and second[index][0] < end:
            found[target, second[index][2]] = None
            index += 1
    return list(found)


class Relations:
    """The relations of all parts of an automaton's grammar, which has no JSON documents."""

    def __init__(self, automaton: PushdownAutomaton, dfa: ProductDfa) -> None:
        self._automaton, self._dfa = automaton, dfa
        self._network, self._positions = automaton.states.network, automaton.states.positions
        self.terminal_ends = TerminalRelation(dfa).ends
        self._solver: Solver[Pair, int] = Solver(self._evaluate, 0, operator.ne)

    def token_end(self, token_id: int, q: int) -> int | None:
        """Return the q after a token that the grammar names by its id. The token's text counts as output."""
        vocabulary_tables = self._automaton.vocabulary_tables
        return self._dfa.step(q, vocabulary_tables.token_bytes(token_id)) if vocabulary_tables.has_text(token_id) else q

    def token_ends(self, token_ids: frozenset[int], q: int) -> int:
        """Return the set of q after tokens that the grammar names by their ids."""
        return self._dfa.set_of([self.token_end(token_id, q) for token_id in token_ids])

    def rest_ends(self, position: int, q: int) -> int:
        """Return the set of states q at the end of a rule, from one of its positions and q."""
        return self._solver((position, q))

    def _evaluate(self, pair: Pair) -> Evaluation[Pair, int]:
        """Compute `rest_ends` of a position and a state q."""
        number, q = pair
        position = self._network.position(number)
        found = self._dfa.bit(q) if position.is_final else 0
        for state, target in self._positions.terminals(number):
            found |= yield from self._union(target, self.terminal_ends(state, q))
        for token_ids, target in position.tokens:
            found |= yield from self._union(target, self.token_ends(token_ids, q))
        for rule, target in position.calls:
            found |= yield from self._union(target, (yield self._network.starts[rule], q))
        return found

    def _union(self, position: int, states: int) -> Evaluation[Pair, int]:
        """Return the union of `rest_ends` of a position, over a set of states q."""
        found = 0
        for q in self._dfa.members(states):
            found |= yield position, q
        return found
