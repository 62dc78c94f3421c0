"""The grammar options that commands share, and the arguments of `compile_grammar` and `SamplingParams` that they
give.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from guided.grammars import library as ready_grammars
from guided.grammars.errors import InvalidInputError

from .sources import load_schema, read_text_file

if TYPE_CHECKING:
    from guided.grammars.limits import Limits
    from guided.grammars.protocol import CompiledGrammar

_Read = Callable[[Any], dict[str, Any]]


def _option(kind: Any, metavar: str, help_text: str) -> Any:
    return Annotated[kind, typer.Option(metavar=metavar, help=help_text, rich_help_panel="Grammars (give one)")]


GRAMMARS: dict[str, tuple[Any, _Read]] = {
    "schema": (
        _option(
            str | None,
            "SCHEMA",
            "JSON: FILE.json (a JSON Schema), FILE.py:CLASS, MODULE:CLASS, or the JSON Schema itself: '{...}'.",
        ),
        lambda source: {"json_schema": load_schema(source)},
    ),
    "regex": (
        _option(str | None, "REGEX", "A regex in Python's syntax; the whole text matches."),
        lambda pattern: {"regex": pattern},
    ),
    "choice": (
        _option(list[str] | None, "TEXT", "One of these texts; give it once for each."),
        lambda texts: {"choice": texts},
    ),
    "choices": (
        _option(Path | None, "FILE", "One of the lines of this file that are not blank."),
        lambda path: {"choice": _lines(read_text_file(path, "file of choices"))},
    ),
    "ebnf": (
        _option(Path | None, "FILE", "An EBNF grammar, in any of four dialects."),
        lambda path: {"ebnf": read_text_file(path, "grammar file")},
    ),
    "structural_tag": (
        _option(
            Path | None,
            "FILE.json",
            'Free text with constrained regions, such as tool calls: {"type": "structural_tag", "format": ...} or '
            '{"structures": [...], "triggers": [...]}.',
        ),
        lambda path: {"structural_tag": read_text_file(path, "structural tag file")},
    ),
    "all_of": (
        _option(
            Path | None,
            "FILE.json",
            'Several grammars that the text must all fit: [{"ebnf": ...}, {"regex": ...}, '
            '{"banned_substrings": [...]}].',
        ),
        lambda path: {"all_of": _read_json(path)},
    ),
    "library": (
        _option(str | None, "NAME", "A ready grammar of the package; guided check --list names them."),
        lambda name: dict(ready_grammars.get(name).arguments),
    ),
}
"""Option -> its type with help, and a function from its value to arguments of `compile_grammar` or `SamplingParams`."""

LimitsText = Annotated[
    str | None,
    typer.Option(
        metavar="JSON",
        envvar="GUIDED_LIMITS",
        help='What the grammar may cost: fields of guided.Limits, such as {"max_automaton_states": 50000}.',
    ),
]
SchemaSource = Annotated[str | None, typer.Argument(help="FILE.json (a JSON Schema), FILE.py:CLASS or MODULE:CLASS.")]
TokenizerSource = Annotated[
    str | None, typer.Option(help="Folder or hub name whose tokenizer to compile for. Default: the embedded one.")
]


def _detail(help_text: str) -> Any:
    return Annotated[str | None, typer.Option(help=help_text)]


DETAILS: dict[str, Any] = {
    "dialect": _option(
        str | None,
        "NAME",
        "Of --ebnf: gbnf (llama.cpp), xgrammar (also SGLang), w3c or lark (also llguidance). Default: recognised from "
        "the text.",
    ),
    "limits": LimitsText,
    "whitespace": _detail(
        "Of a schema, between JSON tokens: flexible, compact, spaced or a regex. Default: flexible, or what the model "
        "that writes prefers."
    ),
    "values": _detail(
        "Numbers and times in schemas: canonical (as writers write them) or any. Default: canonical where a model "
        "writes and for a Python type, else any."
    ),
}
"""Option about a grammar -> its type with help."""
READINGS: dict[str, Any] = {
    "pattern": _detail("Of a schema: search, or full (each pattern matches the whole string). Default: search."),
    "objects": _detail("Of a schema: open, or closed (no members but those that it names). Default: open."),
}
"""The same, for commands that ask no model."""
NO_MORE: Mapping[str, Any] = MappingProxyType({})


def takes_a_grammar(more: Mapping[str, Any] = NO_MORE) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator: the command gets the options of `read_grammar` in place of `**grammar`, except options that the
    command declares itself.

    Args:
        more: further options, name -> type with help; default: none.
    """
    shared = {**more, **{name: annotation for name, (annotation, _) in GRAMMARS.items()}, **DETAILS}

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters
        options = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
            for name, annotation in shared.items()
            if name not in own
        ]
        kept = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for name, one in own.items() if name != "grammar"]
        command.__signature__ = inspect.Signature([*kept, *options])  # type: ignore[attr-defined]
        return command

    return with_options


def read_grammar(
    *, dialect: str | None = None, limits: str | None = None, needed: str | None = None, **options: Any
) -> dict[str, Any]:
    """The given grammar, as arguments of `compile_grammar` or `SamplingParams`; {} without one.

    Args:
        dialect: the value of --dialect; default None.
        limits: the value of --limits, JSON text; default None.
        needed: message of the error for no grammar; default None: a grammar is optional.
        options: values of the other options of GRAMMARS, DETAILS and READINGS.

    Raises:
        InvalidInputError: if several grammars are given, if a needed one is missing, if an option has no grammar to
            apply to, or if a file can't be read.
    """
    given = {name: value for name, value in options.items() if value is not None and value != []}
    details = {name: given.pop(name) for name in (*DETAILS, *READINGS) if name in given}
    named = list(given)
    if not named and needed is not None:
        raise InvalidInputError(needed)
    if len(named) > 1:
        listed = [
            "the schema" if name == "schema" else f"--{name.replace('_', '-')}" for name in GRAMMARS if name in named
        ]
        raise InvalidInputError(f"{' and '.join(listed)} exclude each other; give one grammar")
    if dialect is not None and named != ["ebnf"]:
        raise InvalidInputError("--dialect only applies to --ebnf")
    if not named:
        for name in details:
            raise InvalidInputError(f"--{name} only applies to a grammar; give one, or leave it out")
        return {}
    found = GRAMMARS[named[0]][1](given[named[0]]) | details
    if dialect is not None:
        found["dialect"] = dialect
    if limits is not None:
        found["limits"] = limits_of(limits)
    return found


def limits_of(text: str) -> Limits:
    """The limits in the option `--limits`. Raises InvalidInputError."""
    from ..params.limits import read_limits

    return read_limits(text, "--limits")


def compile_source(source: dict[str, Any], model: str | None, backend: str | None = None) -> CompiledGrammar:
    """A grammar from `read_grammar`, compiled for a model's vocabulary, while a spinner is shown.

    model: folder or hub name; None: the embedded model. Only the model's tokenizer is loaded.
    """
    with Console(stderr=True).status("compiling"):
        from ..compile import compile_grammar
        from ..model_vocabulary import load_vocabulary

        vocabulary = load_vocabulary(model)
        return compile_grammar(vocabulary, **source, backend=backend)


def _read_json(path: Path) -> Any:
    try:
        return json.loads(read_text_file(path, "file of grammars"))
    except ValueError as error:
        raise InvalidInputError(f"{path} is no JSON: {error}") from None


def _lines(text: str) -> list[str]:
    """The lines of a text that are not blank."""
    return [line for line in re.split(r"\r?\n", text) if line.strip()]
