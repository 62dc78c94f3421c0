"""Formulas about numbers, solved by arithmetic: the numbers that satisfy one, as intervals and remainders.

The bounds in a formula cut the line of numbers into pieces: points, and the open intervals between them. The formula's
`multipleOf` sort the numbers into classes. Their greatest common divisor is the unit. For a multiple of the unit, its
remainder modulo their least common multiple decides which `multipleOf` hold. There is one class for each remainder, and
one for numbers that are no multiples of the unit.
A set of numbers has one bit for each piece and class. Such sets are integers, so a formula is a few operations on them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import reduce
from operator import and_, or_
from typing import NamedTuple, TypeAlias

import numpy as np

from ..regex import algebra as lang
from ..watch import checkpoint, paced
from . import numbers
from .decimal_edges import MAX_DIGITS, Interval, grid_of
from .formula import Atom, Formula, NumberIn
from .numbers import Bounds, Integers
from .residual import atoms, fold
from .residues import residues

Multiples: TypeAlias = tuple[Decimal | None, Integers | None]
"""A condition on multiples, as `Bounds.grid` gives it."""
Cell: TypeAlias = tuple[lang.Language, tuple[bool, ...]]
"""A language, and the truth of some formulas for its numbers."""

_ANY = Bounds().grid
_MOST_BITS = 1 << 20
"""Maximum number of pieces of the line, added over all classes."""
_MOST_REMAINDERS = 1 << 14
"""Maximum number of remainders that describe a set of numbers."""


def cells_of(
    formula: Formula, tracked: tuple[Formula, ...], domain: lang.Language, *, is_written: bool = False
) -> list[Cell] | None:
    """The texts of a domain that satisfy a formula about numbers, split by the truth of `tracked`.

    is_written: True: only the texts that JSON writers write; see `numbers.within`.
    Returns a cell for each outcome that some numbers have; its language may be empty. Without `tracked` there is
    exactly one cell. None if the formulas have more than bounds and multiples, or if the sets would be too large.
    """
    several = [_bounds_in(one) for one in (formula, *tracked)]
    if domain not in (numbers.CANONICAL, numbers.PLAIN) or None in several:
        return None
    bounds = {atom: ends for one in several if one is not None for atom, ends in one.items()}
    sets = _Sets.of(bounds, domain, is_written)
    if sets is None:
        return None
    held, *parts = [sets.held(one, bounds) for one in paced((formula, *tracked))]
    cells: list[tuple[int, tuple[bool, ...]]] = [(held, ())]
    for part in paced(parts):
        halves = [((found & part, True), (found & ~part, False), outcome) for found, outcome in paced(cells)]
        cells = [(found, (*outcome, is_in)) for *both, outcome in paced(halves) for found, is_in in both if found]
    languages = [(sets.language(found), outcome) for found, outcome in cells]
    known = [(language, outcome) for language, outcome in languages if language is not None]
    return known if len(known) == len(languages) else None


def _bounds_in(formula: Formula) -> dict[Atom, tuple[Bounds, ...]] | None:
    """Assertion -> alternatives of bounds; a number must satisfy one. None if some assertion is no union of bounds."""
    found: dict[Atom, tuple[Bounds, ...]] = {}
    for atom in paced(atoms(formula)):
        if not isinstance(atom, NumberIn) or atom.of_texts:
            return None
        bounds = numbers.bounds_of(atom.language)
        if bounds is None:
            return None
        found[atom] = bounds
    return found


class _Classes(NamedTuple):
    """The classes of numbers that some conditions on multiples distinguish.

    Class i < modulus has the multiples of the unit that are i modulo `modulus`, in units; class `modulus` has all
    other numbers. Without conditions `modulus` is 0.
    steps: condition -> number of units from one number that satisfies it to the next.
    unit, places: the unit is unit / 10**places.
    """

    steps: dict[Multiples, int]
    unit: int = 1
    places: int = 0
    modulus: int = 0

    @classmethod
    def of(cls, conditions: set[Multiples]) -> _Classes:
        """The classes for some conditions."""
        if not conditions:
            return cls({})
        grids = {
            (multiple, integer): grid_of(Decimal(1) if multiple is None else multiple, integer is not None, True)
            for multiple, integer in conditions
        }
        places = max(grid.places for grid in grids.values())
        multiples = {one: grid.modulus * 10 ** (places - grid.places) for one, grid in grids.items()}
        unit = math.gcd(*multiples.values())
        steps = {one: multiple // unit for one, multiple in multiples.items()}
        return cls(steps, unit, places, math.lcm(*steps.values()))

    @property
    def only(self) -> Multiples | None:
        """The condition if there is exactly one."""
        return next(iter(self.steps)) if len(self.steps) == 1 else None

    def number_of(self, value: Decimal) -> int:
        """The class of a number: the number in units, modulo `modulus`; `modulus` if it is no multiple of the unit."""
        if not self.modulus:
            return 0
        numerator, denominator = value.as_integer_ratio()
        quotient, left = divmod(numerator * 10**self.places, denominator * self.unit)
        return self.modulus if left else quotient % self.modulus

    def condition(self, row: Sequence[bool]) -> Multiples | None:
        """The condition on multiples that exactly the numbers of some classes satisfy; None if there is none.

        row: for each class, True if its numbers are in the set.
        """
        if all(row):
            return _ANY
        if row[-1] or not row[0]:
            return None
        if self.only is not None:
            return self.only
        step = next((place for place in range(1, self.modulus) if row[place]), self.modulus)
        if self.modulus % step or any(is_in != (place % step == 0) for place, is_in in enumerate(row[:-1])):
            return None
        multiple = Decimal((0, Decimal(self.unit * step).as_tuple().digits, -self.places))
        return (None, "value") if multiple == 1 else (multiple, None)


class _Sets:
    """The sets of numbers that bounds and multiples can describe, over one domain of texts.

    points: all bounds, ascending. The points cut the line into pieces: the numbers before the first point, that point,
        the numbers before the second point, ... A set is an integer: the bits of the pieces for the first class, then
        for the second one, and so on.
    """

    def __init__(self, points: list[Decimal], classes: _Classes, domain: lang.Language, is_written: bool) -> None:
        self._points, self._classes, self._domain, self._is_written = points, classes, domain, is_written
        self._place = {point: 2 * index + 1 for index, point in enumerate(points)}
        self._count = 2 * len(points) + 1
        self._has_texts = any(integer == "text" for _, integer in classes.steps)
        self._classes_of = {one: self._every(step, classes.modulus) for one, step in classes.steps.items()}
        self._classes_of[_ANY] = self._every(1, classes.modulus + 1)

    @classmethod
    def of(cls, bounds: dict[Atom, tuple[Bounds, ...]], domain: lang.Language, is_written: bool) -> _Sets | None:
        """The sets for the bounds of some assertions; None if they would be too large."""
        every = [one for several in bounds.values() for one in several]
        classes = _Classes.of({one.grid for one in every} - {_ANY})
        points = sorted({end for one in every for end in one.interval[:2] if end is not None})
        is_far = bool(classes.steps) and any(abs(point.adjusted()) > MAX_DIGITS for point in points)
        is_large = classes.modulus > 1 and classes.modulus * (2 * len(points) + 1) > _MOST_BITS
        is_by_text = classes.only is None and any(integer == "text" for _, integer in classes.steps)
        return None if is_far or is_large or is_by_text else cls(points, classes, domain, is_written)

    def held(self, formula: Formula, bounds: dict[Atom, tuple[Bounds, ...]]) -> int:
        """The set of the numbers that satisfy a formula. bounds: see `_bounds_in`."""
        everything = (1 << self._count * (self._classes.modulus + 1)) - 1

        def of(atom: Atom) -> int:
            checkpoint()
            return _union([self._within(one.interval) * self._classes_of[one.grid] for one in bounds[atom]])

        return fold(
            formula, of, lambda part: everything ^ part, lambda parts: reduce(and_, parts, everything), _union, _one
        )

    def language(self, held: int) -> lang.Language | None:
        """The texts of the numbers in a set; None if bounds and multiples can't express it, or if it is too large."""
        rows = self._rows(held)
        has_others = any(row[-1] for row in rows)
        if self._has_texts and has_others and any(row[0] != row[1] for row in rows):
            return None  # a bound does not tell the class of an integer: its text does
        points: list[Decimal] = []
        found: list[lang.Language] = []
        for interval, row in self._segments(rows):
            if interval.low is not None and interval.low == interval.high:
                points.append(interval.low)
            elif any(row):
                language = self._between(interval, row)
                if language is None:
                    return None
                found.append(language)
        if points:
            listed = numbers.one_of(points, *(_ANY if has_others else self._classes.only or _ANY))
            found.append(numbers.within(self._domain, listed, is_written=self._is_written))
        return lang.union(*found)

    def _between(self, interval: Interval, row: Sequence[bool]) -> lang.Language | None:
        """The numbers of some classes in an interval; None if they would need too many remainders."""
        classes = self._classes
        condition = classes.condition(row)
        if condition is not None:
            language = numbers.language_of(Bounds(interval, *condition))
            return numbers.within(self._domain, language, is_written=self._is_written)
        if classes.modulus * classes.unit > _MOST_REMAINDERS:
            return None
        accepted = np.full(classes.modulus * classes.unit, row[-1])
        accepted[:: classes.unit] = row[:-1]
        period = _shortest_period(accepted.tobytes())
        found = residues(period, classes.places, row[-1])
        return numbers.with_residues(found, interval, is_written=self._is_written)

    def _every(self, step: int, count: int) -> int:
        """The set with piece 1 in each `step`-th of the first `count` classes. step: divides `count`."""
        return ((1 << self._count * count) - 1) // ((1 << self._count * step) - 1)

    def _rows(self, held: int) -> list[list[bool]]:
        """For each piece: for each class, whether a set has the numbers."""
        size = self._count * (self._classes.modulus + 1)
        packed = np.frombuffer(held.to_bytes(-(-size // 8), "little"), np.uint8)
        bits = np.unpackbits(packed, count=size, bitorder="little").astype(np.bool_)
        rows: list[list[bool]] = bits.reshape(-1, self._count).T.tolist()
        return rows

    def _segments(self, rows: list[list[bool]]) -> Iterator[tuple[Interval, list[bool]]]:
        """Yields (interval, classes) such that a set has exactly the numbers of these classes in the interval.

        rows: the set. A bound is inclusive exactly if the set has it.
        """
        low: Decimal | None = None
        low_in = True
        for index, point in enumerate(paced(self._points)):
            left, at_point, right = rows[2 * index : 2 * index + 3]
            number = self._classes.number_of(point)
            is_in = at_point[number]
            if is_in == left[number] and left == right:
                continue
            is_left, is_right = is_in and left[number], is_in and right[number]
            yield Interval(low, point, low_in, is_left), left
            if is_in and not is_left and not is_right:
                yield Interval(point, point), at_point
            low, low_in = point, is_right and not is_left
        yield Interval(low, None, low_in), rows[-1]

    def _within(self, interval: Interval) -> int:
        """The pieces in an interval."""
        low, high, low_in, high_in = interval
        first = 0 if low is None else self._place[low] + (not low_in)
        last = self._count - 1 if high is None else self._place[high] - (not high_in)
        return (1 << last + 1) - (1 << first) if first <= last else 0


def _shortest_period(row: bytes) -> bytes:
    """The shortest beginning of a row whose repetition gives the whole row. Example: `ab` for `abab`."""
    factor, left = 2, len(row)
    while factor <= left:
        if left % factor:
            factor += 1
            continue
        left //= factor
        if row == row[: len(row) // factor] * factor:
            row = row[: len(row) // factor]
        else:  # then no period is shorter by a power of this factor, either
            while left % factor == 0:
                left //= factor
    return row


def _union(parts: list[int]) -> int:
    return reduce(or_, parts, 0)


def _one(parts: list[int]) -> int:
    """The numbers that are in exactly one of some sets."""
    some = several = 0
    for part in parts:
        several |= some & part
        some |= part
    return some & ~several
