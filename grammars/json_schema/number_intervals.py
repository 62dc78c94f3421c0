"""Bounds of numbers that are combined: the numbers that meet them are found by arithmetic, as intervals.

The bounds that stand in a formula cut the line of numbers into points and what lies between them. What an assertion
holds of these pieces is a bit each, and so is what a formula comes to; twice, for the numbers on a grid and for those
off it, where some assertions ask for a multiple or for integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import reduce
from itertools import groupby
from operator import and_, or_

from ..regex import algebra as lang
from . import numbers
from .formula import Atom, Formula, NumberIn
from .numbers import Bounds
from .residual import atoms, fold

_ALL = Bounds()


def in_intervals(formula: Formula, domain: lang.Language) -> lang.Language | None:
    """The texts of a domain that satisfy a formula of numbers; None for what is not made of bounds and of one grid."""
    bounds = {atom: _bounds_of(atom) for atom in atoms(formula)}
    grids = {one.grid for several in bounds.values() if several is not None for one in several} - {_ALL.grid}
    if domain not in (numbers.CANONICAL, numbers.PLAIN) or None in bounds.values() or len(grids) > 1:
        return None
    line = _Line({end for several in bounds.values() for one in several or () for end in one.ends})
    pieces = {atom: _union([line.of(one) for one in several or ()]) for atom, several in bounds.items()}
    held = fold(formula, pieces.__getitem__, lambda part: line.all ^ part, line.common, _union, _one)
    on_grid, off_grid = line.halves(held)
    if on_grid == off_grid:
        grid = _ALL.grid
    elif off_grid == 0:
        grid = grids.pop()
    else:
        return None
    found = [numbers.bounded(*interval, *grid) for interval in line.intervals(on_grid)]
    return lang.union(*[numbers.within(domain, language) for language in found])


def _bounds_of(atom: Atom) -> list[Bounds] | None:
    """The bounds any of which a number must meet; None for another assertion."""
    if not isinstance(atom, NumberIn) or atom.of_texts:
        return None
    language = atom.language
    found = [numbers.bounds_of(part) for part in (language.parts if isinstance(language, lang.Union) else [language])]
    several = [one for one in found if one is not None]
    return [] if language is lang.NOTHING else several if len(several) == len(found) else None


def _union(parts: list[int]) -> int:
    return reduce(or_, parts, 0)


def _one(parts: list[int]) -> int:
    """The pieces that are in exactly one."""
    some = several = 0
    for part in parts:
        several |= some & part
        some |= part
    return some & ~several


class _Line:
    """Sets of pieces of the line, as bits: what lies before its first point, that, what lies before the second, ..."""

    def __init__(self, points: set[Decimal]) -> None:
        self._points = sorted(points)
        self._place = {point: 2 * index + 1 for index, point in enumerate(self._points)}
        self._count = 2 * len(points) + 1
        self._half = (1 << self._count) - 1
        self.all = self._half << self._count | self._half

    def of(self, bounds: Bounds) -> int:
        """The pieces within bounds; off the grid, too, where they have none."""
        first, last = 0, self._count - 1
        for low, is_in in ((bounds.minimum, True), (bounds.exclusive_minimum, False)):
            if low is not None:
                first = max(first, self._place[low] + (not is_in))
        for high, is_in in ((bounds.maximum, True), (bounds.exclusive_maximum, False)):
            if high is not None:
                last = min(last, self._place[high] - (not is_in))
        pieces = (1 << last + 1) - (1 << first) if first <= last else 0
        return pieces if bounds.grid != _ALL.grid else pieces << self._count | pieces

    def common(self, parts: list[int]) -> int:
        """The pieces that are in all."""
        return reduce(and_, parts, self.all)

    def halves(self, pieces: int) -> tuple[int, int]:
        """Those on the grid, and those off it."""
        return pieces & self._half, pieces >> self._count

    def intervals(self, pieces: int) -> Iterator[tuple[Decimal | None, ...]]:
        """Pieces side by side, as the four bounds of `numbers.bounded`."""
        for is_held, run in groupby(range(self._count), lambda piece: pieces >> piece & 1):
            places = list(run)
            if is_held:
                low, high = self._bound(places[0], -1), self._bound(places[-1], 1)
                yield (*low, *high)

    def _bound(self, piece: int, side: int) -> tuple[Decimal | None, Decimal | None]:
        """The inclusive or the exclusive bound at one side of a piece; neither at the end of the line."""
        if piece % 2:
            return self._points[piece // 2], None
        place = piece // 2 + (side > 0) - 1
        return None, self._points[place] if 0 <= place < len(self._points) else None
