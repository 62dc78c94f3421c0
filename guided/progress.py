"""A progress bar for a batch of completions, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from .engine.base import TokenEvent


def show_progress(events: Iterator[TokenEvent], num_requests: int) -> Iterator[TokenEvent]:
    """The same events; meanwhile a bar shows how many texts are done and how many tokens were made."""
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
        task = progress.add_task("generating", total=num_requests, num_tokens=0)
        for num_tokens, event in enumerate(events, start=1):
            progress.update(task, advance=int(event.finish_reason is not None), num_tokens=num_tokens)
            yield event
