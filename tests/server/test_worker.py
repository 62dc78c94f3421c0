"""What happens around a generation: order, waiting, clients that leave, failures, loading, stopping."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from guided.errors import EngineBusyError, NoAllowedTokenError
from guided.grammars.errors import UnsatisfiableError
from guided.server import create_app
from guided.server.worker import Worker
from tests.server.live_server import serving, wait_until
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, SMALL_LIMITS, chat_body, schema_format, sse_events


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


def answer(response: httpx.Response) -> tuple[int, str | None]:
    """Status and error code."""
    body = response.json()
    return response.status_code, body["error"]["code"] if "error" in body else None


@contextmanager
def leaving_client(http: httpx.Client, body: dict[str, Any]) -> Iterator[None]:
    """A client that sends a request and is gone, without reading, when the block ends."""
    content = json.dumps(body).encode()
    head = f"POST {CHAT_URL} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: {len(content)}"
    with socket.create_connection((http.base_url.host, http.base_url.port)) as connection:
        connection.sendall(head.encode() + b"\r\n\r\n" + content)
        yield


class TestOrder:
    def test_one_at_a_time_and_all_get_their_answer(
        self, http: httpx.Client, scripted: ScriptedLLM, steps: threading.Semaphore, pool: ThreadPoolExecutor
    ) -> None:
        posts = [pool.submit(http.post, CHAT_URL, json=chat_body())]
        wait_until(lambda: scripted.num_running == 1)
        posts += [pool.submit(http.post, CHAT_URL, json=chat_body(stream=stream)) for stream in (True, False)]
        steps.release(9)
        assert [post.result().status_code for post in posts] == [200] * 3
        assert scripted.max_running == 1
        assert len(scripted.calls) == 3

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

    def test_full_queue_is_a_503(
        self, http: httpx.Client, scripted: ScriptedLLM, steps: threading.Semaphore, pool: ThreadPoolExecutor
    ) -> None:
        running = pool.submit(http.post, CHAT_URL, json=chat_body())
        wait_until(lambda: scripted.num_running == 1)
        others = [pool.submit(http.post, CHAT_URL, json=chat_body()) for _ in range(4)]
        wait_until(lambda: sum(other.done() for other in others) == 4 - SMALL_LIMITS.max_waiting_requests)
        refused = [other.result() for other in others if other.done()]
        assert [answer(response) for response in refused] == [(503, "server_overloaded")] * 2
        assert all(response.headers["retry-after"] == "1" for response in refused)
        steps.release(100)
        assert running.result().status_code == 200
        assert sorted(other.result().status_code for other in others) == [200, 200, 503, 503]


class TestDisconnect:
    def test_in_a_stream(
        self, http: httpx.Client, scripted: ScriptedLLM, worker: Worker, steps: threading.Semaphore
    ) -> None:
        scripted.texts = ["x"] * 1000
        steps.release(2)
        with http.stream("POST", CHAT_URL, json=chat_body(stream=True)) as response:
            lines = response.iter_lines()
            assert sum('"x"' in line for _, line in zip(range(6), lines, strict=False)) == 2
        assert http.get("/health").status_code == 200
        self.assert_stops_within_a_step(worker, scripted, num_steps=2)

    def test_before_a_stream_starts(
        self, http: httpx.Client, scripted: ScriptedLLM, worker: Worker, steps: threading.Semaphore
    ) -> None:
        with leaving_client(http, chat_body(stream=True)):
            wait_until(lambda: scripted.num_running == 1)
        self.assert_stops_within_a_step(worker, scripted, num_steps=0)

    def test_of_a_whole_response(
        self, http: httpx.Client, scripted: ScriptedLLM, worker: Worker, steps: threading.Semaphore
    ) -> None:
        scripted.texts = ["x"] * 1000
        steps.release(5)
        with leaving_client(http, chat_body()):
            wait_until(lambda: scripted.num_steps == 5)
        self.assert_stops_within_a_step(worker, scripted, num_steps=5)

    def test_while_waiting_frees_the_place(
        self,
        http: httpx.Client,
        scripted: ScriptedLLM,
        worker: Worker,
        steps: threading.Semaphore,
        pool: ThreadPoolExecutor,
    ) -> None:
        running = pool.submit(http.post, CHAT_URL, json=chat_body())
        wait_until(lambda: scripted.num_running == 1)
        for _ in range(2 * SMALL_LIMITS.max_waiting_requests):
            with leaving_client(http, chat_body()):
                wait_until(lambda: worker.num_waiting == 1)
            wait_until(lambda: worker.num_waiting == 0)
        steps.release(3)
        assert running.result().status_code == 200
        assert len(scripted.calls) == 1, "the model never saw those who left"

    @staticmethod
    def assert_stops_within_a_step(worker: Worker, scripted: ScriptedLLM, num_steps: int) -> None:
        """Once the server knows, the step that is under way is the last one."""
        wait_until(lambda: worker.running is not None and worker.running.is_cancelled)
        assert (scripted.num_steps, scripted.closed.is_set()) == (num_steps, False)
        assert scripted.steps is not None
        scripted.steps.release(1)
        assert scripted.closed.wait(60)
        wait_until(lambda: worker.running is None)
        assert scripted.num_steps == num_steps + 1


class TestFailures:
    @pytest.mark.parametrize("stream", [False, True])
    def test_before_the_first_text(self, http: httpx.Client, scripted: ScriptedLLM, stream: bool) -> None:
        scripted.fail_before = UnsatisfiableError("nothing matches")
        for fields, param in ({"response_format": schema_format({})}, "response_format"), ({"regex": "a"}, "regex"):
            response = http.post(CHAT_URL, json=chat_body(stream=stream, **fields))
            assert answer(response) == (400, "unsatisfiable_grammar")
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
        assert answer(response) == (500, "internal_error")
        assert "secret" not in response.text
        wait_until(lambda: "/secret/path" in caplog.text)

    def test_midway_in_a_whole_response(
        self, http: httpx.Client, scripted: ScriptedLLM, caplog: pytest.LogCaptureFixture
    ) -> None:
        scripted.fail_midway = NoAllowedTokenError("no token is allowed after 'Hello world'")
        response = http.post(CHAT_URL, json=chat_body())
        assert answer(response) == (500, "no_allowed_token")
        assert response.json()["error"]["message"] == "no token is allowed after 'Hello world'"
        assert "NoAllowedTokenError" in caplog.text

    def test_midway_in_a_stream(
        self, http: httpx.Client, scripted: ScriptedLLM, caplog: pytest.LogCaptureFixture
    ) -> None:
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

    def test_the_engine_is_in_use_elsewhere(self, http: httpx.Client, scripted: ScriptedLLM) -> None:
        scripted.fail_before = EngineBusyError("busy")
        assert answer(http.post(CHAT_URL, json=chat_body())) == (503, "server_overloaded")

    def test_a_stream_without_an_end_is_an_error(self, http: httpx.Client, scripted: ScriptedLLM) -> None:
        scripted.finish_reason = None
        assert answer(http.post(CHAT_URL, json=chat_body())) == (500, "internal_error")

    def test_a_panic_does_not_end_the_worker(
        self, http: httpx.Client, scripted: ScriptedLLM, caplog: pytest.LogCaptureFixture
    ) -> None:
        class PanicError(BaseException):
            """What pyo3 raises for a Rust panic derives from BaseException too."""

        scripted.fail_before = PanicError("index out of bounds")
        assert answer(http.post(CHAT_URL, json=chat_body())) == (500, "internal_error")
        assert "index out of bounds" in caplog.text
        scripted.reset()
        assert http.post(CHAT_URL, json=chat_body()).status_code == 200

    def test_the_next_request_works(self, http: httpx.Client, scripted: ScriptedLLM) -> None:
        scripted.fail_before = RuntimeError("x")
        assert http.post(CHAT_URL, json=chat_body()).status_code == 500
        scripted.reset()
        assert http.post(CHAT_URL, json=chat_body()).status_code == 200


class TestLife:
    def test_while_the_model_is_loaded(self) -> None:
        may_load = threading.Event()
        llm: Any = ScriptedLLM()

        def load() -> Any:
            assert may_load.wait(60)
            return llm

        with serving(create_app(load)) as url, httpx.Client(base_url=url) as http:
            assert http.get("/health").json() == {"status": "ok", "model_loaded": False}
            assert http.get("/v1/models").json()["data"] == []
            assert answer(http.post(CHAT_URL, json=chat_body())) == (503, "model_not_loaded")
            assert answer(http.post(CHAT_URL, json={})) == (400, None)
            may_load.set()
            wait_until(lambda: http.get("/health").json()["model_loaded"])
            assert http.post(CHAT_URL, json=chat_body()).status_code == 200

    def test_when_the_model_can_not_be_loaded(self) -> None:
        failures: list[Exception] = []

        def load() -> Any:
            raise FileNotFoundError("/secret/path")

        with serving(create_app(load, on_load_failure=failures.append)) as url, httpx.Client(base_url=url) as http:
            wait_until(lambda: bool(failures))
            response = http.post(CHAT_URL, json=chat_body())
            assert answer(response) == (503, "model_not_loaded")
            assert "secret" not in response.text
        assert isinstance(failures[0], FileNotFoundError)

    def test_when_loading_panics(self, caplog: pytest.LogCaptureFixture) -> None:
        class PanicError(BaseException):
            """As a Rust library's."""

        def load() -> Any:
            raise PanicError("index out of bounds")

        app = create_app(load)
        with serving(app) as url, httpx.Client(base_url=url) as http:
            wait_until(lambda: app.state.server.worker.load_error is not None)
            response = http.post(CHAT_URL, json=chat_body())
            assert answer(response) == (503, "model_not_loaded")
            assert "could not be loaded" in response.json()["error"]["message"]
        assert "index out of bounds" in caplog.text

    def test_stopping_ends_a_running_stream(self) -> None:
        llm: Any = ScriptedLLM()
        llm.texts = ["x"] * 10_000
        llm.steps = threading.Semaphore(1)
        app = create_app(llm)

        def go_on_once_cancelled() -> None:
            worker = app.state.server.worker
            wait_until(lambda: worker.running is not None and worker.running.is_cancelled)
            llm.steps.release(10_000)

        going_on = threading.Thread(target=go_on_once_cancelled)
        with httpx.Client(timeout=60) as http:
            with serving(app, shutdown_timeout_s=1) as url:
                request = http.build_request("POST", f"{url}{CHAT_URL}", json=chat_body(stream=True))
                response = http.send(request, stream=True)
                going_on.start()
            with pytest.raises(httpx.RemoteProtocolError):
                response.read()
            response.close()
        going_on.join()
        assert llm.closed.wait(60)
        assert llm.num_steps == 2
