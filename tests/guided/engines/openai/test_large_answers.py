"""Answers of another server that are too large for this one's memory."""

from __future__ import annotations

from typing import Any

import pytest

from guided.engines.openai import connections
from guided.errors import EndpointAnswerError, EndpointError
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from tests.guided.engines.openai.fake_endpoint import (
    Answer,
    FakeEndpoint,
    Handler,
    error_of,
    stream_of,
    text,
)

HI: Any = [{"role": "user", "content": "Hi"}]
PARAMS = SamplingParams(max_new_tokens=5000)
LIMIT = 10_000


def _whole(handler: Handler) -> None:
    message = {"role": "assistant", "content": "a" * LIMIT}
    handler.send_json(200, {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})


@pytest.fixture(autouse=True)
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_ANSWER_BYTES", LIMIT)


@pytest.mark.parametrize("answer", [_whole, stream_of([b"data: " + b"a" * 6000, b"a" * 6000])])
def test_an_answer_that_is_too_large_is_an_error(endpoint: FakeEndpoint, llm: LLM, answer: Answer) -> None:
    endpoint.answer = answer
    error = error_of(llm.chat(HI, PARAMS, keep_errors=True))
    assert isinstance(error, EndpointAnswerError)
    assert f"more than {LIMIT} bytes" in str(error)


def test_a_long_stream_of_small_events_is_read(endpoint: FakeEndpoint, llm: LLM) -> None:
    endpoint.answer = stream_of(text(*["a"] * 300))
    assert llm.chat(HI, PARAMS).text == "a" * 300


def test_of_an_error_only_the_start_is_read(endpoint: FakeEndpoint, llm: LLM) -> None:
    def answer(handler: Handler) -> None:
        handler.send_response(500)
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        try:
            for _ in range(400):
                handler.send_chunk(b"no " * 20_000)
            handler.wfile.write(b"0\r\n\r\n")
        except OSError:
            handler.close_connection = True
            handler.endpoint.left.set()

    endpoint.answer = answer
    error = error_of(llm.chat(HI, PARAMS, keep_errors=True))
    assert isinstance(error, EndpointError)
    assert "(500): no no" in str(error)
    assert endpoint.left.wait(10)


def test_a_list_of_models_that_is_too_large(endpoint: FakeEndpoint) -> None:
    usual, endpoint.models = endpoint.models, [{"id": "a" * LIMIT}]
    try:
        with pytest.raises(EndpointAnswerError, match=f"more than {LIMIT} bytes"):
            LLM(engine="openai", base_url=endpoint.url)
    finally:
        endpoint.models = usual
