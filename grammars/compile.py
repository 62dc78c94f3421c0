"""`compile_grammar`: checks one grammar and hands it to a backend. `fill_bitmasks`: writes the masks of a batch."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .backends.base import GrammarBackend
from .backends.registry import DEFAULT_BACKENDS, get_backend
from .bitset import Bitmask
from .cache import PROCESS_CACHE, CacheKey, GrammarCache
from .errors import InvalidInputError, UnsupportedGrammarError, refuse_deep
from .grammar_input import read_spec
from .limits import DEFAULT_LIMITS, Limits
from .protocol import CompiledGrammar, Matcher, Origin
from .quotes import SourceText
from .spec import GrammarKind, GrammarSpec
from .vocabulary import Vocabulary
from .watch import Watch


def compile_grammar(
    vocabulary: Vocabulary,
    *,
    json_schema: dict[str, Any] | bool | str | None = None,
    regex: str | None = None,
    choice: Sequence[str] | None = None,
    ebnf: str | None = None,
    structural_tag: dict[str, Any] | str | None = None,
    all_of: Sequence[Mapping[str, Any]] | None = None,
    dialect: str | None = None,
    backend: str | None = None,
    limits: Limits | None = None,
    whitespace: str = "flexible",
    property_order: str = "schema",
    values: str = "any",
    pattern: str = "search",
    objects: str = "open",
    resources: Mapping[str, dict[str, Any] | bool] | None = None,
    sources: Mapping[str, str | SourceText] | None = None,
    cache: GrammarCache | None = PROCESS_CACHE,
    cancel: threading.Event | None = None,
) -> CompiledGrammar:
    """Compile exactly one grammar for a vocabulary.

    Args:
        vocabulary: the vocabulary of the model's token ids.
        json_schema: the schema, or its JSON text.
        regex: pattern in Python's `re` syntax; the whole text must match.
        choice: 1 to 100,000 strings.
        ebnf: text of an EBNF grammar.
        structural_tag: a structural tag, or its JSON text.
        all_of: grammars that a text must all fit, and banned substrings; made by `all_of(...)`.
        dialect: EBNF dialect of `ebnf`; None: recognised from the text.
        backend: one of `backend_names()`; None: the default backend for that kind of grammar.
        limits: bounds on the cost of compiling and matching; None: `Limits()`.
        whitespace: whitespace inside JSON, default "flexible"; see `GrammarSpec`. Only with json_schema.
        property_order: order of keys, default "schema"; see `GrammarSpec`. Only with json_schema.
        values: accepted forms of numbers and times in every schema of the grammar. "any" (default) accepts all valid
            forms. "canonical" accepts the forms that JSON writers produce, for texts that a model generates. See
            docs/json_schema.md.
        pattern: "search" (default), as JSON Schema defines it, or "full": each `pattern` matches the whole string.
        objects: "open" (default), as JSON Schema defines it, or "closed": objects have no members that the schema does
            not name. The values "full" and "closed" follow other libraries' readings; the report names them. Both
            options apply only to json_schema. See docs/json_schema.md.
        resources: URI -> schema, for the documents that `$ref` may name. Nothing is ever fetched. Only with
            json_schema.
        sources: name -> text or `SourceText`, for quotes in `x-quote` and the format "quote". A `SourceText` can serve
            several grammars. A source that the grammar never names has no effect. A grammar with quotes is never
            cached: the tables made from its sources are freed with it.
        cache: where the grammar is looked up and kept; None: always compile, keep nothing. Default: the process's
            cache.
        cancel: event that any thread may set; this call then soon raises CompileCancelledError and keeps nothing.

    Raises:
        InvalidSchemaError, InvalidRegexError, InvalidGrammarError, InvalidStructuralTagError, GrammarError: for a wrong
            grammar.
        UnsupportedSchemaError, UnsupportedGrammarError: for a grammar that the backend can't enforce.
        UnsatisfiableError: if no text fits.
        LimitExceededError: if a limit is exceeded.
        UnknownBackendError: if the backend is not registered.
        InvalidInputError: for other wrong arguments.
        CompileCancelledError: after `cancel` was set.
    """
    if not isinstance(vocabulary, Vocabulary):
        raise InvalidInputError(
            f"vocabulary is a {type(vocabulary).__name__}; make one with Vocabulary.from_tokenizer(...)"
        )
    if not vocabulary.eos_token_ids:
        raise InvalidInputError(
            "the vocabulary names no end-of-sequence token, so no text could end; pass eos_token_ids"
        )
    limits = DEFAULT_LIMITS if limits is None else limits
    watch = Watch("max_compile_seconds", limits.max_compile_seconds, cancel)
    grammars: dict[GrammarKind, Any] = {
        "json_schema": json_schema,
        "regex": regex,
        "choice": choice,
        "ebnf": ebnf,
        "structural_tag": structural_tag,
        "all_of": all_of,
    }
    with watch:
        spec = read_spec(
            grammars, limits, dialect, whitespace, property_order, resources, values, sources, pattern, objects
        )
    backend = DEFAULT_BACKENDS[spec.kind] if backend is None else backend
    chosen = get_backend(backend)
    if spec.kind not in chosen.kinds:
        known = ", ".join(sorted(chosen.kinds))
        raise UnsupportedGrammarError(f"backend {backend!r} does not take {spec.kind}; it takes {known}")
    if not chosen.writes_canonical and any(one.is_canonical for one in (spec, *spec.parts)):
        raise UnsupportedGrammarError(f'backend {backend!r} does not take values="canonical"; native does')
    if spec.sources is not None and not chosen.takes_sources:
        raise UnsupportedGrammarError(f"backend {backend!r} does not take quotes of sources; native does")
    with watch:
        watch.check()
        if cache is None or spec.sources is not None:
            return _compile(chosen, spec, vocabulary, limits)
        key = CacheKey(vocabulary, vocabulary.special_fingerprint, backend, spec, limits)
        return cache.get(key, lambda: _compile(chosen, spec, vocabulary, limits))


def fill_bitmasks(matchers: Sequence[Matcher], bitmask: Bitmask) -> None:
    """Write the allowed tokens of `matchers[i]` into `bitmask[i]`; other rows stay unchanged.

    Args:
        matchers: matchers of one vocabulary, each at most once.
        bitmask: writable int32 array (B, W), B >= len(matchers), W = ceil(vocabulary.size / 32) for the matchers'
            vocabulary.

    Raises:
        InvalidInputError: for any other bitmask.
        BatchMaskError: if rows exceeded a limit. The error is raised after all other rows are filled and holds each
            failed row's error. A failed row allows no token: end its request and go on with the other rows.
    """
    if not isinstance(bitmask, np.ndarray) or bitmask.ndim != 2:
        shape = getattr(bitmask, "shape", None)
        raise InvalidInputError(
            f"the bitmask is a {type(bitmask).__name__} of shape {shape}; pass what allocate_bitmask makes"
        )
    if len(matchers) > len(bitmask):
        raise InvalidInputError(f"{len(matchers)} matchers need as many rows, and the bitmask has {len(bitmask)}")
    classes = {type(matcher) for matcher in matchers}
    shared = classes.pop() if len(classes) == 1 else Matcher
    shared.fill_batch(matchers, bitmask)


def _compile(backend: GrammarBackend, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
    with refuse_deep(limits):
        grammar = backend.compile(spec, vocabulary, limits)
    grammar.origin = Origin(compile_grammar, backend.name, limits)
    return grammar
