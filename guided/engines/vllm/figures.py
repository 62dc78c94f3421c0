"""`EngineFigures`: converts vLLM's own figures into our engines' statistics, and reports them to observers."""

from __future__ import annotations

from typing import Any

from vllm.v1.metrics.loggers import StatLoggerBase

from ...requests.observer import EngineObserver, StepRecord, tell
from ..stats import EngineCounters, EngineStats
from .job import VllmJob


class EngineFigures(StatLoggerBase):
    """The figures of all cores of one engine, updated in its event loop's thread. vLLM calls such a class a stat
    logger.
    """

    def __init__(self, vllm_config: Any, engine_index: int = 0) -> None:
        self.observers: list[EngineObserver] = []
        self.counters = EngineCounters()
        self._cache_config = vllm_config.cache_config
        self._running: dict[int, int] = {}  # number of an engine core -> its running requests
        self._usages: dict[int, float] = {}

    def record(
        self, scheduler_stats: Any, iteration_stats: Any, mm_cache_stats: Any = None, engine_idx: int = 0
    ) -> None:
        """Record one step of vLLM's engine, or several that its front end reads together."""
        counters = self.counters
        if scheduler_stats is not None:
            self._running[engine_idx] = scheduler_stats.num_running_reqs
            self._usages[engine_idx] = scheduler_stats.kv_cache_usage
        if iteration_stats is None:
            return
        counters.num_steps += 1
        counters.num_new_tokens += iteration_stats.num_generation_tokens
        counters.num_sampled_tokens += iteration_stats.num_generation_tokens
        counters.num_preemptions += iteration_stats.num_preempted_reqs
        if self.observers:
            prompts = iteration_stats.prompt_token_stats
            record = StepRecord(
                num_rows=self._running.get(engine_idx, 0),
                num_prefill_tokens=prompts.computed,
                num_new_tokens=iteration_stats.num_generation_tokens,
                num_forced_tokens=0,
                num_saved_passes=0,
                forward_s=None,
                mask_s=None,
                sample_s=None,
                total_s=None,
            )
            tell(self.observers, "on_step", record)

    def log_engine_initialized(self) -> None:
        """Does nothing: our own log reports it."""

    def on_end(self, job: VllmJob) -> None:
        """Count a finished request and report it."""
        usage, counters = job.usage, self.counters
        counters.num_prompt_tokens += usage.num_prompt_tokens
        counters.num_cached_prompt_tokens += usage.num_cached_tokens
        counters.num_forced_tokens += job.num_forced_tokens
        if self.observers:
            tell(self.observers, "on_request_end", job.record())

    def stats(self, num_unfinished: int) -> EngineStats:
        """Current statistics. num_unfinished: requests that were submitted and have not ended."""
        active = min(sum(self._running.values()), num_unfinished)
        usage = sum(self._usages.values()) / len(self._usages) if self._usages and num_unfinished else 0.0
        num_pages = int(self._cache_config.num_gpu_blocks or 0) * max(1, len(self._usages))
        return self.counters.stats(
            active_requests=active,
            waiting_requests=num_unfinished - active,
            cache_usage=usage,
            num_pages=num_pages,
            num_free_pages=round(num_pages * (1 - usage)),
        )
