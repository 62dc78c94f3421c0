"""JSON Schemas of Python types: what `json_schema=` takes anywhere in `guided`.

Pydantic describes the types (models, dataclasses, TypedDicts, enums, `list[Model]`, `Literal[...]`); the schema is the
one of *input* to the type, so that a field with a default is optional. Keys that the type would drop are not asked
for: an
object of declared fields is closed, unless the type says what else it takes (Pydantic's `extra="allow"`).
"""

from __future__ import annotations

import typing
from typing import Any

from guided.grammars.errors import InvalidInputError, InvalidSchemaError
from guided.grammars.limits import Limits
from guided.grammars.schema_input import parse_schema

SchemaLike = Any
"""A JSON Schema (dict or bool), its JSON text, or a type that Pydantic can describe."""

_EXPECTED = "expected a dict, a bool, JSON text, a Pydantic model, a dataclass, a TypedDict or an Enum"


def to_json_schema(schema: SchemaLike, limits: Limits | None = None) -> dict[str, Any] | bool:
    """The JSON Schema of `schema`. A dict or bool is handed back as it is; `compile_grammar` checks it.

    limits: on JSON text; None is `Limits()`.
    Raises InvalidSchemaError for text that is not JSON or no schema, LimitExceededError for text over the limits,
    InvalidInputError for an object that is none of the types, or for a type that has no JSON form.
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


def is_type(schema: SchemaLike) -> bool:
    """True for a Python type or annotation, False for a JSON Schema (or what is neither)."""
    return isinstance(schema, type) or typing.get_origin(schema) is not None


def _schema_of_text(text: str, limits: Limits) -> dict[str, Any] | bool:
    schema = parse_schema(text, limits)
    if not isinstance(schema, dict | bool):
        raise InvalidSchemaError("a schema is a JSON object or a boolean")
    return schema


def _schema_of_type(annotation: Any) -> dict[str, Any]:
    import pydantic

    try:
        schema = pydantic.TypeAdapter(annotation).json_schema(mode="validation")
    except (pydantic.errors.PydanticUserError, pydantic.errors.PydanticUndefinedAnnotation) as error:
        reason = str(error).splitlines()[0]
        raise InvalidInputError(f"no JSON Schema of {_shown(annotation)}: {reason}; {_EXPECTED}") from None
    _close_objects(schema)
    return schema


def _close_objects(schema: Any) -> None:
    """Add "additionalProperties": false, in place, to the objects with declared properties that say nothing about
    others.

    Not below `allOf`, whose parts see each other's keys.
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
