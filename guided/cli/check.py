"""`guided check`: reports whether and how a grammar is enforced exactly, and whether it allows given documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from guided.grammars import library as ready_grammars
from guided.grammars.errors import InvalidInputError
from guided.workbench.inspection.match import Acceptor

from ..schemas.advice import Unbounded, misspelled, unbounded
from ..schemas.python_types import to_json_schema
from ..schemas.surprises import Surprise, surprises
from .check_report import CheckReport, refusals_as_json
from .grammar_options import READINGS, SchemaSource, TokenizerSource, compile_source, read_grammar, takes_a_grammar

if TYPE_CHECKING:
    from guided.grammars.protocol import CompiledGrammar

TRY_SECONDS = 2.0
NOTHING: Mapping[Any, Any] = MappingProxyType({})


@takes_a_grammar(READINGS)
def check(
    schema: SchemaSource = None,
    document: Annotated[
        list[Path] | None,
        typer.Option(help="Also say whether the grammar allows the text of this file; can be repeated."),
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(help="Also say whether the grammar allows this text, or where it stops; can be repeated."),
    ] = None,
    model: TokenizerSource = None,
    backend: Annotated[str | None, typer.Option(help="Grammar backend. Default: native, for every kind.")] = None,
    try_seconds: Annotated[
        float,
        typer.Option(
            min=0.0, help="Generate with the grammar, each field once; begin nothing new after so long. 0: not at all."
        ),
    ] = TRY_SECONDS,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report, or the refusal, as JSON.")] = False,
    chat_template: Annotated[
        Path | None,
        typer.Option(
            help="Say which family's calls this chat template writes, and what else of tools; stop. In Jinja, or JSON "
            "of a tokenizer's configuration."
        ),
    ] = None,
    list_ready: Annotated[
        bool, typer.Option("--list", help="List the ready grammars of the package and stop.")
    ] = False,
    **grammar: Any,
) -> None:
    """Compile a grammar and report, for a schema keyword by keyword, how it is enforced.

    A keyword that can't be enforced exactly is an error; the message names its place and what to write instead. A part
    that can't be generated is an error too. To find such parts, texts are generated until each field of a schema was in
    one, or until the time is over; the report names fields that were not tried.

    Keywords that look misspelled are warnings. Notes name values without a bound, and parts that other libraries read
    in another way: patterns that match anywhere in a string, and objects that allow further properties.

    In a document or text, the name of a special token stands for that token where the grammar allows it. For a document
    or text that is not allowed, the report tells where it stops to match, and what would be allowed there.

    Examples:

    guided check person.json

    guided check models.py:Order --document order-17.json

    guided check --regex '[0-9]{4}-[0-9]{2}'

    guided check --regex '[0-9]{4}-[0-9]{2}' --text 2026-1

    guided check --choice yes --choice no

    guided check --ebnf chess.gbnf --dialect gbnf --document game.txt

    guided check --structural-tag tools.json --model ./my-model

    guided check --all-of grammars.json --document answer.json

    guided check --library csv_row --document row.csv

    guided check --list

    guided check --chat-template chat_template.jinja

    Exit code: 0; 1 if a document or a text is not allowed; 2 if the grammar is refused.
    """
    if list_ready:
        _print_library(as_json)
        return
    with refusals_as_json(as_json):
        if chat_template is not None:
            from .check_template import print_template  # imports Jinja

            print_template(_read_document(chat_template, is_json=False), as_json)
            return
        needed = "give a grammar: a schema, or one of the options that guided check --help lists"
        source = read_grammar(schema=schema, needed=needed, **grammar)
        documents = {path: _read_document(path, is_json=schema is not None) for path in document or []}
        compiled = compile_source(source, model, backend)
        report = report_of(compiled, source, documents, text or [], try_seconds=try_seconds)
    if as_json:
        print(json.dumps(report.as_json()))
    else:
        report.print()
    if not report.allows_all:
        raise typer.Exit(1)


def report_of(
    grammar: CompiledGrammar,
    source: Mapping[str, Any],
    documents: Mapping[Path, bytes] = NOTHING,
    texts: Sequence[str] = (),
    *,
    try_seconds: float = TRY_SECONDS,
) -> CheckReport:
    """The report on a compiled grammar.

    source: the arguments of `compile_grammar` that it was compiled from.
    documents, texts: to match against the grammar.
    try_seconds: seconds for generating texts; 0: none.
    """
    schema = to_json_schema(source["json_schema"]) if "json_schema" in source else None
    acceptor = Acceptor(grammar)
    of_documents = {path: acceptor.match(content) for path, content in documents.items()}
    of_texts = {text: acceptor.match(text.encode("utf-8", "surrogateescape")) for text in texts}
    trial = None
    if try_seconds:
        from ..schemas.trial import try_out

        trial = try_out(grammar, schema, max_seconds=try_seconds)
    notes: list[Surprise | Unbounded] = [*surprises(grammar.spec, schema), *unbounded(schema)]
    return CheckReport(grammar, misspelled(schema), notes, trial, of_documents, of_texts)


def _read_document(path: Path, *, is_json: bool) -> bytes:
    """The file's bytes. is_json: without a final newline, which editors add and which is no part of a JSON document."""
    try:
        content = path.read_bytes()
        return content.removesuffix(b"\n") if is_json else content
    except OSError as error:
        raise InvalidInputError(f"can't read document {str(path)!r}: {error.strerror}") from None


def _print_library(as_json: bool) -> None:
    found = [ready_grammars.get(name) for name in ready_grammars.names()]
    if as_json:
        print(json.dumps([vars(grammar) for grammar in found]))
        return
    table = Table("name", "kind", "dialect", "what", title="Ready grammars")
    for grammar in found:
        table.add_row(grammar.name, grammar.kind, grammar.dialect or "", grammar.description)
    Console().print(table)
