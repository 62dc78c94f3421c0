"""`Continuations`: what comes after the text being read, interned as numbers.

A continuation is a set of ways to go on. A way is a position of the network, to be read to the end of its rule, with
the continuation after that; or END (the whole text is complete); or a label: what the frame on top of the stack keeps
under that number. Each position occurs once in a set: what comes after it is united, which is the same language.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..automaton.memory import Block, Column
from ..automaton.pair_table import PairTable
from ..rules.network import Network
from . import layout as pd

Ways = tuple[tuple[int, int], ...]
"""Sorted pairs (position, continuation after its rule); END and labels are negative, with a 0 that means nothing."""

END_WAY = -1


class Continuations:
    """All continuations of one grammar, by their numbers. ways: what they are. end: the number of {END}.

    is_deep: whether a position behind a recursive call has more after it than END and labels.
    block: in its columns kernels find that too, and the unions that were made.
    """

    def __init__(self, network: Network, block: Block) -> None:
        self._network = network
        self._numbers: dict[Ways, int] = {}
        self.ways: list[Ways] = []
        self._unions: dict[tuple[int, int], int] = {}
        self._known_unions = PairTable(block, pd.P_UNION_KEYS, pd.P_UNION_VALUES, pd.P_UNION_MASK)
        self._table = Column(block, pd.P_CONTINUATIONS, np.int32, 64 * pd.CONTINUATION_FIELDS)
        self._is_flat: list[bool] = []
        self.is_deep: list[bool] = []
        self.end = self._intern(((END_WAY, 0),))

    def label(self, index: int) -> int:
        """{label}"""
        return self._intern(((-2 - index, 0),))

    def after(self, position: int, then: int) -> int:
        """What comes when a rule's position was reached, with `then` after the rule."""
        return then if self._network.positions[position].is_last else self._intern(((position, then),))

    def union(self, first: int, second: int) -> int:
        """The ways of both."""
        if first == second:
            return first
        key = (first, second) if first < second else (second, first)
        found = self._unions.get(key)
        if found is None:
            ways = dict(self.ways[first])
            for position, then in self.ways[second]:
                self._add(ways, position, then)
            found = self._unions[key] = self._intern(tuple(sorted(ways.items())))
            self._known_unions.insert(*key, found)
        return found

    def left(self, continuation: int) -> int:
        """The content of what goes on after a continuation; -1 when it is not known."""
        return int(self._table.data[continuation * pd.CONTINUATION_FIELDS + pd.K_LEFT])

    def set_left(self, continuation: int, content: int) -> None:
        """Note the content of what goes on after a continuation."""
        self._table.data[continuation * pd.CONTINUATION_FIELDS + pd.K_LEFT] = content

    def relabelled(self, continuation: int, label_of: Callable[[int], int], known: dict[int, int]) -> int:
        """With what comes after the positions behind recursive calls replaced by labels; the old labels too.

        label_of: the new label of a continuation. known: what was found for the same labels.
        """
        found = known.get(continuation)
        if found is None:
            ways: dict[int, int] = {}
            for position, then in self.ways[continuation]:
                if position == END_WAY:
                    self._add(ways, position, 0)
                elif position < 0:
                    self._add(ways, -2 - label_of(self._intern(((position, 0),))), 0)
                elif self._network.positions[position].is_cut:
                    kept = then if then == self.end else self.label(label_of(then))
                    self._add(ways, position, kept)
                else:
                    self._add(ways, position, self.relabelled(then, label_of, known))
            found = known[continuation] = self._intern(tuple(sorted(ways.items())))
        return found

    def substituted(self, continuation: int, frame: tuple[int, ...], known: dict[int, int]) -> int:
        """With the labels replaced by what a frame keeps under them. known: what was found for the same frame."""
        found = known.get(continuation)
        if found is None:
            ways: dict[int, int] = {}
            for position, then in self.ways[continuation]:
                if position == END_WAY:
                    self._add(ways, position, 0)
                elif position < 0:
                    for other, after in self.ways[frame[-2 - position]]:
                        self._add(ways, other, after)
                else:
                    self._add(ways, position, self.substituted(then, frame, known))
            found = known[continuation] = self._intern(tuple(sorted(ways.items())))
        return found

    def _add(self, ways: dict[int, int], position: int, then: int) -> None:
        ways[position] = self.union(ways[position], then) if position >= 0 and position in ways else then

    def _intern(self, ways: Ways) -> int:
        number = self._numbers.get(ways)
        if number is None:
            number = self._numbers[ways] = len(self.ways)
            self.ways.append(ways)
            self._is_flat.append(all(position < 0 for position, _ in ways))
            is_deep = any(self._reaches_deep(position, then) for position, then in ways)
            self.is_deep.append(is_deep)
            start = self._table.reserve(pd.CONTINUATION_FIELDS)
            self._table.data[start + pd.K_DEEP] = is_deep
            self._table.data[start + pd.K_LEFT] = -1
        return number

    def _reaches_deep(self, position: int, then: int) -> bool:
        if position < 0:
            return False
        is_cut = self._network.positions[position].is_cut
        return not self._is_flat[then] if is_cut else self.is_deep[then]
