"""What one request may ask for: each limit is a 400 that names the field, what was asked and what is allowed (B21)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from guided.grammars.errors import InvalidInputError
from guided.server import ServerSettings, create_app
from tests.server.live_server import serving
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, chat_body, schema_format

LIMITS = ServerSettings(max_schema_bytes=100, max_messages=2, max_outputs=3, max_new_tokens=50, max_prompt_tokens=7)
LLM = ScriptedLLM()


@pytest.fixture(scope="module")
def limited() -> Iterator[httpx.Client]:
    model: Any = LLM
    with serving(create_app(model, settings=LIMITS)) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


LONG = "x" * 100
HI = {"role": "user", "content": "Hi"}
LARGE_TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "required": [LONG]}}}
LARGE_CUSTOM_TOOL = {
    "type": "custom",
    "custom": {"name": "f", "format": {"type": "grammar", "grammar": {"syntax": "regex", "definition": LONG}}},
}

LARGE_ANTHROPIC_TOOL = {"name": "f", "input_schema": {"type": "object", "required": [LONG]}}


@pytest.mark.parametrize(
    ("fields", "param", "message"),
    [
        ({"messages": [HI] * 3}, "messages", "3 messages, more than this server's limit of 2 messages"),
        ({"min_tokens": 51}, "min_tokens", "51 new tokens, more than this server's limit of 50 tokens"),
        ({"n": 4}, "n", "4 outputs, more than this server's limit of 3"),
        ({"regex": "x" * 101}, "regex", "a grammar of 101 bytes, more than this server's limit of 100"),
        ({"choice": ["a" * 99]}, "choice", "a grammar of 103 bytes"),
        ({"response_format": schema_format({"title": LONG})}, "response_format", "a grammar of 113 bytes"),
        ({"tools": [LARGE_TOOL]}, "tools", "a grammar of 138 bytes"),
        ({"tools": [LARGE_TOOL], "tool_choice": "none"}, "tools", "a grammar of 138 bytes"),
        ({"tools": [LARGE_CUSTOM_TOOL]}, "tools", "a grammar of 104 bytes"),
    ],
)
def test_over_a_limit(limited: httpx.Client, fields: dict[str, Any], param: str, message: str) -> None:
    response = limited.post(CHAT_URL, json=chat_body(**fields))
    error = response.json()["error"]
    assert (response.status_code, error["param"], error["code"]) == (400, param, "limit_exceeded")
    assert message in error["message"]


@pytest.mark.parametrize(
    ("path", "fields", "param"),
    [
        (CHAT_URL, {"messages": [HI], "min_tokens": 51}, "min_tokens"),
        (CHAT_URL, {"messages": [HI], "min_new_tokens": 51}, "min_new_tokens"),
        (CHAT_URL, {"messages": [HI], "max_tokens": 60, "min_tokens": 55}, "min_tokens"),
        ("/v1/completions", {"prompt": "a", "best_of": 4}, "best_of"),
        ("/v1/completions", {"prompt": ["a", "b"], "n": 1, "best_of": 2}, "best_of"),
        ("/v1/completions", {"prompt": ["a", "b"], "n": 2}, "n"),
        ("/v1/completions", {"prompt": ["a"] * 4}, "prompt"),
        ("/v1/completions", {"prompt": "a", "max_tokens": 51, "min_tokens": 51}, "min_tokens"),
        ("/v1/responses", {"input": "a", "min_tokens": 51}, "min_tokens"),
        ("/v1/messages/count_tokens", {"messages": [HI] * 3}, "messages"),
        ("/v1/messages/count_tokens", {"messages": [HI], "system": "S", "tools": [LARGE_ANTHROPIC_TOOL]}, "tools"),
        ("/v1/messages/count_tokens", {"messages": [HI], "regex": "x" * 101}, "regex"),
        ("/v1/tokenize", {"messages": [HI] * 3}, "messages"),
        ("/v1/score", {"messages": [HI] * 3, "choices": ["a"]}, "messages"),
    ],
)
def test_the_field_that_was_sent_is_named(limited: httpx.Client, path: str, fields: dict[str, Any], param: str) -> None:
    response = limited.post(path, json={"model": LLM.model_name, **fields})
    assert response.status_code == 400
    error = response.json()["error"]
    assert "more than this server's limit" in error["message"]
    assert error["param"] == param


@pytest.mark.parametrize("fields", [{"messages": [HI] * 2}, {"n": 3}, {"max_tokens": 50}, {"regex": "x" * 100}])
def test_the_limit_itself_is_allowed(limited: httpx.Client, fields: dict[str, Any]) -> None:
    assert limited.post(CHAT_URL, json=chat_body(**fields)).status_code == 200


@pytest.mark.parametrize("fields", [{"regex": "x" * 101}, {"guided_json": {"title": LONG}}, {"choice": ["a" * 99]}])
def test_a_grammar_to_check_is_limited_too(limited: httpx.Client, fields: dict[str, Any]) -> None:
    error = limited.post("/v1/grammar/check", json=fields).json()["error"]
    assert (error["param"], error["code"]) == (*fields, "limit_exceeded")


@pytest.mark.parametrize(
    ("path", "field"),
    [
        (CHAT_URL, "max_completion_tokens"),
        (CHAT_URL, "max_new_tokens"),
        ("/v1/completions", "max_tokens"),
        ("/v1/responses", "max_output_tokens"),
        ("/v1/messages", "max_tokens"),
    ],
)
def test_more_tokens_than_the_limit_are_the_limit_and_the_answer_says_so(
    limited: httpx.Client, path: str, field: str
) -> None:
    """As agents ask for what a larger model could write."""
    asked = {"messages": [HI]} if "messages" in path or path == CHAT_URL else {"prompt": "a"}
    body = {"input": "Hi"} if "responses" in path else asked
    for number, told in ((51, field), (50, None)):
        answer = limited.post(path, json={"model": LLM.model_name, **body, field: number})
        assert answer.status_code == 200, answer.text
        assert answer.headers.get("x-guided-ignored") == told
        assert LLM.calls[-1][1].max_new_tokens == 50


def test_no_number_is_the_limit(limited: httpx.Client) -> None:
    assert limited.post(CHAT_URL, json=chat_body()).status_code == 200
    assert LLM.calls[-1][1].max_new_tokens == 50


def test_a_prompt_that_is_too_long(tiny_model_folder: Any) -> None:
    """B21: an error, no silent truncation."""
    from guided.llm import LLM as RealLLM

    app = create_app(RealLLM(str(tiny_model_folder)), served_model_name="tiny", settings=LIMITS)
    with serving(app) as url, httpx.Client(base_url=url, timeout=60) as http:
        error = http.post(CHAT_URL, json=chat_body(model="tiny", max_tokens=2)).json()["error"]
    assert (error["param"], error["code"]) == ("messages", "limit_exceeded")
    assert "more than this server's limit of 7 tokens" in error["message"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_body_bytes", 0),
        ("max_concurrent_requests", True),
        ("max_new_tokens", 1.5),
        ("max_request_s", 0),
        ("send_timeout_s", float("nan")),
        ("body_timeout_s", "1"),
        ("cors_origins", ("example.org",)),
    ],
)
def test_unusable_settings(name: str, value: Any) -> None:
    with pytest.raises(InvalidInputError, match=name):
        ServerSettings(**{name: value})
