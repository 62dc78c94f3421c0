"""An error about a schema without documents names the smallest part that has no value."""

from __future__ import annotations

from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnsatisfiableError
from tests.fuzz.walks import VOCABULARY


def needs(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


NO_ENUM: dict[str, Any] = {"enum": []}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (False, "false at the root"),
        (needs(x=NO_ENUM), "'enum' at '/properties/x'"),
        (needs(x=False), "false at '/properties/x'"),
        (
            needs(a={"type": "string"}, x=needs(**{"b/c": {"type": "integer", "minimum": 5, "maximum": 3}})),
            "'type', 'minimum' and 'maximum' at '/properties/x/properties/b~1c'",
        ),
        (
            {"type": "object", "required": ["abc"], "propertyNames": {"maxLength": 2}, "title": "t"},
            "'type', 'required' and 'propertyNames' at the root",
        ),
        (
            {**needs(q={}), "properties": {"p": {}}, "additionalProperties": False},
            "'type', 'required' and 'additionalProperties' at the root",
        ),
        ({**needs(x={"$ref": "#/$defs/X"}), "$defs": {"X": NO_ENUM}}, "'enum' at '/$defs/X'"),
        (needs(x={"$ref": "#"}), "'$ref' at '/properties/x'"),
        ({"allOf": [{"type": "string"}, {"type": "null"}, {}]}, "'allOf' at the root"),
        ({"allOf": [{}, NO_ENUM]}, "'enum' at '/allOf/1'"),
        ({"anyOf": [NO_ENUM, False]}, "'anyOf' at the root"),
        ({"oneOf": [NO_ENUM]}, "'enum' at '/oneOf/0'"),
        (
            {"$schema": "http://json-schema.org/draft-04/schema#", **needs(x={"enum": ["a"], "type": "null"})},
            "'enum' and 'type' at '/properties/x'",
        ),
        ({**needs(x={"$anchor": "x", **NO_ENUM}), "items": {"$ref": "#x"}}, "'enum' at '/properties/x'"),
    ],
)
def test_the_smallest_part(schema: Any, expected: str) -> None:
    with pytest.raises(UnsatisfiableError) as caught:
        compile_grammar(VOCABULARY, json_schema=schema)
    found = str(caught.value).removeprefix("no JSON document satisfies this schema: ")
    assert found.removesuffix(" together") in (f"{expected} allows no value", f"{expected} allow no value")


def test_large_schemas_cost_few_questions() -> None:
    """All values of 200 optional keys are empty; which one is to blame is found, or the search ends."""
    empty = {f"k{i}": needs(x=NO_ENUM) for i in range(200)}
    closed = {"type": "object", "properties": empty, "additionalProperties": False}
    with pytest.raises(UnsatisfiableError, match="'enum' at '/properties/a/properties/x'"):
        compile_grammar(
            VOCABULARY,
            json_schema={"properties": {**empty, "a": needs(x=NO_ENUM)}, "required": ["a"], "type": "object"},
        )
    with pytest.raises(UnsatisfiableError, match="at the root"):
        compile_grammar(VOCABULARY, json_schema=closed | {"minProperties": 2})


def test_schemas_inside_of_other_grammars() -> None:
    content = {"type": "json_schema", "json_schema": needs(x=NO_ENUM)}
    tag = {"type": "structural_tag", "format": {"type": "tag", "begin": "<a>", "content": content, "end": "</a>"}}
    where = "the schema at '/format/content/json_schema' has no document: 'enum' at '/properties/x'"
    with pytest.raises(UnsatisfiableError, match=where):
        compile_grammar(VOCABULARY, structural_tag=tag)
