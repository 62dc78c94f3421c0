"""A plain reference of the kernels for GSS nodes and closures: tuples of pairs, interned in dicts.

A GSS node is a set of GSS edges (see `LocalStates`); here they have other numbers.
"""

from __future__ import annotations

from guided.grammars.machine.rules.layout import END_EDGE, FIRST_LABEL
from guided.grammars.machine.rules.positions import Pairs
from guided.grammars.machine.rules.states import LocalItems, LocalStates
from guided.grammars.rules.expressions import TokenRef


class PlainContinuations:
    """Those of one grammar. end: the number of {END}."""

    def __init__(self, states: LocalStates) -> None:
        self._states = states
        self._position = states.network.position
        self._numbers: dict[Pairs, int] = {}
        self.gss_edges: list[Pairs] = []
        self._read: dict[int, int] = {}
        self._unions: dict[tuple[int, int], int] = {}
        self.end = self.number(((END_EDGE, 0),))

    def number(self, gss_edges: Pairs) -> int:
        """The number of a set of edges, ascending."""
        if gss_edges not in self._numbers:
            self._numbers[gss_edges] = len(self.gss_edges)
            self.gss_edges.append(gss_edges)
        return self._numbers[gss_edges]

    def read(self, gss_node: int) -> int:
        """A GSS node of the kernels."""
        if gss_node not in self._read:
            gss_edges = self._states.gss_edges(gss_node)
            assert list(gss_edges) == sorted(gss_edges)
            assert len({position for position, _ in gss_edges}) == len(gss_edges)
            read = [(position, self.read(then) if position >= 0 else 0) for position, then in gss_edges]
            self._read[gss_node] = self.number(tuple(sorted(read)))
        return self._read[gss_node]

    def after(self, position: int, then: int) -> int:
        """What comes when a rule's position was reached."""
        return then if self._position(position).is_last else self.number(((position, then),))

    def union(self, first: int, second: int) -> int:
        """The edges of both."""
        if first == second:
            return first
        if (first, second) not in self._unions:
            gss_edges = dict(self.gss_edges[first])
            for position, then in self.gss_edges[second]:
                gss_edges[position] = self.union(gss_edges.get(position, then), then)
            self._unions[first, second] = self.number(tuple(sorted(gss_edges.items())))
        return self._unions[first, second]

    def filled(self, gss_node: int, frame: list[int]) -> int:
        """With labels replaced by what a frame keeps under them."""
        found = self.number(())
        for position, then in self.gss_edges[gss_node]:
            if position <= FIRST_LABEL:
                found = self.union(found, frame[FIRST_LABEL - position])
            elif position == END_EDGE:
                found = self.union(found, self.end)
            else:
                found = self.union(found, self.number(((position, self.filled(then, frame)),)))
        return found

    def is_deep(self, gss_node: int) -> bool:
        """True if something after a recursive call is more than END and labels."""
        return any(self._is_deep_way(position, then) for position, then in self.gss_edges[gss_node])

    def _is_deep_way(self, position: int, then: int) -> bool:
        if position < 0:
            return False
        is_flat = all(below < 0 for below, _ in self.gss_edges[then])
        return not is_flat if self._position(position).is_cut else self.is_deep(then)


class PlainClosure:
    """Threads being put together."""

    def __init__(self, states: LocalStates, gss_nodes: PlainContinuations) -> None:
        self._states, self._gss_nodes = states, gss_nodes
        self.items: dict[int, int] = {}
        self.documents: dict[int, int] = {}
        self.tokens: dict[int, int] = {}
        self.labels: set[int] = set()
        self.is_complete = False
        self._left: set[int] = set()

    def unite(self, parts: dict[int, int], key: int, gss_node: int) -> None:
        """Add a GSS node under a key."""
        parts[key] = self._gss_nodes.union(parts.get(key, gss_node), gss_node)

    def leave(self, gss_node: int) -> None:
        """Go on with each edge of a GSS node."""
        if gss_node in self._left:
            return
        self._left.add(gss_node)
        for position, then in self._gss_nodes.gss_edges[gss_node]:
            if position == END_EDGE:
                self.is_complete = True
            elif position < 0:
                self.labels.add(FIRST_LABEL - position)
            else:
                self.begin(position, then)
                if self._states.network.position(position).is_final:
                    self.leave(then)

    def begin(self, position: int, then: int) -> None:
        """What may come at a position; calls at once, and not in any order."""
        states, after = self._states, self._gss_nodes.after
        for lexeme, target in states.positions.terminals(position):
            self.unite(self.items, lexeme, after(target, then))
        config = states.network.position(position)
        symbols = states.network.symbols
        for rule, target in config.calls:
            self.begin(states.network.starts[rule], after(target, then))
        for document, target in config.documents:
            self.unite(self.documents, symbols.index(document), after(target, then))
        for token_ids, target in config.tokens:
            self.unite(self.tokens, symbols.index(TokenRef(token_ids)), after(target, then))

    def finish(self) -> LocalItems:
        """The items."""
        parts = [tuple(sorted(part.items())) for part in (self.items, self.documents, self.tokens)]
        return LocalItems(*parts, tuple(sorted(self.labels)), self.is_complete)


def read_content(gss_nodes: PlainContinuations, content: LocalItems) -> LocalItems:
    """A content of the kernels."""
    parts = [tuple([(key, gss_nodes.read(then)) for key, then in part]) for part in content[:3]]
    return LocalItems(*parts, content.labels, content.is_complete)
