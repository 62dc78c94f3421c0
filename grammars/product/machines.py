"""What the searches and walks of a product share: tables, and what serves their kernels."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..automaton import asking
from ..automaton.machine import Machine
from ..automaton.requests import Handler, Requests
from ..automaton.vocabulary_tables import VocabularyTables
from ..errors import LimitExceededError
from ..limits import Limits
from ..memory.structs import Table
from ..regex.algebra import Language
from .dfa import Dfa
from .steps import number_pairs
from .structs import Product

_FIRST = b'"}]:,0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.+'
_LAST = b" \n\t\r{[\\"


def _preference() -> NDArray[np.uint8]:
    """The bytes, those that end things first, those that begin things last."""
    others = [byte for byte in range(256) if byte not in _FIRST and byte not in _LAST]
    return np.array([*_FIRST, *others, *_LAST], dtype=np.uint8)


_LISTS = ("queue", "tokens", "forks")
"""The tables of a product that walks of tokens fill."""

_shared: weakref.WeakKeyDictionary[VocabularyTables, dict[str, NDArray[np.void]]] = weakref.WeakKeyDictionary()
"""Those of one vocabulary. All its walks use them, under its lock. They have room for each node of the vocabulary's
trie, and take memory where something was written."""


class Workspace:
    """What all walks and searches of one product use: `product`, its tables; `dfa`, its regular side."""

    def __init__(self, language: Language | None, vocabulary_tables: VocabularyTables, limits: Limits) -> None:
        self.limits = limits
        self.product = Product()
        self.dfa = Dfa(language, vocabulary_tables.lazy_dfas, limits.max_automaton_states)
        self.preference = _preference()
        self.product.preference = self.preference
        self.product.pairs.ensure(512)
        shared = _shared.setdefault(vocabulary_tables, {})
        for name in _LISTS:
            table = self._list(name)
            if name not in shared:
                shared[name] = np.zeros(len(vocabulary_tables.trie.byte) + 1, table.dtype)
            table.replace(shared[name])

    @property
    def num_bytes(self) -> int:
        """Memory of its tables, without what all walks of the vocabulary tables share."""
        return self.product.num_bytes - sum([self._list(name).data.nbytes for name in _LISTS])

    def requests(self, handlers: Mapping[int, Handler] | None = None, automaton: Requests | None = None) -> Requests:
        """What serves kernels that run the regular side, and an automaton beside it.

        handlers: of what else they ask for.
        """
        known: dict[int, Handler] = {asking.ROW: lambda asked: self.dfa.build_row(asked.state), **(handlers or {})}
        return Requests(self.product.request, known, self.limits, automaton=automaton)

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

    def tokens(self) -> NDArray[np.void]:
        """The nodes whose tokens the last walk found, with their pairs: rows of `Arrival`, valid until the next one."""
        return self.product.tokens.in_use

    def forks(self) -> NDArray[np.void]:
        """The nodes with forks of the last walk, with their pairs: rows of `Arrival`, valid until the next one."""
        return self.product.forks.in_use


class Served(Protocol):
    """An automaton whose kernels wait for things."""

    @property
    def machine(self) -> Machine: ...

    @property
    def has_guards(self) -> bool: ...

    @property
    def requests(self) -> Requests: ...


class RunMachine:
    """An automaton beside a regular side.

    address: of its machine. requests: serves kernels that run both in step.
    """

    def __init__(self, automaton: Served, workspace: Workspace) -> None:
        self.automaton = automaton
        self.address = automaton.machine.address
        self.requests = workspace.requests(automaton=automaton.requests)
        self._workspace = workspace

    def requests_with(self, handlers: Mapping[int, Handler]) -> Requests:
        """As `requests`, for kernels that ask for more."""
        return self._workspace.requests(handlers, self.automaton.requests)


def undecided(max_pairs: int) -> LimitExceededError:
    """The error of a search that did not come to an end."""
    detail = "looking for a text that all of the grammars allow"
    return LimitExceededError("max_automaton_states", max_pairs, "states", detail)
