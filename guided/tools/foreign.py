"""`foreign_family`: whether a text has a call as another family of models writes it. Such a call stays text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .definitions import Tool
from .marks import Found, Marks
from .syntax import ToolSyntax
from .syntaxes import FAMILIES


def foreign_family(text: str, tools: Sequence[Tool], own: ToolSyntax) -> str | None:
    """The family as whose call of one of the tools the earliest part of the text begins; None: there is none.

    own: the syntax of the model, whose own calls are no part of the text.
    """
    found = [(place, family.name) for family in FAMILIES for place in _calls(family, tools, text)]
    others = [(place, name) for place, name in found if name != own.name]
    return min(others, key=lambda one: one[0])[1] if others else None


def _calls(family: ToolSyntax, tools: Sequence[Tool], text: str) -> Iterator[int]:
    """Where the first call of the family begins, if there is one."""
    for place in _places(family, text):
        rest = text[place:]
        openers = (Marks(family.group_begin + family.opener(tool.name), family.ids.characters) for tool in tools)
        if any(opener.find(rest)[0] is Found.WHOLE for opener in openers):
            yield place
            return


def _places(family: ToolSyntax, text: str) -> Iterator[int]:
    """Where a call of the family may begin: at its mark or, where it has none, with the text."""
    if not family.trigger:
        yield 0
        return
    place = text.find(family.trigger)
    while place >= 0:
        yield place
        place = text.find(family.trigger, place + 1)
