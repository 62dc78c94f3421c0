"""What another server answers: streamed on, checked against what was asked for, and never passed off as valid."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from guided.errors import EndpointAnswerError, EndpointError, IncompleteOutputError, NoLogprobsError
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from tests.guided.engines.openai.fake_endpoint import (
    Chunk,
    FakeEndpoint,
    call,
    choice,
    error_of,
    stream_of,
    text,
    usage,
)

HI: Any = [{"role": "user", "content": "Hi"}]
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}
OTHER_TOOL = {"type": "function", "function": {"name": "clock"}}


class Person(BaseModel):
    """What is extracted."""

    name: str
    age: int


def test_a_chat_is_streamed_as_it_comes(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = stream_of([*text("Hel", "lo", " \u2028you"), usage(7, 5)])
    *chunks, last = llm.stream(HI, SamplingParams(max_new_tokens=20))
    assert "".join(chunk.text for chunk in (*chunks, last)) == "Hello \u2028you"
    assert len(chunks) >= 2
    assert last.completion is not None
    assert (last.completion.finish_reason, last.completion.num_prompt_tokens, last.completion.num_tokens) == (
        "stop",
        7,
        5,
    )
    assert last.completion.token_ids == ()
    assert endpoint.paths == ["/v1/chat/completions"]
    assert endpoint.headers[0]["authorization"] == "Bearer secret"
    assert endpoint.bodies[0]["messages"] == HI


def test_a_generation_has_no_token_ids_of_its_prompt(endpoint: FakeEndpoint, llm: LLM) -> None:
    generation = llm.start(HI, SamplingParams(max_new_tokens=20))
    assert generation.prompt_token_ids == ()
    assert generation.result(60).text == "Hello"


def test_what_is_sent(endpoint: FakeEndpoint, llm: LLM) -> None:
    llm.chat(HI, SamplingParams(max_new_tokens=9, temperature=0.5, top_p=0.9, seed=3, presence_penalty=1.0))
    assert endpoint.bodies[0] == {
        "model": "fake",
        "messages": HI,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 3,
        "presence_penalty": 1.0,
        "max_tokens": 9,
    }


@pytest.mark.parametrize("name", ["Authorization", "authorization"])
@pytest.mark.parametrize("api_key", [None, "secret"])
def test_an_authorization_of_the_user_is_sent(endpoint: FakeEndpoint, name: str, api_key: str | None) -> None:
    given: dict[str, Any] = {"headers": {name: "Basic abc"}}
    llm = LLM("fake", engine="openai", base_url=endpoint.url, api_key=api_key, engine_args=given)
    try:
        llm.chat(HI, SamplingParams(max_new_tokens=20))
    finally:
        llm.shutdown()
    assert endpoint.headers[0]["authorization"] == "Basic abc"


@pytest.mark.parametrize(("headers", "agent"), [({}, "guided"), ({"user-agent": "mine/1"}, "mine/1")])
def test_requests_say_nothing_of_this_machine(endpoint: FakeEndpoint, headers: Any, agent: str) -> None:
    llm = LLM("fake", engine="openai", base_url=endpoint.url, engine_args={"headers": headers})
    try:
        llm.chat(HI, SamplingParams(max_new_tokens=20))
    finally:
        llm.shutdown()
    assert endpoint.headers[0]["user-agent"] == agent
    assert not [name for name in endpoint.headers[0] if "stainless" in name]


def test_an_answer_that_does_not_stream_is_read(endpoint: FakeEndpoint, llm: LLM) -> None:
    message = {"index": 0, "message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}
    endpoint.answer = lambda handler: handler.send_json(200, {"choices": [message]})
    assert llm.chat(HI, SamplingParams(max_new_tokens=20)).text == "Hello"


def test_a_text_goes_to_the_path_of_texts(endpoint: FakeEndpoint, llm: LLM) -> None:
    one = {"index": 0, "text": " a time", "finish_reason": "length"}
    endpoint.answer = stream_of([{"choices": [one]}])
    completion = llm.generate("Once upon", SamplingParams(max_new_tokens=2))
    assert (completion.text, completion.finish_reason) == (" a time", "length")
    assert (endpoint.paths, endpoint.bodies[0]["prompt"]) == (["/v1/completions"], "Once upon")


def test_stops_are_found_here(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = stream_of(text("one, t", "wo, three"))
    assert llm.chat(HI, SamplingParams(max_new_tokens=20, stop="two")).text == "one, "
    assert "stop" not in endpoint.bodies[0]


def test_thinking_is_told_apart(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = stream_of([choice({"reasoning_content": "Hm. "}), *text("Yes")])
    completion = llm.chat(HI, SamplingParams(max_new_tokens=20))
    assert (completion.thinking, completion.text) == ("Hm. ", "Yes")


def test_a_typed_object_is_extracted(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = stream_of(text("\n{ ", '"age": 36,', ' "name" : "Ada"', "}\n"))
    assert llm.extract("Ada was 36.", Person) == Person(name="Ada", age=36)
    sent = endpoint.bodies[0]["response_format"]
    assert (sent["type"], sent["json_schema"]["strict"]) == ("json_schema", True)
    assert set(sent["json_schema"]["schema"]["properties"]) == {"name", "age"}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (("Sure! ", '{"name": "Ada"}'), "does not fit its json_schema from character 0"),  # response_format ignored
        (('{"name": "Ada", "age": "old"}',), "does not fit its json_schema from character 23"),
        (('{"name": "Ada"',), "ended before it was complete"),
        (('{"name": "Ada", "age": 3} and more',), "does not fit"),
        (("",), "ended before it was complete"),
    ],
)
def test_a_text_that_does_not_fit_is_an_error(
    endpoint: FakeEndpoint, llm: LLM, parts: tuple[str, ...], message: str
) -> None:
    endpoint.answer = stream_of(text(*parts))
    error = error_of(llm.chat(HI, SamplingParams(max_new_tokens=50, json_schema=SCHEMA), keep_errors=True))
    assert isinstance(error, EndpointAnswerError)
    assert message in str(error)


def test_a_text_that_is_cut_by_its_budget_says_so(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = stream_of(text('{"name": "Ad', finish_reason="length"))
    params = SamplingParams(max_new_tokens=5, json_schema=SCHEMA)
    completion = llm.chat(HI, params)
    assert (completion.finish_reason, completion.fits_grammar) == ("length", False)
    with pytest.raises(IncompleteOutputError):
        llm.extract("Ada was 36.", Person, params=SamplingParams(max_new_tokens=5))


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        (text("Hel", finish_reason=None), "stream ended before its answer did"),
        (text("Hel", finish_reason="content_filter"), "content filter"),
        (text("Hel", finish_reason="whim"), "finish_reason 'whim'"),
        ([choice({"refusal": "I won't."})], 'refuses to answer: "I won\'t."'),
        ([*text("Hel", finish_reason=None), {"error": {"message": "out of memory"}}], "out of memory"),
        ([b"data: {oops\n\n"], "is no JSON"),
        ([b"data: [1]\n\n"], "is no JSON object"),
        ([{"object": "something"}], "has no choices"),
        ([choice({"content": 5})], "a text is a int"),
        (call("weather", "{}"), "calls a tool, and none was offered"),
    ],
)
def test_an_answer_that_is_none_is_an_error(
    endpoint: FakeEndpoint, llm: LLM, chunks: list[Chunk], message: str
) -> None:
    endpoint.answer = stream_of(chunks)
    error = error_of(llm.chat(HI, SamplingParams(max_new_tokens=50), keep_errors=True))
    assert isinstance(error, EndpointError)
    assert message in str(error)


def test_a_broken_connection_is_an_error_and_not_a_short_answer(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = stream_of(text("Hel", finish_reason=None), is_cut=True)
    error = error_of(llm.chat(HI, SamplingParams(max_new_tokens=50), keep_errors=True))
    assert isinstance(error, EndpointError)
    assert "cut its answer off" in str(error)
    assert len(endpoint.bodies) == 1


def test_calls_of_tools_are_read_and_checked(endpoint: FakeEndpoint, llm: LLM) -> None:
    chunks = [*call("weather", '{"name": "A', 'da", "age": 3}'), *call("clock", index=1), choice({}, "tool_calls")]
    endpoint.answer = stream_of(chunks)
    completion = llm.chat(HI, SamplingParams(max_new_tokens=50), tools=[TOOL, OTHER_TOOL])
    assert [(one.name, one.arguments) for one in completion.tool_calls] == [
        ("weather", '{"name": "Ada", "age": 3}'),
        ("clock", "{}"),
    ]
    assert [one["function"]["name"] for one in endpoint.bodies[0]["tools"]] == ["weather", "clock"]


@pytest.mark.parametrize(("text", "is_one"), [('pu"t\u00e9', True), ("put", False)])
def test_calls_of_custom_tools_fit_their_grammar(endpoint: FakeEndpoint, llm: LLM, text: str, is_one: bool) -> None:
    """Whatever whitespace and escapes the other side writes."""
    grammar = {"type": "grammar", "grammar": {"syntax": "lark", "definition": 'start: /pu.t/ "\u00e9"'}}
    tool = {"type": "custom", "custom": {"name": "put", "format": grammar}}
    endpoint.answer = stream_of([*call("put", json.dumps({"input": text}, indent=4)), choice({}, "tool_calls")])
    completion = llm.chat(HI, SamplingParams(max_new_tokens=50), tools=[tool], keep_errors=True)
    if is_one:
        assert [(one.arguments, one.is_custom) for one in completion.tool_calls] == [(text, True)]
    else:
        assert "does not fit its structural_tag" in str(error_of(completion))


@pytest.mark.parametrize(
    ("chunks", "choice_of_tool", "message"),
    [
        (call("weather", '{"name": 5'), "auto", "arguments for weather does not fit"),
        (call("weather", '{"name": "A"'), "auto", "ended before it was complete"),
        (call("bank", "{}"), "auto", "calls 'bank', which the request does not offer"),
        (text("No need.")[:-1], "required", "calls no tool, and one was asked for"),
        (
            text('It says \ufdd0weather\ufdd1{"age": "none"}\ufdd2')[:-1],
            "auto",
            "U+FDD0, U+FDD1 or U+FDD2 beside",
        ),
    ],
)
def test_wrong_calls_are_errors(
    endpoint: FakeEndpoint, llm: LLM, chunks: list[Chunk], choice_of_tool: Any, message: str
) -> None:
    endpoint.answer = stream_of([*chunks, choice({}, "stop")])
    error = error_of(
        llm.chat(HI, SamplingParams(max_new_tokens=50), tools=[TOOL], tool_choice=choice_of_tool, keep_errors=True)
    )
    assert isinstance(error, EndpointAnswerError)
    assert message in str(error)


def test_logprobs_become_confidences(endpoint: FakeEndpoint, llm: LLM) -> None:
    parts = ['{"name":', ' "Ada"', ',"age":', " 36", "}"]
    chunks: list[Chunk] = [
        choice({"content": part}, logprobs={"content": [{"token": part, "logprob": -0.5, "top_logprobs": []}]})
        for part in parts
    ]
    endpoint.answer = stream_of([*chunks, choice({}, "stop")])
    extraction = llm.extract_detailed("Ada was 36.", Person, confidence=True)
    assert extraction.value == Person(name="Ada", age=36)
    assert extraction.confidence is not None
    age = extraction.confidence["/age"]
    assert (age.processed, age.masked_mass) == (None, None)
    assert 0 < age.raw < 1
    assert endpoint.bodies[0]["logprobs"] is True


def test_logprobs_that_were_asked_for_and_do_not_come_are_an_error(endpoint: FakeEndpoint, llm: LLM) -> None:
    error = error_of(llm.chat(HI, SamplingParams(max_new_tokens=50, logprobs=1), keep_errors=True))
    assert isinstance(error, NoLogprobsError)
    assert "gives no log-probabilities" in str(error)
