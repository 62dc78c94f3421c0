"""`guided check --chat-template`: reports whose calls a template writes, and what else it does for tools."""

from __future__ import annotations

import json

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from guided.grammars.errors import InvalidInputError

from ..tools.calls import ToolCall
from ..tools.support import ToolSupport, find_support

_CALLS = [ToolCall("call_1", "NAME", '{"PARAMETER": "VALUE"}'), ToolCall("call_2", "NAME", '{"PARAMETER": "VALUE"}')]


def print_template(source: bytes, as_json: bool) -> None:
    """Print the report on a template. Raises InvalidInputError for a file without a template."""
    try:
        support = find_support(_template_in(source.decode()))
    except UnicodeDecodeError:
        raise InvalidInputError("a chat template is a text in UTF-8") from None
    if as_json:
        print(json.dumps(_as_json(support)))
        return
    console = Console()
    table = Table("what", Column("how", overflow="fold"), title="Tools")
    for what, how in _rows(support):
        table.add_row(what, Text(how))
    console.print(table)
    if not support.is_known:
        console.print(Text(f"warning: {support.note}", "yellow"))


def _template_in(text: str) -> str:
    """The template in a text: the text itself, or the template in a tokenizer's configuration. If it has several, the
    template for tools.
    """
    try:
        config = json.loads(text)
    except ValueError:
        return text
    found = config.get("chat_template") if isinstance(config, dict) else None
    if isinstance(found, list):
        named = {one["name"]: one["template"] for one in found}
        found = named.get("tool_use", named.get("default"))
    if not isinstance(found, str):
        raise InvalidInputError("this JSON has no chat_template; give the chat template itself")
    return found


def _as_json(support: ToolSupport) -> dict[str, object]:
    return {
        "family": support.syntax.name if support.is_known else None,
        "calls": support.syntax.spell(_CALLS[: 2 if support.syntax.is_parallel else 1]),
        "shows_tools": support.shows_tools,
        "writes_calls": support.writes_calls,
        "several_calls": support.syntax.is_parallel,
        "note": support.note,
    }


def _rows(support: ToolSupport) -> list[tuple[str, str]]:
    """The lines of the table."""
    found = _as_json(support)
    return [
        ("family", support.syntax.name if support.is_known else "unknown"),
        ("calls in an answer", "several" if support.syntax.is_parallel else "one"),
        ("they are written", str(found["calls"])),
        ("definitions", "the template shows them" if support.shows_tools else "explained in a system message"),
        ("former calls, results", "the template writes them" if support.writes_calls else "given as text"),
    ]
