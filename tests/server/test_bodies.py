"""Bodies: gzip, and what a hostile one may cost. Every endpoint reads them off the event loop, within limits."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from guided.server import ServerSettings, create_app
from guided.server.body import Body, parse_json_object
from guided.server.errors import InvalidRequestError, RequestLimitError
from guided.server.json_text import check_size
from tests.checkpoints import Counted
from tests.server.live_server import serving
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, SMALL_LIMITS, chat_body

JSON = {"Content-Type": "application/json"}
PACKED = JSON | {"Content-Encoding": "gzip"}
HI = {"role": "user", "content": "Hi"}
LARGE = ServerSettings(max_body_values=10**9, max_messages=10**9)
MAX_S = 2.0  # processor time of a body of 200,000 wrong elements, on a busy machine; it was 7 s and more


def test_gzip_is_read(http: httpx.Client) -> None:
    content = gzip.compress(json.dumps(chat_body()).encode())
    assert http.post(CHAT_URL, content=content, headers=PACKED).status_code == 200


def test_gzip_unpacks_up_to_the_limit_only(http: httpx.Client) -> None:
    content = gzip.compress(b" " * 100_000_000, mtime=0)
    response = http.post(
        CHAT_URL, content=gzip.compress(content, mtime=0)[: SMALL_LIMITS.max_body_bytes], headers=PACKED
    )
    assert response.status_code in (400, 413)
    bomb = gzip.compress(b" " * (SMALL_LIMITS.max_body_bytes + 1))
    response = http.post(CHAT_URL, content=bomb, headers=PACKED)
    assert (response.status_code, response.json()["error"]["code"]) == (413, "body_too_large")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{}", "the body is not gzip"),
        (gzip.compress(b"{}", mtime=0)[:-4], "not one whole gzip file"),
        (gzip.compress(b"{}", mtime=0) * 2, "not one whole gzip file"),
    ],
)
def test_broken_gzip(http: httpx.Client, content: bytes, message: str) -> None:
    response = http.post(CHAT_URL, content=content, headers=PACKED)
    assert response.status_code == 400
    assert message in response.json()["error"]["message"]


def test_other_encodings_are_refused(http: httpx.Client) -> None:
    response = http.post(CHAT_URL, content=b"{}", headers=JSON | {"Content-Encoding": "br"})
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (415, "unsupported_content_encoding")
    assert "'br'" in error["message"]


class TestSize:
    @pytest.mark.parametrize(
        ("text", "num_values"),
        [
            (b"[]", 1),
            (b"[1,2,3]", 3),
            (b'{"a":[1,2],"b":{}}', 5),
            (b'["[,[,[,[","\\"[,[,[","\\\\",{}]', 5),
            (b'["never closed [,[,[', 1),
            (b'["never closed \\', 1),
        ],
    )
    def test_counts_what_stands_outside_of_strings(self, text: bytes, num_values: int) -> None:
        check_size(text, num_values, 9)
        if num_values > 1:
            with pytest.raises(RequestLimitError, match=r"limit of \d values \(max_body_values\)"):
                check_size(text, num_values - 1, 9)

    def test_depth(self) -> None:
        check_size(b"[" * 9 + b"]" * 9, 100, 9)
        check_size(b"[]" * 90, 1000, 9)
        with pytest.raises(InvalidRequestError, match="nested too deeply: more than 8 levels"):
            check_size(b"[" * 9 + b"]" * 9, 100, 8)

    @pytest.mark.parametrize("text", [b'"' + b'\\"' * 1_000_000, b'"' * 1_000_001, b'"\\' * 500_000, b"[," * 1_000_000])
    def test_takes_linear_time(self, text: bytes) -> None:
        start_s = time.thread_time()
        with pytest.raises(InvalidRequestError):
            Body(text, is_packed=False).parse(ServerSettings())
        assert time.thread_time() - start_s < MAX_S


@pytest.fixture(scope="module")
def roomy() -> Iterator[httpx.Client]:
    """A server without limits on values and messages, so that only how errors are found bounds the time."""
    model: Any = ScriptedLLM()
    with serving(create_app(model, settings=LARGE)) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


N = 40_000
WRONG: list[tuple[str, dict[str, Any], str]] = [
    (CHAT_URL, {"messages": [{}] * N}, "messages[0].role"),
    (CHAT_URL, {"messages": [{"role": "user", "content": [1] * N}]}, "messages[0].content[0]"),
    (CHAT_URL, {"messages": [HI], "tools": [1] * N}, "tools[0]"),
    (CHAT_URL, {"messages": [HI], "structured_outputs": {str(i): 1 for i in range(N)}}, "structured_outputs.0"),
    (CHAT_URL, {"messages": [{"role": "assistant", "tool_calls": [{}] * N}]}, "messages[0].tool_calls[0].id"),
    ("/v1/completions", {"prompt": [[]] * N}, "prompt[0]"),
    ("/v1/responses", {"input": [{}] * N}, "input[0].role"),
    ("/v1/messages", {"messages": [{}] * N, "max_tokens": 4}, "messages[0].role"),
    ("/v1/messages/count_tokens", {"messages": [{}] * N}, "messages[0].role"),
    ("/v1/tokenize", {"messages": [{}] * N}, "messages[0].role"),
    ("/v1/tokenize", {str(i): 1 for i in range(N)}, "0"),
    ("/v1/detokenize", {"tokens": [-1] * N}, "tokens[0]"),
    ("/v1/score", {"prompt": "a", "choices": [1] * N}, "choices[0]"),
    ("/v1/grammar/check", {"regex": "a", "documents": [1] * N}, "documents[0]"),
]


@pytest.mark.parametrize(("path", "fields", "param"), WRONG, ids=[f"{path} {param}" for path, _, param in WRONG])
def test_the_first_wrong_element_is_enough(roomy: httpx.Client, path: str, fields: dict[str, Any], param: str) -> None:
    start_s = time.process_time()
    response = roomy.post(path, json={"model": "scripted", **fields})
    assert time.process_time() - start_s < MAX_S
    assert (response.status_code, response.json()["error"]["param"]) == (400, param)


@pytest.mark.parametrize("path", sorted({path for path, _, _ in WRONG}))
def test_values_are_counted_first(tiny_http: httpx.Client, path: str) -> None:
    response = tiny_http.post(path, content=b'{"any": [' + b"[],".rstrip(b",") + b",[]" * 250_000 + b"]}", headers=JSON)
    error = response.json()["error"]
    assert response.status_code == 400
    assert "over 200000 values" in error["message"]


class TestGrammarCheck:
    def test_number_of_documents(self, tiny_http: httpx.Client) -> None:
        body = {"regex": "a", "documents": ["a"] * 1001}
        error = tiny_http.post("/v1/grammar/check", json=body).json()["error"]
        assert (error["param"], error["code"]) == ("documents", "limit_exceeded")
        assert "1001 documents" in error["message"]
        assert "max_check_documents" in error["message"]

    def test_bytes_of_documents(self, tiny_http: httpx.Client) -> None:
        body = {"regex": "a*", "documents": ["a" * 200_001]}
        error = tiny_http.post("/v1/grammar/check", json=body).json()["error"]
        assert (error["param"], error["code"]) == ("documents", "limit_exceeded")
        assert "max_check_bytes" in error["message"]

    def test_time(self, tiny_model_folder: Any) -> None:
        from guided.llm import LLM

        app = create_app(LLM(str(tiny_model_folder)), settings=ServerSettings(max_check_seconds=0.05))
        with serving(app) as url, httpx.Client(base_url=url, timeout=60) as client:
            body = {"regex": "(a|b)*", "documents": ["ab" * 99_000]}
            error = client.post("/v1/grammar/check", json=body).json()["error"]
        assert (error["param"], error["code"]) == ("documents", "limit_exceeded")
        assert "max_check_seconds" in error["message"]

    def test_a_thousand_documents_are_quick(self, tiny_http: httpx.Client) -> None:
        start_s = time.process_time()
        response = tiny_http.post("/v1/grammar/check", json={"regex": "a", "documents": ["a", "b"] * 500})
        assert response.json()["documents"] == [True, False] * 500
        assert time.process_time() - start_s < MAX_S


def test_a_large_body_comes_to_checkpoints() -> None:
    with Counted() as counted:
        parse_json_object(json.dumps({"messages": [{"role": "user"}] * 1000}).encode())
    assert counted.count >= 1000
