"""`/v1/responses`: with the official client on a tiny random model, and event by event."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Literal

import httpx
import jsonschema
import openai
import pytest
from openai import OpenAI
from pydantic import BaseModel, ConfigDict

from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.params.sampling_params import SamplingParams
from guided.server.errors import InvalidRequestError, WireError
from guided.server.kept_responses import KeptResponses, ResponsesByKey
from guided.server.protocol.openai_responses import read_call
from guided.server.protocol.unsupported import RESPONSE_FIELDS, TOLD
from guided.tools import Tool, ToolCall, ToolCallDelta, ToolUse
from tests.server.scripted_llm import ScriptedLLM

URL = "/v1/responses"
RESPONSE_RESOURCE = (  # from its document
    *("id", "object", "created_at", "completed_at", "status", "incomplete_details", "model", "previous_response_id"),
    *("instructions", "output", "error", "tools", "tool_choice", "truncation", "parallel_tool_calls", "text", "top_p"),
    *("presence_penalty", "frequency_penalty", "top_logprobs", "temperature", "reasoning", "usage", "service_tier"),
    *("max_output_tokens", "max_tool_calls", "store", "background", "metadata", "safety_identifier"),
    "prompt_cache_key",
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"enum": [1, 2]}},
    "required": ["n"],
    "additionalProperties": False,
}
TOOL: Any = {"type": "function", "name": "f", "parameters": SCHEMA, "strict": True}


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    color: Literal["red", "blue"]
    ok: bool


def create(client: OpenAI, **fields: Any) -> Any:
    make: Any = client.responses.create
    return make(**{"model": "tiny", "input": "Hi", "store": False, **fields})


class TestClient:
    def test_text(self, openai_client: OpenAI) -> None:
        response = create(openai_client, max_output_tokens=9, instructions="Be brief.", metadata={"a": "b"})
        assert (response.object, response.store, response.metadata) == ("response", False, {"a": "b"})
        assert response.status in ("completed", "incomplete")
        assert response.output_text == response.output[0].content[0].text
        assert response.usage.total_tokens == response.usage.input_tokens + response.usage.output_tokens
        assert response.usage.output_tokens <= 9

    def test_a_text_that_is_cut_off_is_incomplete(self, openai_client: OpenAI) -> None:
        response = create(openai_client, max_output_tokens=2, extra_body={"ignore_eos": True})
        assert (response.status, response.incomplete_details.reason) == ("incomplete", "max_output_tokens")
        assert response.output[0].status == "incomplete"

    @pytest.mark.parametrize("seed", range(2))
    def test_parse(self, openai_client: OpenAI, seed: int) -> None:
        response = openai_client.responses.parse(
            model="tiny", input="Hi", text_format=Answer, store=False, extra_body={"seed": seed}
        )
        assert isinstance(response.output_parsed, Answer)
        assert response.status == "completed"

    def test_stream_of_a_parsed_answer(self, openai_client: OpenAI) -> None:
        with openai_client.responses.stream(
            model="tiny", input="Hi", text_format=Answer, store=False, extra_body={"seed": 1}
        ) as stream:
            events = list(stream)
            final = stream.get_final_response()
        assert isinstance(final.output_parsed, Answer)
        assert [event.sequence_number for event in events] == list(range(len(events)))
        deltas = [event.delta for event in events if event.type == "response.output_text.delta"]
        assert "".join(deltas) == final.output_text
        assert len(deltas) > 2

    def test_calls(self, openai_client: OpenAI) -> None:
        response = create(openai_client, tools=[TOOL], tool_choice="required", extra_body={"seed": 4})
        assert response.output
        for item in response.output:
            assert (item.type, item.name, item.status) == ("function_call", "f", "completed")
            jsonschema.validate(json.loads(item.arguments), SCHEMA)
        results = [{"type": "function_call_output", "call_id": item.call_id, "output": "3"} for item in response.output]
        talk = [{"role": "user", "content": "Hi"}, *response.output, *results]
        again = create(openai_client, input=talk, tools=[TOOL], tool_choice="none", max_output_tokens=3)
        assert again.output[0].type == "message"

    def test_streamed_calls(self, openai_client: OpenAI) -> None:
        with openai_client.responses.stream(
            model="tiny", input="Hi", tools=[TOOL], tool_choice={"type": "function", "name": "f"}, store=False
        ) as stream:
            deltas = [event.delta for event in stream if event.type == "response.function_call_arguments.delta"]
            (item,) = stream.get_final_response().output
        assert item.type == "function_call"
        assert "".join(deltas) == item.arguments
        jsonschema.validate(json.loads(item.arguments), SCHEMA)

    def test_logprobs(self, openai_client: OpenAI) -> None:
        options: Any = {
            "include": ["message.output_text.logprobs"],
            "top_logprobs": 2,
            "max_output_tokens": 5,
            "extra_body": {"ignore_eos": True},
        }
        response = create(openai_client, **options)
        entries = response.output[0].content[0].logprobs
        assert len(entries) == response.usage.output_tokens
        assert all(len(entry.top_logprobs) == 2 for entry in entries)
        events = list(create(openai_client, **options, stream=True))
        streamed = [entry for event in events if event.type == "response.output_text.delta" for entry in event.logprobs]
        assert len(streamed) == response.usage.output_tokens

    def test_extra_constraints(self, openai_client: OpenAI) -> None:
        response = create(openai_client, extra_body={"regex": "(yes|no)!"})
        assert response.output_text in ("yes!", "no!")
        response = create(openai_client, text={"format": {"type": "json_object"}}, max_output_tokens=400)
        assert isinstance(json.loads(response.output_text), dict)

    def test_what_is_refused(self, openai_client: OpenAI) -> None:
        for fields, param in (
            ({"conversation": "c"}, "conversation"),
            ({"background": True}, "background"),
            ({"truncation": "auto"}, "truncation"),
        ):
            with pytest.raises(openai.BadRequestError) as caught:
                create(openai_client, **fields)
            assert (caught.value.param, caught.value.code) == (param, "unsupported_parameter")
            assert "not supported yet" in str(caught.value)
        with pytest.raises(openai.BadRequestError, match="the prompt has") as caught:
            create(openai_client, input="x " * 2000)
        assert (caught.value.param, caught.value.code) == ("input", "context_length_exceeded")


def call_of(**fields: Any) -> Any:
    return read_call({"model": "tiny", "input": "Hi"} | fields)


@pytest.mark.parametrize("field", sorted(name for name, (_, instead) in RESPONSE_FIELDS.items() if instead != TOLD))
def test_unsupported_fields_are_never_ignored(field: str) -> None:
    with pytest.raises(Exception, match="is not supported yet") as caught:
        call_of(**{field: 2})
    assert caught.value.param == field  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("fields", "param", "message"),
    [
        ({"input": None}, "input", "must be"),
        ({"input": []}, "input", "at least 1"),
        ({"input": [{"type": "item_reference", "id": "a"}]}, "input[0]", "store=false"),
        ({"input": [{"type": "computer_call", "id": "a"}]}, "input[0]", "not 'computer_call'"),
        (
            {"input": [{"role": "user", "content": [{"type": "input_text"}]}]},
            "input[0].content[0].text",
            "is required",
        ),
        (
            {"input": [{"role": "user", "content": [{"type": "input_image", "text": "a"}]}]},
            "input[0].content[0].type",
            "'input_text', 'output_text' or, in a message, 'input_file'",
        ),
        ({"input": [{"type": "function_call", "name": "f", "arguments": "{}"}]}, "input[0].call_id", "is required"),
        ({"text": {"format": {"type": "json_schema", "name": "a"}}}, "text.format.schema", "is required"),
        ({"text": {"format": {"type": "json_schema", "schema": {}}}}, "text.format.name", "is required"),
        ({"text": {"format": {"type": "text", "schema": {}}}}, "text.format.schema", "needs type"),
        ({"text": {"format": {"type": "xml"}}}, "text.format.type", "'json_schema'"),
        ({"text": {"verbosity": "none"}}, "text.verbosity", "'medium'"),
        ({"text": {"format": {"type": "json_object"}}, "regex": "a"}, "text.format", "exclude each other"),
        ({"tools": [{"type": "retrieval"}]}, "tools[0]", "'function'"),
        ({"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "custom"}]}]}, "tools[0].tools[0].name", ""),
        ({"tools": [{"type": "web_search"}], "tool_choice": "required"}, "tool_choice", "needs tools"),
        ({"tool_choice": "required"}, "tool_choice", "needs tools"),
        ({"tools": [TOOL], "tool_choice": {"type": "function", "name": "x"}}, "tool_choice", "names 'x'"),
        ({"reasoning": {"summary": "long"}}, "reasoning.summary", "must be"),
        ({"include": ["file_search_call.everything"]}, "include[0]", "must be"),
        ({"previous_response_id": "resp_1"}, "previous_response_id", "has no stored response 'resp_1'"),
        ({"top_logprobs": 2}, "top_logprobs", "in include"),
        ({"max_output_tokens": 0}, "max_output_tokens", "greater than or equal to 1"),
        ({"temperature": 3}, "temperature", "in [0, 2]"),
    ],
)
def test_wrong_fields(
    http: httpx.Client, scripted: ScriptedLLM, fields: dict[str, Any], param: str, message: str
) -> None:
    response = http.post(URL, json={"model": "scripted", "input": "Hi"} | fields)
    assert response.status_code == 400, response.text
    error = response.json()["error"]
    assert error["param"] == param
    assert message in error["message"]
    assert scripted.calls == []


def test_an_object_with_a_schema_beside_it() -> None:
    assert call_of(text={"format": {"type": "json_object", "schema": SCHEMA}}).params.json_schema == SCHEMA


def test_items_become_messages() -> None:
    items = [
        {"role": "developer", "content": "D"},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
        },
        {"type": "reasoning", "id": "rs", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"n":1}'},
        {"type": "function_call", "call_id": "c2", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "1"},
        {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "2"}]},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "done", "annotations": []}],
        },
    ]
    call = call_of(input=items, instructions="I")
    (conversation,) = call.prompts

    def made(call_id: str, arguments: str) -> dict[str, Any]:
        return {"id": call_id, "type": "function", "function": {"name": "f", "arguments": arguments}}

    assert conversation.messages == [
        {"role": "system", "content": "I"},
        {"role": "system", "content": "D"},
        {"role": "user", "content": "ab"},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "hm",
            "tool_calls": [made("c1", '{"n":1}'), made("c2", "{}")],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
        {"role": "tool", "tool_call_id": "c2", "content": "2"},
        {"role": "assistant", "content": "done"},
    ]
    assert call.prompt_param == "input"


def thought(**fields: Any) -> dict[str, Any]:
    return {
        "type": "reasoning",
        "id": "rs",
        "summary": [],
        "content": [{"type": "reasoning_text", "text": "hm"}],
    } | fields


USER, ASSISTANT = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
RESULT = {"type": "function_call_output", "call_id": "c", "output": "1"}


@pytest.mark.parametrize(
    ("items", "place"),
    [
        ([USER, thought()], 1),
        ([thought()], 0),
        ([USER, thought(), thought(content=None)], 1),
        ([USER, thought(), USER], 1),
        ([USER, thought(content=[]), thought(), RESULT, ASSISTANT], 1),
    ],
)
def test_reasoning_of_an_answer_that_was_cut_in_it_is_kept(items: list[Any], place: int) -> None:
    (conversation,) = call_of(input=items).prompts
    assert conversation.messages[place] == {"role": "assistant", "content": "", "reasoning_content": "hm"}


def test_reasoning_of_another_server() -> None:
    """What is encrypted is left out, and told; of a summary alone that is what was thought."""
    summary = thought(content=None, summary=[{"type": "summary_text", "text": "in short"}])
    call = call_of(input=[USER, thought(content=None, encrypted_content="x"), summary, ASSISTANT])
    assert call.ignored == ("input[1].encrypted_content",)
    assert call.prompts[0].messages[-1] == {"role": "assistant", "content": "b", "reasoning_content": "in short"}


def test_a_reference_may_leave_out_its_type() -> None:
    for item in ({"id": "msg_x"}, {"id": "msg_x", "type": None}, {"id": "msg_x", "type": "item_reference"}):
        with pytest.raises(InvalidRequestError, match="refers to the item 'msg_x'"):
            call_of(input=[item])


def test_the_response_has_all_fields_of_open_responses() -> None:
    """Those that its document requires, also of a function that says nothing of them."""
    call = call_of(tools=[{"type": "function", "name": "f"}], prompt_cache_key="k", max_tool_calls=3)
    response = call.make_builder(*STARTED).whole([Completion("", (1,), "stop", None, 4, 0, 0.1)])
    assert set(RESPONSE_RESOURCE) <= response.keys()
    assert response["tools"] == [
        {"type": "function", "name": "f", "description": None, "parameters": None, "strict": True}
    ]
    assert (response["prompt_cache_key"], response["max_tool_calls"], response["service_tier"]) == ("k", 3, "default")


@pytest.mark.parametrize("arguments", ['{"amount": 12', "", "[1]", "null", "no JSON", '{"a": "\\ud800"}'])
def test_calls_that_were_cut_may_stand_in_the_history(arguments: str) -> None:
    item = {"type": "function_call", "call_id": "c", "name": "f", "arguments": arguments, "status": "incomplete"}
    (conversation,) = call_of(input=[USER, item, RESULT]).prompts
    (call,) = conversation.messages[1]["tool_calls"]
    assert call["function"] == {"name": "f", "arguments": arguments}


def test_all_reasoning_before_a_message_is_its_own() -> None:
    (conversation,) = call_of(input=[USER, thought(), thought(encrypted_content="x"), ASSISTANT]).prompts
    assert conversation.messages[-1] == {"role": "assistant", "content": "b", "reasoning_content": "hmhm"}
    for nothing in ({"content": None}, {"content": []}):
        (conversation,) = call_of(input=[USER, thought(**nothing), USER]).prompts
        assert conversation.messages == [{"role": "user", "content": "a"}] * 2


def test_refusals_are_text_of_the_assistant() -> None:
    refusal = {"type": "refusal", "refusal": "No."}
    text = {"type": "output_text", "text": "Hm. ", "annotations": []}
    item = {"type": "message", "role": "assistant", "id": "m", "status": "completed", "content": [text, refusal]}
    (conversation,) = call_of(input=[USER, item, USER]).prompts
    assert conversation.messages[1] == {"role": "assistant", "content": "Hm. No."}
    for part, param in (refusal, "input[0]"), ({"type": "refusal"}, "input[0].content[0].refusal"):
        with pytest.raises(InvalidRequestError) as caught:
            call_of(input=[{"role": "user", "content": [part]}])
        assert caught.value.param == param


def test_fields_become_params() -> None:
    call = call_of(
        max_output_tokens=5,
        temperature=0.5,
        top_k=3,
        tools=[TOOL],
        parallel_tool_calls=False,
        reasoning={"effort": "none"},
        text={"format": {"type": "json_schema", "name": "a", "schema": SCHEMA, "strict": True}},
    )
    assert call.params == SamplingParams(
        max_new_tokens=5, temperature=0.5, top_k=3, thinking=False, separate_thinking=True, json_schema=SCHEMA
    )
    assert call.tools == ToolUse((Tool("f", None, SCHEMA, is_strict=True),), parallel=False)
    assert call.constraint_param == "text.format"
    assert call_of(reasoning={"effort": "low"}).prompts[0].reasoning_effort == "low"


CALLS = (ToolCall("call_a", "f", '{"n":1}'),)
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
CHUNKS = [
    CompletionChunk("", thinking="So"),
    CompletionChunk("H"),
    CompletionChunk("m.", tool_calls=(ToolCallDelta(0, "", "call_a", "f"), ToolCallDelta(0, '{"n"'))),
    CompletionChunk("", "stop", DONE.usage, DONE, tool_calls=(ToolCallDelta(0, ":1}"),)),
]


def streamed(builder: Any, chunks: list[CompletionChunk], end: Callable[[], list[bytes]]) -> list[dict[str, Any]]:
    """The data of all events, whose names are their types."""
    frames = [*builder.start(), *[frame for chunk in chunks for frame in builder.piece(chunk)], *end()]
    events = []
    assert frames.pop() == b"data: [DONE]\n\n"
    for block in b"".join(frames).decode().strip().split("\n\n"):
        name, data = block.split("\n")
        events.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {events[-1]['type']}"
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    return events


def test_events_one_by_one() -> None:
    builder = call_of(tools=[TOOL]).make_builder(*STARTED)
    events = streamed(builder, CHUNKS, lambda: builder.end([DONE]))
    assert [event["type"].removeprefix("response.") for event in events] == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "reasoning_text.delta",
        "reasoning_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]
    whole = call_of(tools=[TOOL]).make_builder(*STARTED).whole([DONE])
    response = events[-1]["response"]
    assert [without_ids(item) for item in response["output"]] == [without_ids(item) for item in whole["output"]]
    assert whole["output"][0] | {"id": ""} == {
        "type": "reasoning",
        "id": "",
        "summary": [],
        "content": [{"type": "reasoning_text", "text": "So"}],
        "status": "completed",
    }
    assert [item["type"] for item in whole["output"]] == ["reasoning", "message", "function_call"]
    assert whole["output"][2]["call_id"] == "call_a"
    assert response["usage"] == {
        "input_tokens": 4,
        "input_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 0},
        "output_tokens": 3,
        "output_tokens_details": {"reasoning_tokens": 1},
        "total_tokens": 7,
    }


def without_ids(item: dict[str, Any]) -> dict[str, Any]:
    return item | {"id": ""}


def test_an_empty_answer_is_an_empty_message() -> None:
    empty = Completion("", (1,), "stop", None, 4, 0, 0.1)
    (item,) = call_of().make_builder(*STARTED).whole([empty])["output"]
    assert item["content"] == [{"type": "output_text", "text": "", "annotations": [], "logprobs": []}]


def test_a_stream_that_fails_midway() -> None:
    builder = call_of().make_builder(*STARTED)
    error = WireError(500, "it broke", "server_error", None, "no_allowed_token")
    events = streamed(builder, [CompletionChunk("H")], lambda: builder.error(error))
    assert (events[-1]["type"], events[-1]["response"]["status"]) == ("response.failed", "failed")
    assert events[-1]["response"]["error"] == {"code": "server_error", "message": "it broke"}


def test_allowed_tools() -> None:
    tools = [TOOL, {**TOOL, "name": "g"}]
    choice = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "g"}]}
    made = (Tool("f", None, SCHEMA, is_strict=True), Tool("g", None, SCHEMA, is_strict=True))
    assert call_of(tools=tools, tool_choice=choice).tools == ToolUse(made, "required", allowed=frozenset({"g"}))
    for wrong, message in (
        ({**choice, "tools": []}, "allows no tool"),
        *(({**choice, "mode": mode}, 'needs {"mode": "auto" or') for mode in ("none", None, 0, "")),
        ({**choice, "tools": [{"type": "function", "name": "h"}]}, "allows 'h', which is not in tools"),
        ({"type": "web_search"}, 'a tool_choice that names a tool is {"type": "function"'),
        ({**choice, "tools": [[]]}, "a tool_choice that names a tool"),
        ("any", "must be 'auto'"),
    ):
        with pytest.raises(InvalidRequestError) as caught:
            call_of(tools=tools, tool_choice=wrong)
        assert (caught.value.param, message in str(caught.value)) == ("tool_choice", True)
    with pytest.raises(InvalidRequestError, match="needs tools"):
        call_of(tool_choice=choice)


NAMESPACE = {"type": "namespace", "name": "crm", "description": "Customers.", "tools": [TOOL, {**TOOL, "name": "g"}]}
BROKEN = {**TOOL, "name": "h", "parameters": {"type": "object", "required": 3}}


def test_functions_of_a_namespace(openai_client: OpenAI) -> None:
    """The model knows them by both names; the calls say which is which, and may stand in the history."""
    tools = [{"type": "web_search"}, TOOL, NAMESPACE]
    made = tuple(Tool(name, None, SCHEMA, is_strict=True) for name in ("f", "crm__f", "crm__g"))
    call = call_of(tools=tools)
    assert call.tools == ToolUse(made)
    assert call.ignored == ("tools[0]", "tools[2].description")
    response = create(openai_client, tools=[NAMESPACE], tool_choice="required", parallel_tool_calls=False)
    (item,) = response.output
    assert (item.type, item.namespace, item.name in ("f", "g")) == ("function_call", "crm", True)
    assert [tool.type for tool in response.tools] == ["namespace"]
    (conversation,) = call_of(input=[USER, item.model_dump(mode="json"), {**RESULT, "call_id": item.call_id}]).prompts
    assert conversation.messages[1]["tool_calls"][0]["function"]["name"] == f"crm__{item.name}"
    with pytest.raises(openai.BadRequestError, match=r"tools\[2\].tools\[0\] \(crm__h\)") as caught:
        create(openai_client, tools=[*tools[:2], {**NAMESPACE, "tools": [BROKEN]}])
    assert caught.value.param == "tools[2].tools[0]"
    with pytest.raises(InvalidRequestError, match=r"^tools\[1\].tools\[0\]: a tool's name") as refused:
        call_of(tools=[{"type": "web_search"}, {**NAMESPACE, "name": "c r m"}])
    assert refused.value.param == "tools[1].tools[0]"


class TestKept:
    """The second turn of clients that leave `store` at its default, as AI SDK's and OpenAI's agents do."""

    def test_by_the_id_of_the_response(self, openai_client: OpenAI) -> None:
        first = create(openai_client, input="Say it.", store=None, instructions="Be brief.", max_output_tokens=4)
        assert first.store is True
        talk: Any = {"input": "And again.", "max_output_tokens": 4}
        second = create(openai_client, **talk, previous_response_id=first.id, store=True)
        assert (second.previous_response_id, second.store) == (first.id, True)
        items: list[Any] = [{"role": "user", "content": "Say it."}, *first.output]
        whole = create(openai_client, **talk | {"input": [*items, {"role": "user", "content": talk["input"]}]})
        assert second.usage.input_tokens == whole.usage.input_tokens, "without the instructions of the first"
        third = create(openai_client, **talk, previous_response_id=second.id)
        assert third.usage.input_tokens > second.usage.input_tokens
        assert third.store is False
        with pytest.raises(openai.BadRequestError, match="has no stored response") as caught:
            create(openai_client, **talk, previous_response_id=third.id)
        assert (caught.value.param, caught.value.code) == ("previous_response_id", "previous_response_not_found")

    def test_by_the_ids_of_items_also_of_a_stream(self, openai_client: OpenAI) -> None:
        fields: Any = {"tools": [TOOL], "tool_choice": "required", "parallel_tool_calls": False, "store": None}
        (*_, last) = create(openai_client, stream=True, **fields)
        (item,) = last.response.output
        result = {"type": "function_call_output", "call_id": item.call_id, "output": "3"}
        answers = [
            create(
                openai_client, input=[{"role": "user", "content": "Hi"}, one, result], tools=[TOOL], max_output_tokens=2
            )
            for one in ({"type": "item_reference", "id": item.id}, item)
        ]
        assert answers[0].usage.input_tokens == answers[1].usage.input_tokens

    def test_errors_count_the_requests_own_items(self, openai_client: OpenAI) -> None:
        first = create(openai_client, store=True, max_output_tokens=2)
        unread = {"role": "user", "content": [{"type": "refusal", "refusal": "no"}]}
        with pytest.raises(openai.BadRequestError) as caught:
            create(openai_client, input=[USER, unread], previous_response_id=first.id)
        assert caught.value.param == "input[1]"

    def test_again_and_no_more(self, openai_client: OpenAI) -> None:
        given = create(openai_client, store=True, max_output_tokens=2, metadata={"a": "b"})
        assert openai_client.responses.retrieve(given.id) == given
        with pytest.raises(openai.BadRequestError, match="can't be streamed again"):
            openai_client.responses.retrieve(given.id, stream=True)
        openai_client.responses.delete(given.id)
        for ask in openai_client.responses.retrieve, openai_client.responses.delete:
            with pytest.raises(openai.NotFoundError, match="has no stored response"):
                ask(given.id)

    def test_switched_off(self) -> None:
        with pytest.raises(InvalidRequestError, match="store=true is not supported") as caught:
            call_of(store=True)
        assert caught.value.code == "unsupported_parameter"
        assert call_of().make_builder(*STARTED).whole([DONE])["store"] is False


def response_of(number: int, size: int = 10) -> dict[str, Any]:
    item = {"type": "message", "role": "assistant", "id": f"msg_{number}", "content": "x" * size}
    return {"id": f"resp_{number}", "output": [item]}


class TestTheMemory:
    def test_the_oldest_go_first(self) -> None:
        kept = KeptResponses(2, 10_000)
        for number in range(3):
            kept.keep(b"[]", response_of(number))
        assert [kept.find(f"resp_{number}") is not None for number in range(3)] == [False, True, True]
        assert [kept.find_item(f"msg_{number}") is not None for number in range(3)] == [False, True, True]
        assert kept.remove("resp_1")
        assert not kept.remove("resp_1")
        assert kept.find_item("msg_1") is None

    def test_bytes_are_bounded(self) -> None:
        kept = KeptResponses(100, 1_000)
        for number in range(10):
            kept.keep(b"[]", response_of(number, size=300))
        assert [number for number in range(10) if kept.find(f"resp_{number}")] == [8, 9]
        kept.keep(b"[]", response_of(10, size=2_000))
        assert kept.find("resp_10") is None
        assert kept.find("resp_9") is not None, "what is too large drives nobody out"
        assert not kept.takes(b" " * 1_001)
        assert not KeptResponses(100, 10**9).takes(b" " * 2_000_000)

    def test_what_one_request_refers_to_is_bounded(self) -> None:
        """One kept item of nearly 1 MB, meant 2,000 times, would be 2 GB."""
        kept = KeptResponses(100, 10**7)
        assert kept.keep(b"[]", response_of(1, size=900_000))
        items = [{"type": "item_reference", "id": "msg_1"}] * 2_000
        start_s = time.process_time()
        with pytest.raises(InvalidRequestError, match="have over 1000000 bytes") as caught:
            read_call({"model": "tiny", "input": items}, kept)
        assert time.process_time() - start_s < 1
        assert caught.value.param == "input[1]"
        (conversation,) = read_call({"model": "tiny", "input": items[:1]}, kept).prompts
        assert [message["role"] for message in conversation.messages] == ["assistant"]

    def test_a_response_that_is_too_large_says_so(self) -> None:
        kept = KeptResponses(100, 2_000)
        for text, is_kept in (("short", True), ("long" * 1_000, False)):
            done = Completion(text, (1,), "stop", None, 4, 0, 0.1)
            response = read_call({"model": "tiny", "input": "Hi"}, kept).make_builder(*STARTED).whole([done])
            assert (response["store"], kept.find(response["id"]) is not None) == (is_kept, is_kept)

    def test_each_key_has_its_own(self) -> None:
        by_key = ResponsesByKey(1, 1_000)
        by_key.of("a").keep(b"[]", response_of(1))
        by_key.of("b").keep(b"[]", response_of(2))
        assert by_key.of("a").find("resp_1") is not None
        assert by_key.of("b").find("resp_1") is None
        assert by_key.of(None).find_item("msg_1") is None
