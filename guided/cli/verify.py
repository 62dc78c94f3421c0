"""`guided verify`: checks finished JSON documents against a schema, by two independent libraries and the automaton."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from guided.grammars.document_validator import validator_of
from guided.grammars.errors import InvalidInputError
from guided.grammars.extras import require
from guided.grammars.json_paths import pointer_of
from guided.grammars.limits import Limits

from ..schemas.decimal_places import WrittenFloat
from ..schemas.enforcement import digest_of
from ..schemas.exact_json import write_json
from ..schemas.python_types import to_json_schema
from .check_report import MAX_SHOWN, refusals_as_json
from .grammar_options import TokenizerSource, compile_source
from .sources import load_schema, read_text_file

INVALID_EXIT_CODE, DISAGREE_EXIT_CODE = 1, 3

Validator = Callable[[Any], str]
"""Says what is wrong with a document; "" if nothing is."""


class _Document(NamedTuple):
    """line: its first line in the file. data: None if the text is no JSON; problem: then why."""

    line: int
    data: Any
    problem: str = ""


@dataclass(frozen=True)
class Verdict:
    """The answers of the validators about a document.

    problems: validator -> its error message, "" for none. The key "json" has the error of a text that is no JSON.
    """

    line: int
    problems: dict[str, str]

    @property
    def is_valid(self) -> bool:
        """True if no validator objects."""
        return not any(self.problems.values())

    @property
    def is_disputed(self) -> bool:
        """True if some object and some do not."""
        return not self.is_valid and not all(self.problems.values())


def verify(
    file: Annotated[Path, typer.Argument(help="JSON lines, or one JSON document.")],
    schema: Annotated[str, typer.Option(help="FILE.json (a JSON Schema), FILE.py:CLASS, MODULE:CLASS or the JSON.")],
    field: Annotated[
        str | None, typer.Option(help="The document is in this member of each line, such as data.")
    ] = None,
    model: TokenizerSource = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all verdicts as JSON.")] = False,
) -> None:
    """Check documents that were generated before, or elsewhere, against a schema.

    Three validators judge each document: the libraries jsonschema and jsonschema_rs, and the automaton that generates.
    The libraries are independent of each other. For jsonschema, our automaton searches patterns and multipleOf is
    exact; jsonschema_rs shares no code with us. The automaton reads the document as plain JSON, with keys in any order.
    Needs the extra `verify`.

    Examples:

    guided verify found.jsonl --schema person.json

    guided verify results.jsonl --schema models.py:Person --field data

    Exit code: 0; 1 if a document is invalid; 2 if the schema is refused or the file can't be read; 3 if the validators
    disagree.
    """
    from guided.grammars.backends.meta_schema import check_meta_schema, dialect_of  # takes 0.1 s to import

    with refusals_as_json(as_json):
        jsonschema_rs = require("jsonschema_rs", "guided verify")
        loaded = load_schema(schema)
        found = to_json_schema(loaded)
        if isinstance(found, dict) and "$schema" not in found:
            check_meta_schema(found, dialect_of(found), Limits())  # the validators read it as the default draft
        grammar = compile_source({"json_schema": loaded, "property_order": "any", "values": "any"}, model)
        rust = _rust(jsonschema_rs, found)
        validators = {"jsonschema": _library(found), **rust, "automaton": _automaton(grammar)}
        verdicts = [_judge(document, validators) for document in _documents(file, field)]
    if as_json:
        shown = [asdict(one) | {"is_valid": one.is_valid} for one in verdicts]
        print(json.dumps({"validators": list(validators), "digest": digest_of(grammar.spec), "documents": shown}))
    else:
        _print(verdicts, list(validators))
    if any(one.is_disputed for one in verdicts):
        raise typer.Exit(DISAGREE_EXIT_CODE)
    if not all(one.is_valid for one in verdicts):
        raise typer.Exit(INVALID_EXIT_CODE)


def _documents(file: Path, field: str | None) -> Iterator[_Document]:
    """The documents of a file: the whole text if it is JSON, else its lines that are not blank.

    Where no line is a document by itself, the text is one document that is no JSON. An indented line with a plain value
    is no document: such lines end lists that are written over several lines.
    """
    text = read_text_file(file, "file")
    if not text.strip():
        raise InvalidInputError(f"{str(file)!r} has no documents")
    whole = _read(1, text)
    parts = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    lines = [_read(number, line) for number, line in parts] if whole.problem else [whole]
    is_lines = any(
        not one.problem and (isinstance(one.data, dict | list) or not line[0].isspace())
        for one, (_, line) in zip(lines, parts, strict=False)
    )
    lines = lines if is_lines else [whole]
    for document in lines:
        yield document if field is None or document.problem else _member(document, field)


def _member(document: _Document, field: str) -> _Document:
    if not isinstance(document.data, dict) or field not in document.data:
        return document._replace(data=None, problem=f"has no member {field!r}")
    return document._replace(data=document.data[field])


def _read(line: int, text: str) -> _Document:
    try:
        data = _STRICT.decode(text)
        if "\\u" in text:
            write_json(data).encode()
        return _Document(line, data)
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        return _Document(line, None, f"no JSON in UTF-8: {half} is half of a surrogate pair")
    except (ValueError, RecursionError) as error:
        return _Document(line, None, f"no JSON: {error}")


def _without_duplicates(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("a member occurs twice")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")


_STRICT = json.JSONDecoder(object_pairs_hook=_without_duplicates, parse_constant=_no_number, parse_float=WrittenFloat)


def _judge(document: _Document, validators: dict[str, Validator]) -> Verdict:
    if document.problem:
        return Verdict(document.line, {"json": document.problem})
    try:
        return Verdict(document.line, {name: validate(document.data) for name, validate in validators.items()})
    except RecursionError:
        return Verdict(document.line, {"json": "nested too deeply"})


def _library(schema: Any) -> Validator:
    """The library `jsonschema`."""
    validator = validator_of(schema)

    def problem(data: Any) -> str:
        error = next(iter(validator.iter_errors(data)), None)
        return "" if error is None else f"{error.json_path}: {error.message}"

    return problem


def _automaton(grammar: Any) -> Validator:
    """The automaton that generates, on the document's text."""
    from guided.workbench.inspection.match import Acceptor

    acceptor = Acceptor(grammar)

    def problem(data: Any) -> str:
        match = acceptor.match(write_json(data).encode())
        if match.is_accepted:
            return ""
        where = match.expected.document
        found = "its end" if match.found is None else repr(match.found)
        return f"{where or '(root)'}: found {found}, expected {match.expected.text}"

    return problem


def _rust(jsonschema_rs: Any, schema: Any) -> dict[str, Validator]:
    """The library jsonschema_rs if it takes the schema; standard error says if it does not."""
    try:
        validator = jsonschema_rs.validator_for(schema, validate_formats=True)
    except ValueError as error:
        reason = str(error).partition("\n")[0]
        print(f"guided: without jsonschema_rs, which does not take this schema: {reason}", file=sys.stderr)
        return {}

    def problem(data: Any) -> str:
        plain = json.loads(write_json(data))  # the validator takes no subclasses of float
        error = next(iter(validator.iter_errors(plain)), None)
        if error is None:
            return ""
        where = pointer_of(error.instance_path)
        return f"{where or '(root)'}: {error.message}"

    return {"jsonschema_rs": problem}


def _print(verdicts: list[Verdict], validators: list[str]) -> None:
    console = Console()
    wrong = [one for one in verdicts if not one.is_valid]
    if wrong:
        table = Table("line", "validator", "what is wrong", title="Documents that are not valid")
        for one in wrong[:MAX_SHOWN]:
            for place, (name, problem) in enumerate(one.problems.items()):
                table.add_row("" if place else str(one.line), name, problem or "(valid)")
        console.print(table)
    if len(wrong) > MAX_SHOWN:
        console.print(f"{len(wrong) - MAX_SHOWN} more are not valid; --json lists them all")
    num_disputed = sum(one.is_disputed for one in verdicts)
    disputed = f", the validators disagree about {num_disputed}" if num_disputed else ""
    console.print(
        f"{len(verdicts) - len(wrong)} of {len(verdicts)} documents valid by {', '.join(validators)}{disputed}"
    )
