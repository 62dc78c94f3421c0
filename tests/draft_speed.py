"""What drafts from the source gain in extraction: `python -m tests.draft_speed`.

The embedded model answers generated texts greedily, with and without quotes, with and without drafts, in turns, so that
a busy machine slows all modes alike. One text after the other, or all of them in one batch. The bars: 1.5 times the
tokens a second of processor time at one row, and no fewer in a batch of 32. The tokens are the same with drafts and
without, which is asserted.

Prints a table and one line of JSON.
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

from examples.embedded_model.corpus.tasks import Task
from examples.embedded_model.evaluate import TEXT_SOURCE, make_other_tasks, make_tasks, quoting_schema
from guided import LLM, EngineSettings, SamplingParams


def make_params(task: Task, *, has_quotes: bool) -> SamplingParams:
    """How a task is answered. has_quotes: its free strings must be quotes of its text."""
    if not has_quotes:
        return SamplingParams(temperature=0, max_new_tokens=200, json_schema=task.schema)
    sources = {TEXT_SOURCE: task.document.text}
    return SamplingParams(temperature=0, max_new_tokens=200, json_schema=quoting_schema(task), sources=sources)


def answer(llm: LLM, tasks: list[Task], params: list[SamplingParams], num_rows: int) -> tuple[float, list[list[int]]]:
    """Tokens a second of processor time, and the tokens of each answer."""
    start = time.process_time()
    token_ids: list[list[int]] = []
    for first in range(0, len(tasks), num_rows):
        messages = [task.messages for task in tasks[first : first + num_rows]]
        token_ids += [one.token_ids for one in llm.chat(messages, params[first : first + num_rows])]
    seconds = time.process_time() - start
    return sum(map(len, token_ids)) / seconds, token_ids


def measure(
    llms: dict[bool, LLM], tasks: list[Task], num_rows: int, rounds: int, *, has_quotes: bool
) -> dict[str, Any]:
    """Rates in rounds, of which the first is to warm up."""
    params = [make_params(task, has_quotes=has_quotes) for task in tasks]
    rates: dict[bool, list[float]] = {False: [], True: []}
    for round_ in range(rounds + 1):
        outputs = []
        for has_drafts, llm in llms.items():
            rate, output = answer(llm, tasks, params, num_rows)
            outputs.append(output)
            if round_:
                rates[has_drafts].append(rate)
        assert outputs[0] == outputs[1], "drafts changed an output"
    ratios = [with_ / without for without, with_ in zip(rates[False], rates[True], strict=True)]
    return {
        "rows": num_rows,
        "quotes": has_quotes,
        "without": statistics.median(rates[False]),
        "with": statistics.median(rates[True]),
        "ratios": ratios,
    }


def main(
    texts: Annotated[int, typer.Option(min=3, help="How many; a third of them like mails and notes.")] = 12,
    rows: Annotated[str, typer.Option(help="Batch sizes, with commas.")] = "1,32",
    rounds: Annotated[int, typer.Option(min=1, help="Of each mode, after one to warm up.")] = 5,
    seed: Annotated[int, typer.Option(help="Of the texts.")] = 5,
) -> None:
    """Measure extraction with and without drafts, on one thread."""
    torch.set_num_threads(1)
    table = Table("rows", "quotes", "tokens/CPU s\nwithout", "with drafts", "times, median", "of each round")
    results = []
    with LLM(engine_settings=EngineSettings(max_draft_tokens=0)) as without, LLM() as with_drafts:
        llms = {False: without, True: with_drafts}
        for num_rows in map(int, rows.split(",")):
            count = max(texts, num_rows)
            others = count // 3
            tasks = make_tasks(count - others, seed) + make_other_tasks(others, seed, are_nested=False)
            for has_quotes in (True, False):
                one = measure(llms, tasks, num_rows, rounds, has_quotes=has_quotes)
                results.append(one)
                shown = " ".join(f"{ratio:.2f}" for ratio in one["ratios"])
                median = statistics.median(one["ratios"])
                quotes = "yes" if has_quotes else "no"
                table.add_row(
                    str(num_rows), quotes, f"{one['without']:.1f}", f"{one['with']:.1f}", f"{median:.2f}", shown
                )
    Console(width=120).print(table)
    print(json.dumps(results))


if __name__ == "__main__":
    typer.run(main)
