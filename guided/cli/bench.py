"""`guided bench`: measures what a grammar costs, and how fast a model writes under it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from guided.grammars.backends.registry import get_backend
from guided.grammars.errors import InvalidInputError

from .grammar_options import read_grammar, takes_a_grammar
from .loading import ModelName, load_llm

if TYPE_CHECKING:
    from ..bench.masks import MaskResult
    from ..llm import LLM
    from ..output.completion import Completion
    from ..params.sampling_params import SamplingParams

DEFAULT_PROMPT = "Customer number {row}: write down what the shop knows of this person."


@takes_a_grammar()
def bench(
    model: ModelName = None,
    prompt: Annotated[
        str, typer.Option(help="What each row of a batch goes on with; {row} is its number.")
    ] = DEFAULT_PROMPT,
    rows: Annotated[str, typer.Option(help="Batch sizes, with commas.")] = "1,8,32",
    max_new_tokens: Annotated[int, typer.Option(min=2, help="End a row after so many tokens.")] = 400,
    temperature: Annotated[float, typer.Option(min=0.0, help="0 is greedy.")] = 0.0,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of each measurement.")] = 3,
    backends: Annotated[
        str, typer.Option(help="Grammar backends to compare, with commas: native, llguidance, xgrammar, ...")
    ] = "native",
    threads: Annotated[int, typer.Option(min=1, help="Threads of torch.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON instead of tables.")] = False,
    **grammar: Any,
) -> None:
    """Measure a grammar on a model: its compile time, its masks, and tokens a second under it and without it.

    Examples:

    guided bench --schema examples/models.py:Order

    guided bench --library sql_select --backends native,llguidance,xgrammar --rows 1,32

    guided bench --model ./my-model --regex '[0-9]{4}-[0-9]{2}' --json

    Each batch is generated under the grammar, and then without it: each row has as many tokens as under the grammar.
    The time is that of the whole batch, prompts and guessed tokens included. Under the grammar, forced text is read at
    once where the model allows it. Of several rounds the fastest counts, so compiling is not in it: see the masks'
    table. Masks are measured on the texts that were generated under the grammar. Other work on the machine makes the
    figures worse.
    """
    needed = "there is nothing to measure; give one grammar, such as --schema models.py:Order"
    constraint = read_grammar(needed=needed, **grammar)
    batch_sizes = _read_sizes(rows)
    for name in backends.split(","):
        get_backend(name)  # reports an unknown backend before any work
    speeds, masks = _measure(
        model, constraint, batch_sizes, prompt, max_new_tokens, temperature, rounds, backends, threads
    )
    if as_json:
        print(json.dumps({"engine": speeds, "masks": [asdict(one) for one in masks]}))
        return
    from ..bench.masks import mask_table

    console = Console()
    console.print(mask_table(masks))
    table = Table("rows", "mode", "tokens", "tokens/s")
    for one in speeds:
        table.add_row(str(one["batch_size"]), one["mode"], str(one["num_tokens"]), f"{one['tokens_per_s']:.1f}")
    console.print(table)


def _measure(
    model: str | None,
    grammar: dict[str, Any],
    batch_sizes: list[int],
    prompt: str,
    max_new_tokens: int,
    temperature: float,
    rounds: int,
    backends: str,
    threads: int,
) -> tuple[list[dict[str, Any]], list[MaskResult]]:
    """The speeds of each batch size, and what masks cost on the texts that were generated."""
    import torch

    from ..bench.masks import measure_masks
    from ..engines.settings import EngineSettings
    from ..output.progress import progress_bar
    from ..params.sampling_params import SamplingParams

    torch.set_num_threads(threads)
    common: dict[str, Any] = {"temperature": temperature, "seed": 1}
    constrained = SamplingParams(max_new_tokens=max_new_tokens, **common, **grammar)
    speeds: list[dict[str, Any]] = []
    names = backends.split(",")
    num_steps = rounds * (2 * sum(batch_sizes) + len(names))
    with (
        load_llm(model, engine_settings=EngineSettings(max_batch_size=max(batch_sizes))) as llm,
        progress_bar(num_steps, "measuring") as advance,
    ):
        for size in batch_sizes:
            prompts = [prompt.replace("{row}", str(row)) for row in range(size)]
            rate, found = _fastest(llm, prompts, [constrained] * size, rounds, advance)
            texts = [one.token_ids for one in found]
            free = [SamplingParams(ignore_eos=True, max_new_tokens=max(1, one.num_tokens), **common) for one in found]
            free_rate, free_found = _fastest(llm, prompts, free, rounds, advance)
            for mode, speed, rows in (("free", free_rate, free_found), ("constrained", rate, found)):
                num_tokens = sum(one.num_tokens for one in rows)
                speeds.append(
                    {"batch_size": size, "mode": mode, "num_tokens": num_tokens, "tokens_per_s": round(speed, 1)}
                )
        if "json_schema" in grammar:  # the grammar that the engine has compiled
            compiled = llm.compile(constrained)
            assert compiled is not None
            grammar = grammar | {"whitespace": compiled.spec.whitespace}
        masks = []
        for name in names:
            masks.append(measure_masks(name, llm.vocabulary, grammar, texts, range(rounds)))
            advance(rounds)
    return speeds, masks


def _fastest(
    llm: LLM, prompts: list[str], params: list[SamplingParams], rounds: int, advance: Callable[[int], None]
) -> tuple[float, list[Completion]]:
    """Tokens a second of the fastest round, and the last round's texts. advance: called for each text that ends."""
    from ..output.completion import without_errors

    best = 0.0
    for _ in range(rounds):
        start_s = time.perf_counter()
        with llm.submit(llm.read(prompts, params), read_at_end=True) as generation:
            for chunk in generation:
                advance(int(chunk.completion is not None))
            found = without_errors(generation.results())
        best = max(best, sum(one.num_tokens for one in found) / (time.perf_counter() - start_s))
    return best, found


def _read_sizes(rows: str) -> list[int]:
    sizes = [int(size) for size in rows.split(",") if size.strip().isdecimal()]
    if len(sizes) < len(rows.split(",")) or min(sizes) < 1:
        raise InvalidInputError(f"--rows takes batch sizes like 1,8,32, not {rows!r}")
    return sizes
