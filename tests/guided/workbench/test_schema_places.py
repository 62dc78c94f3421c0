"""Which parts of a schema speak of a place in a document."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from guided import compile_grammar
from guided.grammars.errors import CompileCancelledError
from guided.grammars.json_paths import unescape
from guided.grammars.watch import Watch
from guided.schemas.document_place import DocumentPlace
from guided.workbench.inspection.match import match_text
from guided.workbench.inspection.samples import TextSampler
from guided.workbench.inspection.schema_places import MAX_PARTS, SchemaPlaces
from tests.cases.json_schema_cases import CASES
from tests.grammars.vocabularies import byte_vocabulary

SHOP: dict[str, Any] = {
    "properties": {
        "owner": {"$ref": "#/$defs/Person"},
        "parts": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"$ref": "#/$defs/Part"}},
        "city": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "pay": {
            "oneOf": [
                {"properties": {"by": {"const": "card"}, "number": {"type": "string"}}},
                {"properties": {"by": {"enum": ["cash", "coin"]}, "number": {"type": "integer"}}},
            ]
        },
        "named": {"$ref": "#anchor"},
    },
    "patternProperties": {"^x-": {"type": "number"}},
    "additionalProperties": {"type": "boolean"},
    "$defs": {
        "Person": {"properties": {"name": {"type": "string"}, "boss": {"$ref": "#/$defs/Person"}}},
        "Part": {"allOf": [{"type": "object"}, {"properties": {"a/b": {"type": "string"}}}]},
        "Other": {"$anchor": "anchor", "type": "string"},
    },
}
TABLE = [
    ("", [""]),
    ('{"ow', [""]),
    ('{"owner": ', ["/properties/owner", "/$defs/Person"]),
    ('{"owner": {"boss": {"name": "A', ["/$defs/Person/properties/name"]),
    ('{"parts": [', ["/properties/parts/prefixItems/0"]),
    ('{"parts": ["a", {', ["/properties/parts/items", "/$defs/Part", "/$defs/Part/allOf/0", "/$defs/Part/allOf/1"]),
    ('{"parts": ["a", {"a/b": ', ["/$defs/Part/allOf/1/properties/a~1b"]),
    ('{"city": ', ["/properties/city", "/properties/city/anyOf/0", "/properties/city/anyOf/1"]),
    ('{"city": n', ["/properties/city", "/properties/city/anyOf/1"]),
    ('{"city": "B', ["/properties/city", "/properties/city/anyOf/0"]),
    ('{"pay": {"by": "coin", "number": ', ["/properties/pay/oneOf/1/properties/number"]),
    ('{"pay": {"by": "card", "number": ', ["/properties/pay/oneOf/0/properties/number"]),
    ('{"named": "', ["/properties/named", "/$defs/Other"]),
    ('{"x-a": ', ["/patternProperties/^x-"]),
    ('{"other": ', ["/additionalProperties"]),
    ('{"owner": {}, "city": "B"', ["/properties/city", "/properties/city/anyOf/0"]),
    ('{"owner": {}}', [""]),
]


@pytest.mark.parametrize(("text", "pointers"), TABLE)
def test_parts(text: str, pointers: list[str]) -> None:
    places = SchemaPlaces(SHOP)
    assert [part.pointer for part in places.at(DocumentPlace.after(text.encode()))] == pointers


def test_of_the_older_drafts() -> None:
    schema = {"items": [{"type": "string"}], "additionalItems": {"type": "null"}, "definitions": {"a": {}}}
    places = SchemaPlaces(schema)
    assert [part.pointer for part in places.at(DocumentPlace.after(b'["'))] == ["/items/0"]
    assert [part.pointer for part in places.at(DocumentPlace.after(b'["a", '))] == ["/additionalItems"]


def test_of_the_container() -> None:
    place = DocumentPlace.after(b'{"owner": {"name": "A"')
    assert [part.pointer for part in SchemaPlaces(SHOP).of_container(place)] == ["/properties/owner", "/$defs/Person"]


def test_recursion_ends() -> None:
    schema = {"anyOf": [{"$ref": "#"}, {"$ref": "#/anyOf/0"}]}
    assert len(SchemaPlaces(schema).at(DocumentPlace())) == 3


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_pointers_lead_into_the_schema(case: Any) -> None:
    """For every beginning of a document that the grammar allows; the parts are what stands there."""
    text = (
        TextSampler(compile_grammar(byte_vocabulary(), json_schema=case.schema), seed=3, max_bytes=80).draw().encode()
    )
    places = SchemaPlaces(case.schema)
    for length in range(0, len(text) + 1, 3):
        for part in places.at(DocumentPlace.after(text[:length])):
            found: Any = case.schema
            for token in part.pointer.split("/")[1:]:
                found = found[int(token)] if isinstance(found, list) else found[unescape(token)]
            assert found is part.schema or found == part.schema


def test_patterns_of_names_are_looked_for_in_linear_time() -> None:
    """Python's `re` backtracks over "^(a+)+$" for longer than anybody waits."""
    places = SchemaPlaces({"patternProperties": {"^(a+)+$": {"type": "integer"}, "^(\\w+\\s?)*$": True}})
    place = DocumentPlace()
    place.feed(b'{"' + b"a" * 5000 + b'!":')
    began = time.process_time()
    assert [part.pointer for part in places.at(place)] == []
    assert time.process_time() - began < 0.5


def test_patterns_are_read_as_ecma_262() -> None:
    """`\\d` is ASCII."""
    places = SchemaPlaces({"patternProperties": {"^\\d$": {"type": "integer"}}})
    for name, pointers in (("1", ["/patternProperties/^\\d$"]), ("\u0661", [])):
        place = DocumentPlace()
        place.feed(f'{{"{name}":'.encode())
        assert [part.pointer for part in places.at(place)] == pointers


@pytest.mark.parametrize(
    ("schema", "text", "pointers"),
    [
        ({"additionalProperties": True}, '{"x": ', ["/additionalProperties"]),
        ({"additionalProperties": False}, '{"x": ', []),
        ({"items": True}, "[1", ["/items"]),
        ({"patternProperties": {"(": {}}}, '{"b": ', ["/patternProperties/("]),
        ({"if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"a": True}}}, '{"a": ',
         ["/if/properties/a", "/then/properties/a"]),
    ],
)  # fmt: skip
def test_all_parts_that_may_apply(schema: Any, text: str, pointers: list[str]) -> None:
    assert [part.pointer for part in SchemaPlaces(schema).at(DocumentPlace.after(text.encode()))] == pointers


def crossing(width: int) -> dict[str, Any]:
    """Each level has so many parts, and each of these leads to all of the next level."""
    members = {f"m{number}": {"properties": {"a": {"$ref": "#/$defs/n"}}} for number in range(width)}
    return {
        "$ref": "#/$defs/n",
        "$defs": {"n": {"allOf": [{"$ref": f"#/$defs/{name}"} for name in members]}, **members},
    }


def test_parts_are_bounded_at_each_level() -> None:
    """Without the bound this takes ten times as long."""
    places = SchemaPlaces(crossing(2000))
    began = time.process_time()
    assert len(places.at(DocumentPlace.after(b'{"a":' * 20))) == MAX_PARTS
    assert time.process_time() - began < 0.5


def test_words_of_parts_that_are_true() -> None:
    expected = match_text(compile_grammar(byte_vocabulary(), json_schema={"items": True, "minItems": 1}), "[").expected
    assert (expected.document, expected.schemas) == ("/0", ("/items",))


def test_a_watch_ends_the_search() -> None:
    cancel = threading.Event()
    cancel.set()
    places = SchemaPlaces({"allOf": [{}]})
    with pytest.raises(CompileCancelledError), Watch("compile_seconds", 9, cancel):
        places.at(DocumentPlace())
