"""Quotes of a source text: what counts as one, and where it stands in the text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from .errors import GrammarInputError
from .schema_input import is_unicode
from .text_boundaries import (
    CodePoints,
    code_points,
    distinct,
    grapheme_boundaries,
    whitespace,
    word_boundaries,
)

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


class SourceText:
    """A text that is quoted, prepared once for all its quotes.

    text: as quotes are written: its whitespace collapsed and its case folded where the options say so.
    starts, ends: bool (n + 1,), the places of `text` where a quote may begin, and where it may end.
    offsets: int64 (n + 1,), each character's place in the source, and the source's length.
    source: the text as it was given. spelled: it as machines read it, once the first one has; it serves all.
    """

    def __init__(self, source: str, options: QuoteOptions | None = None) -> None:
        """Raises GrammarInputError for a source with a lone surrogate."""
        self.options = options or QuoteOptions()
        self.source = source
        self.spelled: object | None = None
        try:
            points = code_points(source)
        except UnicodeEncodeError as error:
            reason = f"character {error.start} of the source is a lone surrogate, which no text can hold"
            raise GrammarInputError(reason) from None
        self.offsets = np.arange(len(points) + 1)
        is_space = whitespace(points)
        if self.options.whitespace == "collapse":
            is_kept = ~is_space
            is_kept[1:] |= ~is_space[:-1]
            is_kept[:1] = True
            points = np.where(is_space, np.uint32(ord(" ")), points)[is_kept]
            self.offsets = np.append(np.flatnonzero(is_kept), len(source))
            is_space = is_space[is_kept]
        if self.options.boundaries == "words":
            boundaries = word_boundaries(points)
            self.starts, self.ends = boundaries.copy(), boundaries
            self.starts[:-1] &= ~is_space
            self.ends[1:] &= ~is_space
        else:
            self.starts = self.ends = grapheme_boundaries(points)
        self.text = self._as_compared(points).tobytes().decode("utf-32-le")

    @property
    def last_end(self) -> int:
        """The last place of `text` where a quote may end; 0 for none."""
        return len(self.ends) - 1 - int(self.ends[::-1].argmax()) if self.ends.any() else 0

    @property
    def num_bytes(self) -> int:
        """Memory of the text and of what was found about it, without `spelled`."""
        arrays = self.starts.nbytes + self.ends.nbytes + self.offsets.nbytes
        return arrays + sys.getsizeof(self.text) + sys.getsizeof(self.source)

    def places(self, quote: str) -> list[tuple[int, int]]:
        """All places of a quote, as (start, end) in characters of the source; places may overlap.

        A space that stands for a run of whitespace has the place of the whole run.
        """
        if not quote or not is_unicode(quote):
            return []
        wanted = self._as_compared(code_points(quote)).tobytes().decode("utf-32-le")
        begins = np.fromiter(chain.from_iterable(_occurrences(self.text, wanted)), np.int64)
        begins = begins[self.starts[begins] & self.ends[begins + len(wanted)]]
        return list(zip(self.offsets[begins].tolist(), self.offsets[begins + len(wanted)].tolist(), strict=True))

    def _as_compared(self, points: CodePoints) -> CodePoints:
        """Each character's case folded on its own, where case does not count; so offsets stay."""
        if self.options.case == "sensitive" or not len(points):
            return points
        different = distinct(points)
        folds = np.zeros(int(different[-1]) + 1, np.uint32)
        folds[different] = [folded(point) for point in different.tolist()]
        return folds[points]


def folded(point: int) -> int:
    """A character in the case in which characters are compared: its case folded, if that is one character too."""
    other = chr(point).casefold()
    return ord(other) if len(other) == 1 else point


def _occurrences(text: str, wanted: str) -> Iterator[range]:
    """Where one text begins in another, in order, overlapping places too. Their time is that of the text.

    Two neighbouring places that share half of what is wanted are one period of it apart, and so are all that follow
    up to where the text breaks the period: none of these is compared (Fine and Wilf). The others are few.
    """
    start = text.find(wanted)
    while start >= 0:
        after = text.find(wanted, start + 1)
        period = after - start
        if 0 < period <= len(wanted) // 2:
            end = _end_of_period(text, period, after)
            run = range(start, end - len(wanted) + 1, period)
            yield run
            after = text.find(wanted, run[-1] + 1)
        else:
            yield range(start, start + 1)
        start = after


def _end_of_period(text: str, period: int, begin: int) -> int:
    """Where the characters end, from `begin` on, each of which is the one that stands a period before it."""
    size = 64
    while size:
        size = min(size, len(text) - begin)
        if text.startswith(text[begin - period : begin - period + size], begin):
            begin += size
            size *= 2
        else:
            size //= 2
    return begin
