"""A progress bar for a batch of completions, on standard error."""

from __future__ import annotations

import sys

from .generation import Generation


def show_progress(generation: Generation) -> None:
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
        task = progress.add_task("generating", total=generation.num_outputs, num_tokens=0)
        while (placed := generation.next_chunk()) is not None:
            _, chunk = placed
            num_tokens += len(chunk.token_ids)
            progress.update(task, advance=int(chunk.completion is not None), num_tokens=num_tokens)
