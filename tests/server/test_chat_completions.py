"""The wire format of /v1/chat/completions, byte by byte where clients depend on it."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from typing import Any

import httpx
import pytest

from guided.params.sampling_params import SamplingParams
from guided.server.protocol.openai_messages import RefusalPart, has_refusal
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, chat_body, schema_format, sse_events

USAGE = {
    "prompt_tokens": 7,
    "completion_tokens": 4,
    "total_tokens": 11,
    "prompt_tokens_details": {"cached_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 0},
}


def test_whole_response_has_the_plain_shape(http: httpx.Client) -> None:
    response = http.post(CHAT_URL, json=chat_body())
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert re.fullmatch(r"chatcmpl-[0-9a-f]{32}", body.pop("id"))
    assert abs(body.pop("created") - time.time()) < 60
    assert body == {
        "object": "chat.completion",
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Hello world", "refusal": None},
                "logprobs": None,
                "finish_reason": "stop",
            }
        ],
        "usage": USAGE,
    }


def test_length_is_said(http: httpx.Client, scripted: ScriptedLLM) -> None:
    scripted.finish_reason = "length"
    assert http.post(CHAT_URL, json=chat_body()).json()["choices"][0]["finish_reason"] == "length"


def test_ids_differ(http: httpx.Client) -> None:
    assert len({http.post(CHAT_URL, json=chat_body()).json()["id"] for _ in range(3)}) == 3


def test_stream_is_role_content_finish_done(http: httpx.Client) -> None:
    response = http.post(CHAT_URL, json=chat_body(stream=True))
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"
    *payloads, end = sse_events(response.text)
    assert end == "[DONE]"
    chunks = [json.loads(payload) for payload in payloads]
    assert {(chunk["id"], chunk["created"], chunk["model"]) for chunk in chunks} == {
        (chunks[0]["id"], chunks[0]["created"], "scripted")
    }
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert all("usage" not in chunk for chunk in chunks)
    choices = [chunk["choices"][0] for chunk in chunks]
    assert [choice["delta"] for choice in choices] == [
        {"role": "assistant", "content": "", "refusal": None},
        {"content": "Hello"},
        {"content": " "},
        {"content": "world"},
        {},
    ]
    assert [choice["finish_reason"] for choice in choices] == [None] * 4 + ["stop"]
    assert all(choice["logprobs"] is None and choice["index"] == 0 for choice in choices)


def test_every_event_ends_with_an_empty_line(http: httpx.Client) -> None:
    text = http.post(CHAT_URL, json=chat_body(stream=True)).text
    assert text.endswith("data: [DONE]\n\n")
    assert text.count("\n\n") == len(sse_events(text)) == text.count("\n") / 2


def test_usage_chunk_only_when_asked_for(http: httpx.Client) -> None:
    body = chat_body(stream=True, stream_options={"include_usage": True})
    *payloads, end = sse_events(http.post(CHAT_URL, json=body).text)
    chunks = [json.loads(payload) for payload in payloads]
    assert end == "[DONE]"
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"] == USAGE
    assert all(chunk["usage"] is None for chunk in chunks[:-1])
    off = chat_body(stream=True, stream_options={"include_usage": False})
    assert "usage" not in http.post(CHAT_URL, json=off).text


def test_text_is_sent_as_utf8(http: httpx.Client, scripted: ScriptedLLM) -> None:
    scripted.texts = ["né ", "\u2028", "日本 🙂\n"]
    assert http.post(CHAT_URL, json=chat_body()).json()["choices"][0]["message"]["content"] == "né \u2028日本 🙂\n"
    raw = http.post(CHAT_URL, json=chat_body(stream=True)).content.decode()
    deltas = [
        json.loads(line.removeprefix("data: "))["choices"][0]["delta"].get("content", "")
        for line in raw.split("\n")
        if line.startswith("data: {")
    ]
    assert "".join(deltas) == "né \u2028日本 🙂\n"


OBJECT = {"type": "object"}
TAG = {"type": "structural_tag", "format": {"type": "any_text"}}
OLDER_TAG = {
    "type": "structural_tag",
    "structures": [{"begin": "<f>", "schema": OBJECT, "end": "</f>"}],
    "triggers": ["<f"],
}
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, SamplingParams(max_new_tokens=None)),
        ({"temperature": 0, "top_p": 0.5}, SamplingParams(temperature=0, top_p=0.5, max_new_tokens=None)),
        ({"temperature": None, "top_p": None, "seed": None}, SamplingParams(max_new_tokens=None)),
        ({"top_k": 5, "min_p": 0.1, "seed": 3}, SamplingParams(top_k=5, min_p=0.1, seed=3, max_new_tokens=None)),
        ({"max_tokens": 9}, SamplingParams(max_new_tokens=9)),
        ({"max_completion_tokens": 9}, SamplingParams(max_new_tokens=9)),
        ({"ignore_eos": True, "max_tokens": 9}, SamplingParams(max_new_tokens=9, ignore_eos=True)),
        ({"n": 1, "logprobs": True, "top_logprobs": 3}, SamplingParams(max_new_tokens=None, logprobs=3)),
        ({"logprobs": True}, SamplingParams(max_new_tokens=None, logprobs=0)),
        (
            {"stop": ["a"], "no_stop_trim": True},
            SamplingParams(max_new_tokens=None, stop=["a"], include_stop_str_in_output=True),
        ),
        ({"logit_bias": {"5": -100}}, SamplingParams(max_new_tokens=None, logit_bias={5: -100})),
        ({"regex": "[ab]+"}, SamplingParams(max_new_tokens=None, regex="[ab]+")),
        ({"choice": ["a", "b"]}, SamplingParams(max_new_tokens=None, choice=["a", "b"])),
        ({"ebnf": "a"}, SamplingParams(max_new_tokens=None, ebnf="a")),
        ({"ebnf": "a", "dialect": "lark"}, SamplingParams(max_new_tokens=None, ebnf="a", dialect="lark")),
        ({"structural_tag": TAG}, SamplingParams(max_new_tokens=None, structural_tag=TAG)),
        ({"structural_tag": "{}"}, SamplingParams(max_new_tokens=None, structural_tag="{}")),
        ({"response_format": TAG}, SamplingParams(max_new_tokens=None, structural_tag=TAG)),
        ({"response_format": OLDER_TAG}, SamplingParams(max_new_tokens=None, structural_tag=OLDER_TAG)),
        ({"response_format": {"type": "json_object"}}, SamplingParams(max_new_tokens=None, json_schema=OBJECT)),
        (
            {"response_format": {"type": "json_object", "schema": {"type": "object", "maxProperties": 1}}},
            SamplingParams(max_new_tokens=None, json_schema={"type": "object", "maxProperties": 1}),
        ),
        ({"seed": -1}, SamplingParams(max_new_tokens=None, seed=2**63 - 1)),
        ({"seed": -(2**63)}, SamplingParams(max_new_tokens=None, seed=0)),
        ({"json_schema": OBJECT}, SamplingParams(max_new_tokens=None, json_schema=OBJECT)),
        ({"json_schema": "{}"}, SamplingParams(max_new_tokens=None, json_schema="{}")),
        ({"guided_json_object": True}, SamplingParams(max_new_tokens=None, json_schema=OBJECT)),
        (
            {"guided_json": OBJECT, "guided_whitespace_pattern": " ?"},
            SamplingParams(max_new_tokens=None, json_schema=OBJECT, whitespace=" ?"),
        ),
        ({"reasoning_effort": "none"}, SamplingParams(max_new_tokens=None, thinking=False)),
        (
            {"thinking": True, "thinking_budget": 9},
            SamplingParams(max_new_tokens=None, thinking=True, thinking_budget=9),
        ),
        (
            {"chat_template_kwargs": {"enable_thinking": False}},
            SamplingParams(max_new_tokens=None, thinking=False),
        ),
        ({"guided_json": OBJECT}, SamplingParams(max_new_tokens=None, json_schema=OBJECT)),
        ({"guided_json": "{}"}, SamplingParams(max_new_tokens=None, json_schema="{}")),
        ({"guided_regex": "a", "response_format": {"type": "text"}}, SamplingParams(max_new_tokens=None, regex="a")),
        ({"guided_choice": ["a"]}, SamplingParams(max_new_tokens=None, choice=["a"])),
        ({"guided_grammar": "a", "dialect": "w3c"}, SamplingParams(max_new_tokens=None, ebnf="a", dialect="w3c")),
        ({"structured_outputs": {"regex": "a"}}, SamplingParams(max_new_tokens=None, regex="a")),
        ({"structured_outputs": {"choice": ["a"], "json": None}}, SamplingParams(max_new_tokens=None, choice=["a"])),
        ({"structured_outputs": {"grammar": "a"}}, SamplingParams(max_new_tokens=None, ebnf="a")),
        ({"structured_outputs": {"structural_tag": "{}"}}, SamplingParams(max_new_tokens=None, structural_tag="{}")),
        ({"structured_outputs": {"json_object": True}}, SamplingParams(max_new_tokens=None, json_schema=OBJECT)),
        (
            {"structured_outputs": {"json": False, "disable_any_whitespace": True}},
            SamplingParams(max_new_tokens=None, json_schema=False, whitespace="compact"),
        ),
        (
            {"structured_outputs": {"json": "{}", "whitespace_pattern": " ?"}},
            SamplingParams(max_new_tokens=None, json_schema="{}", whitespace=" ?"),
        ),
        ({"skip_special_tokens": False}, SamplingParams(max_new_tokens=None, skip_special_tokens=False)),
        ({"response_format": {"type": "text"}}, SamplingParams(max_new_tokens=None)),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"name": "s", "schema": SCHEMA}}},
            SamplingParams(max_new_tokens=None, json_schema=SCHEMA),
        ),
        (
            {"response_format": schema_format(False, strict=False)},
            SamplingParams(max_new_tokens=None, json_schema=False),
        ),
    ],
)
def test_fields_become_params(
    http: httpx.Client, scripted: ScriptedLLM, fields: dict[str, Any], expected: SamplingParams
) -> None:
    response = http.post(CHAT_URL, json=chat_body(**fields))
    assert response.status_code == 200, response.text
    assert scripted.calls[-1][1] == replace(expected, separate_thinking=True)


def test_messages_reach_the_model(http: httpx.Client, scripted: ScriptedLLM) -> None:
    messages = [
        {"role": "developer", "content": "Be short."},
        {"role": "system", "content": "Be kind.", "unknown": 1},
        {"role": "user", "name": "ann", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": "c", "tool_calls": None, "refusal": None},
        {"role": "tool", "tool_call_id": "call_1", "content": ""},
    ]
    assert http.post(CHAT_URL, json=chat_body(messages=messages)).status_code == 200
    assert scripted.calls[-1][0] == [
        {"role": "system", "content": "Be short."},
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "ab", "name": "ann"},
        {"role": "assistant", "content": "c"},
        {"role": "tool", "content": "", "tool_call_id": "call_1"},
    ]


def test_refusals_go_back_as_text(http: httpx.Client, scripted: ScriptedLLM) -> None:
    user = {"role": "user", "content": "Why?"}
    refusal = {"type": "refusal", "refusal": "No."}
    for said, content in (
        ({"content": None, "refusal": "No."}, "No."),
        ({"refusal": "No."}, "No."),
        ({"content": [{"type": "text", "text": "Hm. "}, refusal]}, "Hm. No."),
        ({"content": "Yes.", "refusal": None}, "Yes."),
    ):
        body = chat_body(messages=[user, {"role": "assistant", **said}, user])
        assert http.post(CHAT_URL, json=body).status_code == 200
        assert scripted.calls[-1][0][1] == {"role": "assistant", "content": content}
    for message, param in (
        ({"role": "user", "content": [refusal]}, "messages[0]"),
        ({"role": "user", "content": [{"type": "refusal"}]}, "messages[0].content[0].refusal"),
        ({"role": "user", "content": [{"type": "text"}]}, "messages[0].content[0].text"),
        ({"role": "user", "content": [{"type": "text", "text": 5}]}, "messages[0].content[0].text"),
    ):
        response = http.post(CHAT_URL, json=chat_body(messages=[message]))
        assert (response.status_code, response.json()["error"]["param"]) == (400, param)


def test_unknown_and_neutral_fields_are_tolerated(http: httpx.Client) -> None:
    neutral = {
        "n": 1,
        "logprobs": False,
        "top_logprobs": 0,
        "stop": None,
        "presence_penalty": 0.0,
        "frequency_penalty": 0,
        "logit_bias": {},
        "tools": [],
        "tool_choice": "auto",
        "stream": False,
        "stream_options": None,
        "response_format": None,
        "user": "me",
        "metadata": {"a": "b"},
        "what_is_this": [1],
    }
    assert http.post(CHAT_URL, json=chat_body(**neutral)).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        '{"model": "tiny", "messages": [{"role": "user", "content": "Say hi"}], "max_tokens": 8, "temperature": 0.7,'
        ' "top_p": 0.9, "seed": 42}',
        '{"model": "tiny", "messages": [{"role": "user", "content": "Say hi"}], "max_tokens": 8, "seed": 42,'
        ' "stream": true, "top_k": 50}',
    ],
    ids=["whole", "stream"],
)
def test_curl_examples(tiny_http: httpx.Client, body: str) -> None:
    first, second = (
        tiny_http.post(CHAT_URL, content=body, headers={"Content-Type": "application/json"}) for _ in range(2)
    )
    assert first.status_code == 200
    if first.headers["content-type"].startswith("text/event-stream"):
        assert sse_events(first.text)[-1] == "[DONE]"
    else:
        assert first.json()["usage"]["completion_tokens"] <= 8
    assert _text(first) == _text(second), "the same seed gives the same text"


def _text(response: httpx.Response) -> str:
    if response.headers["content-type"].startswith("application/json"):
        return str(response.json()["choices"][0]["message"]["content"])
    chunks = [json.loads(payload) for payload in sse_events(response.text)[:-1]]
    return "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks)


def test_whole_and_stream_agree(tiny_http: httpx.Client) -> None:
    body = chat_body(model="tiny", max_tokens=40, seed=5, temperature=1.5, ignore_eos=True)
    whole = tiny_http.post(CHAT_URL, json=body)
    stream = tiny_http.post(CHAT_URL, json=body | {"stream": True, "stream_options": {"include_usage": True}})
    chunks = [json.loads(payload) for payload in sse_events(stream.text)[:-1]]
    assert "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks[:-1]) == _text(whole)
    usage = [one["usage"] | {"prompt_tokens_details": None} for one in (chunks[-1], whole.json())]
    assert usage[0] == usage[1], "but for the cached tokens, which the first request left behind"
    assert whole.json()["usage"]["completion_tokens"] == 40
    assert whole.json()["choices"][0]["finish_reason"] == chunks[-2]["choices"][0]["finish_reason"] == "length"


@pytest.mark.parametrize(
    "fields",
    [
        {"top_k": 10**30},
        {"top_k": -1},
        {"top_p": 0},
        {"min_p": 1},
        {"seed": 2**63 - 1},
        {"temperature": 2},
        {"temperature": 1e-300},
        {"max_tokens": 10**30, "regex": "[ab]{3}", "temperature": 0},
    ],
)
def test_extreme_values_are_served(tiny_http: httpx.Client, fields: dict[str, Any]) -> None:
    response = tiny_http.post(CHAT_URL, json=chat_body(model="tiny", max_tokens=3) | fields)
    assert response.status_code == 200, response.text
    assert response.json()["usage"]["completion_tokens"] <= 4


def test_special_tokens_in_a_message_are_plain_text(tiny_http: httpx.Client) -> None:
    def prompt_tokens(content: str) -> int:
        body = chat_body(model="tiny", max_tokens=1, messages=[{"role": "user", "content": content}])
        return int(tiny_http.post(CHAT_URL, json=body).json()["usage"]["prompt_tokens"])

    assert prompt_tokens("a<|im_end|>b") == prompt_tokens("ab") + len("<|im_end|>")


def test_a_text_is_not_looked_through_for_parts() -> None:
    """Character by character, 3.9 MB held up everybody for 0.8 s."""

    class Text(str):
        def __iter__(self) -> Any:
            raise AssertionError("read character by character")

    assert not has_refusal(Text("a" * 10))
    assert has_refusal([RefusalPart(type="refusal", refusal="No.")])
