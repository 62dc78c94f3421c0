"""A tool whose schema can't be held, in each format: the request goes on and says so, or is refused if it is strict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

from guided.output.completion import Completion
from guided.server.context import RequestContext
from guided.server.protocol.pieces import notes_of
from tests.server.wire import sse_events

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"s": {"type": "string", "pattern": r"(a)\1"}}}
COMPLETION = Completion("", (1,), "stop", None, 1, 0, 0.1)
TALK = [{"role": "user", "content": "Hi"}]


def bodies(**more: Any) -> dict[str, dict[str, Any]]:
    """A request of each format. more: of its tool, in that format's words."""
    return {
        "/v1/chat/completions": {
            "messages": TALK,
            "max_tokens": 4,
            "tools": [{"type": "function", "function": {"name": "f", "parameters": SCHEMA, **more}}],
        },
        "/v1/responses": {
            "input": "Hi",
            "store": False,
            "max_output_tokens": 4,
            "tools": [{"type": "function", "name": "f", "parameters": SCHEMA, **more}],
        },
        "/v1/messages": {
            "messages": TALK,
            "max_tokens": 4,
            "tools": [{"name": "f", "input_schema": SCHEMA, **more}],
        },
    }


def notes(path: str, answer: Any) -> Any:
    return answer["choices"][0] if "chat" in path else answer


@pytest.mark.parametrize("path", bodies())
def test_the_answer_says_so(tiny_http: httpx.Client, path: str) -> None:
    answer = tiny_http.post(path, json={"model": "tiny", **bodies()[path]})
    assert answer.status_code == 200, answer.text
    unheld = notes(path, answer.json())["unheld_tools"]
    assert list(unheld) == ["f"]
    assert "can't enforce 'pattern' at '/properties/s'" in unheld["f"]


def test_the_log_has_their_number_and_no_name() -> None:
    context = RequestContext("id", "POST", "/v1/chat/completions", completions=[replace(COMPLETION, unheld_tools={})])
    assert "unheld_tools" not in context.log_fields()
    context.completions = [replace(COMPLETION, unheld_tools={"f": "why"})]
    assert context.log_fields()["unheld_tools"] == 1


def test_the_log_and_the_answer_tell_of_calls_of_other_families() -> None:
    completion = replace(COMPLETION, foreign_calls="mistral")
    context = RequestContext("id", "POST", "/v1/chat/completions", completions=[completion])
    assert context.log_fields()["foreign_calls"] == notes_of(completion)["foreign_calls"] == "mistral"


@pytest.mark.parametrize("path", bodies())
def test_a_stream_says_so_at_its_end(tiny_http: httpx.Client, path: str) -> None:
    answer = tiny_http.post(path, json={"model": "tiny", "stream": True, **bodies()[path]})
    assert answer.status_code == 200, answer.text
    assert '"unheld_tools":{"f":"can' in "".join(sse_events(answer.text)[-3:]).replace(": ", ":")


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
def test_a_strict_tool_is_refused(tiny_http: httpx.Client, path: str) -> None:
    answer = tiny_http.post(path, json={"model": "tiny", **bodies(strict=True)[path]})
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, "tools[0]")
    assert "can't enforce 'pattern' at '/properties/s'" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("path", "choice"),
    [
        ("/v1/chat/completions", "required"),
        ("/v1/responses", {"type": "function", "name": "f"}),
        ("/v1/messages", {"type": "any"}),
    ],
)
def test_a_call_that_must_come_is_refused(tiny_http: httpx.Client, path: str, choice: Any) -> None:
    answer = tiny_http.post(path, json={"model": "tiny", **bodies()[path], "tool_choice": choice})
    assert answer.status_code == 400
    assert "can't enforce 'pattern'" in answer.text
