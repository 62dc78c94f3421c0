"""`ProductAutomaton`: a grammar's automaton and the regular side, run in step.

A configuration is a configuration of the grammar's automaton with a state of the regular side, from which a text can be
completed in both. A mask is what the grammar allows, of which a walk of both keeps the tokens that lead to such
configurations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..automaton import asking
from ..automaton.automaton import Config, Tail
from ..automaton.interiors import copy_row
from ..automaton.turnstile import Turnstile
from ..automaton.vocabulary_tables import VocabularyTables
from ..limits import Limits
from ..memory.structs import address_of
from ..pushdown.automaton import TOKEN_BITS, PushdownAutomaton
from ..pushdown.branches import Branch
from ..pushdown.documents import EmbeddedAutomaton
from ..regex.algebra import Language
from ..rules.network import Network
from ..spec import GrammarSpec
from . import layout as ix
from .insides import Inside, Insides
from .liveness import Liveness
from .machines import Workspace
from .replay import can_be_written
from .steps import allow, begin_walk, walk

Row = NDArray[np.int32]
_CONFIG_BYTES = 400

_ALLOWED = {ix.CLEAN: 1, ix.CAPTURING: 1, ix.DOUBTFUL: 2, ix.LOST: 0}
"""What `allow` is told of pairs; 2: their tokens are tried out."""


class ProductConfig(Config):
    """A configuration of the grammar's automaton (`config`) with the regular side's state (`q`). Interned."""

    __slots__ = ("config", "q")

    def __init__(self, config: int, q: int, is_complete: bool) -> None:
        super().__init__(0, 0, is_complete)
        self.config, self.q = config, q


class ProductAutomaton:
    """See `RunningAutomaton`. `is_empty`: no text belongs to both sides."""

    def __init__(
        self,
        network: Network,
        language: Language,
        vocabulary_tables: VocabularyTables,
        documents: Mapping[GrammarSpec, EmbeddedAutomaton],
        limits: Limits,
    ) -> None:
        self.vocabulary_tables = vocabulary_tables
        self.lock = Turnstile(vocabulary_tables.lock)
        self.limits = limits
        with self.lock:
            self.rules = PushdownAutomaton(network, vocabulary_tables, documents, limits)
            self._workspace = Workspace(language, vocabulary_tables, limits)
            self._product = self._workspace.product
            self._dfa = self._workspace.dfa
            self._insides = Insides(vocabulary_tables, self._workspace)
            self._live = Liveness(self.rules, self._workspace, limits.max_automaton_states)
            self._configs: dict[tuple[int, int], ProductConfig] = {}
            self._rows: list[Row] = []
            self._ends = _row_of(sorted(vocabulary_tables.vocabulary.eos_token_ids), vocabulary_tables.num_words)
            self.start = self._config_of_state(self.rules.start, self._dfa.start)
            self.ended = ProductConfig(self.rules.ended, 0, False)
            self.ended.base = vocabulary_tables.zero_row
            self.is_empty = not self._is_live(self.rules.start, self._dfa.start, lambda _: (b"", True))

    @property
    def has_guards(self) -> bool:
        """True when tokens must be tried out that depend on the text before."""
        return self.rules.has_guards

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the vocabulary tables'."""
        rows = sum([row.nbytes for row in self._rows])
        tables = self._workspace.num_bytes + self._live.num_bytes + self._insides.num_bytes
        return self.rules.num_bytes + rows + tables + _CONFIG_BYTES * len(self._configs)

    @property
    def is_worn(self) -> bool:
        """True when new matchers should have a new automaton."""
        return self.rules.is_worn

    def left_of(self, config: Config) -> int:
        """The configuration of the grammar alone."""
        return _product_config(config).config

    def right_of(self, config: Config) -> int:
        """The state of the regular side alone."""
        return _product_config(config).q

    def takes(self, config: Config, items: Sequence[bytes | int]) -> bool:
        """True when the regular side may end after some texts and tokens, from a configuration on."""
        return self.takes_from(_product_config(config).q, items)

    def bytes_at(self, config: Config) -> Iterator[int]:
        """The bytes that the regular side goes on with."""
        return self._bytes_of(_product_config(config).q)

    def takes_from(self, q: int, items: Sequence[bytes | int]) -> bool:
        """As `takes`, from a state of the regular side on."""
        end: int | None = q
        for item in items:
            if isinstance(item, int):
                item = self.vocabulary_tables.token_bytes(item) if self.vocabulary_tables.has_text(item) else b""
            end = None if end is None else self._dfa.step(end, item)
        return end is not None and self._dfa.accepts(end)

    def make_mask(self, config: Config) -> None:
        """Fill in a configuration's mask."""
        config = _product_config(config)
        with self.lock:
            if config.base:
                return
            left = config.config
            mask = self.rules.make_mask(left)
            found, doubtful = self._walk_all(self.rules.branches_at(left), config.q)
            row = self._new_row()
            copy_row(row.reshape(1, -1), 0, *mask, 32 * len(row))
            row &= found
            if config.is_complete:
                row |= self._ends
            verify = {*self.rules.verify.get(left, ()), *doubtful}
            config.verify = tuple(sorted(verify))
            config.base = address_of(row)

    def follow(self, config: Config, token_id: int, tail: Tail) -> ProductConfig | None:
        """The configuration after a token; None when it is not allowed."""
        config = _product_config(config)
        with self.lock:
            left = self.rules.follow(config.config, token_id, tail)
            q = self._live.token_end(token_id, config.q)
            if left is None or q is None:
                return None

            def tail_after(length: int) -> tuple[bytes, bool]:
                text, is_all = tail(length)
                return text + token, is_all

            token = self.vocabulary_tables.token_bytes(token_id) if self.vocabulary_tables.has_text(token_id) else b""
            if not self._is_live(left, q, tail_after):
                return None
            following = self._config_of_state(left, q)
            is_known = self.rules.steps.get(config.config << TOKEN_BITS | token_id) == left
            is_byte = token_id >= self.vocabulary_tables.vocabulary.size
            if is_known and not is_byte and not self._depends_on_text(left, q):
                config.note(token_id, following)
            return following

    def is_allowed(self, config: Config, token_id: int, tail: Tail) -> bool:
        """True when a token (of text) may come."""
        return self.follow(config, token_id, tail) is not None

    def keeps_guards(self, following: Config, token_id: int, tail: Tail) -> bool:
        """True: `follow` has looked at everything."""
        return True

    def uncertain_tokens(self, config: Config, tail: Tail) -> Iterable[int]:
        """The tokens of a configuration that must be tried out in spite of its mask."""
        config = _product_config(config)
        if not self.rules.has_guards:
            return config.verify
        return {*config.verify, *self.rules.uncertain_tokens(config.config, tail)}

    def forced_byte(self, config: Config, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        config = _product_config(config)
        if config.is_complete or config is self.ended:
            return None
        if any(self.rules.tokens_by_id(branch) for branch in self.rules.branches_at(config.config)):
            return None
        size, found = self.vocabulary_tables.vocabulary.size, -1
        for byte in self._bytes_of(config.q):
            if self.follow(config, size + byte, tail) is not None:
                if found >= 0:
                    return None
                found = byte
        return found if found >= 0 else None

    def _bytes_of(self, q: int) -> Iterator[int]:
        for first, end, _ in self._dfa.runs(q):
            yield from range(first, end)

    def _config_of_state(self, left: int, q: int) -> ProductConfig:
        config = self._configs.get((left, q))
        if config is None:
            config = self._configs[left, q] = ProductConfig(
                left, q, self.rules.is_complete_at(left) and self._dfa.accepts(q)
            )
        return config

    def _is_live(self, left: int, q: int, tail: Tail) -> bool:
        """Whether a text can be completed from a configuration. tail: of the text before it."""
        doubtful = []
        for branch in self.rules.branches_at(left):
            known = self._live.of_branch(branch, q)
            if known < ix.DOUBTFUL:
                return True
            if known == ix.DOUBTFUL:
                doubtful.append(branch)
        return any(can_be_written(self.rules, self._live, self._dfa, branch, q, tail) for branch in doubtful)

    def _depends_on_text(self, left: int, q: int) -> bool:
        """Whether what was found out about a configuration holds only for one text."""
        known = [self._live.of_branch(branch, q) for branch in self.rules.branches_at(left)]
        return min(known) >= ix.DOUBTFUL

    def _walk_all(self, branches: Iterable[Branch], q: int) -> tuple[Row, set[int]]:
        """The tokens after which some branch is live, int32 (W,), and those that must be tried out."""
        row = np.zeros(self.vocabulary_tables.num_words, dtype=np.int32)
        doubtful: set[int] = set()
        waiting = [(0, branch, q) for branch in branches]
        seen = set(waiting)
        for _, branch, _ in list(waiting):
            doubtful |= self.rules.tokens_by_id(branch)
        while waiting:
            for item in self._walk(row, doubtful, *waiting.pop()):
                if item not in seen:
                    seen.add(item)
                    waiting.append(item)
        return row, doubtful

    def _walk(self, row: Row, doubtful: set[int], node: int, branch: Branch, q: int) -> list[tuple[int, Branch, int]]:
        """Allow what comes under a node of the trie in a branch; the branches that begin inside of tokens."""
        workspace, product = self._workspace, self._product
        machine = self._live.machine(self.rules.running(branch))
        begin_walk(product.address, node, branch.code, branch.stack, q)
        taken: list[tuple[Inside, NDArray[np.int32]]] = []
        requests = machine.requests_with(
            {asking.BYTE_CLASSES: lambda asked: self._take_inside(asked.byte_classes, taken)}
        )
        requests.run(lambda: walk(machine.kind, machine.address, product.address))
        pairs = workspace.pairs().tolist()
        known = self._live.of_walk(branch, pairs)
        for number, (_, _, _, capture) in enumerate(pairs):
            if capture and known[number] != ix.LOST:
                is_sure = known[number] == ix.CLEAN and capture != ix.SEVERAL and not self.rules.has_guards
                known[number] = ix.CLEAN if is_sure else ix.DOUBTFUL
        live = np.array([*[_ALLOWED[each] for each in known], 0], dtype=np.uint8)
        allow(product.address, self.vocabulary_tables.tables.address, address_of(row), live)
        for inside, numbers in taken:
            row |= np.bitwise_or.reduce(inside.rows[live[numbers] == 1], axis=0, initial=0)
        if 2 in live:
            doubtful |= self._tokens_of(live == 2)
            for inside, numbers in taken:
                doubtful |= _tokens_in(inside.rows[live[numbers] == 2])
        found = []
        for below, number in workspace.events().tolist():
            code, stack, next_q, _ = pairs[number]
            found += [(below, begun, next_q) for begun in self.rules.begun_inside(branch, code, stack)]
        return found

    def _take_inside(self, byte_classes: int, taken: list[tuple[Inside, NDArray[np.int32]]]) -> None:
        """Give the walk the inside of the entry at its head, and note it with the numbers of its pairs."""
        product = self._product
        entry = product.queue[product.head]
        inside = self._insides.find(byte_classes, entry.q, entry.node)
        if inside is None:
            product.inside = ix.NO_INSIDE
            return
        numbers = self._workspace.numbers_of(inside.states)
        product.inside, product.exits = ix.TAKEN, inside.exits
        taken.append((inside, numbers))

    def _tokens_of(self, wanted: NDArray[np.bool_]) -> set[int]:
        """The tokens of the last walk that lead to some of its pairs."""
        found: set[int] = set()
        tokens = self._workspace.tokens()
        for node in tokens["node"][wanted[tokens["pair"]]].tolist():
            is_subtree = bool(node & ix.SUBTREE)
            found.update(self.vocabulary_tables.tokens_at(node & (ix.SUBTREE - 1), whole_subtree=is_subtree))
        return found

    def _new_row(self) -> Row:
        """A row that never moves."""
        row = np.zeros(self.vocabulary_tables.num_words, dtype=np.int32)
        self._rows.append(row)
        return row


def _product_config(config: Config) -> ProductConfig:
    assert isinstance(config, ProductConfig)
    return config


def _tokens_in(rows: NDArray[np.int32]) -> set[int]:
    """The tokens of some rows, int32 (., W)."""
    row = np.bitwise_or.reduce(rows, axis=0, initial=0)
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist())


def _row_of(token_ids: list[int], num_words: int) -> Row:
    row = np.zeros(num_words, dtype=np.uint32)
    for token_id in token_ids:
        row[token_id >> 5] |= np.uint32(1 << (token_id & 31))
    return row.view(np.int32)
