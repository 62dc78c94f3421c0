"""Machines that read a number's text and compare its value with bounds while they read.

A node is a place in the reading: number_plain.py has those of numbers without exponent, number_exponents.py the others.
Each has `accepts` (the text may end here) and `arcs()`, the characters that may follow with the node that each leads
to; nodes that no text could complete are left out. `NumberText` makes an algebra machine of nodes.

Comparing: -1, 0 or 1 says how the digits so far compare with the same number of digits of an edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from ..regex import charset
from ..regex.charset import CharSet
from .decimal_edges import Grid


class Node(Protocol):
    """A place in the reading of a number."""

    @property
    def accepts(self) -> bool:
        """True when the text may end here."""

    def arcs(self) -> Iterable[tuple[str, Node]]:
        """Characters that may follow, each group with where it leads; all those places are different."""


class NumberText(NamedTuple):
    """The machine of the texts that any of some nodes reads."""

    nodes: tuple[Node, ...]

    @property
    def nullable(self) -> bool:
        """True when the text may end here."""
        return any(node.accepts for node in self.nodes)

    @property
    def surely_nonempty(self) -> bool:
        """True: some text can follow. Known to the algebra, so that it need not search for one."""
        return True

    def transitions(self) -> tuple[tuple[CharSet, NumberText], ...]:
        """The disjoint sets of characters that may follow, each with its machine."""
        if len(self.nodes) == 1 and type(self.nodes[0]) is not Minus:
            return tuple([(_charset(chars), NumberText((node,))) for chars, node in self.nodes[0].arcs()])
        targets: dict[str, list[Node]] = {}
        for place in self.nodes:
            for chars, node in place.arcs():
                for char in chars:
                    targets.setdefault(char, []).append(node)
        groups: dict[tuple[Node, ...], str] = {}
        for char, nodes in ((char, tuple(found)) for char, found in targets.items()):
            groups[nodes] = groups.get(nodes, "") + char
        return tuple([(_charset(chars), NumberText(nodes)) for nodes, chars in groups.items()])


class Minus(NamedTuple):
    """Before a minus sign. after: what reads the magnitude."""

    after: tuple[Node, ...]

    @property
    def accepts(self) -> bool:
        return False

    def arcs(self) -> Iterator[tuple[str, Node]]:
        for node in self.after:
            yield "-", node


def digit_groups(
    first: int, low: int | None, high: int | None, rest: int, grid: Grid | None
) -> Iterable[tuple[str, int, int, int]]:
    """The digits from `first` to 9, grouped by how they compare with a digit of each end and by the remainder."""
    if grid is None or grid.modulus == 1:
        return _compared_digits(first, low, high)
    groups: dict[tuple[int, int, int], str] = {}
    for chars, to_low, to_high, _ in _compared_digits(first, low, high):
        for char in chars:
            key = to_low, to_high, (rest * 10 + int(char)) % grid.modulus
            groups[key] = groups.get(key, "") + char
    return [(chars, *key) for key, chars in groups.items()]


@cache
def _compared_digits(first: int, low: int | None, high: int | None) -> list[tuple[str, int, int, int]]:
    groups: dict[tuple[int, int], str] = {}
    for digit in range(first, 10):
        key = 0 if low is None else order_of(digit, low), 0 if high is None else order_of(digit, high)
        groups[key] = groups.get(key, "") + str(digit)
    return [(chars, *key, 0) for key, chars in groups.items()]


def order_of(first: int, second: int) -> int:
    """-1, 0 or 1: whether the first is less than, equal to or more than the second."""
    return (first > second) - (first < second)


@lru_cache(maxsize=1024)
def _charset(chars: str) -> CharSet:
    return charset.from_chars(chars)
