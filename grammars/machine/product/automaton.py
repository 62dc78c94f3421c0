"""`ProductAutomaton`: a grammar's automaton and the DFA of a regular language (the regular side), run in step.

A configuration is a pair: a configuration of the grammar's automaton, and a state of the regular side. Some text
completes both of them. A mask starts from the grammar's mask. A walk of both sides keeps the tokens that lead to such
pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...bitset import pack_token_ids
from ...errors import LimitExceededError
from ...limits import Limits
from ...memory.structs import address_of
from ...regex.algebra import Language
from ...rules.network import Network
from .. import asking
from ..lexemes.automaton_lock import AutomatonLock
from ..lexemes.shares import StateShare
from ..quotes.lexemes import QuoteLexemes
from ..row_copies import copy_row
from ..rules.automaton import PushdownAutomaton
from ..rules.branches import Branch
from ..rules.tables import Documents
from ..running import RunningAutomaton
from ..tables import Mask
from ..tails import Tail, longer, whole
from ..vocabulary_tables import VocabularyTables
from . import layout as ix
from .dfa import ProductDfa
from .insides import Inside, Insides
from .liveness import Liveness
from .machines import Reached, Workspace
from .replay import can_be_written
from .steps import allow

Row = NDArray[np.int32]

State = tuple[int, int]
"""A configuration of the grammar's automaton, and a state of the regular side (q)."""

_ALLOWED = {ix.CLEAN: 1, ix.CAPTURING: 1, ix.DOUBTFUL: 2, ix.LOST: 0}
"""Answer for a pair -> treatment of its tokens: 1 allowed, 2 to be tried out, 0 not allowed."""


class ProductAutomaton(RunningAutomaton[State]):
    """A grammar and a regular language in step; see `RunningAutomaton`.

    is_empty: True if no text belongs to both sides.
    language: language of the regular side.
    """

    names_tokens: ClassVar[bool] = True

    def __init__(
        self,
        network: Network,
        language: Language,
        vocabulary_tables: VocabularyTables,
        documents: Documents,
        limits: Limits,
        quotes: QuoteLexemes | None = None,
    ) -> None:
        self.vocabulary_tables = vocabulary_tables
        self.lock = AutomatonLock(vocabulary_tables.lock, StateShare(vocabulary_tables.lazy_dfas))
        self.limits = limits
        self.language = language
        with self.lock:
            self.rules = PushdownAutomaton(network, vocabulary_tables, documents, limits, quotes, is_alone=False)
            self.dfa = self._dfa = ProductDfa(language, vocabulary_tables.lazy_dfas, limits.max_automaton_states)
            self._workspace = workspace = Workspace(self.rules, self._dfa)
            self._taken: list[tuple[Inside, NDArray[np.int32]]] = []  # every `Inside` of the walk, and its pairs
            self._insides = Insides(workspace)
            self._requests = workspace.requests_with(
                {asking.BYTE_CLASSES: lambda asked: self._take_inside(asked.byte_classes)}
            )
            self._live = Liveness(self.rules, self._workspace, limits.max_automaton_states)
            self._rows: list[Row] = []
            vocabulary = vocabulary_tables.vocabulary
            self._ends = pack_token_ids(sorted(vocabulary.eos_token_ids), vocabulary.size)
            super().__init__((self.rules.ended, 0))
            self.start = self.config((self.rules.start, self._dfa.start))
            self.is_empty = not self._is_live(self.rules.start, self._dfa.start, whole(b""))

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes, without the vocabulary tables."""
        rows = sum([row.nbytes for row in self._rows])
        tables = self._workspace.num_bytes + self._live.num_bytes + self._insides.num_bytes
        return self.rules.num_bytes + rows + tables + self.bytes_of_configs

    @property
    def is_worn(self) -> bool:
        """True if new matchers should get a new automaton."""
        return self.rules.is_worn or self.lock.is_lost

    def is_complete_at(self, config: int) -> bool:
        """Return True if the text may end at a configuration."""
        left, q = self.states_at[config]
        return self.rules.is_complete_at(left) and self._dfa.accepts(q)

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
            end = None if end is None else self._dfa.step(end, item)
        return end is not None and self._dfa.accepts(end)

    def located(self, error: LimitExceededError, configs: list[int], token_ids: list[int]) -> LimitExceededError:
        """Return the error with the place in the text added."""
        return self.rules.located(error, [self.left_of(config) for config in configs], token_ids)

    def _make_mask(self, state: State) -> tuple[Mask, tuple[int, ...]]:
        left, q = state
        with self._requests.watch():
            mask = self.rules.make_mask(left)
            found, doubtful = self._walk_all(self.rules.branches_at(left), q)
        row = self._new_row()
        copy_row(row.reshape(1, -1), 0, *mask, 32 * len(row))
        row &= found
        if self.rules.is_complete_at(left) and self._dfa.accepts(q):
            row |= self._ends
        verify = {*self.rules.verify.get(left, ()), *doubtful}
        return (address_of(row), 0, 0), tuple(sorted(verify))

    def _step(self, state: State, token_id: int, tail: Tail) -> tuple[State | None, bool]:
        left, q = self.rules.follow(state[0], token_id, tail), self._live.relations.token_end(token_id, state[1])
        if left is None or q is None:
            return None, True
        token = self.vocabulary_tables.token_bytes(token_id) if self.vocabulary_tables.has_text(token_id) else b""
        if not self._is_live(left, q, longer(tail, token)):
            return None, True
        is_known = self.rules.known_after(state[0], token_id) == left
        return (left, q), is_known and not self._depends_on_text(left, q)

    def _only_byte(self, state: State) -> int | None:
        return -1 if any(map(self.rules.branches.tokens_by_id, self.rules.branches_at(state[0]))) else None

    def _possible_bytes(self, state: State) -> Iterable[int]:
        for first, end, _ in self._dfa.runs(state[1]):
            yield from range(first, end)

    def _is_live(self, left: int, q: int, tail: Tail) -> bool:
        """Return True if some text completes a configuration. tail: end of the text before it."""
        doubtful = []
        for branch in self.rules.branches_at(left):
            known = self._live.of_branch(branch, q)
            if known < ix.DOUBTFUL:
                return True
            if known == ix.DOUBTFUL:
                doubtful.append(branch)
        if not doubtful:
            return False
        with self._requests.watch():
            return any(can_be_written(self.rules, self._live, self._dfa, branch, q, tail) for branch in doubtful)

    def _depends_on_text(self, left: int, q: int) -> bool:
        """Return True if the answer for a configuration holds only for one text."""
        known = [self._live.of_branch(branch, q) for branch in self.rules.branches_at(left)]
        return min(known) >= ix.DOUBTFUL

    def _walk_all(self, branches: Sequence[Branch], q: int) -> tuple[Row, set[int]]:
        """Return the tokens that lead to a live branch, int32 (W,), and the tokens that must be tried out."""
        row, doubtful = np.zeros((2, self.vocabulary_tables.num_words), dtype=np.int32)
        self._taken.clear()
        for branch, reached in self._workspace.from_branches(branches, q, self._requests):
            known = self._live.of_walk(branch, reached.pairs)
            for number, (_, _, _, capture) in enumerate(reached.pairs):
                if capture and known[number] != ix.LOST:
                    is_sure = known[number] == ix.CLEAN and capture != ix.SEVERAL
                    known[number] = ix.CLEAN if is_sure else ix.DOUBTFUL
            live = np.array([_ALLOWED[each] for each in known], dtype=np.uint8)
            self._allow(row, reached, live == 1)
            if 2 in live:
                self._allow(doubtful, reached, live == 2)
            self._taken.clear()
        by_id = set[int]().union(*[self.rules.branches.tokens_by_id(branch) for branch in branches])
        found = np.flatnonzero(np.unpackbits(doubtful.view(np.uint8), bitorder="little"))
        return row, by_id.union(found.tolist())

    def _allow(self, row: Row, reached: Reached, wanted: NDArray[np.bool_]) -> None:
        """Set the tokens of the last walk that lead to the wanted pairs."""
        allow(self.vocabulary_tables.tables.address, address_of(row), reached.nodes[wanted[reached.pairs_of]])
        for inside, numbers in self._taken:
            row |= np.bitwise_or.reduce(inside.rows[wanted[numbers]], axis=0, initial=0)

    def _take_inside(self, byte_classes: int) -> None:
        """Give the walk the `Inside` of the entry at its head, and keep that with the numbers of its pairs."""
        product = self._workspace.product
        entry = product.queue[product.head]
        inside = self._insides.find(byte_classes, entry.q, entry.node)
        if inside is None:
            product.inside = ix.NO_INSIDE
            return
        numbers = self._workspace.numbers_of(inside.states)
        product.inside, product.exits = ix.TAKEN, inside.exits
        self._taken.append((inside, numbers))

    def _new_row(self) -> Row:
        """Return a row that never moves."""
        row = np.zeros(self.vocabulary_tables.num_words, dtype=np.int32)
        self._rows.append(row)
        return row
