"""Sets of Unicode scalar values, as sorted, disjoint, non-adjacent inclusive ranges. Surrogates are never members.

UTF-8 can't encode a lone surrogate, so no text that a model emits can hold one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import cache
from typing import Literal

CharSet = tuple[tuple[int, int], ...]
Flavor = Literal["python", "ecma", "both"]

FIRST_SURROGATE, LAST_SURROGATE = 0xD800, 0xDFFF
LAST_WHITESPACE, LAST_LETTER = 0x3000, 0x33FFF  # no whitespace, and no letter, digit or "_", comes later
NONE: CharSet = ()
ALL: CharSet = ((0, FIRST_SURROGATE - 1), (LAST_SURROGATE + 1, sys.maxunicode))


def single(char: str) -> CharSet:
    """The set of one character. An empty set for a surrogate."""
    return from_ranges([(ord(char), ord(char))])


def is_single(charset: CharSet) -> bool:
    """True for the set of one character."""
    return len(charset) == 1 and charset[0][0] == charset[0][1]


def from_chars(chars: Iterable[str]) -> CharSet:
    """The set of some characters."""
    return from_ranges((ord(char), ord(char)) for char in chars)


def from_ranges(ranges: Iterable[tuple[int, int]]) -> CharSet:
    """The set that covers inclusive ranges given in any order, overlapping or not; surrogates are cut out."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(_without_surrogates(merged))


def union(*sets: CharSet) -> CharSet:
    """Members of any of the sets."""
    return from_ranges(pair for charset in sets for pair in charset)


def complement(charset: CharSet) -> CharSet:
    """Every scalar value that is not a member."""
    gaps, start = [], 0
    for low, high in charset:
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= sys.maxunicode:
        gaps.append((start, sys.maxunicode))
    return from_ranges(gaps)


def intersection(first: CharSet, second: CharSet) -> CharSet:
    """Members of both sets."""
    return complement(union(complement(first), complement(second)))


def difference(first: CharSet, second: CharSet) -> CharSet:
    """Members of the first set that are not in the second."""
    return intersection(first, complement(second))


def named_class(flavor: Flavor, letter: str) -> CharSet:
    r"""What `.`, `\d`, `\w` or `\s` matches. letter: ".", "d", "w" or "s". flavor "both": what matches in each of
    them."""
    if flavor == "both":
        return intersection(python_class(letter), _ECMA_CLASSES[letter])
    return python_class(letter) if flavor == "python" else _ECMA_CLASSES[letter]


@cache
def python_class(letter: str) -> CharSet:
    r"""What `.`, `\d`, `\w` or `\s` matches in a Python `str` pattern; the letters are asked of `re` itself."""
    if letter == ".":
        return complement(single("\n"))
    last = LAST_WHITESPACE if letter == "s" else LAST_LETTER  # asking of every character takes 0.15 s
    codes = (*range(FIRST_SURROGATE), *range(LAST_SURROGATE + 1, last + 1))
    everything = "".join(map(chr, (code for code in codes if code <= last)))
    runs = (match.group() for match in re.finditer(f"\\{letter}+", everything))
    return from_ranges(pair for run in runs for pair in _consecutive(run))


def _consecutive(run: str) -> list[tuple[int, int]]:
    """The ranges of a run of ascending characters (which may step over the surrogates)."""
    low, high = ord(run[0]), ord(run[-1])
    if high - low + 1 == len(run):
        return [(low, high)]
    return [(low, FIRST_SURROGATE - 1), (LAST_SURROGATE + 1, high)]


def _without_surrogates(ranges: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    for low, high in ranges:
        if high < FIRST_SURROGATE or low > LAST_SURROGATE:
            yield low, high
            continue
        if low < FIRST_SURROGATE:
            yield low, FIRST_SURROGATE - 1
        if high > LAST_SURROGATE:
            yield LAST_SURROGATE + 1, high


_ECMA_CLASSES = {
    ".": complement(from_chars("\n\r\u2028\u2029")),
    "d": from_ranges([(48, 57)]),
    "w": from_ranges([(48, 57), (65, 90), (95, 95), (97, 122)]),
    "s": union(
        from_chars("\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"), from_ranges([(0x2000, 0x200A)])
    ),
}
