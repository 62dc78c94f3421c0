"""`HashMap`: the hash table of all kernels. `PairMap`: a hash table whose keys are pairs of numbers.

Open addressing with linear probing, at most half full. Keys are numbers other than 0. A map of interned objects has
their hashes as keys and their numbers as values; a key may then occur more than once:

    slot = slot_of(index, key)
    while slot >= 0:
        if is_same(things, index.values[slot]):
            return index.values[slot]
        slot = next_slot(index, key, slot)
    make_room(index)  # may start the kernel again, so it comes before all writes
    number = things.reserve(1)
    add(index, key, number)
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..kernels.arrays import Int32s, Int64s
from .kernel import exported, kernel
from .structs import Struct, Table, int32, int64

MASK32 = 0xFFFFFFFF
NOT_ZERO = 1 << 60
"""A bit for keys of at most 60 bits, so that no key is 0."""
HASH_BITS = (1 << 47) - 1
"""The bits of a hash that is multiplied again."""


class HashMap(Struct):
    """A map from numbers to numbers. `keys` and `values` have 2 ** n slots. keys: 0 marks a free slot."""

    rooms: ClassVar = {"keys": 256, "values": 256}
    keys: Table[int64]
    values: Table[int32]

    def __init__(self, capacity: int = 256) -> None:
        super().__init__()
        if capacity > self.rooms["keys"]:
            self.keys.ensure(capacity)
            self.values.ensure(capacity)

    def clear(self) -> None:
        """Remove all keys."""
        self.keys.data[:] = 0
        self.keys.used = 0

    def grow(self) -> None:
        """Grow eightfold while the map is small, else twofold. The kernel that needs the room starts again."""
        keys, values = self.keys.data, self.values.data
        capacity = len(keys) * (8 if len(keys) < 2048 else 2)
        self.keys.replace(np.zeros(capacity, np.int64))
        self.values.replace(np.zeros(capacity, np.int32))
        self.keys.used = 0
        add_all(self.address, keys, values)


class PairMap(HashMap):
    """A map from pairs of numbers below 2 ** 31 (not both 0). keys: first << 32 | second."""

    def insert(self, first: int, second: int, value: int) -> None:
        """Add a pair that is not in the map."""
        insert_pair(self.address, first, second, value)

    def value(self, first: int, second: int) -> int:
        """Return the value of a pair; 0 if it is not in the map."""
        slot = find_pair(self.address, first, second)
        return int(self.values.data[slot]) if slot >= 0 else 0


@kernel
def hash_pair(first: int, second: int) -> int:
    """Return a number, not negative, that depends on two numbers below 2 ** 31."""
    return (first * 0x9E3779B1 + second * 0x85EBCA6B) >> 15


@kernel
def hash_three(first: int, second: int, third: int) -> int:
    """Return a key that depends on three numbers."""
    mixed = first * 0x9E3779B1 + second * 0x85EBCA6B + third * 0xC2B2AE35
    return ((mixed >> 17) ^ mixed ^ (mixed >> 40)) & HASH_BITS | NOT_ZERO


@kernel
def _home(pairs: HashMap, key: int) -> int:
    """Return the slot where the search for a key begins."""
    return hash_pair(key >> 32, key & MASK32) & (pairs.keys.capacity - 1)


@kernel
def _probe(pairs: HashMap, key: int, slot: int) -> int:
    """Return the first slot from `slot` on that has a key; -1 - (the free slot for it) if there is none."""
    keys, mask = pairs.keys.span(), pairs.keys.capacity - 1
    while True:
        found = keys[slot]
        if found == key:
            return slot
        if found == 0:
            return -1 - slot
        slot = (slot + 1) & mask


@kernel
def slot_of(pairs: HashMap, key: int) -> int:
    """Return the first slot of a key; below 0 if it is not in the map."""
    return _probe(pairs, key, _home(pairs, key))


@kernel
def next_slot(pairs: HashMap, key: int, slot: int) -> int:
    """Return the next slot of the same key; below 0 if there is none."""
    return _probe(pairs, key, (slot + 1) & (pairs.keys.capacity - 1))


@kernel
def value_of_pair(pairs: PairMap, first: int, second: int) -> int:
    """Return the value of a pair in a map without values below 0; -1 if the pair is not in the map."""
    slot = slot_of(pairs, first << 32 | second)
    return pairs.values[slot] if slot >= 0 else -1


@kernel
def make_room(pairs: HashMap) -> None:
    """Make room for one more key."""
    if 2 * pairs.keys.used >= pairs.keys.capacity:
        pairs.keys.ensure(2 * pairs.keys.capacity)


@kernel
def add(pairs: HashMap, key: int, value: int) -> None:
    """Add a key; a key in the map is added again. BOUNDS: `make_room` was called."""
    slot = _probe(pairs, 0, _home(pairs, key))
    pairs.keys[slot] = key
    pairs.values[slot] = value
    pairs.keys.used += 1


@kernel
def forget(pairs: HashMap, key: int) -> None:
    """Remove a key and everything behind it in its run of slots. Use this only to remove all keys one by one."""
    keys, mask = pairs.keys.span(), pairs.keys.capacity - 1
    slot = _home(pairs, key)
    while keys[slot] != 0:
        keys[slot] = 0
        pairs.keys.used -= 1
        slot = (slot + 1) & mask


@exported(releases_gil=False)
def find_pair(address: int, first: int, second: int) -> int:
    """Return the slot of a pair; below 0 if it is not in the map. address: address of a PairMap."""
    return slot_of(PairMap.at(address), first << 32 | second)


@exported(releases_gil=False)
def insert_pair(address: int, first: int, second: int, value: int) -> None:
    """Add a pair that is not in the map. address: address of a PairMap."""
    pairs = PairMap.at(address)
    make_room(pairs)
    add(pairs, first << 32 | second, value)


@exported
def add_all(address: int, keys: Int64s, values: Int32s) -> None:
    """Add all entries of another map's tables. address: address of a HashMap."""
    pairs = HashMap.at(address)
    for index in range(len(keys)):
        if keys[index]:
            add(pairs, int(keys[index]), int(values[index]))
