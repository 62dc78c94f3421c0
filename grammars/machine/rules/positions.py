"""`RulePositions`: the network in tables that kernels read. Terminals get their states when a text first needs them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...regex import algebra as lang
from ...regex.algebra import Language
from ...rules.automata import STATE_BITS, STATE_MASK
from ...rules.counts import count_of
from ...rules.expressions import JsonDocument, RuleRef, Terminal
from ...rules.network import Network
from ..lexemes.lazy_dfas import LazyDfas
from . import layout as pd
from .counted_terminals import Counted, CountedTerminals
from .structs import Rules

Pairs = tuple[tuple[int, int], ...]


class RulePositions:
    """The positions of one grammar on one vocabulary."""

    def __init__(self, network: Network, lexemes: LazyDfas, rules: Rules) -> None:
        self._network, self._lazy_dfas, self._rules = network, lexemes, rules
        self.counted = CountedTerminals(lexemes, rules)
        count = len(network.flags)
        rules.positions.reserve(count + 1)
        rules.positions.data["flags"][:count] = network.flags
        rules.positions.data["first_edge"][: count + 1] = network.first_edges
        rules.rules.reserve(len(network.starts))
        rules.rules.data["position"] = network.starts
        self._languages: dict[int, Language] = {}  # number of a symbol -> its language
        fields = list[int]()
        for number, symbol in enumerate(network.symbols):
            if isinstance(symbol, Terminal):
                self._languages[number] = symbol.language
                fields += (pd.TERMINAL, -1)
            elif isinstance(symbol, RuleRef):
                fields += (pd.CALL, network.rules.get(symbol.name, -1))
            else:
                fields += (pd.DOCUMENT if isinstance(symbol, JsonDocument) else pd.TOKENS, number)
        self._edges = network.edges if not len(network.parallel) else self._united(fields)
        rules.edges.append(self._edges)
        rules.symbols.append(np.array(fields, dtype=np.int32).view(rules.symbols.dtype))

    def _united(self, fields: list[int]) -> NDArray[np.int64]:
        """Return the edges, after uniting several terminals between the same two positions into one."""
        edges, groups = self._network.edges.copy(), dict[int, list[int]]()
        for first, other in self._network.parallel.reshape(-1, 2).tolist():
            groups.setdefault(first, [first]).append(other)
        numbers: dict[Language, int] = {}
        for all_of_group in groups.values():
            group = [edge for edge in all_of_group if not self._may_count(edges.item(edge) >> STATE_BITS)]
            if len(group) < 2:
                continue
            language = lang.union(*[self._languages[number] for number in (edges[group] >> STATE_BITS).tolist()])
            number = numbers.setdefault(language, len(fields) // 2)
            if number == len(fields) // 2:
                self._languages[number] = language
                fields += (pd.TERMINAL, -1)
            edges[group] = number << STATE_BITS | (edges[group[0]] & STATE_MASK)
        return edges

    def make_terminals(self, numbers: list[int]) -> None:
        """Make the first states of some terminals. numbers: numbers of their symbols."""
        uncounted = list[int]()
        for number in numbers:
            counted = self.counted_of(self._languages[number])
            if counted is None:
                uncounted.append(number)
            else:
                self._rules.symbols.data["number"][number] = counted.state
        languages = [self._languages[number] for number in uncounted]
        self._lazy_dfas.make_text_states(languages)
        states = [self._lazy_dfas.state((language,), "text") for language in languages]
        self._rules.symbols.data["number"][uncounted] = states

    def counted_of(self, language: Language) -> Counted | None:
        """Return a terminal as a counted one; None if its units are not counted."""
        return self.counted.of(language) if self._network.may_count else None

    def _may_count(self, number: int) -> bool:
        """Return True if a symbol is a terminal that is counted if its DFA allows that."""
        return self._network.may_count and count_of(self._languages[number]) is not None

    def terminals(self, position: int) -> Pairs:
        """Return (first state, target) of each terminal at a position."""
        first, end = self._network.first_edges[position : position + 2]
        found = [(edge >> STATE_BITS, edge & STATE_MASK) for edge in set(self._edges[first:end].tolist())]
        found = [(number, target) for number, target in found if number in self._languages]
        self.make_terminals([number for number, _ in found])
        return tuple([(self._rules.symbols.data["number"].item(number), target) for number, target in found])
