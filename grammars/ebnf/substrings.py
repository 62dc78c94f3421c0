"""`substrings`: texts made of adjacent chunks of a list."""

from __future__ import annotations

from itertools import accumulate, groupby

import numpy as np

from ..quote_tree import QuoteTree, quotes_of
from ..quotes import SourceText
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..schema_input import is_unicode
from ..text_boundaries import CodePoints, Marks, code_points
from ..word_breaks import ENDS, STARTS


def substrings(chunks: list[str]) -> Language:
    """Return the texts of any number of adjacent chunks; the empty text is included. No text has a lone surrogate."""
    runs = [list(run) for is_text, run in groupby(chunks, is_unicode) if is_text]
    return lang.union(lang.EMPTY_TEXT, *[quotes_of(QuoteTree(_Chunks(run))) for run in runs])


class _Chunks(SourceText):
    """Chunks joined to one text. Quotes of it may begin and end at their edges."""

    def __init__(self, chunks: list[str]) -> None:
        self._edges = [0, *accumulate(map(len, chunks))]
        super().__init__("".join(chunks))

    def _read(self) -> tuple[CodePoints, Marks]:
        points = code_points(self.source)
        marks = np.zeros(len(points) + 1, np.uint8)
        marks[self._edges] = STARTS | ENDS
        return points, marks
