"""`CharacterNodes`: how UTF-8 spells characters from U+0080 on, as nodes that kernels go through byte by byte.

A node's row says for the last six bits of the next byte which node comes then, or 0 for none; where a character ends,
CHARACTER_END, less the number of its class. The first node reads the byte that a character begins with, the others
read continuation bytes. Nodes with the same row are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...regex.charset import ALL, FIRST_SURROGATE, LAST_SURROGATE, MAX_CODE_POINT, CharSet
from .. import layout as at
from ..structs import Dfa
from .trie_kernels import ODD, ODD_RANGES, WIDE

_Blocks = NDArray[np.int32]
_NUM_BLOCKS = 0x110000 // 64
_OTHERS = ((0x80, FIRST_SURROGATE - 1), (LAST_SURROGATE + 1, MAX_CODE_POINT))
_LENGTHS = ((0xC0, 0x02, 0x20), (0xE0, 0x20, 0x400), (0xF0, 0x400, _NUM_BLOCKS))
"""Of characters of two, three and four bytes: where their first bytes begin, their first block of 64 and the end."""


class CharacterNodes:
    """The nodes of one DFA. Node 0 is none, ALL_OTHERS that before all characters from U+0080 on."""

    def __init__(self, dfa: Dfa) -> None:
        self._nodes, self._classes = dfa.nodes, dfa.node_classes
        self._nodes.reserve(2)
        self._classes.reserve(2)
        self._numbers: dict[bytes, int] = {}
        self._of_blocks: dict[bytes, int] = {}
        row = self._first_row([(low, high, 0) for low, high in ALL])
        self._nodes.data[at.ALL_OTHERS], self._classes.data[at.ALL_OTHERS] = row, 1
        self._numbers[row.tobytes()] = at.ALL_OTHERS

    def before(self, others: CharSet) -> int:
        """The node before the characters of a set, all from U+0080 on; 0 where it has none."""
        if others == _OTHERS:  # PERF: 0.2 ms less for each such set, as most are
            return at.ALL_OTHERS
        return self.before_classes([(low, high, 0) for low, high in others])

    def before_classes(self, runs: Sequence[tuple[int, int, int]]) -> int:
        """The node before runs of characters, ascending: the first, the last, and their class. 0: there are none."""
        return self._number(self._first_row(runs)) if runs else 0

    def _number(self, row: _Blocks) -> int:
        """The node with a row."""
        key = row.tobytes()
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._nodes.append(row[None])
            classes, behind = 0, self._classes.data
            for entry in set(row.tolist()):
                classes |= 1 << at.CHARACTER_END - entry if entry < 0 else behind.item(entry)
            self._classes.append(np.array([classes], np.int64))
        return number

    def _first_row(self, runs: Iterable[tuple[int, int, int]]) -> _Blocks:
        row, blocks = np.zeros(64, np.int32), self._blocks(runs)
        for num_steps, (lead, first, end) in enumerate(_LENGTHS):
            before = blocks[:end].copy()
            before[:first] = 0
            for _ in range(num_steps):
                before = self._one_byte_up(before)
            row[lead & 63 : (lead & 63) + len(before)] += before
        return row

    def _one_byte_up(self, before: _Blocks) -> _Blocks:
        """The nodes before each 64 of some."""
        groups = np.zeros((-(-len(before) // 64), 64), np.int32)
        groups.reshape(-1)[: len(before)] = before
        found = np.zeros(len(groups), np.int32)
        for group in np.flatnonzero(groups.any(axis=1)).tolist():
            found[group] = self._number(groups[group])
        return found

    def _blocks(self, runs: Iterable[tuple[int, int, int]]) -> _Blocks:
        """The nodes before the last byte, of each block of 64 characters."""
        blocks, rows = np.zeros(_NUM_BLOCKS, np.int32), dict[int, bytearray]()
        for low, high, char_class in runs:
            first, last = low >> 6, high >> 6
            if last - first > 1:
                blocks[first + 1 : last] = self._of_block(bytes([char_class + 1]) * 64)
            for block in (first, last) if first < last else (first,):
                start, end = max(low - (block << 6), 0), min(high + 1 - (block << 6), 64)
                rows.setdefault(block, bytearray(64))[start:end] = bytes([char_class + 1]) * (end - start)
        blocks[list(rows)] = [self._of_block(bytes(row)) for row in rows.values()]
        return blocks

    def _of_block(self, classes: bytes) -> int:
        """The node before the last byte of 64 characters. classes: of each of them, 0 for none, or 1 + its class."""
        number = self._of_blocks.get(classes)
        if number is None:
            row = -np.frombuffer(classes, np.uint8).astype(np.int32)
            number = self._of_blocks[classes] = self._number(row)
        return number


def classes_of(charsets: Iterable[CharSet]) -> list[tuple[int, int, int]]:
    """The characters from U+0080 on as ascending runs, each with its class: all sets hold those of a class alike."""
    several = [np.array(charset) for charset in charsets]
    edges = np.unique(np.concatenate([ranges + (0, 1) for ranges in [np.array(_OTHERS), *several]]))
    first, end = edges[:-1], edges[1:]
    is_character = (first < FIRST_SURROGATE) | (first > LAST_SURROGATE)
    first, last = first[is_character], end[is_character] - 1
    holders = np.zeros(len(first), np.int64)
    for index, ranges in enumerate(several):
        place = np.searchsorted(ranges[:, 0], first, "right") - 1
        holders |= ((place >= 0) & (ranges[place, 1] >= first)).astype(np.int64) << index
    classes = np.unique(holders, return_inverse=True)[1].reshape(-1)
    return list(zip(first.tolist(), last.tolist(), classes.tolist(), strict=True))


def wide_byte_classes(runs: Iterable[tuple[int, int]]) -> int:
    """The byte classes of characters from U+0080 on of which all are in some ascending ranges."""
    inner, found = 0x80, WIDE | ODD
    for low, high in [*runs, (MAX_CODE_POINT + 1, MAX_CODE_POINT + 1)]:
        if low > inner and (inner, low - 1) != (FIRST_SURROGATE, LAST_SURROGATE):
            if not _is_odd(inner, low - 1):
                return 0
            found = WIDE
        inner = max(inner, high + 1)
    return found


def usual_characters(others: CharSet) -> int:
    """Which characters of the byte class WIDE are in a set of characters from U+0080 on; see `CharacterSet.usual`."""
    if all(_is_odd(low, high) for low, high in others):
        return at.NO_USUAL
    return at.ALL_USUAL if wide_byte_classes(others) else at.SOME_USUAL


def usual_class(runs: Iterable[tuple[int, int, int]]) -> int:
    """Of `classes_of`, the class that has all characters of the byte class WIDE; -1 where several have."""
    found = {char_class for low, high, char_class in runs if not _is_odd(low, high)}
    return found.pop() if len(found) == 1 else -1


def _is_odd(low: int, high: int) -> bool:
    return any(first <= low and high <= last for first, last in ODD_RANGES)
