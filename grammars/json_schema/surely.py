"""Schemas that some value surely satisfies, as their keywords alone show: most are, and need no search."""

from __future__ import annotations

import math
from typing import Any

_CONSTRAINING = frozenset(
    {
        *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
        *("type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems", "contains"),
        *("minContains", "maxContains", "prefixItems", "unevaluatedItems", "required", "minProperties"),
        *("maxProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies"),
        "propertyDependencies",
        *("unevaluatedProperties", "extends", "disallow"),
    }
)


_MAX_LENGTH = 1000  # of the strings that are taken to exist without a look
_MAX_NUMBER = 10**15
_MAX_NESTING = 3  # of required members whose schemas are looked at


def is_surely_satisfiable(schema: dict[str, Any], nesting: int = 0) -> bool:
    """True when its keywords leave no doubt; False where one would have to look. The schema is checked.

    With no more than a type and keywords about what is inside of containers, {}, [], "" or 0 satisfies it; with
    `enum` and at most "type": "string", any of its strings. Strings may have bounds on their length, numbers bounds
    with an integer between them, and objects required members that are surely satisfiable themselves.
    """
    keywords = _CONSTRAINING.intersection(schema)
    if not keywords or keywords == {"type"}:
        return True
    if keywords <= {"type", "enum"}:
        return schema.get("type", "string") == "string" and any(isinstance(one, str) for one in schema["enum"])
    kind = schema.get("type")
    if kind == "string" and keywords <= {"type", "minLength", "maxLength"}:
        return bool(schema.get("minLength", 0) <= min(schema.get("maxLength", _MAX_LENGTH), _MAX_LENGTH))
    if kind in ("integer", "number") and keywords <= {"type", "minimum", "maximum"}:
        return _holds_an_integer(schema.get("minimum", -_MAX_NUMBER), schema.get("maximum", _MAX_NUMBER))
    if kind == "object" and keywords == {"type", "required"} and nesting < _MAX_NESTING:
        return _can_have_members(schema, nesting)
    return False


def _holds_an_integer(low: float, high: float) -> bool:
    return low >= -_MAX_NUMBER and high <= _MAX_NUMBER and math.ceil(low) <= math.floor(high)


def _can_have_members(schema: dict[str, Any], nesting: int) -> bool:
    """Whether all required members surely can be written, each apart from the others."""
    if "patternProperties" in schema:
        return False
    declared = schema.get("properties", {})
    for key in schema["required"]:
        member = declared[key] if key in declared else schema.get("additionalProperties", True)
        if member is True:
            continue
        if not isinstance(member, dict) or not is_surely_satisfiable(member, nesting + 1):
            return False
    return True
