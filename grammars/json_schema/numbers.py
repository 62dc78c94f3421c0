"""Languages of JSON number texts: bounds, integers, multiples, and the spellings of a value.

A text is in the language of a condition exactly if its decimal value satisfies the condition. Nothing is rounded, and
-0 is 0, 1.50 is 1.5. The `jsonschema` library rounds texts to doubles first: with multipleOf 0.01 it refuses 19.99,
because 19.99 / 0.01 is not an integer in doubles. This module does not imitate that.

There are two domains of texts. `PLAIN` has no exponents. `CANONICAL` adds the exponents that JSON writers write (see
number_exponents.py). Languages of conditions contain only CANONICAL texts, and only PLAIN texts if a multiple is
involved. The complement of such a language is `lang.difference(domain, language)` with the same domain.
"""

from __future__ import annotations

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
from .decimal_edges import FINITE_DIGITS, MAX_DIGITS, Grid, Span, finite, grid_of, is_multiple, only_value, span
from .number_exponents import LARGEST, SMALLEST, Mantissa, exponents
from .number_lists import ListedMantissa, ListedText, listed_magnitudes, plain_text
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
    """The arguments of `bounded`."""

    minimum: Decimal | None = None
    exclusive_minimum: Decimal | None = None
    maximum: Decimal | None = None
    exclusive_maximum: Decimal | None = None
    multiple_of: Decimal | None = None
    integer: Integers | None = None

    @property
    def grid(self) -> tuple[Decimal | None, Integers | None]:
        """The condition on multiples: (multiple_of, integer)."""
        return self.multiple_of, self.integer

    @property
    def ends(self) -> list[Decimal]:
        """All bounds that are not None."""
        return [bound for bound in self[:4] if bound is not None]


def bounds_of(language: lang.Language) -> tuple[Bounds, ...] | None:
    """The arguments whose `bounded` languages together make a language of `bounded` or `one_of`; None for others."""
    return _bounds.get(language)


@lru_cache(maxsize=1024)
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
    low, low_in = _tightest(minimum, exclusive_minimum, 1)
    high, high_in = _tightest(maximum, exclusive_maximum, -1)
    grid = None
    if multiple_of is not None or integer is not None:
        grid = _grid(multiple_of, integer)
    has_exponents = multiple_of is None and integer != "text"
    language = _between(low, low_in, high, high_in, grid, has_exponents)
    if language is not lang.NOTHING:
        _bounds[language] = (Bounds(minimum, exclusive_minimum, maximum, exclusive_maximum, multiple_of, integer),)
    return language


def with_residues(
    residues: Residues,
    minimum: Decimal | None = None,
    exclusive_minimum: Decimal | None = None,
    maximum: Decimal | None = None,
    exclusive_maximum: Decimal | None = None,
) -> lang.Language:
    """The numbers of a set that satisfy bounds, over PLAIN.

    residues: the set. It must contain -x for each x in it. If it has other numbers between its multiples, it must
        contain each inclusive bound.
    """
    low, low_in = _tightest(minimum, exclusive_minimum, 1)
    high, high_in = _tightest(maximum, exclusive_maximum, -1)
    return _between(low, low_in, high, high_in, residues, has_exponents=False)


def one_of(
    values: Iterable[Decimal], multiple_of: Decimal | None = None, integer: Integers | None = None
) -> lang.Language:
    """Every spelling of some numbers, without those that are no multiples. multiple_of, integer: as in `bounded`."""
    different = frozenset(values)
    if len(different) == 1:
        (value,) = different
        return bounded(minimum=value, maximum=value, multiple_of=multiple_of, integer=integer)
    near = frozenset([value for value in paced(different) if _is_near(value)])
    key = near, multiple_of, integer
    language = _lists.get(key)
    if language is None:
        grid = None if multiple_of is None and integer is None else _grid(multiple_of, integer)
        listed = [value for value in paced(near) if grid is None or is_multiple(value, grid)]
        language = _lists[key] = _listed(listed, integer, has_exponents=multiple_of is None)
        _bounds[language] = tuple([Bounds(value, None, value, None, multiple_of, integer) for value in paced(near)])
    far = [one_of([value], multiple_of, integer) for value in different - near]
    return lang.union(language, *far) if far else language


def _is_near(value: Decimal) -> bool:
    """True if all digits of a number are within _MAX_LISTED_PLACES of the point."""
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and max(-exponent, value.adjusted()) <= _MAX_LISTED_PLACES


def _listed(values: Sequence[Decimal], integer: Integers | None, has_exponents: bool) -> lang.Language:
    """Every spelling of some numbers."""
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
    sign, digits, exponent = _parts(number)
    if not digits:
        return ("0", "0.0", "-0.0")
    power = exponent + len(digits) - 1
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


def within(domain: lang.Language, predicate: lang.Language) -> lang.Language:
    """The texts of a language that are in a domain.

    domain: JSON_NUMBER, CANONICAL or PLAIN.
    predicate: the language. A language of `bounded` lies in CANONICAL, so it needs no product of machines.
    """
    nodes = nodes_of(predicate)
    if nodes is None:
        return lang.intersect(domain, predicate)
    if domain is not PLAIN:
        return predicate
    return _PLAIN_INTEGERS.get(predicate) or _language_of(_without_exponents(nodes))


def written(domain: lang.Language, predicate: lang.Language) -> lang.Language:
    """The texts of `within(domain, predicate)` that JSON writers write.

    Integers and multiples of integers have neither point nor exponent. Other multiples have no more places than they
    need. Other numbers end after 17 significant digits, unless a bound needs more. A single value has its shortest
    spellings. Numbers have up to 308 digits before the point, unless a bound needs more; so all are finite doubles.
    """
    if predicate in _PLAIN_INTEGERS:
        return _WRITTEN_INTEGERS
    if isinstance(predicate, lang.Union):
        return lang.union(*[written(domain, part) for part in predicate.parts])
    nodes = nodes_of(predicate)
    if nodes is None:
        return lang.intersect(_WRITTEN_PLAIN if domain is PLAIN else _WRITTEN, predicate)
    return _written_texts(_without_exponents(nodes) if domain is PLAIN else nodes)


@lru_cache(maxsize=1024)
def _written_texts(nodes: tuple[NumberState, ...]) -> lang.Language:
    """The texts that writers write, for the start nodes of a language of `bounded`."""
    values: list[str] = []
    kept: list[NumberState] = []
    for sign, group in _by_sign(nodes):
        only = _only_values(group)
        if only is None:
            several = tuple([_written_node(node) for node in group])
            kept += several if sign > 0 else [Minus(several)]
            continue
        for value in paced(only):
            if value or sign > 0:
                values += _shortest(value if sign > 0 else value.copy_negate(), has_exponents=len(group) > 1)
    return lang.union(lang.words(values), _language_of(kept))


def values_in(language: lang.Language) -> list[Decimal] | None:
    """The numbers of a language of `one_of`; None for any other language and for intervals."""
    values: list[Decimal] = []
    for sign, group in _by_sign(nodes_of(language) or ()):
        only = _only_values(group)
        if only is None:
            return None
        values += only if sign > 0 else [value.copy_negate() for value in only if value]
    return values or None


def _by_sign(nodes: tuple[NumberState, ...]) -> list[tuple[int, tuple[NumberState, ...]]]:
    """The nodes by sign: (1, nodes of numbers that are not negative), (-1, nodes after a minus sign)."""
    positive = tuple([node for node in nodes if not isinstance(node, Minus)])
    return [(1, positive)] * bool(positive) + [(-1, node.after) for node in nodes if isinstance(node, Minus)]


def _only_values(nodes: Sequence[NumberState]) -> list[Decimal] | None:
    """The magnitudes that nodes of one sign read; None if these are an interval with several numbers."""
    for node in nodes:
        if isinstance(node, ListedText):
            return list(node.numbers)
        value = only_value(node.span) if isinstance(node, Magnitude) else None
        if value is not None:
            return [value]
    return None


def _written_node(node: NumberState) -> NumberState:
    return Magnitude(finite(node.span), is_written=True) if isinstance(node, Magnitude) else node


def _shortest(value: Decimal, *, has_exponents: bool) -> list[str]:
    """The spellings of a value by several writers. Examples: 1; 1.5; 1e-07, 1e-7, 0.0000001; 1e+20, 1e20, all digits.

    has_exponents: False: only spellings without exponent.
    """
    texts = [text for text in spellings(value) if not text.endswith(".0")]
    if not has_exponents:
        return [text for text in texts if "e" not in text]
    return texts + [re.sub(r"e\+?(-?)0?", r"e\1", text) for text in texts if "e" in text]


def nodes_of(language: lang.Language) -> tuple[NumberState, ...] | None:
    """The start nodes of a language of this module's machines, such as that of `bounded`; None for other languages."""
    if isinstance(language, lang.MachineLanguage) and isinstance(language.machine, NumberText):
        return language.machine.nodes
    return None


def _language_of(nodes: Sequence[NumberState]) -> lang.Language:
    return lang.machine(NumberText(tuple(nodes))) if nodes else lang.NOTHING


def _without_exponents(nodes: tuple[NumberState, ...]) -> tuple[NumberState, ...]:
    """The start nodes without those that read numbers with an exponent."""
    kept: list[NumberState] = []
    for node in nodes:
        if isinstance(node, Minus):
            after = tuple([inner for inner in node.after if not isinstance(inner, Mantissa | ListedMantissa)])
            kept += [Minus(after)] if after else []
        elif not isinstance(node, Mantissa | ListedMantissa):
            kept.append(node)
    return tuple(kept)


def _with_exponent(digits: str, power: int) -> str:
    """The spelling with exponent; "" if `json.dumps` writes the number without one."""
    if -5 < power < 16 or len(digits) > 17:
        return ""
    return f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _parts(number: Decimal) -> tuple[str, str, int]:
    """(sign, digits, exponent) of a finite number. The digits have no zeros at either end; they are "" for 0.

    Raises InvalidInputError for a number that is not finite.
    """
    if not number.is_finite():
        raise InvalidInputError(f"{number} is not a JSON number")
    negative, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int), "finite"
    text = bytes(digit + 48 for digit in digits).decode().lstrip("0")
    stripped = text.rstrip("0")
    return "-" if negative else "", stripped, exponent + len(text) - len(stripped)


def _tightest(inclusive: Decimal | None, exclusive: Decimal | None, side: int) -> tuple[Decimal | None, bool]:
    """The stricter of two bounds on the same side, and whether it is inclusive.

    side: 1 for lower bounds, -1 for upper ones.
    Raises InvalidInputError for a bound that is not finite.
    """
    for bound in (inclusive, exclusive):
        if bound is not None and not bound.is_finite():
            raise InvalidInputError(f"the bound {bound} is not finite")
    if exclusive is None:
        return inclusive, True
    if inclusive is not None and (inclusive > exclusive if side > 0 else inclusive < exclusive):
        return inclusive, True
    return exclusive, False


def _grid(multiple_of: Decimal | None, integer: Integers | None) -> Grid:
    return grid_of(Decimal(1) if multiple_of is None else multiple_of, integer is not None, integer != "text")


def _negated(bound: Decimal | None) -> Decimal | None:
    return None if bound is None else bound.copy_negate()


def _between(
    low: Decimal | None,
    low_in: bool,
    high: Decimal | None,
    high_in: bool,
    grid: Grid | Residues | None,
    has_exponents: bool,
) -> lang.Language:
    """The numbers between two bounds. grid: the numbers that are allowed; None: all."""
    positive = _magnitudes(low, low_in, high, high_in, grid, has_exponents)
    negative = _magnitudes(_negated(high), high_in, _negated(low), low_in, grid, has_exponents)
    return _language_of((Minus(negative), *positive) if negative else positive)


def _magnitudes(
    low: Decimal | None,
    low_in: bool,
    high: Decimal | None,
    high_in: bool,
    grid: Grid | Residues | None,
    has_exponents: bool,
) -> tuple[NumberState, ...]:
    """The nodes that read the magnitudes between two bounds; () if there are no such magnitudes."""
    interval = span(low, low_in, high, high_in, grid)
    if interval is None:
        return ()
    plain, mantissa = Magnitude(interval), Mantissa(exponents(interval), grid is not None)
    return (plain, mantissa) if has_exponents and mantissa.is_live() else (plain,)


def _json_number() -> lang.Language:
    """The language JSON_NUMBER. It has three forms of numbers: without exponent; with one digit before the point and
    any exponent of doubles; with up to 20 digits before the point and exponents up to 279.
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
    """A pattern of digits after a point that mean at most the fraction with the digits `most`."""
    if not most:
        return "0*"
    less = f"[0-{int(most[0]) - 1}][0-9]*|" if most[0] != "0" else ""
    return f"(?:{less}{most[0]}(?:{_digits_up_to(most[1:])})?)"


def _digits_from(least: str) -> str:
    """A pattern of digits after a point that mean at least the fraction with the digits `least`."""
    if not least:
        return "[0-9]*"
    more = f"[{int(least[0]) + 1}-9][0-9]*|" if least[0] != "9" else ""
    return f"(?:{more}{least[0]}{_digits_from(least[1:])})"


JSON_NUMBER = _json_number()
"""The number texts of JSON, without exponents that don't fit in a double: readers take 44e27967 for infinite."""

PLAIN = lang.machine(NumberText((Minus((Magnitude(Span()),)), Magnitude(Span()))))
"""-?(0|[1-9]\\d*)(\\.\\d+)?"""

CANONICAL = bounded()
"""PLAIN, and the texts of -?[1-9](\\.\\d{1,16})?[eE][+-]?\\d{1,3} with magnitudes between SMALLEST and LARGEST."""

_WRITTEN, _WRITTEN_PLAIN = (_written_texts(nodes_of(domain) or ()) for domain in (CANONICAL, PLAIN))
"""The texts of CANONICAL and of PLAIN that writers write; see `written`."""

_WRITTEN_INTEGERS = ecma.full(rf"0|-?[1-9][0-9]{{0,{FINITE_DIGITS - 1}}}")

_PLAIN_INTEGERS = {
    bounded(integer="value"): ecma.full(r"-?(?:0|[1-9][0-9]*)(?:\.0+)?"),
    bounded(integer="text"): ecma.full(r"-?(?:0|[1-9][0-9]*)"),
}
"""The integers without exponent, as Languages of regexes instead of machines."""
