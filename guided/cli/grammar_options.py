"""The grammar options that commands share, and what they give to `compile_grammar` and `SamplingParams`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from guided.grammars import library as ready_grammars
from guided.grammars.errors import InvalidInputError

from .sources import load_schema, read_text_file

PANEL = "Grammars (give one)"

Schema = Annotated[
    str | None,
    typer.Option(
        metavar="SCHEMA",
        help="JSON: FILE.json (a JSON Schema), FILE.py:CLASS or MODULE:CLASS.",
        rich_help_panel=PANEL,
    ),
]
Regex = Annotated[
    str | None,
    typer.Option(metavar="REGEX", help="A regex in Python's syntax; the whole text matches.", rich_help_panel=PANEL),
]
Choice = Annotated[
    list[str] | None,
    typer.Option(metavar="TEXT", help="One of these texts; give it once for each.", rich_help_panel=PANEL),
]
Choices = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="One of the lines of this file that are not blank.", rich_help_panel=PANEL),
]
Ebnf = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="An EBNF grammar, in any of four dialects.", rich_help_panel=PANEL),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Of --ebnf: gbnf (llama.cpp), xgrammar (also SGLang), w3c or lark (also llguidance). "
        "Default: recognised from the text.",
        rich_help_panel=PANEL,
    ),
]
StructuralTag = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.json",
        help='Free text with constrained regions, such as tool calls: {"type": "structural_tag", "format": ...} '
        'or {"structures": [...], "triggers": [...]}.',
        rich_help_panel=PANEL,
    ),
]
AllOf = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.json",
        help='Several grammars that the text must all fit: [{"regex": ...}, {"json_schema": ...}, '
        '{"banned_substrings": [...]}].',
        rich_help_panel=PANEL,
    ),
]
Library = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="A ready grammar of the package; guided check --list names them.", rich_help_panel=PANEL
    ),
]


def read_grammar(
    *,
    schema: str | None,
    regex: str | None,
    choice: list[str] | None,
    choices: Path | None,
    ebnf: Path | None,
    dialect: str | None,
    structural_tag: Path | None,
    all_of: Path | None,
    library: str | None,
) -> dict[str, Any]:
    """The grammar that is given, as arguments of `compile_grammar` or `SamplingParams`; {} when none is.

    Raises InvalidInputError for more than one, and for files that can't be read.
    """
    options = {
        "the schema": schema,
        "--regex": regex,
        "--choice": choice or None,
        "--choices": choices,
        "--ebnf": ebnf,
        "--structural-tag": structural_tag,
        "--all-of": all_of,
        "--library": library,
    }
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise InvalidInputError(f"{' and '.join(given)} exclude each other; give one grammar")
    if dialect is not None and ebnf is None:
        raise InvalidInputError("--dialect only applies to --ebnf")
    if schema is not None:
        return {"json_schema": load_schema(schema)}
    if regex is not None:
        return {"regex": regex}
    if choice:
        return {"choice": choice}
    if choices is not None:
        return {"choice": _lines(read_text_file(choices, "file of choices"))}
    if ebnf is not None:
        return {"ebnf": read_text_file(ebnf, "grammar file"), "dialect": dialect}
    if structural_tag is not None:
        return {"structural_tag": read_text_file(structural_tag, "structural tag file")}
    if all_of is not None:
        return {"all_of": _read_json(all_of)}
    return {} if library is None else dict(ready_grammars.get(library).arguments)


def _read_json(path: Path) -> Any:
    try:
        return json.loads(read_text_file(path, "file of grammars"))
    except ValueError as error:
        raise InvalidInputError(f"{path} is no JSON: {error}") from None


def _lines(text: str) -> list[str]:
    """The lines of a file that are not blank."""
    return [line for line in re.split(r"\r?\n", text) if line.strip()]
