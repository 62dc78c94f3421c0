"""OpenTelemetry: one span and metrics for each generation request, off unless it is asked for."""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

import guided.server
from guided.grammars.errors import InvalidInputError
from guided.server import ServerSettings, create_app
from guided.server.context import RequestContext
from tests.server.live_server import serving, wait_until
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, chat_body

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra otel")

ENDPOINT = "http://127.0.0.1:9"  # nothing listens there
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Told:
    """A server whose spans and metrics stay in memory."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import InMemoryMetricReader
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

        from guided.server.telemetry import Telemetry

        self._exporter, self._reader = InMemorySpanExporter(), InMemoryMetricReader()
        traces = TracerProvider()
        traces.add_span_processor(SimpleSpanProcessor(self._exporter))
        telemetry = Telemetry(traces, MeterProvider([self._reader]))
        monkeypatch.setattr(Telemetry, "to", lambda endpoint: telemetry if endpoint == ENDPOINT else None)
        self.llm = ScriptedLLM()
        model: Any = self.llm
        self.app = create_app(model, settings=ServerSettings(otlp_endpoint=ENDPOINT))

    def spans(self, number: int) -> list[Any]:
        """All so far; the last one comes after its answer."""
        wait_until(lambda: len(self._exporter.get_finished_spans()) >= number)
        return list(self._exporter.get_finished_spans())

    def metrics(self) -> dict[str, list[Any]]:
        """The points of each metric."""
        data: Any = self._reader.get_metrics_data()
        found = [metric for one in data.resource_metrics for scope in one.scope_metrics for metric in scope.metrics]
        return {metric.name: list(metric.data.data_points) for metric in found}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    return Told(monkeypatch)


@pytest.fixture
def http(told: Told) -> Iterator[httpx.Client]:
    with serving(told.app) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


def test_each_generation_is_a_span_with_its_tokens(told: Told, http: httpx.Client) -> None:
    http.post(CHAT_URL, json=chat_body(), headers={"traceparent": TRACE, "tracestate": "a=1"})
    told.spans(1)
    http.post("/v1/completions", json={"prompt": ["a", "b"], "n": 2, "stream": True, "max_tokens": 3})
    http.get("/v1/models")
    chat, text = told.spans(2)
    assert (chat.name, chat.kind.name, chat.status.status_code.name) == ("chat scripted", "SERVER", "UNSET")
    assert f"{chat.context.trace_id:x}" in TRACE
    assert f"{chat.parent.span_id:x}" in TRACE
    assert chat.context.trace_state.get("a") == "1"
    assert 0 <= chat.end_time - chat.start_time < 60e9
    completion = told.llm.generations[0]
    given = dict(chat.attributes)
    num_prompt, num_new = given.pop("gen_ai.usage.input_tokens"), given.pop("gen_ai.usage.output_tokens")
    assert completion.is_done
    assert given == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "guided",
        "gen_ai.request.model": "scripted",
        "gen_ai.response.model": "scripted",
        "gen_ai.request.stream": False,
        "gen_ai.request.choice.count": 1,
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.cache_read.input_tokens": 0,
        "gen_ai.usage.reasoning.output_tokens": 0,
        "http.response.status_code": 200,
    }
    assert (text.name, text.parent) == ("text_completion scripted", None)
    assert text.attributes["gen_ai.response.finish_reasons"] == ("stop",) * 4
    assert text.attributes["gen_ai.usage.output_tokens"] == 4 * num_new
    assert text.attributes["gen_ai.usage.input_tokens"] == 2 * num_prompt
    metrics = told.metrics()
    assert [point.count for point in metrics["gen_ai.server.request.duration"]] == [1, 1]
    assert metrics["gen_ai.server.request.duration"][0].explicit_bounds[-1] == 81.92
    counted = {
        point.attributes["gen_ai.operation.name"]: point.value
        for point in metrics["gen_ai.client.inference.usage.output_tokens"]
    }
    assert counted == {"chat": num_new, "text_completion": 4 * num_new}
    assert all(
        point.attributes["gen_ai.token.modality"] == "text"
        for point in metrics["gen_ai.client.inference.usage.input_tokens"]
    )


def test_failures_have_their_kind_and_no_names_of_clients(told: Told, http: httpx.Client) -> None:
    http.post(CHAT_URL, json=chat_body(model="secret"))
    http.post(CHAT_URL, json=chat_body(temperature=9))
    told.llm.fail_midway = RuntimeError("broken")
    http.post("/v1/messages", json=chat_body(max_tokens=3, stream=True))
    spans = told.spans(3)
    assert [span.name for span in spans] == ["chat"] * 3
    assert [span.attributes["error.type"] for span in spans] == [
        "model_not_found",
        "invalid_request_error",
        "internal_error",
    ]
    assert [span.attributes["http.response.status_code"] for span in spans] == [404, 400, 200]
    assert all(span.status.status_code.name == "ERROR" for span in spans)
    assert "secret" not in str([dict(span.attributes) for span in spans])


def test_a_client_that_left_is_an_error_with_its_status() -> None:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from guided.server.telemetry import Telemetry

    traces, exporter = TracerProvider(), InMemorySpanExporter()
    traces.add_span_processor(SimpleSpanProcessor(exporter))
    Telemetry(traces, MeterProvider()).on_request(RequestContext("id", "POST", CHAT_URL, route=CHAT_URL))
    (span,) = exporter.get_finished_spans()
    assert (span.attributes["error.type"], span.attributes["http.response.status_code"]) == ("499", 499)


def test_a_collector_gets_them_over_http() -> None:
    """The real exporters, to a server in this process; what was not sent yet is when the server stops."""
    posted: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posted.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as collector:
        thread = threading.Thread(target=collector.serve_forever)
        thread.start()
        llm: Any = ScriptedLLM()
        endpoint = f"http://127.0.0.1:{collector.server_address[1]}/"
        with serving(create_app(llm, settings=ServerSettings(otlp_endpoint=endpoint))) as url:
            httpx.post(f"{url}{CHAT_URL}", json=chat_body())
        collector.shutdown()
        thread.join()
    told = dict(posted)
    assert set(told) == {"/v1/traces", "/v1/metrics"}
    assert b"gen_ai.server.request.duration" in told["/v1/metrics"] or told["/v1/metrics"].startswith(b"\x1f\x8b")


def test_it_is_off_unless_asked_for_and_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in Path(guided.server.__file__).parent.rglob("*.py"):
        at_import = [
            node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ImportFrom)
        ]
        modules = [node.module or "" for node in at_import]
        assert path.name == "telemetry.py" or not any("telemetry" in module for module in modules), path
    with pytest.raises(InvalidInputError, match="otlp_endpoint must be like"):
        ServerSettings(otlp_endpoint="localhost:4318")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http", None)
    llm: Any = ScriptedLLM()
    with pytest.raises(InvalidInputError, match=r"otlp_endpoint needs opentelemetry.*guided-generation\[otel\]"):
        create_app(llm, settings=ServerSettings(otlp_endpoint=ENDPOINT))
