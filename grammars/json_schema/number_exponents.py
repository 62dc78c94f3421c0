"""Nodes that read numbers with an exponent, as JSON writers spell them. Examples: 1e+16 and 2.5e-07 (Python), 1e-7
(JavaScript), 1.0E10 (Java), 6.022e23.

A mantissa is one digit from 1 to 9, and optionally a point and up to 16 more digits, as many as a double needs. The
exponent has up to three digits. All these numbers are finite doubles, and none is read as 0. Every node that `arcs()`
leads to can be completed.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from .decimal_edges import Edge, Span, edge_of
from .number_texts import NumberState, digit_groups

SMALLEST, LARGEST = Decimal("4.9406564584124654e-324"), Decimal("1.7976931348623157e308")
"""The smallest and the largest positive double. Only magnitudes between them are written with an exponent."""

MAX_MANTISSA = 17
MAX_EXPONENT_DIGITS = 3
_SMALLEST_EDGE, _LARGEST_EDGE = edge_of(SMALLEST, inclusive=True), edge_of(LARGEST, inclusive=True)


class Exponents(NamedTuple):
    """The powers of ten that a mantissa may be multiplied by: `first` to `last`.

    low: with the first power, the mantissa must not be below this edge; None: no limit.
    high: with the last power, the mantissa must not be above this edge; None: no limit.
    The digits of the mantissa so far equal those of `low` and `high`.
    """

    first: int
    last: int
    low: Edge | None = None
    high: Edge | None = None

    @property
    def has_any(self) -> bool:
        """True if some exponent can be written."""
        return self.first <= self.last

    def after(self, to_low: int, to_high: int) -> Exponents:
        """The exponents after one more digit. to_low, to_high: order of the digit and the edge's digit: -1, 0 or 1."""
        first, last, low, high = self
        if to_low:
            first, low = first + (to_low < 0), None
        if to_high:
            last, high = last - (to_high > 0), None
        return Exponents(first, last, low, high)

    def finished(self, size: int) -> Exponents:
        """The exponents that are left if the mantissa ends with `size` digits."""
        first, last, low, high = self
        if low is not None:
            first += not (low.inclusive and len(low.digits) <= size)
        if high is not None:
            last -= not (high.inclusive or len(high.digits) > size)
        return Exponents(first, last)


class Mantissa(NamedTuple):
    """The state in the mantissa of a number with an exponent.

    exponents: the exponents that are possible.
    size: number of digits read.
    point: True if a point was read.
    """

    exponents: Exponents
    size: int = 0
    point: bool = False

    @property
    def most_left(self) -> int:
        """See `NumberText`. Exponents between the first and the last one fit any mantissa: after a point, there follow
        a digit, "e", a sign and the exponent. Without such exponents, the text's own length is the bound.
        """
        first, last, low, high = self.exponents
        has_inner = first + (low is not None) <= last - (high is not None)
        return (1 if has_inner else MAX_MANTISSA + 1) + 2 + MAX_EXPONENT_DIGITS

    @property
    def accepts(self) -> bool:
        return False

    def arcs(self) -> Iterator[tuple[str, NumberState]]:
        if self.size == 1 and not self.point:
            node = self._replace(point=True)
            if node.is_live():
                yield ".", node
        elif self.size < MAX_MANTISSA:
            yield from self._digits()
        if self.size and not (self.point and self.size == 1):
            powers = self.exponents.finished(self.size)
            if powers.has_any:
                yield "eE", Power(((powers.first, powers.last),))

    def _digits(self) -> Iterator[tuple[str, NumberState]]:
        size, (_, _, low, high) = self.size, self.exponents
        low_digit = None if low is None else low.digit(low.exponent - size)
        high_digit = None if high is None else high.digit(high.exponent - size)
        for chars, to_low, to_high, _ in digit_groups(int(size == 0), low_digit, high_digit, 0, None):
            node = self._replace(exponents=self.exponents.after(to_low, to_high), size=size + 1)
            if node.is_live():
                yield chars, node

    def is_live(self) -> bool:
        """True if some text completes the number: with an inner exponent, or with the first or the last one.

        PERF: an inclusive low edge whose digits fit in a mantissa can always be reached, without a search.
        """
        first, last, low, high = self.exponents
        if low is not None and low.inclusive and len(low.digits) <= MAX_MANTISSA:
            return first <= last
        if first + (low is not None) <= last - (high is not None):
            return True
        return first <= last and any(
            self._may_lie(low if power == first else None, high if power == last else None) for power in {first, last}
        )

    def _may_lie(self, low: Edge | None, high: Edge | None) -> bool:
        """True if the mantissa can go on so that it lies between edges.

        The method compares the least mantissa from the low edge on with the high edge, both as integers with the
        largest possible number of digits.
        """
        size = MAX_MANTISSA
        equal = low or high
        assert equal is not None, "or the exponent is an inner one"
        read = _leading(equal, self.size)
        least = max(read, 1) * 10 ** (size - max(self.size, 1))
        if low is not None:
            is_reached = low.inclusive and len(low.digits) <= size
            least = max(least, _leading(low, size) + (not is_reached))
        if least >= (read + 1) * 10 ** (size - self.size):
            return False
        if high is None:
            return True
        most = _leading(high, size)
        return least < most or (least == most and (high.inclusive or len(high.digits) > size))


def _leading(edge: Edge, size: int) -> int:
    """The first `size` digits of an edge, as one integer."""
    digits = edge.digits[:size].ljust(size, b"\0")
    return int(bytes([digit + 48 for digit in digits]) or b"0")


class Power(NamedTuple):
    """The state after the `e`. spans: the allowed exponents, as (first, last) pairs."""

    spans: tuple[tuple[int, int], ...]

    @property
    def accepts(self) -> bool:
        return False

    def arcs(self) -> Iterator[tuple[str, NumberState]]:
        negative = tuple([(max(-last, 1), -first) for first, last in self.spans if first < 0])
        positive = tuple([(max(first, 0), last) for first, last in self.spans if last >= 0])
        if negative:
            yield "-", Exponent("", negative)
        if positive:
            yield "+", Exponent("", positive)
            yield from Exponent("", positive).arcs()


class Exponent(NamedTuple):
    """The state in the digits of an exponent, which may have leading zeros.

    digits: digits read.
    spans: the allowed magnitudes of the exponent, as (first, last) pairs.
    """

    digits: str
    spans: tuple[tuple[int, int], ...]

    @property
    def accepts(self) -> bool:
        return self.digits != "" and any(first <= int(self.digits) <= last for first, last in self.spans)

    def arcs(self) -> Iterator[tuple[str, NumberState]]:
        for char in "0123456789":
            digits = self.digits + char
            spans = tuple([span for span in self.spans if _may_reach(digits, span)])
            if spans:
                yield char, Exponent(digits, spans)


def _may_reach(digits: str, span: tuple[int, int]) -> bool:
    """True if the digits begin an exponent of a span, or are one. Example: "1" may reach 12."""
    value, room = int(digits), MAX_EXPONENT_DIGITS - len(digits)
    return any(max(value * 10**more, span[0]) <= min((value + 1) * 10**more - 1, span[1]) for more in range(room + 1))


def exponents(span: Span) -> Exponents:
    """The exponents of the numbers of a span without a grid."""
    low, high = span.low or _SMALLEST_EDGE, span.high or _LARGEST_EDGE
    if not high.digits:
        return Exponents(0, -1)
    low = low if low.digits and _size(low) >= _size(_SMALLEST_EDGE) else _SMALLEST_EDGE
    high = high if _size(high) <= _size(_LARGEST_EDGE) else _LARGEST_EDGE
    return Exponents(low.exponent, high.exponent, low, high)


def _size(edge: Edge) -> tuple[int, bytes]:
    """A key that orders edges by their values. The edge must not be zero."""
    return edge.exponent, edge.digits
