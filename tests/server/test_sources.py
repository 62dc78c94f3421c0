"""Quotes over HTTP: sources as texts, and as messages of the request, in each wire format; what is wrong is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from guided.grammars.quotes import SourceText
from tests.server.live_server import serving
from tests.server.wire import CHAT_URL

TEXT = "Ada Hölm-Ågren is 36 and lives in Gdańsk."
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "x-quote": "text"}, "city": {"type": "string", "x-quote": "text"}},
    "required": ["name", "city"],
    "additionalProperties": False,
}
LAST = {"text": {"message": -1}}


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    """A client of a server with the embedded model."""
    from guided.llm import LLM
    from guided.server import create_app

    with serving(create_app(LLM())) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


def body(content: Any = TEXT, schema: Any = SCHEMA, **fields: Any) -> dict[str, Any]:
    return {
        "model": "embedded",
        "temperature": 0,
        "max_tokens": 200,
        "messages": [{"role": "user", "content": content}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "person", "schema": schema}},
        **fields,
    }


def check_quotes(text: str) -> None:
    document = json.loads(text)
    assert sorted(document) == ["city", "name"]
    assert all(SourceText(TEXT).places(value) for value in document.values())


@pytest.mark.parametrize("sources", [{"text": TEXT}, LAST, {"text": {"message": 0}}, {**LAST, "unused": "x"}])
def test_a_source_is_a_text_or_a_message(http: httpx.Client, sources: Any) -> None:
    response = http.post(CHAT_URL, json=body(sources=sources))
    check_quotes(response.json()["choices"][0]["message"]["content"])


def test_a_message_in_parts_is_one_text(http: httpx.Client) -> None:
    parts = [{"type": "text", "text": TEXT[:8]}, {"type": "text", "text": TEXT[8:]}]
    check_quotes(http.post(CHAT_URL, json=body(parts, sources=LAST)).json()["choices"][0]["message"]["content"])


def test_the_other_formats(http: httpx.Client) -> None:
    completion = body(prompt=TEXT, sources={"text": TEXT})
    del completion["messages"]
    check_quotes(http.post("/v1/completions", json=completion).json()["choices"][0]["text"])
    fields = {"model": "embedded", "temperature": 0, "sources": LAST}
    answer = http.post("/v1/responses", json={**fields, "input": TEXT, "json_schema": SCHEMA}).json()
    check_quotes(answer["output"][0]["content"][0]["text"])
    listed = {"input": [{"role": "user", "content": [{"type": "input_text", "text": TEXT}]}], "json_schema": SCHEMA}
    answer = http.post("/v1/responses", json={**fields, **listed}).json()
    check_quotes(answer["output"][0]["content"][0]["text"])
    message = {**body(sources=LAST), "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}
    del message["response_format"]
    check_quotes(http.post("/v1/messages", json=message).json()["content"][0]["text"])


def test_arguments_of_tools_are_quotes_too(http: httpx.Client) -> None:
    tool = {"type": "function", "function": {"name": "note", "parameters": SCHEMA}}
    asked = body(tools=[tool], tool_choice="required", parallel_tool_calls=False, sources=LAST)
    del asked["response_format"]
    (call,) = http.post(CHAT_URL, json=asked).json()["choices"][0]["message"]["tool_calls"]
    check_quotes(call["function"]["arguments"])


@pytest.mark.parametrize(
    ("fields", "param", "reason"),
    [
        ({}, "response_format", "there is no source 'text'; no sources are given"),
        ({"sources": {"note": "a"}}, "response_format", "there is no source 'text'; the sources are 'note'"),
        ({"sources": {"text": {"message": 1}}}, "sources.text.message", "is 1, and the request has 1 messages"),
        ({"sources": {"text": {"message": -2}}}, "sources.text.message", "is -2, and the request has 1 messages"),
        ({"sources": {"text": {"massage": 0}}}, "sources.text.message", "is required"),
        ({"sources": {"text": 5}}, None, "sources"),
        ({"sources": "a"}, "sources", "sources"),
        ({"sources": LAST, "response_format": None}, "sources", "sources need a grammar that quotes them"),
        ({"sources": {"text": " "}}, "response_format", "the source 'text' has no quote that fits '/properties/name'"),
    ],
)
def test_what_is_wrong_is_named(http: httpx.Client, fields: Any, param: str | None, reason: str) -> None:
    response = http.post(CHAT_URL, json=body(**fields))
    error = response.json()["error"]
    assert response.status_code == 400
    assert reason in error["message"] or reason in (error["param"] or "")
    assert param is None or error["param"] == param


def test_a_text_to_continue_has_no_messages(http: httpx.Client) -> None:
    completion = body(prompt=TEXT, sources=LAST)
    del completion["messages"]
    error = http.post("/v1/completions", json=completion).json()["error"]
    assert error["param"] == "sources.text.message"
    assert "takes no messages" in error["message"]
