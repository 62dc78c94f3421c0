"""`LLM.start` with tools, on a tiny random model: its calls are noise that always fits."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from guided.engines.local import slow_rows
from guided.errors import RequestFieldError
from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from guided.tools import Tool, ToolUse
from guided.tools.definitions import MAX_TOOLS
from tests.guided.tiny_model import make_tiny_model
from tests.guided.tools.templates import HARMONY, QWEN_CODER

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"enum": [1, 2]}, "b": {"type": "array", "items": {"type": "boolean"}, "maxItems": 2}},
    "required": ["a", "b"],
    "additionalProperties": False,
}
TOOLS = (Tool("f", "does f", SCHEMA), Tool("g"))
TALK = [{"role": "user", "content": "Go"}]


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> Iterator[LLM]:
    with LLM(str(tiny_model_folder)) as model:
        yield model


def params(seed: int = 0, **fields: Any) -> SamplingParams:
    return SamplingParams(**{"max_new_tokens": 300, "seed": seed, **fields})


@pytest.mark.parametrize("seed", range(3))
def test_calls_stream_and_fit(llm: LLM, seed: int) -> None:
    chunks = list(llm.start(TALK, params(seed), tools=ToolUse(TOOLS, "required")))
    completion = chunks[-1].completion
    assert completion is not None
    assert (completion.finish_reason, completion.text) == ("stop", "")
    assert completion.tool_calls
    for index, call in enumerate(completion.tool_calls):
        jsonschema.validate(json.loads(call.arguments), {"f": SCHEMA, "g": TOOLS[1].schema}[call.name])
        deltas = [delta for chunk in chunks for delta in chunk.tool_calls if delta.index == index]
        assert (deltas[0].id, deltas[0].name) == (call.id, call.name)
        assert "".join(delta.arguments for delta in deltas) == call.arguments
        assert len(deltas) > 2, "the arguments come in pieces"
    assert tuple(token_id for chunk in chunks for token_id in chunk.token_ids) == completion.token_ids


def test_definitions_in_openais_form(llm: LLM) -> None:
    completion = llm.start(TALK, params(), tools=[tool.definition for tool in TOOLS]).result()
    assert completion.finish_reason in ("stop", "length")
    same = llm.start(TALK, params(), tools=ToolUse(TOOLS)).result()
    assert (completion.text, completion.token_ids) == (same.text, same.token_ids)


def test_each_output_has_its_own_calls(llm: LLM) -> None:
    completion = llm.start(TALK, params(n=3), tools=ToolUse(TOOLS, only="f")).result()
    outputs = [completion, *completion.alternatives]
    assert [len(output.tool_calls) for output in outputs] == [1, 1, 1]
    assert len({output.tool_calls[0].id for output in outputs}) == 3


def test_a_document_or_calls(llm: LLM) -> None:
    kinds = set()
    for seed in range(12):
        one = params(seed, json_schema={"enum": ["x", ["y"]]})
        completion = llm.start(TALK, one, tools=ToolUse(TOOLS)).result()
        kinds.add(bool(completion.tool_calls))
        assert completion.tool_calls or json.loads(completion.text) in ("x", ["y"])
    assert kinds == {True, False}


def test_no_tools_no_grammar(llm: LLM) -> None:
    free = llm.start(TALK, params(max_new_tokens=9)).result()
    none = llm.start(TALK, params(max_new_tokens=9), tools=ToolUse(TOOLS, "none")).result()
    assert (none.token_ids, none.num_prompt_tokens) == (free.token_ids, free.num_prompt_tokens)


def test_prompt_tokens_are_counted(llm: LLM) -> None:
    assert llm.count_prompt_tokens(TALK) == llm.start(TALK, params(max_new_tokens=1)).result().num_prompt_tokens
    with_tools = llm.start(TALK, params(max_new_tokens=1), tools=ToolUse(TOOLS)).result().num_prompt_tokens
    assert llm.count_prompt_tokens(TALK, ToolUse(TOOLS)) == with_tools > llm.count_prompt_tokens(TALK)


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"ignore_eos": True}, "ignore_eos"),
        ({"skip_special_tokens": True}, "skip_special_tokens"),
    ],
)
def test_params_that_cant_go_with_tools(llm: LLM, fields: dict[str, Any], param: str) -> None:
    with pytest.raises(RequestFieldError) as caught:
        llm.start(TALK, params(**fields), tools=ToolUse(TOOLS))
    assert caught.value.param == param


def test_a_wrong_schema_names_its_tool(llm: LLM) -> None:
    wrong = Tool("h", None, {"properties": {"a": {"type": "strin"}}}, is_strict=True)
    with pytest.raises(RequestFieldError, match=r"tools\[2\] \(h\): .*/properties/a/type") as caught:
        llm.start(TALK, params(), tools=ToolUse((*TOOLS, wrong)))
    assert caught.value.param == "tools[2]"
    other = Tool("i", None, {"properties": {"b": {"type": "strin"}}})
    with pytest.raises(RequestFieldError, match=r"tools\[1\] \(h\): .*/properties/a/type"):
        llm.start(TALK, params(), tools=ToolUse((other, wrong), only="h"))
    with pytest.raises(Exception, match="/format/elements/1"):
        llm.start(TALK, params(json_schema={"type": "strin"}), tools=ToolUse(TOOLS))


def test_tools_need_messages(llm: LLM) -> None:
    for prompt in "Go", [1, 2]:
        with pytest.raises(InvalidInputError, match="tools need messages"):
            llm.start(prompt, params(), tools=ToolUse(TOOLS))
    with pytest.raises(InvalidInputError, match="excludes tools"):
        llm.start(TALK, params(), grammar=llm.compile(params(regex="a")), tools=ToolUse(TOOLS))
    with pytest.raises(InvalidInputError, match="all_of can't be combined with tools"):
        llm.start(TALK, params(all_of=[{"regex": "a"}]), tools=ToolUse(TOOLS))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Tool("a b"), "a tool's name"),
        (lambda: Tool("a", None, []), "must be a JSON Schema"),  # type: ignore[arg-type]
        (lambda: ToolUse((Tool("a"), Tool("a"))), "two tools with the name 'a'"),
        (lambda: ToolUse((Tool("a"),), only="b"), r"names 'b', which is not in tools \(a\)"),
        (lambda: ToolUse((), "required"), "needs tools"),
        (lambda: ToolUse((), "any"), "tool_choice must be"),  # type: ignore[arg-type]
        (lambda: ToolUse(tuple(Tool(f"t{i}") for i in range(MAX_TOOLS + 1))), "at most 512"),
        (lambda: ToolUse.of([{"name": "a"}]), r"tools\[0\] must be"),
        (lambda: ToolUse.of("a"), "must be a list of tools or a ToolUse"),  # type: ignore[arg-type]
    ],
)
def test_wrong_definitions(make: Any, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason):
        make()


DEFINITIONS = [tool.definition for tool in TOOLS]
NAMED = {"type": "function", "function": {"name": "f"}}


def test_chat_with_tools(llm: LLM) -> None:
    one = params(n=2)
    completion = llm.chat(TALK, one, tools=DEFINITIONS, tool_choice=NAMED)
    assert [len(output.tool_calls) for output in (completion, *completion.alternatives)] == [1, 1]
    started = llm.start(TALK, one, tools=ToolUse(TOOLS, only="f")).result()
    assert (started.text, started.token_ids) == (completion.text, completion.token_ids)
    assert [call.arguments for call in started.tool_calls] == [call.arguments for call in completion.tool_calls]


def test_several_conversations_with_tools(llm: LLM) -> None:
    all_params = [params(seed) for seed in range(3)]
    completions = llm.chat([TALK] * 3, all_params, tools=DEFINITIONS, tool_choice="required", parallel_tool_calls=False)
    assert [len(completion.tool_calls) for completion in completions] == [1, 1, 1]
    for completion in completions:
        (call,) = completion.tool_calls
        jsonschema.validate(json.loads(call.arguments), {"f": SCHEMA, "g": TOOLS[1].schema}[call.name])


def test_all_ways_to_ask_take_tools(llm: LLM) -> None:
    async def ask() -> list[Any]:
        completion = await llm.complete_async(TALK, params(), tools=DEFINITIONS, tool_choice="required")
        chunks = [one async for one in llm.stream_async(TALK, params(), tools=DEFINITIONS, tool_choice="required")]
        return [completion, chunks[-1].completion]

    *_, last = llm.stream(TALK, params(), tools=DEFINITIONS, tool_choice="required")
    outputs = [last.completion, *asyncio.run(ask())]
    first = llm.chat(TALK, params(), tools=ToolUse(TOOLS, "required"))
    for output in outputs:
        assert output.token_ids == first.token_ids
        assert [(call.name, call.arguments) for call in output.tool_calls] == [
            (call.name, call.arguments) for call in first.tool_calls
        ]


def test_a_conversation_goes_on_with_its_calls(llm: LLM) -> None:
    completion = llm.chat(TALK, params(), tools=DEFINITIONS, tool_choice=NAMED)
    (call,) = completion.tool_calls
    message = completion.message
    function = {"name": "f", "arguments": call.arguments}
    assert message == {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call.id, "type": "function", "function": function}],
    }
    result = {"role": "tool", "tool_call_id": call.id, "content": "7"}
    assert llm.chat([*TALK, message, result], params(max_new_tokens=5), tools=DEFINITIONS).error is None


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"tools": [{"type": "function", "function": {"name": "a b"}}]}, "tools[0]"),
        ({"tools": [{"type": "web_search"}]}, "tools[0]"),
        ({"tools": [{"function": {"name": "f", "parameter": SCHEMA}}]}, "tools[0]"),
        ({"tools": [{"function": {"name": "f", "description": 5}}]}, "tools[0]"),
        ({"tools": DEFINITIONS, "parallel_tool_calls": "false"}, "parallel_tool_calls"),
        ({"tools": "f"}, "tools"),
        ({"tools": DEFINITIONS * 2}, "tools"),
        ({"tools": DEFINITIONS, "tool_choice": "any"}, "tool_choice"),
        ({"tools": DEFINITIONS, "tool_choice": {"type": "function", "function": {"name": "h"}}}, "tool_choice"),
        ({"tools": DEFINITIONS, "tool_choice": {"name": "f"}}, "tool_choice"),
        ({"tools": [], "tool_choice": "required"}, "tool_choice"),
        ({"tool_choice": NAMED}, "tool_choice"),
    ],
)
def test_wrong_tools_name_their_field(llm: LLM, options: Any, param: str) -> None:
    with pytest.raises(RequestFieldError) as caught:
        llm.chat(TALK, params(), **options)
    assert caught.value.param == param


NO_HOLD: dict[str, Any] = {"type": "object", "properties": {"s": {"type": "string", "pattern": r"(a)\1"}}}


def test_a_tool_that_can_not_be_held_costs_itself_alone(llm: LLM) -> None:
    free = {"type": "function", "function": {"name": "free", "parameters": NO_HOLD}}
    completion = llm.chat(TALK, params(max_new_tokens=40), tools=[*DEFINITIONS, free])
    assert completion.error is None
    assert list(completion.unheld_tools) == ["free"]
    assert "can't enforce 'pattern' at '/properties/s'" in completion.unheld_tools["free"]
    held = llm.chat(TALK, params(max_new_tokens=5), tools=DEFINITIONS)
    assert held.unheld_tools == {}


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "free"}}, "strict"])
def test_a_tool_that_has_to_be_held_is_an_error_where_it_can_not(llm: LLM, choice: Any) -> None:
    is_strict = choice == "strict"
    function = {"name": "free", "parameters": NO_HOLD, **({"strict": True} if is_strict else {})}
    tools = [*DEFINITIONS, {"type": "function", "function": function}]
    with pytest.raises(RequestFieldError, match="can't enforce 'pattern' at '/properties/s'") as caught:
        llm.chat(TALK, params(), tools=tools, tool_choice="auto" if is_strict else choice)
    assert caught.value.param == f"tools[{len(DEFINITIONS)}]"


def test_a_tool_past_a_limit_costs_itself_alone(llm: LLM) -> None:
    deep: Any = {"type": "integer"}
    for _ in range(8):
        deep = {"type": "object", "properties": {"a": deep}}
    tools = [*DEFINITIONS, {"type": "function", "function": {"name": "free", "parameters": deep}}]
    completion = llm.chat(TALK, params(max_new_tokens=5, limits=Limits(max_schema_depth=14)), tools=tools)
    assert completion.error is None
    assert "max_schema_depth" in completion.unheld_tools["free"]


def test_options_that_say_it_twice_or_nothing(llm: LLM) -> None:
    with pytest.raises(InvalidInputError, match="says itself"):
        llm.chat(TALK, params(), tools=ToolUse(TOOLS), tool_choice="none")
    with pytest.raises(TypeError, match="tool_choise"):
        llm.chat(TALK, params(), tool_choise="none")  # type: ignore[call-overload]
    with pytest.raises(InvalidInputError, match="tools need messages"):
        llm.stream(["a", "b"], params(), tools=DEFINITIONS)
    free = llm.chat(TALK, params(max_new_tokens=5))
    assert llm.chat(TALK, params(max_new_tokens=5), tools=[]).token_ids == free.token_ids
    assert llm.chat(TALK, params(max_new_tokens=5), tools=DEFINITIONS, tool_choice="none").token_ids == free.token_ids


def test_calls_of_a_model_that_writes_parameters_as_tags(tmp_path: Path) -> None:
    tool = Tool("f", None, {**SCHEMA, "properties": {**SCHEMA["properties"], "s": {"type": "string", "maxLength": 9}}})
    with LLM(str(make_tiny_model(tmp_path, chat_template=QWEN_CODER))) as coder:
        for seed in range(3):
            completion = coder.chat(TALK, params(seed), tools=[tool.definition], tool_choice="required")
            assert completion.finish_reason == "stop"
            for call in completion.tool_calls:
                jsonschema.validate(json.loads(call.arguments), tool.schema)
        again = [*TALK, completion.message, {"role": "tool", "tool_call_id": "x", "content": "1"}]
        assert coder.chat(again, params(max_new_tokens=3), tools=[tool.definition]).error is None


def test_answers_in_channels(tmp_path: Path) -> None:
    tool = Tool("f", None, SCHEMA)
    document = {"enum": [[1], [2]]}
    with LLM(str(make_tiny_model(tmp_path, chat_template=HARMONY))) as model:
        chunks = list(model.start(TALK, params(), tools=[tool.definition], tool_choice="required"))
        completion = chunks[-1].completion
        assert completion is not None
        (call,) = completion.tool_calls
        jsonschema.validate(json.loads(call.arguments), SCHEMA)
        assert completion.text == ""
        assert completion.thinking == "".join(chunk.thinking for chunk in chunks)
        for seed in range(6, 28, 7):  # some of them told something before the document once
            completion = model.chat(TALK, params(seed, max_new_tokens=99, json_schema=document, thinking=True))
            assert json.loads(completion.text) in document["enum"]
            assert completion.fits_grammar
        for asked, thought in (
            ({"thinking": False}, ""),
            ({"thinking_budget": 3}, "\x1b6亓"),
        ):  # no mark cuts a character
            completion = model.chat(TALK, params(1, max_new_tokens=120, json_schema=document, **asked))
            assert completion.thinking == thought
            assert json.loads(completion.text) in document["enum"]
        free = model.chat(TALK, params(1, max_new_tokens=9))
        assert free.text, "what stands in no channel is text"


def test_an_answer_closes_in_its_budget_though_each_step_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound of the distance to the end, whose making was interrupted, once stayed at 0."""
    for name in ("TRIAL_S", "TRIAL_BESIDE_S", "MOMENT_S", "ROW_S"):
        monkeypatch.setattr(slow_rows, name, 0.0)
    with LLM(str(make_tiny_model(tmp_path, chat_template=HARMONY))) as model:
        completion = model.chat(TALK, params(6, max_new_tokens=99, json_schema={"enum": [[1], [2]]}, thinking=True))
        assert completion.closed_in_budget
        assert completion.text in ("[1]", "[2]")


def allowed(mode: str, *names: str) -> dict[str, Any]:
    tools = [{"type": "function", "function": {"name": name}} for name in names]
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}}


@pytest.mark.parametrize("seed", range(3))
def test_only_allowed_tools_are_called(llm: LLM, seed: int) -> None:
    completion = llm.chat(TALK, params(seed), tools=DEFINITIONS, tool_choice=allowed("required", "g"))
    assert {call.name for call in completion.tool_calls} == {"g"}
    assert completion.num_prompt_tokens == llm.count_prompt_tokens(TALK, DEFINITIONS), "the model sees all"
    free = llm.chat(TALK, params(seed, max_new_tokens=9), tools=DEFINITIONS, tool_choice=allowed("auto", "f", "g"))
    assert free.token_ids == llm.chat(TALK, params(seed, max_new_tokens=9), tools=DEFINITIONS).token_ids


def test_both_of_openais_formats() -> None:
    function = {"name": "f", "parameters": {"type": "object"}}
    text = {"name": "t", "format": {"type": "grammar", "grammar": {"syntax": "regex", "definition": "a+"}}}
    flat_text = {"name": "t", "format": {"type": "grammar", "syntax": "regex", "definition": "a+"}}
    nested = [{"type": "function", "function": function}, {"type": "custom", "custom": text}]
    flat = [{"type": "function", **function}, {"type": "custom", **flat_text}]
    flat_choice = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]}
    assert ToolUse.of(flat, flat_choice) == ToolUse.of(nested, allowed("auto", "f"))


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (allowed("required"), "allows no tool"),
        (allowed("auto", "f", "h"), "allows 'h'"),
        (allowed("none", "f"), "not {'type': 'allowed_tools', 'allowed_tools': {'mode': 'none'"),
        ({"type": "allowed_tools", "mode": "none", "tools": []}, "not {'type': 'allowed_tools', 'mode': 'none'"),
        ({"type": "allowed_tools", "mode": "auto", "tools": []}, "allows no tool"),
        ({"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": ["f"]}}, "not 'f' at tools[0]"),
        ({"type": "function", "name": "h"}, "names 'h'"),
        ({"name": "f"}, "not {'name': 'f'}"),
    ],
)
def test_wrong_allowed_tools(llm: LLM, choice: Any, message: str) -> None:
    with pytest.raises(RequestFieldError, match=re.escape(message)) as caught:
        llm.chat(TALK, params(), tools=DEFINITIONS, tool_choice=choice)
    assert caught.value.param == "tool_choice"
