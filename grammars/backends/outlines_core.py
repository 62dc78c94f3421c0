"""Compile JSON Schema and regexes with outlines-core: a table of (state, token) -> state, built ahead of time.

Use this backend for comparisons, with grammars that you trust: nothing bounds or ends the building of a table. A table
costs some 20 ns for each state and token, and 25 bytes for each pair that it holds.

outlines-core reads the schema and the regex itself. The backend refuses schemas with keywords that outlines-core skips.
docs/backends.md lists the schemas that outlines-core reads otherwise than JSON Schema does.

The backend keeps the table to the matchers' protocol:

- outlines-core matches leftmost-first, so that `a|ab` would never match `ab`; a `\\z` at the end makes it a full match.
  The automaton then has no start state for patterns that match nothing. Each pattern therefore begins with a zero byte,
  and a matcher starts after this byte.
- The table's end-of-sequence transitions lead to an id that no vocabulary has; the matcher sets the real ids.
"""

from __future__ import annotations

import numpy as np
import outlines_core
from outlines_core.json_schema import build_regex_from_schema

from ..bitset import Bitmask, num_words, pack_token_ids
from ..errors import GrammarError, UnsupportedGrammarError
from ..limits import Limits
from ..protocol import CompiledGrammar, ReportEntry
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .base import GrammarBackend
from .schema_guard import SchemaGuard
from .stepping import StateGrammar, check_spells_all, per_vocabulary

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
        check_spells_all(self.name, vocabulary)
        index = _build_index(_pattern_of(spec, limits), _token_table(vocabulary))
        report = (ReportEntry("", spec.kind, "as outlines-core reads it"),)
        return OutlinesCoreGrammar(spec, vocabulary, report, index)


def _pattern_of(spec: GrammarSpec, limits: Limits) -> str:
    """Write the grammar as a regex of Rust's."""
    if spec.kind == "regex":
        return spec.source
    if spec.whitespace == "spaced":
        raise UnsupportedGrammarError("outlines_core takes whitespace='compact', 'flexible' or a regex, not 'spaced'")
    _GUARD.read(spec, limits)
    try:
        pattern: str = build_regex_from_schema(spec.source, _WHITESPACE.get(spec.whitespace, spec.whitespace))
    except ValueError as error:
        reason = str(error).partition("\n")[0].strip()
        raise GrammarError(f"outlines-core does not take this schema: {reason}") from error
    return pattern


def _build_index(pattern: str, table: outlines_core.Vocabulary) -> outlines_core.Index:
    try:
        return outlines_core.Index(rf"\x00(?:{pattern})\z", table)
    except BaseException as error:  # a Rust panic arrives as a BaseException
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise GrammarError(f"outlines-core can't build this grammar: {error}") from error
        raise


@per_vocabulary
def _token_table(vocabulary: Vocabulary) -> outlines_core.Vocabulary:
    """Return a vocabulary in outlines-core's form."""
    ids_of: dict[bytes, list[int]] = {}
    for token_id, token in enumerate(vocabulary.tokens):
        if token:
            ids_of.setdefault(token, []).append(token_id)
    return outlines_core.Vocabulary(vocabulary.size, ids_of)  # the end token is no real one


class OutlinesCoreGrammar(StateGrammar):
    """An index, with the mask rows of its states. outlines-core's states are numbers."""

    def __init__(
        self, spec: GrammarSpec, vocabulary: Vocabulary, report: tuple[ReportEntry, ...], index: outlines_core.Index
    ) -> None:
        super().__init__(spec, vocabulary, report)
        self._index = index
        self._rows: dict[int, Bitmask] = {}
        self._byte_ids = {
            token[0]: token_id for token_id, token in enumerate(vocabulary.tokens) if token and not token[1:]
        }
        self.start = index.get_next_state(index.get_initial_state(), self._byte_ids[0])

    @property
    def num_bytes(self) -> int:
        """Return the estimated bytes of the index and the mask rows so far."""
        return NUM_BYTES + len(self._rows) * num_words(self.vocabulary.size) * 4

    def is_final(self, state: int) -> bool:
        """True if the text is complete in this state."""
        return bool(self._index.is_final_state(state))

    def after_token(self, state: int, token_id: int) -> int | None:
        """Return the state after a token with text; None when the token is not allowed."""
        state_after: int | None = self._index.get_next_state(state, token_id)
        return state_after

    def after_byte(self, state: int, byte: int) -> int | None:
        """Return the state after one byte; None when no text continues with it."""
        return self.after_token(state, self._byte_ids[byte]) if byte in self._byte_ids else None

    def row(self, state: int) -> Bitmask:
        """Return the mask row of the tokens with text in a state: int32, shape (W,)."""
        if state not in self._rows:
            token_ids = np.array(self._index.get_allowed_tokens(state), dtype=np.int64)
            self._rows[state] = pack_token_ids(token_ids[token_ids < self.vocabulary.size], self.vocabulary.size)
        return self._rows[state]
