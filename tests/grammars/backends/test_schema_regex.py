"""JSON Schema as a regex: refusals, integer ranges, whitespace, proofs that oneOf is a choice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from guided.grammars.backends.meta_schema import DEFAULT_DIALECT, dialect_of, read_schema
from guided.grammars.backends.regex.rust import to_rust
from guided.grammars.backends.regex.syntax import EMPTY, EPSILON, Node
from guided.grammars.backends.schema_regex.builder import MAX_ONE_OF_BRANCHES, build_regex
from guided.grammars.backends.schema_regex.disjoint import DisjointnessProver
from guided.grammars.backends.schema_regex.json_text import punctuation
from guided.grammars.backends.schema_regex.numbers import integer_range
from guided.grammars.backends.schema_regex.places import points_at_schema, root_place
from guided.grammars.backends.schema_regex.strings import FORMATS, REFUSED_FORMATS
from guided.grammars.errors import InvalidInputError, InvalidSchemaError, LimitExceededError, UnsupportedSchemaError
from guided.grammars.limits import Limits
from tests.cases.json_schema_cases import REFUSED, RefusedCase, obj
from tests.grammars.backends.regex_matching import fits


def built(schema: Any, whitespace: str = "compact", limits: Limits | None = None) -> Node:
    limits = limits or Limits()
    return build_regex(read_schema(schema, limits), dialect_of(schema), whitespace, limits).node


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_refused_schemas(case: RefusedCase) -> None:
    with pytest.raises(UnsupportedSchemaError, match=re.escape(case.reason)) as caught:
        built(case.schema)
    assert caught.value.pointer == case.pointer
    assert caught.value.keyword == case.keyword


@pytest.mark.parametrize("low", [None, -1205, -100, -99, -10, -1, 0, 1, 9, 10, 95, 100, 999])
@pytest.mark.parametrize("high", [None, -1000, -101, -10, -9, -1, 0, 5, 10, 99, 100, 1010])
def test_integer_range(low: int | None, high: int | None) -> None:
    node = integer_range(low, high)
    edges = {bound + step for bound in (low or 0, high or 0) for step in (-1, 0, 1)}
    for value in (*range(-112, 113), -99999, -1300, -1206, -1000, 998, 999, 1000, 1009, 1011, 99999, *edges):
        is_inside = (low is None or value >= low) and (high is None or value <= high)
        assert fits(node, str(value)) == is_inside, value
    assert not fits(node, "-0")
    assert not fits(node, "007")
    assert (node is EMPTY) == (low is not None and high is not None and low > high)


@pytest.mark.parametrize(
    ("whitespace", "fitting", "others"),
    [
        ("compact", ['{"a":[1,2]}'], ['{"a": [1,2]}', '{"a":[1, 2]}', '{ "a":[1,2]}']),
        ("spaced", ['{"a": [1, 2]}'], ['{"a":[1,2]}', '{"a" : [1, 2]}', '{ "a": [1, 2] }']),
        (
            "flexible",
            ['{"a":[1,2]}', '{"a": [1, 2]}', '{\n "a"\t: [ \n1 , 2] }', '{ "a":[1,2]\n\n}'],
            ['{"a":   [1,2]}', ' {"a":[1,2]}', '{"a":[1,2]}\n', '{"a":[1,2]\r}'],
        ),
        (r"[ \n]+|\t", ['{ "a"\n: [ 1 , \n  2\t] }'], ['{"a": [1, 2]}', '{\t\t"a" : [ 1 , 2 ] }']),
        (" ?", ['{"a": [1 ,2] }', '{"a":[1,2]}'], ['{"a":  [1,2]}']),
    ],
)
def test_whitespace(whitespace: str, fitting: list[str], others: list[str]) -> None:
    numbers = {"type": "array", "items": {"type": "integer"}, "minItems": 1}
    node = built(obj({"a": numbers}, ("a",)), whitespace)
    for text in fitting:
        assert json.loads(text) == {"a": [1, 2]}
        assert fits(node, text), text
    for text in others:
        assert not fits(node, text), text


def test_empty_brackets_have_one_place_for_whitespace() -> None:
    node = built({"type": "object", "properties": {"a": {"type": "null"}}}, " ")
    assert fits(node, "{ }")
    assert not fits(node, "{  }")
    assert fits(node, '{ "a" : null }')


@pytest.mark.parametrize("whitespace", ["compcat", "", "a", r"\s", "[ ", "(?= )", r"[^\S\s]", "[ x]*", r" |\f"])
def test_wrong_whitespace_is_an_error(whitespace: str) -> None:
    if whitespace == "":
        assert punctuation(whitespace).inside is EPSILON  # a regex that matches nothing but the empty text
        return
    with pytest.raises(InvalidInputError, match="whitespace") as caught:
        built(obj({}), whitespace)
    assert "\n" not in str(caught.value)
    assert '"compact", "flexible", "spaced"' in str(caught.value)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"type": "integer"}, {"type": "string"}, True),
        ({"type": "integer"}, {"type": "number"}, False),
        ({"type": ["null", "string"]}, {"type": ["array", "null"]}, False),
        ({"const": 1}, {"type": "string"}, True),
        ({"const": 1}, {"type": "integer"}, False),
        ({"const": 1}, {"const": True}, True),
        ({"const": 1}, {"const": 1.0}, False),
        ({"const": {"a": 1, "b": 2}}, {"const": {"b": 2, "a": 1}}, False),
        ({"enum": ["a", "b"]}, {"enum": ["c"]}, True),
        ({"enum": ["a", None]}, {"type": "null"}, False),
        ({"enum": ["a"]}, {"type": ["null", "boolean"]}, True),
        ({"const": True}, {"type": "boolean"}, False),
        (False, {}, True),
        ({}, {"type": "null"}, False),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, {"const": 3}, True),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, {"oneOf": [{"const": 3}, {"const": 2}]}, False),
        ({"allOf": [{"const": 1}]}, {"$ref": "#/$defs/two"}, True),
        (obj({"k": {"const": 1}}, ("k",)), obj({"k": {"const": 2}}, ("k",)), True),
        (obj({"k": {"const": 1}}, ("k",)), obj({"k": {"const": 2}}), False),
        (obj({"k": {"const": 1}}, ("k",)), obj({"j": {"const": 2}}, ("k", "j")), False),
        (
            obj({"k": obj({"t": {"const": 1}}, ("t",))}, ("k",)),
            obj({"k": obj({"t": {"const": 2}}, ("t",))}, ("k",)),
            True,
        ),
    ],
)
def test_disjoint(first: Any, second: Any, expected: bool) -> None:
    root = root_place({"oneOf": [first, second], "$defs": {"two": {"const": 2}}}, DEFAULT_DIALECT)
    places = root.child("oneOf", 0), root.child("oneOf", 1)
    assert DisjointnessProver().are_disjoint(*places) == expected
    assert DisjointnessProver().are_disjoint(*places[::-1]) == expected


def test_prover_gives_up_after_its_steps() -> None:
    tagged = [{"anyOf": [obj({"k": {"const": i}}, ("k",)) for i in range(low, low + 30)]} for low in (0, 30)]
    root = root_place({"oneOf": tagged}, DEFAULT_DIALECT)
    places = root.child("oneOf", 0), root.child("oneOf", 1)
    assert DisjointnessProver().are_disjoint(*places)
    assert not DisjointnessProver(max_steps=1000).are_disjoint(*places)


def test_too_many_branches_of_one_of() -> None:
    with pytest.raises(UnsupportedSchemaError, match="oneOf"):
        built({"oneOf": [{"const": i} for i in range(MAX_ONE_OF_BRANCHES + 1)]})


@pytest.mark.parametrize(
    ("ref", "dialect", "expected"),
    [
        ("#", DEFAULT_DIALECT, True),
        ("#anchor", DEFAULT_DIALECT, True),
        ("#/$defs/a", DEFAULT_DIALECT, True),
        ("#/$defs/a", "http://json-schema.org/draft-07/schema", False),
        ("#/definitions/a", "http://json-schema.org/draft-07/schema", True),
        ("other#/properties/a/items/anyOf/0", DEFAULT_DIALECT, True),
        ("#/items/0/not", DEFAULT_DIALECT, True),
        ("#/properties/items/items", DEFAULT_DIALECT, True),
        ("#/properties", DEFAULT_DIALECT, False),
        ("#/anyOf/x", DEFAULT_DIALECT, False),
        ("#/components/schemas/a", DEFAULT_DIALECT, False),
        ("#/enum/0", DEFAULT_DIALECT, False),
    ],
)
def test_points_at_schema(ref: str, dialect: str, expected: bool) -> None:
    assert points_at_schema(ref, dialect) == expected


def test_reference_outside_the_checked_places_is_checked() -> None:
    with pytest.raises(InvalidSchemaError, match="5 is not one of") as caught:
        built({"$ref": "#/x/y", "x": {"y": {"type": 5}}})
    assert caught.value.pointer == "/x/y/type"


def test_references_that_overlap_are_checked_up_to_a_limit() -> None:
    """Both targets lie outside the checked places, and one holds the other: twice 4,000 bytes to check."""
    outer = {"anyOf": [{"const": "b" * 4000}, {"type": "null"}]}
    schema = {**obj({"p": {"$ref": "#/x/outer/anyOf/0"}, "q": {"$ref": "#/x/outer"}}), "x": {"outer": outer}}
    assert built(schema, limits=Limits(max_schema_bytes=9_000))
    with pytest.raises(LimitExceededError, match="max_schema_bytes"):
        built(schema, limits=Limits(max_schema_bytes=6_000))


def test_chain_of_references_meets_the_depth_limit() -> None:
    chain = {f"a{i}": {"$ref": f"#/$defs/a{i + 1}"} for i in range(100)} | {"a100": {"type": "null"}}
    schema = {"$ref": "#/$defs/a0", "$defs": chain}
    assert fits(built(schema), "null")
    with pytest.raises(LimitExceededError, match="max_schema_depth"):
        built(schema, limits=Limits(max_schema_depth=50))


def doubling(name: str, first: Any, pair_of: Callable[[Any], Any], depth: int = 30) -> dict[str, Any]:
    """Definitions `name`0 to `name``depth`, each with the one before in it twice."""
    before = ({"$ref": f"#/$defs/{name}{i}"} for i in range(depth))
    return {f"{name}0": first} | {f"{name}{i + 1}": pair_of(ref) for i, ref in enumerate(before)}


DOUBLINGS: dict[str, Callable[[Any], Any]] = {
    "optional items": lambda ref: {"type": "array", "prefixItems": [ref, ref], "items": False},
    "required items": lambda ref: {"type": "array", "prefixItems": [ref, ref], "items": False, "minItems": 2},
    "required keys": lambda ref: obj({"x": ref, "y": ref}, ("x", "y")),
    "optional keys": lambda ref: obj({"x": ref, "y": ref}),
    "anyOf": lambda ref: {"anyOf": [ref, ref]},
}


@pytest.mark.parametrize("name", DOUBLINGS)
@pytest.mark.parametrize("first", [{"type": "null"}, {"type": "integer"}, {"const": "long" * 100}])
def test_references_that_double_meet_the_size_limit(name: str, first: Any) -> None:
    """Thirty definitions, each twice the one before: the tree is shared, and the pattern would be 2**30 long."""
    node = built({"$ref": "#/$defs/d30", "$defs": doubling("d", first, DOUBLINGS[name])})
    with pytest.raises(LimitExceededError, match="max_regex_bytes"):
        to_rust(node, Limits())


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"type": "integer"}, {"type": "null"}, True),
        ({"const": 1}, {"const": 2}, True),
        (obj({"k": {"const": 1}}, ("k",)), obj({"k": {"const": 2}}, ("k",)), True),
        ({"type": "integer"}, {"const": 2}, False),
    ],
)
def test_branches_that_double_are_told_apart(first: Any, second: Any, expected: bool) -> None:
    definitions = doubling("a", first, DOUBLINGS["anyOf"]) | doubling("b", second, DOUBLINGS["anyOf"])
    schema = {"oneOf": [{"$ref": "#/$defs/a30"}, {"$ref": "#/$defs/b30"}], "$defs": definitions}
    if expected:
        assert built(schema) is not EMPTY
        return
    with pytest.raises(UnsupportedSchemaError, match="may both fit"):
        built(schema)


def test_keywords_of_other_drafts_are_annotations() -> None:
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer", "const": 5, "if": {}}
    report = build_regex(schema, dialect_of(schema), "compact", Limits()).report
    assert {entry.keyword: entry.enforcement for entry in report if entry.keyword != "type"} == {
        "const": "annotation: not a keyword of this draft",
        "if": "annotation: not a keyword of this draft",
    }


def test_many_required_items_nest_nothing() -> None:
    items = [{"type": "integer"}] * 3000
    node = built({"type": "array", "prefixItems": items, "items": False, "minItems": 3000, "maxItems": 3000})
    assert to_rust(node, Limits()).count(",") >= 2999


def test_optional_keys_do_not_make_the_regex_quadratic() -> None:
    sizes = [len(to_rust(built(obj({f"k{i:03}": {"type": "null"} for i in range(n)})), Limits())) for n in (50, 200)]
    assert sizes[1] < sizes[0] * 4 * 1.6


def test_formats_are_either_enforced_or_refused() -> None:
    """Every format that some draft of `jsonschema` checks is in one of the two tables."""
    import jsonschema

    assert set(jsonschema.FormatChecker.checkers) <= set(FORMATS) | REFUSED_FORMATS
    assert not set(FORMATS) & REFUSED_FORMATS
