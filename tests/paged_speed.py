"""Time of one packed forward by rows and tokens a row: `python -m tests.paged_speed`.

Each row has read `context` tokens and takes 1, 2, 4, ... more in one step, as rows that draw, or that check drafts, do;
what is read is forgotten again after each step. A time is the median of several rounds, in ms, until the logits are
there. Prints a table and one line of JSON.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Annotated, Any

import torch
import typer
from rich.console import Console
from rich.table import Table

from guided.embedded.loading import load_network
from guided.engines.local.paged import Chunk, PagedModel, PagedSequence

PAGE_SIZE = 16
WARM_UP = 3


def load(name: str, device: torch.device, dtype: torch.dtype) -> Any:
    """The embedded model, or a random Llama of 8 layers of 1024 with grouped heads of 128 and 32,000 tokens."""
    if name == "embedded":
        return load_network(dtype).to(device)
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 8, "num_attention_heads": 16}
    torch.manual_seed(0)
    with torch.device(device):
        model: Any = LlamaForCausalLM(LlamaConfig(**sizes, num_key_value_heads=4, head_dim=128, vocab_size=32_000))
    return model.to(dtype).eval()


def open_rows(model: PagedModel, num_rows: int, context: int) -> list[PagedSequence]:
    """Sequences that have read so many tokens, each its own."""
    generator, rows = torch.Generator().manual_seed(0), []
    for _ in range(num_rows):
        tokens = torch.randint(3, 500, (context,), generator=generator).tolist()
        row = model.open(tokens)
        assert model.reserve(row, context)
        model.forward([Chunk(row, tokens)])
        rows.append(row)
    return rows


def step_ms(model: PagedModel, rows: list[PagedSequence], num_tokens: int) -> float:
    """One step that takes so many tokens of each row, and forgets them. On a CPU the thread's time counts: others may
    use the machine."""
    clock = time.perf_counter if model.layout.device.type == "cuda" else time.thread_time
    for row in rows:
        assert model.reserve(row, num_tokens)
    chunks = [Chunk(row, [7] * num_tokens, list(range(num_tokens))) for row in rows]
    start_s = clock()
    model.forward(chunks)[-1, 0].item()  # waits for the device
    end_s = clock()
    for row in rows:
        model.truncate(row, num_tokens)
    return 1e3 * (end_s - start_s)


def numbers(text: str) -> list[int]:
    """Those between commas."""
    return [int(part) for part in text.split(",")]


def main(
    model: Annotated[str, typer.Option(help="embedded, or llama.")] = "embedded",
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    dtype: Annotated[str, typer.Option(help="float32, bfloat16 or float16.")] = "float32",
    attention: Annotated[str, typer.Option(help="As `PagedModel` takes it.")] = "auto",
    rows: Annotated[str, typer.Option(help="Batch sizes, with commas.")] = "1,32",
    tokens: Annotated[str, typer.Option(help="Tokens a row, with commas.")] = "1,2,4,8,16",
    context: Annotated[int, typer.Option(min=1, help="Tokens that each row has read.")] = 500,
    rounds: Annotated[int, typer.Option(min=1, help="Steps that are measured.")] = 15,
) -> None:
    """Measure steps of the engine's model."""
    torch.set_num_threads(1)
    results = []
    for num_rows in numbers(rows):
        most = max(numbers(tokens))
        num_pages = num_rows * (-(-(context + most) // PAGE_SIZE) + 1)
        loaded = load(model, torch.device(device), getattr(torch, dtype))
        paged = PagedModel(loaded, num_pages=num_pages, page_size=PAGE_SIZE, prefix_caching=False, attention=attention)
        sequences = open_rows(paged, num_rows, context)
        times: dict[int, list[float]] = {num_tokens: [] for num_tokens in numbers(tokens)}
        for round_number in range(WARM_UP + rounds):
            for num_tokens, measured in times.items():  # in turns: a busy moment of the machine hits all
                time_ms = step_ms(paged, sequences, num_tokens)
                if round_number >= WARM_UP:
                    measured.append(time_ms)
        for num_tokens, measured in times.items():
            results.append({"rows": num_rows, "tokens": num_tokens, "ms": statistics.median(measured)})
    table = Table("rows", "tokens a row", "ms", title=f"{model}, {dtype}, {device}, attention {attention}")
    for result in results:
        table.add_row(str(result["rows"]), str(result["tokens"]), f"{result['ms']:.2f}")
    Console().print(table)
    print(json.dumps({"model": model, "device": device, "dtype": dtype, "context": context, "steps": results}))


if __name__ == "__main__":
    typer.run(main)
