"""`FAMILIES`: how model families write their calls. The table is families.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from guided.grammars.styles import Layout

from .arguments import JSON_ARGUMENTS, ArgumentStyle, IndentedJson
from .channels import Channels, Part
from .ids import ANY_IDS, NUMBERS, SHORT_IDS, CallIds
from .python_arguments import PythonArguments
from .styled_arguments import StyledArguments
from .syntax import ToolSyntax

_PYTHON = PythonArguments()
_IDS: Mapping[str, CallIds] = {
    "any": ANY_IDS,
    "short": SHORT_IDS,
    "numbers": NUMBERS,
    # numbers in the text; the chat template wants the name, too
    "functions": replace(NUMBERS, for_template=lambda call_id, name, place: f"functions.{name}:{place}"),
    # numbers of the calls of one answer, from 1
    "indices": CallIds(in_text=lambda call_id, name, place: str(place + 1), characters="[0-9]", most=4),
}


def _families() -> dict[str, ToolSyntax]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {name: _family(name, entry) for name, entry in table.items()}


def _family(name: str, entry: dict[str, Any]) -> ToolSyntax:
    """The family of one table. An unknown key is a TypeError."""
    given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    ids, channels = _IDS[given.pop("ids", "any")], given.pop("channels", None)
    arguments = _arguments(given)
    parts = None if channels is None else _channels(**channels)
    return ToolSyntax(name, arguments=arguments, ids=ids, channels=parts, **given)


def _arguments(entry: dict[str, Any]) -> ArgumentStyle:
    """The form of a family's arguments. Takes its keys out of the entry."""
    if "style" in entry:
        layout = entry.pop("layout", None)
        return StyledArguments(entry.pop("style"), None if layout is None else Layout(**layout))
    if "indented" in entry:
        return IndentedJson(**entry.pop("indented"))
    return _PYTHON if entry.pop("python", False) else JSON_ARGUMENTS


def _channels(before: list[dict[str, Any]], answer: dict[str, Any], **others: Any) -> Channels:
    return Channels(tuple(Part(**part) for part in before), Part(**answer), **others)


FAMILIES: Mapping[str, ToolSyntax] = _families()
"""All families, by their names."""

DEFAULT = FAMILIES["hermes"]
"""The syntax that models of an unknown family are told to write."""
