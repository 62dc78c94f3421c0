"""Of which types a schema permits a value to be, as grammars and readers ask it."""

from __future__ import annotations

from typing import Any

import pytest

from guided.grammars.json_paths import Path
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.json_schema.value_types import types_at
from guided.grammars.limits import Limits
from guided.grammars.styles import JSON_TYPES

NUMBER = {"type": "number"}
CASES: list[tuple[Any, str]] = [
    ({"properties": {"a": {"type": ["string", "integer"]}}}, "string number"),
    ({"properties": {"a": {"type": "string"}}, "patternProperties": {"^a": {"minLength": 1}}}, "string"),
    ({"patternProperties": {"^a": NUMBER}, "additionalProperties": {"type": "string"}}, "number"),
    ({"properties": {"b": True}, "additionalProperties": {"enum": [None, "x"]}}, "null string"),
    ({"allOf": [{"properties": {"a": {"type": ["string", "null"]}}}, {"properties": {"a": {"not": {"const": None}}}}]},
     "string"),
    ({"anyOf": [{"properties": {"a": NUMBER}}, {"properties": {"a": {"const": True}}}]}, "number boolean"),
    ({"oneOf": [{"type": "array"}, {"properties": {"a": {"type": "string"}}}]}, "string"),
    ({"$ref": "#/$defs/o", "$defs": {"o": {"properties": {"a": {"$ref": "#/$defs/s"}}}, "s": {"enum": ["x"]}}},
     "string"),
    ({"properties": {"a": {"anyOf": [{"not": {}}, {"type": "string"}]}}}, "string"),
    ({"properties": {"a": False}}, ""),
    ({"additionalProperties": False}, ""),
    ({"if": {"required": ["b"]}, "then": {"properties": {"a": NUMBER}},
      "properties": {"a": {"type": ["string", "number"]}}}, "string number"),
    ({"const": {"a": [1]}}, "array"),
    ({"dependentSchemas": {"b": {"properties": {"a": NUMBER}}}}, "number string"),
    ({"oneOf": [{"required": ["b"], "properties": {"a": {"enum": ["true"]}}}, {"required": ["c"]}]}, "string"),
    ({"anyOf": [{"properties": {"a": NUMBER}}, {"required": ["b"]}], "properties": {"a": {}}},
     " ".join(sorted(JSON_TYPES))),
    ({"anyOf": [{"patternProperties": {"a": NUMBER}}, {"required": ["b"]}]}, " ".join(sorted(JSON_TYPES))),
    ({"anyOf": [{"properties": {"a": NUMBER}, "required": ["b"]}, {"additionalProperties": {"type": "boolean"}}]},
     "number boolean"),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"n": NUMBER},
      "properties": {"a": {"$ref": "#/definitions/n", "type": "string"}}}, "number"),
]  # fmt: skip


def types(schema: Any, path: Path = (None, "a")) -> frozenset[str]:
    compiled = compile_schema(schema, resources=None, limits=Limits())
    return types_at(compiled.formula, path)


@pytest.mark.parametrize(("schema", "expected"), CASES)
def test_types_of_a_member(schema: Any, expected: str) -> None:
    assert types(schema) == set(expected.split())


def test_types_of_what_lies_deeper() -> None:
    schema = {
        "properties": {"a": {"prefixItems": [NUMBER], "items": {"additionalProperties": {"type": "boolean"}}}},
    }
    assert types(schema, ((None, "a"), 0)) == {"number"}
    assert types(schema, (((None, "a"), 1), "b")) == {"boolean"}
    assert types(schema, ((None, "a"), 1)) == JSON_TYPES
    recursive = {"properties": {"a": {"$ref": "#"}, "b": NUMBER}}
    assert types(recursive, ((((None, "a"), "a"), "a"), "b")) == {"number"}


def test_types_of_a_formula_itself() -> None:
    assert types({"type": ["object", "string"]}, None) == {"object", "string"}
