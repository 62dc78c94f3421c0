"""`foreign_family`: detects calls in the format of another model family. Such a call stays text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from .definitions import Tool
from .families import FAMILIES
from .marks import END_OF_NAME, ID, NAME, CallMarks
from .syntax import ToolSyntax


def foreign_family(text: str, tools: Sequence[Tool], own: ToolSyntax) -> str | None:
    """The family whose call, of one of the tools, begins first in the text; None if there is none.

    own: the model's syntax; its own calls are no part of the text.
    """
    names, openings = {tool.name for tool in tools}, _openings(own.name)
    found = openings.search(text)
    while found is not None:
        if found[f"{found.lastgroup}_tool"] in names:
            return found.lastgroup
        found = openings.search(text, found.start() + 1)
    return None


@cache
def _openings(own: str) -> re.Pattern[str]:
    """A regex for the beginnings of calls of all families but one. Each family has a group, which contains a group for
    the tool's name.

    PERF: one pattern for all families reads a text once, whatever the number of tools; most characters begin no mark.
    """
    families = [family for family in FAMILIES.values() if family.name != own]
    first = "".join(sorted({re.escape(family.trigger[0]) for family in families if family.trigger}))
    marked = "|".join(_opening(family) for family in families if family.trigger)
    unmarked = "|".join(_opening(family) for family in families if not family.trigger)
    return re.compile(rf"(?=[{first}])(?:{marked})|\A\s*(?:{unmarked})")


def _opening(family: ToolSyntax) -> str:
    """A regex of the text before the arguments of the first call."""
    text = family.group_begin + family.opener("NAME")
    parts = [f"(?:{family.ids.characters})+" if part == ID else re.escape(part) for part in CallMarks(text).parts]
    named = r"\s*".join(parts).replace("NAME", f"(?P<{family.name}_tool>{NAME})", 1)
    named = named.replace("NAME", f"(?P={family.name}_tool)")
    ends_in_name = f"{END_OF_NAME}(?s:(?=.))" if text.endswith("NAME") else ""
    return f"(?P<{family.name}>{named}{ends_in_name})"
