"""Custom tools in chats and responses: with the official client on a tiny random model, and as requests and answers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai import OpenAI

from guided.compile import compile_grammar
from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.server.errors import InvalidRequestError
from guided.server.protocol import openai_chat, openai_responses
from guided.tools import Tool, ToolCall, ToolCallDelta, ToolUse
from guided.tools.custom import TextGrammar
from tests.server.wire import chat_body, sse_events

SHORT = 'start: "put " NAME "\\n" | "\\"" NAME "\\""\nNAME: /[a-c]{1,3}/'
GRAMMAR = {"syntax": "lark", "definition": SHORT}
CUSTOM: Any = {"type": "custom", "custom": {"name": "put", "format": {"type": "grammar", "grammar": GRAMMAR}}}
FLAT: Any = {"type": "custom", "name": "put", "format": {"type": "grammar", **GRAMMAR}}
DATE: Any = {
    "type": "custom",
    "name": "date",
    "format": {"type": "grammar", "syntax": "regex", "definition": "[0-9]{4}"},
}
BYTES = Vocabulary([*[bytes([byte]) for byte in range(256)], None], [256], {"<eos>": 256})


def fits(text: str) -> bool:
    matcher = compile_grammar(BYTES, ebnf=SHORT, dialect="lark").matcher()
    return all(matcher.accept_token(byte) for byte in text.encode()) and matcher.is_accepting()


class TestClient:
    def test_chat(self, openai_client: OpenAI) -> None:
        options: Any = {"model": "tiny", "messages": [{"role": "user", "content": "Hi"}], "tools": [CUSTOM], "seed": 5}
        whole = openai_client.chat.completions.create(**options, tool_choice="required").choices[0]
        calls: Any = whole.message.tool_calls
        assert whole.finish_reason == "tool_calls"
        assert {call.type for call in calls} == {"custom"}
        assert all(call.custom.name == "put" and fits(call.custom.input) for call in calls)
        texts: dict[int, str] = {}
        for chunk in openai_client.chat.completions.create(**options, tool_choice="required", stream=True):
            for delta in chunk.choices[0].delta.tool_calls or ():
                texts[delta.index] = texts.get(delta.index, "") + delta.custom["input"]  # type: ignore[attr-defined]
        assert [*texts.values()] == [call.custom.input for call in calls]
        results = [{"role": "tool", "tool_call_id": call.id, "content": "done"} for call in calls]
        options["messages"] += [whole.message, *results]
        assert openai_client.chat.completions.create(**options, tool_choice="none", max_tokens=3).choices

    def test_responses(self, openai_client: OpenAI) -> None:
        named: Any = {"type": "custom", "name": "put"}
        options: Any = {"model": "tiny", "input": [{"role": "user", "content": "Hi"}], "tools": [FLAT, DATE]}
        with openai_client.responses.stream(**options, tool_choice=named, store=False) as stream:
            events = list(stream)
            (item,) = stream.get_final_response().output
        assert (item.type, item.name) == ("custom_tool_call", "put")
        assert fits(item.input)
        deltas = [event.delta for event in events if event.type == "response.custom_tool_call_input.delta"]
        (done,) = [event for event in events if event.type == "response.custom_tool_call_input.done"]
        assert "".join(deltas) == done.input == item.input
        output = {"type": "custom_tool_call_output", "call_id": item.call_id, "output": "done"}
        options["input"] += [item, output]
        allowed: Any = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "custom", "name": "date"}]}
        again = openai_client.responses.create(**options, tool_choice=allowed, parallel_tool_calls=False)
        (call,) = again.output
        assert call.type == "custom_tool_call"
        assert (len(call.input), call.input.isdigit()) == (4, True)


def test_tools_and_choices_of_both_formats() -> None:
    named: Any = {"type": "custom", "custom": {"name": "put"}}
    choices: Any = (
        ("required", "required", ToolUse((grammar_tool(),), "required")),
        (named, {"type": "custom", "name": "put"}, only()),
        (
            {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [named]}},
            {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "custom", "name": "put"}]},
            ToolUse((grammar_tool(),), allowed=frozenset({"put"})),
        ),
    )
    for chat, flat, expected in choices:
        assert openai_chat.read_call(chat_body(tools=[CUSTOM], tool_choice=chat)).tools == expected
        assert openai_responses.read_call({"input": "Hi", "tools": [FLAT], "tool_choice": flat}).tools == expected


def grammar_tool() -> Tool:
    return Tool("put", is_strict=True, is_custom=True, grammar=TextGrammar("lark", SHORT))


def only() -> ToolUse:
    return ToolUse((grammar_tool(),), only="put")


@pytest.mark.parametrize(
    ("tool", "param", "message"),
    [
        ({"type": "custom", "name": "a", "format": {"type": "grammar"}}, "tools[0]", "format must be"),
        ({"type": "custom", "name": "a", "format": {"type": "json"}}, "tools[0].format.type", "'text'"),
        (
            {"type": "custom", "name": "a", "format": {"type": "grammar", "syntax": "gbnf", "definition": ""}},
            "tools[0].format.syntax",
            "'lark'",
        ),
        (
            {"type": "custom", "name": "a", "format": {"type": "text", "regex": "a"}},
            "tools[0].format.regex",
            "no field",
        ),
        ({"type": "custom", "name": "a", "schema": {}}, "tools[0]", "has a schema"),
    ],
)
def test_wrong_tools(tool: dict[str, Any], param: str, message: str) -> None:
    with pytest.raises(InvalidRequestError, match=message) as raised:
        openai_responses.read_call({"input": "Hi", "tools": [tool]})
    assert raised.value.param == param


def test_former_calls_of_both_formats_are_the_same() -> None:
    items = [
        {"type": "custom_tool_call", "call_id": "x", "name": "put", "input": "a\n"},
        {"type": "custom_tool_call_output", "call_id": "x", "output": [{"type": "input_text", "text": "done"}]},
        {"type": "custom_tool_call", "call_id": "y", "name": "put", "namespace": "n", "input": ""},
    ]
    calls = [{"id": "x", "type": "custom", "custom": {"name": "put", "input": "a\n"}}]
    messages = [
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "content": "done", "tool_call_id": "x"},
    ]
    (from_items,) = openai_responses.read_call({"input": items}).prompts
    (from_chat,) = openai_chat.read_call(chat_body(messages=messages)).prompts
    assert from_items.messages[:2] == from_chat.messages == messages  # type: ignore[union-attr]
    assert from_items.messages[2]["tool_calls"][0]["custom"]["name"] == "n__put"  # type: ignore[union-attr]


CALL = ToolCall("call_a", "put", "put a\n", is_custom=True)
DONE = Completion("", (1, 2), "stop", None, 4, 0, 0.1, tool_calls=(CALL,))
CHUNKS = (
    CompletionChunk(
        "", tool_calls=(ToolCallDelta(0, "", "call_a", "put", True), ToolCallDelta(0, "put", is_custom=True))
    ),
    CompletionChunk("", "stop", DONE.usage, DONE, tool_calls=(ToolCallDelta(0, " a\n", is_custom=True),)),
)
STARTED: Any = ([(5, 6)], Vocabulary([b"a", None], [1], {"<eos>": 1}), "tiny")


def streamed(builder: Any) -> list[dict[str, Any]]:
    frames = [*builder.start(), *[frame for chunk in CHUNKS for frame in builder.piece(chunk)], *builder.end([DONE])]
    return [json.loads(event) for event in sse_events(b"".join(frames).decode()) if event != "[DONE]"]


def test_a_chats_answer_byte_by_byte() -> None:
    made: Any = openai_chat.read_call(chat_body(tools=[CUSTOM])).make_builder
    (choice,) = made(*STARTED).whole([DONE])["choices"]
    called = {"id": "call_a", "type": "custom", "custom": {"name": "put", "input": "put a\n"}}
    assert (choice["message"]["tool_calls"], choice["finish_reason"]) == ([called], "tool_calls")
    deltas = [chunk["choices"][0]["delta"].get("tool_calls") for chunk in streamed(made(*STARTED))]
    assert [delta[0] for delta in deltas if delta] == [
        {"index": 0, "id": "call_a", "type": "custom", "custom": {"name": "put", "input": ""}},
        {"index": 0, "custom": {"input": "put"}},
        {"index": 0, "custom": {"input": " a\n"}},
    ]


def test_a_responses_item_byte_by_byte() -> None:
    space = {"type": "namespace", "name": "n", "tools": [FLAT]}
    made: Any = openai_responses.read_call({"input": "Hi", "tools": [space]}).make_builder
    renamed = Completion(
        "", (1, 2), "stop", None, 4, 0, 0.1, tool_calls=(ToolCall("call_a", "n__put", "a", is_custom=True),)
    )
    (item,) = made(*STARTED).whole([renamed])["output"]
    assert {**item, "id": ""} == {
        "type": "custom_tool_call",
        "id": "",
        "call_id": "call_a",
        "namespace": "n",
        "name": "put",
        "input": "a",
        "status": "completed",
    }
    events = streamed(openai_responses.read_call({"input": "Hi", "tools": [FLAT]}).make_builder(*STARTED))  # type: ignore[misc]
    place = {"item_id": events[2]["item"]["id"], "output_index": 0}
    named = [(event.pop("type"), event) for event in events]
    assert named[3:6] == [
        ("response.custom_tool_call_input.delta", {"sequence_number": 3, **place, "delta": "put"}),
        ("response.custom_tool_call_input.delta", {"sequence_number": 4, **place, "delta": " a\n"}),
        ("response.custom_tool_call_input.done", {"sequence_number": 5, **place, "input": "put a\n"}),
    ]


def test_tools_that_nobody_can_call_here_are_told() -> None:
    kinds = ("web_search_preview", "tool_search", "image_generation", "local_shell", "mcp", "computer_use_preview")
    call = openai_responses.read_call({"input": "Hi", "tools": [FLAT, *[{"type": kind} for kind in kinds]]})
    assert call.ignored == tuple(f"tools[{index}]" for index in range(1, 7))
    assert call.tools is not None
    assert [tool.name for tool in call.tools.tools] == ["put"]


def test_tools_in_items() -> None:
    """As newer Codex sends them; the same one again is one tool, and errors say where it stands."""
    item = {"type": "additional_tools", "role": "developer", "tools": [FLAT, {"type": "web_search"}]}
    body = {"input": [item, {"role": "user", "content": "Hi"}, item], "tools": [DATE]}
    call = openai_responses.read_call(body)
    assert call.tools is not None
    assert [tool.name for tool in call.tools.tools] == ["date", "put"]
    assert call.ignored == ("input[0].tools[1]",)
    assert call.sent_names["tools[1]"] == "input[0].tools[0]"
    assert call.prompts[0].messages == [{"role": "user", "content": "Hi"}]  # type: ignore[union-attr]
    with pytest.raises(InvalidRequestError, match="a tool's name") as raised:
        openai_responses.read_call({"input": [{**item, "tools": [{**FLAT, "name": "a b"}]}]})
    assert raised.value.param == "input[0].tools[0]"
