"""Compile JSON Schema and regexes with outlines-core: a table of (state, token) -> state, built ahead of time.

Use this backend for comparisons, with grammars that you trust: nothing bounds or ends the building of a table. A table
costs some 20 ns for each state and token, and 25 bytes for each pair that it holds.

outlines-core reads the schema and the regex itself. The backend refuses schemas with keywords that outlines-core skips.
docs/backends.md lists the schemas that outlines-core reads otherwise than JSON Schema does.

The backend keeps the table to the matchers' protocol:

- outlines-core matches leftmost-first, so that `a|ab` would never match `ab`; a `\\z` at the end makes it a full match.
  The automaton then has no start state for patterns that match nothing. So each pattern begins with a zero byte, and a
  matcher starts behind it.
- The table's end-of-sequence transitions lead to an id that no vocabulary has; the backend sets the real ids.
- The backend adds bytes without a token of their own under made-up ids, and prunes the states that only they reach.
"""

from __future__ import annotations

import json
import threading
import weakref
from dataclasses import dataclass

import numpy as np
import outlines_core
from outlines_core.json_schema import build_regex_from_schema

from ..bitset import Bitmask, allowed_token_ids, check_bitmask, num_words, pack_token_ids
from ..cached import cached_property
from ..errors import (
    GrammarError,
    InvalidInputError,
    NoCompletionError,
    UnsatisfiableError,
    UnsupportedGrammarError,
)
from ..forks import anew_after_fork
from ..limits import Limits
from ..protocol import CompiledGrammar, Matcher, ReportEntry, read_token_id
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .base import GrammarBackend
from .meta_schema import check_meta_schema, dialect_of
from .schema_guard import SchemaGuard
from .token_graph import TokenGraph

NUM_BYTES = 20_000_000
"""Estimated size of an index; outlines-core does not report the real one."""

_WHITESPACE = {"compact": "", "flexible": r"[ \n\r\t]*"}
_GUARD = SchemaGuard(
    "outlines_core",
    keywords=frozenset(
        (
            *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "contains"),
            *("minContains", "maxContains", "patternProperties", "propertyNames", "dependentRequired"),
            *("dependentSchemas", "dependencies", "not", "if", "then", "else", "unevaluatedItems"),
            *("unevaluatedProperties", "$dynamicRef", "$recursiveRef"),
        )
    ),
    formats=frozenset(("date", "time", "date-time")),
    skips_beside_enum=True,
)


class OutlinesCoreBackend(GrammarBackend):
    """Compiles grammars with `outlines_core.Index`."""

    name = "outlines_core"
    kinds = frozenset({"json_schema", "regex"})

    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """Compile a grammar. Raises `GuidedError` subclasses for all that outlines-core can't enforce exactly."""
        index = _build_index(_pattern_of(spec, limits), table := _token_table(vocabulary))
        report = (ReportEntry("", spec.kind, "as outlines-core reads it"),)
        return OutlinesCoreGrammar(spec, vocabulary, report, index, table)


def _pattern_of(spec: GrammarSpec, limits: Limits) -> str:
    """Write the grammar as a regex of Rust's."""
    if spec.kind == "regex":
        return spec.source
    if spec.property_order != "schema":
        raise UnsupportedGrammarError(f"outlines_core writes keys in schema order only, not {spec.property_order!r}")
    if spec.resources:
        raise UnsupportedGrammarError("outlines_core takes no resources; the native backend does")
    if spec.whitespace == "spaced":
        raise UnsupportedGrammarError("outlines_core takes whitespace='compact', 'flexible' or a regex, not 'spaced'")
    schema = json.loads(spec.source)
    check_meta_schema(schema, dialect_of(schema), limits)
    _GUARD.check(schema)
    try:
        pattern: str = build_regex_from_schema(spec.source, _WHITESPACE.get(spec.whitespace, spec.whitespace))
    except ValueError as error:
        reason = str(error).partition("\n")[0].strip()
        raise GrammarError(f"outlines-core does not take this schema: {reason}") from error
    return pattern


def _build_index(pattern: str, table: _TokenTable) -> outlines_core.Index:
    try:
        return outlines_core.Index(rf"\x00(?:{pattern})\z", table.outlines)
    except BaseException as error:  # a Rust panic arrives as a BaseException
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise GrammarError(f"outlines-core can't build this grammar: {error}") from error
        raise


@dataclass(frozen=True)
class _TokenTable:
    """A vocabulary in outlines-core's form.

    byte_ids: shape (256,); for each byte an id that stands for it alone. Ids from the vocabulary's size on are made up.
    spells_all: True if every byte of UTF-8 is a token, so that tokens can spell the end from any place of a grammar.
    """

    outlines: outlines_core.Vocabulary
    byte_ids: tuple[int, ...]
    spells_all: bool


_tables: weakref.WeakKeyDictionary[Vocabulary, _TokenTable] = weakref.WeakKeyDictionary()
_tables_lock = anew_after_fork(threading.Lock())


def _token_table(vocabulary: Vocabulary) -> _TokenTable:
    """Return the vocabulary's table. The cache keeps each table as long as its vocabulary."""
    with _tables_lock:
        if vocabulary not in _tables:
            _tables[vocabulary] = _make_token_table(vocabulary)
        return _tables[vocabulary]


def _make_token_table(vocabulary: Vocabulary) -> _TokenTable:
    ids_of: dict[bytes, list[int]] = {}
    for token_id, token in enumerate(vocabulary.tokens):
        if token:
            ids_of.setdefault(token, []).append(token_id)
    missing = [byte for byte in range(256) if bytes([byte]) not in ids_of]
    for byte in missing:
        ids_of[bytes([byte])] = [vocabulary.size + byte]
    byte_ids = tuple(ids_of[bytes([byte])][0] for byte in range(256))
    made_up_eos = vocabulary.size + 256
    return _TokenTable(outlines_core.Vocabulary(made_up_eos, ids_of), byte_ids, not vocabulary.missing_bytes)


class OutlinesCoreGrammar(CompiledGrammar):
    """An index, with the mask rows and forced bytes of its states. Each row and byte is computed once, on first use.

    The caches are valid as long as the grammar. Two threads may compute the same entry, with the same result.
    """

    def __init__(
        self,
        spec: GrammarSpec,
        vocabulary: Vocabulary,
        report: tuple[ReportEntry, ...],
        index: outlines_core.Index,
        table: _TokenTable,
    ) -> None:
        super().__init__(spec, vocabulary, report)
        self._index = index
        self._byte_ids = table.byte_ids
        self.start_state: int = index.get_next_state(index.get_initial_state(), table.byte_ids[0])
        self._live = None if table.spells_all else self._live_states()
        self._rows: dict[int, Bitmask] = {}
        self._forced_bytes: dict[int, int | None] = {}
        if self._live is not None and self.start_state not in self._live:
            raise UnsatisfiableError("the vocabulary's tokens can't spell any text of this grammar")

    @property
    def num_bytes(self) -> int:
        """Return the estimated bytes of the index and the mask rows so far."""
        return NUM_BYTES + len(self._rows) * num_words(self.vocabulary.size) * 4

    def matcher(self) -> Matcher:
        """Return a new matcher at the start of a text."""
        return OutlinesCoreMatcher(self)

    def is_final(self, state: int) -> bool:
        """True if the text is complete in this state."""
        return bool(self._index.is_final_state(state))

    def next_state(self, state: int, token_id: int) -> int | None:
        """Return the state after a token of the vocabulary; None when the token is not allowed."""
        state_after: int | None = self._index.get_next_state(state, token_id)
        return state_after if self._live is None or state_after in self._live else None

    def next_state_of_byte(self, state: int, byte: int) -> int | None:
        """Return the state after one byte, whether or not the byte is a token; None when no text continues with it."""
        state_after: int | None = self._index.get_next_state(state, self._byte_ids[byte])
        return state_after

    def mask_row(self, state: int) -> Bitmask:
        """Return the read-only mask row of a state: int32, shape (W,)."""
        row = self._rows.get(state)
        if row is None:
            row = self._rows[state] = self._make_row(state)
        return row

    def forced_byte(self, state: int) -> int | None:
        """Return the byte that every continuation starts with; None when there is a choice or the text may end here."""
        if state not in self._forced_bytes:
            following = [byte for byte in range(256) if self.next_state_of_byte(state, byte) is not None]
            self._forced_bytes[state] = following[0] if len(following) == 1 and not self.is_final(state) else None
        return self._forced_bytes[state]

    @cached_property
    def token_graph(self) -> TokenGraph[int]:
        """Return the distances from each state to the end. The first call walks through the whole index."""
        transitions: dict[int, dict[int, int]] = self._index.get_transitions()
        return TokenGraph(
            self.start_state, lambda state: transitions.get(state, {}), self.is_final, self.vocabulary.size
        )

    def _make_row(self, state: int) -> Bitmask:
        token_ids = np.array(self._index.get_allowed_tokens(state), dtype=np.int64)
        token_ids = token_ids[token_ids < self.vocabulary.size]
        if self._live is not None:
            token_ids = token_ids[[self.next_state(state, int(token_id)) is not None for token_id in token_ids]]
        ends = sorted(self.vocabulary.eos_token_ids) if self.is_final(state) else []
        row = pack_token_ids(np.concatenate([token_ids, np.array(ends, dtype=np.int64)]), self.vocabulary.size)
        row.flags.writeable = False
        return row

    def _live_states(self) -> frozenset[int]:
        """Return the states from where tokens of the vocabulary can spell a complete text."""
        before: dict[int, set[int]] = {}
        for state, transitions in self._index.get_transitions().items():
            for token_id, state_after in transitions.items():
                if token_id < self.vocabulary.size:
                    before.setdefault(state_after, set()).add(state)
        live = set(self._index.get_final_states())
        pending = list(live)
        while pending:
            for state in before.get(pending.pop(), ()):
                if state not in live:
                    live.add(state)
                    pending.append(state)
        return frozenset(live)


class OutlinesCoreMatcher(Matcher):
    """Matches one text: keeps the state of the index and the states before it."""

    def __init__(self, grammar: OutlinesCoreGrammar) -> None:
        self.grammar = grammar
        self._state = grammar.start_state
        self._history: list[int] = []
        self._is_terminated = False

    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        """Write the allowed tokens into a row of the bitmask: all 0 after the end of the text."""
        check_bitmask(bitmask, row, self.grammar.vocabulary.size)
        bitmask[row] = 0 if self._is_terminated else self.grammar.mask_row(self._state)

    def accept_token(self, token_id: int) -> bool:
        """Take a token; False when the token is not allowed."""
        vocabulary, token_id = self.grammar.vocabulary, read_token_id(token_id)
        if self._is_terminated or not 0 <= token_id < vocabulary.size:
            return False
        if token_id in vocabulary.eos_token_ids:
            if not self.is_accepting():
                return False
            self._history.append(self._state)
            self._is_terminated = True
            return True
        state_after = self.grammar.next_state(self._state, token_id)
        if state_after is None:
            return False
        self._history.append(self._state)
        self._state = state_after
        return True

    def is_accepting(self) -> bool:
        """True if the text may end here."""
        return not self._is_terminated and self.grammar.is_final(self._state)

    def is_terminated(self) -> bool:
        """True if the text has ended with an end token."""
        return self._is_terminated

    def rollback(self, num_tokens: int) -> None:
        """Take back the last tokens. Raises InvalidInputError when fewer were accepted."""
        if not 0 <= num_tokens <= len(self._history):
            raise InvalidInputError(f"can't take back {num_tokens} tokens; {len(self._history)} were accepted")
        if num_tokens == 0:
            return
        self._state = self._history[-num_tokens]
        del self._history[-num_tokens:]
        self._is_terminated = False

    def fork(self) -> OutlinesCoreMatcher:
        """Return an independent copy."""
        twin = OutlinesCoreMatcher(self.grammar)
        twin._state, twin._is_terminated, twin._history = self._state, self._is_terminated, self._history.copy()
        return twin

    def reset(self) -> None:
        """Go back to the start of the text."""
        self._state = self.grammar.start_state
        self._history = []
        self._is_terminated = False

    def find_jump_forward_bytes(self) -> bytes:
        """Return the bytes that every continuation starts with."""
        forced = bytearray()
        state: int | None = None if self._is_terminated else self._state
        while state is not None and (byte := self.grammar.forced_byte(state)) is not None:
            forced.append(byte)
            state = self.grammar.next_state_of_byte(state, byte)
        return bytes(forced)

    def find_jump_forward_tokens(self) -> list[int]:
        """Return the tokens that are the only allowed ones, one after the other."""
        scout = self.fork()
        forced: list[int] = []
        while (token_id := scout._only_token()) is not None:
            scout.accept_token(token_id)
            forced.append(token_id)
        return forced

    def find_shortest_completion(self, *, thorough: bool = False) -> list[int]:
        """Return the shortest completion. Raises NoCompletionError when no tokens complete the text."""
        if self._is_terminated:
            return []
        found = self.grammar.token_graph.completion(self._state)
        if found is None:
            raise NoCompletionError("no tokens of the vocabulary complete the text")
        return found

    def restrict_to_budget(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Clear the tokens that would not leave enough of the budget to finish; True if any was cleared."""
        size = self.grammar.vocabulary.size
        check_bitmask(bitmask, row, size)
        if self._is_terminated:
            return False
        return self.grammar.token_graph.restrict(bitmask[row], self._state, tokens_left - 1)

    def _only_token(self) -> int | None:
        """Return the only allowed token; None when none or several are allowed."""
        if self._is_terminated:
            return None
        token_ids = allowed_token_ids(self.grammar.mask_row(self._state), self.grammar.vocabulary.size)
        return int(token_ids[0]) if len(token_ids) == 1 else None
