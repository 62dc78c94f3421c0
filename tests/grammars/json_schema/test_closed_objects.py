"""Schemas of arguments, closed: what fits them fits what was given, and invents no arguments."""

from __future__ import annotations

import copy
import json
import pickle
import random
import time
from typing import Any

import jsonschema
import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GrammarInputError, InvalidSchemaError, UnsupportedSchemaError
from guided.grammars.json_schema.closed_objects import close_all_objects, close_objects
from guided.tools import Tool
from guided.tools.definitions import ToolUse
from tests.fuzz.walks import VOCABULARY, takes

OPEN = {"type": "object", "properties": {"x": {"type": "integer"}}}
CLOSED = OPEN | {"additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "object", "properties": {}}, {"type": "object", "properties": {}, "additionalProperties": False}),
        (OPEN, CLOSED),
        (OPEN | {"additionalProperties": True}, OPEN | {"additionalProperties": True}),
        (OPEN | {"patternProperties": {"^y": {}}}, OPEN | {"patternProperties": {"^y": {}}}),
        (
            OPEN | {"required": ["x", "z"]},
            CLOSED | {"properties": {**OPEN["properties"], "z": True}, "required": ["x", "z"]},  # type: ignore[dict-item]
        ),
        ({"properties": {"a": OPEN, "b": {"type": "object"}}}, {"properties": {"a": CLOSED, "b": {"type": "object"}}}),
        ({"properties": {"a": {"items": OPEN}}}, {"properties": {"a": {"items": CLOSED}}}),
        ({"properties": {"a": {"anyOf": [OPEN, {}]}}}, {"properties": {"a": {"anyOf": [CLOSED, {}]}}}),
        ({"properties": {"a": {"oneOf": [OPEN, {}]}}}, {"properties": {"a": {"oneOf": [OPEN, {}]}}}),
        ({"properties": {"a": {"allOf": [OPEN, OPEN]}}}, {"properties": {"a": {"allOf": [OPEN, OPEN]}}}),
        ({"properties": {"a": {"allOf": [OPEN]}}}, {"properties": {"a": {"allOf": [CLOSED]}}}),
        ({"properties": {"a": {"not": OPEN}}}, {"properties": {"a": {"not": OPEN}}}),
        (
            {"properties": {"a": {"$ref": "#/$defs/P"}}, "$defs": {"P": OPEN}},
            {"properties": {"a": {"$ref": "#/$defs/P"}}, "$defs": {"P": CLOSED}},
        ),
        (
            {"properties": {"a": {"$ref": "#/$defs/P"}, "b": {"oneOf": [{"$ref": "#/$defs/P"}]}}, "$defs": {"P": OPEN}},
            {"properties": {"a": {"$ref": "#/$defs/P"}, "b": {"oneOf": [{"$ref": "#/$defs/P"}]}}, "$defs": {"P": OPEN}},
        ),
    ],
)
def test_what_is_closed(schema: dict[str, Any], expected: dict[str, Any]) -> None:
    before = copy.deepcopy(schema)
    closed = close_objects(schema)
    assert schema == before
    if "additionalProperties" not in expected and "patternProperties" not in expected:
        expected = {**expected, "additionalProperties": False}
    assert closed == expected


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "required": ["a"]},
        {"type": "object", "description": "any"},
        {"$ref": "#/$defs/P", "$defs": {"P": {"type": "object"}}},
        {"allOf": [{"type": "object"}, {"required": ["a"]}]},
    ],
)
def test_what_names_no_members_stays_open_at_the_top_as_within(schema: dict[str, Any]) -> None:
    assert close_objects(schema) == schema
    definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    within = {"type": "object", "properties": {"x": schema}, "additionalProperties": False, **definitions}
    assert close_objects(within) == within
    assert Tool("f", None, None).schema["additionalProperties"] is False, "without a schema it takes nothing"


def test_objects_that_several_schemas_describe() -> None:
    parts = {"type": "object", "allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}
    assert close_objects(parts) == parts | {"unevaluatedProperties": False}
    older = parts | {"$schema": "http://json-schema.org/draft-07/schema#"}
    assert close_objects(older) == older, "the keyword is not known there"


def test_schemas_that_lead_elsewhere_or_are_deep() -> None:
    elsewhere = {"properties": {"a": {"$ref": "other.json"}, "b": OPEN}}
    assert close_objects(elsewhere) == elsewhere | {"additionalProperties": False}
    deep: dict[str, Any] = OPEN
    for _ in range(600):
        deep = {"properties": {"a": deep}}
    closed = close_objects(deep)
    for _ in range(600):
        assert closed["additionalProperties"] is False
        closed = closed["properties"]["a"]
    assert closed["additionalProperties"] is False
    odd = {"properties": {"a": {"properties": 3, "allOf": 4, "items": "x"}}, "required": 5}
    assert close_objects(odd) == odd, "to be refused when it is compiled"


def test_strict_false_opens() -> None:
    tools = [
        {"type": "function", "function": {"name": f"f{index}", "parameters": OPEN, **more}}
        for index, more in enumerate([{}, {"strict": None}, {"strict": True}, {"strict": False}])
    ]
    schemas = [tool.schema for tool in ToolUse.of(tools).tools]
    assert schemas == [CLOSED, CLOSED, CLOSED, OPEN]
    assert Tool("f", None, OPEN).definition["function"]["parameters"] == OPEN, "the model is shown what was given"


def random_schema(rng: random.Random, depth: int = 0) -> Any:
    """A schema of few words, in which applicators are nested."""
    if depth > 3 or rng.random() < 0.2:
        return rng.choice([{}, True, {"type": "integer"}, {"type": "object"}, {"$ref": "#/$defs/P"}])
    schema: dict[str, Any] = {}
    if rng.random() < 0.7:
        schema["properties"] = {name: random_schema(rng, depth + 1) for name in rng.sample("abc", rng.randint(0, 2))}
    if rng.random() < 0.3:
        schema["required"] = rng.sample("abc", 1)
    for keyword in rng.sample(["allOf", "anyOf", "oneOf"], rng.choice([0, 0, 1, 2])):
        schema[keyword] = [random_schema(rng, depth + 1) for _ in range(rng.randint(1, 2))]
    for keyword in rng.sample(["not", "if", "then", "else", "additionalProperties"], rng.choice([0, 0, 0, 1, 2])):
        schema[keyword] = random_schema(rng, depth + 1)
    return schema


def random_value(rng: random.Random, depth: int = 0) -> Any:
    if depth > 2 or rng.random() < 0.3:
        return rng.choice([1, "s", {}])
    return {name: random_value(rng, depth + 1) for name in rng.sample("abcd", rng.randint(0, 3))}


def test_a_closed_schema_is_never_wider() -> None:
    rng = random.Random(1)
    num_narrowed = 0
    for _ in range(400):
        schema = {**random_dict(rng), "$defs": {"P": without_references(random_dict(rng))}}
        given, closed = (jsonschema.Draft202012Validator(one) for one in (schema, close_objects(schema)))
        for _ in range(12):
            value = random_value(rng)
            if not isinstance(value, dict):
                continue
            if closed.is_valid(value):
                assert given.is_valid(value), (schema, value)
            else:
                num_narrowed += given.is_valid(value)
    assert num_narrowed > 100


def without_references(value: Any) -> Any:
    if isinstance(value, list):
        return [without_references(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: without_references(item) for key, item in value.items() if key != "$ref"}


def random_dict(rng: random.Random) -> dict[str, Any]:
    schema = random_schema(rng)
    return schema if isinstance(schema, dict) else {}


A_AND_B = {"allOf": [{"$ref": "#/$defs/A"}, {"properties": {"b": {}}}], "$defs": {"A": {"properties": {"a": OPEN}}}}


@pytest.mark.parametrize(
    ("schema", "allowed", "refused"),
    [
        (OPEN, {"x": 1}, {"y": 1}),
        ({"items": {"oneOf": [OPEN, {"properties": {"y": OPEN}, "required": ["y"]}]}}, [{"y": {}}], [{"y": {"z": 1}}]),
        ({"properties": {"c": A_AND_B}, "$defs": A_AND_B["$defs"]}, {"c": {"a": {"x": 1}, "b": 1}}, {"c": {"d": 1}}),
        ({"if": OPEN, "then": {"properties": {"b": OPEN}}}, {"b": {"x": 1}}, {"b": {"y": 1}}),
        ({**OPEN, "additionalProperties": {"type": "null"}}, {"y": None}, {"y": 1}),
        ({"type": "object"}, {"y": 1}, []),
        (
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "items": {"$ref": "#/definitions/A"},
                "definitions": {"A": OPEN},
            },
            [{"x": 1}],
            [{"y": 1}],
        ),
    ],
)
def test_objects_closed_everywhere_as_asked(schema: dict[str, Any], allowed: Any, refused: Any) -> None:
    grammar = compile_grammar(VOCABULARY, json_schema=schema, objects="closed", whitespace="compact")
    texts = [json.dumps(value, separators=(",", ":")).encode() for value in (allowed, refused)]
    assert [takes(grammar.matcher(), text) for text in texts] == [True, False]
    assert grammar.report[0].keyword == 'objects="closed"'
    assert not jsonschema.Draft202012Validator(close_all_objects(json.loads(json.dumps(schema)))).is_valid(refused)


def test_deep_objects_are_closed() -> None:
    schema, depth = OPEN, 105
    for _ in range(depth):
        schema = {"properties": {"a": schema}, "required": ["a"], "type": "object"}
    grammar = compile_grammar(VOCABULARY, json_schema=schema, objects="closed", whitespace="compact", cache=None)
    texts = [b'{"a":' * depth + inner + b"}" * depth for inner in (b'{"x":1}', b'{"y":1}')]
    assert [takes(grammar.matcher(), text) for text in texts] == [True, False]


@pytest.mark.parametrize("reference", ["#/$defs/a%20b", "#/%24defs/a b", "#/$defs/c/allOf/0"])
def test_references_are_followed_as_in_schemas(reference: str) -> None:
    schema = {"$defs": {"a b": OPEN, "c": {"allOf": [OPEN]}}, "properties": {"p": {"$ref": reference}}}
    grammar = compile_grammar(VOCABULARY, json_schema=schema, objects="closed", whitespace="compact", cache=None)
    assert [takes(grammar.matcher(), text) for text in (b'{"p":{"x":1}}', b'{"p":{"y":1}}')] == [True, False]
    assert close_objects(schema)["$defs"]["a b"]["additionalProperties"] is False or reference.endswith("0")


@pytest.mark.parametrize("index", ["01", "\uff10", "1", "9" * 5000])
def test_indexes_are_those_of_json_pointers(index: str) -> None:
    schema = {"allOf": [OPEN], "properties": {"p": {"$ref": f"#/allOf/{index}"}}}
    with pytest.raises(InvalidSchemaError, match="there is no"):
        compile_grammar(VOCABULARY, json_schema=schema, cache=None)
    with pytest.raises(UnsupportedSchemaError, match="each reference must be"):
        close_all_objects(schema)


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (
            {"$schema": "http://json-schema.org/draft-07/schema#", "items": A_AND_B, **A_AND_B},
            "its draft has no keyword",
        ),
        ({"properties": {"a": {"$anchor": "x"}, "b": {"$ref": "#x"}}}, "each reference must be a JSON pointer"),
    ],
)
def test_what_can_not_be_closed_is_refused(schema: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnsupportedSchemaError, match=reason):
        compile_grammar(VOCABULARY, json_schema=schema, objects="closed")


def test_full_patterns() -> None:
    schema = {"items": {"pattern": "a|b", "not": {"pattern": "b"}}, "enum": [["cac"], ["b"], ["a"]], "title": "t"}
    found = compile_grammar(VOCABULARY, json_schema=schema)
    full = compile_grammar(VOCABULARY, json_schema=schema, pattern="full")
    texts = [b'["cac"]', b'["b"]', b'["a"]']
    assert [takes(found.matcher(), text) for text in texts] == [True, False, True]
    assert [takes(full.matcher(), text) for text in texts] == [False, False, True]
    again = pickle.loads(pickle.dumps(full))
    assert (again.spec.readings, takes(again.matcher(), b'["cac"]')) == ({"pattern": "full"}, False)
    both = compile_grammar(
        VOCABULARY, all_of=[{"json_schema": schema, "pattern": "full"}, {"banned_substrings": ["x"]}]
    )
    assert both.report[0].keyword == 'pattern="full"'
    with pytest.raises(InvalidSchemaError, match=r"a \) without its \("):
        compile_grammar(VOCABULARY, json_schema={"pattern": "a)(b"}, pattern="full")
    for wrong in ({"regex": "a", "pattern": "full"}, {"json_schema": {}, "objects": "shut"}):
        with pytest.raises(GrammarInputError, match=r"apply to json_schema only|expected one of open, closed"):
            compile_grammar(VOCABULARY, **wrong)


def test_a_root_that_a_condition_refers_to_is_closed() -> None:
    """The reference leads to an open copy, since a narrower part of a `oneOf` could widen the whole schema."""
    child = {"oneOf": [{"$ref": "#"}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"x": {"type": "integer"}, "child": child}}
    closed = close_objects(schema)
    check = jsonschema.Draft202012Validator(closed).is_valid
    assert [check(one) for one in ({"x": 1}, {"x": 1, "child": {"x": 2, "y": 3}}, {"x": 1, "y": 2})] == [
        True,
        True,
        False,
    ]
    assert close_objects({**schema, "$defs": {"root": {}}})["$defs"].keys() == {"root", "root_"}


def test_long_chains_of_references_take_linear_time() -> None:
    count = 2000
    chain = {f"d{one}": {"$ref": f"#/$defs/d{one + 1}"} for one in range(count)}
    schema = {"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {**chain, f"d{count}": {"properties": {"z": {}}}}}
    begin_s = time.process_time()
    assert "additionalProperties" in close_objects(schema)
    assert time.process_time() - begin_s < 1.0  # it was 4.8
