"""The report of `guided check`: tables, warnings and notes for people, and the same as a JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from guided.grammars.errors import GuidedError

from ..schemas.enforcement import enforcement_of

if TYPE_CHECKING:
    from guided.grammars.protocol import CompiledGrammar
    from guided.workbench.inspection.match import TextMatch

    from ..schemas.advice import Suspect, Unbounded
    from ..schemas.surprises import Surprise
    from ..schemas.trial import TrialResult

REFUSED_EXIT_CODE = 2
MAX_SHOWN = 10  # notes of one kind that are shown; --json has all
_COLORS = {True: "green", False: "red"}


@dataclass(frozen=True)
class CheckReport:
    """The result of a check. trial: result of generating texts; None if none were generated. documents, texts: how each
    matches the grammar.
    """

    grammar: CompiledGrammar
    warnings: Sequence[Suspect]
    notes: Sequence[Unbounded | Surprise]
    trial: TrialResult | None
    documents: Mapping[Path, TextMatch]
    texts: Mapping[str, TextMatch]

    @property
    def allows_all(self) -> bool:
        """True if the grammar allows every document and text."""
        return all(match.is_accepted for match in (*self.documents.values(), *self.texts.values()))

    def as_json(self) -> dict[str, Any]:
        """The report for `--json`."""
        enforcement = enforcement_of(self.grammar)
        return {
            **{name: getattr(enforcement, name) for name in ("version", "backend", "digest")},
            "report": [vars(entry) for entry in self.grammar.report],
            "warnings": [asdict(warning) | {"message": str(warning)} for warning in self.warnings],
            "notes": [asdict(note) | {"message": str(note)} for note in self.notes],
            "trial": None if self.trial is None else asdict(self.trial),
            "documents": {str(path): match.is_accepted for path, match in self.documents.items()},
            "texts": {text: asdict(match) for text, match in self.texts.items()},
        }

    def print(self) -> None:
        """Print the report to standard output."""
        console = Console()
        is_schema = self.grammar.spec.kind == "json_schema"
        console.print(_keyword_table(self.grammar) if is_schema else _grammar_table(self.grammar))
        _print_some(console, "warning", "yellow", self.warnings)
        _print_some(console, "note", "default", self.notes)
        console.print(_told(self.trial))
        for name, match in (*self.documents.items(), *[(repr(text), one) for text, one in self.texts.items()]):
            is_allowed = match.is_accepted
            console.print(Text(f"{name}: ").append("allowed" if is_allowed else "not allowed", _COLORS[is_allowed]))
            if not is_allowed:
                console.print(Text(f"  {_stopped(match)}"))


def refusal(error: GuidedError) -> dict[str, Any]:
    """An error for `--json`: its class, its message, and its other fields (pointer, keyword, limit, ...)."""
    known = {name: value for name, value in vars(error).items() if isinstance(value, str | int | float | None)}
    return {"error": {"type": type(error).__name__, "message": str(error), **known}}


@contextmanager
def refusals_as_json(as_json: bool) -> Iterator[None]:
    """With as_json, print an error of this block as `refusal` gives it, and end the command with REFUSED_EXIT_CODE."""
    try:
        yield
    except GuidedError as error:
        if not as_json:
            raise
        print(json.dumps(refusal(error)))
        raise typer.Exit(REFUSED_EXIT_CODE) from None


def _stopped(match: TextMatch) -> str:
    """The place where a text stops fitting the grammar, and the tokens allowed there, in words."""
    expected = match.expected
    where = f"line {match.line}, column {match.column}"
    if expected.document is not None:
        where += f", the value at {expected.document!r}"
    found = "at its end" if match.found is None else f"at {match.found!r}"
    return f"stops {found} ({where}); expected: {expected.text}"


def _print_some(console: Console, kind: str, color: str, found: Sequence[object]) -> None:
    for one in found[:MAX_SHOWN]:
        console.print(Text(f"{kind}: ", color).append(str(one), "default"))
    if len(found) > MAX_SHOWN:
        console.print(Text(f"{kind}: {len(found) - MAX_SHOWN} more of these; --json lists them all", color))


def _told(trial: TrialResult | None) -> Text:
    if trial is None:
        return Text("not tried out: whether generating meets a limit is not known", "yellow")
    texts = "1 text" if trial.num_texts == 1 else f"{trial.num_texts} texts"
    if not trial.not_tried and trial.reason is None:
        fields = f"each of the {trial.num_fields} fields in " if trial.num_fields > 1 else ""
        longest = "" if trial.num_fields else f", the longest of {trial.num_bytes} bytes"
        return Text(f"tried out: {fields}{texts} generated{longest}", "green")
    found = Text(f"tried out: {texts} generated; {trial.reason}", "yellow")
    if trial.not_tried:
        shown = ", ".join(trial.not_tried[:MAX_SHOWN]) + (", ..." if len(trial.not_tried) > MAX_SHOWN else "")
        found.append(f"; not tried ({len(trial.not_tried)} of {trial.num_fields} fields): {shown}")
    return found


def _keyword_table(grammar: CompiledGrammar) -> Table:
    table = Table("pointer", "keyword", "how it is enforced", title="How each keyword is enforced")
    for entry in grammar.report:
        table.add_row(Text(entry.pointer or "(root)"), Text(entry.keyword), Text(entry.enforcement))
    return table


def _grammar_table(grammar: CompiledGrammar) -> Table:
    table = Table("grammar", "how it is enforced", title="How the grammar is enforced")
    for entry in grammar.report:
        table.add_row(Text(entry.keyword), Text(entry.enforcement))
    return table
