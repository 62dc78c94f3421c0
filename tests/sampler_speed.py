"""Time of the CPU sampler beside transformers' warpers and torch.multinomial: `python -m tests.sampler_speed`.

All are measured in turn in one run; a time is the best of several rounds, in ms for the whole batch. Prints a table of
the cases, one of the growth in rows and columns, and one line of JSON. `--threads` sets torch's threads, which both
sides use.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
import torch
import transformers
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from guided.params.sampling_params import SamplingParams
from guided.sampler import Sampler, SamplingBatch

PROMPT_LENGTH, OUTPUT_LENGTH = 1000, 200
FULL: dict[str, Any] = {"repetition_penalty": 1.1, "temperature": 0.7, "top_k": 50, "top_p": 0.9, "min_p": 0.05}


@dataclass(frozen=True)
class Case:
    """A kind of request. limit: the most ms that 32 rows of 129,280 columns may take with 2 threads, None: no bar."""

    name: str
    fields: dict[str, Any] = field(default_factory=dict)
    mask_share: float | None = None
    limit: float | None = None


CASES = (
    Case("repetition, temperature, top-k 50, top-p, min-p", FULL, None, 12.0),
    Case("the same under a mask", FULL, 0.97),
    Case("temperature, top-k 50, top-p, min-p", {**FULL, "repetition_penalty": 1.0}),
    Case("top-p 0.9", {"top_p": 0.9}, None, 12.0),
    Case("top-p 0.9 under a mask", {"top_p": 0.9}, 0.97),
    Case("top-k 50 joint with top-p", {"top_k": 50, "top_p": 0.9, "filter_order": "joint"}),
    Case("top-k 20,000", {"top_k": 20_000}),
    Case("min-p 0.05", {"min_p": 0.05}),
    Case("temperature only", {"temperature": 0.7}),
    Case("greedy", {"temperature": 0.0}),
    Case("greedy under a mask", {"temperature": 0.0}, 0.97),
    Case("greedy under a narrow mask", {"temperature": 0.0}, 0.001),
    Case("full under a narrow mask", FULL, 0.001),
)


@dataclass
class Step:
    """One step's arguments: logits (B, V) float32, a batch with history, a bitmask or None."""

    logits: torch.Tensor
    batch: SamplingBatch
    bitmask: Any
    history: torch.Tensor
    params: SamplingParams


def make_step(case: Case, num_rows: int, vocab_size: int, spread: float) -> Step:
    """Random logits of a normal distribution, and rows that have seen 1,200 tokens."""
    rng = np.random.default_rng(0)
    logits = torch.from_numpy(rng.normal(size=(num_rows, vocab_size)) * spread).float()
    history = torch.from_numpy(rng.integers(0, vocab_size, (num_rows, PROMPT_LENGTH + OUTPUT_LENGTH)))
    params = [SamplingParams(seed=row, **case.fields) for row in range(num_rows)]
    prompts = history[:, :PROMPT_LENGTH].tolist()
    batch = SamplingBatch.from_params(params, vocab_size, prompt_token_ids=prompts)
    for place in range(PROMPT_LENGTH, history.shape[1]):
        batch.accept_tokens(history[:, place].int())
    bitmask = None
    if case.mask_share is not None:
        bits = rng.random((num_rows, (vocab_size + 31) // 32 * 32)) < case.mask_share
        bits[:, vocab_size:] = False
        bitmask = np.packbits(bits, axis=1, bitorder="little").view(np.int32)
    return Step(logits, batch, bitmask, history, params[0])


def peer(step: Step) -> Callable[[], Any]:
    """transformers' own processors for these parameters, then a multinomial draw or an argmax; without the mask."""
    params = step.params
    processors = transformers.LogitsProcessorList()
    if params.repetition_penalty != 1.0:
        processors.append(transformers.RepetitionPenaltyLogitsProcessor(params.repetition_penalty))
    if not params.is_greedy and params.temperature != 1.0:
        processors.append(transformers.TemperatureLogitsWarper(params.temperature))
    if params.top_k is not None and params.top_k > 0:
        processors.append(transformers.TopKLogitsWarper(params.top_k))
    if params.top_p < 1.0:
        processors.append(transformers.TopPLogitsWarper(params.top_p))
    if params.min_p > 0.0:
        processors.append(transformers.MinPLogitsWarper(params.min_p))

    def run() -> torch.Tensor:
        if params.is_greedy:
            return step.logits.argmax(dim=-1)
        scores = processors(step.history, step.logits)  # type: ignore[arg-type, unused-ignore]
        return torch.multinomial(scores.softmax(dim=-1), 1)

    return run


def best_ms(function: Callable[[], Any], num_rounds: int, seconds: float = 2.0) -> float:
    """The shortest time, in ms, of up to num_rounds calls after one to warm up, or of those that fit in the time."""
    function()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < num_rounds and (len(times) < 3 or time.perf_counter() < end):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


def compare(backend: str, num_rows: int, vocab_size: int, spread: float, rounds: int) -> list[dict[str, Any]]:
    """Both sides of every case."""
    sampler, results = Sampler(backend), []
    for case in track(CASES, "Cases"):
        step = make_step(case, num_rows, vocab_size, spread)
        ours = best_ms(lambda step=step: sampler.sample(step.logits, step.batch, step.bitmask), rounds)  # type: ignore[misc]
        theirs = best_ms(peer(step), min(rounds, 5))
        results.append({"case": case.name, "ms": ours, "peer_ms": theirs, "limit_ms": case.limit})
    return results


def growth(backend: str, num_rows: int, vocab_size: int, spread: float, rounds: int) -> list[dict[str, Any]]:
    """Times of the two cases with a bar, in rows and in columns."""
    sampler, results = Sampler(backend), []
    sizes = [(rows, vocab_size) for rows in (1, 4, 16, 64)]
    sizes += [(num_rows, columns) for columns in (vocab_size // 8, vocab_size // 4, vocab_size // 2, 2 * vocab_size)]
    for rows, columns in track(sizes, "Growth"):
        for case in (CASES[0], CASES[3], CASES[8]):
            step = make_step(case, rows, columns, spread)
            ms = best_ms(lambda step=step: sampler.sample(step.logits, step.batch), rounds)  # type: ignore[misc]
            results.append({"case": case.name, "rows": rows, "columns": columns, "ms": ms})
    return results


def main(
    backend: Annotated[str, typer.Option(help="Sampler backend to measure.")] = "auto",
    rows: Annotated[int, typer.Option(help="Rows of the batch, B.")] = 32,
    columns: Annotated[int, typer.Option(help="Columns of the logits, V.")] = 129_280,
    threads: Annotated[int, typer.Option(help="Threads of torch.")] = 2,
    spread: Annotated[float, typer.Option(help="Standard deviation of the logits.")] = 3.0,
    rounds: Annotated[int, typer.Option(help="Rounds of each measurement.")] = 30,
) -> None:
    """Measure the sampler beside transformers, and its growth."""
    torch.set_num_threads(threads)
    cases = compare(backend, rows, columns, spread, rounds)
    console = Console(width=120)
    table = Table("case", "ms", "transformers ms", "ratio", "bar ms", title=f"B={rows}, V={columns}, {threads} threads")
    for result in cases:
        bar = "" if result["limit_ms"] is None else f"{result['limit_ms']:g}"
        ratio = result["peer_ms"] / result["ms"]
        table.add_row(result["case"], f"{result['ms']:.2f}", f"{result['peer_ms']:.1f}", f"{ratio:.1f}", bar)
    console.print(table)
    sizes = growth(backend, rows, columns, spread, rounds)
    table = Table("case", "rows", "columns", "ms", "ns a logit", title="Growth")
    for result in sizes:
        per_logit = 1e6 * result["ms"] / (result["rows"] * result["columns"])
        numbers = (str(result["rows"]), str(result["columns"]), f"{result['ms']:.3f}", f"{per_logit:.3f}")
        table.add_row(result["case"], *numbers)
    console.print(table)
    print(json.dumps({"threads": threads, "cases": cases, "growth": sizes}))


if __name__ == "__main__":
    typer.run(main)
