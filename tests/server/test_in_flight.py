"""What happens around a generation: many at once, waiting, clients that leave, failures, deadlines."""

from __future__ import annotations

import asyncio
import json
import math
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import httpx
import pytest
from fastapi import FastAPI

from guided.errors import (
    DeadlineExceededError,
    EngineStoppedError,
    GenerationCancelledError,
    NoAllowedTokenError,
    QueueFullError,
)
from guided.grammars.errors import CompileCancelledError, UnsatisfiableError
from guided.grammars.watch import checkpoint
from guided.output.completion import CompletionChunk
from guided.params.sampling_params import SamplingParams
from guided.server import ServerSettings, create_app
from guided.server.context import RequestContext, RequestMiddleware
from guided.server.jobs import JobStarter
from guided.server.protocol.base import Call
from guided.server.state import ServerState
from tests.grammars.test_limits import slow_schema
from tests.server.live_server import serving, wait_until
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, SMALL_LIMITS, answer_of, chat_body, schema_format, sse_events

if TYPE_CHECKING:
    from guided.output.generation import Generation

SLOW = [slow_schema(tag, 3000) for tag in "stu"]  # seconds each


@pytest.fixture
def steps(scripted: ScriptedLLM) -> Iterator[threading.Semaphore]:
    """The scripted model makes a text for each release; at the end it runs on freely."""
    scripted.steps = threading.Semaphore(0)
    yield scripted.steps
    scripted.steps.release(10_000)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads for clients that wait."""
    with ThreadPoolExecutor(8) as executor:
        yield executor


@contextmanager
def leaving_client(http: httpx.Client, body: dict[str, Any], path: str = CHAT_URL) -> Iterator[None]:
    """A client that sends a request and is gone, without reading, when the block ends."""
    content = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: {len(content)}"
    with socket.create_connection((http.base_url.host, http.base_url.port)) as connection:
        connection.sendall(head.encode() + b"\r\n\r\n" + content)
        yield


class TestConcurrency:
    def test_requests_run_together(
        self, http: httpx.Client, scripted: ScriptedLLM, steps: threading.Semaphore, pool: ThreadPoolExecutor
    ) -> None:
        """A4.3: a request joins while another one runs."""
        posts = [pool.submit(http.post, CHAT_URL, json=chat_body(stream=stream)) for stream in (True, False, True)]
        wait_until(lambda: scripted.num_running == 3)
        steps.release(9)
        assert [post.result().status_code for post in posts] == [200] * 3

    def test_health_answers_meanwhile(
        self, http: httpx.Client, scripted: ScriptedLLM, steps: threading.Semaphore, pool: ThreadPoolExecutor
    ) -> None:
        post = pool.submit(http.post, CHAT_URL, json=chat_body())
        wait_until(lambda: scripted.num_running == 1)
        assert http.get("/health", timeout=10).json()["model_loaded"] is True
        assert not post.done()
        steps.release(3)
        assert post.result().status_code == 200

    def test_pieces_arrive_as_they_are_made(
        self, http: httpx.Client, scripted: ScriptedLLM, steps: threading.Semaphore
    ) -> None:
        steps.release(1)
        with http.stream("POST", CHAT_URL, json=chat_body(stream=True)) as response:
            lines = response.iter_lines()
            assert any("Hello" in line for line in lines)
            assert scripted.num_steps == 1
            steps.release(2)
            assert any("[DONE]" in line for line in lines)

    def test_a_request_waits_for_its_own_grammar_only(
        self, http: httpx.Client, scripted: ScriptedLLM, pool: ThreadPoolExecutor
    ) -> None:
        may_compile = threading.Event()

        def compile_slowly(params: SamplingParams) -> None:
            if params.regex == "slow":
                assert may_compile.wait(60)

        scripted.before_start = compile_slowly
        slow = pool.submit(http.post, CHAT_URL, json=chat_body(regex="slow"))
        wait_until(lambda: len(scripted.calls) == 1)
        assert http.post(CHAT_URL, json=chat_body()).status_code == 200
        assert http.post(CHAT_URL, json=chat_body(regex="fast")).status_code == 200
        assert not slow.done()
        may_compile.set()
        assert slow.result().status_code == 200

    def test_too_many_are_a_503(
        self, http: httpx.Client, scripted: ScriptedLLM, steps: threading.Semaphore, pool: ThreadPoolExecutor
    ) -> None:
        limit = SMALL_LIMITS.max_concurrent_requests
        running = [pool.submit(http.post, CHAT_URL, json=chat_body()) for _ in range(limit)]
        wait_until(lambda: scripted.num_running == limit)
        refused = http.post(CHAT_URL, json=chat_body())
        assert answer_of(refused) == (503, "server_overloaded")
        assert refused.headers["retry-after"] == "1"
        assert http.get("/health").status_code == 200
        steps.release(100)
        assert [one.result().status_code for one in running] == [200] * limit
        assert http.post(CHAT_URL, json=chat_body()).status_code == 200


class TestDisconnect:
    def test_in_a_stream(
        self, http: httpx.Client, scripted: ScriptedLLM, state: ServerState, steps: threading.Semaphore
    ) -> None:
        scripted.texts = ["x"] * 1000
        steps.release(2)
        with http.stream("POST", CHAT_URL, json=chat_body(stream=True)) as response:
            lines = response.iter_lines()
            assert sum('"x"' in line for _, line in zip(range(6), lines, strict=False)) == 2
        self.assert_ends(scripted, state, num_steps=2)

    @pytest.mark.parametrize("stream", [False, True])
    def test_before_anything_was_sent(
        self, http: httpx.Client, scripted: ScriptedLLM, state: ServerState, steps: threading.Semaphore, stream: bool
    ) -> None:
        with leaving_client(http, chat_body(stream=stream)):
            wait_until(lambda: scripted.num_running == 1)
        self.assert_ends(scripted, state, num_steps=0)

    def test_of_a_whole_response_midway(
        self, http: httpx.Client, scripted: ScriptedLLM, state: ServerState, steps: threading.Semaphore
    ) -> None:
        scripted.texts = ["x"] * 1000
        steps.release(5)
        with leaving_client(http, chat_body()):
            wait_until(lambda: scripted.num_steps == 5)
        self.assert_ends(scripted, state, num_steps=5)

    def test_while_the_grammar_compiles(
        self, http: httpx.Client, scripted: ScriptedLLM, state: ServerState, steps: threading.Semaphore
    ) -> None:
        """Its place is taken until the thread is done, and then nothing runs."""
        may_compile = threading.Event()
        scripted.before_start = lambda _: may_compile.wait(60)
        with leaving_client(http, chat_body(regex="slow")):
            wait_until(lambda: len(scripted.calls) == 1)
        wait_until(lambda: not state.in_flight)
        assert state.admission.num_in_flight == 1
        may_compile.set()
        wait_until(lambda: not state.admission.num_in_flight)
        assert [generation.is_cancelled for generation in scripted.generations] == [True]

    @pytest.mark.parametrize("stream", [False, True])
    def test_a_compilation_ends_with_its_client(
        self, http: httpx.Client, scripted: ScriptedLLM, state: ServerState, stream: bool
    ) -> None:
        scripted.compiles_forever = True
        with leaving_client(http, chat_body(regex="slow", stream=stream)):
            wait_until(lambda: len(scripted.calls) == 1)
            assert state.admission.num_in_flight == 1
        wait_until(lambda: not state.admission.num_in_flight)
        assert not scripted.generations

    def test_a_compilation_ends_when_the_server_stops(
        self, http: httpx.Client, scripted: ScriptedLLM, state: ServerState, pool: ThreadPoolExecutor
    ) -> None:
        scripted.compiles_forever = True
        post = pool.submit(http.post, CHAT_URL, json=chat_body(regex="slow"))
        wait_until(lambda: len(scripted.calls) == 1)
        state.cancel_all()
        assert answer_of(post.result()) == (503, "server_stopping")

    @pytest.mark.parametrize(
        ("path", "body"),
        [
            (CHAT_URL, {"messages": [{"role": "user", "content": "Hi"}], "response_format": schema_format(SLOW[0])}),
            ("/v1/grammar/check", {"json_schema": SLOW[1]}),
            (
                "/v1/messages/count_tokens",
                {
                    "messages": [{"role": "user", "content": "Hi"}],
                    "output_config": {"format": {"type": "json_schema", "schema": SLOW[2]}},
                },
            ),
        ],
        ids=["chat", "check", "count"],
    )
    def test_a_real_compilation_ends_with_its_client(
        self, tiny_app: FastAPI, tiny_http: httpx.Client, path: str, body: dict[str, Any]
    ) -> None:
        """It takes some seconds otherwise."""
        admission = tiny_app.state.server.admission
        with leaving_client(tiny_http, {"model": "tiny", **body}, path):
            wait_until(lambda: admission.num_in_flight == 1)
            time.sleep(0.3)
            assert admission.num_in_flight == 1
        wait_until(lambda: not admission.num_in_flight, timeout_s=20)

    @staticmethod
    def assert_ends(scripted: ScriptedLLM, state: ServerState, num_steps: int) -> None:
        """Once the server knows, no further step is made for it."""
        wait_until(lambda: not state.admission.num_in_flight)
        (generation,) = scripted.generations
        assert generation.is_cancelled
        assert scripted.steps is not None
        scripted.steps.release(10)
        time.sleep(0.02)
        assert scripted.num_steps == num_steps


class TestFailures:
    @pytest.mark.parametrize("stream", [False, True])
    def test_before_the_first_text(self, http: httpx.Client, scripted: ScriptedLLM, stream: bool) -> None:
        scripted.fail_before = UnsatisfiableError("nothing matches")
        for fields, param in ({"response_format": schema_format({})}, "response_format"), ({"regex": "a"}, "regex"):
            response = http.post(CHAT_URL, json=chat_body(stream=stream, **fields))
            assert answer_of(response) == (400, "unsatisfiable_grammar")
            assert response.json()["error"] | {"code": None} == {
                "message": "nothing matches",
                "type": "invalid_request_error",
                "param": param,
                "code": None,
            }

    @pytest.mark.parametrize("stream", [False, True])
    def test_unknown_exception_says_nothing(
        self, http: httpx.Client, scripted: ScriptedLLM, stream: bool, caplog: pytest.LogCaptureFixture
    ) -> None:
        scripted.fail_before = KeyError("/secret/path")
        response = http.post(CHAT_URL, json=chat_body(stream=stream))
        assert answer_of(response) == (500, "internal_error")
        assert "secret" not in response.text
        wait_until(lambda: "/secret/path" in caplog.text)

    def test_midway_in_a_whole_response(
        self, http: httpx.Client, scripted: ScriptedLLM, caplog: pytest.LogCaptureFixture
    ) -> None:
        scripted.fail_midway = NoAllowedTokenError("no token is allowed after 'Hello world'")
        response = http.post(CHAT_URL, json=chat_body())
        assert answer_of(response) == (500, "no_allowed_token")
        assert response.json()["error"]["message"] == "no token is allowed after 'Hello world'"
        assert "NoAllowedTokenError" in caplog.text

    def test_midway_in_a_stream(
        self, http: httpx.Client, scripted: ScriptedLLM, caplog: pytest.LogCaptureFixture
    ) -> None:
        """B15: finish_reason "error" where a request failed midway, and no end mark."""
        scripted.fail_midway = NoAllowedTokenError("no token is allowed")
        text = http.post(CHAT_URL, json=chat_body(stream=True)).text
        *chunks, finish, error = [json.loads(payload) for payload in sse_events(text)]
        assert [chunk["choices"][0]["delta"]["content"] for chunk in chunks] == ["", "Hello", " ", "world"]
        assert finish["choices"][0]["finish_reason"] == "error"
        assert error == {
            "error": {
                "message": "no token is allowed",
                "type": "server_error",
                "param": None,
                "code": "no_allowed_token",
            }
        }
        assert text.count("event: error\n") == 1
        assert "[DONE]" not in text
        assert "NoAllowedTokenError" in caplog.text

    @pytest.mark.parametrize(
        ("error", "status", "code", "headers"),
        [
            (QueueFullError(3), 503, "server_overloaded", {"retry-after": "1"}),
            (EngineStoppedError(), 503, "server_stopping", {"retry-after": "1"}),
            (DeadlineExceededError(), 504, "deadline_exceeded", {"x-should-retry": "false"}),
        ],
        ids=["full", "stopped", "deadline"],
    )
    def test_of_the_engine(
        self,
        http: httpx.Client,
        scripted: ScriptedLLM,
        error: Exception,
        status: int,
        code: str,
        headers: dict[str, str],
    ) -> None:
        scripted.fail_before = error
        response = http.post(CHAT_URL, json=chat_body())
        assert answer_of(response) == (status, code)
        assert headers.items() <= dict(response.headers).items()

    def test_a_panic_is_a_500(
        self, http: httpx.Client, scripted: ScriptedLLM, caplog: pytest.LogCaptureFixture
    ) -> None:
        class PanicError(BaseException):
            """What pyo3 raises for a Rust panic derives from BaseException too."""

        scripted.fail_before = PanicError("index out of bounds")
        assert answer_of(http.post(CHAT_URL, json=chat_body())) == (500, "internal_error")
        assert "index out of bounds" in caplog.text
        scripted.reset()
        assert http.post(CHAT_URL, json=chat_body()).status_code == 200

    def test_the_next_request_works(self, http: httpx.Client, scripted: ScriptedLLM) -> None:
        scripted.fail_before = RuntimeError("x")
        assert http.post(CHAT_URL, json=chat_body()).status_code == 500
        scripted.reset()
        assert http.post(CHAT_URL, json=chat_body()).status_code == 200


class TestDeadline:
    def test_the_header_reaches_the_engine(self, http: httpx.Client, scripted: ScriptedLLM) -> None:
        assert http.post(CHAT_URL, json=chat_body()).status_code == 200
        assert http.post(CHAT_URL, json=chat_body(), headers={"x-request-timeout": "2.5"}).status_code == 200
        assert http.post(CHAT_URL, json=chat_body(), headers={"x-request-timeout": "1e9"}).status_code == 200
        longest = SMALL_LIMITS.max_request_s
        assert [round(one, -1) for one in scripted.deadlines] == [longest, 0, longest], "the server's limit holds"
        assert 2 < scripted.deadlines[1] <= 2.5

    @pytest.mark.parametrize("text", ["", "0", "-1", "soon", "nan", "inf"])
    def test_no_number_is_a_400(self, http: httpx.Client, text: str) -> None:
        response = http.post(CHAT_URL, json=chat_body(), headers={"x-request-timeout": text})
        assert response.status_code == 400
        assert "x-request-timeout" in response.json()["error"]["message"]

    def test_a_grammar_that_takes_longer(self, http: httpx.Client, scripted: ScriptedLLM) -> None:
        may_compile = threading.Event()
        scripted.before_start = lambda _: may_compile.wait(60)
        response = http.post(CHAT_URL, json=chat_body(regex="slow"), headers={"x-request-timeout": "0.05"})
        may_compile.set()
        assert answer_of(response) == (504, "deadline_exceeded")

    def test_the_compilation_ends_with_it(self, http: httpx.Client, scripted: ScriptedLLM, state: ServerState) -> None:
        scripted.compiles_forever = True
        response = http.post(CHAT_URL, json=chat_body(regex="slow"), headers={"x-request-timeout": "0.05"})
        assert answer_of(response) == (504, "deadline_exceeded")
        wait_until(lambda: not state.admission.num_in_flight)


class TestStalledClient:
    TEXT = "x" * 10_000

    def test_it_is_cut_off_and_nobody_else_waits(self) -> None:
        """What a client does not read holds a bounded part of the stream, and that only for a while."""
        llm: Any = ScriptedLLM()
        llm.texts = [self.TEXT] * 1000
        settings = ServerSettings(send_timeout_s=0.5)
        app = create_app(llm, settings=settings)
        body = json.dumps(chat_body(stream=True)).encode()
        head = f"POST {CHAT_URL} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        with serving(app, send_timeout_s=0.5) as url, socket.socket() as stalled:
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stalled.connect((httpx.URL(url).host, httpx.URL(url).port))
            stalled.sendall(head.encode() + b"\r\n\r\n" + body)
            wait_until(lambda: bool(llm.generations) and llm.num_steps > 10)
            time.sleep(0.2)
            num_steps = llm.num_steps
            assert num_steps * len(self.TEXT) < 2_000_000
            assert not llm.generations[0].is_cancelled
            with httpx.Client(base_url=url, timeout=60) as http:
                assert http.post(CHAT_URL, json=chat_body()).status_code == 200, "others are answered meanwhile"
            wait_until(lambda: llm.generations[0].is_cancelled)
            assert llm.generations[0].num_steps <= num_steps + 1
            wait_until(lambda: not app.state.server.admission.num_in_flight)


class TestSlowBody:
    def test_a_body_that_does_not_come_is_a_408(self) -> None:
        llm: Any = ScriptedLLM()
        app = create_app(llm, settings=ServerSettings(body_timeout_s=0.1))
        head = f"POST {CHAT_URL} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
        with serving(app) as url, socket.create_connection((httpx.URL(url).host, httpx.URL(url).port)) as client:
            client.sendall(head.encode() + b"{")
            assert client.recv(1000).startswith(b"HTTP/1.1 408 ")
        assert not llm.calls


def _in_flight(seconds: float) -> RequestContext:
    return RequestContext("id", "POST", CHAT_URL).enter(lambda: None, time.monotonic() + seconds)


def test_a_connection_without_a_request_keeps_no_generation() -> None:
    """The server keeps the scope of a connection's last request until the next one."""
    seen: list[object] = []

    class Nothing:
        def cancel(self) -> None:
            """Nothing runs."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        context = scope["state"]["guided_context"].enter(lambda: None, math.inf)
        with context:
            context.call = Call(None, ("a",), SamplingParams(), "prompt")
            context.begin(Nothing())
            kept.append(weakref.ref(context.generation))

    kept: list[weakref.ref[Any]] = []
    scope = {"type": "http", "method": "POST", "path": CHAT_URL, "headers": []}
    middleware = RequestMiddleware(app, lambda context: seen.append(context.call))
    asyncio.run(middleware(scope, cast("Any", None), cast("Any", None)))
    context = scope["state"]["guided_context"]  # type: ignore[index]
    assert (len(seen), seen[0] is not None) == (1, True)
    assert (kept[0](), context.call) == (None, None)  # type: ignore[attr-defined]
    with pytest.raises(GenerationCancelledError):
        context.begin(Nothing())  # type: ignore[attr-defined]
    assert context.generation is None  # type: ignore[attr-defined]


def test_the_chunks_of_several_prompts_take_no_tasks() -> None:
    """128 prompts of 300 tokens: a task for each piece, which waits for all others, took the event loop seconds."""

    class FromList:
        def __init__(self, chunks: list[tuple[int, str | Exception]]) -> None:
            self._chunks = iter(chunks)

        def cancel(self) -> None:
            """Nothing runs."""

        async def next_chunk_async(self) -> tuple[int, CompletionChunk] | None:
            place, text = next(self._chunks, (0, ""))
            if isinstance(text, Exception):
                raise text
            return (place, CompletionChunk(text, None, None, None)) if text else None

    async def read(chunks: list[tuple[int, str | Exception]], num_pieces: int) -> tuple[list[tuple[int, str]], int]:
        job = _in_flight(60)
        job.call = Call(None, ("a",) * 8, SamplingParams(), "prompt")
        job.begin(cast("Generation", FromList(chunks)))
        tasks: list[Any] = []

        def make(loop: Any, coroutine: Any, **options: Any) -> Any:
            tasks.append(coroutine)
            return asyncio.Task(coroutine, loop=loop, **options)

        asyncio.get_running_loop().set_task_factory(make)
        try:
            found = [await job.next_chunk() for _ in range(num_pieces)]
        finally:
            job.close()
        return [(chunk.index, chunk.text) for chunk in found], len(tasks)

    chunks: list[tuple[int, str | Exception]] = [
        (place, f"{place} {piece}") for piece in range(50) for place in range(8)
    ]
    assert asyncio.run(read(chunks, 400)) == (chunks, 0)
    with pytest.raises(QueueFullError):
        asyncio.run(read([(0, "a"), (1, QueueFullError(1))], 2))
    with pytest.raises(GenerationCancelledError):
        asyncio.run(read([(0, "a")], 2))


def test_reading_a_request_ends_when_nobody_wants_the_answer() -> None:
    """A file takes seconds; after a deadline or when the client has left, its thread is free again."""
    ended = threading.Event()

    def read() -> Call:
        end_s = time.monotonic() + 5
        try:
            while time.monotonic() < end_s:
                checkpoint()
        except CompileCancelledError:
            ended.set()
            raise
        raise AssertionError("the reading went on")

    async def answer() -> None:
        with _in_flight(0.05) as job:
            await starter.start(job, read)

    starter = JobStarter(cast(Any, None), ServerSettings())
    try:
        with pytest.raises(DeadlineExceededError):
            asyncio.run(answer())
        assert ended.wait(10)
    finally:
        starter.close()
