"""`ValueBounds`: limits for values that the schema leaves open, so that a weak model's strings and numbers end.

Strings that must be quotes are already limited by the text and stay unchanged. `bounded(schema, bounds)` narrows a
schema only below `properties`, `items`, `prefixItems`, `additionalProperties`, `anyOf`, `allOf` and `$ref`. A `oneOf`
with a `discriminator` is narrowed, since its parts exclude each other. The schema stays unchanged at places whose
narrowing could allow further values, such as below `not`, and at targets of references from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from guided.grammars.errors import InvalidInputError

from .quote_places import QUOTE_KEYWORD
from .schema_walk import inside, starts, unsafe_ids, unshared

_MAPS = ("properties", "patternProperties")
_LISTS = ("anyOf", "allOf", "prefixItems")


@dataclass(frozen=True)
class ValueBounds:
    """Limits of values that a schema leaves open; None means no limit.

    Attributes:
        max_characters: length of a string without `maxLength`, `pattern`, `format`, `enum` and `const`.
        max_digits: digits before the point of a number without a bound on that side.
        max_items: items of an array without `maxItems`; members of an object without `maxProperties` and `properties`.

    Raises:
        InvalidInputError: for a limit below 1.
    """

    max_characters: int | None = 2000
    max_digits: int | None = 18
    max_items: int | None = 200

    def __post_init__(self) -> None:
        for name in ("max_characters", "max_digits", "max_items"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
                raise InvalidInputError(f"{name} must be at least 1 or None, not {value!r}")


def bounded(schema: dict[str, Any] | bool, bounds: ValueBounds) -> dict[str, Any] | bool:
    """The schema with the limits; the given schema is not changed. schema: must be valid."""
    if isinstance(schema, bool):
        return schema
    found: dict[str, Any] = unshared(schema)
    kept = unsafe_ids(found)
    for start in starts(found):
        for part in [start, *inside(start, ("$defs", "definitions"))]:
            _bound(part, bounds, kept)
    return found


def _bound(schema: Any, bounds: ValueBounds, kept: set[int]) -> None:
    if not isinstance(schema, dict) or "enum" in schema or "const" in schema or id(schema) in kept:
        return
    named = schema.get("type", ())
    types = {named} if isinstance(named, str) else set(named)
    is_plain = not schema.keys() & {"pattern", "format", "maxLength", QUOTE_KEYWORD}
    if "string" in types and is_plain and bounds.max_characters is not None:
        schema["maxLength"] = max(bounds.max_characters, schema.get("minLength", 0))
    if types & {"integer", "number"} and bounds.max_digits is not None:
        _bound_number(schema, 10**bounds.max_digits - 1)
    if bounds.max_items is not None:
        if "array" in types and "maxItems" not in schema:
            schema["maxItems"] = max(bounds.max_items, schema.get("minItems", 0))
        if "object" in types and "maxProperties" not in schema and "properties" not in schema:
            schema["maxProperties"] = max(
                bounds.max_items, schema.get("minProperties", 0), len(schema.get("required", ()))
            )
    for part in _inside(schema):
        _bound(part, bounds, kept)


def _bound_number(schema: dict[str, Any], most: int) -> None:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if isinstance(low, bool) or isinstance(high, bool):
        return
    if low is None and (high is None or high > -most):
        schema["minimum"] = -most
    if high is None and (low is None or low < most):
        schema["maximum"] = most


def _inside(schema: dict[str, Any]) -> list[Any]:
    """The schemas directly below that may be narrowed."""
    found = [part for keyword in _MAPS for part in schema.get(keyword, {}).values()]
    found += [part for keyword in _LISTS for part in schema.get(keyword, ())]
    if "discriminator" in schema:
        found += schema.get("oneOf", ())
    for keyword in ("items", "additionalProperties"):
        part = schema.get(keyword)
        found += part if isinstance(part, list) else [part]
    return found
