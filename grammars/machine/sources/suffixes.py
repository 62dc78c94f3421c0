"""Kernels: intervals of the sorted suffixes of a source text, and their narrowing by one byte."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from .structs import SortedText, SuffixBuckets

_FEW = 24  # maximum number of suffixes that are sorted by insertion


@kernel
def byte_after(source: SortedText, index: int, depth: int) -> int:
    """The byte of a suffix after its first `depth` bytes; -1 if the text ends there."""
    place = source.order[index] + depth
    return source.text[place] if place < len(source.text) else -1


@kernel
def split(buckets: SuffixBuckets, source: SortedText, first: int, count: int, depth: int) -> None:
    """Sort an interval of suffixes, which share `depth` bytes, by the next byte, unless it is sorted already."""
    if count == 1 or source.sorted_to[first] > depth:
        return
    if count <= _FEW:
        _insert(source, first, count, depth)
    else:
        _distribute(buckets, source, first, count, depth)
    last = -2
    for index in range(first, first + count):
        byte = byte_after(source, index, depth)
        if byte != last:
            source.sorted_to[index] = depth + 1
            last = byte


@kernel
def _insert(source: SortedText, first: int, count: int, depth: int) -> None:
    """Sort an interval by its next byte, by insertion."""
    order = source.order
    for index in range(first + 1, first + count):
        suffix = order[index]
        byte, slot = byte_after(source, index, depth), index
        while slot > first and byte_after(source, slot - 1, depth) > byte:
            order[slot] = order[slot - 1]
            slot -= 1
        order[slot] = suffix


@kernel
def _distribute(buckets: SuffixBuckets, source: SortedText, first: int, count: int, depth: int) -> None:
    """Sort an interval by its next byte, by counting, in place: each suffix is swapped into its bucket."""
    order, heads, tails = source.order, buckets.heads, buckets.tails
    for bucket in range(257):
        tails[bucket] = 0
    for index in range(first, first + count):
        tails[byte_after(source, index, depth) + 1] += 1
    total = first
    for bucket in range(257):
        heads[bucket] = total
        total += tails[bucket]
        tails[bucket] = total
    for bucket in range(257):
        while heads[bucket] < tails[bucket]:
            index = heads[bucket]
            target = byte_after(source, index, depth) + 1
            suffix, other = order[index], heads[target]
            order[index] = order[other]
            order[other] = suffix
            heads[target] = other + 1


@kernel
def first_from(source: SortedText, low: int, high: int, depth: int, byte: int) -> int:
    """The first suffix of a sorted interval low .. high - 1 whose next byte is at least `byte`; high: there is none."""
    while low < high:
        middle = (low + high) >> 1
        if byte_after(source, middle, depth) < byte:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def narrowed(
    buckets: SuffixBuckets, source: SortedText, first: int, count: int, depth: int, byte: int
) -> tuple[int, int]:
    """The suffixes of an interval whose next byte is `byte`: index of the first one, and their number."""
    split(buckets, source, first, count, depth)
    low = first_from(source, first, first + count, depth, byte)
    return low, first_from(source, low, first + count, depth, byte + 1) - low
