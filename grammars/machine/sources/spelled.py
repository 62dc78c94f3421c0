"""`SpelledText`: a source text as spelled in JSON strings or in plain UTF-8, with the places where quotes may begin and
end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...cached import cached_property
from ...errors import LimitExceededError
from ...quotes import SourceText
from ...regex.spelled import JSON_ESCAPES
from .json_spelling import NUMBERED, PLAIN, count_characters, spell_text, spelled_size

ESCAPES = np.full(0x80, PLAIN, np.uint8)
"""uint8 (128,): for each ASCII character its form in a JSON string; see `json_spelling`."""
ESCAPES[[ord(char) for char, _ in JSON_ESCAPES]] = [
    ord(escape[1]) if len(escape) == 2 else NUMBERED for _, escape in JSON_ESCAPES
]
MAX_BYTES = 2**31 - 1  # places in a text are int32
_NO_ESCAPES = np.zeros_like(ESCAPES)  # all PLAIN


class SpelledText:
    """A spelled source text.

    text: attribute; uint8 (n,), the text up to the last place where a quote may end.
    ends: attribute; uint8 (n + 1,), 1 for each place where a quote may end.
    starts: attribute; int32, the places where quotes may begin, ascending.
    widest_gap: attribute; largest distance in bytes of a place after the first start from the next end.
    """

    def __init__(self, source: SourceText, *, is_escaped: bool = True) -> None:
        """is_escaped: True: spelled as in JSON strings; False: plain UTF-8."""
        escapes = ESCAPES if is_escaped else _NO_ESCAPES
        last = source.last_end
        points, marks = source.points[:last], source.marks[:last]
        num_bytes = spelled_size(points, escapes)
        if num_bytes > MAX_BYTES:
            raise LimitExceededError("source_bytes", MAX_BYTES, "bytes", "of one source, as JSON strings hold it")
        self.text: NDArray[np.uint8] = np.empty(num_bytes, np.uint8)
        self.ends: NDArray[np.uint8] = np.empty(num_bytes + 1, np.uint8)
        starts = np.empty(source.num_starts + 1, np.int32)
        self.widest_gap: int = spell_text(points, marks, escapes, self.text, self.ends, starts)
        self.starts: NDArray[np.int32] = starts[: source.num_starts]

    @property
    def num_bytes(self) -> int:
        """Memory of the arrays."""
        counts = self.__dict__.get("characters")
        return self.text.nbytes + self.ends.nbytes + self.starts.nbytes + (0 if counts is None else counts.nbytes)

    @cached_property
    def characters(self) -> NDArray[np.int32]:
        """int32 (n + 1,): for each place: number of whole characters before the place."""
        counts = np.empty(len(self.text) + 1, np.int32)
        count_characters(self.text, counts)
        return counts
