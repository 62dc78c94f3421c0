"""`CharacterNodes`: the UTF-8 spelling of characters from U+0080 on, as nodes that kernels follow byte by byte.

A node's row has an entry for the last six bits of the next byte: the next node, or 0 for none. If a character ends, the
entry is CHARACTER_END minus the number of the character's class. The first node reads a character's first byte, the
others read continuation bytes. Nodes with equal rows are one node.
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
"""For characters of two, three and four bytes: the lowest first byte, the first block of 64 characters, and the end."""


class CharacterNodes:
    """The nodes of one DFA. Node 0 means none; ALL_OTHERS is the node before all characters from U+0080 on."""

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
        """Return the node before the characters of a set, all from U+0080 on; 0 for the empty set."""
        if others == _OTHERS:  # PERF: saves 0.2 ms for most sets
            return at.ALL_OTHERS
        return self.before_classes([(low, high, 0) for low, high in others])

    def before_classes(self, runs: Sequence[tuple[int, int, int]]) -> int:
        """Return the node before ascending runs of characters (first, last, class); 0 if there are no runs."""
        return self._number(self._first_row(runs)) if runs else 0

    def _number(self, row: _Blocks) -> int:
        """Return the node with a row; a new row gets a new node."""
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
        """Return, for each group of 64 nodes, the node one byte earlier. The group's number has the earlier bits."""
        groups = np.zeros((-(-len(before) // 64), 64), np.int32)
        groups.reshape(-1)[: len(before)] = before
        found = np.zeros(len(groups), np.int32)
        for group in np.flatnonzero(groups.any(axis=1)).tolist():
            found[group] = self._number(groups[group])
        return found

    def _blocks(self, runs: Iterable[tuple[int, int, int]]) -> _Blocks:
        """Return, for each block of 64 characters, the node before the last byte."""
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
        """Return the node before the last byte of 64 characters. classes: for each 1 + its class, or 0 if it is not in
        a set.
        """
        number = self._of_blocks.get(classes)
        if number is None:
            row = -np.frombuffer(classes, np.uint8).astype(np.int32)
            number = self._of_blocks[classes] = self._number(row)
        return number


def classes_of(charsets: Iterable[CharSet]) -> list[tuple[int, int, int]]:
    """Split the characters from U+0080 on into classes that every set holds whole or not at all.

    Returns ascending runs (first, last, class).
    """
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
    """Return the byte classes of characters from U+0080 on that lie completely in ascending ranges."""
    inner, found = 0x80, WIDE | ODD
    for low, high in [*runs, (MAX_CODE_POINT + 1, MAX_CODE_POINT + 1)]:
        if low > inner and (inner, low - 1) != (FIRST_SURROGATE, LAST_SURROGATE):
            if not _is_odd(inner, low - 1):
                return 0
            found = WIDE
        inner = max(inner, high + 1)
    return found


def usual_characters(others: CharSet) -> int:
    """Return how many characters of the byte class WIDE a set from U+0080 on has; see `CharacterSet.usual`."""
    if all(_is_odd(low, high) for low, high in others):
        return at.NO_USUAL
    return at.ALL_USUAL if wide_byte_classes(others) else at.SOME_USUAL


def usual_class(runs: Iterable[tuple[int, int, int]]) -> int:
    """Return the class of `classes_of` that has all characters of the byte class WIDE; -1 if several classes do."""
    found = {char_class for low, high, char_class in runs if not _is_odd(low, high)}
    return found.pop() if len(found) == 1 else -1


def _is_odd(low: int, high: int) -> bool:
    return any(first <= low and high <= last for first, last in ODD_RANGES)
