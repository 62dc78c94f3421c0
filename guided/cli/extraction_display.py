"""The output of `guided extract`: panels, records, the final table, and a progress bar."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.pretty import Pretty
from rich.table import Table
from rich.text import Text

from ..output.progress import new_bar
from .texts import TextSource

if TYPE_CHECKING:
    from ..extraction.confidence import FieldConfidence
    from ..extraction.extraction import Extraction

SHOWN_TEXT_CHARS = 600
PAGE_CHARS = 3000  # about 500 words, a page of a book


class Display:
    """Prints results as they arrive. Below them a bar shows how many texts are done.

    num_done, num_texts: start and end of the bar, in steps.
    unit: what the bar counts.
    unit_steps: number of steps in one unit.
    has_bar: show the bar, on standard error if standard output is no terminal.
    """

    def __init__(
        self, num_done: int, num_texts: int, unit: str = "texts", unit_steps: int = 1, *, has_bar: bool = True
    ) -> None:
        self._console = Console()
        bar_console = self._console if self._console.is_terminal else Console(file=sys.stderr)
        self._progress = new_bar("extracting", unit, bar_console, is_shown=has_bar)
        self._unit_steps = unit_steps
        total, completed = math.ceil(num_texts / unit_steps), num_done / unit_steps
        self._task = self._progress.add_task("extracting", total=total, completed=completed)  # type: ignore[arg-type]

    def __enter__(self) -> Display:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def advance(self, num_steps: int) -> None:
        """Advance the bar by a number of steps."""
        self._progress.update(self._task, advance=num_steps / self._unit_steps)

    def show(self, result: Panel | str | None, num_steps: int = 1) -> None:
        """Print a result and advance the bar. result: a panel, a line of text, or None for nothing."""
        if isinstance(result, str):
            self._console.out(result, highlight=False)
        elif result is not None:
            self._console.print(result)
        self.advance(num_steps)


def render(source: TextSource, extraction: Extraction[Any]) -> Panel:
    """The text, the typed result and its figures, as one panel."""
    text = source.text.strip()
    shown = text if len(text) <= SHOWN_TEXT_CHARS else text[:SHOWN_TEXT_CHARS] + " ..."
    result = (
        Pretty(extraction.value, expand_all=True)
        if extraction.error is None or extraction.is_shortened
        else Text(str(extraction.error), "red")
    )
    parts: list[RenderableType] = [Text(shown, style="dim"), Text(), result, Text()]
    if extraction.confidence is not None:
        parts += [_confidence_table(extraction.confidence), Text()]
    return Panel(Group(*parts, _figures(extraction)), title=source.name)


def _confidence_table(confidence: Mapping[str, FieldConfidence]) -> Table:
    has_calibrated = any(one.calibrated is not None for one in confidence.values())
    table = Table("field", "raw", "processed", "masked", *(["calibrated"] if has_calibrated else []), box=None)
    for pointer, one in confidence.items():
        shares = (one.raw, one.processed, one.masked_mass, *([one.calibrated] if has_calibrated else []))
        table.add_row(pointer or "(all)", *("-" if share is None else f"{share:.2f}" for share in shares))
    return table


def _figures(extraction: Extraction[Any]) -> Text:
    completion = extraction.completion
    verdict = Text("valid: yes", "green") if extraction.is_valid else Text("valid: no", "red")
    if extraction.is_shortened:
        verdict.append("   cut by its budget of tokens", "yellow")
    return verdict.append(
        f"   tokens: {completion.num_tokens}   tokens/s: {completion.tokens_per_s:.0f}"
        f"   forced by the schema: {completion.num_forced_tokens}",
        "default",
    )


class Tally:
    """Sums over all records of a run, and its duration. Documents cut by their token budget count separately.

    records: records of an earlier run.
    num_chars: characters of the texts of this run, for the cost of a page; None: no such cost.
    """

    def __init__(self, records: Sequence[Mapping[str, Any]], num_chars: int | None = None) -> None:
        self.num_before = len(records)
        self._start_s = time.monotonic()
        self.num_texts = self.num_valid = self.num_cut = 0
        self.num_tokens = self.num_forced_tokens = self._num_prompt_tokens = 0
        self._num_pages = None if num_chars is None else num_chars / PAGE_CHARS
        for record in records:
            self.add(record)
        self._num_tokens_before = self.num_tokens + self._num_prompt_tokens

    def add(self, record: Mapping[str, Any]) -> None:
        """Add one record."""
        self.num_texts += 1
        is_cut = bool(record.get("shortened"))  # records of older versions lack this field
        self.num_cut += is_cut
        self.num_valid += bool(record["valid"] and record["error"] is None and not is_cut)
        self.num_tokens += record["tokens"]
        self.num_forced_tokens += record["forced_tokens"]
        self._num_prompt_tokens += record.get("prompt_tokens", 0)

    def table(self) -> Table:
        """The final table. Time and rate are those of this run, without loading the model. The column "cut" appears
        only if documents were cut.
        """
        cut = {"cut": str(self.num_cut)} if self.num_cut else {}
        table = Table("texts", "valid", *cut, "tokens", "forced by the schema", "time", "texts/s")
        elapsed_s = time.monotonic() - self._start_s
        rate = (self.num_texts - self.num_before) / elapsed_s if elapsed_s else 0.0
        share = self.num_forced_tokens / max(self.num_tokens, 1)
        forced = f"{self.num_forced_tokens} ({share:.0%})"
        counts = (str(self.num_texts), str(self.num_valid), *cut.values(), str(self.num_tokens))
        table.add_row(*counts, forced, _duration(elapsed_s), f"{rate:.1f}")
        return table

    def page_cost(self) -> str | None:
        """The cost of a page of this run's texts, in words; None if it was not requested."""
        if not self._num_pages:
            return None
        num_tokens = (self.num_tokens + self._num_prompt_tokens - self._num_tokens_before) / self._num_pages
        seconds = (time.monotonic() - self._start_s) / self._num_pages
        pages = f"{self._num_pages:,.1f} pages of {PAGE_CHARS:,} characters"
        return f"{pages}; a page costs {num_tokens:,.0f} tokens, read or written, and {seconds:.3f} s"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
