"""`Patches`: room for the words in which masks differ from their base rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..memory.layout import dtype_of
from .structs import ChangedWord, Patch

_MIN_WORDS, _MAX_WORDS = 1 << 11, 1 << 15  # in a chunk; 8 bytes each


class Patches:
    """Chunks of changed words, which never move. num_bytes: of all chunks.

    patch: says where the kernels write next.
    """

    def __init__(self, patch: Patch) -> None:
        self._words = patch.words
        self._words.let_grow(self._add_chunk)
        self._chunks: list[NDArray[np.void]] = []
        self.num_bytes = 0

    def _add_chunk(self) -> None:
        """Let the kernels write to a new chunk, which has room for what they have to write."""
        size = max(min(_MAX_WORDS, _MIN_WORDS << len(self._chunks)), self._words.wanted - self._words.used)
        chunk = np.zeros(size, dtype_of(ChangedWord))
        self._chunks.append(chunk)
        self.num_bytes += chunk.nbytes
        self._words.replace(chunk)
        self._words.used = 0
