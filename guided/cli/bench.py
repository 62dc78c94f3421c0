"""`guided bench`: measures what a grammar costs, and how fast a model writes under it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from guided.grammars.backends.registry import get_backend
from guided.grammars.errors import InvalidInputError

from .grammar_options import read_grammar, takes_a_grammar
from .loading import ModelName, load_llm

if TYPE_CHECKING:
    from ..bench.engine import EngineResult
    from ..bench.masks import MaskResult

DEFAULT_PROMPT = "Customer number {row}: write down what the shop knows of this person."


@takes_a_grammar
def bench(
    model: ModelName = None,
    whitespace: Annotated[
        str | None, typer.Option(help="Of --schema, between JSON tokens. Default: the model's preference.")
    ] = None,
    values: Annotated[
        str | None,
        typer.Option(
            help="Numbers and times in schemas: canonical (as writers write them) or any. "
            "Default: canonical, where a backend can."
        ),
    ] = None,
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
    """Measure a grammar on a model: its compile time, its masks, and tokens a second with and without it.

    Examples:

    guided bench --schema examples/models.py:Order

    guided bench --library sql_select --backends native,llguidance,xgrammar --rows 1,32

    guided bench --model ./my-model --regex '[0-9]{4}-[0-9]{2}' --json

    Each batch generates the same number of tokens in three ways: without the grammar, under it, and with jump-forward.
    Masks are then measured on the texts that were generated under the grammar. Other work on the machine makes the
    figures worse.
    """
    constraint = read_grammar(**grammar)
    if not constraint:
        raise InvalidInputError("there is nothing to measure; give one grammar, such as --schema models.py:Order")
    batch_sizes = _read_sizes(rows)
    for name in backends.split(","):
        get_backend(name)  # reports an unknown backend before any work
    if whitespace is not None:
        constraint["whitespace"] = whitespace
    if values is not None:
        constraint["values"] = values
    found_engine, found_masks = _measure(
        model, constraint, batch_sizes, prompt, max_new_tokens, temperature, rounds, backends.split(","), threads
    )
    if as_json:
        print(
            json.dumps({"engine": [asdict(one) for one in found_engine], "masks": [asdict(one) for one in found_masks]})
        )
        return
    from ..bench.engine import engine_table
    from ..bench.masks import mask_table

    console = Console()
    console.print(mask_table(found_masks))
    console.print(engine_table(found_engine))


def _measure(
    model: str | None,
    grammar: dict[str, Any],
    batch_sizes: list[int],
    prompt: str,
    max_new_tokens: int,
    temperature: float,
    rounds: int,
    backends: list[str],
    threads: int,
) -> tuple[list[EngineResult], list[MaskResult]]:
    import torch
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    from ..bench.engine import EngineBench
    from ..bench.masks import measure_masks
    from ..engines.settings import EngineSettings
    from ..params.sampling_params import SamplingParams

    torch.set_num_threads(threads)
    settings = {jumps: EngineSettings(max_batch_size=max(batch_sizes), jump_forward=jumps) for jumps in (False, True)}
    llms = {jumps: load_llm(model, engine_settings=one) for jumps, one in settings.items()}
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with llms[False], llms[True], Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("")
        engine = EngineBench(
            llms[True].model_name,
            llms,
            constraint=grammar,
            sampling={"temperature": temperature},
            make_prompt=lambda row: prompt.replace("{row}", str(row)),
            rounds=rounds,
            max_new_tokens=max_new_tokens,
            on_progress=lambda what, num: progress.update(task, description=what, completed=num),
        )
        results = []
        for size in batch_sizes:
            progress.reset(task, total=engine.num_runs)
            results += engine.run(size)
        if "json_schema" in grammar:  # as the engine compiled it
            compiled = llms[True].compile(SamplingParams(**grammar))
            assert compiled is not None
            grammar = grammar | {"whitespace": compiled.spec.whitespace}
        progress.remove_task(task)
        masks = [
            measure_masks(
                backend,
                llms[True].vocabulary,
                grammar,
                engine.outputs,
                progress.track(range(rounds), description=f"masks: {backend}"),
            )
            for backend in backends
        ]
    if engine.num_different:
        console.print(f"{engine.num_different} rows came out otherwise with jump-forward: near ties in low precision")
    return results, masks


def _read_sizes(rows: str) -> list[int]:
    sizes = [int(size) for size in rows.split(",") if size.strip().isdecimal()]
    if len(sizes) < len(rows.split(",")) or min(sizes) < 1:
        raise InvalidInputError(f"--rows takes batch sizes like 1,8,32, not {rows!r}")
    return sizes
