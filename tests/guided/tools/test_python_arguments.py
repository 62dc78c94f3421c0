"""Arguments as in Python: what the grammar takes, and what readers make of it, ours and Python's own."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from typing import Any

import pytest

from guided.errors import RequestFieldError
from guided.grammars import compile_grammar
from guided.grammars.errors import GrammarError
from guided.grammars.vocabulary import Vocabulary
from guided.params.sampling_params import SamplingParams
from guided.tools import Tool, ToolCall, ToolUse
from guided.tools.families import FAMILIES
from guided.tools.grammar import tool_tag
from guided.tools.plan import plan_tools
from guided.tools.python_arguments import PythonArguments
from tests.guided.tools.test_grammar_and_reader import fits, named, read

LFM2 = FAMILIES["lfm2"]
OLMO_3 = FAMILIES["olmo_3"]
PYTHONIC = FAMILIES["pythonic"]

SCHEMA: dict[str, Any] = {
    "properties": {
        "city": {"type": "string"},
        "days": {"$ref": "#/$defs/Days"},
        "place": {"type": "object", "properties": {"deep": {"type": "boolean"}}, "additionalProperties": False},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["days"],
    "$defs": {"Days": {"type": "integer", "minimum": 1}},
}
TOOLS = (Tool("f", None, SCHEMA), Tool("g"))
ARGUMENTS = {"city": 'a "b")], (c', "days": 3, "place": {"deep": True}, "tags": ["x", "é\n"]}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary([*(bytes([i]) for i in range(256)), None], [256], {"<eos>": 256})


@pytest.mark.parametrize("syntax", [PYTHONIC, LFM2, OLMO_3], ids=lambda syntax: syntax.name)
def test_calls_are_taken_and_read(vocabulary: Vocabulary, syntax: Any) -> None:
    text = syntax.spell([ToolCall("", "f", json.dumps(ARGUMENTS)), ToolCall("", "g", "{}")])
    assert fits(vocabulary, tool_tag(syntax, ToolUse(TOOLS)), text)
    for pieces in [text], list(text):
        content, calls = read(syntax, pieces, TOOLS)
        assert (content, [json.loads(call.arguments) for call in calls]) == ("", [ARGUMENTS, {}])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("days=1", True),
        ('city="a", days=1', True),
        ("days=1, tags=[]", True),
        ('city="a"', False),
        ("days=0", False),
        ('days=1, city="a"', False),
        ("days=1, ", False),
        ("days=1, more=2", False),
        ("days=1, place={'deep': True}", False),
    ],
)
def test_arguments_fit_their_schema(vocabulary: Vocabulary, arguments: str, expected: bool) -> None:
    assert fits(vocabulary, tool_tag(PYTHONIC, ToolUse(TOOLS, "required")), f"[f({arguments})]") == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [("", True), ("a=1", True), ("b=2", True), ("a=1, c=3", True), (", c=3", False), ("c=3, b=2", False)],
)
def test_arguments_none_of_which_has_to_come(vocabulary: Vocabulary, arguments: str, expected: bool) -> None:
    tools = (Tool("f", None, {"properties": {name: {"type": "integer"} for name in "abc"}}),)
    assert fits(vocabulary, tool_tag(PYTHONIC, ToolUse(tools, "required")), f"[f({arguments})]") == expected


def test_each_schema_stands_once(vocabulary: Vocabulary) -> None:
    large = {
        f"D{i}": {"properties": {"x": {"enum": ["a" * 3000]}, "y": {"$ref": f"#/$defs/D{i ^ 1}"}}} for i in range(8)
    }
    properties = {f"p{i}": {"$ref": f"#/$defs/D{i % 8}"} for i in range(20)}
    tag = tool_tag(PYTHONIC, ToolUse((Tool("f", None, {"properties": properties, "$defs": large}),), "required"))
    assert len(json.dumps(tag)) < 2 * 20 * 3500  # each with the two that it refers to
    for arguments, expected in ('p7={"y":{"y":{"y":{}}}}, p19={}', True), ('p7={"y":{"y":{"x":1}}}', False):
        assert fits(vocabulary, tag, f"[f({arguments})]") == expected


@pytest.mark.parametrize("wrong", [{"properties": {"a": "string"}}, {"properties": {"a": {}}, "$defs": []}])
def test_what_is_no_schema_is_an_error(vocabulary: Vocabulary, wrong: Any) -> None:
    def compiled() -> None:
        plan = plan_tools(ToolUse((Tool("f", None, wrong, is_strict=True),)), SamplingParams(), PYTHONIC, "flexible")
        assert plan is not None
        compile_grammar(vocabulary, structural_tag=plan.params.structural_tag)

    with pytest.raises((RequestFieldError, GrammarError), match="object"):
        compiled()


def test_python_reads_what_we_write() -> None:
    spelled = PYTHONIC.spell([ToolCall("", "f", json.dumps({**ARGUMENTS, "place": {"deep": 1}}))])
    (call,) = ast.parse(spelled).body[0].value.elts  # type: ignore[attr-defined]
    read_back = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    assert read_back == {**ARGUMENTS, "place": {"deep": 1}}


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({**SCHEMA, "minProperties": 1}, "minProperties"),
        ({"properties": {"a-b": {}}}, "is no name that Python has"),
        ({"properties": {"from": {}}}, "is no name that Python has"),
        ({"type": "object"}, "are not named"),
        ({"properties": {"a": {"$ref": "#/properties/b"}, "b": {}}}, "refers to more than"),
    ],
)
def test_what_can_not_be_held_is_read_as_python(vocabulary: Vocabulary, parameters: Any, reason: str) -> None:
    use = ToolUse((Tool("f", None, parameters, is_open=True),))
    plan = plan_tools(use, SamplingParams(), PYTHONIC, "flexible")
    assert plan is not None
    assert reason in plan.use.free["f"]
    text = "[f(a='it\\'s', b=(1, -2), c={'k': None}, d=unknown)]"
    assert fits(vocabulary, tool_tag(PYTHONIC, plan.use), "[f(a='it)', b=1)]")
    for pieces in [text], list(text):
        _, calls = read(PYTHONIC, pieces, plan.use.tools)
        assert named(calls) == [("f", '{"a": "it\'s", "b": [1, -2], "c": {"k": null}, "d": "unknown"}')]
    with pytest.raises(RequestFieldError, match=r"tools\[0\] \(f\)"):
        plan_tools(ToolUse(use.tools, "required"), SamplingParams(), PYTHONIC, "flexible")


QUOTED: dict[str, Any] = {
    "properties": {
        "a": {"type": "string", "description": "Any."},
        "b": {"enum": ["x", "it's"]},
        "c": {"type": "string", "maxLength": 2},
        "d": {"type": "integer"},
    }
}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("a='it\\'s \\\\ \\n \"é\"', b='it\\'s', d=1", {"a": 'it\'s \\ \n "é"', "b": "it's", "d": 1}),
        ('a="it\'s", b="x", c="ab"', {"a": "it's", "b": "x", "c": "ab"}),
        ("a=''", {"a": ""}),
        ("b='y'", None),
        ("c='ab'", None),
        ("d='1'", None),
        ("a='\n'", None),
        ("a='\\x'", None),
    ],
)
def test_strings_in_single_quotes(vocabulary: Vocabulary, arguments: str, expected: Any) -> None:
    syntax, tools = replace(LFM2, arguments=PythonArguments("'")), (Tool("f", None, QUOTED),)
    text = f"<|tool_call_start|>[f({arguments})]<|tool_call_end|>"
    assert fits(vocabulary, tool_tag(syntax, ToolUse(tools, "required")), text) == (expected is not None)
    if expected is not None:
        for pieces in [text], list(text):
            _, (call,) = read(syntax, pieces, tools)
            assert json.loads(call.arguments) == expected
            assert fits(
                vocabulary,
                tool_tag(syntax, ToolUse(tools, "required")),
                syntax.spell([call]).replace("c='ab'", 'c="ab"'),
            )


def test_what_is_no_call_is_text() -> None:
    for text in "[1, 2]", "[f", "[h()]", "Well, [f()]":
        assert read(PYTHONIC, list(text), TOOLS) == (text, [])


def test_what_is_wrong_with_an_argument_is_told_by_its_place_in_the_schema() -> None:
    tool = Tool("f", None, {"properties": {"a": {"type": "object", "properties": {"b": {"type": "any"}}}}})
    tag = {"type": "structural_tag", "format": PYTHONIC.arguments.to_check(tool)}
    with pytest.raises(GrammarError, match="'/format/elements/0/json_schema/properties/a/properties/b/type'"):
        compile_grammar(Vocabulary([b"a", None], [1]), structural_tag=tag, cache=None)
