"""`guided extract`: texts in, typed objects out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, Group
from rich.panel import Panel
from rich.pretty import Pretty
from rich.table import Table
from rich.text import Text

from guided.grammars.errors import InvalidInputError

from .model import load_model
from .sources import SchemaChoice, TextSource, load_texts

if TYPE_CHECKING:
    from ..extract import Extraction

SHOWN_TEXT_CHARS = 600


def extract(
    paths: Annotated[
        list[str], typer.Argument(help="Text files, folders with .txt or .md files, or - for standard input.")
    ],
    schema: Annotated[
        list[str],
        typer.Option(
            help="What to extract: FILE.json (JSON Schema), FILE.py:CLASS or MODULE:CLASS (Pydantic model, dataclass, "
            "TypedDict). With several, GLOB=SCHEMA is for the texts whose path, or a folder in it, matches GLOB."
        ),
    ],
    model: Annotated[
        str | None, typer.Option(help="Model folder or hub name. Default: the model in the package.")
    ] = None,
    instructions: Annotated[str | None, typer.Option(help="What to look for, in words, beside the schema.")] = None,
    output: Annotated[Path | None, typer.Option(help="Write one JSON line for each text to this file too.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON line for each text instead of panels.")
    ] = False,
) -> None:
    """Read texts into typed objects that always fit the schema.

    Examples:

    guided extract note.txt --schema models.py:Person

    guided extract inbox/ --schema 'orders=models.py:Order' --schema models.py:Person --output found.jsonl

    echo "Her phone number is 555-0100." | guided extract - --schema person.json --json

    Exit code: 0 when every text gave a valid object, 1 when one did not, 2 for bad input.
    """
    texts = load_texts(paths)
    choice = SchemaChoice(schema)
    by_schema: dict[str, list[int]] = {}
    for i, source in enumerate(texts):
        by_schema.setdefault(choice.source_for(source.name), []).append(i)
    _check_output(output)
    console = Console()
    llm = load_model(model)
    results: dict[int, Extraction[Any]] = {}
    for schema_source, indices in by_schema.items():
        batch = [texts[i].text for i in indices]
        extractions = llm.extract_detailed(
            batch, choice.schema(schema_source), instructions=instructions, progress=True
        )
        assert isinstance(extractions, list)  # as many as texts, because a list was given
        results |= dict(zip(indices, extractions, strict=True))
    lines = [json.dumps(to_record(texts[i], results[i]), ensure_ascii=False) for i in range(len(texts))]
    if as_json:
        print("\n".join(lines))
    else:
        for i, source in enumerate(texts):
            console.print(render(source, results[i]))
        console.print(_summary(list(results.values())))
    if output is not None:
        _write(output, "\n".join(lines) + "\n")
    if not all(extraction.is_valid and extraction.error is None for extraction in results.values()):
        raise typer.Exit(1)


def to_record(source: TextSource, extraction: Extraction[Any]) -> dict[str, Any]:
    """One JSON line: the text's name, the data, and how it came about."""
    completion = extraction.completion
    return {
        "source": source.name,
        "data": extraction.data,
        "valid": extraction.is_valid,
        "error": None if extraction.error is None else str(extraction.error),
        "tokens": len(completion.token_ids),
        "forced_tokens": completion.num_forced_tokens,
        "tokens_per_s": round(completion.tokens_per_s, 1),
    }


def render(source: TextSource, extraction: Extraction[Any]) -> Panel:
    """The text, the typed result and its figures, as one panel."""
    text = source.text.strip()
    shown = text if len(text) <= SHOWN_TEXT_CHARS else text[:SHOWN_TEXT_CHARS] + " ..."
    result = (
        Pretty(extraction.value, expand_all=True) if extraction.error is None else Text(str(extraction.error), "red")
    )
    return Panel(Group(Text(shown, style="dim"), Text(), result, Text(), _figures(extraction)), title=source.name)


def _figures(extraction: Extraction[Any]) -> Text:
    completion = extraction.completion
    verdict = Text("valid: yes", "green") if extraction.is_valid else Text("valid: no", "red")
    return verdict.append(
        f"   tokens: {len(completion.token_ids)}   tokens/s: {completion.tokens_per_s:.0f}"
        f"   forced by the schema: {completion.num_forced_tokens}",
        "default",
    )


def _summary(extractions: list[Extraction[Any]]) -> Table:
    tokens = sum(len(extraction.completion.token_ids) for extraction in extractions)
    forced = sum(extraction.completion.num_forced_tokens for extraction in extractions)
    table = Table("texts", "valid", "tokens", "forced by the schema")
    num_valid = sum(extraction.is_valid for extraction in extractions)
    table.add_row(str(len(extractions)), str(num_valid), str(tokens), f"{forced} ({forced / max(tokens, 1):.0%})")
    return table


def _check_output(output: Path | None) -> None:
    """Fail before the work, not after it."""
    if output is None:
        return
    if not output.parent.is_dir():
        raise InvalidInputError(f"there is no folder {str(output.parent)!r} to write {output.name} into")
    if output.is_dir() or not os.access(output if output.exists() else output.parent, os.W_OK):
        raise InvalidInputError(f"can't write to {str(output)!r}")


def _write(path: Path, content: str) -> None:
    """All of it or nothing."""
    partial = path.with_name(path.name + ".partial")
    partial.write_text(content, encoding="utf-8")
    partial.replace(path)
