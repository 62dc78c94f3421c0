"""Regexes of JSON integers and numbers.

Digits are not counted, so a text may hold an integer longer than the 4,300 digits that Python's `int` reads by default.
"""

from __future__ import annotations

import math
from typing import Any

from ..regex.anchors import full_match
from ..regex.parser import parse
from ..regex.syntax import EMPTY, Node, sequence, text, union
from .places import Place

_MAX_BOUND_DIGITS = 40
_BOUNDS = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")


def _compiled(pattern: str) -> Node:
    return full_match(pattern, parse(pattern))


_UNSIGNED = r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?"
INTEGER = _compiled(r"-?(?:0|[1-9][0-9]*)")
NUMBER = _compiled("-?" + _UNSIGNED)
NOT_NEGATIVE = _compiled(_UNSIGNED)
POSITIVE = _compiled(r"[1-9][0-9]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?|0\.0{0,30}[1-9][0-9]*")


def integer_node(place: Place, notes: dict[str, str]) -> Node:
    """Type "integer" with its bounds. notes: how each keyword is enforced is added to it."""
    notes["type"] = "integer: digits, no fraction and no exponent"
    _check_multiple(place, notes, integers=True)
    bounds = _bounds(place)
    if not bounds:
        return INTEGER
    lows = [
        math.ceil(bounds[key]) if key == "minimum" else math.floor(bounds[key]) + 1
        for key in _BOUNDS[:2]
        if key in bounds
    ]
    highs = [
        math.floor(bounds[key]) if key == "maximum" else math.ceil(bounds[key]) - 1
        for key in _BOUNDS[2:]
        if key in bounds
    ]
    notes.update(dict.fromkeys(bounds, "exactly, digit by digit"))
    return integer_range(max(lows, default=None), min(highs, default=None))


def number_node(place: Place, notes: dict[str, str]) -> Node:
    """Type "number"; of bounds only the sign can be enforced."""
    notes["type"] = "number: digits, fraction, exponent of at most two digits"
    _check_multiple(place, notes, integers=False)
    bounds = _bounds(place)
    if not bounds:
        return NUMBER
    if bounds == {"minimum": 0}:
        notes["minimum"] = "no minus sign"
        return NOT_NEGATIVE
    if bounds == {"exclusiveMinimum": 0}:
        notes["exclusiveMinimum"] = "no minus sign, a digit other than 0, at most 30 zeros after the point"
        return POSITIVE
    raise place.refuse(
        next(iter(bounds)), "a bound on a number that is not its sign", 'use "type": "integer", or minimum 0'
    )


def _bounds(place: Place) -> dict[str, Any]:
    bounds = {key: place.keywords[key] for key in _BOUNDS if key in place.keywords}
    for key, bound in bounds.items():
        if isinstance(bound, bool):
            raise place.refuse(key, "the boolean form of draft 4", f"write the bound itself: {key}: <number>")
        if abs(bound) >= 10**_MAX_BOUND_DIGITS:
            raise place.refuse(key, f"a bound of more than {_MAX_BOUND_DIGITS} digits")
    return bounds


def _check_multiple(place: Place, notes: dict[str, str], integers: bool) -> None:
    if "multipleOf" not in place.keywords:
        return
    if not integers or place.keywords["multipleOf"] != 1:
        raise place.refuse("multipleOf", "divisibility is not enforced by a regex backend")
    notes["multipleOf"] = "every integer is a multiple of 1"


def integer_range(low: int | None, high: int | None) -> Node:
    """The integers from `low` to `high` inclusive, None: without bound; `EMPTY` when there are none."""
    negative = _magnitudes(max(1, 1 if high is None else -high), None if low is None else -low)
    positive = _magnitudes(max(0, 0 if low is None else low), high)
    return union([sequence(text("-"), negative), positive])


def _magnitudes(low: int, high: int | None) -> Node:
    """The integers low..high, low >= 0, without leading zeros."""
    if high is None:
        num_digits = len(str(low))
        longer = _compiled(f"[1-9][0-9]{{{num_digits},}}")
        return union([_magnitudes(low, 10**num_digits - 1), longer])
    if high < low:
        return EMPTY
    pieces = []
    for num_digits in range(len(str(low)), len(str(high)) + 1):
        first = max(low, 10 ** (num_digits - 1) if num_digits > 1 else 0)
        pieces.append(_same_length(str(first), str(min(high, 10**num_digits - 1))))
    return union(pieces)


def _same_length(low: str, high: str) -> Node:
    """The digit strings between two of the same length, in order."""
    if len(low) == 1 or low == high:
        return text(low) if low == high else _digits(low, high)
    if low[0] == high[0]:
        return sequence(text(low[0]), _same_length(low[1:], high[1:]))
    rest = len(low) - 1
    zeros, nines = "0" * rest, "9" * rest
    first, last = int(low[0]), int(high[0])
    pieces = []
    if low[1:] != zeros:
        pieces.append(sequence(text(low[0]), _same_length(low[1:], nines)))
        first += 1
    if high[1:] != nines:
        pieces.append(sequence(text(high[0]), _same_length(zeros, high[1:])))
        last -= 1
    if first <= last:
        pieces.append(sequence(_digits(str(first), str(last)), _compiled(f"[0-9]{{{rest}}}")))
    return union(pieces)


def _digits(low: str, high: str) -> Node:
    return _compiled(f"[{low}-{high}]")
