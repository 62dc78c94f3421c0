"""`PairMap`: a hash table from pairs of numbers to numbers, which Python fills and kernels read."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np

from ..kernels.arrays import Int32s, Int64s
from .kernel import exported, kernel
from .structs import Struct, Table, int32, int64

MASK32 = 0xFFFFFFFF


class PairMap(Struct):
    """From pairs of numbers below 2 ** 31 (not both 0). Open addressing with linear probing, at most half full.

    keys: first << 32 | second, 0 for a free place. Both tables have a power of two of places.
    """

    keys: Table[int64]
    values: Table[int32]

    def __init__(self) -> None:
        super().__init__()
        for table in (self.keys, self.values):
            table.ensure(256)

    def insert(self, first: int, second: int, value: int) -> None:
        """Add a pair that is not there yet."""
        if 2 * self.keys.used >= self.keys.capacity:
            self.grow()
        place = find_pair(self.address, first, second)
        self.keys.data[-1 - place] = first << 32 | second
        self.values.data[-1 - place] = value
        self.keys.used += 1

    def value(self, first: int, second: int) -> int:
        """The value of a pair; 0 where it is not there."""
        place = find_pair(self.address, first, second)
        return int(self.values.data[place]) if place >= 0 else 0

    def clear(self) -> None:
        """Forget all pairs."""
        self.keys.data[:] = 0
        self.keys.used = 0

    def grow(self) -> None:
        """Twice the room."""
        keys, values = self.keys.data, self.values.data
        self.keys.replace(np.zeros(2 * len(keys), np.int64))
        self.values.replace(np.zeros(2 * len(values), np.int32))
        add_pairs(self.address, keys, values)


@kernel
def hash_pair(first: int, second: int) -> int:
    """A number from two numbers below 2 ** 31; not negative."""
    return (first * 0x9E3779B1 + second * 0x85EBCA6B) >> 15


@kernel
def place_of(pairs: PairMap, first: int, second: int) -> int:
    """The place of a pair; -1 - the place where it would stand, where it is not there."""
    mask = pairs.keys.capacity - 1
    keys, key = pairs.keys.span(), first << 32 | second
    place = hash_pair(first, second) & mask
    while True:
        found = keys[place]
        if found == key:
            return place
        if found == 0:
            return -1 - place
        place = (place + 1) & mask


@exported(releases_gil=False)
def find_pair(address: int, first: int, second: int) -> int:
    """`place_of`, for Python. address: of a PairMap."""
    return place_of(PairMap.at(address), first, second)


@exported
def add_pairs(address: int, keys: Int64s, values: Int32s) -> None:
    """Add the pairs of another map's tables, none of which is there yet."""
    pairs = PairMap.at(address)
    for index in range(len(keys)):
        if keys[index]:
            place = -1 - place_of(pairs, keys[index] >> 32, keys[index] & MASK32)
            pairs.keys[place] = keys[index]
            pairs.values[place] = values[index]
