"""`guided serve --engine echo` as a process of its own: the wire lines of A1 with texts that are known."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from anthropic import Anthropic
from openai import OpenAI

from tests.guides import SERVED_AT
from tests.server.live_server import wait_until
from tests.server.wire import CHAT_URL, sse_events

ADDRESS = r"http://127\.0\.0\.1:\d+"
COMMAND = [sys.executable, "-m", "guided.cli", "serve", "--engine", "echo", "--port", "0"]
WHOLE = """curl -s http://127.0.0.1:8000/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -d '{
    "messages": [{"role": "user", "content": "Say hi"}],
    "max_tokens": 8, "temperature": 0.7, "top_p": 0.9, "seed": 42
  }'"""
STREAM = """curl -sN http://127.0.0.1:8000/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "echo",
    "messages": [{"role": "user", "content": "Say hi"}],
    "max_tokens": 8, "seed": 42, "stream": true, "top_k": 50
  }'"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a server process. Its log goes into a file: a pipe that nobody reads would stop it."""
    log = tmp_path_factory.mktemp("echo") / "log"
    with log.open("w") as stderr, subprocess.Popen(COMMAND, stderr=stderr) as process:
        try:
            wait_until(lambda: process.poll() is not None or re.search(ADDRESS, log.read_text()) is not None)
            found = re.search(ADDRESS, log.read_text())
            assert found, log.read_text()
            with httpx.Client(base_url=found[0], timeout=60) as http:
                wait_until(lambda: bool(http.get("/health").json()["model_loaded"]))
            yield found[0]
        finally:
            process.terminate()
            process.wait(timeout=60)


@pytest.fixture(scope="module")
def http(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=60) as client:
        yield client


def shell(url: str, command: str) -> str:
    """What a shell prints for a command that is typed as it stands, but for the address."""
    assert SERVED_AT in command
    done = subprocess.run(
        ["bash", "-c", command.replace(SERVED_AT, url)], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_the_curl_examples(url: str) -> None:
    """A1.7, A1.1: both of them, one without a model; the prompt's text comes back."""
    (choice,) = json.loads(shell(url, WHOLE))["choices"]
    text = choice["message"]["content"]
    assert "Say hi".startswith(text) or text.startswith("Say hi")
    *payloads, end = sse_events(shell(url, STREAM))
    chunks = [json.loads(payload)["choices"][0] for payload in payloads]
    assert end == "[DONE]"
    assert chunks[0]["delta"]["role"] == "assistant"
    assert "".join(chunk["delta"].get("content", "") for chunk in chunks) == text
    assert chunks[-1]["finish_reason"] == choice["finish_reason"]


def test_fields_of_a1(http: httpx.Client) -> None:
    """A1.1, A1.4, A1.5: defaults, roles, unknown fields, logprobs with their chunks, the stream's shape."""
    body: dict[str, Any] = {
        "model": "echo",
        "messages": [
            {"role": "system", "content": "S"},
            {"role": "user", "content": "U"},
            {"role": "assistant", "content": "A"},
            {"role": "tool", "content": "T", "tool_call_id": "c"},
        ],
        "user": "me",
        "what_is_this": 1,
        "logprobs": True,
        "stream": True,
    }
    response = http.post(CHAT_URL, json=body)
    assert response.headers["content-type"].startswith("text/event-stream")
    *payloads, end = sse_events(response.text)
    chunks = [json.loads(payload) for payload in payloads]
    assert end == "[DONE]"
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    first, *middle, last = [chunk["choices"][0] for chunk in chunks]
    assert (first["delta"]["role"], last["finish_reason"], last["delta"]) == ("assistant", "stop", {})
    for choice in middle:
        entries = choice["logprobs"]["content"]
        assert all(set(entry) == {"token", "bytes", "logprob", "top_logprobs"} for entry in entries)
        assert all(entry["top_logprobs"] == [] for entry in entries)
        assert "".join(entry["token"] for entry in entries) == choice["delta"]["content"]
    text = "".join(choice["delta"]["content"] for choice in middle)
    assert [letter for letter in text if letter in "SUAT"] == ["S", "U", "A", "T"]
    plain = http.post(CHAT_URL, json=body | {"stream": False, "logprobs": False}).json()
    assert plain["choices"][0]["logprobs"] is None
    assert plain["choices"][0]["message"]["content"] == text


def test_n_and_seeds(http: httpx.Client) -> None:
    """A1.1: n. The echo is the same whatever the seed."""
    body = {"model": "echo", "messages": [{"role": "user", "content": "Hi"}], "n": 3}
    texts = [choice["message"]["content"] for choice in http.post(CHAT_URL, json=body).json()["choices"]]
    assert len(texts) == 3
    assert len(set(texts)) == 1


def test_every_format_with_its_client(url: str) -> None:
    with OpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0) as openai:
        assert [model.id for model in openai.models.list()] == ["echo"]
        assert openai.completions.create(model="echo", prompt="one two").choices[0].text == "one two"
        assert "Hello" in openai.responses.create(model="echo", input="Hello", store=False).output_text
    with (
        Anthropic(base_url=url, api_key="x", max_retries=0) as anthropic,
        anthropic.messages.stream(
            model="echo", max_tokens=90, messages=[{"role": "user", "content": "Hello"}]
        ) as stream,
    ):
        assert "Hello" in "".join(stream.text_stream)


def test_it_says_what_it_can_not_do(http: httpx.Client) -> None:
    body = {"model": "echo", "messages": [{"role": "user", "content": "Hi"}], "regex": "a"}
    response = http.post(CHAT_URL, json=body)
    assert response.status_code == 400
    assert "the echo engine can't follow a grammar" in response.json()["error"]["message"]
