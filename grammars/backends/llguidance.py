"""JSON Schema, regexes, choices and Lark grammars through llguidance, a parser with a lexer in Rust.

Use it to compare. It comes with `pip install guided-generation[backends]`. What it refuses of a JSON Schema is refused
here with its message. It cuts texts into the terminals of a Lark grammar before it parses them, so where one terminal
could also end earlier it may refuse texts that the rules can spell.

How it is kept to the protocol: tokens come from our vocabulary, byte for byte; it never sees an end token, which would
stop it for good.
Where the next bytes are forced, its masks hold one way to cut them into tokens; all others are added.
"""

from __future__ import annotations

import json
import threading
import weakref
from dataclasses import dataclass

import numpy as np
from llguidance import LLMatcher, LLTokenizer
from llguidance._tokenizer import TokenizerWrapper

from ..bitset import Bitmask, num_words, pack_token_ids
from ..ebnf import read_ebnf
from ..errors import GrammarError, UnsatisfiableError, UnsupportedGrammarError
from ..forks import anew_after_fork
from ..limits import Limits
from ..protocol import CompiledGrammar, ReportEntry
from ..sorted_tokens import SortedTokens
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .base import GrammarBackend
from .meta_schema import check_meta_schema, dialect_of
from .schema_guard import SchemaGuard, refuse_quotes
from .stepping import SteppingMatcher, check_spells_all, end_row, text_row

NUM_BYTES = 2_000_000
"""What a grammar is taken to hold; llguidance does not tell."""

_WHITESPACE: dict[str, dict[str, object]] = {
    "compact": {"whitespace_flexible": False},
    "spaced": {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "},
    "flexible": {"whitespace_pattern": r"[ \n\t]{1,2}"},
}
_GUARD = SchemaGuard("llguidance", formats=frozenset(("date", "time", "date-time")))


class LlguidanceBackend(GrammarBackend):
    """Compiles through `llguidance.LLMatcher`."""

    name = "llguidance"
    kinds = frozenset({"json_schema", "regex", "choice", "ebnf"})

    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """See `GrammarBackend.compile`."""
        check_spells_all(self.name, vocabulary)
        return LlguidanceGrammar(spec, vocabulary, _grammar_text(spec, vocabulary, limits))


def _grammar_text(spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> str:
    """The grammar as llguidance takes it."""
    if spec.kind == "json_schema":
        return _schema_text(spec, limits)
    if spec.kind == "ebnf":
        if spec.dialect != "lark":
            raise UnsupportedGrammarError(
                "llguidance takes EBNF with dialect='lark' only; the native backend takes every dialect"
            )
        graph = read_ebnf(spec.source, spec.dialect, limits, vocabulary)  # its errors say where and what was expected
        refuse_quotes("llguidance", graph)
        return LLMatcher.grammar_from_lark(spec.source)
    if spec.kind == "choice":
        return LLMatcher.grammar_from_regex("|".join(_literal(string) for string in json.loads(spec.source)))
    return LLMatcher.grammar_from_regex(spec.source)


def _literal(string: str) -> str:
    """A regex of Rust's for one string, each character by its number."""
    return "".join(rf"\x{{{ord(char):x}}}" for char in string)


def _schema_text(spec: GrammarSpec, limits: Limits) -> str:
    if spec.property_order != "schema":
        raise UnsupportedGrammarError(f"llguidance writes keys in schema order only, not {spec.property_order!r}")
    if spec.resources:
        raise UnsupportedGrammarError("llguidance takes no resources; the native backend does")
    if spec.whitespace not in _WHITESPACE:
        raise UnsupportedGrammarError(f"llguidance takes whitespace={', '.join(map(repr, _WHITESPACE))}, no regex")
    schema = json.loads(spec.source)
    check_meta_schema(schema, dialect_of(schema), limits)
    _GUARD.check(schema)
    if isinstance(schema, bool):
        schema = {} if schema else {"enum": []}
    return LLMatcher.grammar_from_json_schema(schema, overrides=_WHITESPACE[spec.whitespace])  # type: ignore[arg-type]


class _Tokens:
    """A vocabulary as llguidance's wrapper of tokenizers takes it. It encodes byte by byte; no more is asked for."""

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
    """llguidance's view of a vocabulary."""

    tokenizer: LLTokenizer
    sorted_tokens: SortedTokens

    def cut(self, forced: bytes) -> list[int]:
        """The tokens that these bytes begin with, and those that begin with the bytes."""
        tokens = self.sorted_tokens
        found = [token_id for end in range(1, len(forced)) for token_id in tokens.ids_of(forced[:end])]
        return found + tokens.ids_beginning_with(forced)


_views: weakref.WeakKeyDictionary[Vocabulary, _View] = weakref.WeakKeyDictionary()
_views_lock = anew_after_fork(threading.Lock())


def _view(vocabulary: Vocabulary) -> _View:
    """llguidance's view of a vocabulary, made once and kept as long as the vocabulary."""
    with _views_lock:
        if vocabulary not in _views:
            tokenizer = LLTokenizer(TokenizerWrapper(_Tokens(vocabulary)), eos_token=sorted(vocabulary.eos_token_ids))
            _views[vocabulary] = _View(tokenizer, vocabulary.sorted_tokens)
        return _views[vocabulary]


class LlguidanceGrammar(CompiledGrammar):
    """A matcher at the start, which others are copied from."""

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, grammar: str) -> None:
        super().__init__(spec, vocabulary, (ReportEntry("", spec.kind, "as llguidance reads it"),))
        self.view = _view(vocabulary)
        self._first = LLMatcher(self.view.tokenizer, grammar, log_level=0)
        self.end_row = end_row(vocabulary)
        self.text_row = text_row(vocabulary)
        _check(self._first, spec.kind)

    @property
    def num_bytes(self) -> int:
        """See `CompiledGrammar.num_bytes`."""
        return NUM_BYTES

    def matcher(self) -> LlguidanceMatcher:
        """See `CompiledGrammar.matcher`."""
        return LlguidanceMatcher(self, self._first.deep_copy())


def _check(state: LLMatcher, kind: str) -> None:
    """Raise what llguidance has against the grammar."""
    if not state.is_error():
        return
    message = state.get_error().partition("\n<")[0].strip()
    if message.startswith("Unsatisfiable"):
        raise UnsatisfiableError(f"nothing satisfies this {kind}: {message}")
    raise GrammarError(f"llguidance does not take this {kind}: {message}")


class LlguidanceMatcher(SteppingMatcher):
    """A matcher of llguidance's."""

    def __init__(self, grammar: LlguidanceGrammar, state: LLMatcher) -> None:
        super().__init__(grammar.vocabulary, grammar.end_row)
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
        return row & self._grammar.text_row

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

    def _forced_bytes(self) -> bytes:
        return self._state.compute_ff_bytes()

    def _check_state(self) -> None:
        """Raise when the library gave up: past one of its own limits it takes no more tokens."""
        if self._state.is_error():
            raise GrammarError(f"llguidance gave up: {self._state.get_error().partition(chr(10) + '<')[0].strip()}")
