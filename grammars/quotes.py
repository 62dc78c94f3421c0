"""Quotes of a source text: which strings count, and where they stand in the text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .cached import cached_property
from .errors import GrammarInputError
from .schema_input import is_unicode
from .text_boundaries import (
    CodePoints,
    Flags,
    Marks,
    code_points,
    grapheme_boundaries,
    whitespace,
    words_of,
)
from .word_breaks import ENDS, STARTS, extent_of_quotes

NO_CASE = "a quote is written as its source writes it, upper and lower case too; leave 'case' out"
"""Error message for the former option `case` with a value other than "sensitive"."""

_CHOICES = {"boundaries": ("words", "any"), "whitespace": ("collapse", "exact")}


@dataclass(frozen=True)
class QuoteOptions:
    """The places where a quote may begin and end, and its form of the source's whitespace."""

    boundaries: Literal["words", "any"] = "words"
    """Words: at the boundaries of Unicode's TR29, with no whitespace at either end. Any: between two graphemes."""
    whitespace: Literal["collapse", "exact"] = "collapse"
    """Collapse: a run of whitespace of the source is written as one space."""

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                choices = " or ".join(repr(choice) for choice in allowed)
                raise GrammarInputError(f"a quote's {name} is {choices}, not {getattr(self, name)!r}")


class SourceText:
    """A source text, prepared once for all its quotes.

    source: the given text.
    marks: attribute; uint8 (n + 1,), whether a quote may begin and end at each index of `points`; see `word_breaks`.
    spelled: attribute; the text as machines read it, set by the first machine and used by all.
    """

    def __init__(self, source: str, options: QuoteOptions | None = None) -> None:
        """Raises GrammarInputError if the source has a lone surrogate."""
        self.options = options or QuoteOptions()
        self.source = source
        self.spelled: object | None = None
        try:
            self.points, self.marks = self._read()
        except UnicodeEncodeError as error:
            reason = f"character {error.start} of the source is a lone surrogate, which no text can hold"
            raise GrammarInputError(reason) from None

    def _read(self) -> tuple[CodePoints, Marks]:
        points, marks = words_of(code_points(self.source), collapses=self._collapses)
        if self.options.boundaries == "any":
            marks = grapheme_boundaries(points) * np.uint8(STARTS | ENDS)
        return points, marks

    @cached_property
    def points(self) -> CodePoints:
        """uint32 (n,), the characters as quotes write them: with collapsed whitespace if the options say so."""
        return self._read()[0]

    def forget_points(self) -> None:
        """Free the memory of `points`, four bytes a character. The next access computes `points` again."""
        self.__dict__.pop("points", None)

    @cached_property
    def text(self) -> str:
        """The text as quotes are written."""
        return self.points.tobytes().decode("utf-32-le")

    @cached_property
    def starts(self) -> Flags:
        """bool (n + 1,), the indexes of `text` where a quote may begin."""
        return (self.marks & STARTS).astype(np.bool_)

    @cached_property
    def ends(self) -> Flags:
        """bool (n + 1,), the indexes of `text` where a quote may end."""
        return (self.marks & ENDS).astype(np.bool_)

    @cached_property
    def offsets(self) -> NDArray[np.int32]:
        """int32 (n + 1,), the index of each character in the source, then the source's length."""
        if not self._collapses:
            return np.arange(len(self.source) + 1, dtype=np.int32)
        is_space = whitespace(code_points(self.source))
        is_kept = ~is_space
        is_kept[1:] |= ~is_space[:-1]
        is_kept[:1] = True
        return np.append(np.flatnonzero(is_kept), len(self.source)).astype(np.int32)

    @property
    def _collapses(self) -> bool:
        return self.options.whitespace == "collapse"

    @property
    def last_end(self) -> int:
        """The last index of `text` where a quote may end; 0: there is none."""
        return self._extent[0]

    @property
    def num_starts(self) -> int:
        """Number of indexes before `last_end` where a quote may begin."""
        return self._extent[1]

    @cached_property
    def _extent(self) -> tuple[int, int]:
        extent: tuple[int, int] = extent_of_quotes(self.marks)
        return extent

    @property
    def num_bytes(self) -> int:
        """Memory of the text and of its tables, without `spelled`."""
        arrays = [one.nbytes for one in self.__dict__.values() if isinstance(one, np.ndarray)]
        texts = [sys.getsizeof(one) for one in self.__dict__.values() if isinstance(one, str)]
        return sum(arrays) + sum(texts)

    def places(self, quote: str) -> list[tuple[int, int]]:
        """All places of a quote, as (start, end) in characters of the source; places may overlap.

        A space that stands for a run of whitespace covers the whole run.
        """
        if not quote or not is_unicode(quote):
            return []
        begins = np.fromiter(chain.from_iterable(_occurrences(self.text, quote)), np.int64)
        begins = begins[self.starts[begins] & self.ends[begins + len(quote)]]
        return list(zip(self.offsets[begins].tolist(), self.offsets[begins + len(quote)].tolist(), strict=True))


def _occurrences(text: str, wanted: str) -> Iterator[range]:
    """The places of one text in another, in order, overlapping places included, in linear time.

    If two neighbouring places share half of the wanted text, their distance is a period of it. Up to the index where
    the text breaks the period, all places have this distance and are not compared (Fine and Wilf). Others are few.
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
    """The end of the characters, from index `begin` on, that equal the character one period before them."""
    size = 64
    while size:
        size = min(size, len(text) - begin)
        if text.startswith(text[begin - period : begin - period + size], begin):
            begin += size
            size *= 2
        else:
            size //= 2
    return begin
