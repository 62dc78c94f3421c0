"""`PairTable`: a hash table from pairs of numbers to numbers that Python fills and kernels read."""

from __future__ import annotations

import numpy as np

from . import layout as at
from .memory import Block, Column


class PairTable:
    """Pairs of numbers below 2 ** 31 (not both 0), each with an int32.

    keys, values, mask: its registers; the first two are columns. Open addressing, at most half full.
    """

    def __init__(self, block: Block, keys: int, values: int, mask: int) -> None:
        self._fields, self._mask = block.fields, mask
        self._keys = Column(block, keys, np.int64, 256)
        self._values = Column(block, values, np.int32, 256)
        self._fields[mask] = 255

    def insert(self, first: int, second: int, value: int) -> None:
        """Add a pair that is not there yet."""
        if 2 * self._keys.used >= len(self._keys.data):
            self._grow()
        keys, mask = self._keys.data, len(self._keys.data) - 1
        place = hash_pair(first, second, mask)
        while keys[place]:
            place = (place + 1) & mask
        keys[place] = first << 32 | second
        self._values.data[place] = value
        self._keys.used += 1

    def _grow(self) -> None:
        old = [(int(key), int(value)) for key, value in zip(self._keys.data, self._values.data, strict=True) if key]
        for column in (self._keys, self._values):
            column.ensure(2 * len(column.data))
            column.data[:] = 0
        self._keys.used = 0
        self._fields[self._mask] = len(self._keys.data) - 1
        for key, value in old:
            self.insert(key >> 32, key & at.MASK32, value)


def hash_pair(first: int, second: int, mask: int) -> int:
    """`steps.pair_hash` for Python's numbers, without a call into compiled code."""
    return ((first * 0x9E3779B1 + second * 0x85EBCA6B) >> 15) & mask
