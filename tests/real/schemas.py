"""Twenty schemas whose documents are short: for tests of SmolLM2 in our engine and in llama.cpp."""

from __future__ import annotations

from typing import Any


def closed(**properties: Any) -> dict[str, Any]:
    """An object with exactly these members."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


WORD = {"type": "string", "maxLength": 12}
SMALL = {"type": "integer", "minimum": 0, "maximum": 99}
CITY = closed(city={"type": "string"}, unit={"enum": ["c", "f"]})

SCHEMAS: list[dict[str, Any]] = [
    CITY,
    {"type": "array", "items": SMALL, "minItems": 3, "maxItems": 5},
    {"enum": ["Paris", "London"]},
    closed(when={"type": "string", "format": "date"}),
    {"type": "string", "pattern": "^[A-Z][a-z]{2,8}$"},
    {"anyOf": [{"type": "null"}, closed(name=WORD)]},
    {"type": "boolean"},
    closed(name=WORD, age=SMALL),
    closed(a={"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.01}),
    {"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": True, "minItems": 2},
    {"type": "object", "additionalProperties": SMALL, "minProperties": 1, "maxProperties": 2},
    {"const": {"fixed": [1, "two", None]}},
    {"type": ["integer", "null"], "maximum": 50, "minimum": -50},
    {"type": "array", "prefixItems": [WORD, SMALL], "items": False, "minItems": 2},
    {"oneOf": [closed(kind={"const": "x"}, size=SMALL), closed(kind={"const": "y"}, name=WORD)]},
    {"$defs": {"leaf": closed(n=SMALL)}, **closed(left={"$ref": "#/$defs/leaf"}, right={"$ref": "#/$defs/leaf"})},
    {"type": "string", "format": "time"},
    {"allOf": [{"type": "integer", "minimum": 10}, {"maximum": 20}]},
    {"if": {"type": "string"}, "then": {"maxLength": 5}, "else": {"const": 0}},
    closed(tags={"type": "array", "items": WORD, "maxItems": 2}, note={"type": ["string", "null"], "maxLength": 10}),
]
