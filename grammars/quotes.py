"""Quotes of a source text: what counts as one, and where it stands in the text."""

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
"""What is said of the former option `case`, for another value than "sensitive"."""

_CHOICES = {"boundaries": ("words", "any"), "whitespace": ("collapse", "exact")}


@dataclass(frozen=True)
class QuoteOptions:
    """Where a quote may begin and end, and how the source's whitespace is written in it."""

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
    """A text that is quoted, prepared once for all its quotes.

    source: the text as it was given. marks: uint8 (n + 1,), whether a quote may begin and end at each place of its
    `points`; see `word_breaks`. spelled: it as machines read it, once the first one has; it serves all.
    """

    def __init__(self, source: str, options: QuoteOptions | None = None) -> None:
        """Raises GrammarInputError for a source with a lone surrogate."""
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
        """uint32 (n,), its characters as quotes are written: whitespace collapsed where the options say so."""
        return self._read()[0]

    def forget_points(self) -> None:
        """Free the memory of `points`, four bytes a character; who asks for them has them found again."""
        self.__dict__.pop("points", None)

    @cached_property
    def text(self) -> str:
        """The text as quotes are written."""
        return self.points.tobytes().decode("utf-32-le")

    @cached_property
    def starts(self) -> Flags:
        """bool (n + 1,), the places of `text` where a quote may begin."""
        return (self.marks & STARTS).astype(np.bool_)

    @cached_property
    def ends(self) -> Flags:
        """bool (n + 1,), the places of `text` where a quote may end."""
        return (self.marks & ENDS).astype(np.bool_)

    @cached_property
    def offsets(self) -> NDArray[np.int32]:
        """int32 (n + 1,), each character's place in the source, and the source's length."""
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
        """The last place of `text` where a quote may end; 0 for none."""
        return self._extent[0]

    @property
    def num_starts(self) -> int:
        """At how many places before that a quote may begin."""
        return self._extent[1]

    @cached_property
    def _extent(self) -> tuple[int, int]:
        extent: tuple[int, int] = extent_of_quotes(self.marks)
        return extent

    @property
    def num_bytes(self) -> int:
        """Memory of the text and of what was found about it, without `spelled`."""
        arrays = [one.nbytes for one in self.__dict__.values() if isinstance(one, np.ndarray)]
        texts = [sys.getsizeof(one) for one in self.__dict__.values() if isinstance(one, str)]
        return sum(arrays) + sum(texts)

    def places(self, quote: str) -> list[tuple[int, int]]:
        """All places of a quote, as (start, end) in characters of the source; places may overlap.

        A space that stands for a run of whitespace has the place of the whole run.
        """
        if not quote or not is_unicode(quote):
            return []
        begins = np.fromiter(chain.from_iterable(_occurrences(self.text, quote)), np.int64)
        begins = begins[self.starts[begins] & self.ends[begins + len(quote)]]
        return list(zip(self.offsets[begins].tolist(), self.offsets[begins + len(quote)].tolist(), strict=True))


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
