"""`guided check`: is a grammar enforced exactly, and how; does it allow a given document?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from guided.grammars import library as ready_grammars
from guided.grammars.errors import InvalidInputError

from .sources import load_schema

if TYPE_CHECKING:
    from guided.grammars.backends.base import CompiledGrammar


def check(
    schema: Annotated[
        str | None, typer.Argument(help="FILE.json (a JSON Schema), FILE.py:CLASS or MODULE:CLASS.")
    ] = None,
    regex: Annotated[str | None, typer.Option(help="Check a regex (Python syntax) instead of a schema.")] = None,
    library: Annotated[
        str | None, typer.Option(help="Check a ready grammar of the package; --list names them.")
    ] = None,
    document: Annotated[
        list[Path] | None,
        typer.Option(help="Also say whether the grammar allows the text of this file; can be repeated."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Folder or hub name whose tokenizer to compile for. Default: the embedded one.")
    ] = None,
    backend: Annotated[str | None, typer.Option(help="Grammar backend. Default: the best one for everything.")] = None,
    whitespace: Annotated[
        str, typer.Option(help="Between JSON tokens: flexible, compact, spaced or a regex.")
    ] = "flexible",
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    list_ready: Annotated[
        bool, typer.Option("--list", help="List the ready grammars of the package and stop.")
    ] = False,
) -> None:
    """Compile a grammar and report, keyword by keyword, how it is enforced.

    A keyword that can't be enforced exactly is an error here, with its place and what to write instead.

    Examples:

    guided check person.json

    guided check models.py:Order --document order-17.json

    guided check --regex '[0-9]{4}-[0-9]{2}'

    guided check --library csv_row --document row.csv

    Exit code: 0, 1 when a document is not allowed, 2 when the grammar is refused.
    """
    if list_ready:
        _print_library(as_json)
        return
    if [schema, regex, library].count(None) != 2:
        raise InvalidInputError("give a schema, --regex or --library, one of the three")
    texts = {path: _read_document(path, is_json=schema is not None) for path in document or []}
    grammar = _compile(_sources(schema, regex, library), model, backend, None if schema is None else whitespace)
    verdicts = {path: allows(grammar, text) for path, text in texts.items()}
    if as_json:
        report = [vars(entry) for entry in grammar.report]
        print(json.dumps({"report": report, "documents": {str(path): verdict for path, verdict in verdicts.items()}}))
    else:
        _print(grammar, verdicts)
    if not all(verdicts.values()):
        raise typer.Exit(1)


def allows(grammar: CompiledGrammar, text: bytes) -> bool:
    """True when the grammar can generate exactly these bytes; they are tried one by one, each as a token."""
    matcher = grammar.matcher()
    return all(matcher.accept_token(token_id) for token_id in _byte_tokens(grammar, text)) and matcher.is_accepting()


def _byte_tokens(grammar: CompiledGrammar, text: bytes) -> list[int]:
    by_bytes = {
        token: token_id for token_id, token in enumerate(grammar.vocabulary.tokens) if token and len(token) == 1
    }
    try:
        return [by_bytes[bytes([byte])] for byte in text]
    except KeyError as error:
        message = f"can't check documents with this tokenizer: it has no token for the single byte {error.args[0]!r}"
        raise InvalidInputError(message) from None


def _sources(schema: str | None, regex: str | None, library: str | None) -> dict[str, Any]:
    """The grammar as arguments of `compile_grammar`."""
    if schema is not None:
        return {"json_schema": load_schema(schema)}
    return {"regex": regex} if library is None else dict(ready_grammars.get(library).arguments)


def _compile(
    sources: dict[str, Any], model: str | None, backend: str | None, whitespace: str | None
) -> CompiledGrammar:
    with Console(stderr=True).status("compiling"):
        from ..compile import compile_grammar
        from ..embedded import model_path
        from ..engine.loading import load_vocabulary

        options: dict[str, Any] = {} if backend is None else {"backend": backend}
        if whitespace is not None:
            options["whitespace"] = whitespace
        vocabulary = load_vocabulary(str(model_path()) if model is None else model)
        return compile_grammar(vocabulary, **sources, **options)


def _read_document(path: Path, *, is_json: bool) -> bytes:
    """The file's bytes; the newline that editors put at the end is no part of a JSON document."""
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


def _print(grammar: CompiledGrammar, verdicts: dict[Path, bool]) -> None:
    console = Console()
    table = Table("pointer", "keyword", "how it is enforced", title="How each keyword is enforced")
    for entry in grammar.report:
        table.add_row(entry.pointer or "(root)", entry.keyword, entry.enforcement)
    console.print(table)
    for path, is_allowed in verdicts.items():
        console.print(f"{path}: {'[green]allowed[/green]' if is_allowed else '[red]not allowed[/red]'}")
