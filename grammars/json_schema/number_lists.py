"""Nodes that read any number of a list, in every spelling, with and without an exponent.

The spellings lie sorted in a table. A node is a range of the table: the spellings that begin with the characters read.
The cost of a step therefore hardly depends on the number of spellings.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from ..watch import paced
from .decimal_edges import Grid, Span
from .number_exponents import LARGEST, MAX_EXPONENT_DIGITS, MAX_MANTISSA, SMALLEST, Power
from .number_texts import Fraction, NumberState

_ZERO_PLACES = Fraction(Span(None, None, Grid(1, 0)), 0, 0)
"""The state after the point of an integer: one or more zeros follow."""


class Spellings:
    """Sorted spellings, each with a number. Compared by identity.

    texts: attribute; the spellings.
    values: attribute; their numbers.
    """

    __slots__ = ("texts", "values")

    def __init__(self, pairs: Sequence[tuple[str, int]]) -> None:
        """pairs: (spelling, number); for mantissas, the number is the power of ten that belongs to it."""
        ordered = sorted(pairs)
        self.texts = [text for text, _ in paced(ordered)]
        self.values = [value for _, value in paced(ordered)]


class ListedText(NamedTuple):
    """The state in a number without an exponent.

    low, high: range of the spellings in `table` that begin with the `depth` characters read.
    places: 0 directly after the point, 1 after more digits; None before the point.
    is_equal: True if the text equals a number of the list, plus a point or zeros after it.
    """

    table: Spellings
    low: int
    high: int
    depth: int = 0
    places: int | None = None
    is_equal: bool = False

    @property
    def most_left(self) -> int:
        """See `NumberText`: the rest of a spelling, or a zero behind the point."""
        return max([len(text) for text in paced(self.table.texts)], default=0) + 1

    @property
    def accepts(self) -> bool:
        return self._ends() or (self.is_equal and self.places == 1)

    def arcs(self) -> Iterator[tuple[str, NumberState]]:
        is_equal = self.is_equal or self._ends()
        found = dict(_groups(self.table.texts, self.low, self.high, self.depth))
        if is_equal:
            found.setdefault("." if self.places is None else "0", (self.high, self.high))
        for char, (low, high) in found.items():
            if char == ".":
                yield char, self._after(low, high, 0, is_equal)
            elif self.places is None:
                yield char, self._after(low, high, None, False)
            else:
                yield char, self._after(low, high, 1, is_equal and char == "0")

    def _after(self, low: int, high: int, places: int | None, is_equal: bool) -> NumberState:
        if low == high:  # only zeros can follow
            return _ZERO_PLACES._replace(places=places or 0)
        return ListedText(self.table, low, high, self.depth + 1, places, is_equal)

    def _ends(self) -> bool:
        return self.low < self.high and len(self.table.texts[self.low]) == self.depth

    @property
    def numbers(self) -> Iterator[Decimal]:
        """The numbers of the range."""
        return map(Decimal, self.table.texts[self.low : self.high])


class ListedMantissa(NamedTuple):
    """The state in the mantissa of a number with an exponent. Other fields are as in `ListedText`.

    powers: exponents of the numbers whose mantissa equals the digits read, without zeros at their end.
    """

    table: Spellings
    low: int
    high: int
    depth: int = 0
    powers: tuple[int, ...] = ()

    @property
    def most_left(self) -> int:
        """See `NumberText`: the rest of a spelling, or a zero behind the point; "e", a sign and the exponent."""
        return max([len(text) for text in paced(self.table.texts)], default=0) + 1 + 2 + MAX_EXPONENT_DIGITS

    @property
    def accepts(self) -> bool:
        return False

    def arcs(self) -> Iterator[tuple[str, NumberState]]:
        powers, depth = (*self.powers, *self._ending()), self.depth
        found = dict(_groups(self.table.texts, self.low, self.high, depth))
        if powers and depth <= MAX_MANTISSA:  # the point counts as well
            found.setdefault("." if depth == 1 else "0", (self.high, self.high))
        for char, (low, high) in found.items():
            is_equal = char == "0" or depth == 1
            yield char, ListedMantissa(self.table, low, high, depth + 1, powers if is_equal else ())
        if powers and depth != 2:
            yield "eE", Power(tuple([(power, power) for power in powers]))

    def _ending(self) -> Iterator[int]:
        texts, place = self.table.texts, self.low
        while place < self.high and len(texts[place]) == self.depth:
            yield self.table.values[place]
            place += 1


def plain_text(number: Decimal) -> str:
    """A number's spelling without exponent, and without zeros at the end of a fraction."""
    text = f"{number:f}" if number else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text


def listed_magnitudes(magnitudes: Sequence[Decimal], has_exponents: bool) -> tuple[NumberState, ...]:
    """The nodes that read some different magnitudes; () for none. has_exponents: True: also spellings with exponent."""
    plain: list[tuple[str, int]] = []
    mantissas: list[tuple[str, int]] = []
    for magnitude in paced(magnitudes):
        plain.append((plain_text(magnitude), 0))
        digits = "".join(map(str, magnitude.as_tuple().digits)).strip("0")
        if has_exponents and SMALLEST <= magnitude <= LARGEST and len(digits) <= MAX_MANTISSA:
            mantissas.append((f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}", magnitude.adjusted()))
    makers: list[tuple[Callable[..., NumberState], list[tuple[str, int]]]] = [
        (ListedText, plain),
        (ListedMantissa, mantissas),
    ]
    return tuple([make(Spellings(pairs), 0, len(pairs)) for make, pairs in makers if pairs])


def _groups(texts: list[str], low: int, high: int, depth: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yields (character at index `depth`, range of the texts that have it) for sorted texts with a common beginning.

    low, high: range of the texts to look at; they share their first `depth` characters.
    """
    while low < high and len(texts[low]) == depth:
        low += 1
    prefix = texts[low][:depth] if low < high else ""
    while low < high:
        char = texts[low][depth]
        end = bisect_left(texts, prefix + chr(ord(char) + 1), low, high)
        yield char, (low, end)
        low = end
