"""Languages of JSON number texts: bounds, integers, multiples, and the spellings of a value.

A text is in the language of a condition exactly if its decimal value satisfies the condition. Nothing is rounded, and
-0 is 0, 1.50 is 1.5. The `jsonschema` library rounds texts to doubles first: with multipleOf 0.01 it refuses 19.99,
because 19.99 / 0.01 is not an integer in doubles. This module does not imitate that.

There are two domains of texts. `PLAIN` has no exponents. `CANONICAL` adds the exponents that JSON writers write (see
number_exponents.py). Languages of conditions contain only CANONICAL texts, and only PLAIN texts if the condition is
about multiples or integers. The complement of such a language is `lang.difference(domain, language)` with the same
domain. Such a language remembers its `Bounds`, so `within` can write the same numbers in another way.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary

from ..errors import InvalidInputError
from ..regex import algebra as lang
from ..regex import ecma
from ..watch import paced
from .decimal_edges import (
    FINITE_DIGITS,
    MAX_DIGITS,
    Grid,
    Interval,
    edge_of,
    finite,
    grid_of,
    is_multiple,
    only_value,
    span,
)
from .number_exponents import LARGEST, SMALLEST, Mantissa, exponents
from .number_lists import listed_magnitudes, plain_text
from .number_texts import Magnitude, Minus, NumberState, NumberText
from .residues import Residues

Integers = Literal["value", "text"]
"""Which numbers count as integers. "value": numbers with an integer value. "text" (draft 4): numbers without point and
exponent.
"""

_bounds: WeakKeyDictionary[lang.Language, tuple[Bounds, ...]] = WeakKeyDictionary()

_lists: WeakValueDictionary[tuple[frozenset[Decimal], Decimal | None, Integers | None], lang.Language]
_lists = WeakValueDictionary()

_HALFWAY_DIGITS = 1100  # precision in digits that is enough for every number halfway between two doubles
_MAX_LISTED_PLACES = 400  # maximum number of digits before or after the point of a number in a list
_MAX_PLAIN_ZEROS = 330  # maximum number of zeros that a spelling without exponent adds to a number's digits


class Bounds(NamedTuple):
    """The numbers of an interval, or those of them that are multiples. multiple_of, integer: as in `bounded`."""

    interval: Interval = Interval()
    multiple_of: Decimal | None = None
    integer: Integers | None = None

    @property
    def grid(self) -> tuple[Decimal | None, Integers | None]:
        """The condition on multiples: (multiple_of, integer)."""
        return self.multiple_of, self.integer

    @property
    def point(self) -> Decimal | None:
        """The only number of the interval; None if it has several."""
        return self.interval.low if self.interval.low == self.interval.high else None


_ANY = Bounds()


def bounds_of(language: lang.Language) -> tuple[Bounds, ...] | None:
    """The bounds that a language of numbers was made of; a number satisfies one of them. None for other languages."""
    if language is lang.NOTHING:
        return ()
    if not isinstance(language, lang.Union) or language in _bounds:
        return _bounds.get(language)
    found: list[Bounds] = []
    for part in language.parts:
        bounds = bounds_of(part)
        if bounds is None:
            return None
        found += bounds
    return tuple(found)


def bounded(
    minimum: Decimal | None = None,
    exclusive_minimum: Decimal | None = None,
    maximum: Decimal | None = None,
    exclusive_maximum: Decimal | None = None,
    multiple_of: Decimal | None = None,
    integer: Integers | None = None,
) -> lang.Language:
    """The numbers that satisfy all given bounds. The domain is PLAIN with a multiple, else CANONICAL.

    minimum, exclusive_minimum, maximum, exclusive_maximum: bounds; None: no bound.
    multiple_of: positive number whose multiples are allowed; None: all numbers.
    integer: allow only integers in this sense; None: all numbers.
    Returns NOTHING if no number satisfies them, so emptiness needs no search.
    Raises InvalidInputError for a bound that is not finite, a multiple that is not positive, or digits more than
    MAX_DIGITS places from the point.
    """
    for bound in (minimum, exclusive_minimum, maximum, exclusive_maximum):
        if bound is not None and not bound.is_finite():
            raise InvalidInputError(f"the bound {bound} is not finite")
    lows = [(low, is_out) for low, is_out in ((minimum, False), (exclusive_minimum, True)) if low is not None]
    highs = [(high, is_in) for high, is_in in ((maximum, True), (exclusive_maximum, False)) if high is not None]
    low, low_out = max(lows, default=(None, False))
    high, high_in = min(highs, default=(None, True))
    return language_of(Bounds(Interval(low, high, not low_out, high_in), multiple_of, integer))


@lru_cache(maxsize=1024)
def language_of(bounds: Bounds) -> lang.Language:
    """The numbers that satisfy bounds; see `bounded`."""
    return _noted(_texts(bounds, has_exponents=True), bounds)


def _noted(language: lang.Language, *bounds: Bounds) -> lang.Language:
    """The language, which `bounds_of` knows from now on."""
    if language is not lang.NOTHING:
        _bounds[language] = bounds
    return language


@lru_cache(maxsize=1024)
def _texts(bounds: Bounds, *, has_exponents: bool, is_written: bool = False) -> lang.Language:
    """The texts of the numbers within bounds. has_exponents: False: without exponents. is_written: as in `within`."""
    if bounds.grid == _ANY.grid:
        return _between(bounds.interval, None, has_exponents=has_exponents, is_written=is_written)
    if bounds.multiple_of is None and bounds.interval == _ANY.interval:
        return _WRITTEN_INTEGERS if is_written else _INTEGERS[bounds.integer == "value"]
    return _between(bounds.interval, _grid(*bounds.grid), is_written=is_written)


def with_residues(residues: Residues, interval: Interval, *, is_written: bool = False) -> lang.Language:
    """The numbers of a set in an interval, over PLAIN.

    residues: the set, symmetric: with x it contains -x. If it has other numbers between its multiples, it must contain
        each end that is included.
    is_written: as in `within`.
    """
    return _between(interval, residues, is_written=is_written)


def one_of(
    values: Iterable[Decimal], multiple_of: Decimal | None = None, integer: Integers | None = None
) -> lang.Language:
    """Every spelling of some numbers. Others than multiples are left out. multiple_of, integer: see `bounded`."""
    different = frozenset(values)
    if len(different) == 1:
        (value,) = different
        return language_of(Bounds(Interval(value, value), multiple_of, integer))
    near = frozenset([value for value in paced(different) if _is_near(value)])
    key = near, multiple_of, integer
    language = _lists.get(key)
    if language is None:
        bounds = [Bounds(Interval(value, value), multiple_of, integer) for value in paced(near)]
        language = _lists[key] = _noted(_listed(bounds, has_exponents=True), *bounds)
    far = [one_of([value], multiple_of, integer) for value in different - near]
    return lang.union(language, *far) if far else language


def _is_near(value: Decimal) -> bool:
    """True if all digits of a number are within _MAX_LISTED_PLACES of the point."""
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and max(-exponent, value.adjusted()) <= _MAX_LISTED_PLACES


def _listed(bounds: Sequence[Bounds], *, has_exponents: bool, is_written: bool = False) -> lang.Language:
    """The texts of single numbers with one condition on multiples. has_exponents, is_written: as in `_texts`."""
    multiple_of, integer = bounds[0].grid
    grid = None if bounds[0].grid == _ANY.grid else _grid(multiple_of, integer)
    has_exponents = has_exponents and grid is None
    points = [one.point for one in paced(bounds)]
    values = [value for value in paced(points) if value is not None and (grid is None or is_multiple(value, grid))]
    if is_written:
        texts = [_shortest(value, has_exponents=has_exponents) for value in paced(values)]
        return lang.words(itertools.chain.from_iterable(texts))
    if integer == "text":
        zeros = ["-0"] if 0 in values else []
        return lang.words([*zeros, *[plain_text(value) for value in paced(values)]])
    positive = listed_magnitudes([value for value in paced(values) if value >= 0], has_exponents)
    negative = listed_magnitudes([value.copy_abs() for value in paced(values) if value <= 0], has_exponents)
    return _language_of((Minus(negative), *positive) if negative else positive)


def reads_as_one_of(values: Iterable[Decimal]) -> lang.Language:
    """Every number that is read as the same double as one of `values`."""
    return lang.union(*map(reads_as, values))


@lru_cache(maxsize=1024)
def reads_as(value: Decimal) -> lang.Language:
    """Every number that is read as the same double as `value`, and the numbers halfway to the neighbouring doubles."""
    double = float(value)
    if math.isinf(double):
        most = Decimal(sys.float_info.max)
        return bounded(minimum=most) if double > 0 else bounded(maximum=most.copy_negate())
    with localcontext(prec=_HALFWAY_DIGITS):
        low, high = ((Decimal(double) + Decimal(math.nextafter(double, to))) / 2 for to in (-math.inf, math.inf))
    return bounded(minimum=low, maximum=high)


def spellings(value: int | float | Decimal) -> tuple[str, ...]:
    """Common spellings of exactly this value, the canonical one first. All are in CANONICAL.

    Examples: 1 -> 1, 1.0; 0 -> 0, 0.0, -0.0; 1.5 -> 1.5; 1e20 -> 100000000000000000000, the same with .0, 1e+20;
    1e-7 -> 1e-07, 0.0000001. There are no spellings with more zeros after the point.
    Raises InvalidInputError if the value is not finite or has digits more than MAX_DIGITS places from the point.
    """
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite():
        raise InvalidInputError(f"{number} is not a JSON number")
    if not number:
        return ("0", "0.0", "-0.0")
    edge, sign = edge_of(number.copy_abs(), inclusive=True), "-" if number < 0 else ""
    digits, power = bytes([digit + 48 for digit in edge.digits]).decode(), edge.exponent
    exponent = power - len(digits) + 1
    if abs(power) > MAX_DIGITS:
        raise InvalidInputError(f"a number with digits more than {MAX_DIGITS} places from the decimal point")
    short = _with_exponent(digits, power) if SMALLEST <= number.copy_abs() <= LARGEST else ""
    if exponent >= 0:
        whole = digits + "0" * exponent if exponent <= _MAX_PLAIN_ZEROS or not short else ""
        texts = [whole, whole and whole + ".0", short]
    elif power >= 0:
        texts = [f"{digits[:exponent]}.{digits[exponent:]}"]
    else:
        plain = "0." + "0" * (-power - 1) + digits
        texts = [short, plain] if power < -4 and (short or -power < _MAX_PLAIN_ZEROS) else [plain]
    return tuple(sign + text for text in texts if text)


def within(domain: lang.Language, predicate: lang.Language, *, is_written: bool = False) -> lang.Language:
    """The texts of a language that are in a domain.

    domain: JSON_NUMBER, CANONICAL or PLAIN.
    predicate: the language. A language of `bounded` or `one_of` needs no product of machines.
    is_written: True: only the texts that JSON writers write. Integers and multiples of integers have neither point nor
        exponent. Other multiples have no more places than they need. Other numbers end after 17 significant digits,
        unless a bound needs more. A single value has its shortest spellings. Numbers have up to 308 digits before the
        point, unless a bound needs more; so all are finite doubles.
    """
    bounds, has_exponents = bounds_of(predicate), domain is not PLAIN
    if bounds is None:
        return lang.intersect(
            _texts(_ANY, has_exponents=has_exponents, is_written=True) if is_written else domain, predicate
        )
    if not bounds or not (is_written or (domain is PLAIN and bounds[0].grid == _ANY.grid)):
        return predicate
    lists: dict[tuple[Decimal | None, Integers | None], list[Bounds]] = {}
    found: list[lang.Language] = []
    for one in paced(bounds):
        if one.point is None:
            found.append(_texts(one, has_exponents=has_exponents, is_written=is_written))
        else:
            lists.setdefault(one.grid, []).append(one)
    found += [_listed(points, has_exponents=has_exponents, is_written=is_written) for points in lists.values()]
    language = lang.union(*found)
    return language if is_written else _noted(language, *bounds)


def values_in(language: lang.Language) -> list[Decimal] | None:
    """The numbers of a language of `one_of`; None for any other language and for intervals."""
    points = [one.point for one in bounds_of(language) or ()]
    values = [point for point in points if point is not None]
    return values if values and len(values) == len(points) else None


def _shortest(value: Decimal, *, has_exponents: bool) -> list[str]:
    """The spellings of a value by several writers. Examples: 1; 1.5; 1e-07, 1e-7, 0.0000001; 1e+20, 1e20, all digits.

    has_exponents: False: only spellings without exponent.
    """
    texts = [text for text in spellings(value) if not text.endswith(".0")]
    if not has_exponents:
        return [text for text in texts if "e" not in text]
    return texts + [re.sub(r"e\+?(-?)0?", r"e\1", text) for text in texts if "e" in text]


def _language_of(nodes: Sequence[NumberState]) -> lang.Language:
    return lang.machine(NumberText(tuple(nodes))) if nodes else lang.NOTHING


def _with_exponent(digits: str, power: int) -> str:
    """The spelling with exponent; "" if `json.dumps` writes the number without one."""
    if -5 < power < 16 or len(digits) > 17:
        return ""
    return f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _grid(multiple_of: Decimal | None, integer: Integers | None) -> Grid:
    return grid_of(Decimal(1) if multiple_of is None else multiple_of, integer is not None, integer != "text")


def _between(
    interval: Interval, grid: Grid | Residues | None, *, has_exponents: bool = False, is_written: bool = False
) -> lang.Language:
    """The texts of the numbers of an interval. grid: the numbers that are allowed; None: all."""
    nodes: list[NumberState] = []
    values: list[str] = []
    for is_negative in (True, False):
        magnitudes = span(interval.mirrored if is_negative else interval, grid)
        if magnitudes is None:
            continue
        value = only_value(magnitudes) if is_written else None
        if value is not None:
            values += _shortest(value.copy_negate() if is_negative else value, has_exponents=has_exponents)
            continue
        found: tuple[NumberState, ...] = (Magnitude(finite(magnitudes) if is_written else magnitudes, is_written),)
        if has_exponents and (mantissa := Mantissa(exponents(magnitudes))).is_live():
            found += (mantissa,)
        nodes += [Minus(found)] if is_negative else found
    return lang.union(lang.words(values), _language_of(nodes)) if values else _language_of(nodes)


def _json_number() -> lang.Language:
    """The language JSON_NUMBER: numbers without exponent; with one digit before the point and any exponent of doubles;
    or with up to 20 digits before the point and an exponent up to 279.
    """
    fraction = r"(?:\.[0-9]+)?"
    to_307, to_279 = "(?:[0-9]{1,2}|[012][0-9]{2}|30[0-7])", "(?:[0-9]{1,2}|[01][0-9]{2}|2[0-7][0-9])"
    return ecma.full(
        rf"-?(?:(?:0|[1-9][0-9]*){fraction}"
        rf"|[1-9]{fraction}[eE][+-]?{to_307}"
        rf"|(?:0|[1-9][0-9]{{1,19}}){fraction}[eE][+-]?{to_279}"
        rf"|1(?:\.{_digits_up_to(_fraction(LARGEST))})?[eE]\+?308"
        rf"|[1-9]{fraction}[eE]-(?:30[89]|31[0-9]|32[0-3])"
        rf"|(?:[5-9]{fraction}|4\.{_digits_from(_fraction(SMALLEST))})[eE]-324)"
    )


def _fraction(number: Decimal) -> str:
    """The digits of a number without the first one."""
    return "".join(map(str, number.as_tuple().digits[1:]))


def _digits_up_to(most: str) -> str:
    """A pattern of the digits of fractions up to 0.`most`. Example: most="25" matches "2", "25" and "249", not "26"."""
    if not most:
        return "0*"
    less = f"[0-{int(most[0]) - 1}][0-9]*|" if most[0] != "0" else ""
    return f"(?:{less}{most[0]}(?:{_digits_up_to(most[1:])})?)"


def _digits_from(least: str) -> str:
    """A pattern of the digits of fractions from 0.`least` on. Example: least="25" matches "25", "251" and "3"."""
    if not least:
        return "[0-9]*"
    more = f"[{int(least[0]) + 1}-9][0-9]*|" if least[0] != "9" else ""
    return f"(?:{more}{least[0]}{_digits_from(least[1:])})"


JSON_NUMBER = _json_number()
"""The number texts of JSON, without exponents that don't fit in a double: readers take 44e27967 for infinite."""

_WRITTEN_INTEGERS = ecma.full(rf"0|-?[1-9][0-9]{{0,{FINITE_DIGITS - 1}}}")

_INTEGERS = ecma.full(r"-?(?:0|[1-9][0-9]*)"), ecma.full(r"-?(?:0|[1-9][0-9]*)(?:\.0+)?")
"""All integers in the sense "text", and in the sense "value"."""

PLAIN = _texts(_ANY, has_exponents=False)
"""-?(0|[1-9]\\d*)(\\.\\d+)?"""

CANONICAL = bounded()
"""PLAIN, and the texts of -?[1-9](\\.\\d{1,16})?[eE][+-]?\\d{1,3} with magnitudes between SMALLEST and LARGEST."""
