"""Formulas over bounds and several multiples of numbers, solved by intervals and remainders.

The unit is the greatest common divisor of all `multipleOf` in a formula. Which of them a multiple of the unit satisfies
depends on its remainder modulo their least common multiple. So numbers fall into classes: one for each remainder, and
one for numbers that are no multiples of the unit. A formula is evaluated for all classes at once (see `Line`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..regex import algebra as lang
from . import numbers
from .decimal_edges import MAX_DIGITS, Grid, grid_of
from .formula import Formula
from .number_intervals import NO_GRID, Line, bounds_in
from .numbers import Bounds
from .residues import residues

_MOST_BITS = 1 << 20
"""Maximum number of pieces of the line, added over all classes."""
_MOST_REMAINDERS = 1 << 14
"""Maximum number of remainders that describe a set of numbers."""

_Row = NDArray[np.bool_]
"""bool: for each class, whether a set has its numbers."""


class _Classes(NamedTuple):
    """Classes of numbers. Class i < modulus has the multiples of the unit that are i modulo `modulus`, in units; class
    `modulus` has all other numbers.

    unit, places: the unit is unit / 10**places.
    modulus: number of remainders.
    """

    unit: int
    places: int
    modulus: int

    @classmethod
    def of(cls, grids: list[Grid]) -> _Classes:
        """The classes that some grids distinguish."""
        places = max(grid.places for grid in grids)
        multiples = [_multiple(grid, places) for grid in grids]
        unit = math.gcd(*multiples)
        return cls(unit, places, math.lcm(*multiples) // unit)

    def number_of(self, value: Decimal) -> int:
        """The class of a number."""
        steps = Fraction(value) * 10**self.places / self.unit
        return steps.numerator % self.modulus if steps.denominator == 1 else self.modulus


def by_residues(formula: Formula, domain: lang.Language) -> lang.Language | None:
    """The texts of a domain that satisfy a formula about numbers.

    None if the domain is not PLAIN, if there is more than bounds and multiples, or if the sets would be too large.
    """
    bounds = bounds_in(formula)
    if domain is not numbers.PLAIN or bounds is None:
        return None
    several = {one.grid: one for found in bounds.values() for one in found if one.grid != NO_GRID}
    if not several or any(one.integer == "text" for one in several.values()):
        return None
    grids = {grid: _grid(one) for grid, one in several.items()}
    line, classes = Line(bounds), _Classes.of(list(grids.values()))
    is_far = any(abs(point.adjusted()) > MAX_DIGITS for point in line.points)
    if is_far or classes.modulus * line.count > _MOST_BITS or classes.modulus * classes.unit > _MOST_REMAINDERS:
        return None
    bits = {
        grid: _every(_multiple(one, classes.places) // classes.unit, classes.modulus, line.count)
        for grid, one in grids.items()
    }
    bits[NO_GRID] = _every(1, classes.modulus + 1, line.count)
    held = line.held(formula, lambda one: bits[one.grid], classes.modulus + 1)
    found = [
        _language(row, classes, ends) for ends, row in _segments(_table(held, line, classes.modulus + 1), line, classes)
    ]
    return lang.union(*found)


def _grid(bounds: Bounds) -> Grid:
    return grid_of(Decimal(1) if bounds.multiple_of is None else bounds.multiple_of, bounds.integer is not None, True)


def _multiple(grid: Grid, places: int) -> int:
    """The modulus of a grid, for numbers scaled by 10**places."""
    scaled: int = grid.modulus * 10 ** (places - grid.places)
    return scaled


def _every(step: int, count: int, width: int) -> int:
    """A number of `count` fields in which every `step`-th field is 1 and the others are 0.

    step: divides `count`.
    width: bits of a field.
    """
    return ((1 << width * count) - 1) // ((1 << width * step) - 1)


def _table(held: int, line: Line, num_classes: int) -> _Row:
    """bool (pieces, classes): where a formula holds. held: the same as bits, see `Line.held`."""
    size = line.count * num_classes
    packed = np.frombuffer(held.to_bytes(-(-size // 8), "little"), np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").astype(np.bool_).reshape(num_classes, -1).T


def _segments(table: _Row, line: Line, classes: _Classes) -> Iterator[tuple[tuple[Decimal | None, ...], _Row]]:
    """Yields (interval, classes) such that a set has exactly the numbers of these classes in the interval.

    table: the set. An interval is the four bounds of `numbers.bounded`. A bound is inclusive exactly if the set has it.
    """
    low: tuple[Decimal | None, Decimal | None] = (None, None)
    for index, point in enumerate(line.points):
        left, at_point, right = table[2 * index : 2 * index + 3]
        number = classes.number_of(point)
        is_in = bool(at_point[number])
        if is_in == left[number] and (left == right).all():
            continue
        is_left, is_right = is_in and bool(left[number]), is_in and bool(right[number])
        yield (*low, *((point, None) if is_left else (None, point))), left
        if is_in and not is_left and not is_right:
            yield (point, None, point, None), at_point
        low = (point, None) if is_right and not is_left else (None, point)
    yield (*low, None, None), table[-1]


def _language(row: _Row, classes: _Classes, ends: tuple[Decimal | None, ...]) -> lang.Language:
    """The numbers of some classes within bounds. ends: the four bounds of `numbers.bounded`."""
    on_grid, has_others = row[:-1], bool(row[-1])
    if not row.any():
        return lang.NOTHING
    if row.all() or (ends[0] is not None and ends[0] == ends[2]):
        return numbers.within(numbers.PLAIN, numbers.bounded(*ends))
    found = np.flatnonzero(on_grid)
    step = classes.modulus if len(found) == 1 else int(found[1]) if len(found) else 0
    if not has_others and len(found) * step == classes.modulus and found[0] == 0 and not (found % step).any():
        multiple = Decimal((0, Decimal(classes.unit * step).as_tuple().digits, -classes.places))
        grid: tuple[Decimal | None, numbers.Integers | None] = (None, "value") if multiple == 1 else (multiple, None)
        return numbers.within(numbers.PLAIN, numbers.bounded(*ends, *grid))
    accepted = np.full(classes.modulus * classes.unit, has_others)
    accepted[:: classes.unit] = on_grid
    return numbers.with_residues(residues(_shortest_period(accepted).tobytes(), classes.places, has_others), *ends)


def _shortest_period(row: _Row) -> _Row:
    """The shortest beginning of a row that gives the row when it is repeated."""
    factor, left = 2, len(row)
    while factor <= left:
        if left % factor:
            factor += 1
            continue
        left //= factor
        parts = row.reshape(factor, -1)
        if (parts == parts[0]).all():
            row = parts[0]
        else:  # then no period is shorter by a power of this factor, either
            while left % factor == 0:
                left //= factor
    return row
