"""When another server refuses, fails, is busy or is silent: a typed error, and no answer begun twice."""

from __future__ import annotations

import socket
from typing import Any

import httpx
import pytest

from guided.engines.openai.failures import read_retry_after, typed_errors
from guided.engines.settings import EngineSettings
from guided.errors import (
    DeadlineExceededError,
    EndpointAccessError,
    EndpointBusyError,
    EndpointError,
    EndpointRefusedError,
    EndpointTimeoutError,
    EngineStoppedError,
)
from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from tests.guided.engines.openai.fake_endpoint import (
    FakeEndpoint,
    error_of,
    failing,
    forever,
    one_by_one,
    stream_of,
    text,
)
from tests.server.live_server import wait_until

HI: Any = [{"role": "user", "content": "Hi"}]
PARAMS = SamplingParams(max_new_tokens=20)


@pytest.mark.parametrize(
    ("status", "kind", "advice"),
    [
        (400, EndpointRefusedError, "refuses the request"),
        (401, EndpointAccessError, "check api_key"),
        (403, EndpointAccessError, "check api_key"),
        (404, EndpointRefusedError, "check the model's name"),
        (408, EndpointTimeoutError, "ask for less"),
        (422, EndpointRefusedError, "refuses the request"),
        (429, EndpointBusyError, "try again later"),
        (500, EndpointError, "look into its log"),
        (503, EndpointBusyError, "try again later"),
    ],
)
def test_a_status_is_a_typed_error(
    endpoint: FakeEndpoint, llm: LLM, status: int, kind: type[EndpointError], advice: str
) -> None:
    endpoint.answer = failing(status, "because of Monday")
    error = error_of(llm.chat(HI, PARAMS, keep_errors=True))
    assert isinstance(error, EndpointError)
    assert type(error) is kind
    assert error.status == status
    assert advice in str(error)
    assert "because of Monday" in str(error)
    assert f"{endpoint.url}/chat/completions" in str(error)
    assert endpoint.url not in error.public_message
    assert len(endpoint.bodies) == 1


def test_retry_after_is_told(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = failing(429, headers={"retry-after": "7"})
    error = error_of(llm.chat(HI, PARAMS, keep_errors=True))
    assert isinstance(error, EndpointBusyError)
    assert error.retry_after_s == 7


def test_retry_after_may_be_a_date() -> None:
    assert read_retry_after("1.5") == 1.5
    assert read_retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert read_retry_after("soon") is read_retry_after("inf") is read_retry_after(None) is None


def test_what_failed_before_its_answer_is_sent_again(endpoint: FakeEndpoint) -> None:
    llm = LLM(engine="openai", base_url=endpoint.url, engine_args={"max_retries": 2})
    try:
        busy = failing(429, headers={"retry-after": "0"})
        endpoint.answer = one_by_one(busy, busy, stream_of(text("At last")))
        assert llm.chat(HI, PARAMS).text == "At last"
        endpoint.bodies.clear()
        endpoint.answer = one_by_one(busy, busy, busy)
        assert isinstance(error_of(llm.chat(HI, PARAMS, keep_errors=True)), EndpointBusyError)
        assert len(endpoint.bodies) == 3
        endpoint.bodies.clear()
        endpoint.answer = stream_of(text("At", finish_reason=None), is_cut=True)
        assert isinstance(error_of(llm.chat(HI, PARAMS, keep_errors=True)), EndpointError)
        assert len(endpoint.bodies) == 1
        endpoint.bodies.clear()
        endpoint.answer = failing(429, headers={"retry-after": "3600"})  # too long to wait for
        assert isinstance(error_of(llm.chat(HI, PARAMS, keep_errors=True)), EndpointBusyError)
        assert len(endpoint.bodies) == 1
    finally:
        llm.shutdown()
    with pytest.raises(EngineStoppedError):
        llm.chat(HI, PARAMS)


def test_silence_is_a_timeout(endpoint: FakeEndpoint) -> None:
    endpoint.answer = lambda handler: handler.endpoint.left.wait(20) and None
    llm = LLM(engine="openai", base_url=endpoint.url, engine_args={"timeout_s": 0.1, "max_retries": 0})
    try:
        error = error_of(llm.chat(HI, PARAMS, keep_errors=True))
        assert isinstance(error, EndpointTimeoutError)
        assert "(ReadTimeout)" in str(error)
        assert "timeout_s" in str(error)
    finally:
        endpoint.left.set()
        llm.shutdown()


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (httpx.RemoteProtocolError("hung up"), EndpointError, "cut its answer off (hung up)"),
        (httpx.ReadTimeout(""), EndpointTimeoutError, "silent for too long (ReadTimeout)"),
    ],
)
def test_errors_of_connections_that_old_sdks_let_through(
    error: Exception, kind: type[EndpointError], message: str
) -> None:
    with pytest.raises(EndpointError) as caught, typed_errors("http://host/v1", lambda: True):
        raise error
    assert type(caught.value) is kind
    assert message in str(caught.value)


def test_leaving_closes_the_connection(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = forever
    stream = llm.stream(HI, PARAMS)
    next(stream)
    stream.close()
    assert endpoint.left.wait(10)
    wait_until(lambda: not llm.get_stats().active_requests)


def test_a_deadline_ends_a_request_and_its_connection(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = forever
    error = error_of(llm.start(HI, PARAMS, deadline_s=0.1).result())
    assert isinstance(error, DeadlineExceededError)
    assert endpoint.left.wait(10)


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(EndpointError, match="can't be reached"):
            LLM(engine="openai", base_url=url)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs base_url"),
        ({"base_url": "host/v1"}, "base_url must be like"),
        ({"base_url": "http://me:secret@host/v1"}, "must have no user"),
        ({"base_url": "http://host/v1", "api_key": "a\nb"}, "api_key must be"),
        ({"base_url": "http://host/v1", "engine_args": {"timeot_s": 3}}, "did you mean 'timeout_s'"),
        ({"base_url": "http://host/v1", "engine_args": {"timeout_s": 0}}, "timeout_s must be"),
        ({"base_url": "http://host/v1", "engine_args": {"base_url": "http://host"}}, "given twice"),
        ({"base_url": "http://host/v1", "device": "cpu"}, "no weights"),
        (
            {"base_url": "http://host/v1", "engine_settings": EngineSettings(short_steps=True)},
            "does not take short_steps: the other side runs the model",
        ),
        ({"base_url": "http://host/v1", "engine": "echo"}, "are for engine='openai'|is for engine='openai'"),
    ],
)
def test_wrong_settings_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        LLM(**({"engine": "openai"} | arguments))


def test_the_only_model_is_found_and_one_of_several_must_be_named(endpoint: FakeEndpoint, llm: LLM) -> None:
    assert llm.model_name == "fake"
    both = [{"id": name, "owned_by": "somebody"} for name in ("first", "second")]
    one, endpoint.models = endpoint.models, both
    try:
        with pytest.raises(InvalidInputError, match="first, second"):
            LLM(engine="openai", base_url=endpoint.url)
    finally:
        endpoint.models = one


def test_the_key_is_in_no_representation(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = failing(401)
    error = error_of(llm.chat(HI, PARAMS, keep_errors=True))
    assert isinstance(error, EndpointAccessError)
    assert "secret" not in repr(error) + repr(vars(llm.engine))
