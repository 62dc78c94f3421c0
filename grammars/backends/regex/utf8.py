"""How UTF-8 spells sets of characters, without spelling each one."""

from __future__ import annotations

from collections.abc import Iterable

from ...regex.charset import CharSet

_Run = tuple[int, int, int]
_Block = tuple[_Run, ...]

_LENGTHS = ((0x80, 0x7FF, 1), (0x800, 0xFFFF, 2), (0x10000, 0x10FFFF, 3))  # first, last, continuation bytes


def first_byte(code: int) -> int:
    """The first byte of a code point (also of a surrogate, as the edge of a range)."""
    if code < 0x80:
        return code
    if code < 0x800:
        return 0xC0 | code >> 6
    return 0xE0 | code >> 12 if code < 0x10000 else 0xF0 | code >> 18


def num_inner_states(charset: CharSet) -> int:
    """How many states the smallest automaton that reads one character of the set has inside multi-byte characters."""
    states: dict[_Block, int] = {}
    for first, last, num_continuations in _LENGTHS:
        clipped = ((max(low, first), min(high, last), 0) for low, high in charset if low <= last and high >= first)
        runs = list(clipped)
        for _ in range(num_continuations):
            runs = _one_byte_up(runs, states)
    return len(states)


def _one_byte_up(runs: Iterable[_Run], states: dict[_Block, int]) -> list[_Run]:
    """Replace runs of values by runs of their blocks of 64, with one state for each different block.

    runs: (low, high, state): from each value low..high (ascending, disjoint) the automaton goes on in `state`; 0 is the
        end of the character. states: the numbers of the new ones, from 1, are added.
    """
    blocks: list[tuple[int, int, list[_Run]]] = []  # first and last block, what each of them holds
    for low, high, state in runs:
        while low <= high:
            block, offset = divmod(low, 64)
            last_whole = (high + 1) // 64 - 1
            if offset == 0 and last_whole >= block:
                blocks.append((block, last_whole, [(0, 63, state)]))
                low = (last_whole + 1) * 64
                continue
            end = min(high, block * 64 + 63)
            piece = (offset, end % 64, state)
            if blocks and blocks[-1][1] == block:
                blocks[-1][2].append(piece)
            else:
                blocks.append((block, block, [piece]))
            low = end + 1
    return [(first, last, states.setdefault(tuple(content), len(states) + 1)) for first, last, content in blocks]
