"""Reading a schema: what is not JSON, not a schema, or too much."""

from __future__ import annotations

import time
from typing import Any

import pytest

from guided.grammars.backends.meta_schema import DEFAULT_DIALECT, DIALECTS, dialect_of, read_schema
from guided.grammars.errors import InvalidSchemaError, LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.schema_input import json_text


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "null"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    ("schema", "pointer", "reason"),
    [
        ("{", "", "not JSON: Expecting property name enclosed in double quotes (line 1, column 2)"),
        ("", "", "not JSON"),
        ("[]", "", "a schema is a JSON object or a boolean, not an array"),
        ("null", "", "not a Python NoneType"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "", "the key 'c' occurs twice"),
        ('{"const": NaN}', "", "NaN is not JSON"),
        ('{"const": 1e999}', "/const", "inf is not a JSON number"),
        ('{"const": ' + "9" * 5000 + "}", "", "an integer of more than 4000 digits"),
        ({"const": 10**5000}, "/const", "too long"),
        ({"enum": [1, float("nan")]}, "/enum/1", "nan is not a JSON number"),
        ({"enum": [(1, 2)]}, "/enum/0", "a Python tuple is not JSON"),
        ({"properties": {"a/b": {1: 2}}}, "/properties/a~1b", "the key 1 is not a string"),
        ({"const": "\ud800"}, "/const", "lone surrogate"),
        ({"properties": {"\udc00": {}}}, "/properties", "lone surrogate"),
        ({"type": "objekt"}, "/type", "'objekt' is not one of"),
        ({"properties": {"a": {"minLength": -1}}}, "/properties/a/minLength", "-1 is less than the minimum of 0"),
        ({"properties": {"a": 1}}, "/properties/a", "1 is not of type"),
        ({"required": ["a", "a"]}, "/required", "non-unique"),
        (
            {"$schema": "https://example.com/mine"},
            "/$schema",
            "unknown draft 'https://example.com/mine'; known are http",
        ),
        ({"$schema": 1}, "/$schema", "unknown draft 1"),
    ],
)
def test_invalid_schema(schema: Any, pointer: str, reason: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        read_schema(schema, Limits())
    assert caught.value.pointer == pointer
    assert reason in caught.value.reason
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_text_and_object_give_the_same_schema() -> None:
    schema = {"type": "string", "title": "é", "enum": ["a", "b"], "$schema": "http://json-schema.org/draft-07/schema#"}
    assert read_schema(json_text(schema), Limits()) == read_schema(schema, Limits()) == schema
    assert list(read_schema(json_text(schema), Limits())) == list(schema)  # type: ignore[arg-type]
    assert read_schema("true", Limits()) is True


@pytest.mark.parametrize(
    ("uri", "dialect"),
    [
        ("http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema"),
        ("http://json-schema.org/draft-07/schema", "http://json-schema.org/draft-07/schema"),
        ("https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2019-09/schema"),
    ],
)
def test_dialect(uri: str, dialect: str) -> None:
    assert dialect_of({"$schema": uri}) == dialect
    assert dialect_of({}) == dialect_of(True) == "https://json-schema.org/draft/2020-12/schema"


def test_each_draft_has_its_own_rules() -> None:
    draft_4 = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True}
    assert read_schema(draft_4, Limits()) == draft_4
    with pytest.raises(InvalidSchemaError):
        read_schema({"$schema": DEFAULT_DIALECT, "minimum": 1, "exclusiveMinimum": True}, Limits())
    v1 = {"$schema": "https://json-schema.org/v1", "propertyDependencies": {"a": {"b": {}}}}
    assert read_schema(v1, Limits()) == v1
    with pytest.raises(InvalidSchemaError):
        read_schema({**v1, "type": "any"}, Limits())


@pytest.mark.parametrize(
    ("schema", "draft"),
    [({"properties": {"a": {"items": [{}]}}}, "07"), ({"minimum": 1, "exclusiveMinimum": True}, "04")],
)
def test_a_schema_of_an_older_draft_without_its_name(schema: dict[str, Any], draft: str) -> None:
    assert read_schema(schema, Limits()) == {"$schema": f"http://json-schema.org/draft-{draft}/schema", **schema}


def test_size_limit() -> None:
    limits = Limits(max_schema_bytes=30)
    assert read_schema({"title": "a" * 18}, limits)
    for schema in ({"title": "a" * 19}, {"title": "é" * 10}, '{"title": "' + "a" * 20 + '"}'):
        with pytest.raises(LimitExceededError, match="max_schema_bytes = 30 bytes"):
            read_schema(schema, limits)


def test_depth_limit() -> None:
    assert read_schema(nested(40), Limits())
    with pytest.raises(LimitExceededError, match="max_schema_depth = 20"):
        read_schema(nested(12), Limits(max_schema_depth=20))
    for text in ('{"a":' * 100_000, "[" * 100_000):
        with pytest.raises(LimitExceededError, match="max_schema_depth"):
            read_schema(text, Limits())


def test_a_schema_that_holds_itself_is_an_error() -> None:
    schema: dict[str, Any] = {}
    schema["properties"] = {"a": schema}
    with pytest.raises(LimitExceededError, match="max_schema_depth"):
        read_schema(schema, Limits())


def test_shared_parts_are_counted_as_often_as_they_are_written() -> None:
    shared: dict[str, Any] = {}
    for _ in range(50):
        shared = {"anyOf": [shared, shared]}
    with pytest.raises(LimitExceededError, match="max_schema_bytes"):
        read_schema(shared, Limits(max_schema_bytes=10_000))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_unique_items_are_checked_in_linear_time(dialect: str) -> None:
    """Objects can't be sorted, and 5,000 of them are 12 million pairs, three times: 40 s."""
    objects = [{"a": i} for i in range(5_000)]
    schema = {"$schema": dialect, "enum": objects, "properties": {"p": {"enum": objects}}}
    wrong = {"$schema": dialect, "properties": {"p": {"items": {"required": objects}}}}
    started = time.process_time()
    assert read_schema(schema, Limits()) == schema
    with pytest.raises(InvalidSchemaError):
        read_schema(wrong, Limits())
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("values", "is_unique"),
    [
        ([1, True, 0, False, "1", None, [1], [True], {"a": 1}, {"a": True}], True),
        ([1, 1.0], False),
        ([{"a": 1, "b": [0]}, {"b": [0.0], "a": 1}], False),
        ([0, -0.0], False),
        ([10**400, 10**400 + 1, 1e300, 0.1, 0.2], True),
    ],
)
def test_unique_items_follow_json_equality(values: list[Any], is_unique: bool) -> None:
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "not": {"enum": values}}
    if is_unique:
        assert read_schema(schema, Limits()) == schema
        return
    with pytest.raises(InvalidSchemaError, match="non-unique") as caught:
        read_schema(schema, Limits())
    assert caught.value.pointer == "/not/enum"
