"""A plain reference of the kernels for continuations and closures: tuples of pairs, interned in dicts.

A continuation is a set of ways to go on (see `Continuations`); here they have other numbers.
"""

from __future__ import annotations

from guided.grammars.pushdown.contents import Threads
from guided.grammars.pushdown.continuations import Ways
from guided.grammars.pushdown.layout import END_WAY, FIRST_LABEL
from guided.grammars.pushdown.states import LocalStates


class PlainContinuations:
    """Those of one grammar. end: the number of {END}."""

    def __init__(self, states: LocalStates) -> None:
        self._states = states
        self._positions = states.network.positions
        self._numbers: dict[Ways, int] = {}
        self.ways: list[Ways] = []
        self._read: dict[int, int] = {}
        self._unions: dict[tuple[int, int], int] = {}
        self.end = self.number(((END_WAY, 0),))

    def number(self, ways: Ways) -> int:
        """The number of a set of ways, ascending."""
        if ways not in self._numbers:
            self._numbers[ways] = len(self.ways)
            self.ways.append(ways)
        return self._numbers[ways]

    def read(self, continuation: int) -> int:
        """A continuation of the kernels."""
        if continuation not in self._read:
            ways = self._states.continuations.ways(continuation)
            assert list(ways) == sorted(ways)
            assert len({position for position, _ in ways}) == len(ways)
            read = [(position, self.read(then) if position >= 0 else 0) for position, then in ways]
            self._read[continuation] = self.number(tuple(sorted(read)))
        return self._read[continuation]

    def after(self, position: int, then: int) -> int:
        """What comes when a rule's position was reached."""
        return then if self._positions[position].is_last else self.number(((position, then),))

    def union(self, first: int, second: int) -> int:
        """The ways of both."""
        if first == second:
            return first
        if (first, second) not in self._unions:
            ways = dict(self.ways[first])
            for position, then in self.ways[second]:
                ways[position] = self.union(ways.get(position, then), then)
            self._unions[first, second] = self.number(tuple(sorted(ways.items())))
        return self._unions[first, second]

    def filled(self, continuation: int, frame: list[int]) -> int:
        """With labels replaced by what a frame keeps under them."""
        found = self.number(())
        for position, then in self.ways[continuation]:
            if position <= FIRST_LABEL:
                found = self.union(found, frame[FIRST_LABEL - position])
            elif position == END_WAY:
                found = self.union(found, self.end)
            else:
                found = self.union(found, self.number(((position, self.filled(then, frame)),)))
        return found

    def is_deep(self, continuation: int) -> bool:
        """True when something after a recursive call is more than END and labels."""
        return any(self._is_deep_way(position, then) for position, then in self.ways[continuation])

    def _is_deep_way(self, position: int, then: int) -> bool:
        if position < 0:
            return False
        is_flat = all(below < 0 for below, _ in self.ways[then])
        return not is_flat if self._positions[position].is_cut else self.is_deep(then)


class PlainClosure:
    """Threads being put together."""

    def __init__(self, states: LocalStates, continuations: PlainContinuations) -> None:
        self._states, self._continuations = states, continuations
        self.threads: dict[int, int] = {}
        self.documents: dict[int, int] = {}
        self.tokens: dict[int, int] = {}
        self.labels: set[int] = set()
        self.is_complete = False
        self._left: set[int] = set()

    def unite(self, parts: dict[int, int], key: int, continuation: int) -> None:
        """Add a continuation under a key."""
        parts[key] = self._continuations.union(parts.get(key, continuation), continuation)

    def leave(self, continuation: int) -> None:
        """Go on with each way of a continuation."""
        if continuation in self._left:
            return
        self._left.add(continuation)
        for position, then in self._continuations.ways[continuation]:
            if position == END_WAY:
                self.is_complete = True
            elif position < 0:
                self.labels.add(FIRST_LABEL - position)
            else:
                self.begin(position, then)
                if self._states.network.positions[position].is_final:
                    self.leave(then)

    def begin(self, position: int, then: int) -> None:
        """What may come at a position; calls at once, and not in any order."""
        states, after = self._states, self._continuations.after
        for lexeme, target in states.first_of(position):
            self.unite(self.threads, lexeme, after(target, then))
        place = states.network.positions[position]
        for rule, target in place.calls:
            self.begin(states.network.starts[rule], after(target, then))
        for document, target in place.documents:
            self.unite(self.documents, states.documents.index(document), after(target, then))
        for token_ids, target in place.tokens:
            self.unite(self.tokens, states.token_sets.index(token_ids), after(target, then))

    def finish(self) -> Threads:
        """The threads."""
        parts = [tuple(sorted(part.items())) for part in (self.threads, self.documents, self.tokens)]
        return Threads(*parts, tuple(sorted(self.labels)), self.is_complete)


def read_content(continuations: PlainContinuations, content: Threads) -> Threads:
    """A content of the kernels."""
    parts = [tuple([(key, continuations.read(then)) for key, then in part]) for part in content[:3]]
    return Threads(*parts, content.labels, content.is_complete)
