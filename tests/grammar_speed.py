"""Speed of compiled grammars beside llguidance and xgrammar: `python -m tests.grammar_speed`.

For each case of `tests/cases/speed_cases.py` and each engine: the time from the grammar's text to the first mask; then
the texts token by token, mask and commit, by a matcher that has seen nothing yet (cold), and the same once more (warm).
The engines take turns in one process, on one thread, on the 129,280 tokens of DeepSeek's vocabulary. Each round of ours
begins with new vocabulary tables and empty caches of the process, as a new process would; peers keep nothing between
grammars.
What is made once for a vocabulary (its trie) is not measured, for any engine, nor is the conversion of GBNF to
llguidance's Lark. Compiling counts with its best round, a token with the median of its rounds, so that other work on
the machine shows little. A virtual machine may have two speeds, half as fast for seconds at a time: a loop of additions
is timed around each round, and rounds in which it was slow do not count.

Peers come with `pip install guided-generation[backends]`; one that is not installed is left out, and a line says so.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.bench.engines import ENGINES, Engine, deepseek
from tests.cases.speed_cases import CASES, SpeedCase

TOKEN_BAR, COMPILE_BAR = 0.7, 1.2  # of the better peer's cold average; of llguidance's time to the first mask
DEFAULT_ENGINES = ("guided", "llguidance", "xgrammar")  # an index of outlines_core may take minutes
SLOW = 1.2  # times the least time of the loop

Clock = Callable[[], int]
"""Gives a time in ns."""


@dataclass(frozen=True)
class Figures:
    """One engine on one case. problem: what kept it from being measured."""

    compile_ms: float = 0.0
    cold_us: float = 0.0
    cold_p99_us: float = 0.0
    warm_us: float = 0.0
    num_tokens: int = 0
    problem: str = ""

    @property
    def whole_cold_ms(self) -> float:
        """Compiling and all tokens of the texts, with a new grammar."""
        return self.compile_ms + self.num_tokens * self.cold_us / 1e3

    @property
    def whole_warm_ms(self) -> float:
        """All tokens of the texts, with a grammar that has read them before."""
        return self.num_tokens * self.warm_us / 1e3


Row = dict[str, Figures]
"""The engines' figures on one case, by their names."""


def read_texts(engine: Engine, texts: list[list[int]], seconds: float, clock: Clock) -> list[float]:
    """The time of each token, mask and commit, in us; of the first texts, as far as they fit in the time.

    Raises RuntimeError where a token is refused.
    """
    times: list[float] = []
    end = time.perf_counter() + seconds
    for token_ids in texts:
        step = engine.start()
        for place, token_id in enumerate(token_ids):
            start = clock()
            is_allowed = step(token_id)
            times.append((clock() - start) / 1e3)
            if not is_allowed:
                raise RuntimeError(f"refuses token {place} of a text")
            if time.perf_counter() > end:
                return times
        if not engine.is_complete():
            raise RuntimeError("does not let a text end")
    return times


@dataclass(frozen=True)
class Round:
    """One round of an engine. cold, warm: us a token. loop_ms: of the machine's speed, see `loop_ms`."""

    loop_ms: float
    compile_ms: float
    cold: list[float]
    warm: list[float]


def measure(engine: Engine, case: SpeedCase, texts: list[list[int]], seconds: float, clock: Clock) -> Round:
    """One round. Raises what an engine raises that can't take the case."""
    engine.prepare(case)
    gc.collect()
    before_ms, start = loop_ms(clock), clock()
    engine.compile()
    compile_ms = (clock() - start) / 1e6
    cold = read_texts(engine, texts, seconds, clock)
    slower_ms = max(before_ms, loop_ms(clock))
    return Round(slower_ms, compile_ms, cold, read_texts(engine, texts, seconds, clock))


def loop_ms(clock: Clock) -> float:
    """What a fixed loop takes now, about 1 ms."""
    start, number = clock(), 0
    for index in range(20_000):
        number = (number * 31 + index) & 0xFFFF
    return (clock() - start) / 1e6


def fast_rounds(rounds: list[Round], least_ms: float) -> list[Round]:
    """Those in which the machine was not slow; the best one, where it always was. least_ms: of the loop."""
    best_ms = min(one.loop_ms for one in rounds)
    return [one for one in rounds if one.loop_ms <= max(best_ms, SLOW * least_ms)]


def figures_of(rounds: list[Round]) -> Figures:
    """The least time to compile, and the medians of the tokens that all rounds read."""
    num_tokens = min(len(one.cold) for one in rounds)
    cold = np.median([one.cold[:num_tokens] for one in rounds], axis=0)
    num_warm = min(len(one.warm) for one in rounds)
    warm = np.median([one.warm[:num_warm] for one in rounds], axis=0)
    compile_ms = min(one.compile_ms for one in rounds)
    return Figures(compile_ms, float(cold.mean()), float(np.percentile(cold, 99)), float(warm.mean()), num_tokens)


def compare(
    engines: list[Engine], case: SpeedCase, texts: list[list[int]], num_rounds: int, seconds: float, clock: Clock
) -> Row:
    """All engines on one case, in turn, after a short round that loads code and kernels."""
    rounds: dict[str, list[Round]] = {engine.name: [] for engine in engines}
    problems: dict[str, str] = {}
    for number in range(num_rounds + 1):
        for engine in engines:
            if engine.name in problems:
                continue
            try:
                found = measure(engine, case, texts, seconds if number else min(seconds, 1.0), clock)
            except (RuntimeError, ValueError) as error:
                problems[engine.name] = f"{error}".strip()[:60]
            else:
                rounds[engine.name] += [found] * (number > 0)
    least_ms = min([one.loop_ms for found in rounds.values() for one in found], default=0.0)
    return {
        name: Figures(problem=problems[name]) if name in problems else figures_of(fast_rounds(found, least_ms))
        for name, found in rounds.items()
    }


def _ratio(ours: float, theirs: list[float], bar: float) -> str:
    """Our time in units of the best of theirs, in red past the bar."""
    if not theirs or not ours:
        return ""
    ratio = ours / min(theirs)
    return f"[{'green' if ratio <= bar else 'red'}]{ratio:.2f}[/]"


def table_of(results: dict[str, Row]) -> Table:
    """A row for each case and engine."""
    title = (
        f"one thread, 129,280 tokens; bars: cold {TOKEN_BAR} of the better peer, compile {COMPILE_BAR} of llguidance"
    )
    headers = ("case", "engine", "compile ms", "cold us", "p99", "warm us", "tokens", "whole ms", "warm")
    table = Table(*headers, "cold ratio", "compile ratio", title=title)
    for case, by_engine in results.items():
        peers = [figures for name, figures in by_engine.items() if name != "guided" and not figures.problem]
        for name, figures in by_engine.items():
            label = case if name == next(iter(by_engine)) else ""
            if figures.problem:
                table.add_row(label, name, figures.problem)
                continue
            numbers = (figures.cold_us, figures.cold_p99_us, figures.warm_us)
            ratios = ["", ""]
            if name == "guided":
                llguidance = by_engine.get("llguidance", Figures())
                ratios[0] = _ratio(figures.cold_us, [peer.cold_us for peer in peers], TOKEN_BAR)
                compiles = [llguidance.compile_ms] if llguidance.compile_ms else []
                ratios[1] = _ratio(figures.compile_ms, compiles, COMPILE_BAR)
            row = [f"{figures.compile_ms:.2f}", *[f"{number:.1f}" for number in numbers], str(figures.num_tokens)]
            whole = [f"{figures.whole_cold_ms:.1f}", f"{figures.whole_warm_ms:.1f}"]
            table.add_row(label, name, *row, *whole, *ratios)
    return table


def main(
    case: Annotated[list[str] | None, typer.Option(help="Only cases with this in their name; may be repeated.")] = None,
    engine: Annotated[list[str] | None, typer.Option(help=f"Only these, of {', '.join(ENGINES)}.")] = None,
    rounds: Annotated[int, typer.Option(help="Rounds of each engine.")] = 5,
    seconds: Annotated[float, typer.Option(help="For the texts of a case, cold and warm each, in a round.")] = 2.0,
    processor_time: Annotated[bool, typer.Option(help="Count the time of the processor: for a busy machine.")] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the figures into this file, as JSON.")] = None,
) -> None:
    """Measure compiling, cold and warm masks with commits of grammars, beside the peers that are installed.

    Pin it to a core that does nothing else: `taskset -c 1 python -m tests.grammar_speed`. For one thing at a time:
    `--case JSON --engine guided --rounds 9`. The last line is all figures as JSON.
    """
    console = Console(width=140)
    tokenizer = deepseek()
    engines: list[Engine] = []
    for name in engine or DEFAULT_ENGINES:
        if name not in ENGINES:
            raise typer.BadParameter(f"there is no engine {name!r}; there are {', '.join(ENGINES)}")
        try:
            engines.append(ENGINES[name](tokenizer))
        except ImportError:
            console.print(f"{name} is not installed and left out; it comes with pip install 'guided\\[backends]'")
    chosen = [one for one in CASES if not case or any(part.lower() in one.name.lower() for part in case)]
    if not chosen:
        raise typer.BadParameter(f"no case is named so; there are {', '.join(one.name for one in CASES)}")
    results: dict[str, Row] = {}
    clock = time.thread_time_ns if processor_time else time.perf_counter_ns
    for one in track(chosen, "Measuring", console=Console(stderr=True)):
        texts = [tokenizer.encode(text, add_special_tokens=False) for text in one.texts]
        results[one.name] = compare(engines, one, texts, rounds, seconds, clock)
    console.print(table_of(results))
    written = json.dumps({name: {key: asdict(value) for key, value in row.items()} for name, row in results.items()})
    print(written)
    if out is not None:
        out.write_text(written + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
