"""Tables that the searches and walks of a product share, and the service of their kernels' requests."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitExceededError
from ...memory.structs import Table
from ...watch import checkpoint
from .. import asking
from ..requests import Handler, Requests
from ..rules.automaton import PushdownAutomaton
from ..rules.branches import Branch
from ..tables import DocumentTables
from ..vocabulary_tables import VocabularyTables
from .dfa import ProductDfa
from .steps import begin_walk, number_pairs, walk
from .structs import ProductWalk

_FIRST = b'"}]:,0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.+'
_LAST = b" \n\t\r{[\\"


def _preference() -> NDArray[np.uint8]:
    """Return all bytes: bytes that end things first, bytes that begin things last."""
    others = [byte for byte in range(256) if byte not in _FIRST and byte not in _LAST]
    return np.array([*_FIRST, *others, *_LAST], dtype=np.uint8)


_LISTS = ("queue", "tokens", "forks")
"""The tables of a product that walks of tokens fill."""

_Shared = dict[tuple[str, bool], NDArray[np.void]]
_shared: weakref.WeakKeyDictionary[VocabularyTables, _Shared] = weakref.WeakKeyDictionary()
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
    """The tables for walks and searches of an automaton beside a regular side.

    automaton: the automaton.
    address: address of the automaton's machine.
    product: the kernels' tables.
    dfa: the regular side.
    requests: serves the kernels' requests.
    is_inside: True for walks made while another walk waits.
    """

    def __init__(self, automaton: DocumentTables, dfa: ProductDfa, *, is_inside: bool = False) -> None:
        self.automaton, self.dfa = automaton, dfa
        self.address = automaton.machine.address
        self.product = ProductWalk()
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
        """Memory of its tables in bytes, without the tables that all walks of the vocabulary share."""
        return self.product.num_bytes - sum([self._list(name).data.nbytes for name in _LISTS])

    def requests_with(self, handlers: Mapping[int, Handler]) -> Requests:
        """Like `requests`, for kernels with further kinds of requests."""
        known: dict[int, Handler] = {asking.ROW: lambda asked: self.dfa.build_row(asked.state), **handlers}
        automaton = self.automaton
        return Requests(
            self.product.request, lambda asked: known[asked.kind](asked), automaton.limits, automaton=automaton.requests
        )

    def _list(self, name: str) -> Table[Any]:
        table: Table[Any] = getattr(self.product, name)
        return table

    def numbers_of(self, states: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the numbers of the pairs of the walk's current configuration with each q of `states`."""
        numbers = np.empty(len(states), dtype=np.int32)
        number_pairs(self.product.address, states, numbers)
        return numbers

    def pairs(self) -> NDArray[np.void]:
        """Return the pairs of the last walk as rows of `Pair`, valid until the next walk."""
        return self.product.pairs.in_use

    def reached(
        self, node: int, pair: tuple[int, int, int], requests: Requests | None = None, classes: int = 0
    ) -> Reached:
        """Walk the tokens under a node of the trie from a pair (code, stack, q) there.

        requests: serves the walk's requests; None: the usual ones.
        classes: see `begin_walk`.
        """
        address, product = self.product.address, self.product
        begin_walk(address, node, *pair, classes)
        (requests or self.requests).run(lambda: walk(self.address, address))
        tokens = product.tokens.in_use
        return Reached(self.pairs().tolist(), tokens["node"].copy(), tokens["pair"].copy(), product.forks.in_use.copy())

    def from_branches(
        self, starts: Iterable[Branch], q: int, requests: Requests | None = None
    ) -> Iterator[tuple[Branch, Reached]]:
        """Walk all tokens from some branches and a state of the regular side.

        Yields each branch with the result of its walk, also branches that begin inside tokens.
        """
        waiting = [(0, branch, q) for branch in starts]
        seen = set(waiting)
        for node, branch, q in waiting:
            checkpoint()
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
    """Return the error of a search that exceeded its budget."""
    detail = "looking for a text that all of the grammars allow"
    return LimitExceededError("max_automaton_states", max_pairs, "states", detail)
