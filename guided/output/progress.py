"""Progress bars, on standard error if not said otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .completion import CompletionChunk

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


def new_bar(what: str, unit: str = "", console: Console | None = None, *, is_shown: bool = True) -> Progress:
    """A progress bar, which vanishes at its end.

    what: label before the bar.
    unit: words after the numbers; may refer to fields of the bar's task.
    console: None: standard error.
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

    units = [TextColumn(unit)] if unit else []
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    console = Console(file=sys.stderr) if console is None else console
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), *units, *times)
    return Progress(*columns, console=console, transient=True, disable=not is_shown)


def show_progress(chunks: Iterable[CompletionChunk], num_outputs: int) -> None:
    """Read all chunks. Meanwhile a bar shows the number of finished texts and of tokens.

    num_outputs: number of texts.
    """
    num_tokens = 0
    with new_bar("generating", "texts, {task.fields[num_tokens]} tokens") as progress:
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
    with new_bar(what) as progress:
        task = progress.add_task(what, total=total)
        yield lambda steps: progress.update(task, advance=steps)
