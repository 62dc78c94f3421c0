"""`CallMarks`: the text around names and arguments, which readers find with any whitespace between its parts.

The grammar writes exactly the syntax's whitespace. Readers, and the search for a template's syntax, accept other
whitespace too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

ID = "\x00"
"""Stands for the id of a call in a text of marks."""

_IN_NAME = "a-zA-Z0-9_./-"
NAME = f"[{_IN_NAME}]{{1,128}}"
"""A regex of tools' names: every name that OpenAI, Anthropic or MCP allows."""

END_OF_NAME = f"(?![{_IN_NAME}])"
MARK = r"""(?:"[^"\s\x00]*"|<[^<>\s\x00]*>?|[{}\[\],:">]|\x00|[^\s{}\[\],:<>"\x00]+)"""
"""A regex of one mark: a quoted text, a tag, a character of JSON, the place of an id, or other text."""

_PART = re.compile(rf"NAME(?=ARGUMENTS)|{MARK}")
_SPACE = re.compile(r"\s*")


class MarkMatch(Enum):
    """The result of comparing a text with marks."""

    WHOLE = "it begins with them"
    PART = "it may become their beginning"
    NONE = "it begins otherwise"


@dataclass(frozen=True)
class CallMarks:
    """Text around a name and arguments.

    text: the marks as the syntax writes them.
    id_characters: a regex of one character of a call's id.
    ends_in_name: the last mark is a tool's name.
    """

    text: str
    id_characters: str = ""
    ends_in_name: bool = False

    @cached_property
    def parts(self) -> list[str]:
        """The marks one by one, without the whitespace between them."""
        return _PART.findall(self.text)

    @cached_property
    def _id(self) -> re.Pattern[str]:
        return re.compile(f"(?:{self.id_characters})*")

    @cached_property
    def _last_space(self) -> str:
        return self.text[len(self.text.rstrip()) :]

    def find(self, text: str, *, after_space: bool = True) -> tuple[MarkMatch, int]:
        """Compare a text with the marks. Returns the result, and the index in the text where the marks end.

        after_space: whitespace may precede the first mark.
        """
        place = 0
        for index, part in enumerate(self.parts):
            if index or after_space or self.text[:1].isspace():
                place = _end(_SPACE, text, place)
            if part == ID:
                end = _end(self._id, text, place)
                if place == end < len(text):
                    return MarkMatch.NONE, place
                place = end
            elif text.startswith(part, place):
                place += len(part)
            else:
                return (MarkMatch.PART if part.startswith(text[place:]) else MarkMatch.NONE), place
        rest = text[place:]
        if self.ends_in_name and not (rest and re.match(END_OF_NAME, rest)):
            return (MarkMatch.NONE if rest else MarkMatch.PART), place  # the name is longer, or may be
        if rest.startswith(self._last_space):
            return MarkMatch.WHOLE, place + len(self._last_space)
        return (MarkMatch.PART if self._last_space.startswith(rest) else MarkMatch.WHOLE), place


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    """The index where the pattern's match at `place` ends; `place` if the pattern does not match there."""
    found = pattern.match(text, place)
    return place if found is None else found.end()


def overlap(text: str, mark: str) -> int:
    """Length of the longest end of a growing text that is a beginning of the mark, but not the whole mark."""
    longest = min(len(text), len(mark) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(mark[:n])), 0)
