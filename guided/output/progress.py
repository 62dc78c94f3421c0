"""A progress bar for a batch of completions, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from .completion import CompletionChunk

T = TypeVar("T")


def show_progress(chunks: Iterable[CompletionChunk], num_outputs: int) -> None:
    """Read all chunks. Meanwhile a bar shows the number of finished texts and of tokens.

    num_outputs: number of texts.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("generating"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("texts, {task.fields[num_tokens]} tokens"),
        TimeElapsedColumn(),
    )
    num_tokens = 0
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("generating", total=num_outputs, num_tokens=0)
        for chunk in chunks:
            num_tokens += len(chunk.token_ids)
            progress.update(task, advance=int(chunk.completion is not None), num_tokens=num_tokens)


@contextmanager
def progress_bar(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Context manager that shows a bar while the block runs. Gives a function that advances the bar by some steps.

    total: number of steps.
    what: label of the bar.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda steps: progress.update(task, advance=steps)
