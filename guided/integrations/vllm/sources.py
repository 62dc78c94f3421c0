"""Converts vLLM's `StructuredOutputsParams` to arguments of `compile_grammar`."""

from __future__ import annotations

import json
from typing import Any

from guided.grammars.errors import GrammarInputError

from .options import VllmOptions

_KINDS = {
    "json": "json_schema",
    "regex": "regex",
    "choice": "choice",
    "grammar": "ebnf",
    "structural_tag": "structural_tag",
}
_ANY_OBJECT: dict[str, Any] = {"type": "object"}
_ARGUMENTS = (
    *("json_schema", "regex", "choice", "ebnf", "structural_tag", "all_of"),
    *("dialect", "whitespace", "property_order", "values", "resources"),
)


def grammar_arguments(params: Any, options: VllmOptions) -> dict[str, Any]:
    """Arguments of `compile_grammar`, without the vocabulary.

    params: a `StructuredOutputsParams`.
    Raises GrammarInputError for fields that exclude each other or that this backend does not support.
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
    if options.arguments:
        return _given_arguments(name, params, options)
    kind = "json_schema" if name == "json_object" else _KINDS[name]
    source = _ANY_OBJECT if name == "json_object" else getattr(params, name)
    whitespaces = {
        "structured_outputs.disable_any_whitespace": "compact" if params.disable_any_whitespace else None,
        "structured_outputs.whitespace_pattern": params.whitespace_pattern,
    }
    given_source = _choices(source) if kind == "choice" else source
    return {kind: given_source, **options.compile_arguments(kind, whitespaces)}


def _given_arguments(name: str, params: Any, options: VllmOptions) -> dict[str, Any]:
    """The arguments that `structured_outputs.grammar` lists itself. Raises GrammarInputError."""
    if name != "grammar":
        raise GrammarInputError(f"guided.arguments applies to structured_outputs.grammar, not to {name}")
    beside = [
        one for one in ("whitespace", "property_order", "values", "resources", "dialect") if getattr(options, one)
    ]
    if beside or params.disable_any_whitespace or params.whitespace_pattern:
        raise GrammarInputError(
            f"beside guided.arguments, {', '.join(beside) or 'options of whitespace'} can't be given"
        )
    try:
        arguments = json.loads(params.grammar)
    except (ValueError, RecursionError) as error:
        raise GrammarInputError(f"guided.arguments: structured_outputs.grammar is no JSON text: {error}") from None
    if not isinstance(arguments, dict):
        raise GrammarInputError("guided.arguments: structured_outputs.grammar is no JSON object")
    unknown = [one for one in arguments if one not in _ARGUMENTS]
    if unknown:
        known = ", ".join(_ARGUMENTS)
        raise GrammarInputError(f"guided.arguments: unknown argument {unknown[0]!r}; known are {known}")
    for one in ("dialect", "whitespace", "property_order", "values"):
        if not isinstance(arguments.get(one, ""), str):
            raise GrammarInputError(f"guided.arguments: {one} is a {type(arguments[one]).__name__}; give a text")
    if not isinstance(arguments.get("resources", {}), dict):
        raise GrammarInputError("guided.arguments: resources is no object; give schemas by their URIs")
    return arguments


def _choices(source: Any) -> Any:
    """The choices. vLLM writes them as JSON text if it needs a key."""
    return json.loads(source) if isinstance(source, str) else source
