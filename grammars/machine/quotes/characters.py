"""Kernels: characters of a source text, and their bytes in UTF-8."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from ...memory.structs import Array, int32, uint8
from .structs import QuoteLexeme

ASCII_END = 0x80


@kernel
def num_utf8_bytes(point: int) -> int:
    """How many bytes a character takes."""
    return 1 if point < ASCII_END else 2 if point < 0x800 else 3 if point < 0x10000 else 4


@kernel
def utf8_byte(point: int, length: int, index: int) -> int:
    """One of the bytes of a character that takes `length` of them."""
    if length == 1:
        return point
    shift = 6 * (length - 1 - index)
    return (0xF00 >> length & 0xFF | point >> shift) if index == 0 else (ASCII_END | point >> shift & 0x3F)


@kernel
def point_at(text: Array[uint8], place: int) -> int:
    """The character whose first byte stands at a place."""
    lead = int(text[place])
    if lead < ASCII_END:
        return lead
    length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    point = lead & (0x7F >> length)
    for index in range(1, length):
        point = point << 6 | int(text[place + index]) & 0x3F
    return point


@kernel
def is_in_escape(lexeme: QuoteLexeme, place: int, start: int) -> bool:
    """Whether a place is inside of a character of a quote that began at `start`. Such a one is an escape: others are
    read whole."""
    return place > start and len(lexeme.characters) > 0 and lexeme.characters[place] == lexeme.characters[place - 1]


@kernel
def first_from_point(points: Array[int32], point: int) -> int:
    """The index of the first character from one on. points: ascending."""
    low, high = 0, len(points)
    while low < high:
        middle = (low + high) >> 1
        if points[middle] < point:
            low = middle + 1
        else:
            high = middle
    return low
