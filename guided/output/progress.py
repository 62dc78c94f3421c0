"""A progress bar for a batch of completions, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from .completion import CompletionChunk

T = TypeVar("T")


def show_progress(chunks: Iterable[CompletionChunk], num_outputs: int) -> None:
    """Reads all chunks; meanwhile a bar shows how many texts are done and how many tokens were made."""
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


def with_progress(items: Iterable[T], num_items: int, what: str) -> Iterator[T]:
    """The items; meanwhile a bar shows how many of them came. what: the word before it."""
    with progress_bar(num_items, what) as advance:
        for item in items:
            yield item
            advance(1)


@contextmanager
def progress_bar(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """A bar, while the block runs; what it gives moves it on. what: the word before it."""
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
