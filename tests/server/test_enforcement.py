"""`return_enforcement` in each format: a field of the answer, and a header with the digest."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.server.wire import sse_events

SCHEMA = {"enum": ["yes", "no"]}
TALK = [{"role": "user", "content": "Hi"}]
BODIES: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {"messages": TALK, "max_tokens": 8},
    "/v1/completions": {"prompt": "Hi", "max_tokens": 8},
    "/v1/responses": {"input": "Hi", "store": False, "max_output_tokens": 8},
    "/v1/messages": {"messages": TALK, "max_tokens": 8},
}
HEADER = "x-guided-enforcement"


@pytest.mark.parametrize("path", BODIES)
def test_an_answer_tells_what_was_enforced(tiny_http: httpx.Client, path: str) -> None:
    body = {"model": "tiny", "json_schema": SCHEMA, "return_enforcement": True, **BODIES[path]}
    answer = tiny_http.post(path, json=body)
    assert answer.status_code == 200, answer.text
    data = answer.json()
    told = data["choices"][0]["enforcement"] if "choices" in data else data["enforcement"]
    assert told["digest"] == answer.headers[HEADER]
    assert [entry["keyword"] for entry in told["report"]] == ["enum"]
    streamed = tiny_http.post(path, json={**body, "stream": True})
    assert streamed.headers[HEADER] == told["digest"]
    assert told["digest"] in "".join(sse_events(streamed.text))


def test_nobody_is_told_unasked(tiny_http: httpx.Client) -> None:
    path = "/v1/chat/completions"
    answer = tiny_http.post(path, json={"model": "tiny", **BODIES[path], "json_schema": SCHEMA})
    assert HEADER not in answer.headers
    assert "enforcement" not in json.dumps(answer.json())


@pytest.mark.parametrize("path", BODIES)
def test_without_a_grammar_there_is_nothing_to_enforce(tiny_http: httpx.Client, path: str) -> None:
    answer = tiny_http.post(path, json={"model": "tiny", **BODIES[path], "return_enforcement": True})
    assert answer.status_code == 400
    assert "return_enforcement needs a grammar" in answer.json()["error"]["message"]
