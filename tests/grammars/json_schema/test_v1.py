"""`https://json-schema.org/v1`: 2020-12 with `propertyDependencies`; dynamic references need no anchor of their own."""

import pytest

import guided
from guided.grammars.errors import InvalidSchemaError
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary

BYTES = byte_vocabulary()

V1 = "https://json-schema.org/v1"


def accepts(schema, text, **options):
    grammar = guided.compile_grammar(BYTES, json_schema=schema, whitespace="compact", **options)
    matcher = grammar.matcher()
    return accept_bytes(matcher, text.encode()) and matcher.is_accepting()


@pytest.mark.parametrize("name", [V1, V1 + "#", "http://json-schema.org/v1", V1 + "/2026"])
def test_spellings(name):
    assert accepts({"$schema": name, "prefixItems": [{"const": 1}], "items": False}, "[1]")
    assert not accepts({"$schema": name, "prefixItems": [{"const": 1}], "items": False}, "[1,1]")


def test_other_names_stay_unknown():
    for name in ("https://json-schema.org/v2", V1 + "/schema", V1 + "/1999"):
        with pytest.raises(InvalidSchemaError, match="unknown draft"):
            guided.compile_grammar(BYTES, json_schema={"$schema": name})


PROPERTY = {
    "$schema": V1,
    "type": "object",
    "propertyDependencies": {"kind": {"a": {"required": ["x"]}, "b": {"properties": {"y": {"const": 1}}}}},
    "properties": {"kind": {"enum": ["a", "b", "c"]}, "x": {"type": "integer"}, "y": {"type": "integer"}},
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [
        ('{"kind":"a","x":1}', True),
        ('{"kind":"a"}', False),
        ('{"kind":"b","y":1}', True),
        ('{"kind":"b","y":2}', False),
        ('{"kind":"c","y":2}', True),
        ('{"y":2}', True),
        ('{"y":2,"kind":"a","x":3}', True),
        ('{"y":2,"kind":"b"}', False),
    ],
)
def test_property_dependencies(text, is_valid):
    assert accepts(PROPERTY, text, property_order="any") is is_valid


def test_property_dependencies_evaluate_properties():
    schema = {
        "$schema": V1,
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "propertyDependencies": {"kind": {"a": {"properties": {"x": True}}}},
        "unevaluatedProperties": False,
    }
    assert accepts(schema, '{"kind":"a","x":1}')
    assert not accepts(schema, '{"kind":"b","x":1}')


def test_property_dependencies_of_a_wrong_form_and_of_another_draft():
    for value in ([], {"a": []}, {"a": {"b": 1}}):
        with pytest.raises(InvalidSchemaError):
            guided.compile_grammar(BYTES, json_schema={"$schema": V1, "propertyDependencies": value})
    assert accepts({"propertyDependencies": {"a": {"b": False}}}, '{"a":"b"}')  # an annotation in 2020-12


def test_dynamic_references_need_no_anchor_where_they_stand():
    schema = {
        "$schema": V1,
        "$id": "https://example.com/strings",
        "$ref": "list",
        "$defs": {
            "item": {"$dynamicAnchor": "item", "type": "string"},
            "list": {"$id": "list", "type": "array", "items": {"$dynamicRef": "#item"}},
        },
    }
    assert accepts(schema, '["a"]')
    assert not accepts(schema, "[1]")
