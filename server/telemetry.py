"""OpenTelemetry: a span and metrics for each generation request, by the semantic conventions for generative AI.

The conventions have their own repository; this is release 0.1 of
https://github.com/open-telemetry/semantic-conventions-genai. Clients' texts are not reported. This module is imported
only if telemetry is on.
"""

from __future__ import annotations

import time
from typing import Any

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Histogram
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from guided import __version__

from .context import RequestContext
from .protocol.openai_completions import OPENAI_COMPLETIONS
from .protocol.registry import FORMATS

PROVIDER = "guided"
REQUEST_BUCKETS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)  # seconds
FIRST_TOKEN_BUCKETS = (
    *(0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1),
    *(0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0),
)
TOKEN_BUCKETS = (0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5)
_TRACE_CONTEXT = TraceContextTextMapPropagator()


class Telemetry:
    """Reports finished requests to an OpenTelemetry backend."""

    def __init__(self, traces: TracerProvider, metrics: MeterProvider) -> None:
        self._providers = (traces, metrics)
        self._tracer = traces.get_tracer(PROVIDER, __version__)
        self._meter = meter = metrics.get_meter(PROVIDER, __version__)
        self._duration = self._histogram("request.duration", "Duration of a request.", REQUEST_BUCKETS)
        self._first_token = self._histogram("time_to_first_token", "Time to the first token.", FIRST_TOKEN_BUCKETS)
        self._per_token = self._histogram("time_per_output_token", "Time for each token after it.", TOKEN_BUCKETS)
        self._tokens = {
            name: meter.create_counter(f"gen_ai.client.inference.usage.{name}", "{token}", description)
            for name, description in (
                ("input_tokens", "Tokens of prompts."),
                ("cache_read.input_tokens", "Tokens of prompts that the prefix cache had."),
                ("output_tokens", "New tokens."),
                ("reasoning.output_tokens", "New tokens of thinking."),
            )
        }

    @classmethod
    def to(cls, endpoint: str) -> Telemetry:
        """Report to a collector that accepts OTLP over HTTP. endpoint: its address, such as http://127.0.0.1:4318.

        OpenTelemetry's environment variables give other settings, such as OTEL_SERVICE_NAME and
        OTEL_EXPORTER_OTLP_HEADERS.
        """
        address = endpoint.rstrip("/")
        resource = Resource.create({SERVICE_NAME: PROVIDER}).merge(OTELResourceDetector().detect())
        traces = TracerProvider(resource=resource)
        traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{address}/v1/traces")))
        reader = PeriodicExportingMetricReader(OTLPMetricExporter(f"{address}/v1/metrics"))
        return cls(traces, MeterProvider([reader], resource=resource))

    def close(self) -> None:
        """Send everything not sent yet, and stop."""
        for provider in self._providers:
            provider.shutdown()

    def on_request(self, context: RequestContext) -> None:
        """Report an HTTP request whose answer is over. Requests that generate nothing are not reported."""
        if context.route not in FORMATS or context.method != "POST":
            return
        shared = _shared(context)
        usage = _usage(context)
        end_ns = time.time_ns()
        span = self._tracer.start_span(
            " ".join(shared[name] for name in ("gen_ai.operation.name", "gen_ai.request.model") if name in shared),
            context=_TRACE_CONTEXT.extract(context.trace),
            kind=SpanKind.SERVER,
            attributes=shared
            | {f"gen_ai.usage.{name}": num for name, num in usage.items()}
            | {
                "gen_ai.request.stream": context.is_stream,
                "gen_ai.request.choice.count": context.num_choices,
                "gen_ai.response.finish_reasons": [one.finish_reason for one in context.completions],
                "http.response.status_code": context.status,
            },
            start_time=end_ns - int(context.elapsed_s * 1e9),
        )
        if "error.type" in shared:
            span.set_status(Status(StatusCode.ERROR))
        span.end(end_ns)
        self._duration.record(context.elapsed_s, shared)
        for name, num in usage.items():
            self._tokens[name].add(num, {**shared, "gen_ai.token.modality": "text"})
        for one in context.completions:
            if one.time_to_first_token_s is not None:
                self._first_token.record(one.time_to_first_token_s, shared)
                if one.num_tokens > 1:
                    seconds = (one.elapsed_s - one.time_to_first_token_s) / (one.num_tokens - 1)
                    self._per_token.record(seconds, shared)

    def _histogram(self, name: str, description: str, buckets: tuple[float, ...]) -> Histogram:
        return self._meter.create_histogram(
            f"gen_ai.server.{name}", "s", description, explicit_bucket_boundaries_advisory=buckets
        )


def _shared(context: RequestContext) -> dict[str, Any]:
    """The attributes that a span and its metrics share.

    The model's name is reported only for requests with an output. Failed requests may name any model, and each name
    would become a time series.
    """
    is_text = FORMATS[context.route or ""] is OPENAI_COMPLETIONS
    model = context.model if context.completions else None
    found = {
        "gen_ai.operation.name": "text_completion" if is_text else "chat",
        "gen_ai.provider.name": PROVIDER,
        "gen_ai.request.model": model,
        "gen_ai.response.model": model,
        "error.type": context.error_code or (str(context.status) if context.status >= 400 else None),
    }
    return {name: value for name, value in found.items() if value is not None}


def _usage(context: RequestContext) -> dict[str, int]:
    """Token counts by category, of all outputs of a request."""
    outputs = context.completions
    if not outputs:
        return {}
    prompts = outputs[:: context.num_choices]
    return {
        "input_tokens": sum(one.num_prompt_tokens for one in prompts),
        "cache_read.input_tokens": sum(one.num_cached_tokens for one in prompts),
        "output_tokens": sum(one.num_tokens for one in outputs),
        "reasoning.output_tokens": sum(one.num_thinking_tokens for one in outputs),
    }
