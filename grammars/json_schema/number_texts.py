"""Machines that read a number's text and compare its value with bounds while they read.

A node is a state of the reader. This module has the nodes of numbers without exponent: `-?(0|[1-9][0-9]*)(\\.[0-9]+)?`.
The numbers lie between two edges, on a grid or not. number_exponents.py has the nodes of other numbers.
Each node has `accepts` (the text may end here) and `arcs()`: the characters that may follow, with the next nodes. Nodes
that no text could complete are left out; arithmetic decides this, not search. `NumberText` makes an algebra machine of
nodes.

Comparisons are -1, 0 or 1: the order of the digits so far and the same number of digits of an edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from ..regex import charset
from ..regex.charset import CharSet
from .decimal_edges import Edge, Grid, Span
from .residues import Residues

SIGNIFICANT = 17
"""Number of digits that is enough for every double. Written numbers with a point have at most this many significant
digits, and at most this many zeros before the first of them.
"""


class NumberState(Protocol):
    """A state of a reader of numbers."""

    @property
    def accepts(self) -> bool:
        """True if the text may end here."""

    def arcs(self) -> Iterable[tuple[str, NumberState]]:
        """Groups of characters that may follow, each with the next node. The next nodes are all different."""


class NumberText(NamedTuple):
    """The machine of the texts that at least one of some nodes reads."""

    nodes: tuple[NumberState, ...]

    @property
    def most_left(self) -> int | None:
        """Maximum number of characters from any state behind the nodes to the nearest end; None if unknown. The nodes
        must be those before the first character.
        """
        return most_left_of(self.nodes)

    @property
    def nullable(self) -> bool:
        """True if the text may end here."""
        return any(node.accepts for node in self.nodes)

    @property
    def surely_nonempty(self) -> bool:
        """True: every machine of nodes has a text, so the algebra need not search for one."""
        return True

    def transitions(self) -> tuple[tuple[CharSet, NumberText], ...]:
        """The disjoint sets of characters that may follow, each with the machine after them."""
        if len(self.nodes) == 1 and type(self.nodes[0]) is not Minus:
            return tuple([(charset_of(chars), NumberText((node,))) for chars, node in self.nodes[0].arcs()])
        targets: dict[str, list[NumberState]] = {}
        for place in self.nodes:
            for chars, node in place.arcs():
                for char in chars:
                    targets.setdefault(char, []).append(node)
        groups: dict[tuple[NumberState, ...], str] = {}
        for char, nodes in ((char, tuple(found)) for char, found in targets.items()):
            groups[nodes] = groups.get(nodes, "") + char
        return tuple([(charset_of(chars), NumberText(nodes)) for nodes, chars in groups.items()])


def most_left_of(nodes: Iterable[NumberState]) -> int | None:
    """Return the maximum `most_left` of some nodes; None if one has none. A text that several nodes read ends where the
    first of them ends.
    """
    found: list[int | None] = [getattr(node, "most_left", None) for node in nodes]
    known = [most for most in found if most is not None]
    return max(known) if len(known) == len(found) else None


class Minus(NamedTuple):
    """The state before a minus sign. after: the nodes that read the magnitude."""

    after: tuple[NumberState, ...]

    @property
    def most_left(self) -> int | None:
        """See `NumberText`."""
        return most_left_of(self.after)

    @property
    def accepts(self) -> bool:
        return False

    def arcs(self) -> Iterator[tuple[str, NumberState]]:
        for node in self.after:
            yield "-", node


def digit_groups(
    first: int, low: int | None, high: int | None, rest: int, grid: Grid | Residues | None
) -> Iterable[tuple[str, int, int, int]]:
    """Groups the digits from `first` to 9: (digits, order to `low`, order to `high`, remainder after them).

    low, high: digits of the two edges; None: no comparison, order 0.
    rest: remainder before the digit.
    grid: the grid of the remainders; None: no grid, remainder 0.
    """
    if grid is None or grid.modulus == 1:
        return _compared_digits(first, low, high)
    groups: dict[tuple[int, int, int], str] = {}
    for chars, to_low, to_high, _ in _compared_digits(first, low, high):
        for char in chars:
            key = to_low, to_high, grid.after(rest, int(char))
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
    """-1, 0 or 1 if the first number is less than, equal to or greater than the second."""
    return (first > second) - (first < second)


@lru_cache(maxsize=1024)
def charset_of(chars: str) -> CharSet:
    return charset.from_chars(chars)


# --- numbers without exponent


class Magnitude(NamedTuple):
    """The state before the first digit of a number without exponent.

    span: the magnitudes that may be read.
    is_written: True: fractions have only as many digits as writers write.
    """

    span: Span
    is_written: bool = False

    @property
    def most_left(self) -> int | None:
        """See `NumberText`.

        Proof. The text so far begins a number of the span, and has n digits before its point. Let L and H be the
        numbers of digits that the edges have there, and R that of the grid's modulus (0 without a grid).
        1. At most W = max(L + 1, R) more digits come before the point. With m = max(L + 1, n + R) digits in all, the
           number is above the low edge, and R free digits reach every remainder. If m < H, the number is below the high
           edge, too. Else no number of the span has more than H <= m digits.
        2. Let P be the largest number of places of the edges and of the grid. The numbers that begin with the same
           digits form an interval, whose ends have at most P places or are the text itself. So at most P + 1 places
           follow. Each digit of them is one of an edge, or the last one, so the limits of writers do not exclude it.
        """
        low, high, grid = self.span
        if grid is not None and grid.has_others:
            return None
        places = [len(edge.digits) - 1 - edge.exponent for edge in (low, high) if edge is not None]
        num_free = 0 if grid is None else len(str(grid.modulus))
        num_whole = max(1 if low is None else low.whole + 1, num_free)
        return num_whole + 1 + max([0, *places, 0 if grid is None else grid.places]) + 1

    @property
    def accepts(self) -> bool:
        return False

    def arcs(self) -> Iterator[tuple[str, NumberState]]:
        span = self.span
        zero = Whole(span, 0, 0, 0, 0, self.is_written)
        if zero.accepts or any(True for _ in zero.arcs()):
            yield "0", zero
        yield from zero.after_digits(1)


class Whole(NamedTuple):
    """The state in the integer part.

    length: number of digits read; 0 after the single digit 0.
    low, high: -1, 0 or 1: these digits are below, equal to or above the first digits of the span's low or high edge.
    rest: remainder of the digits on the grid.
    is_written: as in `Magnitude`.
    """

    span: Span
    length: int
    low: int
    high: int
    rest: int
    is_written: bool = False

    @property
    def accepts(self) -> bool:
        point = self._point()
        return point is not None and point.fits

    def arcs(self) -> Iterator[tuple[str, NumberState]]:
        if self.length:
            yield from self.after_digits(0)
        point = self._point()
        if point is not None and point.is_live():
            written = WrittenFraction(point, max(SIGNIFICANT - self.length, 0), self.length == 0)
            if not self.is_written:
                yield ".", point
            elif any(True for _ in written.arcs()):
                yield ".", written

    def after_digits(self, first: int) -> Iterator[tuple[str, NumberState]]:
        """The arcs of the digits from `first` to 9."""
        low, high, grid = self.span.low, self.span.high, self.span.grid
        index = self.length
        low_digit = None if low is None or self.low else low.digit(low.exponent - index)
        high_digit = None if high is None or self.high else high.digit(high.exponent - index)
        for chars, to_low, to_high, rest in digit_groups(first, low_digit, high_digit, self.rest, grid):
            node = self._after(self.low or to_low, self.high or to_high, rest)
            if node is not None:
                yield chars, node

    def _after(self, low: int, high: int, rest: int) -> Whole | None:
        """The node after one more digit; None if no text completes it. low, high, rest: the fields after the digit."""
        span, length = self.span, self.length + 1
        if span.low is None or length > span.low.whole or (length == span.low.whole and low > 0):
            span, low = Span(None, span.high, span.grid), 0
        if span.high is None:
            length, high = (1 if span.low is None else length), 0
        elif length > span.high.whole or (length == span.high.whole and high > 0):
            return None
        node = Whole(span, length, low, high, rest, self.is_written)
        return node if node.is_live() else None

    def is_live(self) -> bool:
        """True if some text completes the number."""
        low, high, grid = self.span.low, self.span.high, self.span.grid
        if high is None or (low is not None and self.low == 0):
            return True
        if self.high == 0 and (high.inclusive or self.length < len(high.digits)):
            return True
        first = self.length if low is None else max(self.length, low.whole + (self.low < 0))
        last = high.whole - (self.high >= 0)
        if grid is None or grid.has_others:
            return first <= last
        return any(grid.reaches(self.rest, size - self.length + grid.places) for size in range(last, first - 1, -1))

    def _point(self) -> Fraction | None:
        """The node after the point; None if no number with this integer part is in the span."""
        low, high = self.span.low, self.span.high
        if low is not None:
            order = order_of(self.length, low.whole) or self.low
            if order < 0:
                return None
            low = low if order == 0 else None
        if high is not None:
            order = order_of(self.length, high.whole) or self.high
            if order > 0:
                return None
            high = high if order == 0 else None
        return Fraction(Span(low, high, self.span.grid), 0, self.rest)


class Fraction(NamedTuple):
    """The state after the point.

    span: the allowed magnitudes. An edge is None unless all digits so far equal its digits.
    places: number of digits read after the point. When nothing is left to compare, it stops at 1, or at the grid's
        places.
    rest: remainder of the digits on the grid.
    """

    span: Span
    places: int
    rest: int

    @property
    def accepts(self) -> bool:
        return self.places > 0 and self.fits

    @property
    def fits(self) -> bool:
        """True if the value of the digits so far is allowed."""
        low, high, grid = self.span.low, self.span.high, self.span.grid
        if low is not None and not (low.inclusive and low.ends_at(-self.places)):
            return False
        if high is not None and not high.inclusive and high.ends_at(-self.places):
            return False
        return grid is None or grid.fits(self.rest, max(grid.places - self.places, 0))

    def arcs(self) -> Iterator[tuple[str, Fraction]]:
        grid = self.span.grid
        if grid is not None and not grid.has_others and self.places >= grid.places:
            yield "0", _ZEROS
            return
        low, high, weight = self.span.low, self.span.high, -self.places - 1
        low_digit = None if low is None else low.digit(weight)
        high_digit = None if high is None else high.digit(weight)
        for chars, to_low, to_high, rest in self._digits(low_digit, high_digit):
            if to_low >= 0 and to_high <= 0:
                node = self._after(None if to_low else low, None if to_high else high, rest)
                if node.is_live():
                    yield chars, node

    def _digits(self, low: int | None, high: int | None) -> Iterable[tuple[str, int, int, int | None]]:
        """Like `digit_groups`, with None as the remainder after a digit that leaves the grid."""
        grid = self.span.grid
        if grid is None or self.places < grid.places:
            yield from digit_groups(0, low, high, self.rest, grid)
            return
        for chars, to_low, to_high, _ in _compared_digits(0, low, high):
            if chars[0] == "0":
                yield "0", to_low, to_high, self.rest
            if chars != "0":
                yield chars.lstrip("0"), to_low, to_high, None

    def _after(self, low: Edge | None, high: Edge | None, rest: int | None) -> Fraction:
        """The node after one more digit. low, high: the edges that the digits still equal. rest: None: off the grid."""
        grid, places = None if rest is None else self.span.grid, self.places + 1
        low = _remaining(low, -places)
        if low is not None and low.inclusive and not low.digits:
            low = None
        high = _remaining(high, -places)
        if not (low is not None and low.digits) and not (high is not None and high.digits):
            places = 1 if grid is None else min(places, max(grid.places, 1))
        return Fraction(Span(low, high, grid), places, rest or 0)

    def is_live(self) -> bool:
        """True if digits that lead to an allowed value can follow."""
        low, high, grid = self.span.low, self.span.high, self.span.grid
        if grid is not None and not grid.has_others:
            if not grid.fraction:
                return False
            if self.places >= grid.places:
                return self.fits
            return low is not None or high is not None or grid.reaches(self.rest, grid.places - self.places)
        return low is not None or high is None or high.inclusive or not high.ends_at(-self.places)


class WrittenFraction(NamedTuple):
    """The state after the point of a number as writers write it.

    The digits end after the places of the grid, if it has all numbers. Otherwise they end after the first SIGNIFICANT
    ones, unless an edge of the span needs more.
    room: number of digits that may follow; if `is_zero`, number of zeros before the first other digit.
    is_zero: True if all digits so far are 0.
    """

    fraction: Fraction
    room: int
    is_zero: bool

    @property
    def accepts(self) -> bool:
        return self.fraction.accepts

    def arcs(self) -> Iterator[tuple[str, NumberState]]:
        grid = self.fraction.span.grid
        if grid is not None and not grid.has_others:
            if self.fraction.places < grid.places:
                for chars, node in self.fraction.arcs():
                    yield chars, self._replace(fraction=node)
            return
        is_asked = self.room > 0 or self._follows_an_end()
        for chars, node in self.fraction.arcs():
            targets: dict[WrittenFraction, str] = {}
            for char in chars:
                if self._may_come(char, is_asked):
                    target = self._after(char, node)
                    targets[target] = targets.get(target, "") + char
            for target, some in targets.items():
                yield some, target

    def _may_come(self, char: str, is_asked: bool) -> bool:
        return is_asked or (char != "0" and (self.is_zero or self.fraction.span.low is not None))

    def _after(self, char: str, node: Fraction) -> WrittenFraction:
        if self.is_zero and char != "0":
            return WrittenFraction(node, SIGNIFICANT - 1, False)
        return WrittenFraction(node, max(self.room - 1, 0), self.is_zero)

    def _follows_an_end(self) -> bool:
        """True if an edge of the span that equals the digits so far has more digits."""
        low, high, _ = self.fraction.span
        return any(end is not None and not end.ends_at(-self.fraction.places) for end in (low, high))


_ZEROS = Fraction(Span(None, None, Grid(1, 0)), 1, 0)
"""The state in the zeros after the last place of a grid."""


def _remaining(edge: Edge | None, weight: int) -> Edge | None:
    """The edge for comparing further digits, if the digits down to a weight equal those of `edge`.

    An edge whose digits are used up becomes `_ENDED` or `_PASSED`, so that equal states are equal nodes.
    """
    if edge is None or not edge.ends_at(weight) or not edge.digits:
        return edge
    return _ENDED if edge.inclusive else _PASSED


_ENDED, _PASSED = Edge(b"", -1, True), Edge(b"", -1, False)
