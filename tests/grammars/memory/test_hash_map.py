"""`PairMap` against a dict, and the sort against Python's."""

from __future__ import annotations

import random

import numpy as np

from guided.grammars.memory.hash_map import HashMap, PairMap, add, forget, next_slot, slot_of
from guided.grammars.memory.kernel import kernel
from guided.grammars.memory.sorting import sort
from guided.grammars.memory.structs import Array, Struct, int32


def test_pairs_are_found_again() -> None:
    rng, pairs, known = random.Random(1), PairMap(), {}
    for value in range(3000):
        pair = rng.choice([rng.randrange(5), rng.randrange(2**31)]), rng.randrange(1, 2**31)
        if pair not in known:
            known[pair] = value
            pairs.insert(*pair, value)
    assert all(pairs.value(*pair) == value for pair, value in known.items())
    assert not any(pairs.value(first, 0) for first in range(1, 100) if (first, 0) not in known)
    assert pairs.keys.used == len(known)
    pairs.clear()
    assert not any(pairs.value(*pair) for pair in known)


class Numbers(Struct):
    numbers: Array[int32]


@kernel
def sort_numbers(address: int, count: int) -> None:
    """For Python."""
    sort(Numbers.at(address).numbers, count)


def test_sort() -> None:
    rng = random.Random(2)
    for length in [*range(9), 100, 1000]:
        data = np.array([rng.randrange(-50, 50) for _ in range(length)] + [-99], np.int32)
        holder = Numbers()
        holder.numbers = data
        expected = sorted(data[:-1].tolist())
        sort_numbers(holder.address, length)
        assert data.tolist() == [*expected, -99]


@kernel
def put(address: int, key: int, value: int) -> None:
    """For Python. The map has room."""
    add(HashMap.at(address), key, value)


@kernel
def sum_of(address: int, key: int) -> int:
    """The sum of the values of a key."""
    found, total = HashMap.at(address), 0
    slot = slot_of(found, key)
    while slot >= 0:
        total += found.values[slot]
        slot = next_slot(found, key, slot)
    return total


@kernel
def forget_key(address: int, key: int) -> None:
    """For Python."""
    forget(HashMap.at(address), key)


def test_keys_that_come_more_than_once() -> None:
    rng, numbers, sums = random.Random(3), HashMap(64), dict[int, int]()
    for value in range(1, 400):
        key = rng.randrange(1, 40) << rng.choice([0, 20, 40])
        while 2 * numbers.keys.used >= numbers.keys.capacity:
            numbers.grow()
        put(numbers.address, key, value)
        sums[key] = sums.get(key, 0) + value
    assert all(sum_of(numbers.address, key) == total for key, total in sums.items())
    assert sum_of(numbers.address, 1 << 50) == 0
    for key in sums:
        forget_key(numbers.address, key)
    assert numbers.keys.used == 0
    assert not numbers.keys.data.any()
