"""`guided serve --engine openai`: our endpoints, over another server's model."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from guided.engines.openai import loading
from guided.engines.openai.endpoint import EndpointSettings
from guided.engines.openai.loading import find_endpoint
from guided.errors import EndpointError, EndpointTimeoutError
from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from guided.server import create_app
from tests.guided.engines.openai.fake_endpoint import FakeEndpoint, failing, stream_of, text, usage
from tests.server.live_server import serving, wait_until
from tests.server.wire import CHAT_URL, answer_of, schema_format, sse_events

SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}
COMPLETIONS_URL = "/v1/completions"
ADDRESS = r"http://127\.0\.0\.1:\d+"
COMMAND = [sys.executable, "-m", "guided.cli", "serve", "--engine", "openai", "--port", "0"]
BODY: dict[str, Any] = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 20}


@pytest.fixture(scope="module")
def http(llm: LLM) -> Iterator[httpx.Client]:
    """A client of our server, whose model is the scripted endpoint's."""
    with serving(create_app(llm)) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


def test_a_chat_goes_through(endpoint: FakeEndpoint, http: httpx.Client) -> None:
    endpoint.answer = stream_of([*text("Hel", "lo"), usage(7, 5)])
    answer = http.post(CHAT_URL, json=BODY).json()
    assert answer["model"] == "fake"
    assert answer["choices"][0]["message"]["content"] == "Hello"
    assert (answer["usage"]["prompt_tokens"], answer["usage"]["completion_tokens"]) == (7, 5)


def test_a_stream_goes_through(endpoint: FakeEndpoint, http: httpx.Client) -> None:
    endpoint.answer = stream_of(text("Hel", "lo"))
    *events, done = sse_events(http.post(CHAT_URL, json=BODY | {"stream": True}).text)
    deltas = [json.loads(event)["choices"][0]["delta"].get("content", "") for event in events]
    assert ("".join(deltas), done) == ("Hello", "[DONE]")


def test_the_other_formats_go_through(endpoint: FakeEndpoint, http: httpx.Client) -> None:
    message = {"model": "fake", "messages": BODY["messages"], "max_tokens": 20}
    assert http.post("/v1/messages", json=message).json()["content"][0]["text"] == "Hello"
    answer = http.post("/v1/responses", json={"model": "fake", "input": "Hi"}).json()
    assert answer["output"][0]["content"][0]["text"] == "Hello"


def test_a_schema_is_held_to(endpoint: FakeEndpoint, http: httpx.Client) -> None:
    body = BODY | {"response_format": schema_format(SCHEMA)}
    endpoint.answer = stream_of(text('{"ok": true}'))
    assert http.post(CHAT_URL, json=body).json()["choices"][0]["message"]["content"] == '{"ok": true}'
    endpoint.answer = stream_of(text("Sure, here you are"))
    assert answer_of(http.post(CHAT_URL, json=body)) == (500, "endpoint_answer_invalid")


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, (400, "endpoint_refused")),
        (401, (500, "endpoint_access_denied")),
        (429, (503, "endpoint_busy")),
        (500, (503, "endpoint_failed")),
        (504, (504, "endpoint_timeout")),
    ],
)
def test_failures_of_the_other_side_are_answers_of_ours(
    endpoint: FakeEndpoint, http: httpx.Client, status: int, expected: tuple[int, str]
) -> None:
    endpoint.answer = failing(status, headers={"retry-after": "7"})
    answer = http.post(CHAT_URL, json=BODY)
    assert answer_of(answer) == expected
    assert endpoint.url not in answer.text
    assert status != 429 or answer.headers["retry-after"] == "7"


@pytest.mark.parametrize(
    ("path", "fields", "param"),
    [
        (CHAT_URL, {"top_k": 5}, "top_k"),
        (CHAT_URL, {"regex": "a+"}, "regex"),
        (CHAT_URL, {"min_tokens": 2}, "min_tokens"),
        (CHAT_URL, {"min_new_tokens": 2}, "min_new_tokens"),
        (CHAT_URL, {"guided_choice": ["a"]}, "guided_choice"),
        (CHAT_URL, {"structured_outputs": {"grammar": 'root ::= "a"'}}, "structured_outputs.grammar"),
        (COMPLETIONS_URL, {"prompt": "a", "messages": None, "guided_json": {"type": "object"}}, "guided_json"),
        ("/v1/messages", {"model": "fake", "guided_regex": "a+"}, "guided_regex"),
        (CHAT_URL, {"return_token_ids": True}, "return_token_ids"),
        ("/v1/score", {"choices": ["a", "b"], "max_tokens": None}, "model"),
        ("/v1/tokenize", {"max_tokens": None}, "model"),
    ],
)
def test_what_it_can_not_do_is_refused_by_the_name_that_was_sent(
    endpoint: FakeEndpoint, http: httpx.Client, path: str, fields: dict[str, Any], param: str
) -> None:
    body = {name: value for name, value in (BODY | fields).items() if value is not None}
    answer = http.post(path, json=body)
    error = answer.json()["error"]
    assert (answer.status_code, error.get("param", param)) == (400, param), answer.text  # Anthropic's errors have none
    assert param == "model" or param in error["message"]
    assert not endpoint.bodies


def test_one_of_ours_behind_another_takes_all_our_fields(tiny_model_folder: Any) -> None:
    """Two of our servers in a row: choices, regexes, top_k and token ids go to the model behind both."""
    inner_llm = LLM(str(tiny_model_folder))
    with serving(create_app(inner_llm, served_model_name="tiny")) as url:
        llm = LLM(engine="openai", base_url=f"{url}/v1")
        try:
            hi: Any = [{"role": "user", "content": "Hi"}]
            params = SamplingParams(max_new_tokens=12, seed=1, choice=["yes", "no"], top_k=5, logprobs=2)
            completion = llm.chat(hi, params)
            assert (llm.model_name, completion.text in ("yes", "no")) == ("tiny", True)
            assert completion.logprobs is not None
            assert len(completion.logprobs[0].top) == 2
            same = inner_llm.chat(hi, params)
            assert (completion.text, completion.num_prompt_tokens) == (same.text, same.num_prompt_tokens)
            three = SamplingParams(max_new_tokens=3, seed=1)
            assert llm.start([5, 6, 7], three).result().text == inner_llm.start([5, 6, 7], three).result().text
            letters = SamplingParams(max_new_tokens=12, regex="[ab]{3}", temperature=0)
            assert llm.generate("a", letters).text == inner_llm.generate("a", letters).text
        finally:
            llm.shutdown()


@pytest.mark.parametrize("model", [None, "fake"])
def test_a_guided_server_that_is_still_loading_is_waited_for(
    endpoint: FakeEndpoint, model: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both may be started at once; what it is, is read when it is there."""
    settings = EndpointSettings(base_url=endpoint.url, timeout_s=60.0)
    endpoint.num_loading = 1
    endpoint.models = [{"id": "fake", "owned_by": "guided"}]
    try:
        assert find_endpoint(settings, model).is_guided
        endpoint.num_loading = 10**6
        clock = itertools.count(0, 25)
        monkeypatch.setattr(loading, "monotonic", lambda: next(clock))
        with pytest.raises(EndpointTimeoutError, match="still loading its model"):
            find_endpoint(settings, model)
        assert 10**6 - endpoint.num_loading == 3
        endpoint.num_loading, endpoint.models = 0, []
        if model is None:
            with pytest.raises(InvalidInputError, match="lists no models"):
                find_endpoint(settings, model)
    finally:
        endpoint.num_loading, endpoint.models = 0, [{"id": "fake", "owned_by": "somebody"}]


def test_a_server_that_fails_to_list_its_models_is_asked_for_the_one_that_is_named(
    endpoint: FakeEndpoint, caplog: pytest.LogCaptureFixture
) -> None:
    """`transformers serve` fails so where its cache has no folder yet."""
    endpoint.models_status = 500
    try:
        found = find_endpoint(EndpointSettings(base_url=endpoint.url), "fake")
        assert (found.model, found.is_guided) == ("fake", False)
        assert "failed to list its models" in caplog.text
        for settings, model in (({}, None), ({"is_guided": True}, "fake")):
            with pytest.raises(EndpointError, match="500"):
                find_endpoint(EndpointSettings(base_url=endpoint.url, **settings), model)
    finally:
        endpoint.models_status = 200


def test_the_command(endpoint: FakeEndpoint, tmp_path: Path) -> None:
    """A whole process: it starts, answers with what the endpoint says, and stops when it is told to."""
    endpoint.answer = stream_of([*text('{"ok"', ": true}"), usage(7, 5)])
    log = tmp_path / "log"
    command = [*COMMAND, "--base-url", endpoint.url, "--api-key-env", "SOME_KEY"]
    environment = {**os.environ, "SOME_KEY": "secret"}
    with log.open("w") as stderr, subprocess.Popen(command, env=environment, stderr=stderr) as process:
        try:
            wait_until(lambda: process.poll() is not None or re.search(ADDRESS, log.read_text()) is not None)
            found = re.search(ADDRESS, log.read_text())
            assert found, log.read_text()
            with httpx.Client(base_url=found[0], timeout=60) as http:
                wait_until(lambda: bool(http.get("/health").json()["model_loaded"]))
                assert [one["id"] for one in http.get("/v1/models").json()["data"]] == ["fake"]
                body = BODY | {"response_format": schema_format(SCHEMA)}
                assert http.post(CHAT_URL, json=body).json()["choices"][0]["message"]["content"] == '{"ok": true}'
                *events, done = sse_events(http.post(CHAT_URL, json=body | {"stream": True}).text)
                deltas = [json.loads(event)["choices"][0]["delta"].get("content", "") for event in events]
                assert ("".join(deltas), done) == ('{"ok": true}', "[DONE]")
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 0, log.read_text()
    assert {headers["authorization"] for headers in endpoint.headers} == {"Bearer secret"}


def test_the_command_says_what_is_wrong(endpoint: FakeEndpoint) -> None:
    process = subprocess.run(
        [*COMMAND, "--base-url", endpoint.url, "--api-key-env", "NO_SUCH_KEY"],
        env={name: value for name, value in os.environ.items() if name != "NO_SUCH_KEY"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert process.returncode != 0
    assert "NO_SUCH_KEY" in process.stderr
