"""Combines the subcommands, and turns expected errors into one line and exit code 2."""

from __future__ import annotations

import ast
import errno
import importlib.util
import logging
import os
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Annotated, Any

import typer

import guided
from guided.grammars.errors import GuidedError, LimitExceededError
from guided.grammars.extras import needed_by

from ..other_project import ADVICE

COMMANDS = "guided.commands"  # entry points of subcommands: functions that typer turns into commands
USAGE_EXIT_CODE = 2
INTERRUPTED_EXIT_CODE = 130
FULL_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
UsageError: Any = typer.BadParameter.__bases__[0]  # the base class of usage errors; typer has no public name for it

HELP = """Constrained and structured generation with language models.

Try: guided extract --schema examples/models.py:Person examples/texts/people/conference.txt

Every command explains itself: guided extract --help
"""


def build_app(arguments: list[str]) -> typer.Typer:
    """The command with all installed subcommands, in alphabetical order. Only the called one is imported.

    The list of commands is plain text, since boxes and colours would take longer to import than everything else it
    needs.
    """
    found = sorted(entry_points(group=COMMANDS), key=lambda entry_point: entry_point.name)
    called = arguments[0] if arguments else None
    is_command = any(entry_point.name == called for entry_point in found)
    app = typer.Typer(
        name="guided",
        help=HELP,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich" if is_command else None,
    )
    app.callback()(_options_of_all)
    for entry_point in found:
        function = entry_point.load() if entry_point.name == called else _named_only(entry_point)
        # passed explicitly, since the list would cut it
        summary = (function.__doc__ or "").strip().partition("\n\n")[0]
        app.command(entry_point.name, short_help=summary)(function)
    return app


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"guided {guided.__version__}")
        raise typer.Exit


def _options_of_all(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    pass


def _named_only(entry_point: EntryPoint) -> Callable[[], None]:
    """A placeholder for a subcommand in the list. The subcommand's description is read from its source without
    importing it.
    """

    def subcommand() -> None:
        raise AssertionError(f"{entry_point.name} was not the subcommand that was called")

    try:
        spec = importlib.util.find_spec(entry_point.module)
    except GuidedError as error:  # a required extra is missing
        subcommand.__doc__ = f"Not installed: {error}."
        return subcommand
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        subcommand.__doc__ = entry_point.load().__doc__
        return subcommand
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    found = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == entry_point.attr)
    subcommand.__doc__ = next((ast.get_docstring(node) for node in found), None)
    return subcommand


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 for success, 2 for bad input (one line on standard error), 130 when
    interrupted.
    """
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    given = sys.argv[1:] if arguments is None else arguments
    if not hasattr(guided, "__version__"):  # the other project's file lies in the place of ours
        fail(ADVICE)
    try:
        given = given or ["--help"]
        with needed_by(f"guided {given[0]}"):
            sys.exit(build_app(given)(given, prog_name="guided", standalone_mode=False))
    except GuidedError as error:
        fail(_message(error))
    except UsageError as error:
        command = error.ctx.command_path if error.ctx else "guided"
        fail(f"{_usage(error)}; see {command} --help")
    except OSError as error:
        if error.errno not in FULL_DISK:
            raise
        fail(f"can't write {error.filename or 'to standard output'}: {error.strerror}")
    except (typer.Abort, KeyboardInterrupt):
        typer.echo("interrupted", err=True)
        sys.exit(INTERRUPTED_EXIT_CODE)


def _message(error: GuidedError) -> str:
    """An error's message. If a passed limit is the error or its cause, the message also names the option that raises
    this limit.
    """
    for limit in (error, error.__cause__):
        if isinstance(limit, LimitExceededError) and limit.is_field:
            advice = f"{limit.problem}; raise it with --limits '{{\"{limit.limit}\": ...}}'"
            return str(error).replace(str(limit), advice)
    return str(error)


def _usage(error: Any) -> str:
    """A usage error's message. For an option of an earlier version it says what to do without it.

    The attribute `gone` of a subcommand's function names such options (`Settings.all_gone`).
    """
    option = getattr(error, "option_name", None) or ""
    name = option.lstrip("-").removeprefix("no-").replace("-", "_")
    gone = getattr(error.ctx.command.callback, "gone", {}) if error.ctx else {}
    if name in gone:
        return f"{option} is no option any more: {gone[name]}"
    return " ".join(error.format_message().split()).rstrip(".")


def fail(message: str) -> None:
    """Print a message and exit with code 2."""
    typer.echo(f"guided: {message}", err=True)
    sys.exit(USAGE_EXIT_CODE)
