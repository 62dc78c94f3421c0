"""What the official clients of OpenAI and Anthropic ask for and rely on, against a server with a tiny random model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

import anthropic
import httpx
import jsonschema
import openai
import pytest
from anthropic import Anthropic
from openai import OpenAI
from pydantic import BaseModel, ConfigDict

from tests.server.wire import schema_format

TALK: Any = [{"role": "user", "content": "Who wrote it?"}]
LETTERS = {"type": "array", "items": {"enum": ["the in", "in"]}, "minItems": 3, "maxItems": 3}
OBJECT: dict[str, Any] = {
    "type": "object",
    "properties": {"unit": {"enum": ["c", "f"]}, "days": {"type": "array", "items": {"type": "boolean"}}},
    "required": ["unit", "days"],
}
SHORT = {**OBJECT, "properties": {**OBJECT["properties"], "days": {"type": "boolean"}}, "additionalProperties": False}
WEATHER: Any = {"type": "function", "function": {"name": "weather", "parameters": SHORT}}
TIME: Any = {"type": "function", "function": {"name": "time"}}


class Forecast(BaseModel):
    """A response format, and a tool, as the clients' own helpers take them."""

    model_config = ConfigDict(extra="forbid")
    unit: Literal["c", "f"]
    days: list[bool]


class Weather(BaseModel):
    """A tool that is done soon."""

    model_config = ConfigDict(extra="forbid")
    unit: Literal["c", "f"]


@pytest.fixture(scope="module")
def claude(tiny_server: str) -> Iterator[Anthropic]:
    with Anthropic(base_url=tiny_server, api_key="unused", max_retries=0) as client:
        yield client


def chat(client: OpenAI, **fields: Any) -> Any:
    create: Any = client.chat.completions.create
    return create(**{"model": "tiny", "messages": TALK, "seed": 3, **fields})


def streamed(client: OpenAI, **fields: Any) -> tuple[str, Any]:
    """The text, and the choice that ended it."""
    chunks = list(chat(client, stream=True, **fields))
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks), chunks[-1].choices[0]


class TestStops:
    def test_beside_a_response_format(self, openai_client: OpenAI) -> None:
        fields = {"response_format": schema_format(LETTERS), "extra_body": {"whitespace": "compact"}}
        (whole,) = chat(openai_client, **fields).choices
        for stop in ",", ["zzz", ","], '",':
            (choice,) = chat(openai_client, stop=stop, **fields).choices
            found = stop if isinstance(stop, str) else ","
            assert choice.message.content == whole.message.content.partition(found)[0]
            assert (choice.finish_reason, choice.stop_reason) == ("stop", found)
            text, last = streamed(openai_client, stop=stop, **fields)
            assert (text, last.finish_reason, last.stop_reason) == (choice.message.content, "stop", found)

    @pytest.mark.parametrize("stop", ["in", "n", ["e i", "the"]])
    def test_strings_are_not_cut_unless_that_is_asked_for(self, openai_client: OpenAI, stop: Any) -> None:
        fields = {"response_format": schema_format(LETTERS), "stop": stop}
        (choice,) = chat(openai_client, **fields).choices
        jsonschema.validate(json.loads(choice.message.content), LETTERS)
        assert "stop_reason" not in choice.model_extra
        (cut,) = chat(openai_client, **fields, extra_body={"stop_in_strings": True}).choices
        assert choice.message.content.startswith(cut.message.content)
        assert cut.finish_reason == "stop"
        assert len(cut.message.content) < len(choice.message.content)

    def test_a_text_format_is_what_it_was(self, openai_client: OpenAI) -> None:
        for extra in (
            {"regex": "[a-c]{2}-[a-c]{2}"},
            {"choice": ["ab-c", "b-cc"]},
            {"ebnf": 'root ::= [a-c]+ "-" [a-c]'},
        ):
            (choice,) = chat(openai_client, stop="-", max_tokens=40, extra_body=extra).choices
            assert (choice.finish_reason, choice.stop_reason) == ("stop", "-")
            assert "-" not in choice.message.content

    @pytest.mark.parametrize("tool_choice", ["required", WEATHER | {"function": {"name": "weather"}}])
    def test_calls_are_whole(self, openai_client: OpenAI, tool_choice: Any) -> None:
        fields = {"tools": [WEATHER], "tool_choice": tool_choice, "max_tokens": 200}
        for stop in ["Observation:", "Calling tools:"], '"', "unit", "\n", "}":
            (choice,) = chat(openai_client, stop=stop, **fields).choices
            assert choice.finish_reason == "tool_calls"
            for call in choice.message.tool_calls:
                jsonschema.validate(json.loads(call.function.arguments), SHORT)

    def test_text_beside_tools(self, openai_client: OpenAI) -> None:
        fields = {"tools": [WEATHER], "max_tokens": 60, "temperature": 1.5}
        (free,) = chat(openai_client, **fields).choices
        stop = free.message.content[5:7]
        (choice,) = chat(openai_client, stop=stop, **fields).choices
        assert choice.message.content == free.message.content.partition(stop)[0].rstrip() or choice.message.content
        assert (choice.finish_reason, choice.stop_reason) == ("stop", stop)
        assert stop not in choice.message.content

    def test_anthropics(self, claude: Anthropic) -> None:
        create: Any = claude.messages.create
        fields = {"model": "tiny", "max_tokens": 200, "messages": TALK, "extra_body": {"seed": 3}}
        form = {"type": "json_schema", "schema": LETTERS}
        message = create(**fields, stop_sequences=[","], output_config={"format": form})
        assert (message.stop_reason, message.stop_sequence) == ("stop_sequence", ",")
        tool = {"name": "weather", "input_schema": SHORT}
        message = create(**fields, stop_sequences=["unit", "\n"], tools=[tool], tool_choice={"type": "any"})
        assert message.stop_reason == "tool_use"
        for block in message.content:
            jsonschema.validate(block.input, SHORT)

    def test_both_names_may_say_that_nothing_is_kept(self, openai_client: OpenAI) -> None:
        body = {"include_stop_str_in_output": False, "no_stop_trim": False}
        (choice,) = chat(openai_client, stop="-", extra_body={"regex": "a-b", **body}).choices
        assert choice.message.content == "a"
        with pytest.raises(openai.BadRequestError, match="exclude each other"):
            chat(openai_client, stop="-", extra_body={"regex": "a-b", **body, "no_stop_trim": True})


class TestTools:
    @pytest.mark.parametrize("seed", range(4))
    def test_required_ends(self, openai_client: OpenAI, seed: int) -> None:
        """Without `parallel_tool_calls: false`; no call comes twice."""
        fields = {"tools": [WEATHER, TIME], "tool_choice": "required", "seed": seed, "max_tokens": 900}
        answer = chat(openai_client, **fields)
        (choice,) = answer.choices
        assert choice.finish_reason == "tool_calls"
        assert answer.usage.completion_tokens < 900
        said = [(call.function.name, call.function.arguments) for call in choice.message.tool_calls]
        assert len(set(said)) == len(said)
        chunks = list(chat(openai_client, stream=True, **fields))
        assert chunks[-1].choices[0].finish_reason == "tool_calls"
        deltas = [delta for chunk in chunks for delta in chunk.choices[0].delta.tool_calls or ()]
        assert [delta.function.name for delta in deltas if delta.function.name] == [name for name, _ in said]
        assert "".join(delta.function.arguments for delta in deltas) == "".join(arguments for _, arguments in said)

    def test_a_complete_call_at_the_limit(self, openai_client: OpenAI) -> None:
        fields = {"tools": [WEATHER], "tool_choice": "required"}
        first = chat(openai_client, **fields, parallel_tool_calls=False)
        for max_tokens in range(first.usage.completion_tokens - 2, first.usage.completion_tokens + 3):
            (choice,) = chat(openai_client, **fields, max_tokens=max_tokens).choices
            is_cut = (choice.model_extra or {}).get("closed_in_budget", False)
            assert choice.finish_reason == ("length" if is_cut else "tool_calls")
            assert is_cut or max_tokens >= first.usage.completion_tokens - 1
            for call in choice.message.tool_calls:
                jsonschema.validate(json.loads(call.function.arguments), SHORT)

    def test_open_schemas_are_closed_unless_strict_is_false(self, openai_client: OpenAI) -> None:
        names = set()
        for strict in None, True, False:
            function = {"name": "f", "parameters": OBJECT, **({} if strict is None else {"strict": strict})}
            tool = {"type": "function", "function": function}
            for seed in range(3):
                (choice,) = chat(
                    openai_client, tools=[tool], tool_choice=tool, seed=seed, temperature=1.5, max_tokens=400
                ).choices
                found = set(json.loads(choice.message.tool_calls[0].function.arguments))
                assert strict is False or found == {"unit", "days"}
                names |= found
        assert names > {"unit", "days"}

    def test_parse_with_a_tool(self, openai_client: OpenAI) -> None:
        for seed in range(3):
            parsed = openai_client.chat.completions.parse(
                model="tiny",
                messages=TALK,
                tools=[openai.pydantic_function_tool(Weather)],
                tool_choice="required",
                seed=seed,
                max_tokens=200,
            )
            assert parsed.choices[0].finish_reason == "tool_calls"
            for call in parsed.choices[0].message.tool_calls or ():
                assert isinstance(call.function.parsed_arguments, Weather)

    def test_stream_helper_with_a_tool(self, openai_client: OpenAI) -> None:
        tool = openai.pydantic_function_tool(Weather)
        with openai_client.chat.completions.stream(
            model="tiny", messages=TALK, tools=[tool], tool_choice="required", seed=1, max_tokens=200
        ) as stream:
            kinds = {event.type for event in stream}
            completion = stream.get_final_completion()
        assert "tool_calls.function.arguments.done" in kinds
        for call in completion.choices[0].message.tool_calls or ():
            assert isinstance(call.function.parsed_arguments, Weather)

    def test_responses(self, openai_client: OpenAI) -> None:
        tool: Any = {"type": "function", "name": "weather", "parameters": SHORT, "strict": True}
        options: Any = {"model": "tiny", "input": "How?", "tools": [tool], "tool_choice": "required"}
        response = openai_client.responses.create(**options, max_output_tokens=300, extra_body={"seed": 3, "stop": "x"})
        assert response.status == "completed"
        assert {item.type for item in response.output} == {"function_call"}
        with openai_client.responses.stream(**options, max_output_tokens=300) as stream:
            final = list(stream) and stream.get_final_response()
        assert final.status == "completed"

    def test_anthropics_any(self, claude: Anthropic) -> None:
        tools: Any = [
            {"name": "weather", "input_schema": OBJECT},
            {"name": "time", "input_schema": {"type": "object", "properties": {}}},
        ]
        for seed in range(3):
            with claude.messages.stream(
                model="tiny",
                max_tokens=400,
                messages=TALK,
                tools=tools,
                tool_choice={"type": "any"},
                extra_body={"seed": seed},
            ) as stream:
                message = stream.get_final_message()
            assert message.stop_reason == "tool_use"
            for block in message.content:
                assert block.type == "tool_use"
                assert set(block.input) == ({"unit", "days"} if block.name == "weather" else set())  # type: ignore[call-overload]


class TestFinishReasons:
    @pytest.mark.parametrize("max_tokens", [40, 45, 60])
    def test_parse_refuses_what_was_cut(self, openai_client: OpenAI, max_tokens: int) -> None:
        """It raises where finish_reason is "length"; the document is whole all the same."""
        bias: Any = {"5": 0} | {str(openai_bracket(openai_client)): -100}
        fields: Any = {"model": "tiny", "messages": TALK, "max_tokens": max_tokens, "logit_bias": bias, "seed": 1}
        with pytest.raises(openai.LengthFinishReasonError) as raised:
            openai_client.chat.completions.parse(response_format=Forecast, **fields)
        (choice,) = raised.value.completion.choices
        Forecast.model_validate_json(choice.message.content or "")
        assert (choice.finish_reason, choice.model_extra) == ("length", {"closed_in_budget": True})
        with (
            pytest.raises(openai.LengthFinishReasonError),
            openai_client.chat.completions.stream(response_format=Forecast, **fields) as stream,
        ):
            stream.get_final_completion()
        completion = openai_client.completions.create(
            model="tiny",
            prompt="a",
            max_tokens=max_tokens,
            seed=1,
            extra_body={"json_schema": Forecast.model_json_schema()},
        )
        (text,) = completion.choices
        Forecast.model_validate_json(text.text)
        is_cut = "closed_in_budget" in (text.model_extra or {})
        assert text.finish_reason == ("length" if is_cut else "stop")

    def test_anthropic_and_responses_say_so_too(self, claude: Anthropic, openai_client: OpenAI) -> None:
        bias = {str(openai_bracket(openai_client)): -100}
        body: Any = {"logit_bias": bias, "seed": 1}
        form: Any = {"type": "json_schema", "schema": Forecast.model_json_schema()}
        message = claude.messages.create(
            model="tiny", max_tokens=40, messages=TALK, output_config={"format": form}, extra_body=body
        )
        assert message.stop_reason == "max_tokens"
        assert message.model_extra == {"closed_in_budget": True}
        response = openai_client.responses.parse(
            model="tiny", input="a", max_output_tokens=40, text_format=Forecast, extra_body=body
        )
        assert isinstance(response.output_parsed, Forecast)
        assert response.status == "incomplete"
        assert response.incomplete_details is not None
        assert response.incomplete_details.reason == "max_output_tokens"
        assert (response.model_extra or {})["closed_in_budget"] is True

    def test_an_overruled_minimum_is_told(self, openai_client: OpenAI) -> None:  # B11
        fields = {"extra_body": {"regex": "ab?", "min_tokens": 9}, "max_tokens": 20}
        (choice,) = chat(openai_client, **fields).choices
        assert (choice.finish_reason, choice.min_new_tokens_overruled) == ("stop", True)
        assert streamed(openai_client, **fields)[1].min_new_tokens_overruled is True
        completion = openai_client.completions.create(model="tiny", prompt="a", **fields)  # type: ignore[call-overload]
        assert completion.choices[0].min_new_tokens_overruled is True
        (usual,) = chat(openai_client, extra_body={"regex": "ab?"}).choices
        assert usual.model_extra == {}

    def test_nothing_is_hidden_where_the_text_was_cut(self, openai_client: OpenAI) -> None:
        (choice,) = chat(openai_client, response_format=schema_format(LETTERS), max_tokens=2).choices
        assert choice.finish_reason == "length"


def openai_bracket(client: OpenAI) -> int:
    """The token that closes an array."""
    tokens = httpx.post(str(client.base_url.join("/tokenize")), json={"prompt": "]"}).json()["tokens"]
    assert len(tokens) == 1
    return int(tokens[0])


class TestOtherEndpoints:
    def test_the_model_may_be_missing(self, tiny_http: httpx.Client) -> None:
        for path, body in (
            ("/v1/chat/completions", {"messages": TALK, "max_tokens": 2}),
            ("/v1/completions", {"prompt": "a", "max_tokens": 2}),
            ("/v1/responses", {"input": "a", "max_output_tokens": 2}),
            ("/v1/messages", {"messages": TALK, "max_tokens": 2}),
            ("/v1/score", {"prompt": "a", "choices": ["b"]}),
        ):
            answer = tiny_http.post(path, json=body)
            assert (answer.status_code, answer.json().get("model")) == (200, "tiny"), path
        assert "input_tokens" in tiny_http.post("/v1/messages/count_tokens", json={"messages": TALK}).json()

    def test_models_in_anthropics_shape(self, claude: Anthropic, openai_client: OpenAI) -> None:
        (model,) = list(claude.models.list())
        assert (model.id, model.type, model.display_name) == ("tiny", "model", "tiny")
        assert model.created_at.year >= 2020
        assert claude.models.retrieve("tiny").id == "tiny"
        with pytest.raises(anthropic.NotFoundError) as caught:
            claude.models.retrieve("other")
        assert caught.value.body["error"]["type"] == "not_found_error"  # type: ignore[index,call-overload]
        assert [one.object for one in openai_client.models.list()] == ["model"]

    def test_tokens_as_vllm_has_them(self, tiny_http: httpx.Client) -> None:
        info = tiny_http.get("/tokenizer_info").json()
        assert (info["eos_token"], info["bos_token"], info["model_max_length"]) == ("<|im_end|>", None, 1024)
        assert "message['role']" in info["chat_template"]
        tokens = tiny_http.post("/tokenize", json={"prompt": "the and", "add_special_tokens": False}).json()
        assert tokens == tiny_http.post("/v1/tokenize", json={"prompt": "the and"}).json()
        assert tiny_http.post("/detokenize", json={"tokens": tokens["tokens"]}).json()["prompt"] == "the and"
        talk = {"messages": TALK, "add_special_tokens": False}
        whole = tiny_http.post("/tokenize", json=talk).json()["count"]
        bare = tiny_http.post("/tokenize", json={**talk, "add_generation_prompt": False}).json()["count"]
        assert bare < whole
        wrong = tiny_http.post("/tokenize", json={"prompt": "a", "continue_final_message": True})
        assert wrong.json()["error"]["param"] == "continue_final_message"

    def test_an_item_reference_says_what_to_do(self, openai_client: OpenAI) -> None:
        item: Any = {"type": "item_reference", "id": "msg_1"}
        with pytest.raises(
            openai.BadRequestError, match=r"refers to the item 'msg_1', and this server keeps none.*store=false"
        ) as caught:
            openai_client.responses.create(model="tiny", input=[item])
        assert caught.value.param == "input[0]"
