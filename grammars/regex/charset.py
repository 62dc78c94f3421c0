"""Sets of Unicode scalar values, as sorted, disjoint, non-adjacent inclusive ranges.

Each operation takes time linear in the number of ranges, or less. Surrogates are never members: UTF-8 can't encode a
lone surrogate, so no text of a model can contain one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache

import numpy as np

CharSet = tuple[tuple[int, int], ...]

MAX_CODE_POINT = 0x10FFFF
FIRST_SURROGATE, LAST_SURROGATE = 0xD800, 0xDFFF
LAST_WHITESPACE, LAST_LETTER = 0x3000, 0x33FFF  # no whitespace, and no letter, digit or "_", comes later
NONE: CharSet = ()
ALL: CharSet = ((0, FIRST_SURROGATE - 1), (LAST_SURROGATE + 1, MAX_CODE_POINT))


def single(char: str) -> CharSet:
    """Return the set of one character. Empty for a surrogate."""
    return from_ranges([(ord(char), ord(char))])


def is_single(charset: CharSet) -> bool:
    """True for a set of one character."""
    return len(charset) == 1 and charset[0][0] == charset[0][1]


def from_chars(chars: Iterable[str]) -> CharSet:
    """Return the set of some characters."""
    return from_ranges((ord(char), ord(char)) for char in chars)


def from_ranges(ranges: Iterable[tuple[int, int]]) -> CharSet:
    """Return the set that covers inclusive ranges, without surrogates. The ranges may overlap and come in any order."""
    return tuple([part for low, high in _merged(ranges) for part in _without_surrogates(low, high)])


def contains(charset: CharSet, code_point: int) -> bool:
    """True if the code point is a member."""
    index = bisect_right(charset, (code_point, MAX_CODE_POINT + 1))
    return index > 0 and charset[index - 1][1] >= code_point


def size(charset: CharSet) -> int:
    """Return the number of members."""
    return sum(high - low + 1 for low, high in charset)


def union(*sets: CharSet) -> CharSet:
    """Return the members of any of the sets."""
    return tuple(_merged([pair for charset in sets for pair in charset]))


def complement(charset: CharSet) -> CharSet:
    """Return every scalar value that is not a member."""
    gaps: list[tuple[int, int]] = []
    start = 0
    for low, high in charset:
        if low > start:
            gaps += _without_surrogates(start, low - 1)
        start = high + 1
    if start <= MAX_CODE_POINT:
        gaps += _without_surrogates(start, MAX_CODE_POINT)
    return tuple(gaps)


def intersection(first: CharSet, second: CharSet) -> CharSet:
    """Return the members of both sets."""
    if first is second:
        return first
    result: list[tuple[int, int]] = []
    i = j = 0
    while i < len(first) and j < len(second):
        low, high = first[i]
        other_low, other_high = second[j]
        if high < other_high:
            i += 1
        else:
            j += 1
        low, high = max(low, other_low), min(high, other_high)
        if low <= high:
            result.append((low, high))
    return tuple(result)


def meets(first: CharSet, second: CharSet) -> bool:
    """True if the sets have a common member. Takes logarithmic time in the ranges of the larger set."""
    few, many = sorted((first, second), key=len)
    places = [(low, bisect_right(many, (high, MAX_CODE_POINT + 1))) for low, high in few]
    return any(place > 0 and many[place - 1][1] >= low for low, place in places)


def difference(first: CharSet, second: CharSet) -> CharSet:
    """Return the members of the first set that are not in the second."""
    return intersection(first, complement(second))


@cache
def python_class(letter: str) -> CharSet:
    r"""Return the characters that `.`, `\d`, `\w` or `\s` matches in a Python `str` pattern. `re` decides about the
    letters.
    """
    if letter == ".":
        return complement(single("\n"))
    last = LAST_WHITESPACE if letter == "s" else LAST_LETTER
    everything = np.arange(last + 1, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return from_ranges([(run.start(), run.end() - 1) for run in re.finditer(f"\\{letter}+", everything)])


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort ranges and merge overlapping and touching ones."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return merged


def _without_surrogates(low: int, high: int) -> list[tuple[int, int]]:
    """Return low..high without the surrogates, as at most two ranges."""
    if high < FIRST_SURROGATE or low > LAST_SURROGATE:
        return [(low, high)]
    parts = ((low, FIRST_SURROGATE - 1), (LAST_SURROGATE + 1, high))
    return [(first, last) for first, last in parts if first <= last]


ECMA_CLASSES = {
    ".": complement(from_chars("\n\r\u2028\u2029")),
    "d": from_ranges([(48, 57)]),
    "w": from_ranges([(48, 57), (65, 90), (95, 95), (97, 122)]),
    "s": union(
        from_chars("\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"), from_ranges([(0x2000, 0x200A)])
    ),
}
