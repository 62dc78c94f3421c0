"""Tools and calls that are made to trip a syntax up: marks in names and in values, calls that are cut anywhere."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import pytest

from guided.compile import compile_grammar
from guided.errors import RequestFieldError
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.errors import GrammarError, InvalidInputError, LimitExceededError, UnsupportedSchemaError
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.params.sampling_params import SamplingParams
from guided.tools import Tool, ToolCall, ToolUse
from guided.tools.definitions import Choice
from guided.tools.families import FAMILIES
from guided.tools.grammar import tool_tag
from guided.tools.plan import ToolPlan, plan_tools
from guided.tools.styled_arguments import StyledArguments
from guided.tools.syntax import ToolSyntax
from tests.fuzz.walks import VOCABULARY, try_piece
from tests.guided.tools.test_grammar_and_reader import read

HERMES = FAMILIES["hermes"]
PYTHONIC = FAMILIES["pythonic"]
QWEN3_CODER = FAMILIES["qwen3_coder"]

SCHEMA: dict[str, Any] = {"properties": {"text": {"type": "string"}, "more": {"type": "array"}}}
TOOL = Tool("f", None, SCHEMA, is_open=True)
by_family = pytest.mark.parametrize("syntax", FAMILIES.values(), ids=lambda syntax: syntax.name)


def marks_of(syntax: ToolSyntax) -> str:
    """All that begins, divides and ends calls."""
    parts = [syntax.trigger, syntax.group_begin, syntax.opener("f"), syntax.closer, syntax.between, syntax.group_end]
    return "".join(parts)


def spelled(syntax: ToolSyntax, arguments: Any) -> str:
    return syntax.spell([ToolCall("", "f", json.dumps(arguments, ensure_ascii=False))])


@by_family
def test_values_and_names_may_hold_marks_where_arguments_are_json(syntax: ToolSyntax) -> None:
    arguments = {"text": f"x{marks_of(syntax)}y", "more": [{f"k{marks_of(syntax)}": marks_of(syntax)}]}
    if isinstance(syntax.arguments, StyledArguments):
        pytest.skip("arguments stand one by one, in marks")
    for pieces in ([spelled(syntax, arguments)], list(spelled(syntax, arguments))):
        content, (call,) = read(syntax, pieces, (TOOL,))
        assert (content, json.loads(call.arguments)) == ("", arguments)


@by_family
def test_a_call_that_is_cut_anywhere_loses_nothing(syntax: ToolSyntax) -> None:
    """Before a call has a name it is text; then its arguments are shown as far as they are there.

    What may be the value's or the beginning of a mark behind it is shown as the value's.
    """
    text = spelled(syntax, {"text": "He said </x> twice.", "more": [1, {"a": None}]})
    _, (whole,) = read(syntax, [text], (TOOL,))
    for cut in range(len(text)):
        content, calls = read(syntax, [text[:cut]], (TOOL,))
        if not calls:
            assert content == text[:cut]
            continue
        assert content == ""
        shown = calls[0].arguments
        known = next((n for n in range(len(shown), 0, -1) if whole.arguments.startswith(shown[:n])), 0)
        assert text[:cut].endswith(shown[known:].replace("\\n", "\n"))


def test_names_that_no_tool_may_have() -> None:
    for name in ("<tool_call>", "f\n", "", "f g", "</f>", "é", "f" * 129):
        with pytest.raises(InvalidInputError, match="a tool's name has"):
            Tool(name)


@by_family
def test_names_as_mcp_has_them(syntax: ToolSyntax) -> None:
    """Also where one is the beginning of another, and no mark stands between a name and the arguments."""
    names = ("github", "github.", "github.repos/get", "github.repos/get-file_2", "github-")
    tools = tuple(Tool(name, None, SCHEMA, is_open=True) for name in names)
    for name in names:
        text = syntax.spell([ToolCall("", name, '{"text": "x"}')])
        for pieces in ([text], list(text)):
            content, calls = read(syntax, pieces, tools)
            assert (content, [(call.name, json.loads(call.arguments)) for call in calls]) == (
                "",
                [(name, {"text": "x"})],
            )


@pytest.mark.parametrize(
    ("kind", "reason"), [("array", "not 'array'"), (["null", "string"], "are an object"), (7, "7")]
)
def test_a_schema_that_permits_no_object_frees_the_arguments(kind: Any, reason: str) -> None:
    for syntax in (HERMES, QWEN3_CODER, PYTHONIC):
        tool = Tool("f", None, {"type": kind})
        plan = plan_tools(ToolUse((tool, Tool("g"))), SamplingParams(), syntax, "flexible")
        assert plan is not None
        assert list(plan.use.free) == ["f"]
        assert reason in plan.use.free["f"]
        assert read(syntax, [spelled(syntax, {"x": 1})], plan.use.tools)[1][0].arguments == '{"x": 1}'
        for use in (ToolUse((replace(tool, is_strict=True),)), ToolUse((tool,), "required")):
            with pytest.raises(RequestFieldError, match=r"tools\[0\] \(f\)"):
                plan_tools(use, SamplingParams(), syntax, "flexible")


def test_a_schema_that_permits_more_than_objects_means_objects() -> None:
    for kind in (["object", "null"], ["string", "object"], None):
        assert Tool("f", None, {"type": kind} if kind else {}).schema["type"] == "object"


def test_two_tools_of_one_name() -> None:
    with pytest.raises(RequestFieldError, match="two tools with the name 'f'"):
        ToolUse((TOOL, Tool("f")))


def test_five_hundred_tools_of_two_kilobytes() -> None:
    tools = tuple(long_tool(number) for number in range(500))
    assert len(json.dumps(tools[0].parameters)) > 2000
    start = time.process_time()
    grammar = compile_grammar(VOCABULARY, structural_tag=tool_tag(HERMES, ToolUse(tools)), cache=None)
    matcher = grammar.matcher()
    compiled = time.process_time()
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    for piece in ("", HERMES.opener("tool_7")):
        assert try_piece(matcher, piece.encode())
        matcher.fill_bitmask(bitmask)
    assert compiled - start < 5, "under 1 s on a quiet machine"
    assert time.process_time() - compiled < 1, "two masks, under 50 ms each"


def long_tool(number: int) -> Tool:
    types = ("string", "integer", "boolean", "number")
    properties = {
        f"parameter_{number}_{index}": {"type": types[index % 4], "description": f"what {number} does with it. " * 4}
        for index in range(14)
    }
    return Tool(f"tool_{number}", None, {"type": "object", "properties": properties, "required": [*properties][:2]})


def test_a_schema_of_two_hundred_kilobytes() -> None:
    properties = {f"parameter_{index}": {"type": ["string", "integer"], "pattern": "^[a-z]+$"} for index in range(3200)}
    tool = Tool("f", None, {"type": "object", "properties": properties})
    assert len(json.dumps(tool.parameters)) > 200_000
    matcher = compile_grammar(VOCABULARY, structural_tag=tool_tag(HERMES, ToolUse((tool,))), cache=None).matcher()
    call = spelled(HERMES, {"parameter_1": "abc", "parameter_3100": 5})
    assert try_piece(matcher, call.encode())
    assert not try_piece(matcher, call.replace("abc", "A").encode())


def test_a_required_parameter_whose_name_holds_a_mark() -> None:
    """Where arguments stand between marks it can't be written: this tool's arguments are free, the others' not."""
    name = "a>b"
    tool = Tool("f", None, {"properties": {name: {"type": "integer"}}, "required": [name]})
    plan = plan_tools(ToolUse((tool, Tool("g"))), SamplingParams(), QWEN3_CODER, "flexible")
    assert plan is not None

    with pytest.raises(UnsupportedSchemaError) as caught:
        compile_one(plan.params)
    use = plan.with_free_tools(caught.value, compile_one)
    assert list(use.free) == ["f"]
    changed = plan_tools(use, plan.given, QWEN3_CODER, "flexible")
    assert changed is not None
    matcher = compile_one(changed.params).matcher()
    assert try_piece(matcher, spelled(QWEN3_CODER, {"any": "x", "n": 1}).encode())


WRONG: list[dict[str, Any]] = [
    {"$schema": "http://json-schema.org/draft-03/schema#", "properties": {"a": {"type": "string", "required": True}}},
    {"properties": {"a": {"type": "any"}}},
    {"properties": {"a": {"$ref": "https://example.org/schema"}}},
    {"properties": {"a": {"pattern": r"\Aabc\Z"}}},
    {"properties": {"a": "string"}},
    {"properties": None, "required": None},
    {"properties": {"a": {}}, "required": [{}]},
]


def compile_one(params: SamplingParams, limits: Limits | None = None) -> CompiledGrammar:
    return compile_grammar(VOCABULARY, structural_tag=params.structural_tag, limits=limits, cache=None)


@pytest.mark.parametrize("syntax", [HERMES, QWEN3_CODER, PYTHONIC], ids=lambda syntax: syntax.name)
@pytest.mark.parametrize("schema", WRONG)
def test_a_wrong_schema_frees_the_arguments_of_its_tool(syntax: ToolSyntax, schema: dict[str, Any]) -> None:
    """Many servers of tools give such schemas. If the tool is strict, or a call must come, it is an error."""

    def compiled(*tools: Tool, choice: Choice = "auto") -> tuple[ToolPlan, CompiledGrammar]:
        plan = plan_tools(ToolUse(tools, choice), SamplingParams(), syntax, "flexible")
        assert plan is not None
        try:
            return plan, compile_one(plan.params)
        except GrammarError as error:
            changed = plan_tools(plan.with_free_tools(error, compile_one), SamplingParams(), syntax, "flexible")
            assert changed is not None
            return changed, compile_one(changed.params)

    tool = Tool("f", None, schema)
    plan, grammar = compiled(tool, Tool("g"))
    assert list(plan.use.free) == ["f"]
    text = spelled(syntax, {"a": "x"})
    assert try_piece(grammar.matcher(), text.encode())
    reader = plan.new_reader()
    reader.push(text)
    assert [json.loads(call.arguments) for call in reader.calls] == [{"a": "x"}]
    with pytest.raises(RequestFieldError, match=r"tools\[1\] \(f\): "):
        compiled(Tool("g"), replace(tool, is_strict=True))
    with pytest.raises(RequestFieldError, match=r"tools\[0\] \(f\): "):
        compiled(tool, choice="required")


@pytest.mark.parametrize("is_strict", [False, True])
def test_tools_that_pass_a_limit_together_are_an_error(is_strict: bool) -> None:
    """None of them passes it alone."""
    limited = partial(compile_one, limits=Limits(max_schema_bytes=6000))
    tools = tuple(
        Tool(f"f_{size}", None, {"properties": {"p": {"enum": ["x" * size]}}}, is_strict=is_strict)
        for size in (900, 2000, 1600, 1800)
    )
    plan = plan_tools(ToolUse(tools), SamplingParams(), HERMES, "flexible")
    assert plan is not None
    with pytest.raises(LimitExceededError) as caught:
        limited(plan.params)
    with pytest.raises(LimitExceededError, match=r"max_schema_bytes = 6000 .*all tools; offer fewer or smaller tools"):
        plan.with_free_tools(caught.value, limited)


def test_a_passed_limit_on_time_frees_no_tool() -> None:
    """So a busy machine changes no grammar."""
    plan = plan_tools(ToolUse((TOOL,)), SamplingParams(), HERMES, "flexible")
    assert plan is not None
    slow = LimitExceededError("max_compile_seconds", 1, "seconds", is_of_time=True)

    def too_slow(params: SamplingParams) -> NoReturn:
        raise slow

    for error, compiled in ((slow, compile_one), (GrammarError("?"), too_slow)):
        with pytest.raises(LimitExceededError, match=r"max_compile_seconds .*in the grammar of all tools"):
            plan.with_free_tools(error, compiled)
