"""Compiled grammars by what was asked for, so that many requests with one schema compile it once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from guided.grammars.backends.base import CompiledGrammar
from guided.grammars.backends.registry import DEFAULT_BACKEND, get_backend
from guided.grammars.compile import compile_grammar
from guided.grammars.limits import Limits
from guided.grammars.schema_input import read_schema, schema_text
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary

from .sampling_params import SamplingParams
from .schema_types import to_json_schema

MAX_GRAMMARS = 32
MAX_BYTES = 1 << 30


class GrammarCache:
    """The grammars used last, for one vocabulary and one backend. Safe to share between threads.

    backend: name of a grammar backend; None: the default one. Raises UnknownBackendError for a name nobody registered.
    default_whitespace: between JSON tokens where a request's params don't say.
    limits: on one grammar; None is `Limits()`.
    max_grammars, max_bytes: on those kept, bytes as the grammars estimate them; the one used last stays in any case.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        backend: str | None,
        default_whitespace: str,
        limits: Limits | None = None,
        *,
        max_grammars: int = MAX_GRAMMARS,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._vocabulary = vocabulary
        self._backend = DEFAULT_BACKEND if backend is None else backend
        get_backend(self._backend)  # an unknown name is an error now, not at the first grammar
        self._default_whitespace = default_whitespace
        self._limits = Limits() if limits is None else limits
        self._max_grammars = max_grammars
        self._max_bytes = max_bytes
        self._grammars: OrderedDict[GrammarSpec, CompiledGrammar] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, params: SamplingParams) -> CompiledGrammar | None:
        """The grammar that `params` ask for, None when they ask for none. Raises what `compile_grammar` raises."""
        if params.regex is not None:
            return self._get(GrammarSpec("regex", params.regex), {"regex": params.regex})
        if params.json_schema is None:
            return None
        # Checked before it is written as a key: objects that share parts can be endless text, and the key 1 writes "1".
        schema = read_schema(to_json_schema(params.json_schema, self._limits), self._limits)
        whitespace = self._default_whitespace if params.whitespace is None else params.whitespace
        spec = GrammarSpec("json_schema", schema_text(schema), whitespace)
        return self._get(spec, {"json_schema": schema, "whitespace": whitespace})

    def _get(self, spec: GrammarSpec, arguments: dict[str, Any]) -> CompiledGrammar:
        """The kept grammar of `spec`, or a new one."""
        with self._lock:
            grammar = self._grammars.get(spec)
        if grammar is None:
            grammar = compile_grammar(self._vocabulary, backend=self._backend, limits=self._limits, **arguments)
        with self._lock:
            self._keep(spec, grammar)
        return grammar

    def _keep(self, spec: GrammarSpec, grammar: CompiledGrammar) -> None:
        """Make it the one used last, and forget those used longest ago until the others fit. Called under the lock."""
        self._grammars[spec] = grammar
        self._grammars.move_to_end(spec)
        num_bytes = sum(kept.num_bytes for kept in self._grammars.values())
        while len(self._grammars) > 1 and (len(self._grammars) > self._max_grammars or num_bytes > self._max_bytes):
            _, forgotten = self._grammars.popitem(last=False)
            num_bytes -= forgotten.num_bytes
