"""Schemas that some value surely satisfies, as their keywords alone show: most are, and need no search."""

from __future__ import annotations

from typing import Any

_CONSTRAINING = frozenset(
    {
        *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
        *("type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems", "contains"),
        *("minContains", "maxContains", "prefixItems", "unevaluatedItems", "required", "minProperties"),
        *("maxProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies"),
        *("unevaluatedProperties", "extends", "disallow"),
    }
)


def is_surely_satisfiable(schema: dict[str, Any]) -> bool:
    """True when its keywords leave no doubt; False where one would have to look. The schema is checked.

    With no more than a type and keywords about what is inside of containers, {}, [], "" or 0 satisfies it; with
    `enum` and
    at most "type": "string", any of its strings; with an upper bound on a string's length, "".
    """
    keywords = _CONSTRAINING.intersection(schema)
    if not keywords or keywords == {"type"}:
        return True
    if keywords <= {"type", "enum"}:
        return schema.get("type", "string") == "string" and any(isinstance(one, str) for one in schema["enum"])
    return keywords == {"type", "maxLength"} and schema["type"] == "string"
