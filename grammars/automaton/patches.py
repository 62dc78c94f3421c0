"""`Patches`: room for the words in which masks differ from their base rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..memory.layout import dtype_of
from .structs import ChangedWord, Patch

_MIN_WORDS, _MAX_WORDS = 1 << 11, 1 << 15  # in a chunk; 8 bytes each


class Patches:
    """Chunks of changed words, which never move. patch: says where the kernels write next."""

    def __init__(self, patch: Patch) -> None:
        self._patch = patch
        self._chunks: list[NDArray[np.void]] = []

    @property
    def num_bytes(self) -> int:
        """Memory of all chunks."""
        return sum([chunk.nbytes for chunk in self._chunks])

    def add_chunk(self, num_words: int) -> None:
        """Room for at least so many more words."""
        size = min(_MAX_WORDS, _MIN_WORDS << len(self._chunks))
        chunk = np.zeros(max(size, num_words), dtype_of(ChangedWord))
        self._chunks.append(chunk)
        self._patch.words = chunk
        self._patch.used = 0
