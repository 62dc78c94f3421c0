"""What reading a part of a grammar can do to the regular side: from which state to which.

A context-free language and a regular one have a context-free product, whose rules are those of the grammar with
the states before and after (Bar-Hillel, Perles, Shamir 1961). Here these are not written out. For a position of a rule
and a state q of the regular side, the set of states in which the rule may end is found when it is asked for. Sets are
those of `Dfa`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from ..memory.components import components
from ..rules.expressions import JsonDocument
from ..rules.network import Network
from ..solver import Evaluation, Solver
from ..watch import checkpoint
from .dfa import Dfa, Run

Pair = tuple[int, int]
"""A state of a terminal, or a position of the network, with a state of the regular side."""


class TerminalRelation:
    """In which states of the regular side a terminal may end, after at least one byte more.

    It is found by components: pairs that lead to each other have the same set.
    """

    def __init__(self, dfa: Dfa) -> None:
        self._dfa = dfa
        self._ends: dict[Pair, int] = {}
        self._following: dict[Pair, list[Pair]] = {}

    def ends(self, state: int, q: int) -> int:
        """The set for a state of a terminal and one of the regular side."""
        found = self._ends.get((state, q))
        if found is None:
            for group in components([(state, q)], self._unknown_after):
                self._close(group)
            found = self._ends[state, q]
        return found

    def _close(self, group: list[Pair]) -> None:
        """Find the set of pairs that lead to each other."""
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
        """The pairs that one byte leads to and whose sets are not known."""
        if pair in self._ends:
            return []
        following = self._following.get(pair)
        if following is None:
            checkpoint()
            following = self._following[pair] = _common(self._dfa.runs(pair[0]), self._dfa.runs(pair[1]))
        return [target for target in following if target not in self._ends]


def _common(first: tuple[Run, ...], second: tuple[Run, ...]) -> list[Pair]:
    """The pairs of targets that some byte leads to."""
    found: dict[Pair, None] = {}
    later = 0  # the first of the second ones that does not end before the present one of the first ones
    for start, end, target in first:
        while later < len(second) and second[later][1] <= start:
            later += 1
        index = later
        while index < len(second) and second[index][0] < end:
            found[target, second[index][2]] = None
            index += 1
    return list(found)


class RuleRelation:
    """In which states of the regular side the rest of a rule may end, from a position of it: least solutions.

    terminal_ends, document_ends, token_ends: the same for what edges read, from one state.
    """

    def __init__(
        self,
        network: Network,
        dfa: Dfa,
        first_of: Callable[[int], tuple[Pair, ...]],
        terminal_ends: Callable[[int, int], int],
        document_ends: Callable[[JsonDocument, int], int],
        token_ends: Callable[[frozenset[int], int], int],
    ) -> None:
        self._network, self._dfa = network, dfa
        self._first_of = first_of
        self._terminal_ends = terminal_ends
        self._document_ends = document_ends
        self._token_ends = token_ends
        self._solver: Solver[Pair, int] = Solver(self._evaluate, 0, operator.ne)

    def ends(self, position: int, states: int) -> int:
        """The union of the sets for all states of a set."""
        found = 0
        for q in self._dfa.members(states):
            found |= self._solver((position, q))
        return found

    def _evaluate(self, pair: Pair) -> Evaluation[Pair, int]:
        """The set of a position and a state."""
        number, q = pair
        position = self._network.positions[number]
        found = self._dfa.bit(q) if position.is_final else 0
        for state, target in self._first_of(number):
            found |= yield from self._union(target, self._terminal_ends(state, q))
        for document, target in position.documents:
            found |= yield from self._union(target, self._document_ends(document, q))
        for token_ids, target in position.tokens:
            found |= yield from self._union(target, self._token_ends(token_ids, q))
        for rule, target in position.calls:
            found |= yield from self._union(target, (yield self._network.starts[rule], q))
        return found

    def _union(self, position: int, states: int) -> Evaluation[Pair, int]:
        """The union of what is known of a position with each state of a set."""
        found = 0
        for q in self._dfa.members(states):
            found |= yield position, q
        return found
