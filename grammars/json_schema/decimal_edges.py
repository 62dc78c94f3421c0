"""Bounds and multiples of number texts, in a form that a text can be compared with one digit at a time.

The callers split bounds by sign, so everything here is about magnitudes: numbers that are not negative.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from ..errors import InvalidInputError
from .residues import Residues

MAX_DIGITS = 10_000
"""Largest distance of a digit from the decimal point, in `multipleOf` and in bounds beside it or beside "integer"."""


FINITE_DIGITS = 308
"""Number of digits before the point up to which every number fits in a double."""


class Edge(NamedTuple):
    """An end of an interval of magnitudes.

    digits: significant digits, without leading and trailing zeros, as bytes 0 to 9; empty for zero.
    exponent: weight of the first digit, as a power of ten; -1 for zero.
    inclusive: True if the edge itself belongs to the interval.
    Example: 120 has the digits 1 and 2, and exponent 2.
    """

    digits: bytes
    exponent: int
    inclusive: bool

    @property
    def whole(self) -> int:
        """Number of digits of the integer part; 0 if it is zero."""
        return (
            self.exponent + 1 if self.exponent >= 0 else 0
        )  # PERF: half the time of max(), and called millions of times

    def digit(self, weight: int) -> int:
        """The digit at a weight. weight: power of ten."""
        index = self.exponent - weight
        return self.digits[index] if 0 <= index < len(self.digits) else 0

    def ends_at(self, weight: int) -> bool:
        """True if every digit of a lower weight is 0."""
        return self.exponent - weight + 1 >= len(self.digits)


class Grid(NamedTuple):
    """The multiples of modulus / 10**places.

    fraction: True if texts may have a point; only zeros may come after `places` digits of the fraction.
    A text is tracked by a remainder: its digits so far, read as one integer, modulo `modulus`.
    """

    modulus: int
    places: int
    fraction: bool = True

    @property
    def has_others(self) -> bool:
        """False: all multiples fit in `places`. Some `Residues` contain numbers with more places."""
        return False

    def after(self, remainder: int, digit: int) -> int:
        """The remainder after one more digit."""
        return (remainder * 10 + digit) % self.modulus

    def fits(self, remainder: int, missing: int) -> bool:
        """True if the number is a multiple when `missing` more digits, all 0, are added to its text."""
        return bool(remainder * 10**missing % self.modulus == 0)

    def at_least(self, integer: int) -> int:
        """The smallest multiple of `modulus` that is not below `integer`."""
        return -(-integer // self.modulus) * self.modulus

    def at_most(self, integer: int) -> int:
        """The largest multiple of `modulus` that is not above `integer`."""
        return integer // self.modulus * self.modulus

    def reaches(self, remainder: int, free_digits: int) -> bool:
        """True if some digits that may follow lead to a multiple.

        remainder: remainder of the digits so far.
        free_digits: number of digits that follow, each any digit.
        """
        block: int = 10**free_digits
        return block >= self.modulus or bool(-remainder * block % self.modulus < block)


class Interval(NamedTuple):
    """The numbers between two ends; None: no end. low_in, high_in: True if the end itself is included."""

    low: Decimal | None = None
    high: Decimal | None = None
    low_in: bool = True
    high_in: bool = True

    @property
    def mirrored(self) -> Interval:
        """The interval of the opposite numbers: from 1 to 2 becomes from -2 to -1."""
        low, high = (None if end is None else end.copy_negate() for end in (self.high, self.low))
        return Interval(low, high, self.high_in, self.low_in)


class Span(NamedTuple):
    """The magnitudes from `low` to `high`; None: no bound. With a grid, both ends and all numbers lie on it."""

    low: Edge | None = None
    high: Edge | None = None
    grid: Grid | Residues | None = None


def span(interval: Interval, grid: Grid | Residues | None) -> Span | None:
    """The magnitudes in an interval; None if there are none. grid: the numbers that are allowed; None: all."""
    low, high, low_in, high_in = interval
    if low is None or low < 0 or (low == 0 and low_in):
        low, low_in = None, True
    if high is not None and (high < 0 or (high == 0 and not high_in)):
        return None
    if grid is not None and not grid.has_others:
        low, high = _inward(low, low_in, high, high_in, grid)
        low_in = high_in = True
        if high is not None and high < 0:
            return None
    if low is not None and high is not None and (low > high or (low == high and not (low_in and high_in))):
        return None
    low_edge = None if low is None else edge_of(low, low_in)
    high_edge = None if high is None else edge_of(high, high_in)
    return Span(low_edge, high_edge, grid)


def finite(span: Span) -> Span:
    """The same span with at most FINITE_DIGITS digits before the point, unless its low end has more."""
    low, high, grid = span
    if (high is not None and high.whole <= FINITE_DIGITS) or (low is not None and low.whole > FINITE_DIGITS):
        return span
    if grid is None or grid.has_others:
        return Span(low, Edge(b"\1", FINITE_DIGITS, False), grid)
    most = edge_of(_number(grid.at_most(10 ** (FINITE_DIGITS + grid.places) - 1), grid), inclusive=True)
    is_above = low is not None and (most.exponent, most.digits) < (low.exponent, low.digits)
    return span if is_above else Span(low, most, grid)


def only_value(span: Span) -> Decimal | None:
    """The only number of a span; None if the span has several."""
    low, high, _ = span
    if high is not None and not high.digits:
        return Decimal(0)
    if low is None or high is None or low != high:
        return None
    return Decimal((0, tuple(low.digits), low.exponent - len(low.digits) + 1))


def grid_of(multiple: Decimal, whole: bool, fraction: bool) -> Grid:
    """The grid of the multiples of a number.

    whole: True: only multiples that are integers.
    fraction: as in `Grid`.
    Raises InvalidInputError if `multiple` is not positive and finite, or has digits too far from the point.
    """
    if not multiple.is_finite() or multiple <= 0:
        raise InvalidInputError(f"a multiple of {multiple} is asked for; it must be a positive number")
    number, places = _scaled(multiple)
    if whole:
        number, places = number // math.gcd(number, 10**places), 0
    return Grid(number, places, fraction)


def is_multiple(number: Decimal, grid: Grid) -> bool:
    """True if a number lies on a grid."""
    return bool((Fraction(number) * 10**grid.places / grid.modulus).denominator == 1)


def edge_of(magnitude: Decimal, inclusive: bool) -> Edge:
    """The edge at a finite number that is not negative."""
    _, digits, exponent = magnitude.as_tuple()
    assert isinstance(exponent, int), "bounds are finite"
    text = bytes(digits).lstrip(b"\0")
    if not text:
        return Edge(b"", -1, inclusive)
    return Edge(text.rstrip(b"\0"), exponent + len(text) - 1, inclusive)


def _scaled(number: Decimal) -> tuple[int, int]:
    """(integer, places) with number = integer / 10**places and the least possible places.

    Raises InvalidInputError for digits more than MAX_DIGITS places from the point.
    """
    edge = edge_of(number, True)
    places = max(len(edge.digits) - 1 - edge.exponent, 0)
    if max(edge.exponent, places) > MAX_DIGITS:
        raise InvalidInputError(f"a number with digits more than {MAX_DIGITS} places from the decimal point")
    zeros = edge.exponent + 1 + places - len(edge.digits)
    return int(Decimal((0, tuple(edge.digits) or (0,), 0))) * 10**zeros, places


def _inward(
    low: Decimal | None, low_in: bool, high: Decimal | None, high_in: bool, grid: Grid | Residues
) -> tuple[Decimal | None, Decimal | None]:
    """Move both bounds inward to the next numbers of the grid. The high bound may become negative."""
    if low is not None:
        digits = _digits_of(low, grid)
        low = _number(grid.at_least(math.ceil(digits) if low_in else math.floor(digits) + 1), grid)
    if high is not None:
        digits = _digits_of(high, grid)
        high = _number(grid.at_most(math.floor(digits) if high_in else math.ceil(digits) - 1), grid)
    return low, high


def _digits_of(bound: Decimal, grid: Grid | Residues) -> Fraction:
    """A bound in units of the grid's last place: multiplied by 10**places."""
    number, places = _scaled(bound)
    return Fraction(number * 10**grid.places, 10**places)


def _number(integer: int, grid: Grid | Residues) -> Decimal:
    sign, digits, _ = Decimal(integer).as_tuple()
    return Decimal((sign, digits, -grid.places))
