"""Compile JSON Schema, regexes, choices and Lark grammars with llguidance, a parser with a lexer in Rust.

Use this backend for comparisons. `pip install guided-generation[backends]` installs llguidance. The backend refuses the
schemas that llguidance refuses, with llguidance's message. llguidance cuts a text into the terminals of a Lark grammar
before it parses. It may therefore refuse a text that the rules can spell, when a terminal could also end earlier.

The backend keeps llguidance to the matchers' protocol. Tokens come from our vocabulary, byte for byte. llguidance never
sees an end token, which would stop its matcher forever. When the next bytes are forced, llguidance's mask has only one
way to cut them into tokens; the backend adds all other ways.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from llguidance import LLMatcher, LLTokenizer
from llguidance._tokenizer import TokenizerWrapper

from ..bitset import Bitmask, num_words, pack_token_ids
from ..ebnf import read_ebnf
from ..errors import GrammarError, UnsatisfiableError, UnsupportedGrammarError
from ..limits import Limits
from ..protocol import CompiledGrammar, ReportEntry
from ..sorted_tokens import SortedTokens
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .base import GrammarBackend
from .schema_guard import SchemaGuard, refuse_quotes
from .stepping import SteppingMatcher, check_spells_all, per_vocabulary, text_row

NUM_BYTES = 2_000_000
"""Estimated size of any grammar; llguidance does not report the real one."""

_WHITESPACE: dict[str, dict[str, object]] = {
    "compact": {"whitespace_flexible": False},
    "spaced": {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "},
    "flexible": {"whitespace_pattern": r"[ \n\t]{1,2}"},
}
_GUARD = SchemaGuard("llguidance", formats=frozenset(("date", "time", "date-time")))


class LlguidanceBackend(GrammarBackend):
    """Compiles grammars with `llguidance.LLMatcher`."""

    name = "llguidance"
    kinds = frozenset({"json_schema", "regex", "choice", "ebnf"})

    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """Compile a grammar. Raises `GuidedError` subclasses for all that llguidance can't enforce exactly."""
        check_spells_all(self.name, vocabulary)
        return LlguidanceGrammar(spec, vocabulary, _grammar_text(spec, vocabulary, limits))


def _grammar_text(spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> str:
    """Write the grammar in llguidance's input format."""
    if spec.kind == "json_schema":
        return _schema_text(spec, limits)
    if spec.kind == "ebnf":
        if spec.dialect != "lark":
            raise UnsupportedGrammarError(
                "llguidance takes EBNF with dialect='lark' only; the native backend takes every dialect"
            )
        graph = read_ebnf(spec.source, spec.dialect, limits, vocabulary)  # raises errors with place and expectation
        refuse_quotes("llguidance", graph)
        return LLMatcher.grammar_from_lark(spec.source)
    if spec.kind == "choice":
        return LLMatcher.grammar_from_regex("|".join(_literal(string) for string in json.loads(spec.source)))
    return LLMatcher.grammar_from_regex(spec.source)


def _literal(string: str) -> str:
    """Write one string as a regex of Rust's, each character by its number."""
    return "".join(rf"\x{{{ord(char):x}}}" for char in string)


def _schema_text(spec: GrammarSpec, limits: Limits) -> str:
    if spec.whitespace not in _WHITESPACE:
        raise UnsupportedGrammarError(f"llguidance takes whitespace={', '.join(map(repr, _WHITESPACE))}, no regex")
    schema = _GUARD.read(spec, limits)
    if isinstance(schema, bool):
        schema = {} if schema else {"enum": []}
    return LLMatcher.grammar_from_json_schema(schema, overrides=_WHITESPACE[spec.whitespace])  # type: ignore[arg-type]


class _Tokens:
    """A vocabulary in the form that llguidance's wrapper of tokenizers needs. The wrapper only has to encode bytes."""

    bos_token_id = None

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.eos_token_id = min(vocabulary.eos_token_ids)
        self.tokens = [token or b"" for token in vocabulary.tokens]
        self.special_token_ids = [i for i, token in enumerate(vocabulary.tokens) if token is None]
        self._byte_ids = vocabulary.byte_ids

    def __call__(self, data: bytes) -> list[int]:
        return [self._byte_ids[bytes((byte,))] for byte in data]


@dataclass(frozen=True)
class _View:
    """A vocabulary in llguidance's form."""

    tokenizer: LLTokenizer
    sorted_tokens: SortedTokens

    def cut(self, forced: bytes) -> list[int]:
        """Return the tokens that are beginnings of the bytes, and the tokens that begin with the bytes."""
        tokens = self.sorted_tokens
        found = [token_id for end in range(1, len(forced)) for token_id in tokens.ids_of(forced[:end])]
        return found + tokens.ids_beginning_with(forced)


@per_vocabulary
def _view(vocabulary: Vocabulary) -> _View:
    """Return the vocabulary in llguidance's form."""
    tokenizer = LLTokenizer(TokenizerWrapper(_Tokens(vocabulary)), eos_token=sorted(vocabulary.eos_token_ids))
    return _View(tokenizer, vocabulary.sorted_tokens)


class LlguidanceGrammar(CompiledGrammar):
    """A compiled grammar: a matcher at the start that is copied for each text."""

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, grammar: str) -> None:
        super().__init__(spec, vocabulary, (ReportEntry("", spec.kind, "as llguidance reads it"),))
        self.view = _view(vocabulary)
        self._first = LLMatcher(self.view.tokenizer, grammar, log_level=0)
        _check(self._first, spec.kind)

    @property
    def num_bytes(self) -> int:
        """Return an estimate, the same for all grammars."""
        return NUM_BYTES

    def matcher(self) -> LlguidanceMatcher:
        """Return a new matcher at the start of a text."""
        return LlguidanceMatcher(self, self._first.deep_copy())


def _check(state: LLMatcher, kind: str) -> None:
    """Raise a `GrammarError` when llguidance refuses the grammar."""
    if not state.is_error():
        return
    message = state.get_error().partition("\n<")[0].strip()
    if message.startswith("Unsatisfiable"):
        raise UnsatisfiableError(f"nothing satisfies this {kind}: {message}")
    raise GrammarError(f"llguidance does not take this {kind}: {message}")


class LlguidanceMatcher(SteppingMatcher):
    """Matches one text with a matcher of llguidance's."""

    def __init__(self, grammar: LlguidanceGrammar, state: LLMatcher) -> None:
        super().__init__(grammar.vocabulary)
        self._grammar = grammar
        self._state = state

    def _token_row(self) -> Bitmask:
        forced = b"" if self._state.is_accepting() else self._state.compute_ff_bytes()
        if forced:
            token_ids = [i for i in self._grammar.view.cut(forced) if self._state.validate_tokens([i]) == 1]
            return pack_token_ids(token_ids, self._vocabulary.size)
        row = np.zeros(num_words(self._vocabulary.size), dtype=np.int32)
        self._state.unsafe_compute_mask_ptr(row.ctypes.data, row.nbytes)
        self._check_state()
        return row & text_row(self._vocabulary)

    def _step(self, token_id: int) -> bool:
        if self._state.is_stopped():  # complete, and nothing can follow
            return False
        num_taken = self._state.try_consume_tokens([token_id])
        self._check_state()
        return num_taken == 1

    def _step_back(self, num_tokens: int) -> None:
        self._state.rollback(num_tokens)
        self._check_state()

    def _is_complete(self) -> bool:
        return self._state.is_accepting()

    def _copy(self) -> LlguidanceMatcher:
        return LlguidanceMatcher(self._grammar, self._state.deep_copy())

    def _restart(self) -> None:
        self._state = self._grammar.matcher()._state

    def _forced_bytes(self, max_bytes: int | None) -> bytes:
        return self._state.compute_ff_bytes()[:max_bytes]

    def _check_state(self) -> None:
        """Raise GrammarError when llguidance gave up: beyond its own limits it takes no more tokens."""
        if self._state.is_error():
            raise GrammarError(f"llguidance gave up: {self._state.get_error().partition(chr(10) + '<')[0].strip()}")
