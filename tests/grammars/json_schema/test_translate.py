"""The translation of schemas into formulas, held to the plain meaning of both."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest

from guided.grammars.errors import GuidedError, InvalidSchemaError, LimitExceededError, UnsupportedSchemaError
from guided.grammars.json_schema import formula as f
from guided.grammars.json_schema.formula import FALSE, TRUE
from guided.grammars.json_schema.specialise import number_language, specialise, string_language
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.limits import Limits
from guided.grammars.regex import algebra as lang

from .evaluate import evaluate, kind_of

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


def formula_of(schema: Any, resources: dict[str, Any] | None = None) -> f.Formula:
    return compile_schema(schema, resources=resources, limits=Limits()).formula


def accepts(schema: Any, value: Any, resources: dict[str, Any] | None = None) -> bool:
    formula = formula_of(schema, resources)
    found = evaluate(formula, value)
    assert evaluate(specialise(formula, kind_of(value)), value) == found
    return found


ACCEPTED_AND_REFUSED: list[tuple[Any, list[Any], list[Any]]] = [
    (True, [1, "a", None], []),
    (False, [], [1, "a", None]),
    ({"type": "integer"}, [1, 1.0, -3, 1e20], [1.5, "1", True]),
    ({"type": ["integer", "string"], "minimum": 2}, [2, 3.0, "a"], [1, 2.5, None]),
    ({"type": "number", "exclusiveMinimum": 1, "maximum": 2.5}, [1.25, 2.5], [1, 2.75, "a"]),
    ({"multipleOf": 0.5, "minimum": 1}, [1, 1.5, "a"], [0.5, 1.25]),
    ({"$schema": DRAFT_4, "type": "integer"}, [1], [1.0]),
    ({"$schema": DRAFT_4, "minimum": 1, "exclusiveMinimum": True}, [1.5], [1]),
    ({"$schema": DRAFT_4, "const": 1, "contains": {}}, [2, []], []),
    ({"enum": [1, "a", None, [1, {"b": True}], {"c": 1.5}]}, [1.0, "a", None, [1, {"b": True}], {"c": 1.5}], [
        *(True, "b", [1], [1, {"b": 1}], {"c": 1.5, "d": 1}, {}, [1, {"b": True}, 2]),
    ]),
    ({"not": {"const": 1}}, [True, 2, "1"], [1, 1.0]),
    ({"minLength": 2, "maxLength": 3, "pattern": "^a"}, ["ab", "abc", 1], ["a", "abcd", "ba"]),
    ({"minLength": 3, "maxLength": 2}, [1], ["a", "abc"]),
    ({"minItems": 3, "maxItems": 2}, [1, {}], [[], [1, 2, 3]]),
    ({"minProperties": 2, "maxProperties": 1}, [1, []], [{}, {"a": 1}]),
    ({"properties": {"a/b~": {"type": "null"}}, "required": ["a/b~"]}, [{"a/b~": None}, 1], [{}, {"a/b~": 1}]),
    (
        {"properties": {"a": True}, "patternProperties": {"^b": {"type": "null"}}, "additionalProperties": False},
        [{"a": 1, "bc": None}, []],
        [{"b": 1}, {"c": None}],
    ),
    ({"propertyNames": {"maxLength": 2, "type": ["string", "null"]}}, [{"ab": 1}, 1], [{"abc": 1}]),
    ({"propertyNames": {"$ref": "#"}, "pattern": "^a"}, ["a", {"a": 1}], ["b", {"b": 1}]),
    ({"prefixItems": [{"type": "null"}], "items": {"type": "string"}}, [[None, "a"], []], [["a"], [None, None]]),
    ({"$schema": DRAFT_7, "items": [{"type": "null"}], "additionalItems": False}, [[None], []], [["a"], [None, 1]]),
    ({"$schema": DRAFT_7, "items": {"type": "null"}, "additionalItems": False}, [[None, None]], [["a"]]),
    ({"uniqueItems": True}, [[1, True, "1"]], [[1, 1.0], [{"a": 1, "b": 2}, {"b": 2, "a": 1}]]),
    ({"contains": {"type": "null"}, "minContains": 2, "maxContains": 3}, [[None, None, 1]], [[None], [None] * 4]),
    ({"contains": {"type": "null"}, "minContains": 2, "maxContains": 1}, [1], [[], [None], [None, None]]),
    ({"contains": False, "minContains": 0}, [[], [1]], []),
    ({"$schema": DRAFT_7, "contains": {"type": "null"}, "minContains": 2}, [[None]], [[1]]),
    ({"dependentRequired": {"a": ["b"]}}, [{"b": 1}, {"a": 1, "b": 1}, 1], [{"a": 1}]),
    ({"dependentSchemas": {"a": {"type": "object", "maxProperties": 1}}}, [{"a": 1}, 1], [{"a": 1, "b": 1}]),
    ({"$schema": DRAFT_7, "dependencies": {"a": ["b"], "c": False}}, [{"a": 1, "b": 1}, 1], [{"a": 1}, {"c": 1}]),
    ({"if": {"type": "number"}, "then": {"minimum": 1}, "else": {"minLength": 1}}, [1, "a", None], [0, ""]),
    ({"then": False}, [1], []),
    ({"oneOf": [{"type": "number"}, {"minimum": 2}]}, ["a", 1], [2]),
    ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{"a": 1}], [{"a": 1, "b": 1}, {}, 1]),
    ({"$ref": "#/$defs/a", "maximum": 1, "$defs": {"a": {"type": "integer"}}}, [1], [2, "a"]),
    ({"$schema": DRAFT_7, "$ref": "#/definitions/a", "maximum": 1,
     "definitions": {"a": {"type": "integer"}}}, [2], ["a"]),
    ({"properties": {"$ref": {"type": "null"}}}, [{"$ref": None}], [{"$ref": 1}]),
    ({"type": "array", "items": {"$ref": "#"}}, [[[], [[]]]], [[1]]),
    ({"x": {"y": [{"type": "null"}]}, "$ref": "#/x/y/0"}, [None], [1]),
    ({"properties": {"a b%": {"type": "null"}}, "items": {"$ref": "#/properties/a%20b%25"}}, [[None]], [[1]]),
    ({"format": "ipv4"}, ["127.0.0.1", 1], ["1.2.3"]),
    ({"format": "no-such-format", "contentEncoding": "base64"}, ["%"], []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "accepted", "refused"), ACCEPTED_AND_REFUSED, ids=lambda case: json.dumps(case)[:60]
)
def test_keywords(schema: Any, accepted: list[Any], refused: list[Any]) -> None:
    for value in accepted:
        assert accepts(schema, value), value
    for value in refused:
        assert not accepts(schema, value), value


UNEVALUATED: list[tuple[Any, list[Any], list[Any]]] = [
    (
        {"properties": {"a": {}}, "allOf": [{"patternProperties": {"^b": {}}}], "unevaluatedProperties": False},
        [{"a": 1, "bc": 1}, 1],
        [{"c": 1}],
    ),
    (
        {
            "anyOf": [
                {"properties": {"a": {"const": 1}}, "required": ["a"]},
                {"properties": {"a": {"const": 2}, "b": {}}, "required": ["a"]},
                {"patternProperties": {"^[bc]": {}}, "required": ["c"]},
            ],
            "unevaluatedProperties": {"type": "null"},
        },
        [{"a": 1}, {"a": 2, "b": 1}, {"a": 1, "b": None}, {"c": 1, "b": 2}, {"c": 1, "cc": 1, "x": None}],
        [{"a": 1, "b": 1}, {"c": 1, "a": 3}, {"a": 1, "x": 1}, {"a": 2, "cc": 1}],
    ),
    (
        {
            "if": {"properties": {"a": {"const": 1}}, "required": ["a"]},
            "then": {"properties": {"b": {}}},
            "else": {"properties": {"c": {}}},
            "unevaluatedProperties": False,
        },
        [{"a": 1, "b": 1}, {"c": 1}],
        [{"a": 1, "c": 1}, {"a": 2}, {"b": 1}],
    ),
    (
        {
            "dependentSchemas": {"a": {"properties": {"a": {}}}},
            "not": {"properties": {"b": False}},
            "unevaluatedProperties": False,
        },
        [],
        [{"a": 1}, {"b": 1}, {"a": 1, "b": 1}],
    ),
    (
        {
            "$ref": "#/$defs/a",
            "unevaluatedProperties": False,
            "$defs": {"a": {"properties": {"a": {}}, "anyOf": [{"additionalProperties": {"type": "null"}}, True]}},
        },
        [{"a": 1}, {"a": None, "x": None}],
        [{"a": 1, "x": None}],
    ),
    (
        {
            "prefixItems": [{}],
            "anyOf": [{"prefixItems": [{}, {"const": 1}]}, {"items": {"const": 2}}, True],
            "unevaluatedItems": False,
        },
        [[3], [3, 1], [2, 2, 2]],
        [[3, 2], [3, 1, 1], [2, 2, 1]],
    ),
    (
        {
            "contains": {"type": "null"},
            "anyOf": [{"contains": {"type": "string"}}, {"maxItems": 2}],
            "unevaluatedItems": {"type": "number"},
        },
        [[None, 1], [None, "a", 1, 2]],
        [["a"], [None, True], [None, 1, 2]],
    ),
    (
        {"$schema": DRAFT_2019, "items": [{}], "contains": {"type": "null"}, "unevaluatedItems": {"type": "number"}},
        [[None, 1]],
        [[None, None]],
    ),
]


@pytest.mark.parametrize(("schema", "accepted", "refused"), UNEVALUATED)
def test_unevaluated(schema: Any, accepted: list[Any], refused: list[Any]) -> None:
    for value in accepted:
        assert accepts(schema, value), value
    for value in refused:
        assert not accepts(schema, value), value


INVALID: list[tuple[Any, str, str]] = [
    ({"type": "int"}, "/type", "unknown type 'int'"),
    ({"type": []}, "/type", "non-empty array"),
    ({"properties": {"a/b": {"minLength": -1}}}, "/properties/a~1b/minLength", "not negative"),
    ({"minItems": 1.5}, "/minItems", "integer"),
    ({"minimum": "1"}, "/minimum", "expected a number, not a string"),
    ({"multipleOf": 0}, "/multipleOf", "greater than 0"),
    ({"$schema": DRAFT_2020, "exclusiveMinimum": True, "minimum": 1}, "/exclusiveMinimum", "draft 4"),
    ({"$schema": DRAFT_4, "exclusiveMinimum": 1}, "/exclusiveMinimum", "draft 6"),
    ({"$schema": DRAFT_4, "properties": {"a": True}}, "/properties/a", "no boolean schemas"),
    ({"$schema": DRAFT_4, "required": []}, "/required", "draft 4"),
    ({"required": "a"}, "/required", "array of keys"),
    ({"required": ["a", "a"]}, "/required", "twice"),
    ({"required": True}, "/required", "not a boolean"),
    ({"dependentRequired": {"a": "b"}}, "/dependentRequired", "'a'"),
    ({"$schema": DRAFT_2020, "items": [{}]}, "/items", "prefixItems"),
    ({"anyOf": []}, "/anyOf", "non-empty"),
    ({"allOf": {"a": 1}}, "/allOf", "array of schemas"),
    ({"not": 1}, "/not", "expected a schema"),
    ({"properties": {"a": None}}, "/properties/a", "not null"),
    ({"$defs": {"a": {"type": 1}}}, "/$defs/a/type", "name of a type"),
    ({"$schema": DRAFT_7, "$ref": "#/definitions/a",
     "definitions": {"a": {}, "b": {"enum": 1}}}, "/definitions/b/enum", "array"),
    ({"pattern": "("}, "/pattern", "invalid regex"),
    ({"patternProperties": {"[": {}}}, "/patternProperties", "invalid regex"),
    ({"$ref": "#/nope"}, "/$ref", "there is no '/nope'"),
    ({"$ref": "#nope"}, "/$ref", "no anchor 'nope'"),
    ({"$ref": "#/type", "type": "null"}, "/$ref", "not a schema"),
    ({"$ref": "http://x.test/y"}, "/$ref", "resources={'http://x.test/y': ...}"),
    ({"$ref": "http://["}, "/$ref", "no resource"),
    ({"$ref": 1}, "/$ref", "string"),
    ({"$ref": "#"}, "", "leads back"),
    ({"anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"$ref": "#"}}}}, "", "leads back"),
    ({"$schema": "http://json-schema.org/draft-03/schema#"}, "/$schema", "unknown draft"),
    ({"$dynamicRef": "#a"}, "/$dynamicRef", "no anchor"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "pointer", "reason"), INVALID)
def test_what_is_wrong_is_named(schema: Any, pointer: str, reason: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        formula_of(schema)
    assert caught.value.pointer == pointer
    assert reason in caught.value.reason


def test_patterns_that_no_automaton_knows_are_refused_where_they_are_reached() -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        formula_of({"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"pattern": r"(a)\1"}}})
    assert (caught.value.pointer, caught.value.keyword) == ("/$defs/a", "pattern")
    assert accepts({"$defs": {"a": {"pattern": r"(a)\1"}}}, 1)


def test_spellings_of_drafts() -> None:
    for uri in ("https://json-schema.org/draft-04/schema", "http://json-schema.org/draft-04/schema#"):
        assert not accepts({"$schema": uri, "type": "integer"}, 1.0)
    assert accepts({"$schema": "http://json-schema.org/draft/2020-12/schema#", "prefixItems": [False]}, [])


def test_an_inner_schema_may_have_its_own_draft() -> None:
    schema = {"items": {"$schema": DRAFT_4, "minimum": 1, "exclusiveMinimum": True, "items": {"type": "integer"}}}
    assert accepts(schema, [2, [1]])
    assert not accepts(schema, [1])
    assert not accepts(schema, [[1.0]])


def test_ids_and_anchors() -> None:
    schema = {
        "$id": "http://x.test/root",
        "prefixItems": [{"$ref": "inner"}, {"$ref": "http://x.test/inner#here"}, {"$ref": "#/$defs/a/$defs/b"}],
        "$defs": {"a": {"$id": "inner", "$ref": "#/$defs/b", "$defs": {"b": {"$anchor": "here", "type": "null"}}}},
    }
    assert accepts(schema, [None, None, None])
    for index in range(3):
        assert not accepts(schema, [1 if index == place else None for place in range(3)])


def test_an_id_of_draft_4_may_be_a_property_or_an_anchor() -> None:
    schema = {
        "$schema": DRAFT_4,
        "id": "http://x.test/root.json",
        "properties": {"id": {"type": "string"}, "a": {"$ref": "#name"}},
        "definitions": {"x": {"id": "#name", "type": "null"}},
    }
    assert accepts(schema, {"id": "a", "a": None})
    assert not accepts(schema, {"id": 1})
    assert not accepts(schema, {"a": 1})


def test_resources() -> None:
    resources = {"http://x.test/a": {"$ref": "b#/$defs/c"}, "http://x.test/b": {"$defs": {"c": {"type": "null"}}}}
    assert accepts({"$ref": "http://x.test/a"}, None, resources)
    assert not accepts({"$ref": "http://x.test/a"}, 1, resources)
    with pytest.raises(InvalidSchemaError) as caught:
        formula_of({"$ref": "http://x.test/c"}, resources)
    assert "known: 'http://x.test/a', 'http://x.test/b'" in caught.value.reason


def test_errors_in_resources_name_them() -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        formula_of({"$ref": "http://x.test/a"}, {"http://x.test/a": {"properties": {"b": {"type": 1}}}})
    assert caught.value.pointer == "http://x.test/a#/properties/b/type"


@pytest.mark.parametrize("uri", [DRAFT_4, DRAFT_7, DRAFT_2019, "https://json-schema.org/draft/2020-12/schema"])
def test_meta_schemas_are_known(uri: str) -> None:
    assert accepts({"$ref": uri}, {"type": "object", "properties": {"a": {"minLength": 1}}})
    assert not accepts({"$ref": uri}, {"properties": {"a": {"minLength": -1}}})


def test_dynamic_references() -> None:
    tree = {
        "$id": "http://x.test/tree",
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"data": True, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
    }
    strict = {"$id": "http://x.test/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": False}
    resources = {"http://x.test/tree": tree}
    assert accepts(strict, {"children": [{"data": 1}]}, resources)
    assert not accepts(strict, {"children": [{"daat": 1}]}, resources)
    assert accepts(tree, {"children": [{"daat": 1}]})


def test_recursive_references() -> None:
    tree = {
        "$schema": DRAFT_2019,
        "$id": "http://x.test/tree",
        "$recursiveAnchor": True,
        "properties": {"children": {"items": {"$recursiveRef": "#"}}},
    }
    strict = {**tree, "$id": "http://x.test/strict", "properties": {}, "$ref": "tree", "unevaluatedProperties": False}
    resources = {"http://x.test/tree": tree}
    assert accepts(strict, {"children": [{}]}, resources)
    assert not accepts(strict, {"children": [{"daat": 1}]}, resources)


def test_what_a_format_leaves_out_is_allowed_by_neither_the_schema_nor_its_opposite() -> None:
    sure, doubtful = "a@example.com", "a@[tag:x]"
    email = {"format": "email"}
    assert accepts(email, sure)
    assert not accepts(email, doubtful)
    assert not accepts({"not": email}, doubtful)
    assert accepts({"not": email}, "x")
    either = {"oneOf": [email, {"$ref": "#/$defs/any"}], "$defs": {"any": {"type": "string"}}}
    assert accepts(either, "x")
    assert not accepts(either, doubtful)
    assert not accepts(either, sure)
    opposite = {"not": either, "$defs": {"any": {"type": "string"}}}
    assert accepts(opposite, sure)
    assert not accepts(opposite, doubtful)
    assert not accepts({"contains": email, "maxContains": 1}, [sure, doubtful])
    assert not accepts({"if": email, "then": {"maxLength": 1}}, doubtful)
    inside = {"not": {"properties": {"a": email}}}
    assert accepts(inside, {"a": "x"})
    assert not accepts(inside, {"a": doubtful})


def test_one_of_is_an_alternative_where_a_key_tells_the_branches_apart() -> None:
    branches = [
        {"type": "object", "properties": {"kind": {"const": name}, name: {}}, "required": ["kind"]} for name in "ab"
    ]
    special = specialise(formula_of({"oneOf": [*branches, {"type": "string"}]}), "object")
    assert isinstance(special, f.Or)
    branches[1]["properties"]["kind"] = {"enum": ["b", "a"]}  # type: ignore[index]
    assert isinstance(specialise(formula_of({"oneOf": branches}), "object"), f.ExactlyOne)


def test_languages_of_strings_and_numbers() -> None:
    formula = formula_of({"oneOf": [{"pattern": "^a"}, {"maxLength": 2}, {"enum": ["b", 1]}]})
    assert [text for text in ("a", "abc", "b", "bb", "bbb") if lang.matches(string_language(formula), text)] == [
        *("abc", "bb"),
    ]
    numbers = number_language(formula_of({"type": "number", "not": {"multipleOf": 2}}))
    assert [text for text in ("1", "2", "2.0", "2.5", "1e3") if lang.matches(numbers, text)] == ["1", "2.5"]


def test_what_is_plain_of_a_kind_is_a_constant() -> None:
    formula = formula_of({"type": ["null", "string"], "minLength": 1})
    assert specialise(formula, "null") is TRUE
    assert specialise(formula, "array") is FALSE
    assert specialise(formula, "string") not in (TRUE, FALSE)


def test_equal_schemas_are_one_formula() -> None:
    formula = specialise(formula_of({"properties": {"a": {"type": "null"}, "b": {"type": "null"}}}), "object")
    assert isinstance(formula, f.Each)
    assert formula.properties["a"] is formula.properties["b"]


def test_the_report() -> None:
    schema = {
        "$schema": DRAFT_7,
        "title": "T",
        "properties": {"a": {"$ref": "#/definitions/x", "minLength": 1}, "b": {"format": "x", "prefixItems": [{}]}},
        "definitions": {"x": {"format": "email"}},
    }
    report = {
        (e.pointer, e.keyword): e.enforcement for e in compile_schema(schema, resources=None, limits=Limits()).report
    }
    assert report["", "properties"] == report["/properties/a", "$ref"] == "exactly"
    assert "ignored beside $ref" in report["/properties/a", "minLength"]
    assert "annotation" in report["/properties/b", "format"]
    assert "annotation" in report["/properties/b", "prefixItems"]
    assert report["/definitions/x", "format"].startswith("soundly")
    assert report["", "title"] == "annotation"


def test_references_that_go_on_for_too_long_are_refused() -> None:
    chain: dict[str, Any] = {f"a{index}": {"$ref": f"#/$defs/a{index + 1}"} for index in range(600)}
    with pytest.raises(LimitExceededError):
        formula_of({"$ref": "#/$defs/a0", "$defs": {**chain, "a600": {}}})


def test_deep_schemas_are_expanded_without_exhausting_the_stack() -> None:
    schema: Any = {"type": "null"}
    for _ in range(60):
        schema = {"anyOf": [{"oneOf": [{"$ref": "#/$defs/x"}, schema]}]} if _ % 2 else {"not": {"not": schema}}
    wrapped = {**schema, "$defs": {"x": {"const": 5}}}
    assert accepts(wrapped, None)


def test_too_much_that_may_be_evaluated_is_refused_at_compile_time() -> None:
    layers = {
        f"a{index}": {"anyOf": [{"$ref": f"#/$defs/a{index + 1}", "required": [f"{index}-{n}"]} for n in range(2)]}
        for index in range(20)
    }
    schema = {
        "$ref": "#/$defs/a0",
        "unevaluatedProperties": False,
        "$defs": {**layers, "a20": {"properties": {"x": {}}}},
    }
    with pytest.raises(UnsupportedSchemaError):
        formula_of({"items": schema, "$defs": schema["$defs"]})


def test_too_many_conditional_patterns_are_refused() -> None:
    branches = [{"patternProperties": {f"p{index}": {}}, "required": [str(index)]} for index in range(9)]
    with pytest.raises(UnsupportedSchemaError) as caught:
        formula_of({"anyOf": branches, "unevaluatedProperties": False})
    assert caught.value.keyword == "unevaluatedProperties"
    assert accepts({"anyOf": branches[:3], "unevaluatedProperties": False}, {"1": 1}) is False
    assert accepts({"anyOf": branches[:3], "unevaluatedProperties": {"type": "null"}}, {"1": None, "xp1": 1})


def test_wild_input_raises_typed_errors_only() -> None:
    values: list[Any] = [None, True, 1, 1.5, -1, "", "a", "#", [], {}, [1], ["a"], [[]], {"a": 1}, {"a": []}, [None]]
    keywords = [
        *(
            "type",
            "enum",
            "const",
            "properties",
            "patternProperties",
            "items",
            "prefixItems",
            "required",
            "$ref",
            "$id",
        ),
        *(
            "$anchor",
            "$dynamicRef",
            "$dynamicAnchor",
            "$recursiveRef",
            "id",
            "dependencies",
            "dependentRequired",
            "format",
        ),
        *("definitions", "$defs", "if", "then", "pattern", "minimum", "multipleOf", "exclusiveMinimum", "minLength"),
        *(
            "contains",
            "minContains",
            "unevaluatedItems",
            "unevaluatedProperties",
            "oneOf",
            "$schema",
            "additionalItems",
        ),
    ]
    for draft in (DRAFT_4, DRAFT_7, DRAFT_2019, None):
        for keyword in keywords:
            for value in values:
                schema = {**({"$schema": draft} if draft else {}), keyword: value}
                for wrapped in (schema, {"items": schema}, {"definitions": {"x": schema}}):
                    with contextlib.suppress(GuidedError):
                        accepts(wrapped, [{}, "a", 1])


def test_a_schema_without_a_draft_may_be_an_old_one() -> None:
    old_tuple = {"items": [{"type": "integer"}], "additionalItems": False}
    assert accepts(old_tuple, [1])
    assert not accepts(old_tuple, ["a"])
    assert not accepts(old_tuple, [1, 2])
    assert not accepts({"minimum": 3, "exclusiveMinimum": True}, 3)


def test_an_id_beside_a_reference_needs_a_draft() -> None:
    schema: dict[str, Any] = {
        "$id": "http://example.com/base.json",
        "properties": {"a": {"$id": "http://example.com/sub/", "$ref": "foo.json"}},
        "$defs": {
            "outer": {"$id": "http://example.com/foo.json", "type": "string"},
            "inner": {"$id": "http://example.com/sub/foo.json", "type": "number"},
        },
    }
    with pytest.raises(UnsupportedSchemaError, match=r"name the draft") as caught:
        compile_schema(schema, resources=None, limits=Limits())
    assert (caught.value.pointer, caught.value.keyword) == ("/properties/a", "$ref")
    compile_schema({"$schema": DRAFT_2020, **schema}, resources=None, limits=Limits())
    del schema["$defs"]["outer"]  # then there is one reading only
    compile_schema(schema, resources=None, limits=Limits())
