"""From vLLM's `StructuredOutputsParams` to the arguments of `compile_grammar`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from guided.grammars.errors import GrammarInputError

from .options import RequestOptions

_KINDS = {
    "json": "json_schema",
    "regex": "regex",
    "choice": "choice",
    "grammar": "ebnf",
    "structural_tag": "structural_tag",
}
_ANY_OBJECT: dict[str, Any] = {"type": "object"}
_WITH_SCHEMAS = ("json_schema", "ebnf", "structural_tag")
DEFAULT_VALUES = "canonical"
WARMUP_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "minLength": 1},
        "b": {"type": "number"},
        "c": {"enum": ["one", "two"]},
        "d": {"type": "string", "pattern": "^[a-z]{2}$"},
        "e": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
    },
    "required": ["a", "b", "c", "d", "e"],
}
"""Compiled once before the first request comes: the first grammar of a process takes 100 times as long as the next."""


def grammar_arguments(params: Any, options: RequestOptions) -> dict[str, Any]:
    """Arguments of `compile_grammar`, without the vocabulary.

    params: a `StructuredOutputsParams`. Raises GrammarInputError for fields that don't go together, or that this
    backend does not have.
    """
    given = [name for name in _KINDS if getattr(params, name) is not None]
    given += ["json_object"] if params.json_object is not None else []
    if len(given) != 1:
        raise GrammarInputError(f"structured_outputs needs exactly one grammar, not {len(given)}: {', '.join(given)}")
    name = given[0]
    if params.json_object is False:
        raise GrammarInputError("structured_outputs.json_object is true or left out")
    if params.disable_additional_properties:
        raise GrammarInputError(
            'disable_additional_properties is not supported: write "additionalProperties": false into the schema'
        )
    kind = "json_schema" if name == "json_object" else _KINDS[name]
    source = _ANY_OBJECT if name == "json_object" else getattr(params, name)
    arguments = {kind: _choices(source) if kind == "choice" else source}
    arguments.update(_options_of(kind, params, options))
    return arguments


def _options_of(kind: str, params: Any, options: RequestOptions) -> dict[str, Any]:
    """Of those given; each is refused where it applies to another kind of grammar."""
    whitespaces = {
        "structured_outputs.disable_any_whitespace": "compact" if params.disable_any_whitespace else None,
        "structured_outputs.whitespace_pattern": params.whitespace_pattern,
        "guided.whitespace": options.whitespace,
    }
    given = {name: value for name, value in whitespaces.items() if value is not None}
    if len(given) > 1:
        raise GrammarInputError(f"{' and '.join(given)} exclude each other")
    found: dict[str, Any] = {}
    if given and _applies(next(iter(given)), kind, ("json_schema",)):
        found["whitespace"] = next(iter(given.values()))
    for name, kinds in (("property_order", ("json_schema",)), ("resources", ("json_schema",)), ("dialect", ("ebnf",))):
        value = getattr(options, name)
        if value is not None and _applies(f"guided.{name}", kind, kinds):
            found[name] = value
    if options.values is not None and _applies("guided.values", kind, _WITH_SCHEMAS):
        found["values"] = options.values
    elif kind in _WITH_SCHEMAS:
        found["values"] = DEFAULT_VALUES
    return found


def _applies(name: str, kind: str, kinds: Sequence[str]) -> bool:
    if kind not in kinds:
        raise GrammarInputError(f"{name} applies to {' and '.join(kinds)} only; remove it")
    return True


def _choices(source: Any) -> Any:
    """vLLM writes a choice as JSON text where it is to be a key."""
    return json.loads(source) if isinstance(source, str) else source
