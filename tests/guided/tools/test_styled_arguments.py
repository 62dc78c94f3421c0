"""Arguments in every style: written, read back in pieces of any size, and read by the rule."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided.grammars.style_texts import write_object
from guided.grammars.styles import STYLES, Layout
from guided.tools import Tool
from guided.tools.styled_arguments import StyledArguments

SCHEMA: dict[str, Any] = {
    "properties": {
        "text": {"type": "string"},
        "n": {"type": "number"},
        "either": {"type": ["string", "integer", "null", "array"]},
        "inner": {"type": "object", "properties": {"k": {"type": "array", "items": {"type": ["string", "boolean"]}}}},
        "flag": {"type": ["boolean", "null"]},
    },
    "required": ["text"],
}
TOOL = Tool("f", None, SCHEMA, is_open=True)
VALUES: list[dict[str, Any]] = [
    {"text": ""},
    {"text": "12", "n": -1.5e3, "flag": None},
    {"text": '\n"quoted" \\ and \t é 😀 </par <| ]<]mini\n\n', "flag": True},
    {"text": "null", "either": "12x", "n": 5},
    {"either": None, "text": " x "},
    {"either": "nul", "inner": {"k": ["a", True, "fals"]}},
    {"either": 7, "inner": {}},
]
LAYOUTS = (Layout(), Layout(between="\n", behind="\n"))


def read(style: str, text: str, size: int, tool: Tool = TOOL) -> tuple[str, str]:
    """The arguments of a text that comes in pieces of some size, and what is left of it."""
    scanner = StyledArguments(style).scanner(tool)
    buffer, arguments = "", ""
    for place in range(0, len(text), size):
        buffer += text[place : place + size]
        scanned = scanner.push(buffer)
        arguments, buffer = arguments + scanned.arguments, buffer[scanned.num_read :]
        if scanned.is_done:
            return arguments, buffer + text[place + size :]
    return arguments + scanner.finish(buffer), ""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("values", VALUES)
def test_what_is_written_is_read(style: str, values: dict[str, Any]) -> None:
    for layout in LAYOUTS:
        text = StyledArguments(style, layout).spell(json.dumps(values))
        for size in (1, 2, 7, len(text) + 20):
            arguments, left = read(style, f"{text}</function>", size)
            assert (json.loads(arguments), left.strip()) == (values, "</function>")


@pytest.mark.parametrize("style", STYLES)
def test_a_text_that_ends_early_loses_no_value(style: str) -> None:
    """What was shown of a cut text is the beginning of the whole; values that marks of it may belong to are shown."""
    values = {"text": "He said.\n", "inner": {"k": ["a", True]}, "n": 12}
    text = f"{write_object(STYLES[style], values, StyledArguments(style).types_of(TOOL))}</function>"
    whole, _ = read(style, text, 1000)
    for size in range(1, len(text), 3):
        scanner = StyledArguments(style).scanner(TOOL)
        scanned = scanner.push(text[:size])
        assert whole.startswith(scanned.arguments)
        begun = scanned.arguments + scanner.finish(text[scanned.num_read : size])
        assert begun.startswith(scanned.arguments)
    place = text.index("said") + 2
    scanner = StyledArguments(style).scanner(TOOL)
    assert scanner.push(text[:place]).arguments == '{"text": "He sa'


UNMARKED = [name for name, style in STYLES.items() if not style.tells_strings]


@pytest.mark.parametrize("style", UNMARKED)
@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "string"}, "12", "12"),
        ({"type": "string"}, "null", "null"),
        ({"type": ["string", "integer"]}, " 12 ", 12),
        ({"type": ["string", "integer"]}, "1.5.2", "1.5.2"),
        ({"type": ["string", "integer"]}, "-", "-"),
        ({"type": ["string", "integer"]}, "NaN", "NaN"),
        ({"type": ["string", "null"]}, "null", None),
        ({"type": ["string", "null"]}, "Null", "Null"),
        ({"type": "integer"}, "twelve", "twelve"),
        ({}, "true", True),
        ({"$ref": "#/$defs/b"}, "false", False),
        ({"anyOf": [{"not": {}}, {"type": "string"}]}, "false", "false"),
    ],
)
def test_a_value_is_what_the_schema_permits(style: str, schema: Any, text: str, value: Any) -> None:
    tool = Tool("f", None, {"properties": {"p": schema}, "$defs": {"b": {"type": "boolean"}}}, is_open=True)
    begin, end = "".join(STYLES[style].begin_of("p", "string")), STYLES[style].end_of("p")
    for size in (1, 100):
        assert json.loads(read(style, f"{begin}{text}{end}</function>", size, tool)[0]) == {"p": value}


@pytest.mark.parametrize("style", UNMARKED)
@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "string"}, "12345", "12345"),
        ({"type": "string", "pattern": r"(a)\\1"}, "true", "true"),
        ({"type": ["any", {"type": "string"}]}, "5", 5),
        ({"enum": ["1", "2"]}, "1", "1"),
        ({"$ref": "#/$defs/s"}, "7", "7"),
        ({"$ref": "https://example.org/s"}, "7", 7),
        ({"oneOf": [{"type": "string", "minLength": 2}, {"type": ["string", "null"]}]}, "null", None),
        ({"oneOf": [{"type": "string", "minLength": 2}, {"type": ["string", "null"]}]}, "7", "7"),
        ({"allOf": [{"type": ["string", "boolean"]}, {"type": ["string", "integer"]}], "not": 5}, "7", "7"),
    ],
)
def test_types_of_a_tool_without_a_hold_are_those_of_its_schema(style: str, schema: Any, text: str, value: Any) -> None:
    given = {"properties": {"p": schema}, "required": True, "$defs": {"s": {"type": "string"}}}
    begin, end = "".join(STYLES[style].begin_of("p", "string")), STYLES[style].end_of("p")
    for size in (1, 100):
        tool = Tool("f", None, given, why_free="its schema is wrong")
        assert json.loads(read(style, f"{begin}{text}{end}</function>", size, tool)[0]) == {"p": value}


def test_values_that_quote_a_source_are_strings() -> None:
    quotes = {"q": {"x-quote": "text"}, "r": {"type": "string", "x-quote": {"source": "text", "boundaries": "any"}}}
    tool = Tool("f", None, {"properties": quotes}, is_open=True)
    written = "<arg_key>q</arg_key><arg_value>12</arg_value><arg_key>r</arg_key><arg_value>12</arg_value></tool_call>"
    assert json.loads(read("glm_xml", written, 3, tool)[0]) == {"q": 12, "r": "12"}


def test_containers_beside_strings() -> None:
    tool = Tool("f", None, {"properties": {"p": {"type": ["string", "array"]}}}, is_open=True)
    for text, value in (("[1, 2]", [1, 2]), ("[1, 2", "[1, 2"), ("[NaN]", "[NaN]"), ('{"a": 1}', '{"a": 1}')):
        written = f"<arg_key>p</arg_key><arg_value>{text}</arg_value></tool_call>"
        assert json.loads(read("glm_xml", written, 3, tool)[0]) == {"p": value}


@pytest.mark.parametrize("style", UNMARKED)
def test_containers_behind_whitespace(style: str) -> None:
    tool = Tool("f", None, {"properties": {"p": {"type": ["string", "object"]}}}, is_open=True)
    begin, end = "".join(STYLES[style].begin_of("p", "string")), STYLES[style].end_of("p")
    for text in ('\n {"a":1}\n', "\n \n x\n"):
        read_by = [read(style, f"{begin}{text}{end}</function>", size, tool)[0] for size in (1, 100)]
        assert read_by[0] == read_by[1]
        if not STYLES[style].is_deep:
            assert isinstance(json.loads(read_by[0])["p"], dict) == ("{" in text)


def test_elements_are_arrays_or_objects_as_the_schema_has_them() -> None:
    mark = "]<]minimax[>["
    text = f"{mark}<p>{mark}<item>1{mark}</item>{mark}</p>{mark}</invoke>"
    for kind, value in (("array", [1]), ("object", {"item": 1})):
        tool = Tool("f", None, {"properties": {"p": {"type": kind}}}, is_open=True)
        assert json.loads(read("minimax_m3_xml", text, 1, tool)[0]) == {"p": value}
        empty = f"{mark}<p> {mark}</p>{mark}</invoke>"
        assert json.loads(read("minimax_m3_xml", empty, 1, tool)[0]) == {"p": type(value)()}


def test_line_breaks_and_whitespace_may_be_there_or_not() -> None:
    for text in (
        "<parameter=n>5</parameter><parameter=text>a</parameter></function>",
        "\n<parameter=n>\n5\n</parameter>\n\n <parameter=text>\na\n</parameter>\n</function>",
        "<parameter=n> 5\n</parameter>\n<parameter=text>a\n</parameter></function>",
    ):
        assert json.loads(read("qwen_xml", text, 1)[0]) == {"n": 5, "text": "a"}
    glm = "<arg_key> n </arg_key>\n <arg_value>5</arg_value>\n</tool_call>"
    assert json.loads(read("glm_xml", glm, 1)[0]) == {"n": 5}


def test_what_is_no_mark_is_left() -> None:
    assert read("qwen_xml", "<parameter=n>5</parameter>\nand <parameter=text>", 1) == (
        '{"n": 5}',
        "and <parameter=text>",
    )
    assert read("gemma", '{n:5,k:[1,"x"]} rest', 1)[0] == '{"n": 5, "k": [1, "\\"x\\""]}'


def test_a_value_that_a_style_can_not_write_is_shown_to_models_all_the_same() -> None:
    assert StyledArguments("qwen_xml").spell('{"a": "</parameter>"}') == "<parameter=a></parameter></parameter>"
