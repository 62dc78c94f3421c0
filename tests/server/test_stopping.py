"""The server's life: while its model loads, when that fails, and how it stops."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from guided.server import create_app
from guided.server.serve import Server
from tests.server.live_server import serving, serving_by, wait_until
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, answer_of, chat_body, sse_events


class TestLoading:
    def test_while_the_model_is_loaded(self) -> None:
        """A4.8: no model is a 503. A4.7: /health says so."""
        may_load = threading.Event()
        llm: Any = ScriptedLLM()

        def load() -> Any:
            assert may_load.wait(60)
            return llm

        with serving(create_app(load)) as url, httpx.Client(base_url=url) as http:
            health = http.get("/health")
            assert (health.status_code, health.json()) == (503, {"status": "loading", "model_loaded": False})
            for headers in {}, {"anthropic-version": "2023-06-01"}:
                listed = http.get("/v1/models", headers=headers)
                assert (listed.status_code, "retry-after" in listed.headers) == (503, True)
            assert answer_of(http.post(CHAT_URL, json=chat_body())) == (503, "model_not_loaded")
            assert answer_of(http.get("/stats")) == (503, "model_not_loaded")
            assert http.get("/metrics").status_code == 200
            assert answer_of(http.post(CHAT_URL, json={})) == (400, None)
            may_load.set()
            wait_until(lambda: http.get("/health").json()["model_loaded"])
            assert http.post(CHAT_URL, json=chat_body()).status_code == 200
        assert llm.is_shut_down, "it was loaded here"

    def test_a_given_model_is_not_shut_down(self) -> None:
        llm: Any = ScriptedLLM()
        with serving(create_app(llm)):
            pass
        assert not llm.is_shut_down

    def test_a_model_that_comes_too_late_is_shut_down(self) -> None:
        may_load = threading.Event()
        llm: Any = ScriptedLLM()

        def load() -> Any:
            assert may_load.wait(60)
            return llm

        with serving(create_app(load)):
            pass
        may_load.set()
        wait_until(lambda: llm.is_shut_down)

    def test_when_the_model_can_not_be_loaded(self) -> None:
        failures: list[Exception | None] = []

        def load() -> Any:
            raise FileNotFoundError("/secret/path")

        with serving(create_app(load, on_loaded=failures.append)) as url, httpx.Client(base_url=url) as http:
            wait_until(lambda: bool(failures))
            response = http.post(CHAT_URL, json=chat_body())
            assert answer_of(response) == (503, "model_not_loaded")
            assert "secret" not in response.text
        assert isinstance(failures[0], FileNotFoundError)

    def test_when_loading_panics(self, caplog: pytest.LogCaptureFixture) -> None:
        class PanicError(BaseException):
            """As a Rust library's."""

        def load() -> Any:
            raise PanicError("index out of bounds")

        app = create_app(load)
        with serving(app) as url, httpx.Client(base_url=url) as http:
            wait_until(lambda: app.state.server.models.first.load_error is not None)
            response = http.post(CHAT_URL, json=chat_body())
            assert answer_of(response) == (503, "model_not_loaded")
            assert "could not be loaded" in response.json()["error"]["message"]
            assert http.get("/health").json() == {"status": "failed", "model_loaded": False}
        assert "index out of bounds" in caplog.text


class TestStopping:
    @pytest.fixture
    def llm(self) -> ScriptedLLM:
        llm = ScriptedLLM()
        llm.steps = threading.Semaphore(1)
        return llm

    def test_what_runs_may_finish_and_what_is_new_is_refused(self, llm: Any) -> None:
        server = Server(create_app(llm), shutdown_timeout_s=60)
        with serving_by(server) as url, httpx.Client(base_url=url, timeout=60) as http:
            wait_until(lambda: http.get("/health").json()["model_loaded"])
            with http.stream("POST", CHAT_URL, json=chat_body(stream=True)) as response:
                server.stop()
                wait_until(lambda: http.get("/health").json()["status"] == "stopping")
                assert http.get("/health").status_code == 503
                refused = http.post(CHAT_URL, json=chat_body())
                assert answer_of(refused) == (503, "model_not_loaded")
                assert "stopping" in refused.json()["error"]["message"]
                llm.steps.release(10)
                assert sse_events(response.read().decode())[-1] == "[DONE]"
            wait_until(lambda: not server.started or server.should_exit)

    def test_what_takes_too_long_ends_with_an_error(self, llm: Any) -> None:
        """Streams get an error as their last event, others a 503."""
        llm.texts = ["x"] * 1000
        llm.steps.release(1)
        server = Server(create_app(llm), shutdown_timeout_s=0.3)
        with serving_by(server) as url, httpx.Client(base_url=url, timeout=60) as http, ThreadPoolExecutor() as pool:
            wait_until(lambda: http.get("/health").json()["model_loaded"])
            with http.stream("POST", CHAT_URL, json=chat_body(stream=True)) as response:
                whole = pool.submit(http.post, CHAT_URL, json=chat_body())
                wait_until(lambda: llm.num_running == 2)
                start_s = time.monotonic()
                server.stop()
                last = json.loads(sse_events(response.read().decode())[-1])
            assert last["error"]["code"] == "server_stopping"
            assert answer_of(whole.result()) == (503, "server_stopping")
            assert 0.3 <= time.monotonic() - start_s < 10
        assert all(generation.is_cancelled for generation in llm.generations)

    def test_a_second_signal_does_not_wait(self, llm: Any) -> None:
        server = Server(create_app(llm), shutdown_timeout_s=60)
        with serving_by(server) as url, httpx.Client(base_url=url, timeout=60) as http:
            wait_until(lambda: http.get("/health").json()["model_loaded"])
            with http.stream("POST", CHAT_URL, json=chat_body(stream=True)) as response:
                server.stop()
                server.stop()
                assert "server_stopping" in response.read().decode()
