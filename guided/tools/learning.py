"""`learn`: finds the syntax of a chat template of an unknown family, if the template writes arguments as JSON.

Two rendered calls show what belongs to each call and what to the whole group.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from .arguments import JSON_ARGUMENTS
from .calls import ToolCall
from .marks import MARK
from .syntax import ToolSyntax

_PART = re.compile(rf"\s+|{MARK}")
_FENCE = "```"
_TRIGGER = re.compile(r"<[^<>\s]+>?|\[[A-Z_]+\]|[^\s{}\[\]<>\"]{3,}\[?")


def learn(calls: Sequence[ToolCall], text: str) -> ToolSyntax | None:
    """The syntax of one or two calls in a text; None if the text shows no simple syntax. The text contains nothing
    else.
    """
    written = text = text.strip()
    for call in calls:
        text = text.replace(call.id, "ID")
    places = _places(calls, text)
    if places is None:
        return None
    (name, arguments, end), (_, _, last_end) = places[0], places[-1]
    head, middle, tail = text[:name], text[name + len(calls[0].name) : arguments], text[last_end:]
    begin = closing = between = ""
    if len(calls) > 1:
        inner = text[end : places[1][0]]
        opener = _common_end(head, inner)
        closer = _common_end(tail, _without(inner, opener), at_start=True)
        begin, between, closing = _without(head, opener), _without(inner, opener)[len(closer) :], tail[len(closer) :]
        head, tail = opener, closer
    if not _trigger(begin, head) and not (begin + head).startswith(("{", "[")):
        return None
    syntax = ToolSyntax(
        "learned",
        f"{head}NAME{middle}ARGUMENTS{tail}",
        group_begin=begin,
        between=between,
        group_end=closing,
        trigger=_trigger(begin, head),
        is_parallel=len(calls) > 1,
    )
    is_counted = any(character.isdigit() for character in between)  # a counted separator would differ for the next call
    is_it = syntax.call.count("NAME") == syntax.call.count("ARGUMENTS") == 1 and bool(begin) >= bool(closing)
    return syntax if is_it and not is_counted and syntax.spell(calls) == written else None


def _trigger(begin: str, head: str) -> str:
    """The mark at the beginning of calls, or "". Ordinary text may contain code blocks, so there it is everything up to
    a name.
    """
    opening = begin or head
    if opening.startswith(_FENCE):
        return opening.split("ID")[0]
    found = _TRIGGER.match(begin + head)
    return "" if found is None else found[0]


def _common_end(one: str, other: str, *, at_start: bool = False) -> str:
    """The longest common end of both texts that consists of marks and whitespace. at_start: the common beginning."""
    step = 1 if at_start else -1
    pairs = zip(_PART.findall(one)[::step], _PART.findall(other)[::step], strict=False)
    common = [part for part, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    return "".join(common[::step])


def _without(text: str, end: str) -> str:
    return text[: len(text) - len(end)]


def _places(calls: Sequence[ToolCall], text: str) -> list[tuple[int, int, int]] | None:
    """For each call, where its name begins and where its arguments begin and end. None if the calls don't follow each
    other.
    """
    places = []
    place = 0
    for call in calls:
        arguments = re.compile(JSON_ARGUMENTS.pattern(call.arguments)).search(text, place)
        name = text.find(call.name, place, arguments.start()) if arguments else -1
        if arguments is None or name < 0:
            return None
        place = arguments.end()
        places.append((name, arguments.start(), place))
    return places
