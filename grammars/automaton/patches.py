"""`Patches`: room for the words in which masks differ from their base rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import layout as at
from .memory import Block, address

_MIN_PAIRS, _MAX_PAIRS = 1 << 11, 1 << 15  # in a chunk; 8 bytes each


class Patches:
    """Chunks of int32 pairs (word, value), which never move. block: its registers say where the kernels write next."""

    def __init__(self, block: Block) -> None:
        self._fields = block.fields
        self._chunks: list[NDArray[np.int32]] = []

    @property
    def num_bytes(self) -> int:
        """Memory of all chunks."""
        return sum([chunk.nbytes for chunk in self._chunks])

    def add_chunk(self, num_pairs: int) -> None:
        """Room for at least so many more pairs."""
        size = min(_MAX_PAIRS, _MIN_PAIRS << len(self._chunks))
        chunk = np.zeros(2 * max(size, num_pairs), dtype=np.int32)
        self._chunks.append(chunk)
        self._fields[at.M_PATCH] = address(chunk)
        self._fields[at.M_PATCH_USED] = 0
        self._fields[at.M_PATCH_CAPACITY] = len(chunk) // 2
