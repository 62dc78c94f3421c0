"""Kernels: interned lists of numbers, so that equal lists have one number (see `hash_map`)."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from .hash_map import HASH_BITS, MASK32, NOT_ZERO
from .kernel import kernel
from .structs import Array


@kernel
def hash_of(numbers: Array[int], start: int) -> int:
    """Return the key of a list in a hash map. start: another number that belongs to the key."""
    key = start
    for number in numbers:
        key = ((key ^ (number >> 32)) * 0x9E3779B1 + (number & MASK32) * 0x85EBCA6B) & HASH_BITS
    return key | NOT_ZERO


@kernel
def are_equal(first: Array[int], second: Array[int]) -> bool:
    """Return True if two lists have the same numbers."""
    if len(first) != len(second):
        return False
    index = 0
    while index < len(first) and first[index] == second[index]:
        index += 1
    return index == len(first)
