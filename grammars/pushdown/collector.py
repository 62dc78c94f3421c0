"""`Collector`: the threads of a local state, from continuations that go on and positions that are reached."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ..rules.expressions import JsonDocument
from ..rules.network import Network
from .continuations import END_WAY, Continuations

Moved = tuple[tuple[int, int], ...]
"""Sorted pairs (state of a terminal, continuation)."""


class Threads(NamedTuple):
    """A local state. threads: (state of a terminal, continuation); documents: (number, continuation) of JSON documents
    that may begin; tokens: the same of sets of tokens. labels: the frame's continuations that go on here. All sorted.

    is_complete: the text may end here.
    """

    threads: Moved
    documents: Moved
    tokens: Moved
    labels: tuple[int, ...]
    is_complete: bool


class ThreadSource(Protocol):
    """What a collector asks for: the network, its continuations, and the numbers of what threads are made of."""

    @property
    def network(self) -> Network: ...

    @property
    def continuations(self) -> Continuations: ...

    def first_of(self, position: int) -> tuple[tuple[int, int], ...]:
        """(first state, target) of the terminals at a position."""

    def document_number(self, document: JsonDocument) -> int:
        """The number of a document."""

    def token_number(self, token_ids: frozenset[int]) -> int:
        """The number of a set of tokens."""


class Collector:
    """Threads being put together."""

    def __init__(self, states: ThreadSource) -> None:
        self._states = states
        self._continuations = states.continuations
        self.threads: dict[int, int] = {}
        self.documents: dict[int, int] = {}
        self.tokens: dict[int, int] = {}
        self.labels: set[int] = set()
        self.is_complete = False
        self._left: set[int] = set()
        self._positions: dict[int, int] = {}

    def unite(self, parts: dict[int, int], key: int, continuation: int) -> None:
        """Add a continuation under a key."""
        known = parts.get(key)
        parts[key] = continuation if known is None else self._continuations.union(known, continuation)

    def add_position(self, position: int, then: int) -> None:
        """A position with what comes after its rule."""
        self.unite(self._positions, position, then)

    def leave(self, continuation: int) -> None:
        """Go on with each way of a continuation."""
        waiting = [continuation]
        positions = self._states.network.positions
        while waiting:
            continuation = waiting.pop()
            if continuation in self._left:
                continue
            self._left.add(continuation)
            for position, then in self._continuations.ways[continuation]:
                if position == END_WAY:
                    self.is_complete = True
                elif position < 0:
                    self.labels.add(-2 - position)
                else:
                    self.unite(self._positions, position, then)
                    if positions[position].is_final:
                        waiting.append(then)

    def finish(self) -> Threads:
        """The threads, with those of the rules that are called."""
        network = self._states.network
        called: dict[int, int] = {}
        for position, then in self._positions.items():
            self._begin(position, then, called)
        while called:
            rule = min(called)  # callers come before what they begin with
            self._begin(network.starts[rule], called.pop(rule), called)
        return Threads(
            tuple(sorted(self.threads.items())),
            tuple(sorted(self.documents.items())),
            tuple(sorted(self.tokens.items())),
            tuple(sorted(self.labels)),
            self.is_complete,
        )

    def _begin(self, position: int, then: int, called: dict[int, int]) -> None:
        """What may come at a position."""
        states, after = self._states, self._continuations.after
        for lexeme, target in states.first_of(position):
            self.unite(self.threads, lexeme, after(target, then))
        place = states.network.positions[position]
        for rule, target in place.calls:
            self.unite(called, rule, after(target, then))
        for document, target in place.documents:
            self.unite(self.documents, states.document_number(document), after(target, then))
        for token_ids, target in place.tokens:
            self.unite(self.tokens, states.token_number(token_ids), after(target, then))
