"""Misspelled keywords are told, everything that is meant stays silent; values without a bound are named."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.vocabulary import Vocabulary
from guided.params.sampling_params import SamplingParams
from guided.requests.grammars import RequestGrammars
from guided.schemas.advice import CONSTRAINING, KNOWN_WORDS, meant_keyword, misspelled, unbounded
from guided.schemas.pattern_readings import read_otherwise
from guided.schemas.surprises import surprises
from tests.checkpoints import Counted

BYTES = Vocabulary([None, *(bytes([byte]) for byte in range(256))], [0])
SLIPS: list[tuple[str, Any, str]] = [
    ("propertys", {"a": {}}, "properties"),
    ("properites", {"a": {}}, "properties"),
    ("Properties", {}, "properties"),
    ("requird", ["a"], "required"),
    ("require", ["a"], "required"),
    ("additonalProperties", False, "additionalProperties"),
    ("additional_properties", False, "additionalProperties"),
    ("additionalproperties", {"type": "string"}, "additionalProperties"),
    ("minLenght", 3, "minLength"),
    ("min_length", 3, "minLength"),
    ("max-items", 3, "maxItems"),
    ("maxItem", 3, "maxItems"),
    ("minium", 3, "minimum"),
    ("inclusiveMinimum", 3, "minimum"),
    ("patern", "^a$", "pattern"),
    ("enums", ["a"], "enum"),
    ("typ", "string", "type"),
    ("item", {"type": "string"}, "items"),
    ("anyof", [{}], "anyOf"),
    ("unqiueItems", True, "uniqueItems"),
    ("ref", "#/$defs/a", "$ref"),
    ("definations", {"a": {}}, "definitions"),
]
SILENT: list[tuple[str, Any]] = [
    *((name, 1) for name in ("x-order", "x-minLength", "_note", "ui:order", "@type", "a", "price", "comment")),
    *((name, ["a"]) for name in ("tags", "enumNames", "enumDescriptions", "aliases", "values")),
    *((name, "text") for name in ("markdownDescription", "contentMediaType", "contentEncoding", "tsType", "unit")),
    *((name, {}) for name in ("discriminator", "xml", "externalDocs", "contentSchema", "links", "options")),
    ("patterns", ["a", "b"]),  # could be no pattern
    ("formats", ["a"]),
    ("types", {"a": 1}),
    ("nullable", True),
    ("deprecated", True),
]


@pytest.mark.parametrize(("keyword", "value", "meant"), SLIPS)
def test_slips(keyword: str, value: Any, meant: str) -> None:
    assert meant_keyword(keyword, value) == meant


@pytest.mark.parametrize(("keyword", "value"), SILENT)
def test_what_is_no_slip(keyword: str, value: Any) -> None:
    assert meant_keyword(keyword, value) is None


def test_all_known_words_are_silent() -> None:
    values = (1, "a", True, {}, [], ["a"], [{}])
    assert all(meant_keyword(word, value) is None for word in (*KNOWN_WORDS, *CONSTRAINING) for value in values)


def test_places() -> None:
    schema = {
        "propertys": {},
        "properties": {"requird": {"type": "string", "maxLenght": 3}, "a/b": {"items": [{"typo": 1, "enum_": ["a"]}]}},
        "anyOf": [{"not": {"$defs": {"x": {"minItem": 3}}}}],
        "enum": [{"requird": ["a"]}],
        "default": {"requird": ["a"]},
    }
    assert [(one.pointer, one.keyword, one.meant) for one in misspelled(schema)] == [
        ("", "propertys", "properties"),
        ("/properties/requird", "maxLenght", "maxLength"),
        ("/properties/a~1b/items/0", "enum_", "enum"),
        ("/anyOf/0/not/$defs/x", "minItem", "minItems"),
    ]
    assert misspelled(True) == []
    assert str(misspelled({"requird": []})[0]).endswith("constrains nothing; did you mean 'required'?")


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "string"}, [("", '"maxLength": 200')]),
        ({"type": ["string", "null"], "minLength": 3}, [("", '"maxLength": 200')]),
        ({"type": "string", "maxLength": 3}, []),
        ({"type": "string", "enum": ["a"]}, []),
        ({"type": "string", "pattern": "^a$"}, []),
        ({"type": "string", "format": "date"}, []),
        ({"type": "integer"}, [("", '"minimum": 0 and "maximum": 1000000')]),
        ({"type": "integer", "minimum": 1}, [("", '"maximum": 1000000')]),
        ({"type": "number", "exclusiveMinimum": 1, "maximum": 3}, []),
        ({"type": "array", "items": {"const": 1}}, [("", '"maxItems": 20')]),
        ({"type": "array", "prefixItems": [{"const": 1}], "items": False}, []),
        ({"allOf": [{"type": "string"}, {"maxLength": 3}]}, []),
        ({"maxLength": 3, "anyOf": [{"type": "string"}, {"type": "null"}]}, []),
        ({"not": {"type": "string"}}, []),
        ({"properties": {"a": {"type": "string"}}}, [("/properties/a", '"maxLength": 200')]),
        ({"$defs": {"a": {"items": {"type": "integer"}}}}, [("/$defs/a/items", '"minimum": 0 and "maximum": 1000000')]),
    ],
)
def test_unbounded(schema: Any, found: list[tuple[str, str]]) -> None:
    assert [(one.pointer, one.bound) for one in unbounded(schema)] == found


def test_the_log_tells_of_a_schema_once(caplog: pytest.LogCaptureFixture) -> None:
    """What serving and `guided extract` say: wherever a request brings a schema that was not compiled before."""
    grammars = RequestGrammars(BYTES, None, "compact")
    caplog.set_level(logging.WARNING, logger="guided")
    schema = {"title": "told once", "requird": ["a"], "properties": {"a": {"type": "boolean"}}}
    for _ in range(2):
        grammars.get(SamplingParams(json_schema=schema))
    assert caplog.text.count("in a schema, (root): 'requird' is no keyword and constrains nothing; did you mean") == 1
    caplog.clear()
    grammars.get(SamplingParams(json_schema={"properties": {str(i): {"requird\n": ["a"]} for i in range(10)}}))
    assert len(caplog.records) == 4
    assert "7 more keywords look misspelled" in caplog.text
    assert all("\n" not in record.getMessage() for record in caplog.records)
    caplog.clear()
    grammars.get(SamplingParams(json_schema={"x-requird": ["a"], "maximum": 3}))
    assert caplog.records == []


def test_checkpoints_in_large_schemas() -> None:
    with Counted() as counted:
        misspelled({"properties": {f"p{number}": {"type": "string"} for number in range(1000)}})
    assert counted.count >= 1000


@pytest.mark.parametrize(
    ("grammar", "expected"),
    [
        ({"json_schema": {"pattern": "[a-c]"}}, ["(root): the pattern '[a-c]' may match anywhere"]),
        ({"json_schema": {"pattern": "[a-c]"}, "pattern": "full"}, []),
        ({"json_schema": {"pattern": r"^a\$"}}, ["(root): the pattern"]),
        ({"json_schema": {"pattern": "^a|b$"}}, ["(root): the pattern"]),
        ({"json_schema": {"pattern": "^(a|[|)b])$"}}, []),
        ({"json_schema": {"items": {"properties": {"x": {}}}}}, ["/items: other members"]),
        ({"json_schema": {"items": {"properties": {"x": {}}}}, "objects": "closed"}, []),
        (
            {"json_schema": {"not": {"properties": {"x": {"const": 1}}}, "additionalProperties": {}, "properties": {}}},
            [],
        ),
        (
            {"json_schema": {"minDigitsInteger": 2, "const": 1}},
            ["(root): 'minDigitsInteger' is an addition"],
        ),
        ({"json_schema": {"patternProperties": {r"^\d+\s$": {}}}}, [r"(root): $ and \d and \s in the pattern"]),
        ({"json_schema": {"not": {"pattern": r"^\w\\d(?![\s\S])"}}}, [r"/not: \w in the pattern"]),
        ({"json_schema": {"pattern": r"^\w$"}}, []),
        ({"regex": r"\d+[\w-]"}, [r"the regex: digits and letters of all scripts count for \d and \w"]),
        ({"regex": r"\\d(?a:\d)"}, []),
        (
            {"ebnf": 'root ::= "[digit]" [digit] [ab]\ndigit ::= [0-9] # [digit]'},
            ["line 1: [digit] is one of"],
        ),
        ({"ebnf": 'start: "a"\n   | /\\d/', "dialect": "lark"}, ["line 2: digits and letters"]),
        ({"all_of": [{"regex": "1"}, {"regex": r"\d"}]}, ["all_of[1]: the regex: digits"]),
        (
            {"structural_tag": {"type": "structural_tag", "format": {"type": "regex", "pattern": r"\d"}}},
            ["/format: digits"],
        ),
    ],
)
def test_what_other_libraries_read_in_another_way(grammar: dict[str, Any], expected: list[str]) -> None:
    found = [str(one) for one in surprises(compile_grammar(BYTES, **grammar).spec, grammar.get("json_schema"))]
    assert len(found) == len(expected)
    assert all(one.startswith(begin) for one, begin in zip(found, expected, strict=True)), found


@pytest.mark.parametrize(
    ("schema", "places"),
    [
        ({"pattern": r"^\W+$"}, {"": [r"\W"]}),
        ({"pattern": r"^\D[^\w\$]\s$"}, {"": [r"\D", r"\s", r"\w"]}),
        ({"pattern": r"^\d\$[$.\b][^\D]\\W.$"}, {}),
        ({"not": {"pattern": "^a$"}}, {"/not": ["$"]}),
        ({"not": {"not": {"pattern": r"^\d$"}}}, {}),
        ({"properties": {"not": {"pattern": r"^\d+$"}}}, {}),
        ({"patternProperties": {"^a$": {}}}, {"": ["$"]}),
        ({"patternProperties": {"^a$": {}}, "additionalProperties": False}, {}),
        ({"oneOf": [{"pattern": r"^\w"}, {"pattern": "^."}]}, {"/oneOf/0": [r"\w"], "/oneOf/1": ["."]}),
        ({"oneOf": [{"type": "string", "pattern": r"^\w$"}, {"type": "null"}]}, {}),
        ({"if": {"pattern": r"^\w"}, "else": {"pattern": r"^\d"}}, {"/if": [r"\w"]}),
        ({"not": {"$ref": "#/$defs/a"}, "$defs": {"a": {"items": {"pattern": r"^\d"}}}}, {"/$defs/a/items": [r"\d"]}),
        ({"items": {"not": {"$ref": "#"}}, "pattern": "^.$"}, {"": ["$", "."]}),
        ({"pattern": r"^(?!\w)[\s\S]"}, {"": [r"\w"]}),
    ],
)
def test_what_python_reads_otherwise_where_it_may_refuse(schema: Any, places: dict[str, list[str]]) -> None:
    assert {place: marks for place, found in read_otherwise(schema).items() for _, marks in found} == places
