"""The nodes that read numbers with exponent, spelled as Python's `json.dumps` does: 1e+16, 2.5e-07.

A mantissa has 17 digits at most, as many as a double needs. Every node that `arcs()` leads to can be completed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .decimal_edges import Edge, Span
from .number_texts import Node, digit_groups, order_of

SMALLEST_EXPONENT, LARGEST_EXPONENT = -307, 307
"""Exponents that are written: each of them leaves every mantissa a finite, normal double."""

_MAX_MANTISSA = 17


class Exponents(NamedTuple):
    """What a mantissa may be multiplied by: powers of ten from `first` to `last`.

    low, high: with the first and the last power, the mantissa must not be under low or over high; their digits so far
    equal the mantissa's. None: any mantissa.
    """

    first: int
    last: int
    low: Edge | None = None
    high: Edge | None = None

    def has_any(self) -> bool:
        """True when some exponent can be written."""
        return self.first <= self.last and (self.first <= -5 or self.last >= 16)

    def after(self, to_low: int, to_high: int) -> Exponents:
        """What is left when the next digit of the mantissa compares so with those of the edges."""
        first, last, low, high = self
        if to_low:
            first, low = first + (to_low < 0), None
        if to_high:
            last, high = last - (to_high > 0), None
        return Exponents(first, last, low, high)

    def finished(self, size: int) -> Exponents:
        """What is left when the mantissa ends with `size` digits."""
        first, last, low, high = self
        if low is not None:
            first += not (low.inclusive and len(low.digits) <= size)
        if high is not None:
            last -= not (high.inclusive or len(high.digits) > size)
        return Exponents(first, last)


class Mantissa(NamedTuple):
    """In the mantissa of a number with exponent; before its first digit when size is 0.

    size: digits read. point: a point was read. zero: the last digit is a zero after the point: another must follow.
    """

    exponents: Exponents
    size: int = 0
    point: bool = False
    zero: bool = False

    @property
    def accepts(self) -> bool:
        return False

    def arcs(self) -> Iterator[tuple[str, Node]]:
        if self.size == 1 and not self.point:
            node = self._replace(point=True)
            if node.is_live():
                yield ".", node
        elif self.size < _MAX_MANTISSA:
            size, (_, _, low, high) = self.size, self.exponents
            low_digit = None if low is None else low.digit(low.exponent - size)
            high_digit = None if high is None else high.digit(high.exponent - size)
            for chars, to_low, to_high, _ in digit_groups(1, low_digit, high_digit, 0, None):
                yield from self._after(chars, to_low, to_high, False)
            if 0 < size < _MAX_MANTISSA - 1:
                yield from self._after("0", order_of(0, low_digit or 0), order_of(0, high_digit or 0), True)
        if self.size and not self.zero and not (self.point and self.size == 1):
            powers = self.exponents.finished(self.size)
            if powers.has_any():
                yield "e", Power(powers.first, powers.last)

    def _after(self, chars: str, to_low: int, to_high: int, zero: bool) -> Iterator[tuple[str, Node]]:
        node = Mantissa(self.exponents.after(to_low, to_high), self.size + 1, self.point, zero)
        if node.is_live():
            yield chars, node

    def is_live(self) -> bool:
        """True when some text completes this one."""
        first, last, low, high = self.exponents
        inner = Exponents(first + (low is not None), last - (high is not None))
        return inner.has_any() or (self.exponents.has_any() and any(True for _ in self.arcs()))


class Power(NamedTuple):
    """After the `e`, with the exponents that may follow."""

    first: int
    last: int

    @property
    def accepts(self) -> bool:
        return False

    def arcs(self) -> Iterator[tuple[str, Node]]:
        if self.first <= min(self.last, -5):
            yield "-", Exponent("", max(-self.last, 5), -self.first)
        if max(self.first, 16) <= self.last:
            yield "+", Exponent("", max(self.first, 16), self.last)


class Exponent(NamedTuple):
    """In the digits of an exponent, of which there are two at least. first, last: the exponents that may be written."""

    digits: str
    first: int
    last: int

    @property
    def accepts(self) -> bool:
        return len(self.digits) >= 2 and self.first <= int(self.digits) <= self.last

    def arcs(self) -> Iterator[tuple[str, Node]]:
        for char in "0123456789":
            node = self._replace(digits=self.digits + char)
            if node.accepts or node._is_live():
                yield char, node

    def _is_live(self) -> bool:
        value = int(self.digits)
        longer = [(value * 10, value * 10 + 9)] if len(self.digits) == 1 else []
        if len(self.digits) <= 2 and self.digits[0] != "0":
            scale = 10 ** (3 - len(self.digits))
            longer.append((value * scale, value * scale + scale - 1))
        return any(max(low, self.first) <= min(high, self.last) for low, high in longer)


def exponents(span: Span) -> Exponents:
    """The exponents of the numbers of a span (its grid, if any, is that of the integers)."""
    first, last = (SMALLEST_EXPONENT if span.grid is None else 16), LARGEST_EXPONENT
    low, high = span.low, span.high
    if low is not None:
        first, low = max(first, low.exponent if low.digits else first), low if low.digits else None
    if high is not None:
        last = min(last, high.exponent) if high.digits else first - 1
    if -5 < first < 16:
        first = 16
    if -5 < last < 16:
        last = -5
    low = low if low is not None and low.exponent == first else None
    high = high if high is not None and high.exponent == last else None
    return Exponents(first, last, low, high)
