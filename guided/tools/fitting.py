"""`fit`: adapts a syntax to the whitespace that a chat template writes, if the template writes the syntax's marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from .arguments import ArgumentStyle
from .calls import ToolCall
from .marks import CallMarks
from .syntax import PLACE, ToolSyntax


@dataclass(frozen=True)
class Fit:
    """A syntax that spells a part of a text. start, end: place of that part."""

    syntax: ToolSyntax
    start: int
    end: int


def fit(syntax: ToolSyntax, calls: Sequence[ToolCall], text: str) -> Fit | None:
    """The place of the calls in a text and the whitespace around them; None if the syntax spells them otherwise."""
    for style in syntax.arguments.variants():
        for has_ids in (True, False) if syntax.id_part else (False,):
            parts = _parts(syntax, len(calls), has_ids=has_ids)
            if not all(mark in text for part in parts for mark in PLACE.split(part.text)):
                continue
            found = _pattern(syntax, tuple(calls), style, has_ids=has_ids).search(text)
            if found is not None:
                fitted = _with_spaces(replace(syntax, arguments=style), parts, found.groups())
                before = syntax.call[: len(syntax.call) - len(syntax.call.lstrip())]
                if before and not syntax.is_grouped and text[: found.start()].endswith(before):
                    between = fitted.between.removesuffix(before)
                    fitted = replace(fitted, call=before + fitted.call, between=between)
                    return Fit(fitted, found.start() - len(before), found.end())
                return Fit(fitted, found.start(), found.end())
    return None


@dataclass(frozen=True)
class _Part:
    """A mark of a syntax. piece: the syntax's field with this mark. call: index of the mark's call, or None."""

    piece: str
    text: str
    call: int | None = None


def _parts(syntax: ToolSyntax, num_calls: int, *, has_ids: bool) -> list[_Part]:
    return list(_each_part(syntax, num_calls, has_ids=has_ids))


def _each_part(syntax: ToolSyntax, num_calls: int, *, has_ids: bool) -> Iterator[_Part]:
    yield from (_Part("group_begin", text) for text in CallMarks(syntax.group_begin).parts)
    for call in range(num_calls):
        if call:
            yield from (_Part("between", text) for text in CallMarks(syntax.between).parts)
        for text in CallMarks(syntax.call).parts:
            yield _Part("call", text, call)
            if text == "ARGUMENTS" and has_ids:
                yield from (_Part("id_part", mark, call) for mark in CallMarks(syntax.id_part).parts)
    yield from (_Part("group_end", text) for text in CallMarks(syntax.group_end).parts)


@lru_cache(maxsize=512)
def _pattern(
    syntax: ToolSyntax, calls: tuple[ToolCall, ...], style: ArgumentStyle, *, has_ids: bool
) -> re.Pattern[str]:
    """A regex of all parts, with a group for the whitespace between each two."""
    places = [
        {
            "NAME": re.escape(call.name),
            "ARGUMENTS": style.pattern(call.arguments),
            "ID": re.escape(syntax.ids.in_text(call.id, call.name, index)),
        }
        for index, call in enumerate(calls)
    ]
    patterns = []
    for part in _parts(syntax, len(calls), has_ids=has_ids):
        of_call = places[part.call or 0]
        marks = PLACE.split(part.text)
        filled = [of_call[word] for word in PLACE.findall(part.text)]
        patterns.append("".join(re.escape(mark) + one for mark, one in zip(marks, [*filled, ""], strict=True)))
    return re.compile(r"(\s*)".join(patterns))


def _with_spaces(syntax: ToolSyntax, parts: Sequence[_Part], spaces: Sequence[str]) -> ToolSyntax:
    """The syntax with this whitespace between its parts. For calls, that of the first call is used."""
    pieces: dict[str, Any] = dict.fromkeys(("group_begin", "call", "id_part", "between", "group_end"), "")
    for index, part in enumerate(parts):
        if part.call in (None, 0):
            pieces[part.piece] += part.text
        if index < len(spaces):
            owner = _owner(part, parts[index + 1])
            if part.call in (None, 0) or owner == "group_end":
                pieces[owner] += spaces[index]
    if parts[-1].call == 0 or not any(part.call == 1 for part in parts):
        pieces["between"] = syntax.between
    return replace(syntax, **pieces)


def _owner(part: _Part, behind: _Part) -> str:
    """The syntax's field for the whitespace between two parts. A group's field takes precedence over one of its
    calls.
    """
    if behind.call is None:
        return behind.piece
    if part.call is None:
        return part.piece
    return behind.piece if part.call == behind.call else "between"
