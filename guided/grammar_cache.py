"""Compiled grammars by what was asked for, so that many requests with one schema compile it once."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from typing import Any

from guided.grammars.backends.base import CompiledGrammar
from guided.grammars.backends.registry import DEFAULT_BACKEND, get_backend
from guided.grammars.compile import compile_grammar
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary

from .sampling_params import SamplingParams
from .schema_types import to_json_schema

MAX_GRAMMARS = 32


class GrammarCache:
    """The `max_grammars` grammars used last, for one vocabulary and one backend. Safe to share between threads.

    backend: name of a grammar backend; None: the default one. Raises UnknownBackendError for a name nobody registered.
    default_whitespace: between JSON tokens where a request's params don't say.
    """

    def __init__(
        self, vocabulary: Vocabulary, backend: str | None, default_whitespace: str, max_grammars: int = MAX_GRAMMARS
    ) -> None:
        self._vocabulary = vocabulary
        self._backend = DEFAULT_BACKEND if backend is None else backend
        get_backend(self._backend)  # an unknown name is an error now, not at the first grammar
        self._default_whitespace = default_whitespace
        self._max_grammars = max_grammars
        self._grammars: OrderedDict[GrammarSpec, CompiledGrammar] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, params: SamplingParams) -> CompiledGrammar | None:
        """The grammar that `params` ask for, None when they ask for none. Raises what `compile_grammar` raises."""
        if params.regex is not None:
            return self._get(GrammarSpec("regex", params.regex), {"regex": params.regex})
        if params.json_schema is None:
            return None
        schema = params.json_schema
        if not isinstance(schema, dict | bool | str):  # those are checked when they are compiled, and only then
            schema = to_json_schema(schema)
        whitespace = self._default_whitespace if params.whitespace is None else params.whitespace
        text = _text_of(schema)
        spec = None if text is None else GrammarSpec("json_schema", text, whitespace)
        return self._get(spec, {"json_schema": schema, "whitespace": whitespace})

    def _get(self, spec: GrammarSpec | None, arguments: dict[str, Any]) -> CompiledGrammar:
        """The kept grammar of `spec`, or a new one. spec: None where the request can't be a key."""
        with self._lock:
            if spec is not None and spec in self._grammars:
                self._grammars.move_to_end(spec)
                return self._grammars[spec]
        grammar = compile_grammar(self._vocabulary, backend=self._backend, **arguments)
        if spec is not None:
            with self._lock:
                self._grammars[spec] = grammar
                while len(self._grammars) > self._max_grammars:
                    self._grammars.popitem(last=False)
        return grammar


def _text_of(schema: dict[str, Any] | bool | str) -> str | None:
    """The schema as a key; None for what is no JSON, which compiling refuses in its own words."""
    try:
        return schema if isinstance(schema, str) else json.dumps(schema)
    except (TypeError, ValueError, RecursionError):
        return None
