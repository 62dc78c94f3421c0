"""`guided.compile_grammar`: as `guided.grammars.compile_grammar`, for schemas given as Python types as well."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from guided.grammars.backends.registry import get_backend
from guided.grammars.cache import PROCESS_CACHE, GrammarCache
from guided.grammars.compile import compile_grammar as compile_plain_grammar
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.quotes import SourceText
from guided.grammars.vocabulary import Vocabulary

from .schemas.combinations import plain_parts
from .schemas.python_types import SchemaLike, grammar_schema, is_type


def compile_grammar(
    vocabulary: Vocabulary,
    *,
    json_schema: SchemaLike | None = None,
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
    values: str | None = None,
    pattern: str = "search",
    objects: str = "open",
    resources: Mapping[str, dict[str, Any] | bool] | None = None,
    sources: Mapping[str, str | SourceText] | None = None,
    cache: GrammarCache | None = PROCESS_CACHE,
    cancel: threading.Event | None = None,
) -> CompiledGrammar:
    """Compile exactly one grammar for a vocabulary.

    For the other arguments and the errors see `guided.grammars.compile_grammar`.

    Args:
        json_schema: a JSON Schema (dict or bool), its JSON text, a Pydantic model, a dataclass, a TypedDict or an Enum.
        all_of: as `guided.grammars.all_of` returns them; a schema in it may be any of these too.
        values: "canonical" or "any". None: "canonical" for a Python type, where the backend knows it, so that what is
            generated is a value of the type; else "any".
    """
    if values is None:
        values = canonical_values(backend) if json_schema is not None and is_type(json_schema) else "any"
    if json_schema is not None:
        json_schema = grammar_schema(json_schema, limits)
    if all_of is not None:
        all_of = plain_parts(all_of, limits, values_of_types=canonical_values(backend))
    return compile_plain_grammar(
        vocabulary,
        json_schema=json_schema,
        regex=regex,
        choice=choice,
        ebnf=ebnf,
        structural_tag=structural_tag,
        all_of=all_of,
        dialect=dialect,
        backend=backend,
        limits=limits,
        whitespace=whitespace,
        property_order=property_order,
        values=values,
        pattern=pattern,
        objects=objects,
        resources=resources,
        sources=sources,
        cache=cache,
        cancel=cancel,
    )


def canonical_values(backend: str | None) -> str:
    """The default of `values` for generated texts: "canonical" if the backend supports it, else "any".

    Args:
        backend: None is the native one. Raises UnknownBackendError.
    """
    return "canonical" if backend is None or get_backend(backend).writes_canonical else "any"
