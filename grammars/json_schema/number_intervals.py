"""Formulas over bounds of numbers, solved by arithmetic: the numbers that satisfy one, as intervals.

The bounds in a formula cut the line of numbers into pieces: points, and the open intervals between them. A set
of pieces is a number with one bit each. So an assertion, or a whole formula, is such a number. If some assertions
require multiples or integers, there is a second set of bits: one for numbers on the grid, one for numbers off it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import reduce
from itertools import groupby
from operator import and_, or_
from typing import TypeAlias

from ..regex import algebra as lang
from ..watch import checkpoint, paced
from . import numbers
from .formula import Atom, Formula, NumberIn
from .numbers import Bounds, Integers
from .residual import atoms, fold

Multiples: TypeAlias = tuple[Decimal | None, Integers | None]
"""A condition on multiples, as `Bounds.grid` gives it."""
NO_GRID = Bounds().grid


def in_intervals(formula: Formula, domain: lang.Language) -> lang.Language | None:
    """The texts of a domain that satisfy a formula about numbers; None if it has more than bounds and one grid."""
    cells = cells_in_intervals(formula, (), domain)
    return None if cells is None else cells[0][0]


def cells_in_intervals(
    formula: Formula, tracked: tuple[Formula, ...], domain: lang.Language
) -> list[tuple[lang.Language, tuple[bool, ...]]] | None:
    """Like `in_intervals`, split by the truth of `tracked`: (language, outcome) for each outcome that some pieces have.

    A language may be empty.
    """
    several = [bounds_in(one) for one in (formula, *tracked)]
    bounds = {atom: ends for one in several if one is not None for atom, ends in one.items()}
    if domain not in (numbers.CANONICAL, numbers.PLAIN) or None in several:
        return None
    grids = {one.grid for ends in bounds.values() for one in ends} - {NO_GRID}
    if len(grids) > 1:
        return None
    line, grid = Line(bounds), next(iter(grids), NO_GRID)
    held, *parts = [
        line.held(one, lambda ends: 1 if ends.grid != NO_GRID else 1 | 1 << line.count, num_classes=2)
        for one in paced((formula, *tracked))
    ]
    cells: list[tuple[int, tuple[bool, ...]]] = [(held, ())]
    for part in paced(parts):
        halves = [((pieces & part, True), (pieces & ~part, False), outcome) for pieces, outcome in paced(cells)]
        cells = [(pieces, (*outcome, is_in)) for *both, outcome in paced(halves) for pieces, is_in in both if pieces]
    found = []
    for pieces, outcome in cells:
        language = _language_of(line, pieces, grid, domain)
        if language is None:
            return None
        found.append((language, outcome))
    return found


def _language_of(
    line: Line, pieces: int, grid: tuple[Decimal | None, Integers | None], domain: lang.Language
) -> lang.Language | None:
    """The texts of the numbers in some pieces. pieces: for numbers on the grid, then for those off it.

    None if bounds and the grid can't express the set.
    """
    on_grid, off_grid = line.of_class(pieces, 0), line.of_class(pieces, 1)
    if off_grid and on_grid != off_grid:
        return None
    asked = NO_GRID if off_grid else grid
    intervals = list(line.intervals(on_grid))
    points = [low for low, _, high, _ in paced(intervals) if low is not None and low == high]
    found = [numbers.bounded(*one, *asked) for one in paced(intervals) if one[0] is None or one[0] != one[2]]
    if points:
        found.append(numbers.one_of(points, *asked))
    return lang.union(*[numbers.within(domain, language) for language in found])


def bounds_in(formula: Formula) -> dict[Atom, list[Bounds]] | None:
    """Assertion -> alternatives of bounds; a number must satisfy one. None if some assertion is no union of bounds."""
    found: dict[Atom, list[Bounds]] = {}
    for atom in paced(atoms(formula)):
        if not isinstance(atom, NumberIn) or atom.of_texts:
            return None
        language = atom.language
        parts = language.parts if isinstance(language, lang.Union) else (language,)
        found[atom] = []
        for part in parts:
            bounds = () if part is lang.NOTHING else numbers.bounds_of(part)
            if bounds is None:
                return None
            found[atom] += bounds
    return found


class Line:
    """The line of numbers, cut into pieces: numbers before the first point, that point, numbers before the second, ...

    Sets of pieces are bits, in this order. With several classes of numbers, a set has the pieces of the first class,
    then those of the second, and so on.
    points: attribute; all bounds, ascending.
    count: attribute; number of pieces.
    """

    def __init__(self, bounds: dict[Atom, list[Bounds]]) -> None:
        self._bounds = bounds
        self.points = sorted({end for several in bounds.values() for one in several for end in one.ends})
        self._place = {point: 2 * index + 1 for index, point in enumerate(self.points)}
        self.count = 2 * len(self.points) + 1

    def held(self, formula: Formula, classes_of: Callable[[Bounds], int], num_classes: int) -> int:
        """The set of pieces in which a formula holds, for all classes.

        classes_of: function from bounds to the classes whose numbers may satisfy them; class i is bit i * `count`.
        num_classes: number of classes.
        """
        everything = (1 << self.count * num_classes) - 1

        def of(atom: Atom) -> int:
            checkpoint()
            return _union([self._within(one) * classes_of(one) for one in self._bounds[atom]])

        return fold(
            formula, of, lambda part: everything ^ part, lambda parts: reduce(and_, parts, everything), _union, _one
        )

    def of_class(self, pieces: int, number: int) -> int:
        """The part of a set that belongs to one class. number: the class."""
        return pieces >> number * self.count & (1 << self.count) - 1

    def intervals(self, pieces: int) -> Iterator[tuple[Decimal | None, ...]]:
        """Yields each run of adjacent pieces of a set, as the four bounds of `numbers.bounded`."""
        for is_held, run in groupby(paced(range(self.count)), lambda piece: pieces >> piece & 1):
            places = list(run)
            if is_held:
                low, high = self._bound(places[0], -1), self._bound(places[-1], 1)
                yield (*low, *high)

    def _within(self, bounds: Bounds) -> int:
        """The set of the pieces within bounds."""
        first, last = 0, self.count - 1
        for low, is_in in ((bounds.minimum, True), (bounds.exclusive_minimum, False)):
            if low is not None:
                first = max(first, self._place[low] + (not is_in))
        for high, is_in in ((bounds.maximum, True), (bounds.exclusive_maximum, False)):
            if high is not None:
                last = min(last, self._place[high] - (not is_in))
        return (1 << last + 1) - (1 << first) if first <= last else 0

    def _bound(self, piece: int, side: int) -> tuple[Decimal | None, Decimal | None]:
        """(inclusive bound, exclusive bound) at one side of a piece; at most one is not None.

        side: -1: below; 1: above.
        """
        if piece % 2:
            return self.points[piece // 2], None
        place = piece // 2 + (side > 0) - 1
        return None, self.points[place] if 0 <= place < len(self.points) else None


def _union(parts: list[int]) -> int:
    return reduce(or_, parts, 0)


def _one(parts: list[int]) -> int:
    """The pieces that are in exactly one of some sets."""
    some = several = 0
    for part in parts:
        several |= some & part
        some |= part
    return some & ~several
