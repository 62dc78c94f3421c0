"""An engine's tokens per second: for free text, for text under a grammar, and the same with jump-forward.

Each row of a batch writes one text under the grammar, and as many tokens of free text, so that all modes do the same
work otherwise. The modes take turns. The comparison uses CPU time, which other work on the machine hardly affects.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from rich.table import Table

from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from guided.requests.observer import EngineObserver, StepRecord

Mode = Literal["free", "constrained", "jump-forward"]
OnProgress = Callable[[str, float], None]
"""Called with what runs, and how many of `EngineBench.num_runs` are done."""

TOLD_EVERY_S = 0.25


@dataclass(frozen=True)
class EngineResult:
    """The result of one mode with one batch size: of several rounds, the one with the least CPU time.

    tokens_per_s, tokens_per_cpu_s: of all rows together, for a second of wall time and of this process's CPU time.
    rest_ms: time of a step beside the model's forward pass, in milliseconds: the lower quartile of steps where all rows
        decode. (Other processes interrupt many steps for whole time slices, so a median could be theirs.) None with
        fewer than four such steps.
    sample_ms: the part of rest_ms that chooses tokens.
    saved_share: share of tokens that needed no pass of the model.
    """

    model: str
    sampling: str
    batch_size: int
    mode: Mode
    tokens_per_s: float
    tokens_per_cpu_s: float
    rest_ms: float | None
    sample_ms: float | None
    saved_share: float


class EngineBench:
    """Measures one model with one grammar and one kind of sampling.

    name: the model's name in results.
    llms: the model without (False) and with (True) jump-forward.
    constraint: fields of `SamplingParams` that give the grammar; {} for free text only.
    sampling: fields that say how tokens are drawn.
    make_prompt: returns the prompt of a row.
    rounds: number of rounds.
    max_new_tokens: token limit of a row.
    on_progress: called at the end of each run and, every TOLD_EVERY_S, after a step, in the engine's thread.
    """

    def __init__(
        self,
        name: str,
        llms: Mapping[bool, LLM],
        *,
        constraint: Mapping[str, Any],
        sampling: Mapping[str, Any],
        make_prompt: Callable[[int], str],
        rounds: int,
        max_new_tokens: int = 400,
        on_progress: OnProgress = lambda what, num_runs: None,
    ) -> None:
        self._name = name
        self._llms = llms
        self._constraint = constraint
        self._sampling = sampling
        self._make_prompt = make_prompt
        self._rounds = rounds
        self._max_new_tokens = max_new_tokens
        self._on_progress = on_progress
        self._running, self._num_done, self._told_s = "", 0, 0.0
        self._steps = {jumps: _Steps(self._on_step) for jumps in llms}
        for jumps, llm in llms.items():
            llm.add_observer(self._steps[jumps])
        self.num_different = (
            0  # rows that differ with jump-forward: near ties, since other tensor shapes round differently
        )
        self.outputs: list[tuple[int, ...]] = []  # tokens that the last batch's rows wrote under the grammar

    @property
    def num_runs(self) -> int:
        """Number of batches that are written for one batch size."""
        return len(self._llms) + self._rounds * (3 if self._constraint else 1)

    def run(self, batch_size: int) -> list[EngineResult]:
        """Measure all modes of one batch size. Raises the error that ends a row."""
        self._num_done = 0
        free, constrained = self._params(batch_size)
        num_tokens = self._lengths(constrained)
        free = [replace(one, max_new_tokens=count) for one, count in zip(free, num_tokens, strict=True)]
        modes: dict[Mode, tuple[bool, list[SamplingParams]]] = {"free": (False, free)}
        if self._constraint:
            modes |= {"constrained": (False, constrained), "jump-forward": (True, constrained)}
        best: dict[Mode, EngineResult] = {}
        for i in range(self._rounds):
            for mode, (jumps, params) in modes.items():
                self._running = f"{batch_size} rows, round {i + 1}: {mode}"
                result = self._measure(mode, jumps, params)
                if mode not in best or result.tokens_per_cpu_s > best[mode].tokens_per_cpu_s:
                    best[mode] = result
        return list(best.values())

    def _params(self, batch_size: int) -> tuple[list[SamplingParams], list[SamplingParams]]:
        base = [
            SamplingParams(seed=row, max_new_tokens=self._max_new_tokens, **self._sampling) for row in range(batch_size)
        ]
        free = [replace(one, ignore_eos=True) for one in base]
        return free, [replace(one, **self._constraint) for one in base] if self._constraint else free

    def _lengths(self, params: list[SamplingParams]) -> list[int]:
        """Number of tokens that each row writes. Also warms up."""
        self._running = f"{len(params)} rows, warming up"
        outputs = [self._generate(llm, params) for llm in self._llms.values()]
        self.num_different += sum(any(one != row[0] for one in row) for row in zip(*outputs, strict=True))
        return [len(token_ids) for token_ids in outputs[0]]

    def _generate(self, llm: LLM, params: list[SamplingParams]) -> list[tuple[int, ...]]:
        for steps in self._steps.values():
            steps.records.clear()
        self._on_progress(self._running, self._num_done)
        completions = llm.generate([self._make_prompt(row) for row in range(len(params))], params)
        self._num_done += 1
        self._on_progress(self._running, self._num_done)
        token_ids = [completion.token_ids for completion in completions]
        if params[0].is_constrained:
            self.outputs = token_ids
        return token_ids

    def _on_step(self, num_steps: int) -> None:
        """Report progress. num_steps: steps of this run so far; each makes one token or more in each row."""
        now_s = time.monotonic()
        if now_s - self._told_s >= TOLD_EVERY_S:
            self._told_s = now_s
            self._on_progress(self._running, self._num_done + min(num_steps / (self._max_new_tokens + 1), 1.0))

    def _measure(self, mode: Mode, jumps: bool, params: list[SamplingParams]) -> EngineResult:
        steps = self._steps[jumps]
        start_s, start_cpu_s = time.perf_counter(), time.process_time()
        num_tokens = sum(map(len, self._generate(self._llms[jumps], params)))
        seconds, cpu_seconds = time.perf_counter() - start_s, time.process_time() - start_cpu_s
        rest_ms, sample_ms = steps.rest_ms(len(params))
        return EngineResult(
            model=self._name,
            sampling="greedy" if params[0].is_greedy else "sampled",
            batch_size=len(params),
            mode=mode,
            tokens_per_s=num_tokens / seconds,
            tokens_per_cpu_s=num_tokens / cpu_seconds,
            rest_ms=rest_ms,
            sample_ms=sample_ms,
            saved_share=sum(one.num_saved_passes for one in steps.records) / num_tokens,
        )


class _Steps(EngineObserver):
    """Keeps the records of all steps. told: called with their number."""

    def __init__(self, told: Callable[[int], None]) -> None:
        self.records: list[StepRecord] = []
        self._told = told

    def on_step(self, record: StepRecord) -> None:
        self.records.append(record)
        self._told(len(self.records))

    def rest_ms(self, num_rows: int) -> tuple[float | None, float | None]:
        """Milliseconds of full batches' decoding steps: time beside the model, and time for choosing tokens."""
        chosen = [one for one in self.records if one.num_rows == num_rows and not one.num_prefill_tokens]
        if len(chosen) < 4:
            return None, None
        rest = statistics.quantiles([(one.total_s or 0.0) - (one.forward_s or 0.0) for one in chosen])[0]
        return 1e3 * rest, 1e3 * statistics.quantiles([one.sample_s or 0.0 for one in chosen])[0]


def engine_table(results: list[EngineResult]) -> Table:
    """A table of all results, with each mode's share of the free mode by CPU time. For one model, 80 columns
    suffice.
    """
    runs = list(dict.fromkeys((one.model, one.sampling) for one in results))
    names = ("mode", "tokens\n/s", "tokens\n/CPU s", "of\nfree", "saved", "rest\nms", "sampler\nms")
    is_one = len(runs) == 1
    table = Table(
        *(() if is_one else ("model", "sampling")), "rows", *names, title=", ".join(runs[0]) if is_one else None
    )
    free = {(one.model, one.sampling, one.batch_size): one.tokens_per_cpu_s for one in results if one.mode == "free"}
    for one in results:
        ratio = one.tokens_per_cpu_s / free[one.model, one.sampling, one.batch_size]
        rates = (f"{one.tokens_per_s:.0f}", f"{one.tokens_per_cpu_s:.0f}", f"{ratio:.2f}", f"{one.saved_share:.0%}")
        times = ("" if ms is None else f"{ms:.2f}" for ms in (one.rest_ms, one.sample_ms))
        run = () if is_one else (one.model, one.sampling)
        table.add_row(*run, str(one.batch_size), one.mode, *rates, *times)
    return table
