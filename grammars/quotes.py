"""Quotes of a source text: what counts as one, and where it stands in the text."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

import regex

from .errors import GrammarInputError

_WORD_BOUNDARY = regex.compile(r"(?w)\b")
_GRAPHEME = regex.compile(r"\X")
_WHITESPACE = regex.compile(r"\s+")

_CHOICES = {"boundaries": ("words", "any"), "whitespace": ("collapse", "exact"), "case": ("sensitive", "fold")}


@dataclass(frozen=True)
class QuoteOptions:
    """Where a quote may begin and end, and how its characters are compared with the source's."""

    boundaries: Literal["words", "any"] = "words"
    """Words: at the boundaries of Unicode's TR29, with no whitespace at either end. Any: between two graphemes."""
    whitespace: Literal["collapse", "exact"] = "collapse"
    """Collapse: a run of whitespace of the source is written as one space."""
    case: Literal["sensitive", "fold"] = "sensitive"
    """Fold: a character may be written in another case, if that is one character too."""

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                choices = " or ".join(repr(choice) for choice in allowed)
                raise GrammarInputError(f"a quote's {name} is {choices}, not {getattr(self, name)!r}")


def find_quotes(source: str, quote: str, options: QuoteOptions | None = None) -> list[tuple[int, int]]:
    """All places of `quote` in `source`, as (start, end) in characters of the source; places may overlap.

    A space that stands for a run of whitespace has the place of the whole run.
    """
    options = options or QuoteOptions()
    if not quote or (options.boundaries == "words" and (quote[0].isspace() or quote[-1].isspace())):
        return []
    text, offsets = _as_read(source, options)
    boundaries = _boundaries(text, options)
    if options.case == "fold":
        text, quote = _folded(text), _folded(quote)
    places = []
    start = text.find(quote)
    while start >= 0:
        end = start + len(quote)
        if _is_in(boundaries, start) and _is_in(boundaries, end):
            places.append((offsets[start], offsets[end]))
        start = text.find(quote, start + 1)
    return places


def _as_read(source: str, options: QuoteOptions) -> tuple[str, list[int]]:
    """The text that quotes are taken from, and each of its characters' offset in the source (and the source's end)."""
    if options.whitespace == "exact":
        return source, list(range(len(source) + 1))
    pieces: list[str] = []
    offsets: list[int] = []
    done = 0
    for run in _WHITESPACE.finditer(source):
        pieces += (source[done : run.start()], " ")
        offsets += range(done, run.start() + 1)
        done = run.end()
    pieces.append(source[done:])
    offsets += range(done, len(source) + 1)
    return "".join(pieces), offsets


def _boundaries(text: str, options: QuoteOptions) -> list[int]:
    """Where a quote may begin or end, in order."""
    if options.boundaries == "words":
        return [boundary.start() for boundary in _WORD_BOUNDARY.finditer(text)]
    return [0, *(grapheme.end() for grapheme in _GRAPHEME.finditer(text))]


def _folded(text: str) -> str:
    """Each character's case folded on its own, so that offsets stay."""
    return "".join(folded if len(folded := char.casefold()) == 1 else char for char in text)


def _is_in(ordered: list[int], value: int) -> bool:
    index = bisect_left(ordered, value)
    return index < len(ordered) and ordered[index] == value
