"""What the searches and walks of a product share: tables, and what serves their kernels."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitExceededError
from ...memory.structs import Table
from .. import asking
from ..requests import Handler, Requests
from ..rules.automaton import PushdownAutomaton
from ..rules.branches import Branch
from ..tables import DocumentTables
from ..vocabulary_tables import VocabularyTables
from .dfa import Dfa
from .steps import begin_walk, number_pairs, walk
from .structs import Product

_FIRST = b'"}]:,0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.+'
_LAST = b" \n\t\r{[\\"


def _preference() -> NDArray[np.uint8]:
    """The bytes, those that end things first, those that begin things last."""
    others = [byte for byte in range(256) if byte not in _FIRST and byte not in _LAST]
    return np.array([*_FIRST, *others, *_LAST], dtype=np.uint8)


_LISTS = ("queue", "tokens", "forks")
"""The tables of a product that walks of tokens fill."""

_Shared = dict[tuple[str, bool], NDArray[np.void]]
_shared: weakref.WeakKeyDictionary[VocabularyTables, _Shared] = weakref.WeakKeyDictionary()
"""Those of one vocabulary. All its walks use them, under its lock. They have room for each node of the vocabulary's
trie, and take memory where something was written."""


class Reached(NamedTuple):
    """What a walk found. pairs: the different (code, stack, q, capture) that tokens lead to; capture: see `Pair`.

    nodes, pairs_of: int32, nodes of the vocabulary's trie as `allow` takes them, each with the number of its pair.
    forks: rows of `Arrival`, see `walk`.
    """

    pairs: list[tuple[int, int, int, int]]
    nodes: NDArray[np.int32]
    pairs_of: NDArray[np.int32]
    forks: NDArray[np.void]


class Workspace:
    """What the walks and searches of an automaton beside a regular side use.

    address: of the automaton's machine. product: their tables. dfa: the regular side. requests: serves their kernels.
    is_inside: it is for walks that are made while another one waits.
    """

    def __init__(self, automaton: DocumentTables, dfa: Dfa, *, is_inside: bool = False) -> None:
        self.automaton, self.dfa = automaton, dfa
        self.address = automaton.machine.address
        self.product = Product()
        self.preference = _preference()
        self.product.preference = self.preference
        self.product.pairs.ensure(512)
        vocabulary_tables = automaton.vocabulary_tables
        shared = _shared.setdefault(vocabulary_tables, {})
        for name in _LISTS:
            table, key = self._list(name), (name, is_inside)
            if key not in shared:
                shared[key] = np.zeros(len(vocabulary_tables.trie.byte) + 1, table.dtype)
            table.replace(shared[key])
        self.requests = self.requests_with({})

    @property
    def num_bytes(self) -> int:
        """Memory of its tables, without what all walks of the vocabulary tables share."""
        return self.product.num_bytes - sum([self._list(name).data.nbytes for name in _LISTS])

    def requests_with(self, handlers: Mapping[int, Handler]) -> Requests:
        """As `requests`, for kernels that ask for more."""
        known: dict[int, Handler] = {asking.ROW: lambda asked: self.dfa.build_row(asked.state), **handlers}
        automaton = self.automaton
        return Requests(
            self.product.request, lambda asked: known[asked.kind](asked), automaton.limits, automaton=automaton.requests
        )

    def _list(self, name: str) -> Table[Any]:
        table: Table[Any] = getattr(self.product, name)
        return table

    def numbers_of(self, states: NDArray[np.int32]) -> NDArray[np.int32]:
        """The numbers of the pairs of the configuration at the head of a walk's queue with each of some q."""
        numbers = np.empty(len(states), dtype=np.int32)
        number_pairs(self.product.address, states, numbers)
        return numbers

    def pairs(self) -> NDArray[np.void]:
        """What the last walk found: rows of `Pair`, valid until the next one."""
        return self.product.pairs.in_use

    def reached(
        self, node: int, pair: tuple[int, int, int], requests: Requests | None = None, classes: int = 0
    ) -> Reached:
        """Where the tokens under a node of the trie lead from a pair (code, stack, q) there.

        requests: serves what the walk asks for, if not the usual ones. classes: see `begin_walk`.
        """
        address, product = self.product.address, self.product
        begin_walk(address, node, *pair, classes)
        (requests or self.requests).run(lambda: walk(self.address, address))
        tokens = product.tokens.in_use
        return Reached(self.pairs().tolist(), tokens["node"].copy(), tokens["pair"].copy(), product.forks.in_use.copy())

    def from_branches(
        self, starts: Iterable[Branch], q: int, requests: Requests | None = None
    ) -> Iterator[tuple[Branch, Reached]]:
        """Where all tokens lead from some branches with a state of the regular side: what walks reached from each, also
        from those that begin inside of tokens."""
        waiting = [(0, branch, q) for branch in starts]
        seen = set(waiting)
        for node, branch, q in waiting:
            found = self.reached(node, (*branch, q), requests)
            yield branch, found
            for below, number in found.forks.tolist():
                code, stack, next_q, _ = found.pairs[number]
                for begun in cast("PushdownAutomaton", self.automaton).branches.beside(Branch(code, stack)):
                    item = (below, begun, next_q)
                    if item not in seen:
                        seen.add(item)
                        waiting.append(item)


def undecided(max_pairs: int) -> LimitExceededError:
    """The error of a search that did not come to an end."""
    detail = "looking for a text that all of the grammars allow"
    return LimitExceededError("max_automaton_states", max_pairs, "states", detail)
