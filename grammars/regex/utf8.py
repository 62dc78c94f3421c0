"""Spell sets of characters in UTF-8, without spelling each one: runs of bytes, from the last byte to the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Target = TypeVar("Target")

_LENGTHS = ((0x80, 0x7FF, 1, 0xC0), (0x800, 0xFFFF, 2, 0xE0), (0x10000, 0x10FFFF, 3, 0xF0))
"""For characters from U+0080 on: the first, the last, how many continuation bytes they have, the base of their first
byte.
"""


def leads(
    runs: Sequence[tuple[int, int, Target]], inside: Callable[[list[tuple[int, int, Target]]], Target]
) -> Iterator[tuple[int, int, Target]]:
    """Yield the first bytes of characters from U+0080 on, as runs.

    runs: ascending characters, with their targets.
    inside: function from runs of continuation bytes' values (0 to 63) and their targets to the target before these
        bytes.
    """
    for first, last, num_continuations, lead in _LENGTHS:
        blocks = [(max(low, first), min(high, last), target) for low, high, target in runs]
        blocks = [run for run in blocks if run[0] <= run[1]]
        for _ in range(num_continuations):
            blocks = _one_byte_up(blocks, inside)
        yield from ((lead + low, lead + high, target) for low, high, target in blocks)


def _one_byte_up(
    runs: Sequence[tuple[int, int, Target]], inside: Callable[[list[tuple[int, int, Target]]], Target]
) -> list[tuple[int, int, Target]]:
    """Replace runs of values by runs of their blocks of 64 values. A block's target reads a continuation byte."""
    blocks: list[tuple[int, int, list[tuple[int, int, Target]]]] = []  # (first block, last block, runs in each block)
    for low, high, target in runs:
        while low <= high:
            block, offset = divmod(low, 64)
            last_whole = (high + 1) // 64 - 1
            if offset == 0 and last_whole >= block:
                blocks.append((block, last_whole, [(0, 63, target)]))
                low = (last_whole + 1) * 64
                continue
            end = min(high, block * 64 + 63)
            if blocks and blocks[-1][1] == block:
                blocks[-1][2].append((offset, end % 64, target))
            else:
                blocks.append((block, block, [(offset, end % 64, target)]))
            low = end + 1
    return [(first, last, inside(content)) for first, last, content in blocks]
