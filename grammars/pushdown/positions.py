"""`Positions`: the network in columns that the kernels read; a position is filled in when it is reached."""

from __future__ import annotations

import numpy as np

from ..automaton.lexemes import Lexemes
from ..automaton.memory import Block, Column
from ..rules.expressions import JsonDocument
from ..rules.network import Network
from . import layout as pd

Pairs = tuple[tuple[int, int], ...]


class Positions:
    """documents, token_sets: by the numbers that edges have for them."""

    def __init__(self, network: Network, lexemes: Lexemes, block: Block) -> None:
        self._network, self._lexemes = network, lexemes
        count, num_rules = len(network.positions), len(network.starts)
        self._positions = Column(block, pd.P_POSITIONS, np.int32, count * pd.POSITION_FIELDS)
        fields = self._positions.data.reshape(count, pd.POSITION_FIELDS)
        fields[:, pd.T_FLAGS] = [
            pd.IS_FINAL * place.is_final | pd.IS_LAST * place.is_last | pd.IS_CUT * place.is_cut
            for place in network.positions
        ]
        fields[:, pd.T_EDGES] = -1
        rules = Column(block, pd.P_RULES, np.int32, num_rules * pd.RULE_FIELDS)
        rules.data.reshape(num_rules, pd.RULE_FIELDS)[:, pd.N_POSITION] = network.starts
        rules.used = num_rules
        self._edges = Column(block, pd.P_EDGES, np.int32, 64 * pd.EDGE_FIELDS)
        self._terminals: dict[int, Pairs] = {}
        self.documents: list[JsonDocument] = []
        self.token_sets: list[frozenset[int]] = []
        self._document_numbers: dict[JsonDocument, int] = {}
        self._token_numbers: dict[frozenset[int], int] = {}

    def build(self, position: int) -> None:
        """Fill in what comes at a position, and at the beginnings of the rules that are called there."""
        waiting = [position]
        while waiting:
            position = waiting.pop()
            if self._positions.data[position * pd.POSITION_FIELDS + pd.T_EDGES] < 0:
                self._fill(position)
                waiting += [self._network.starts[rule] for rule, _ in self._network.positions[position].calls]

    def _fill(self, position: int) -> None:
        place = self._network.positions[position]
        documents = [(self._document_number(document), target) for document, target in place.documents]
        tokens = [(self._token_number(token_ids), target) for token_ids, target in place.tokens]
        terminals = self.terminals(position)
        edges = [number for edge in (*terminals, *place.calls, *documents, *tokens) for number in edge]
        first = self._edges.append(np.array(edges, dtype=np.int32))
        start = position * pd.POSITION_FIELDS + pd.T_EDGES
        counts = (first, len(terminals), len(place.calls), len(documents), len(tokens))
        self._positions.data[start : start + len(counts)] = counts

    def terminals(self, position: int) -> Pairs:
        """(first state, target) of the terminals at a position."""
        found = self._terminals.get(position)
        if found is None:
            terminals, state = self._network.positions[position].terminals, self._lexemes.state
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
