"""The tables of a product's walks, and the service of their kernels' requests."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...memory.structs import Table
from ...watch import checkpoint
from ..requests import Requests
from ..rules.automaton import PushdownAutomaton
from ..rules.branches import Branch
from ..tables import DocumentTables
from ..vocabulary_tables import VocabularyTables
from .dfa import ProductDfa
from .steps import begin_walk, walk
from .structs import ProductWalk

_LISTS = ("queue", "tokens", "forks")
"""The tables of a product that walks of tokens fill."""

_shared: weakref.WeakKeyDictionary[VocabularyTables, dict[str, NDArray[np.void]]] = weakref.WeakKeyDictionary()
"""Vocabulary tables -> the tables of `_LISTS`. All walks of a vocabulary use these, under its lock. They have room for
each node of the trie; the operating system adds memory only where a walk writes.
"""


class Reached(NamedTuple):
    """The result of a walk.

    pairs: the different (code, stack, q, capture) that tokens lead to; capture: see `Pair`.
    nodes, pairs_of: int32; nodes of the trie as `allow` takes them, each with the number of its pair.
    forks: rows of `Arrival`, see `walk`.
    """

    pairs: list[tuple[int, int, int, int]]
    nodes: NDArray[np.int32]
    pairs_of: NDArray[np.int32]
    forks: NDArray[np.void]


class Workspace:
    """The tables for walks of an automaton beside a regular side.

    automaton: the automaton.
    address: address of the automaton's machine.
    product: the kernels' tables.
    dfa: the regular side.
    requests: serves the kernels' requests.
    """

    def __init__(self, automaton: DocumentTables, dfa: ProductDfa) -> None:
        self.automaton, self.dfa = automaton, dfa
        self.address = automaton.machine.address
        self.product = ProductWalk()
        self.product.pairs.ensure(512)
        vocabulary_tables = automaton.vocabulary_tables
        shared = _shared.setdefault(vocabulary_tables, {})
        for name in _LISTS:
            table = self._list(name)
            if name not in shared:
                shared[name] = np.zeros(len(vocabulary_tables.trie.byte) + 1, table.dtype)
            table.replace(shared[name])
        self.requests = Requests(
            self.product.request,
            lambda asked: self.dfa.build_row(asked.state),
            automaton.limits,
            automaton=automaton.requests,
        )

    @property
    def num_bytes(self) -> int:
        """Memory of its tables in bytes, without the tables that all walks of the vocabulary share."""
        return self.product.num_bytes - sum([self._list(name).data.nbytes for name in _LISTS])

    def _list(self, name: str) -> Table[Any]:
        table: Table[Any] = getattr(self.product, name)
        return table

    def from_branches(self, starts: Iterable[Branch], q: int) -> Iterator[Reached]:
        """Walk all tokens from some branches and a state of the regular side.

        Yields the result of each branch's walk, also for branches that begin inside tokens.
        """
        waiting = [(0, branch, q) for branch in starts]
        seen = set(waiting)
        for node, branch, q in waiting:
            checkpoint()
            found = self._reached(node, (*branch, q))
            yield found
            for below, number in found.forks.tolist():
                code, stack, next_q, _ = found.pairs[number]
                for begun in cast("PushdownAutomaton", self.automaton).branches.beside(Branch(code, stack)):
                    item = (below, begun, next_q)
                    if item not in seen:
                        seen.add(item)
                        waiting.append(item)

    def _reached(self, node: int, pair: tuple[int, int, int]) -> Reached:
        """Walk the tokens under a node of the trie from a pair (code, stack, q) there."""
        address, product = self.product.address, self.product
        begin_walk(address, node, *pair)
        self.requests.run(lambda: walk(self.address, address))
        pairs, tokens, forks = product.pairs.in_use, product.tokens.in_use, product.forks.in_use
        return Reached(pairs.tolist(), tokens["node"].copy(), tokens["pair"].copy(), forks.copy())
