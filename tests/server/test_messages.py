"""`/v1/messages` (A4.5): with the official `anthropic` client on a tiny random model, and event by event."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx
import jsonschema
import pytest
from anthropic import Anthropic

from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.params.sampling_params import SamplingParams
from guided.server.errors import WireError
from guided.server.protocol.anthropic_messages import read_call
from guided.server.protocol.unsupported import MESSAGE_FIELDS, TOLD
from guided.tools import Tool, ToolCall, ToolCallDelta, ToolUse
from tests.server.scripted_llm import ScriptedLLM

URL = "/v1/messages"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"enum": [1, 2]}, "s": {"type": "string", "maxLength": 3}},
    "required": ["n", "s"],
    "additionalProperties": False,
}
TOOL: Any = {"name": "f", "description": "d", "input_schema": SCHEMA}
TALK: Any = [{"role": "user", "content": "Hi"}]


@pytest.fixture(scope="module")
def client(tiny_server: str) -> Iterator[Anthropic]:
    """The official client; no retries, so that each error shows."""
    with Anthropic(base_url=tiny_server, api_key="unused", max_retries=0) as made:
        yield made


def create(client: Anthropic, **fields: Any) -> Any:
    make: Any = client.messages.create
    return make(**{"model": "tiny", "max_tokens": 300, "messages": TALK, **fields})


class TestClient:
    def test_text(self, client: Anthropic) -> None:
        message = create(client, max_tokens=5, system="Be brief.", extra_body={"ignore_eos": True, "seed": 1})
        assert re.fullmatch("msg_[0-9a-f]{32}", message.id)
        assert (message.type, message.role, message.model) == ("message", "assistant", "tiny")
        (block,) = message.content
        assert block.type == "text"
        assert (message.stop_reason, message.stop_sequence) == ("max_tokens", None)  # B20
        assert message.usage.output_tokens == 5
        assert message.usage.input_tokens + message.usage.cache_read_input_tokens > 20

    def test_stream_is_the_same_as_whole(self, client: Anthropic) -> None:
        options: Any = {"max_tokens": 9, "extra_body": {"seed": 2, "ignore_eos": True}}
        whole = create(client, **options)
        with client.messages.stream(model="tiny", messages=TALK, **options) as stream:
            text = "".join(stream.text_stream)
            final = stream.get_final_message()
        assert text == whole.content[0].text == final.content[0].text
        assert (final.stop_reason, final.usage.output_tokens) == ("max_tokens", 9)

    def test_stop_sequences(self, client: Anthropic) -> None:
        """B19: trimmed; and it says which."""
        options: Any = {"max_tokens": 30, "extra_body": {"seed": 2, "ignore_eos": True}}
        text = create(client, **options).content[0].text
        stop = text[4:6]
        message = create(client, **options, stop_sequences=["never there", stop])
        assert (message.stop_reason, message.stop_sequence) == ("stop_sequence", stop)
        assert message.content[0].text == text[: text.index(stop)]

    @pytest.mark.parametrize("seed", range(3))
    def test_tools(self, client: Anthropic, seed: int) -> None:
        message = create(client, tools=[TOOL], tool_choice={"type": "any"}, extra_body={"seed": seed})
        assert message.stop_reason == "tool_use"
        for block in message.content:
            assert (block.type, block.name, block.id[:6]) == ("tool_use", "f", "toolu_")
            jsonschema.validate(block.input, SCHEMA)
        results = [{"type": "tool_result", "tool_use_id": block.id, "content": "ok"} for block in message.content]
        talk = [*TALK, {"role": "assistant", "content": message.content}, {"role": "user", "content": results}]
        again = create(client, messages=talk, tools=[TOOL], tool_choice={"type": "none"}, max_tokens=3)
        assert again.stop_reason in ("end_turn", "max_tokens")

    def test_streamed_tools(self, client: Anthropic) -> None:
        choice: Any = {"type": "tool", "name": "f"}
        kinds = []
        with client.messages.stream(
            model="tiny", max_tokens=300, messages=TALK, tools=[TOOL], tool_choice=choice, extra_body={"seed": 1}
        ) as stream:
            kinds = [event.type for event in stream]
            message = stream.get_final_message()
        (block,) = message.content
        assert block.type == "tool_use"
        jsonschema.validate(block.input, SCHEMA)
        assert kinds.count("input_json") > 2
        assert message.stop_reason == "tool_use"

    def test_constraints_as_extensions(self, client: Anthropic) -> None:
        for body in {"regex": "(yes|no)!"}, {"choice": ["yes!", "no!"]}, {"structured_outputs": {"regex": "(yes|no)!"}}:
            assert create(client, extra_body=body).content[0].text in ("yes!", "no!")
        document = create(client, output_config={"format": {"type": "json_schema", "schema": SCHEMA}}).content[0].text
        jsonschema.validate(json.loads(document), SCHEMA)

    def test_a_last_message_is_gone_on_with(self, client: Anthropic) -> None:
        talk = [*TALK, {"role": "assistant", "content": "The answer is"}]
        assert create(client, messages=talk, extra_body={"regex": " (yes|no)"}).content[0].text in (" yes", " no")

    def test_count_tokens(self, client: Anthropic) -> None:
        message = create(client, max_tokens=1, system="Be brief.")
        count = client.messages.count_tokens(model="tiny", messages=TALK, system="Be brief.").input_tokens
        assert count == message.usage.input_tokens + message.usage.cache_read_input_tokens
        with_tools = client.messages.count_tokens(model="tiny", messages=TALK, tools=[TOOL]).input_tokens
        assert with_tools > client.messages.count_tokens(model="tiny", messages=TALK).input_tokens

    @pytest.mark.parametrize(
        "fields",
        [
            {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
            {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}, "tools": [TOOL]},
            {
                "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
                "tools": [TOOL],
                "tool_choice": {"type": "any"},
            },
            {"json_schema": SCHEMA},
            {"thinking": {"type": "disabled"}},
        ],
    )
    def test_count_tokens_of_what_the_template_shows(self, schema_http: httpx.Client, fields: dict[str, Any]) -> None:
        """The schema of the answer stands in this model's prompt."""
        talk = {"model": "tiny", "messages": TALK, **fields}
        usage = schema_http.post(URL, json=talk | {"max_tokens": 1}).json()["usage"]
        counted = schema_http.post(f"{URL}/count_tokens", json=talk).json()["input_tokens"]
        assert counted == usage["input_tokens"] + usage["cache_read_input_tokens"]

    def test_count_tokens_refuses_what_messages_refuse(self, client: Anthropic) -> None:
        wrong: Any = {"output_config": {"format": {"type": "json_schema", "schema": {"type": "nothing"}}}}
        with pytest.raises(anthropic.BadRequestError) as caught:
            client.messages.count_tokens(model="tiny", messages=TALK, **wrong)
        body: Any = caught.value.body
        assert body["error"]["param"] == "output_config.format"
        with pytest.raises(anthropic.BadRequestError, match="is for type 'enabled'"):
            client.messages.count_tokens(model="tiny", messages=TALK, thinking={"type": "enabled"})  # type: ignore[typeddict-item]

    def test_errors_become_the_clients_exceptions(self, client: Anthropic) -> None:
        with pytest.raises(anthropic.BadRequestError) as caught:
            create(client, extra_body={"temperature": 3})
        body: Any = caught.value.body
        assert (body["type"], body["error"]["type"]) == ("error", "invalid_request_error")
        assert body["error"]["message"].startswith("temperature must be")
        assert body["request_id"] == caught.value.response.headers["x-request-id"]
        with pytest.raises(anthropic.NotFoundError) as missing:
            create(client, model="huge")
        assert missing.value.body["error"]["type"] == "not_found_error"  # type: ignore[index,call-overload]
        with pytest.raises(anthropic.NotFoundError):
            client.messages.count_tokens(model="huge", messages=TALK)
        wrong = TOOL | {"input_schema": {"type": "object", "required": 3}}
        with pytest.raises(anthropic.BadRequestError, match=r"tools\[0\] \(f\)"):
            create(client, tools=[wrong], tool_choice={"type": "any"})


def test_errors_of_http_itself_have_the_same_shape(tiny_http: httpx.Client) -> None:
    for response, kind in (
        (tiny_http.get(URL), "invalid_request_error"),
        (tiny_http.post(URL, content=b"{", headers={"content-type": "application/json"}), "invalid_request_error"),
    ):
        assert response.json()["type"] == "error"
        assert response.json()["error"]["type"] == kind


WEB: Any = {"type": "web_search_20250305", "name": "web_search"}


def call_of(**fields: Any) -> Any:
    return read_call({"model": "tiny", "max_tokens": 9, "messages": TALK} | fields)


@pytest.mark.parametrize("field", sorted(name for name, (_, instead) in MESSAGE_FIELDS.items() if instead != TOLD))
def test_unsupported_fields_are_never_ignored(field: str) -> None:
    with pytest.raises(Exception, match="is not supported yet") as caught:
        call_of(**{field: 2})
    assert caught.value.param == field  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("fields", "param", "message"),
    [
        ({"max_tokens": None}, "max_tokens", "valid integer"),
        ({"max_tokens": 0}, "max_tokens", "greater than or equal to 1"),
        ({"messages": []}, "messages", "at least 1"),
        ({"messages": [{"role": "tool", "content": "a"}]}, "messages[0].role", "'user'"),
        ({"messages": [{"role": "user", "content": []}]}, "messages[0].content", "is an empty list"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image", "source": {}}]}]},
            "messages[0].content[0]",
            "or tool_result, not 'image'",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}]},
            "messages[0].content[0].type",
            "does not go with the role 'user'",
        ),
        (
            {
                "messages": [
                    *TALK,
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
                ]
            },
            "messages[1]",
            "send their results",
        ),
        ({"stop_sequences": "a"}, "stop_sequences", "valid list"),
        ({"stop_sequences": ["a"], "stop": "b"}, "stop", "exclude each other"),
        ({"tools": [{"type": "retrieval", "name": "search"}]}, "tools[0]", "'custom'"),
        ({"tools": [WEB], "tool_choice": {"type": "any"}}, "tool_choice", "needs tools"),
        (
            {"tools": [WEB, TOOL], "tool_choice": {"type": "tool", "name": "web_search"}},
            "tool_choice",
            "names 'web_search'",
        ),
        ({"tools": [WEB, TOOL, TOOL]}, "tools", "two tools"),
        ({"tools": [WEB, TOOL | {"name": "a b"}]}, "tools[1]", "a tool's name"),
        ({"tools": [TOOL], "tool_choice": {"type": "tool"}}, "tool_choice.name", "needs it"),
        ({"tools": [TOOL], "tool_choice": {"type": "tool", "name": "x"}}, "tool_choice", "names 'x'"),
        ({"tool_choice": {"type": "any"}}, "tool_choice", "needs tools"),
        ({"thinking": {"type": "enabled"}}, "thinking.budget_tokens", "needs it"),
        ({"thinking": {"type": "enabled", "budget_tokens": 9}}, "thinking.budget_tokens", "less than max_tokens, 9"),
        ({"output_config": {"format": {"type": "json_schema"}}}, "output_config.format.schema", "is required"),
        ({"regex": "a", "output_format": {"type": "json_schema", "schema": {}}}, "output_format", "exclude each other"),
        ({"temperature": 2.5}, "temperature", "in [0, 2]"),
    ],
)
def test_wrong_fields(
    http: httpx.Client, scripted: ScriptedLLM, fields: dict[str, Any], param: str, message: str
) -> None:
    response = http.post(URL, json={"model": "scripted", "max_tokens": 9, "messages": TALK} | fields)
    assert response.status_code == 400, response.text
    error = response.json()["error"]
    assert error["param"] == param
    assert message in error["message"]
    assert scripted.calls == []


def test_blocks_become_messages() -> None:
    image_free = [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}, {"type": "text", "text": "b"}]
    (conversation,) = call_of(
        system=[{"type": "text", "text": "S"}, {"type": "text", "text": "T"}],
        messages=[
            {"role": "user", "content": image_free},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": ""},
                    {"type": "text", "text": "c"},
                    {"type": "tool_use", "id": "t1", "name": "f", "input": {"n": "é"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "1"}]},
                    {"type": "tool_result", "tool_use_id": "t2", "content": "no", "is_error": True},
                    {"type": "text", "text": "d"},
                ],
            },
            {"role": "assistant", "content": "e"},
        ],
    ).prompts
    function = {"name": "f", "arguments": '{"n": "é"}'}
    assert conversation.messages == [
        {"role": "system", "content": "ST"},
        {"role": "user", "content": "ab"},
        {
            "role": "assistant",
            "content": "c",
            "reasoning_content": "hm",
            "tool_calls": [{"id": "t1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "t1", "content": "1"},
        {"role": "tool", "tool_call_id": "t2", "content": "Error: no"},
        {"role": "user", "content": "d"},
        {"role": "assistant", "content": "e"},
    ]
    assert conversation.continue_final_message


def test_what_nobody_can_read_or_run_here_is_told() -> None:
    """Tools of Anthropic's own, and thinking of another server; errors name the places of the others."""
    bash = {"type": "bash_20250124", "name": "bash"}
    redacted = {
        "role": "assistant",
        "content": [{"type": "redacted_thinking", "data": "x"}, {"type": "text", "text": "b"}],
    }
    call = call_of(tools=[WEB, TOOL, bash], messages=[*TALK, redacted, *TALK])
    assert call.ignored == ("tools[0]", "tools[2]", "messages[1].content[0]")
    assert [tool.name for tool in call.tools.tools] == ["f"]
    assert call.sent_names["tools[0]"] == "tools[1]"
    assert call.prompts[0].messages[1] == {"role": "assistant", "content": "b"}


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"type": "auto"}, ToolUse((Tool("f", "d", SCHEMA, is_strict=True),))),
        ({"type": "any"}, ToolUse((Tool("f", "d", SCHEMA, is_strict=True),), "required")),
        ({"type": "none"}, ToolUse((Tool("f", "d", SCHEMA, is_strict=True),), "none")),
        ({"type": "tool", "name": "f"}, ToolUse((Tool("f", "d", SCHEMA, is_strict=True),), only="f")),
        (
            {"type": "any", "disable_parallel_tool_use": True},
            ToolUse((Tool("f", "d", SCHEMA, is_strict=True),), "required", parallel=False),
        ),
    ],
)
def test_strict_tools_and_all_choices(choice: dict[str, Any], expected: ToolUse) -> None:
    assert call_of(tools=[{**TOOL, "strict": True}], tool_choice=choice).tools == expected


def test_fields_become_params_and_tools() -> None:
    call = call_of(
        max_tokens=50,
        temperature=0.5,
        top_k=3,
        top_p=0.9,
        stop_sequences=["x"],
        thinking={"type": "enabled", "budget_tokens": 20},
        metadata={"user_id": "u"},
        tools=[TOOL],
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},
    )
    assert call.params == SamplingParams(
        max_new_tokens=50,
        temperature=0.5,
        top_k=3,
        top_p=0.9,
        stop=["x"],
        thinking=True,
        thinking_budget=20,
        separate_thinking=True,
    )
    assert call.tools == ToolUse((Tool("f", "d", SCHEMA),), parallel=False)
    assert call_of(thinking={"type": "disabled"}).params.thinking is False
    assert call_of(thinking={"type": "adaptive"}).params.thinking is None
    assert call_of(tools=[TOOL], tool_choice={"type": "tool", "name": "f"}).tools.only == "f"


CALLS = (ToolCall("call_a", "f", '{"n":1}'), ToolCall("call_b", "g", "{}"))
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
    num_cached_tokens=3,
    tool_calls=CALLS,
)
STARTED: Any = ([(5, 6, 7, 8)], Vocabulary([b"a", None], [1], {"<eos>": 1}), "tiny")
USAGE = {"input_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 3, "output_tokens": 3}


def test_whole_byte_by_byte() -> None:
    body = call_of().make_builder(*STARTED).whole([DONE])
    assert body | {"id": ""} == {
        "id": "",
        "type": "message",
        "role": "assistant",
        "model": "tiny",
        "content": [
            {"type": "thinking", "thinking": "So", "signature": ""},
            {"type": "text", "text": "Hm."},
            {"type": "tool_use", "id": "toolu_a", "name": "f", "input": {"n": 1}},
            {"type": "tool_use", "id": "toolu_b", "name": "g", "input": {}},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": USAGE,
    }


def streamed(builder: Any, chunks: list[CompletionChunk], end: Callable[[], list[bytes]]) -> list[dict[str, Any]]:
    """The data of all events, whose names are their types."""
    frames = [*builder.start(), *[frame for chunk in chunks for frame in builder.piece(chunk)], *end()]
    events = []
    for block in b"".join(frames).decode().strip().split("\n\n"):
        name, data = block.split("\n")
        events.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {events[-1].pop('type')}"
        events[-1] = {"type": name.removeprefix("event: ")} | events[-1]
    return events


def test_events_one_by_one() -> None:
    """A4.5, B20: message_start, blocks with start, deltas and stop, message_delta, message_stop; no end mark."""
    builder = call_of().make_builder(*STARTED)
    chunks = [
        CompletionChunk("", thinking="So"),
        CompletionChunk("Hm.", tool_calls=(ToolCallDelta(0, "", "call_a", "f"), ToolCallDelta(0, '{"n"'))),
        CompletionChunk("", tool_calls=(ToolCallDelta(0, ":1}"), ToolCallDelta(1, "", "call_b", "g"))),
        CompletionChunk("", "stop", DONE.usage, DONE, tool_calls=(ToolCallDelta(1, "{}"),)),
    ]
    start, *events = streamed(builder, chunks, lambda: builder.end([DONE]))
    assert (start["type"], start["message"]["content"], start["message"]["stop_reason"]) == ("message_start", [], None)
    assert start["message"]["usage"]["input_tokens"] == 4

    def delta(index: int, **fields: Any) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": index, "delta": fields}

    def begin(index: int, **fields: Any) -> dict[str, Any]:
        return {"type": "content_block_start", "index": index, "content_block": fields}

    def stop(index: int) -> dict[str, Any]:
        return {"type": "content_block_stop", "index": index}

    assert events == [
        begin(0, type="thinking", thinking="", signature=""),
        delta(0, type="thinking_delta", thinking="So"),
        stop(0),
        begin(1, type="text", text=""),
        delta(1, type="text_delta", text="Hm."),
        stop(1),
        begin(2, type="tool_use", id="toolu_a", name="f", input={}),
        delta(2, type="input_json_delta", partial_json='{"n"'),
        delta(2, type="input_json_delta", partial_json=":1}"),
        stop(2),
        begin(3, type="tool_use", id="toolu_b", name="g", input={}),
        delta(3, type="input_json_delta", partial_json="{}"),
        stop(3),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": USAGE},
        {"type": "message_stop"},
    ]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ("", {}),
        ('{"n": 1', {}),
        ('{"n": 12500', {}),
        ('{"n": 1.5', {}),
        ('{"n": -2e+1', {}),
        ('{"n": 1,', {"n": 1}),
        ('{"n": 1, "s": "ab', {"n": 1}),
        ('{"n": 1, "s": "ab12', {"n": 1}),
        ('{"s": "12", "t": "', {"s": "12"}),
        ('{"b": true', {"b": True}),
        ('{"b": fals', {}),
        ('{"a": [1, {"c": 2, "d": 3', {"a": [1, {"c": 2}]}),
        ('{"n1', {}),
    ],
)
def test_a_call_that_is_cut_off_shows_what_is_whole(arguments: str, shown: Any) -> None:
    """Half of 12500 is not 1, and half of a text is not that text."""
    cut = Completion("", (1,), "length", None, 4, 0, 0.1, tool_calls=(ToolCall("call_a", "f", arguments),))
    body = call_of().make_builder(*STARTED).whole([cut])
    assert (body["content"][0]["input"], body["stop_reason"]) == (shown, "max_tokens")


def test_a_stream_that_fails_midway() -> None:
    builder = call_of().make_builder(*STARTED)
    error = WireError(503, "busy", "server_error", None, "server_overloaded")
    events = streamed(builder, [CompletionChunk("H")], lambda: builder.error(error))
    assert (events[-1]["type"], events[-1]["error"]["type"]) == ("error", "overloaded_error")
