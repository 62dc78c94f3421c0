"""`ServerMetrics`: the metrics that Prometheus reads at /metrics.

HTTP requests are counted here; the other figures come from the engine. Each application has its own registry, so two
applications in one process count separately.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from guided.engines.stats import EngineStats, sum_of
from guided.requests.observer import CompileRecord, EngineObserver, RequestRecord, StepRecord

from .context import RequestContext

if TYPE_CHECKING:
    from guided.llm import LLM

CONTENT_TYPE = CONTENT_TYPE_LATEST
REQUEST_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)  # seconds
STEP_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1)
COMPILE_BUCKETS = (0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30)
ROW_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
OTHER = "other"  # the same label for all unknown paths and methods, since clients can invent both
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})  # RFC 9110, 5789


class ServerMetrics(EngineObserver):
    """All metrics of one application. `watch` adds the figures of a loaded model."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._watched: list[LLM] = []
        ProcessCollector(registry=registry)
        self._requests = Counter(
            "guided_http_requests", "Answered HTTP requests.", ["endpoint", "method", "status"], registry=registry
        )
        self._request_seconds = self._histogram(
            "guided_http_request_seconds",
            "From a request's arrival to the end of its answer.",
            REQUEST_BUCKETS,
            "endpoint",
        )
        self._outputs = Counter(
            "guided_finished_outputs", "Outputs by what ended them.", ["finish_reason"], registry=registry
        )
        self._queue = self._histogram("guided_queue_seconds", "An output's wait for the model.", REQUEST_BUCKETS)
        self._first_token = self._histogram(
            "guided_time_to_first_token_seconds", "From submission to the first token.", REQUEST_BUCKETS
        )
        self._inter_token = self._histogram(
            "guided_inter_token_seconds", "An output's mean time between tokens.", STEP_BUCKETS
        )
        self._compile = self._histogram(
            "guided_grammar_compile_seconds",
            "Getting a request's grammar, by kind; cached ones too.",
            COMPILE_BUCKETS,
            "kind",
        )
        self._cache = Counter(
            "guided_grammar_cache_lookups", "Grammars asked for: found compiled, or not.", ["result"], registry=registry
        )
        self._step = self._histogram("guided_step_seconds", "One step of the engine.", STEP_BUCKETS)
        self._forward = self._histogram("guided_forward_seconds", "The model's part of a step.", STEP_BUCKETS)
        self._mask = self._histogram("guided_mask_seconds", "Filling masks, beside the forward pass.", STEP_BUCKETS)
        self._sample = self._histogram("guided_sample_seconds", "Choosing tokens, of a step.", STEP_BUCKETS)
        self._rows = self._histogram("guided_batch_rows", "Requests that a step ran.", ROW_BUCKETS)
        self._prompt_tokens = self._counter("guided_prompt_tokens", "Tokens of prompts.")
        self._cached_tokens = self._counter("guided_cached_prompt_tokens", "Of these, found in the prefix cache.")
        self._new_tokens = self._counter("guided_generated_tokens", "New tokens.")
        self._forced_tokens = self._counter("guided_forced_tokens", "New tokens that a grammar forced.")
        self._saved_passes = self._counter("guided_saved_forward_passes", "Passes that jump-forward did without.")

    def watch_requests(self, num_in_flight: Callable[[], int]) -> None:
        """Report the number of requests in flight. Call it once."""
        self._gauge("guided_requests_in_flight", "Generation requests that run or wait.", num_in_flight)

    def watch(self, llm: LLM) -> None:
        """Count what a model does, and include the model in the figures, which are summed over all models.

        May be called from any thread. A model that is already watched is not counted twice.
        """
        if any(one is llm for one in self._watched):
            return
        llm.add_observer(self)
        self._watched.append(llm)
        if len(self._watched) > 1:
            return

        def get_stats() -> EngineStats:
            return sum_of([one.get_stats() for one in self._watched])

        self._gauge("guided_running_outputs", "In the model's batch.", lambda: get_stats().active_requests)
        self._gauge("guided_waiting_outputs", "Waiting for the batch.", lambda: get_stats().waiting_requests)
        self._gauge("guided_kv_cache_usage", "Share of the pages in use, 0 to 1.", lambda: get_stats().cache_usage)
        self._gauge(
            "guided_jump_forward_share", "Share of passes saved, 0 to 1.", lambda: get_stats().jump_forward_share
        )
        self._gauge("guided_draft_tokens", "Guessed and read beforehand.", lambda: get_stats().num_draft_tokens)
        self._gauge("guided_accepted_draft_tokens", "Of those, taken.", lambda: get_stats().num_accepted_draft_tokens)
        self._gauge("guided_preemptions", "Outputs put back to wait.", lambda: get_stats().num_preemptions)

    def on_request(self, context: RequestContext) -> None:
        """Count an HTTP request whose answer is over."""
        endpoint = context.route or OTHER
        method = context.method if context.method in METHODS else OTHER
        self._requests.labels(endpoint, method, str(context.status)).inc()
        self._request_seconds.labels(endpoint).observe(context.elapsed_s)

    def on_step(self, record: StepRecord) -> None:
        """Count an engine's step, see `EngineObserver`."""
        times = (
            (self._step, record.total_s),
            (self._forward, record.forward_s),
            (self._mask, record.mask_s),
            (self._sample, record.sample_s),
        )
        for histogram, seconds in times:
            if seconds is not None:
                histogram.observe(seconds)
        self._rows.observe(record.num_rows)
        self._new_tokens.inc(record.num_new_tokens)
        self._forced_tokens.inc(record.num_forced_tokens)
        self._saved_passes.inc(record.num_saved_passes)

    def on_request_end(self, record: RequestRecord) -> None:
        """Count a finished output, see `EngineObserver`."""
        self._outputs.labels(record.finish_reason or "cancelled").inc()
        self._queue.observe(record.queue_s)
        if record.time_to_first_token_s is not None:
            self._first_token.observe(record.time_to_first_token_s)
        if record.inter_token_s is not None:
            self._inter_token.observe(record.inter_token_s)
        self._prompt_tokens.inc(record.num_prompt_tokens)
        self._cached_tokens.inc(record.num_cached_tokens)

    def on_compile(self, record: CompileRecord) -> None:
        """Count a compiled or cached grammar, see `EngineObserver`."""
        self._compile.labels(record.kind).observe(record.seconds)
        self._cache.labels("hit" if record.was_cached else "miss").inc()

    def families(self) -> Iterable[Metric]:
        """The current figures, for exporters other than Prometheus."""
        return self._registry.collect()

    def render(self) -> bytes:
        """The current figures as text in Prometheus's format, of media type `CONTENT_TYPE`."""
        return generate_latest(self._registry)

    def _histogram(self, name: str, help_text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(name, help_text, labels, buckets=buckets, registry=self._registry)

    def _counter(self, name: str, help_text: str) -> Counter:
        return Counter(name, help_text, registry=self._registry)

    def _gauge(self, name: str, help_text: str, read: Callable[[], float]) -> None:
        Gauge(name, help_text, registry=self._registry).set_function(read)
