"""The grammar that a request's sampling parameters ask for."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from typing import Any

from guided.grammars.cache import PROCESS_CACHE, CacheKey, GrammarCache
from guided.grammars.combination import REGULAR_KINDS
from guided.grammars.compile import compile_grammar
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary
from guided.grammars.watch import Watch

from ..compile import canonical_values
from ..params.sampling_params import SamplingParams
from ..schemas.advice import misspelled
from ..schemas.combinations import plain_parts
from ..schemas.python_types import grammar_schema
from .observer import CompileRecord, EngineObserver, tell

MAX_TOLD_SUSPECTS = 3  # maximum number of warnings about one schema

log = logging.getLogger(__name__)


class RequestGrammars:
    """Compiles requests' grammars for one vocabulary.

    backend: name of a grammar backend; None: the default backend for each kind. An unknown name raises
        UnknownBackendError.
    default_whitespace: whitespace between JSON tokens if a request's params don't set it.
    limits: limits on a grammar whose params have none; None: `Limits()`.
    cache: keeps compiled grammars.
    property_order: order of keys in JSON schemas.
    default_values: how numbers are written if params don't say; None: canonically, if the backend can.
    observers: attribute; told of every grammar that a request asks for.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        backend: str | None,
        default_whitespace: str,
        limits: Limits | None = None,
        cache: GrammarCache = PROCESS_CACHE,
        *,
        property_order: str = "schema",
        default_values: str | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        self._backend = backend
        self._default_whitespace = default_whitespace
        self._limits = Limits() if limits is None else limits
        self._cache = cache
        self._property_order = property_order
        self._default_values = canonical_values(backend) if default_values is None else default_values
        self.observers: list[EngineObserver] = []

    def get(self, params: SamplingParams, cancel: threading.Event | None = None) -> CompiledGrammar | None:
        """The grammar that `params` ask for; None without a constraint. Raises the errors of `compile_grammar`.

        A grammar of params with sources is not kept: besides quotes, it may have numbers and dates of these texts.
        cancel: see `compile_grammar`.
        """
        kind = params.constraint
        if kind is None:
            return None
        source: dict[str, Any] = {kind: getattr(params, kind)}
        limits = self._limits if params.limits is None else params.limits
        if kind == "json_schema":
            source["json_schema"] = grammar_schema(params.json_schema, limits)
            source["whitespace"] = self._default_whitespace if params.whitespace is None else params.whitespace
            source["property_order"] = self._property_order
        if kind == "all_of":
            source["all_of"] = plain_parts(params.all_of, limits, self._default_whitespace)
        if kind not in REGULAR_KINDS:
            source["values"] = params.values or self._default_values
        cache, start_s = _WatchedCache(self._cache), time.perf_counter()
        grammar = compile_grammar(
            self._vocabulary,
            **source,
            dialect=params.dialect,
            sources=params.sources,
            backend=self._backend,
            limits=limits,
            cache=cache if params.sources is None else None,
            cancel=cancel,
        )
        if kind == "json_schema" and not cache.had_it:
            with Watch("advice", math.inf, cancel):
                _tell_misspelled(source["json_schema"])
        was_cached = params.sources is None and cache.had_it
        if self.observers:
            tell(self.observers, "on_compile", CompileRecord(kind, time.perf_counter() - start_s, was_cached))
        return grammar


def _tell_misspelled(schema: Any) -> None:
    """Log keywords of a schema that look misspelled, once for each compilation of the schema."""
    found = misspelled(schema)
    for suspect in found[:MAX_TOLD_SUSPECTS]:
        log.warning("in a schema, %s", suspect)
    if len(found) > MAX_TOLD_SUSPECTS:
        log.warning("in a schema, %d more keywords look misspelled", len(found) - MAX_TOLD_SUSPECTS)


class _WatchedCache(GrammarCache):
    """A cache that records whether it had the last requested grammar."""

    def __init__(self, cache: GrammarCache) -> None:
        super().__init__()
        self.had_it = True
        self._cache = cache

    def get(self, key: CacheKey, make: Callable[[], CompiledGrammar]) -> CompiledGrammar:
        """See `GrammarCache.get`."""

        def make_noted() -> CompiledGrammar:
            self.had_it = False
            return make()

        return self._cache.get(key, make_noted)
