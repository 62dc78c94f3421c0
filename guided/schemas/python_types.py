"""JSON Schemas of Python types: what `json_schema=` accepts everywhere in `guided`.

Pydantic describes the types (models, dataclasses, TypedDicts, enums, `list[Model]`, `Literal[...]`). The schema
describes the type's *input*: a field with a default is optional. Each field stands where the type reads it
(field_places.py). An object with declared fields is closed, since the type would drop other keys. An object is open if
the type accepts other keys (Pydantic's `extra="allow"`).

A type has two schemas. `to_json_schema` returns the one to show to a model or a reader. `grammar_schema` returns the
one to generate by. The latter adds the type's own rules (type_rules.py), so that the type accepts everything that fits.
"""

from __future__ import annotations

import json
import typing
from functools import lru_cache
from typing import Any

import typing_extensions

from guided.grammars.errors import InvalidInputError, InvalidSchemaError, LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.schema_input import parse_schema

from .typed_dicts import readable

SchemaLike = Any
"""A JSON Schema (dict or bool), its JSON text, or a type that Pydantic can describe."""

TYPE_ALIASES = (typing_extensions.TypeAliasType, getattr(typing, "TypeAliasType", typing_extensions.TypeAliasType))
_EXPECTED = "expected a dict, a bool, JSON text, a Pydantic model, a dataclass, a TypedDict or an Enum"


def to_json_schema(schema: SchemaLike, limits: Limits | None = None) -> dict[str, Any] | bool:
    """The JSON Schema of `schema`. A dict or bool is returned unchanged; `compile_grammar` checks it later.

    limits: limits on JSON text; None: `Limits()`.
    Raises InvalidSchemaError for text that is no JSON Schema and LimitExceededError for text over the limits. Raises
    InvalidInputError for an object of another kind and for a type that JSON can't represent.
    """
    if isinstance(schema, dict | bool):
        return schema
    if isinstance(schema, str):
        return _schema_of_text(schema, Limits() if limits is None else limits)
    if is_type(schema):
        return _schema_of_type(schema)
    is_instance = hasattr(type(schema), "model_fields") or hasattr(type(schema), "__dataclass_fields__")
    hint = f"pass the class {type(schema).__name__}, not an instance of it" if is_instance else _EXPECTED
    raise InvalidInputError(f"no JSON Schema of {_shown(schema)}: {hint}")


def grammar_schema(schema: SchemaLike, limits: Limits | None = None) -> dict[str, Any] | bool:
    """The JSON Schema for generating values; a Python type accepts every value that fits it.

    For a JSON Schema it equals `to_json_schema`, whose errors it also raises. Raises InvalidInputError for types whose
    values no schema can describe, such as a path that must exist.
    """
    return _schema_of_type(schema, has_rules=True) if is_type(schema) else to_json_schema(schema, limits)


def is_type(schema: SchemaLike) -> bool:
    """True for a Python type or annotation, False for a JSON Schema or any other object."""
    if isinstance(schema, dict | str | bool):
        return False
    return isinstance(schema, (type, typing.NewType, *TYPE_ALIASES)) or typing.get_origin(schema) is not None


def is_valid_schema(schema: Any) -> bool:
    """True if data is a JSON Schema by its meta-schema and within the default limits."""
    return _draft_of(schema) is not None


def with_draft(schema: dict[str, Any] | bool) -> dict[str, Any] | bool:
    """A schema with `$schema` first, if it names no draft and is valid in an older one only; else as it is."""
    draft = None if isinstance(schema, bool) or "$schema" in schema else _draft_of(schema)
    return {"$schema": draft, **schema} if draft and isinstance(schema, dict) else schema


def _draft_of(schema: Any) -> str | None:
    """The draft that a schema names, or the older draft that it needs; "" for neither, None for an invalid schema."""
    try:
        text = json.dumps(schema)
    except (TypeError, ValueError, RecursionError):  # JSON can't write the value
        return None
    return _draft_of_text(text)


@lru_cache(maxsize=64)
def _draft_of_text(text: str) -> str | None:
    """PERF: cached, since checking takes 3 ms and each call of `extract` checks its schema."""
    from guided.grammars.backends.meta_schema import read_schema

    try:
        schema = read_schema(text, Limits())
    except (InvalidSchemaError, LimitExceededError):
        return None
    return "" if isinstance(schema, bool) else schema.get("$schema", "")


def _schema_of_text(text: str, limits: Limits) -> dict[str, Any] | bool:
    schema = parse_schema(text, limits)
    if not isinstance(schema, dict | bool):
        raise InvalidSchemaError("a schema is a JSON object or a boolean")
    return schema


def type_adapter(annotation: Any) -> Any:
    """Pydantic's adapter of a type, including `typing.TypedDict` on any Python version. Raises what Pydantic raises."""
    import pydantic

    return pydantic.TypeAdapter(readable(annotation))


def _schema_of_type(annotation: Any, *, has_rules: bool = False) -> dict[str, Any]:
    import pydantic

    from .field_places import FieldPlaces
    from .type_rules import TypeRules

    try:
        adapter = type_adapter(annotation)
        generator = TypeRules if has_rules else FieldPlaces
        schema: dict[str, Any] = adapter.json_schema(mode="validation", schema_generator=generator)
    except (pydantic.errors.PydanticUserError, pydantic.errors.PydanticUndefinedAnnotation) as error:
        reason = str(error).splitlines()[0]
        raise InvalidInputError(f"no JSON Schema of {_shown(annotation)}: {reason}; {_EXPECTED}") from None
    _close_objects(schema)
    return schema


def _close_objects(schema: Any) -> None:
    """Add "additionalProperties": false, in place, to objects that declare properties and say nothing about others.

    Parts of `allOf` are skipped, since they apply to the same object.
    """
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object" and "properties" in schema:
        schema.setdefault("additionalProperties", False)
    for keyword in ("$defs", "properties", "patternProperties"):
        for part in schema.get(keyword, {}).values():
            _close_objects(part)
    for keyword in ("anyOf", "oneOf", "prefixItems"):
        for part in schema.get(keyword, ()):
            _close_objects(part)
    for keyword in ("items", "additionalProperties"):
        _close_objects(schema.get(keyword))


def _shown(value: Any) -> str:
    text = getattr(value, "__qualname__", None) or repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
