"""Reads a user's arguments for one grammar into a `GrammarSpec`: exactly one kind, correct types, within the limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .combination import REGULAR_KINDS, read_combination, read_strings
from .errors import GrammarInputError, InvalidSchemaError, InvalidStructuralTagError, LimitExceededError
from .limits import Limits
from .quote_sources import read_sources
from .schema_input import ReadSchema, is_unicode, json_text, read_schema
from .spec import READINGS, VALUES, GrammarKind, GrammarSpec
from .watch import parts_of

MAX_CHOICES = 100_000
# signs of `x-quote` or {"type": "quote"}; JSON may escape the letters as \uXXXX
_OF_QUOTES = ("quote", "\\u")
PROPERTY_ORDERS = ("schema", "any")

_OPTION_TYPES = {"resources": "a dict of schemas by their URIs"}
_KINDS: tuple[GrammarKind, ...] = ("json_schema", "regex", "choice", "ebnf", "structural_tag", "all_of")


def read_spec(
    grammars: Mapping[GrammarKind, Any],
    limits: Limits,
    dialect: str | None = None,
    whitespace: str = "flexible",
    property_order: str = "schema",
    resources: Mapping[str, dict[str, Any] | bool] | None = None,
    values: str = "any",
    sources: Any = None,
    pattern: str = "search",
    objects: str = "open",
) -> GrammarSpec:
    """Read the arguments of `compile_grammar` into plain data.

    grammars: kind -> the argument given for it; None if none was given.
    values: forms of numbers and times, "any" or "canonical", for all schemas in the grammar.
    sources: name -> text to quote. A spec that certainly quotes nothing is returned without sources, so it can be
        cached.

    The other parameters are as in `compile_grammar`.
    Raises GrammarInputError, LimitExceededError, InvalidSchemaError, InvalidStructuralTagError,
    UnsupportedGrammarError.
    """
    readings = {"pattern": pattern, "objects": objects}
    spec = _grammar_spec(grammars, limits, dialect, whitespace, property_order, resources, values, readings)
    found = read_sources(sources, limits)
    if found is None:
        return spec
    if all(part.kind in REGULAR_KINDS for part in spec.parts or (spec,)):
        raise GrammarInputError(f"sources apply to grammars with quotes, and {spec.kind} can have none; remove them")
    return replace(spec, sources=found) if _may_quote(spec) else spec


def _may_quote(spec: GrammarSpec) -> bool:
    """Return False if no part can quote a source: none of its texts contains one of the words that quotes need."""
    texts = [spec.source, *[text for _, text in spec.resources]]
    return any(word in text for text in texts for word in _OF_QUOTES) or any(map(_may_quote, spec.parts))


def _grammar_spec(
    grammars: Mapping[GrammarKind, Any],
    limits: Limits,
    dialect: str | None,
    whitespace: str,
    property_order: str,
    resources: Mapping[str, dict[str, Any] | bool] | None,
    values: str,
    readings: Mapping[str, str],
) -> GrammarSpec:
    given = [kind for kind in _KINDS if grammars.get(kind) is not None]
    if len(given) != 1:
        wanted = ", ".join([f"{kind}=..." for kind in _KINDS])
        raise GrammarInputError(f"give exactly one grammar, {len(given)} are given; the kinds are {wanted}")
    kind, source = given[0], grammars[given[0]]
    if dialect is not None and kind != "ebnf":
        raise GrammarInputError("dialect applies to ebnf only; remove it")
    if property_order not in PROPERTY_ORDERS:
        raise GrammarInputError(f"property_order={property_order!r}; expected one of {', '.join(PROPERTY_ORDERS)}")
    if values not in VALUES:
        raise GrammarInputError(f"values={values!r}; expected one of {', '.join(VALUES)}")
    for name, value in readings.items():
        if value not in READINGS[name]:
            raise GrammarInputError(f"{name}={value!r}; expected one of {', '.join(READINGS[name])}")
    if kind == "json_schema":
        return _schema_spec(source, limits, whitespace, property_order, resources, values, readings)
    if (whitespace, property_order, resources or {}) != ("flexible", "schema", {}):
        raise GrammarInputError("whitespace, property_order and resources apply to json_schema only; remove them")
    if any(value != READINGS[name][0] for name, value in readings.items()):
        raise GrammarInputError("pattern and objects apply to json_schema only; remove them")
    if values != "any" and kind in REGULAR_KINDS:
        raise GrammarInputError(f"values applies to schemas, and {kind} has none; remove it")
    if kind == "choice":
        return _choice_spec(source, limits)
    if kind == "structural_tag":
        tag, text = _tag(source, limits)
        return GrammarSpec("structural_tag", text, values=values, read=(tag, ()))
    if kind == "all_of":
        return read_combination(source, limits, lambda part: _read_part(part, limits, values))
    if not isinstance(source, str):
        raise GrammarInputError(f"{kind} is a {type(source).__name__}; give it as a str")
    if kind == "regex":
        _check_bytes(source, "max_regex_bytes", limits.max_regex_bytes)
        return GrammarSpec("regex", source)
    _check_bytes(source, "max_ebnf_bytes", limits.max_ebnf_bytes)
    if dialect is not None and not isinstance(dialect, str):
        raise GrammarInputError(f"dialect is a {type(dialect).__name__}; give its name as a str")
    return GrammarSpec("ebnf", source, dialect=dialect or "", values=values)


def _read_part(part: Mapping[str, Any], limits: Limits, values: str) -> GrammarSpec:
    """Read one grammar of a combination.

    part: its kind and options, in the form that `compile_grammar` takes.
    values: default for parts that have schemas and do not give `values` themselves.
    """
    options = {name: value for name, value in part.items() if name not in _KINDS and value is not None}
    for name, value in options.items():
        if not isinstance(value, Mapping if name == "resources" else str):
            raise GrammarInputError(f"{name} is a {type(value).__name__}; give {_OPTION_TYPES.get(name, 'a str')}")
    sources: dict[GrammarKind, Any] = {kind: part.get(kind) for kind in _KINDS}
    if not any(sources[kind] is not None for kind in REGULAR_KINDS):
        options.setdefault("values", values)
    return read_spec(sources, limits, **options)


def _check_bytes(text: str, limit: str, maximum: int) -> None:
    if len(text.encode("utf-8", "surrogatepass")) > maximum:
        raise LimitExceededError(limit, maximum, "bytes")


def _schema_spec(
    schema: Any,
    limits: Limits,
    whitespace: str,
    property_order: str,
    resources: Mapping[str, dict[str, Any] | bool] | None,
    values: str,
    readings: Mapping[str, str],
) -> GrammarSpec:
    value, source = read_schema(schema, limits)
    if any(reading != READINGS[name][0] for name, reading in readings.items()):
        from .json_schema.other_readings import as_others_read

        value, source = read_schema(as_others_read(value, **readings), limits)
    others = [(uri, read_schema(resources[uri], limits)) for uri in sorted(resources)] if resources else []
    texts = tuple([(uri, document.text) for uri, document in others])
    read = (value, tuple([document.value for _, document in others]))
    spec = GrammarSpec("json_schema", source, whitespace, property_order, texts, values=values, read=read)
    return replace(spec, pattern=readings["pattern"], objects=readings["objects"])


def _choice_spec(choice: Any, limits: Limits) -> GrammarSpec:
    """Return the spec of a choice; duplicate strings are dropped, the order stays."""
    texts = read_strings(choice, "choice")
    different = list(dict.fromkeys(texts))
    if not 1 <= len(different) <= MAX_CHOICES:
        raise GrammarInputError(f"choice has {len(different)} different strings; give 1 to {MAX_CHOICES}")
    source = f"[{','.join([json_text(part)[1:-1] for part in parts_of(different)])}]"
    try:
        size = len(source.encode())
    except UnicodeEncodeError:
        index = next(place for place, text in enumerate(texts) if not is_unicode(text))
        raise GrammarInputError(f"choice[{index}] has a lone surrogate, which no text can hold") from None
    if size > limits.max_choice_bytes:
        raise LimitExceededError("max_choice_bytes", limits.max_choice_bytes, "bytes")
    return GrammarSpec("choice", source, read=(different, ()))


def _tag(tag: Any, limits: Limits) -> ReadSchema:
    """Read a structural tag, by the same rules as JSON Schemas."""
    if not isinstance(tag, dict | str):
        raise GrammarInputError(f"structural_tag is a {type(tag).__name__}; give a dict or its JSON text")
    try:
        read = read_schema(tag, limits)
    except InvalidSchemaError as error:
        is_other = error.reason.startswith("a schema is ")
        reason = "a structural tag is a JSON object" if is_other else error.reason
        raise InvalidStructuralTagError(reason, error.pointer) from None
    if not isinstance(read.value, dict):
        raise InvalidStructuralTagError("a structural tag is a JSON object")
    return read
