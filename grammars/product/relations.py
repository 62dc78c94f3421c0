"""What reading a part of a grammar can do to the regular side: from which q to which.

A context-free language and a regular one have a context-free product, whose rules are those of the grammar with
the states before and after (Bar-Hillel, Perles, Shamir 1961). Here these are not written out: for a configuration of a
rule and a q, the set of q in which the rule may end is found when it is asked for. Sets of q are the bits of an int.
"""

from __future__ import annotations

from collections.abc import Callable

from ..memory.components import components
from ..rules.expressions import JsonDocument
from ..rules.network import Network
from ..watch import checkpoint
from .dfa import Dfa, members
from .terminals import Run as TerminalRun
from .terminals import Terminals

Pair = tuple[int, int]


class TerminalRelation:
    """(state of a terminal, q) -> the q in which the terminal may end after at least one byte more."""

    def __init__(self, terminals: Terminals, dfa: Dfa) -> None:
        self._terminals = terminals
        self._dfa = dfa
        self._ends: dict[Pair, int] = {}
        self._following: dict[Pair, list[Pair]] = {}

    def ends(self, state: int, q: int) -> int:
        """The set for one pair."""
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
                if self._terminals.ends[target[0]]:
                    ends |= 1 << target[1]
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
            following = self._following[pair] = _common(self._terminals.runs(pair[0]), self._dfa.runs(pair[1]))
        return [target for target in following if target not in self._ends]


def _common(first: tuple[TerminalRun, ...], second: tuple[TerminalRun, ...]) -> list[Pair]:
    """The pairs of targets that some byte leads to."""
    found: dict[Pair, None] = {}
    config = 0
    for start, end, target in first:
        while config < len(second) and second[config][1] <= start:
            config += 1
        index = config
        while index < len(second) and second[index][0] < end:
            found[target, second[index][2]] = None
            index += 1
    return list(found)


class RuleRelation:
    """(position of the network, q) -> the q in which the rest of the position's rule may end.

    Found as the least solution of its equations: what is not known yet counts as the empty set, and who asked for it
    is looked at again when it has grown.
    """

    def __init__(
        self,
        network: Network,
        dfa: Dfa,
        ends: Callable[[int, int], int],
        first_of: Callable[[int], tuple[Pair, ...]],
        document_ends: Callable[[JsonDocument, int], int],
        token_ends: Callable[[frozenset[int], int], int],
    ) -> None:
        self._network = network
        self._dfa = dfa
        self._terminal_ends = ends
        self._first_of = first_of
        self._document_ends = document_ends
        self._token_ends = token_ends
        self._known: dict[Pair, int] = {}
        self._askers: dict[Pair, set[Pair]] = {}
        self._waiting: dict[Pair, None] = {}

    def ends(self, position: int, states: int) -> int:
        """The union of the sets for all q of a set."""
        found = 0
        for q in members(states):
            found |= self._solved((position, q))
        return found

    def _solved(self, pair: Pair) -> int:
        if pair not in self._known:
            self._known[pair] = 0
            self._waiting[pair] = None
            while self._waiting:
                checkpoint()
                asker, _ = self._waiting.popitem()
                found = self._evaluate(asker)
                if found != self._known[asker]:
                    self._known[asker] = found
                    self._waiting.update(dict.fromkeys(self._askers.get(asker, ())))
        return self._known[pair]

    def _evaluate(self, pair: Pair) -> int:
        """The set of a pair, from what is known of others."""
        number, q = pair
        position = self._network.positions[number]
        found = 1 << q if position.is_final else 0
        for state, target in self._first_of(number):
            found |= self._asked(target, self._terminal_ends(state, q), pair)
        for document, target in position.documents:
            found |= self._asked(target, self._document_ends(document, q), pair)
        for token_ids, target in position.tokens:
            found |= self._asked(target, self._token_ends(token_ids, q), pair)
        for rule, target in position.calls:
            found |= self._asked(target, self._asked(self._network.starts[rule], 1 << q, pair), pair)
        return found

    def _asked(self, position: int, states: int, asker: Pair) -> int:
        """What is known for all q of a set; the asker is told when it grows."""
        found = 0
        for q in members(states):
            pair = (position, q)
            known = self._known.get(pair)
            if known is None:
                known = self._known[pair] = 0
                self._waiting[pair] = None
            askers = self._askers.get(pair)
            if askers is None:
                askers = self._askers[pair] = set()
            askers.add(asker)
            found |= known
        return found
