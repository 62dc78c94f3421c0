"""Tools in chat completions, with the official client and byte by byte. B15: finish_reason is honest."""

from __future__ import annotations

import json
from typing import Any, Literal

import httpx
import jsonschema
import openai
import pytest
from openai import OpenAI
from pydantic import BaseModel, ConfigDict

from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.requests.prompting import Conversation
from guided.server.protocol.openai_chat import read_call
from guided.server.protocol.pieces import pieces_of
from guided.tools import Tool, ToolCall, ToolCallDelta, ToolUse
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, chat_body, schema_format, sse_events

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "unit": {"enum": ["c", "f"]},
        "days": {"type": "array", "items": {"type": "boolean"}, "maxItems": 2},
    },
    "required": ["unit", "days"],
    "additionalProperties": False,
}
WEATHER: Any = {
    "type": "function",
    "function": {"name": "weather", "description": "w", "parameters": SCHEMA, "strict": True},
}
TIME: Any = {"type": "function", "function": {"name": "time"}}
NAMED_TIME = {"type": "function", "function": {"name": "time"}}
TALK: Any = [{"role": "user", "content": "How is it?"}]


class Weather(BaseModel):
    """A tool as the client's own helper takes it."""

    model_config = ConfigDict(extra="forbid")
    unit: Literal["c", "f"]
    soon: bool


def chat(client: OpenAI, **fields: Any) -> Any:
    create: Any = client.chat.completions.create
    return create(**{"model": "tiny", "messages": TALK, "tools": [WEATHER, TIME], "max_tokens": 300, **fields})


class TestClient:
    @pytest.mark.parametrize("seed", range(3))
    def test_required(self, openai_client: OpenAI, seed: int) -> None:
        (choice,) = chat(openai_client, tool_choice="required", seed=seed).choices
        assert choice.finish_reason == "tool_calls"
        assert choice.message.content is None
        for call in choice.message.tool_calls:
            assert (call.type, call.id[:5]) == ("function", "call_")
            schema = SCHEMA if call.function.name == "weather" else {"maxProperties": 0}
            jsonschema.validate(json.loads(call.function.arguments), schema)

    def test_named_and_single(self, openai_client: OpenAI) -> None:
        named = {"type": "function", "function": {"name": "time"}}
        (call,) = chat(openai_client, tool_choice=named).choices[0].message.tool_calls
        assert call.function.name == "time"
        assert json.loads(call.function.arguments) == {}
        answer = chat(openai_client, tool_choice="required", parallel_tool_calls=False, n=3)
        assert [len(choice.message.tool_calls) for choice in answer.choices] == [1, 1, 1]

    def test_stream_is_the_same_as_whole(self, openai_client: OpenAI) -> None:
        options: Any = {"tool_choice": "required", "seed": 5}
        whole = chat(openai_client, **options).choices[0]
        calls: dict[int, list[str]] = {}
        reasons = set()
        for chunk in chat(openai_client, **options, stream=True):
            delta = chunk.choices[0].delta
            reasons.add(chunk.choices[0].finish_reason)
            assert not delta.content
            for call in delta.tool_calls or ():
                parts = calls.setdefault(call.index, [])
                assert (call.id is None) == (call.function.name is None) == bool(parts)
                parts.append((call.function.name or "") + (call.function.arguments or ""))
        assert reasons == {None, "tool_calls"}
        written = [call.function.name + call.function.arguments for call in whole.message.tool_calls]
        assert ["".join(calls[index]) for index in sorted(calls)] == written
        assert max(len(parts) for parts in calls.values()) > 2

    def test_parse_and_stream_helpers(self, openai_client: OpenAI) -> None:
        tools = [openai.pydantic_function_tool(Weather, name="weather")]
        options: Any = {"model": "tiny", "messages": TALK, "tools": tools, "tool_choice": "required", "seed": 3}
        completion = openai_client.chat.completions.parse(**options)
        (first, *_) = completion.choices[0].message.tool_calls or []
        assert isinstance(first.function.parsed_arguments, Weather)
        with openai_client.chat.completions.stream(**options) as stream:
            kinds = {event.type for event in stream}
            final = stream.get_final_completion()
        assert {"tool_calls.function.arguments.delta", "tool_calls.function.arguments.done"} <= kinds
        (again, *_) = final.choices[0].message.tool_calls or []
        assert again.function.parsed_arguments == first.function.parsed_arguments

    def test_auto_is_text_or_calls_and_says_which(self, openai_client: OpenAI) -> None:
        for seed in range(4):
            (choice,) = chat(openai_client, seed=seed, max_tokens=40).choices
            assert (choice.finish_reason == "tool_calls") <= bool(choice.message.tool_calls)
            assert choice.message.content or choice.message.tool_calls

    def test_tools_beside_a_response_format(self, openai_client: OpenAI) -> None:
        schema = {"enum": [{"a": 1}, {"b": [2]}]}
        kinds = set()
        for seed in range(10):
            (choice,) = chat(openai_client, seed=seed, response_format=schema_format(schema)).choices
            kinds.add(choice.finish_reason)
            if choice.finish_reason == "stop":
                jsonschema.validate(json.loads(choice.message.content), schema)
        assert kinds == {"stop", "tool_calls"}

    def test_the_whole_round(self, openai_client: OpenAI) -> None:
        message = chat(openai_client, tool_choice="required", seed=1).choices[0].message
        results = [{"role": "tool", "tool_call_id": call.id, "content": "12 degrees"} for call in message.tool_calls]
        answer = chat(openai_client, messages=[*TALK, message, *results], tool_choice="none", max_tokens=5)
        assert answer.choices[0].message.tool_calls is None

    def test_results_without_an_id(self, openai_client: OpenAI) -> None:  # A1.1
        roles = [{"role": role, "content": "a"} for role in ("system", "user", "assistant", "tool")]
        assert chat(openai_client, messages=roles, tool_choice="none", max_tokens=3).choices

    def test_logprobs_of_calls(self, openai_client: OpenAI) -> None:
        whole = chat(openai_client, tool_choice="required", logprobs=True, seed=1)
        entries = whole.choices[0].logprobs.content
        text = "".join(entry.token for entry in entries)
        assert text.startswith("<tool_call>")
        assert "</tool_call>" in text
        chunks = list(chat(openai_client, tool_choice="required", logprobs=True, seed=1, stream=True))
        streamed = [
            entry for chunk in chunks if chunk.choices[0].logprobs for entry in chunk.choices[0].logprobs.content
        ]
        assert [entry.token for entry in streamed] == [entry.token for entry in entries]

    def test_a_call_that_is_cut_off_says_length(self, openai_client: OpenAI) -> None:
        """B15: the budget is smaller than any call."""
        (choice,) = chat(openai_client, tool_choice="required", max_tokens=3).choices
        assert choice.finish_reason == "length"

    def test_a_wrong_schema_names_its_tool(self, openai_client: OpenAI) -> None:
        schema = {"properties": {"a": {"type": "strin"}}}
        wrong = {"type": "function", "function": {"name": "x", "parameters": schema, "strict": True}}
        with pytest.raises(openai.BadRequestError, match=r"tools\[1\] \(x\): .*strin") as caught:
            chat(openai_client, tools=[WEATHER, wrong])
        assert caught.value.param == "tools[1]"
        with pytest.raises(openai.BadRequestError, match="ignore_eos can't be used with tools") as caught:
            chat(openai_client, extra_body={"ignore_eos": True})
        assert caught.value.param == "ignore_eos"


def call_of(**fields: Any) -> Any:
    return read_call(chat_body(**fields))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, None),
        ({"tools": []}, None),
        ({"tools": [], "tool_choice": "none"}, None),
        ({"tools": [TIME]}, ToolUse((Tool("time"),))),
        ({"tools": [TIME], "tool_choice": "none"}, ToolUse((Tool("time"),), "none")),
        (
            {"tools": [WEATHER], "tool_choice": "required"},
            ToolUse((Tool("weather", "w", SCHEMA, is_strict=True),), "required"),
        ),
        ({"tools": [TIME], "parallel_tool_calls": False}, ToolUse((Tool("time"),), parallel=False)),
        (
            {"tools": [TIME], "tool_choice": {"type": "function", "function": {"name": "time"}}},
            ToolUse((Tool("time"),), only="time"),
        ),
        (
            {
                "tools": [TIME, WEATHER],
                "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [NAMED_TIME]}},
            },
            ToolUse((Tool("time"), Tool("weather", "w", SCHEMA, is_strict=True)), allowed=frozenset({"time"})),
        ),
    ],
)
def test_fields_become_tool_use(fields: dict[str, Any], expected: ToolUse | None) -> None:
    assert call_of(**fields).tools == expected


@pytest.mark.parametrize(
    ("fields", "param", "message"),
    [
        ({"tools": [{"type": "retrieval", "function": {"name": "a"}}]}, "tools[0].type", "'function'"),
        ({"tools": [{"type": "function"}]}, "tools[0].function", "is required"),
        ({"tools": [{"type": "function", "function": {"name": "a b"}}]}, "tools[0]", "a tool's name"),
        (
            {"tools": [{"type": "function", "function": {"name": "a", "parameters": []}}]},
            "tools[0].function.parameters",
            "",
        ),
        ({"tools": [TIME, TIME]}, "tools", "two tools"),
        (
            {"tools": [TIME], "tool_choice": "any"},
            "tool_choice",
            "tool_choice must be 'auto', 'none' or 'required', not",
        ),
        ({"tools": [TIME], "tool_choice": {"name": "time"}}, "tool_choice", "a tool_choice that names a tool is {"),
        ({"tools": [TIME], "tool_choice": {"type": "allowed_tools"}}, "tool_choice", 'needs {"mode": "auto" or'),
        ({"tool_choice": "required"}, "tool_choice", "needs tools"),
        (
            {"tools": [TIME], "tool_choice": {"type": "function", "function": {"name": "x"}}},
            "tool_choice",
            "names 'x', which is not in tools (time)",
        ),
        ({"functions": [{"name": "a"}]}, "functions", "use tools"),
        ({"function_call": {"name": "x"}}, "function_call", "use tool_choice"),
        ({"messages": [{"role": "assistant", "content": None}]}, "messages[0].content", "is required"),
        (
            {"messages": [{"role": "assistant", "content": "a", "function_call": {"name": "a", "arguments": "{}"}}]},
            "messages[0].function_call",
            "older form of tool_calls",
        ),
        ({"continue_final_message": True, "add_generation_prompt": True}, "continue_final_message", "exclude"),
        ({"thinking": True, "reasoning_effort": "none"}, "thinking", "exclude each other"),
        ({"separate_reasoning": False, "regex": "a"}, "separate_reasoning", "can't go with a constraint"),
        ({"separate_reasoning": False, "tools": [TIME]}, "separate_reasoning", "tools"),
        (
            {"stream": True, "stream_options": {"continuous_usage_stats": True}},
            "stream_options.continuous_usage_stats",
            "",
        ),
    ],
)
def test_wrong_fields(
    http: httpx.Client, scripted: ScriptedLLM, fields: dict[str, Any], param: str, message: str
) -> None:
    response = http.post(CHAT_URL, json=chat_body(**fields))
    assert response.status_code == 400, response.text
    assert response.json()["error"]["param"] == param
    assert message in response.json()["error"]["message"]
    assert scripted.calls == []


def test_messages_with_calls_reach_the_model() -> None:
    function = {"name": "f", "arguments": '{"a": 1}'}
    call = call_of(
        messages=[
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "a"}],
                "tool_calls": [{"id": "x", "function": function}],
            },
            {
                "role": "tool",
                "tool_call_id": "x",
                "content": [{"type": "text", "text": "b"}, {"type": "text", "text": "c"}],
            },
            {
                "role": "assistant",
                "tool_calls": [{"id": "y", "function": function}],
                "reasoning_content": "hm",
            },
            {"role": "tool", "name": "f", "content": "d"},
        ]
    )
    (conversation,) = call.prompts
    assert conversation.messages == [
        {"role": "assistant", "content": "a", "tool_calls": [{"id": "x", "type": "function", "function": function}]},
        {"role": "tool", "content": "bc", "tool_call_id": "x"},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "hm",
            "tool_calls": [{"id": "y", "type": "function", "function": function}],
        },
        {"role": "tool", "content": "d", "name": "f"},
    ]


@pytest.mark.parametrize("arguments", ['{"amount": 12', "", "[1]", "null", "no JSON", '{"a": "\\ud800"}'])
def test_calls_that_were_cut_may_stand_in_the_history(arguments: str) -> None:
    function = {"name": "f", "arguments": arguments}
    messages = [
        {"role": "assistant", "tool_calls": [{"id": "x", "function": function}]},
        {"role": "tool", "tool_call_id": "x", "content": "error: no JSON"},
    ]
    (conversation,) = call_of(messages=messages).prompts
    (call,) = conversation.messages[0]["tool_calls"]
    assert call["function"] == function


def test_template_options_reach_the_model() -> None:
    (conversation,) = call_of(
        chat_template_kwargs={"enable_thinking": True, "mood": 1}, reasoning_effort="low", continue_final_message=True
    ).prompts
    assert conversation == Conversation(
        [{"role": "user", "content": "Hi"}],
        template_variables={"mood": 1},
        reasoning_effort="low",
        add_generation_prompt=False,
        continue_final_message=True,
    )


CALLS = (ToolCall("call_a", "f", '{"a":1}'), ToolCall("call_b", "g", "{}"))
DONE = Completion(
    "Hm.",
    (1, 2, 3),
    "stop",
    None,
    4,
    0,
    0.1,
    thinking="So",
    num_thinking_tokens=1,
    num_cached_tokens=2,
    tool_calls=CALLS,
)
STARTED: Any = ([(5, 6, 7, 8)], Vocabulary([b"a", None], [1], {"<eos>": 1}), "tiny")


def test_calls_byte_by_byte() -> None:
    builder = call_of(tools=[TIME], return_token_ids=True).make_builder(*STARTED)
    body = builder.whole([DONE])
    assert body["choices"] == [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "Hm.",
                "refusal": None,
                "reasoning_content": "So",
                "tool_calls": [
                    {"id": "call_a", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}},
                    {"id": "call_b", "type": "function", "function": {"name": "g", "arguments": "{}"}},
                ],
            },
            "logprobs": None,
            "finish_reason": "tool_calls",
            "token_ids": [1, 2, 3],
        }
    ]
    assert body["prompt_token_ids"] == [5, 6, 7, 8]
    assert body["usage"] == {
        "prompt_tokens": 4,
        "completion_tokens": 3,
        "total_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 2},
        "completion_tokens_details": {"reasoning_tokens": 1},
    }


def test_streamed_calls_byte_by_byte() -> None:
    builder = call_of(tools=[TIME], return_token_ids=True).make_builder(*STARTED)
    chunks = [
        CompletionChunk("", thinking="So", token_ids=(1,)),
        CompletionChunk(
            "Hm.", token_ids=(2,), tool_calls=(ToolCallDelta(0, "", "call_a", "f"), ToolCallDelta(0, '{"a"'))
        ),
        CompletionChunk("", "stop", DONE.usage, DONE, token_ids=(3,), tool_calls=(ToolCallDelta(0, ":1}"),)),
    ]
    frames = b"".join(
        [*builder.start(), *[frame for chunk in chunks for frame in builder.piece(chunk)], *builder.end([DONE])]
    )
    *events, end = sse_events(frames.decode())
    choices = [json.loads(event)["choices"][0] for event in events]
    assert end == "[DONE]"
    assert json.loads(events[0])["prompt_token_ids"] == [5, 6, 7, 8]
    assert [choice["delta"] for choice in choices] == [
        {"role": "assistant", "content": "", "refusal": None},
        {"reasoning_content": "So"},
        {"content": "Hm."},
        {"tool_calls": [{"index": 0, "id": "call_a", "type": "function", "function": {"name": "f", "arguments": ""}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"a"'}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": ":1}"}}]},
        {},
    ]
    assert [choice["token_ids"] for choice in choices] == [[], [1], [2], [], [], [3], []]
    assert [choice["finish_reason"] for choice in choices] == [None] * 6 + ["tool_calls"]


def test_pieces_finish_a_call_before_the_text_behind_it() -> None:
    chunk = CompletionChunk("b", tool_calls=(ToolCallDelta(0, "}"), ToolCallDelta(1, "", "x", "g")), thinking="a")
    assert [(piece.kind, piece.text) for piece in pieces_of(chunk)] == [
        ("thinking", "a"),
        ("call", "}"),
        ("text", "b"),
        ("call", ""),
    ]
