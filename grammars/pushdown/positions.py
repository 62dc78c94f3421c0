"""`Positions`: the network in tables that the kernels read; a position is filled in when it is reached."""

from __future__ import annotations

import numpy as np

from ..automaton.lazy_dfas import LazyDfas
from ..rules.expressions import JsonDocument
from ..rules.network import Network
from .structs import Rules

Pairs = tuple[tuple[int, int], ...]

_OF_EDGES = ("first_edge", "num_terminals", "num_calls", "num_documents", "num_tokens")


class Positions:
    """documents, token_sets: by the numbers that edges have for them."""

    def __init__(self, network: Network, lexemes: LazyDfas, rules: Rules) -> None:
        self._network, self._lazy_dfas = network, lexemes
        self._positions, self._edges = rules.positions, rules.edges
        self._positions.reserve(len(network.positions))
        self._positions.data["flags"] = network.positions.flags
        self._positions.data["first_edge"] = -1
        rules.rules.reserve(len(network.starts))
        rules.rules.data["position"] = network.starts
        self._edges.ensure(64)
        self._terminals: dict[int, Pairs] = {}
        self.documents: list[JsonDocument] = []
        self.token_sets: list[frozenset[int]] = []
        self._document_numbers: dict[JsonDocument, int] = {}
        self._token_numbers: dict[frozenset[int], int] = {}

    def build(self, position: int) -> None:
        """Fill in what comes at a position, and at the beginnings of the rules that are called there."""
        positions, starts = self._network.positions, self._network.starts
        is_built = self._positions.data["first_edge"] >= 0
        new, waiting = list[int](), [position]
        while waiting:
            position = waiting.pop()
            if not is_built[position]:
                is_built[position] = True
                new.append(position)
                waiting += [starts[rule] for rule, _ in positions[position].calls]
        self._lazy_dfas.make_text_states([language for number in new for language, _ in positions[number].terminals])
        self._fill(new)

    def _fill(self, new: list[int]) -> None:
        """Fill in these positions."""
        edges, counts, first = list[int](), list[tuple[int, ...]](), self._edges.used
        for number in new:
            fields, terminals = self._network.positions[number], self.terminals(number)
            documents = [(self._document_number(document), target) for document, target in fields.documents]
            tokens = [(self._token_number(token_ids), target) for token_ids, target in fields.tokens]
            start = first + len(edges) // 2
            counts.append((start, len(terminals), len(fields.calls), len(documents), len(tokens)))
            for edge in (*terminals, *fields.calls, *documents, *tokens):
                edges += edge
        self._edges.append(np.array(edges, dtype=np.int32).view(self._edges.dtype))
        for name, column in zip(_OF_EDGES, zip(*counts, strict=True), strict=True):
            self._positions.data[name][new] = column

    def terminals(self, position: int) -> Pairs:
        """(first state, target) of the terminals at a position."""
        found = self._terminals.get(position)
        if found is None:
            terminals, state = self._network.positions[position].terminals, self._lazy_dfas.state
            found = tuple([(state((language,), "text"), target) for language, target in terminals])
            self._terminals[position] = found
        return found

    def _document_number(self, document: JsonDocument) -> int:
        number = self._document_numbers.setdefault(document, len(self.documents))
        if number == len(self.documents):
            self.documents.append(document)
        return number

    def _token_number(self, token_ids: frozenset[int]) -> int:
        number = self._token_numbers.setdefault(token_ids, len(self.token_sets))
        if number == len(self.token_sets):
            self.token_sets.append(token_ids)
        return number
