"""`SpelledText`: a source text as it is spelled in JSON strings, and where in it quotes may begin and end."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from ...cached import cached_property
from ...quotes import SourceText

_ASCII_LENGTHS = np.array(
    [len(json.dumps(chr(code), ensure_ascii=False)) - 2 for code in range(0x80)], dtype=np.uint8
)  # in bytes, as it is spelled


class SpelledText:
    """text: uint8 (n,), up to the last place where a quote may end. ends: uint8 (n + 1,), 1 where one may end.

    starts: int32, ascending, where one may begin. widest_gap: no place from the first start on is further from an end.
    """

    def __init__(self, source: SourceText) -> None:
        ends, last = np.flatnonzero(source.ends), source.last_end
        self.text: NDArray[np.uint8] = np.frombuffer(
            json.dumps(source.text[:last], ensure_ascii=False)[1:-1].encode(), np.uint8
        )
        points = np.frombuffer(source.text[:last].encode("utf-32-le"), np.uint32)
        if len(points) == len(self.text):
            places = np.arange(last + 1, dtype=np.int32)
        else:
            places = np.zeros(last + 1, np.int32)
            np.cumsum(_lengths(points), out=places[1:])
        self._places = places
        self.ends = np.zeros(len(self.text) + 1, np.uint8)
        places_of_ends = places[ends]
        self.ends[places_of_ends] = 1
        self.starts: NDArray[np.int32] = places[np.flatnonzero(source.starts[:last])]
        first = int(self.starts[0]) if len(self.starts) else 0
        self.widest_gap = int(np.diff(places_of_ends[places_of_ends > first], prepend=first).max(initial=0))

    @property
    def num_bytes(self) -> int:
        """Memory of the arrays, those that are not asked for yet included."""
        return sum([one.nbytes for one in (self.text, self.ends, self.starts, self._places)]) + 4 * len(self.ends)

    @cached_property
    def characters(self) -> NDArray[np.int32]:
        """int32 (n + 1,): how many characters end at a place or before it."""
        counts = np.zeros(len(self.text) + 1, np.int32)
        counts[self._places[1:]] = 1
        return np.cumsum(counts, dtype=np.int32)


def _lengths(points: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The bytes of each character."""
    lengths: NDArray[np.uint8] = _ASCII_LENGTHS[np.minimum(points, 0x7F)]
    lengths[points >= 0x80] = 2
    lengths[points >= 0x800] = 3
    lengths[points >= 0x10000] = 4
    return lengths
