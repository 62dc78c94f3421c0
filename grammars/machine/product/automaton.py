"""`ProductAutomaton`: a grammar's automaton and the DFA of a regular language (the regular side), run in step.

A configuration is a pair: a configuration of the grammar's automaton, and a state of the regular side. Some text
completes both of them. A walk of both sides finds a mask's tokens: each leads to such a pair. The grammar has no JSON
documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitExceededError
from ...limits import Limits
from ...memory.structs import address_of
from ...regex.algebra import Language
from ...rules.network import Network
from ..lexemes.automaton_lock import AutomatonLock
from ..lexemes.shares import StateShare
from ..quotes.lexemes import QuoteLexemes
from ..rules.automaton import PushdownAutomaton
from ..rules.branches import Branch
from ..running import RunningAutomaton
from ..tables import Mask
from ..tails import Tail
from ..vocabulary_tables import VocabularyTables
from .dfa import ProductDfa
from .liveness import Liveness
from .machines import Workspace
from .steps import allow

Row = NDArray[np.int32]

State = tuple[int, int]
"""A configuration of the grammar's automaton, and a state of the regular side (q)."""


class ProductAutomaton(RunningAutomaton[State]):
    """A grammar and a regular language in step; see `RunningAutomaton`.

    is_empty: True if no text belongs to both sides.
    rules, dfa: the two sides.
    """

    names_tokens: ClassVar[bool] = True

    def __init__(
        self,
        network: Network,
        language: Language,
        vocabulary_tables: VocabularyTables,
        limits: Limits,
        quotes: QuoteLexemes | None = None,
    ) -> None:
        self.vocabulary_tables = vocabulary_tables
        self.lock = AutomatonLock(vocabulary_tables.lock, StateShare(vocabulary_tables.lazy_dfas))
        self.limits = limits
        with self.lock:
            self.rules = PushdownAutomaton(network, vocabulary_tables, {}, limits, quotes, is_alone=False)
            self.dfa = ProductDfa(language, vocabulary_tables.lazy_dfas, limits.max_automaton_states)
            self._workspace = Workspace(self.rules, self.dfa)
            self._live = Liveness(self.rules, self.dfa)
            self._rows: list[Row] = []
            self._ends = vocabulary_tables.vocabulary.end_row
            super().__init__((self.rules.ended, 0))
            self.start = self.config((self.rules.start, self.dfa.start))
            self.is_empty = not self._is_live(self.rules.start, self.dfa.start)

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes, without the vocabulary tables."""
        rows = sum([row.nbytes for row in self._rows])
        return self.rules.num_bytes + rows + self._workspace.num_bytes + self.bytes_of_configs

    @property
    def is_worn(self) -> bool:
        """True if new matchers should get a new automaton."""
        return self.rules.is_worn or self.lock.is_lost

    def is_complete_at(self, config: int) -> bool:
        """Return True if the text may end at a configuration."""
        left, q = self.states_at[config]
        return self.rules.is_complete_at(left) and self.dfa.accepts(q)

    def quote_continuation(self, config: int, most: int) -> bytes:
        """Return how a source text goes on at a configuration; the regular side may refuse a part of it."""
        return self.rules.quote_continuation(self.left_of(config), most)

    def left_of(self, config: int) -> int:
        """Return the configuration of the grammar alone."""
        return self.states_at[config][0]

    def takes(self, q: int, items: Sequence[bytes | int]) -> bool:
        """Return True if the regular side may end after some texts and token ids, from its state q on."""
        end: int | None = q
        for item in items:
            if isinstance(item, int):
                item = self.vocabulary_tables.token_bytes(item) if self.vocabulary_tables.has_text(item) else b""
            end = None if end is None else self.dfa.step(end, item)
        return end is not None and self.dfa.accepts(end)

    def located(self, error: LimitExceededError, configs: list[int], token_ids: list[int]) -> LimitExceededError:
        """Return the error with the place in the text added."""
        return self.rules.located(error, [self.left_of(config) for config in configs], token_ids)

    def _make_mask(self, state: State) -> tuple[Mask, tuple[int, ...]]:
        left, q = state
        branches, row = self.rules.branches_at(left), np.zeros(self.vocabulary_tables.num_words, dtype=np.int32)
        with self._workspace.requests.watch():
            for reached in self._workspace.from_branches(branches, q):
                live = [self._is_live_at(Branch(code, stack), end) for code, stack, end, _ in reached.pairs]
                nodes = reached.nodes[np.array(live, dtype=np.bool_)[reached.pairs_of]]
                allow(self.vocabulary_tables.tables.address, address_of(row), nodes)
        if self.rules.is_complete_at(left) and self.dfa.accepts(q):
            row |= self._ends
        self._rows.append(row)  # masks hold it by address
        by_id = set[int]().union(*map(self.rules.branches.tokens_by_id, branches))
        return (address_of(row), 0, 0), tuple(sorted(by_id))

    def _step(self, state: State, token_id: int, tail: Tail) -> tuple[State | None, bool]:
        left, q = self.rules.follow(state[0], token_id, tail), self._live.relations.token_end(token_id, state[1])
        if left is None or q is None or not self._is_live(left, q):
            return None, True
        return (left, q), self.rules.known_after(state[0], token_id) == left

    def _only_byte(self, state: State) -> int | None:
        return -1 if any(map(self.rules.branches.tokens_by_id, self.rules.branches_at(state[0]))) else None

    def _possible_bytes(self, state: State) -> Iterable[int]:
        for first, end, _ in self.dfa.runs(state[1]):
            yield from range(first, end)

    def _is_live(self, left: int, q: int) -> bool:
        """Return True if some text completes a configuration."""
        return any(self._is_live_at(branch, q) for branch in self.rules.branches_at(left))

    def _is_live_at(self, branch: Branch, q: int) -> bool:
        return self._live.of_state(branch.local_state, branch.stack, q)
