"""Time of the GPU sampler beside the memory floor and torch's own operations: `python -m tests.sampler_speed_gpu`.

Each step is captured in a CUDA graph and timed by events over many replays, over several sets of logits in turn so that
they do not stay in the cache; a time is the median of several rounds, in us for the whole batch. The floor is the time
in which the device copies as many bytes as a step must move: logits once, mask once. Prints a table and one line of
JSON. The peers are torch's operations as in the fallbacks of vLLM and SGLang: a sort, a cumulative sum, a draw.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import torch
import typer
from rich.console import Console
from rich.table import Table

from guided.params.sampling_params import SamplingParams
from guided.sampler import Sampler, SamplingBatch

ROWS, COLUMNS = (1, 32, 256), (128_256, 151_936)
FILTERS: dict[str, Any] = {"temperature": 0.7, "top_k": 50, "top_p": 0.9, "min_p": 0.05}
PENALTIES: dict[str, Any] = {"repetition_penalty": 1.1, "frequency_penalty": 0.2}
PROMPT_LENGTH, OUTPUT_LENGTH = 1000, 200
ROTATED_BYTES = 256 * 2**20  # more than the L2 cache of any GPU, so that each replay reads memory
MAX_SETS = 64


@dataclass(frozen=True)
class Case:
    """A kind of request; is_masked: under a mask that allows 97 of 100 tokens."""

    name: str
    fields: dict[str, Any] = field(default_factory=dict)
    is_masked: bool = True


CASES = (
    Case("full: mask, penalties, filters, top-20 logprobs", {**FILTERS, **PENALTIES, "logprobs": 20}),
    Case("mask, penalties, filters", {**FILTERS, **PENALTIES}),
    Case("mask, filters", FILTERS),
    Case("filters", FILTERS, False),
    Case("mask, top-p 0.9", {"top_p": 0.9}),
    Case("mask, temperature", {"temperature": 0.7}),
    Case("mask, greedy", {"temperature": 0.0}),
    Case("greedy", {"temperature": 0.0}, False),
)


@dataclass
class Step:
    """A step's arguments on the GPU, several sets of logits (B, V) among them."""

    logits: list[torch.Tensor]
    batch: SamplingBatch
    bitmask: torch.Tensor | None
    params: SamplingParams

    @property
    def num_bytes(self) -> int:
        """The fewest bytes that a step can move: what it reads, once."""
        tensors = [self.logits[0]] + ([] if self.bitmask is None else [self.bitmask])
        return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def make_step(case: Case, num_rows: int, vocab_size: int, dtype: torch.dtype, spread: float) -> Step:
    """Random logits of a normal distribution, and rows that have seen 1,200 tokens."""
    generator = torch.Generator("cuda").manual_seed(0)
    num_sets = min(MAX_SETS, max(2, ROTATED_BYTES // (num_rows * vocab_size * dtype.itemsize)))
    logits = [
        (torch.randn(num_rows, vocab_size, generator=generator, device="cuda") * spread).to(dtype)
        for _ in range(num_sets)
    ]
    history = torch.randint(vocab_size, (num_rows, PROMPT_LENGTH + OUTPUT_LENGTH), generator=generator, device="cuda")
    params = [SamplingParams(seed=row, **case.fields) for row in range(num_rows)]
    batch = SamplingBatch.from_params(params, vocab_size, "cuda", history[:, :PROMPT_LENGTH].tolist())
    for place in range(PROMPT_LENGTH, history.shape[1]):
        batch.accept_tokens(history[:, place].int())
    bitmask = None
    if case.is_masked:
        bits = torch.rand(num_rows, (vocab_size + 31) // 32, 32, generator=generator, device="cuda") < 0.97
        shifts = torch.arange(32, device="cuda")
        bitmask = (bits.long() << shifts).sum(dim=2).to(torch.int32)
    return Step(logits, batch, bitmask, params[0])


def peer(step: Step, logits: torch.Tensor) -> torch.Tensor:
    """The same step, without penalties and log-probabilities, in torch's operations; one parameter set for all rows."""
    params, scores = step.params, logits.float()
    if step.bitmask is not None:
        shifts = torch.arange(32, dtype=torch.int32, device="cuda")
        bits = (step.bitmask.unsqueeze(-1) >> shifts) & 1
        scores = scores.masked_fill(bits.flatten(1)[:, : scores.shape[1]] == 0, -torch.inf)
    if params.is_greedy:
        return scores.argmax(dim=-1)
    probs = (scores / params.temperature).softmax(dim=-1)
    has_top_k = params.top_k is not None and params.top_k > 0
    if has_top_k or params.top_p < 1.0 or params.min_p > 0.0:
        probs, order = probs.sort(dim=-1, descending=True)
        if has_top_k:
            probs[:, params.top_k :] = 0.0
        if params.top_p < 1.0:
            probs = probs.masked_fill(probs.cumsum(dim=-1) - probs > params.top_p, 0.0)
        if params.min_p > 0.0:
            probs = probs.masked_fill(probs < probs[:, :1] * params.min_p, 0.0)
        drawn = probs.div(torch.empty_like(probs).exponential_(1.0)).argmax(dim=-1, keepdim=True)
        return order.gather(1, drawn).squeeze(1)
    return probs.div(torch.empty_like(probs).exponential_(1.0)).argmax(dim=-1)


def graph_us(function: Callable[[torch.Tensor], Any], logits: list[torch.Tensor], rounds: int) -> float:
    """The median time of one call, in us: all sets of logits in turn are one graph, replayed."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            function(logits[0])
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kept = [function(one) for one in logits]
    times = []
    for _ in range(rounds + 2):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(1e3 * start.elapsed_time(end) / len(logits))
    del kept
    return statistics.median(times[2:])


def copy_bytes_per_us() -> float:
    """What the device's memory moves: a large copy, bytes read and written."""
    source = torch.randn(2**28, device="cuda")
    target = torch.empty_like(source)
    us = graph_us(lambda one: target.copy_(one), [source, source], 10)
    return 2 * source.numel() * source.element_size() / us


def measure(
    case: Case, num_rows: int, vocab_size: int, dtype: torch.dtype, spread: float, rounds: int
) -> dict[str, Any]:
    """Both sides of a case, and the bytes of the floor."""
    step = make_step(case, num_rows, vocab_size, dtype, spread)
    sampler = Sampler("triton")
    ours = graph_us(lambda logits: sampler.sample(logits, step.batch, step.bitmask), step.logits, rounds)
    theirs = graph_us(lambda logits: peer(step, logits), step.logits, rounds)
    return {
        "case": case.name,
        "rows": num_rows,
        "columns": vocab_size,
        "us": ours,
        "peer_us": theirs,
        "bytes": step.num_bytes,
    }


def main(
    dtype: Annotated[str, typer.Option(help="Type of the logits: float32, bfloat16 or float16.")] = "float32",
    spread: Annotated[float, typer.Option(help="Standard deviation of the logits.")] = 3.0,
    rounds: Annotated[int, typer.Option(help="Rounds of each measurement.")] = 20,
) -> None:
    """Measure the sampler on a CUDA device beside the memory floor and torch's operations."""
    if not torch.cuda.is_available():
        raise typer.BadParameter("no CUDA device; `python -m tests.sampler_speed` measures the CPU")
    bandwidth, results = copy_bytes_per_us(), []
    table = Table("case", "B", "V", "us", "floor us", "bar us", "torch us", "ratio", title=torch.cuda.get_device_name())
    for num_rows in ROWS:
        for vocab_size in COLUMNS:
            for case in CASES:
                result = measure(case, num_rows, vocab_size, getattr(torch, dtype), spread, rounds)
                result["floor_us"] = result["bytes"] / bandwidth
                results.append(result)
                numbers = [result["us"], result["floor_us"], 3 * result["floor_us"] + 20, result["peer_us"]]
                cells = [f"{number:.1f}" for number in numbers] + [f"{result['peer_us'] / result['us']:.1f}"]
                table.add_row(case.name, str(num_rows), str(vocab_size), *cells)
    Console(width=140).print(table)
    print(
        json.dumps(
            {"device": torch.cuda.get_device_name(), "bytes_per_us": bandwidth, "dtype": dtype, "cases": results}
        )
    )


if __name__ == "__main__":
    typer.run(main)
