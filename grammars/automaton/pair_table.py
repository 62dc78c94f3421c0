"""`PairTable`: a hash table from pairs of numbers to numbers that Python fills and kernels read."""

from __future__ import annotations

import numpy as np

from .memory import Block, Column, address
from .steps import refill_pairs


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
            self.grow()
        keys, mask = self._keys.data, len(self._keys.data) - 1
        place = hash_pair(first, second, mask)
        while keys[place]:
            place = (place + 1) & mask
        keys[place] = first << 32 | second
        self._values.data[place] = value
        self._keys.used += 1

    def value(self, first: int, second: int) -> int:
        """The value of a pair; 0 where it is not there."""
        keys, mask = self._keys.data, len(self._keys.data) - 1
        key, place = first << 32 | second, hash_pair(first, second, mask)
        while keys[place] and keys[place] != key:
            place = (place + 1) & mask
        return int(self._values.data[place]) if keys[place] else 0

    def grow(self) -> None:
        """Twice the room."""
        old_keys, old_values = self._keys.data, self._values.data
        for column in (self._keys, self._values):
            column.data = np.zeros(2 * len(column.data), dtype=column.data.dtype)
            column.publish()
        self._fields[self._mask] = len(self._keys.data) - 1
        places = address(old_keys), address(old_values), len(old_keys)
        refill_pairs(*places, address(self._keys.data), address(self._values.data), len(self._keys.data) - 1)


def hash_pair(first: int, second: int, mask: int) -> int:
    """`steps.pair_hash` for Python's numbers, without a call into compiled code."""
    return ((first * 0x9E3779B1 + second * 0x85EBCA6B) >> 15) & mask
