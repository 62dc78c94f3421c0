"""JSON Schemas with documents that they allow and refuse. One table for every backend.

`valid` documents are written canonically (keys in schema order, minimal escapes), with spaces after commas and colons;
each must be generated. None of `invalid` may be, and none of them validates under `jsonschema` unless it is in
`unwritten`: valid documents that no backend needs to write, because they are not canonical.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any] | bool


@dataclass(frozen=True, eq=False)
class Case:
    """A schema and JSON texts. unwritten: valid, but not canonical."""

    name: str
    schema: Schema
    valid: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()
    unwritten: tuple[str, ...] = ()


@dataclass(frozen=True)
class RefusedCase:
    """A schema that a regex backend must refuse: where, which keyword, and a word of the reason."""

    name: str
    schema: Schema
    pointer: str
    keyword: str
    reason: str


def obj(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """A closed object schema."""
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return {**schema, **more}


STRING, INTEGER, NUMBER, NULL = ({"type": name} for name in ("string", "integer", "number", "null"))
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_4 = "http://json-schema.org/draft-04/schema#"

CASES = (
    Case("null", NULL, ("null",), ("nul", "nulll", "0", '"null"', "")),
    Case("boolean", {"type": "boolean"}, ("true", "false"), ("1", "True", "null")),
    Case(
        "integer",
        INTEGER,
        ("0", "7", "-12", "123456789012345678901234567890"),
        ("01", "+1", "1.5", "-", "1.", "--1", "0x1", '"1"', "1e-5"),
        ("1.0", "1e5"),
    ),
    Case(
        "number",
        NUMBER,
        ("0", "-0", "0.5", "-12.25", "1e5", "1E+10", "2.5e-7", "100"),
        (".5", "1.", "01", "1e", "+1", "NaN", "Infinity", "1_0", "--1"),
        ("1e100",),
    ),
    Case(
        "integer range",
        {**INTEGER, "minimum": 0, "maximum": 120},
        ("0", "9", "10", "99", "120"),
        ("-1", "121", "200", "007"),
    ),
    Case(
        "negative range",
        {**INTEGER, "minimum": -15, "maximum": -3},
        ("-3", "-9", "-15"),
        ("-2", "-16", "0", "3", "-03"),
    ),
    Case(
        "range over zero",
        {**INTEGER, "exclusiveMinimum": -2, "exclusiveMaximum": 11},
        ("-1", "0", "10"),
        ("-2", "11", "-0.5"),
    ),
    Case("fractional bounds", {**INTEGER, "minimum": 1.5, "maximum": 3.5}, ("2", "3"), ("1", "4")),
    Case("open range", {**INTEGER, "minimum": 98}, ("98", "99", "100", "12345"), ("97", "9", "-98")),
    Case("open range below", {**INTEGER, "maximum": -98}, ("-98", "-100"), ("-97", "98", "0")),
    Case("every integer is a multiple of 1", {**INTEGER, "multipleOf": 1}, ("3", "-4"), ("1.5",)),
    Case("not negative", {**NUMBER, "minimum": 0}, ("0", "0.5"), ("-1", "-0.5"), ("-0", "12e3")),
    Case(
        "positive",
        {**NUMBER, "exclusiveMinimum": 0},
        ("0.5", "0.001", "12", "1e-09", "10.0"),
        ("0", "-1", "0.0", "0e5"),
    ),
    Case(
        "string",
        STRING,
        (
            '""',
            '"a"',
            '"é日本😀"',
            '"\\n\\t\\r\\b\\f\\"\\\\"',
            '"\\u0000\\u0007\\u000b\\u000e\\u000f\\u0010\\u001f"',
            '"a/b"',
            '"\x7f"',
            '"\u2028"',
        ),
        ('"', '"\n"', '"\t"', '"\\x41"', '"\\u12"', "a", "'a'", '"a""b"'),
        ('"\\u0041"', '"\\/"', '"\\ud83d\\ude00"', '"\\u000a"'),
    ),
    Case(
        "string lengths",
        {**STRING, "minLength": 2, "maxLength": 3},
        ('"ab"', '"日本語"', '"\\n\\n"', '"😀😀"', '"\\u0001\\u0002"'),
        ('"a"', '"abcd"', '"\\n"', '"😀"', '""'),
    ),
    Case("length 0", {**STRING, "maxLength": 0}, ('""',), ('"a"',)),
    Case("pattern in full", {**STRING, "pattern": "^[A-Z]{2}-[0-9]+$"}, ('"AB-1"',), ('"AB-"', '"xAB-1"', '"AB-1 "')),
    Case("pattern anywhere", {**STRING, "pattern": "b+"}, ('"b"', '"abbc"', '"\\nb"'), ('"a"', '""')),
    Case("pattern with alternatives", {**STRING, "pattern": "^a|b$"}, ('"a"', '"ax"', '"xb"'), ('"xa"', '"bx"', '"x"')),
    Case("pattern over escapes", {**STRING, "pattern": '^["\\\\\\n]$'}, ('"\\""', '"\\\\"', '"\\n"'), ('"a"', '"\\t"')),
    Case("pattern of any character", {**STRING, "pattern": "^.{2}$"}, ('"ab"', '"é\\t"'), ('"a"', '"a\\n"', '"abc"')),
    Case("pattern of a class", {**STRING, "pattern": r"^\d\w\s$"}, ('"1a "', '"2_\\t"'), ('"a1 "', '"1a"', '"٣é "')),
    Case(
        "pattern of classes turned round",
        {**STRING, "pattern": r"^[^\d]\W[^\s]$"},
        ('"a-b"', '"é é"', '"\\n\\u0000😀"', '"٣-b"', '"aéb"'),
        ('"1-b"', '"aab"', '"a-\\n"', '"a-\ufeff"'),
    ),
    Case(
        "pattern of a complement", {**STRING, "pattern": "^[^a]$"}, ('"b"', '"\\""', '"\\u0000"', '"日"'), ('"a"', '""')
    ),
    Case(
        "format date",
        {**STRING, "format": "date"},
        ('"2024-02-29"', '"1999-12-31"', '"2000-02-29"', '"0004-02-29"', '"0001-01-01"'),
        ('"2023-02-29"', '"1900-02-29"', '"2024-02-30"', '"2024-04-31"', '"2024-13-01"', '"24-01-01"'),
    ),
    Case(
        "format time",
        {**STRING, "format": "time"},
        ('"12:30:00Z"', '"23:59:59.123+05:30"', '"00:00:00-23:59"'),
        ('"24:00:00Z"', '"12:60:00Z"', '"12:30Z"', '"12:30:00"', '"12:30:60Z"', '"12:30:00+24:00"'),
        ('"12:30:00z"',),
    ),
    Case(
        "format date-time",
        {**STRING, "format": "date-time"},
        ('"2024-02-29T12:30:00Z"', '"2024-01-31T00:00:00.5-01:00"'),
        ('"2023-02-29T12:30:00Z"', '"2024-01-31 00:00:00Z"', '"2024-01-31T00:00:00"'),
    ),
    Case(
        "format uuid",
        {**STRING, "format": "uuid"},
        ('"123e4567-e89b-12d3-a456-426614174000"', '"00000000-0000-0000-0000-00000000ABCD"'),
        ('"123e4567e89b12d3a456426614174000"', '"123e4567-e89b-12d3-a456-42661417400g"'),
    ),
    Case(
        "format ipv4",
        {**STRING, "format": "ipv4"},
        ('"0.0.0.0"', '"255.1.20.199"'),
        ('"256.1.1.1"', '"01.1.1.1"', '"1.1.1"'),
    ),
    Case(
        "format email", {**STRING, "format": "email"}, ('"a@b"', '"a.b+c@x-y.org"'), ('"a"', '""'), ('"a b@c"', '"@"')
    ),
    Case("unknown format", {**STRING, "format": "nickname"}, ('"x"',), ("1",)),
    Case(
        "enum",
        {"enum": ["a", 'q"\n', 1, 1.5, None, True, [1, "x"], {"k": [None]}, "é"]},
        ('"a"', '"q\\"\\n"', "1", "1.5", "null", "true", '[1, "x"]', '{"k": [null]}', '"é"'),
        ("false", "2", '"b"', "[1]", "{}", "1.25"),
        ("1.0", '{ "k" : [ null ] }', '"\\u00e9"'),
    ),
    Case("enum with a type", {**INTEGER, "enum": [1, "a", None, 2.5]}, ("1",), ('"a"', "null", "2.5")),
    Case("enum with bounds", {"enum": [1, 5, "abc", "z"], "maximum": 3, "minLength": 2}, ("1", '"abc"'), ("5", '"z"')),
    Case("const", {"const": {"a": [1, {"b": None}]}}, ('{"a": [1, {"b": null}]}',), ('{"a": [1, {}]}', "null")),
    Case("const false is not 0", {"const": False}, ("false",), ("0", "null")),
    Case("const and enum", {"enum": [1, 2], "const": 2}, ("2",), ("1",)),
    Case(
        "list of types",
        {"type": ["integer", "null", "string"], "minLength": 2},
        ("1", "null", '"ab"'),
        ('"a"', "true", "[]"),
    ),
    Case("integer or number", {"type": ["integer", "number"]}, ("1", "1.5"), ('"1"',)),
    Case(
        "object",
        obj({"name": STRING, "age": INTEGER}, ("name", "age")),
        ('{"name": "x", "age": 1}',),
        (
            '{"name": "x"}',
            "{}",
            '{"name": "x", "age": 1, "b": 2}',
            '{"name": "x", "age": "1"}',
            '{"name": "x", "age": 1,}',
        ),
        ('{"age": 1, "name": "x"}', ' {"name": "x", "age": 1}'),
    ),
    Case(
        "optional keys",
        obj({"a": NULL, "b": NULL, "c": NULL}),
        (
            "{}",
            '{"a": null}',
            '{"b": null}',
            '{"c": null}',
            '{"a": null, "c": null}',
            '{"a": null, "b": null, "c": null}',
        ),
        ('{"d": null}', '{"a": 1}', '{, "a": null}', '{"a": null,}', '{"a": null "b": null}'),
        ('{"b": null, "a": null}', '{"a": null, "a": null}'),
    ),
    Case(
        "optional keys around a required one",
        obj({"a": NULL, "b": NULL, "c": NULL, "d": NULL}, ("c",)),
        (
            '{"c": null}',
            '{"a": null, "c": null}',
            '{"a": null, "b": null, "c": null, "d": null}',
            '{"c": null, "d": null}',
        ),
        ("{}", '{"a": null}', '{"d": null}'),
    ),
    Case("empty object", obj({}), ("{}",), ('{"a": 1}', "[]")),
    Case("no key may be there", obj({"a": False, "b": NULL}), ("{}", '{"b": null}'), ('{"a": null}',)),
    Case(
        "open object",
        {"type": "object", "properties": {"a": INTEGER}},
        ("{}", '{"a": 1}'),
        ('{"a": "x"}', "[]"),
        ('{"b": 1}', '{"a": 1, "b": 2}'),
    ),
    Case(
        "keys with escapes",
        obj({'q"\n': NULL, "é": NULL, "": NULL, "$ref~/%": NULL}),
        ('{"q\\"\\n": null}', '{"é": null}', '{"": null, "$ref~/%": null}'),
        ('{"q": null}',),
        ('{"\\u00e9": null}',),
    ),
    Case(
        "counts that are met",
        obj({"a": NULL, "b": NULL}, ("a",), minProperties=1, maxProperties=2),
        ('{"a": null}',),
        ("{}",),
    ),
    Case(
        "array",
        {"type": "array", "items": INTEGER},
        ("[]", "[1]", "[1, 2, 3]"),
        ('["a"]', "[1,]", "[,1]", "[1 2]", "{}"),
    ),
    Case(
        "array lengths",
        {"type": "array", "items": NULL, "minItems": 1, "maxItems": 2},
        ("[null]", "[null, null]"),
        ("[]", "[null, null, null]"),
    ),
    Case("array of none", {"type": "array", "maxItems": 0}, ("[]",), ("[1]",)),
    Case("array without items", {"type": "array", "items": False}, ("[]",), ("[1]",)),
    Case(
        "at least three",
        {"type": "array", "items": NULL, "minItems": 3},
        ("[null, null, null]", "[null, null, null, null]"),
        ("[null, null]",),
    ),
    Case(
        "prefix items",
        {"type": "array", "prefixItems": [INTEGER, STRING], "items": NULL},
        ("[]", "[1]", '[1, "a"]', '[1, "a", null, null]'),
        ('["a"]', "[1, null]", '[1, "a", 2]'),
    ),
    Case(
        "tuple",
        {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2},
        ('[1, "a"]',),
        ("[1]", '[1, "a", 1]', "[]"),
    ),
    Case(
        "short prefix",
        {"type": "array", "prefixItems": [NULL, NULL, NULL], "minItems": 1, "items": False},
        ("[null]", "[null, null, null]"),
        ("[]", "[null, null, null, null]"),
    ),
    Case(
        "prefix that nothing fits",
        {"type": "array", "prefixItems": [NULL, False], "items": False},
        ("[]", "[null]"),
        ("[null, null]",),
    ),
    Case(
        "unique by length",
        {"type": "array", "items": NULL, "maxItems": 1, "uniqueItems": True},
        ("[]", "[null]"),
        ("[null, null]",),
    ),
    Case(
        "nested arrays",
        {"type": "array", "items": {"type": "array", "items": NULL}},
        ("[[], [null]]", "[]"),
        ("[null]", "[[]"),
    ),
    Case("anyOf", {"anyOf": [INTEGER, {**STRING, "maxLength": 1}, NULL]}, ("1", '"a"', "null"), ('"ab"', "true")),
    Case("anyOf with a branch nobody fits", {"anyOf": [False, NULL]}, ("null",), ("1",)),
    Case("oneOf by type", {"oneOf": [INTEGER, STRING]}, ("1", '"a"'), ("null",)),
    Case(
        "oneOf by tag",
        {"oneOf": [obj({"kind": {"const": "a"}, "x": NULL}, ("kind",)), obj({"kind": {"const": "b"}}, ("kind",))]},
        ('{"kind": "a"}', '{"kind": "a", "x": null}', '{"kind": "b"}'),
        ('{"kind": "b", "x": null}', '{"kind": "c"}', "{}"),
    ),
    Case("oneOf of values", {"oneOf": [{"const": 1}, {"enum": [2, "a"]}]}, ("1", "2", '"a"'), ("3",)),
    Case("allOf of one", {"allOf": [{"$ref": "#/$defs/x"}], "default": 1, "$defs": {"x": INTEGER}}, ("1",), ('"1"',)),
    Case(
        "references",
        {
            **obj({"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/A"}}, ("a",)),
            "$defs": {"A": obj({"n": {"$ref": "#/$defs/N"}}, ("n",)), "N": INTEGER},
        },
        ('{"a": {"n": 1}}', '{"a": {"n": 1}, "b": {"n": 2}}'),
        ('{"a": {}}', '{"b": {"n": 1}}'),
    ),
    Case(
        "reference to an anchor",
        {**obj({"a": {"$ref": "#n"}}), "$defs": {"N": {**NULL, "$anchor": "n"}}},
        ('{"a": null}',),
        ('{"a": 1}',),
    ),
    Case(
        "escaped pointer",
        {**obj({"a": {"$ref": "#/$defs/x~1y%25"}}), "$defs": {"x/y%": NULL}},
        ('{"a": null}',),
        ('{"a": 1}',),
    ),
    Case(
        "reference outside $defs",
        {**obj({"a": {"$ref": "#/x-parts/n"}}), "x-parts": {"n": NULL}},
        ('{"a": null}',),
        ('{"a": 1}',),
    ),
    Case(
        "embedded resource",
        {
            "$id": "https://example.com/root",
            **obj({"a": {"$ref": "part"}}),
            "$defs": {"p": {"$id": "part", "$ref": "#/$defs/n", "$defs": {"n": NULL}}},
        },
        ('{"a": null}',),
        ('{"a": 1}',),
    ),
    Case(
        "annotations",
        {
            **INTEGER,
            "title": "t",
            "default": "x",
            "examples": ["y"],
            "x-z": {"not": {}},
            "$comment": "c",
            "deprecated": True,
        },
        ("1",),
        ('"x"',),
    ),
    Case(
        "keywords of another type",
        {**INTEGER, "maxLength": 1, "pattern": "(?=x)", "items": False, "format": "uri"},
        ("123",),
        ('"1"',),
    ),
    Case(
        "draft 7 hides what stands beside $ref",
        {"$schema": DRAFT_7, "$ref": "#/definitions/n", "type": "string", "definitions": {"n": NULL}},
        ("null",),
        ('"a"',),
    ),
    Case(
        "draft 7 tuple",
        {"$schema": DRAFT_7, "type": "array", "items": [INTEGER, NULL], "additionalItems": False},
        ("[]", "[1, null]"),
        ("[null]", "[1, null, 1]"),
    ),
    Case(
        "draft 7 has no prefixItems",
        {"$schema": DRAFT_7, "type": "array", "items": NULL, "prefixItems": [INTEGER]},
        ("[null]",),
        ("[1]",),
    ),
    Case(
        "draft 4",
        {"$schema": DRAFT_4, "id": "http://example.com/x", **obj({"a": {"enum": [1]}}, ("a",))},
        ('{"a": 1}',),
        ("{}",),
    ),
    Case("draft 4 has no const", {"$schema": DRAFT_4, **INTEGER, "const": 5}, ("5", "6"), ('"5"',)),
    Case(
        "draft 4 has no const, propertyNames or unevaluatedProperties",
        {
            "$schema": DRAFT_4,
            **obj({"a": {**INTEGER, "const": 5}, "b": NULL}, ("a",)),
            "propertyNames": False,
            "dependentRequired": {"a": ["b"]},
            "unevaluatedProperties": False,
        },
        ('{"a": 6}', '{"a": 5, "b": null}'),
        ("{}", '{"a": null}'),
    ),
    Case(
        "draft 4 has no contains",
        {"$schema": DRAFT_4, "type": "array", "items": INTEGER, "contains": NULL, "minContains": 2},
        ("[]", "[1]"),
        ("[null]",),
    ),
    Case(
        "draft 4 has no conditions",
        {"$schema": DRAFT_4, **INTEGER, "if": {}, "then": {"maximum": 1}, "else": {}},
        ("0", "2"),
        ("null",),
    ),
    Case(
        "draft 4 has no const beside anyOf",
        {"$schema": DRAFT_4, "anyOf": [INTEGER, NULL], "const": 1, "examples": [1]},
        ("1", "2", "null"),
        ("true",),
    ),
    Case(
        "draft 7 has no unevaluatedItems or counts of contains",
        {"$schema": DRAFT_7, "type": "array", "items": NULL, "unevaluatedItems": False, "minContains": 2},
        ("[]", "[null]"),
        ("[1]",),
    ),
    Case(
        "draft 7 has no dependentRequired or dependentSchemas",
        {"$schema": DRAFT_7, **obj({"a": NULL}, dependentRequired={"a": ["b"]}, dependentSchemas={"a": False})},
        ("{}", '{"a": null}'),
        ('{"a": 1}',),
    ),
    Case(
        "dependencies are no keyword of draft 2020-12, but may be enforced",
        obj({"a": NULL}, dependencies={"a": ["b"]}),
        ("{}",),
        ('{"b": null}',),
        ('{"a": null}',),
    ),
    Case(
        "draft 2020-12 has no additionalItems",
        {"type": "array", "prefixItems": [INTEGER], "items": NULL, "additionalItems": False},
        ("[]", "[1]", "[1, null]"),
        ("[null]", "[1, 2]"),
    ),
    Case(
        "keywords that constrain nothing",
        obj(
            {"a": NULL},
            propertyNames=True,
            patternProperties={},
            dependentRequired={},
            dependentSchemas={},
            required=[],
        ),
        ("{}", '{"a": null}'),
        ('{"a": 1}', '{"b": null}'),
    ),
)

REFUSED = (
    RefusedCase("any value", True, "", "true", "any JSON value"),
    RefusedCase("empty schema", {}, "", "type", "any JSON value"),
    RefusedCase("no type", {"minLength": 1}, "", "type", "any JSON value"),
    RefusedCase("open object without keys", {"type": "object"}, "", "type", "could repeat"),
    RefusedCase("map", {"type": "object", "additionalProperties": INTEGER}, "", "additionalProperties", "could repeat"),
    RefusedCase(
        "required but not described",
        {"type": "object", "properties": {"a": NULL}, "required": ["b"]},
        "",
        "required",
        "'b'",
    ),
    RefusedCase("patternProperties", obj({}, patternProperties={"^a": NULL}), "", "patternProperties", "could repeat"),
    RefusedCase("propertyNames", obj({"a": NULL}, propertyNames={"maxLength": 1}), "", "propertyNames", "every key"),
    RefusedCase(
        "dependentRequired", obj({"a": NULL}, dependentRequired={"a": ["b"]}), "", "dependentRequired", "remember"
    ),
    RefusedCase("minProperties", obj({"a": NULL, "b": NULL}, minProperties=1), "", "minProperties", "count"),
    RefusedCase("maxProperties", obj({"a": NULL, "b": NULL}, maxProperties=1), "", "maxProperties", "count"),
    RefusedCase("array of anything", {"type": "array"}, "", "type", "any JSON value"),
    RefusedCase("prefix, then anything", {"type": "array", "prefixItems": [NULL]}, "", "prefixItems", "beyond"),
    RefusedCase(
        "uniqueItems",
        obj({"a": {"type": "array", "items": NULL, "uniqueItems": True}}),
        "/properties/a",
        "uniqueItems",
        "compare",
    ),
    RefusedCase("contains", {"type": "array", "items": INTEGER, "contains": {"const": 1}}, "", "contains", "count"),
    RefusedCase("contains nothing", {"type": "array", "items": NULL, "contains": False}, "", "contains", "count"),
    RefusedCase(
        "no unevaluated items",
        {"type": "array", "items": NULL, "unevaluatedItems": False},
        "",
        "unevaluatedItems",
        "looked at",
    ),
    RefusedCase("no unevaluated keys", {"type": "object", "unevaluatedProperties": False}, "", "type", "list"),
    RefusedCase("no names", obj({"a": NULL}, propertyNames=False), "", "propertyNames", "every key"),
    RefusedCase(
        "names of draft 7", {"$schema": DRAFT_7, **obj({"a": NULL}, propertyNames=False)}, "", "propertyNames", "every"
    ),
    RefusedCase(
        "no keys of a pattern", obj({"a": NULL}, patternProperties={"b": False}), "", "patternProperties", "pattern"
    ),
    RefusedCase(
        "nothing beside a key", obj({"a": NULL}, dependentSchemas={"a": False}), "", "dependentSchemas", "remember"
    ),
    RefusedCase(
        "dependencies of draft 7",
        {"$schema": DRAFT_7, **obj({"a": NULL}, dependencies={"a": ["b"]})},
        "",
        "dependencies",
        "remember",
    ),
    RefusedCase(
        "const tells no branches apart in draft 4",
        {"$schema": DRAFT_4, "oneOf": [{**INTEGER, "const": 1}, {**INTEGER, "const": 2}]},
        "",
        "oneOf",
        "may both fit",
    ),
    RefusedCase("recursion", obj({"next": {"$ref": "#"}}), "/properties/next", "$ref", "contains itself"),
    RefusedCase(
        "recursion in two steps",
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        "/$defs/b",
        "$ref",
        "contains itself",
    ),
    RefusedCase("reference elsewhere", {"$ref": "https://example.com/other"}, "", "$ref", "not in this schema"),
    RefusedCase("reference to nothing", {"$ref": "#/$defs/a"}, "", "$ref", "not in this schema"),
    RefusedCase("reference into a number", {"$ref": "#/minLength/x", "minLength": 1}, "", "$ref", "together with"),
    RefusedCase("reference to a number", {"allOf": [{"$ref": "#/x-n"}], "x-n": 5}, "/allOf/0", "$ref", "not a schema"),
    RefusedCase(
        "reference past a number", {"allOf": [{"$ref": "#/x-n/y"}], "x-n": 5}, "/allOf/0", "$ref", "not in this schema"
    ),
    RefusedCase(
        "constraint beside a reference",
        {"$ref": "#/$defs/a", "type": "string", "$defs": {"a": STRING}},
        "",
        "$ref",
        "intersection",
    ),
    RefusedCase("allOf of two", {"allOf": [INTEGER, {"minimum": 1}]}, "", "allOf", "intersection"),
    RefusedCase("constraint beside anyOf", {"type": "string", "anyOf": [STRING, NULL]}, "", "anyOf", "intersection"),
    RefusedCase("oneOf that overlaps", {"oneOf": [INTEGER, NUMBER]}, "", "oneOf", "0 and 1"),
    RefusedCase("oneOf of equal values", {"oneOf": [{"const": 1}, {"const": 1.0}]}, "", "oneOf", "0 and 1"),
    RefusedCase(
        "oneOf with an optional tag",
        {"oneOf": [obj({"k": {"const": 1}}), obj({"k": {"const": 2}}, ("k",))]},
        "",
        "oneOf",
        "0 and 1",
    ),
    RefusedCase("not", {"not": STRING}, "", "not", "complement"),
    RefusedCase("if", {**INTEGER, "if": {"minimum": 1}, "then": {"maximum": 5}}, "", "if", "intersection"),
    RefusedCase("dynamic reference", {"$dynamicRef": "#a"}, "", "$dynamicRef", "way"),
    RefusedCase("bound on a number", {**NUMBER, "maximum": 10}, "", "maximum", "bound"),
    RefusedCase("multipleOf", {**INTEGER, "multipleOf": 5}, "", "multipleOf", "divisibility"),
    RefusedCase(
        "boolean bound of draft 4",
        {"$schema": DRAFT_4, **INTEGER, "minimum": 1, "exclusiveMinimum": True},
        "",
        "exclusiveMinimum",
        "draft 4",
    ),
    RefusedCase("lookahead", {**STRING, "pattern": "^(?=a)"}, "", "pattern", "lookahead"),
    RefusedCase("word boundary", {**STRING, "pattern": r"\ba"}, "", "pattern", "word boundary"),
    RefusedCase("broken pattern", {**STRING, "pattern": "a["}, "", "pattern", "unterminated"),
    RefusedCase("pattern and length", {**STRING, "pattern": "a", "maxLength": 3}, "", "maxLength", "intersection"),
    RefusedCase("pattern and format", {**STRING, "pattern": "a", "format": "date"}, "", "pattern", "intersection"),
    RefusedCase("format uri", {**STRING, "format": "uri"}, "", "format", "'uri'"),
    RefusedCase("pattern beside enum", {"enum": ["a"], "pattern": "a"}, "", "pattern", "beside"),
    RefusedCase(
        "draft 3", {"$schema": "http://json-schema.org/draft-03/schema#", "type": "string"}, "", "$schema", "draft 3"
    ),
    RefusedCase(
        "two drafts in one schema",
        obj({"a": {"$schema": DRAFT_7, "$id": "x", **NULL}}),
        "/properties/a",
        "$schema",
        "another draft",
    ),
)
"""Refused by backends that turn a schema into a regex."""

UNSATISFIABLE: tuple[tuple[str, Schema], ...] = (
    ("false", False),
    ("lengths cross", {**STRING, "minLength": 3, "maxLength": 2}),
    ("bounds cross", {**INTEGER, "minimum": 3, "maximum": 2}),
    ("no value of the type", {**STRING, "enum": [1, 2]}),
    ("required key that is false", obj({"a": False}, ("a",))),
    ("required key in a closed object", obj({}, ("a",))),
    ("too few items possible", {"type": "array", "items": False, "minItems": 1}),
    ("too many keys asked for", obj({"a": NULL}, minProperties=2)),
    ("no branch", {"anyOf": [False, {**INTEGER, "enum": ["a"]}]}),
)
