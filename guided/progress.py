"""A progress bar for a batch of completions, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from .completion_builder import CompletionBuilder
from .engine.base import TokenEvent


def show_progress(events: Iterator[TokenEvent], builders: Sequence[CompletionBuilder]) -> Iterator[TokenEvent]:
    """The same events; meanwhile a bar shows how many texts are done and how many tokens were made.

    builders: of all requests; whoever takes an event gives it to its builder before asking for the next.
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
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("generating", total=len(builders), num_tokens=0)
        for num_tokens, event in enumerate(events, start=1):
            yield event
            is_done = builders[event.index].completion is not None
            progress.update(task, advance=int(is_done), num_tokens=num_tokens)
