"""Languages of JSON number texts: bounds, integers, multiples, and how a value is spelled.

A text belongs to a predicate's language exactly when its decimal value has the property; nothing is rounded. Values
count, so -0 is 0 and 1.50 is 1.5. (The `jsonschema` library reads texts as doubles first: with multipleOf 0.01 it
refuses 19.99, because 19.99 / 0.01 is not an integer in doubles. That rounding is not imitated.)

Two sets of texts are read: `PLAIN`, without exponent, and `CANONICAL`, which adds the exponents that JSON writers
write (see number_exponents.py). Predicates contain CANONICAL texts only, those with a multiple PLAIN ones only. The
complement of a predicate is `lang.difference(domain, predicate)`, where the domain is PLAIN as soon as a multiple is in
play.
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
from .number_texts import Magnitude, Minus, Node, NumberText
from .residues import Residues

Integers = Literal["value", "text"]
"""Which numbers are integers: those whose value is one, or (draft 4) those written without point and exponent."""

_bounds: WeakKeyDictionary[lang.Language, tuple[Bounds, ...]] = WeakKeyDictionary()

_lists: WeakValueDictionary[tuple[frozenset[Decimal], Decimal | None, Integers | None], lang.Language]
_lists = WeakValueDictionary()

_HALFWAY_DIGITS = 1100  # more than a number halfway between two doubles has
_MAX_LISTED_PLACES = 400  # before or after the point, of a number in a list
_MAX_PLAIN_ZEROS = 330  # zeros that a spelling without exponent may add to a number's own digits


class Bounds(NamedTuple):
    """What `bounded` is asked for."""

    minimum: Decimal | None = None
    exclusive_minimum: Decimal | None = None
    maximum: Decimal | None = None
    exclusive_maximum: Decimal | None = None
    multiple_of: Decimal | None = None
    integer: Integers | None = None

    @property
    def grid(self) -> tuple[Decimal | None, Integers | None]:
        """What the numbers must be multiples of."""
        return self.multiple_of, self.integer

    @property
    def ends(self) -> list[Decimal]:
        """The bounds that there are."""
        return [bound for bound in self[:4] if bound is not None]


def bounds_of(language: lang.Language) -> tuple[Bounds, ...] | None:
    """The bounds any of which the numbers in a language of `bounded` or `one_of` meet; None for another language."""
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
    """The numbers that satisfy all the given bounds, in one machine; over PLAIN with a multiple, else over CANONICAL.

    NOTHING when no number does, so that emptiness needs no search. Raises InvalidInputError for a bound that is not
    finite, a multiple that is not positive, or one of either whose digits lie too far from the point to be counted.
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

    residues: x is among them exactly where -x is, and so is each inclusive bound where other numbers are, too.
    """
    low, low_in = _tightest(minimum, exclusive_minimum, 1)
    high, high_in = _tightest(maximum, exclusive_maximum, -1)
    return _between(low, low_in, high, high_in, residues, has_exponents=False)


def one_of(
    values: Iterable[Decimal], multiple_of: Decimal | None = None, integer: Integers | None = None
) -> lang.Language:
    """Every spelling of those of some numbers that are multiples, as `bounded` takes these."""
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
    """True when its digits lie so near to the point that all of them may be written down."""
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
    """Every number that is read into the same double as one of some numbers."""
    return lang.union(*map(reads_as, values))


@lru_cache(maxsize=1024)
def reads_as(value: Decimal) -> lang.Language:
    """Every number that is read into the same double as a number; those halfway to the next double, too."""
    double = float(value)
    if math.isinf(double):
        most = Decimal(sys.float_info.max)
        return bounded(minimum=most) if double > 0 else bounded(maximum=-most)
    with localcontext(prec=_HALFWAY_DIGITS):
        low, high = ((Decimal(double) + Decimal(math.nextafter(double, to))) / 2 for to in (-math.inf, math.inf))
    return bounded(minimum=low, maximum=high)


def spellings(value: int | float | Decimal) -> tuple[str, ...]:
    """The spellings offered when a schema asks for exactly this value, the canonical one first.

    1 -> 1, 1.0; 0 -> 0, 0.0, -0.0; 1.5 -> 1.5; 1e20 -> 100000000000000000000, the same with .0, 1e+20; 1e-7 -> 1e-07,
    0.0000001. All are in CANONICAL. Further zeros after the point are not offered.
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
    """The texts of JSON_NUMBER, CANONICAL or PLAIN that are in a language; without a product of machines where a bound
    or a multiple is the whole language, which lies in CANONICAL anyway.
    """
    nodes = nodes_of(predicate)
    if nodes is None:
        return lang.intersect(domain, predicate)
    if domain is not PLAIN:
        return predicate
    return _PLAIN_INTEGERS.get(predicate) or _language_of(_without_exponents(nodes))


def written(domain: lang.Language, predicate: lang.Language) -> lang.Language:
    """The texts of `within(domain, predicate)` that writers write.

    Integers and their multiples have neither point nor exponent; other multiples no more places than they need; what
    else has a point ends after 17 significant digits, unless a bound can't be met so. One value has its shortest
    spellings. All are finite: up to 308 digits before the point, unless a bound asks for more.
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
def _written_texts(nodes: tuple[Node, ...]) -> lang.Language:
    """The same for a bound at its start."""
    values: list[str] = []
    kept: list[Node] = []
    for sign, group in _by_sign(nodes):
        only = _only_values(group)
        if only is None:
            several = tuple([_written_node(node) for node in group])
            kept += several if sign > 0 else [Minus(several)]
            continue
        for value in paced(only):
            if value or sign > 0:
                values += _shortest(value if sign > 0 else -value, has_exponents=len(group) > 1)
    return lang.union(lang.words(values), _language_of(kept))


def values_in(language: lang.Language) -> list[Decimal] | None:
    """The numbers of a language of `one_of`; None for an interval, and for another language."""
    values: list[Decimal] = []
    for sign, group in _by_sign(nodes_of(language) or ()):
        only = _only_values(group)
        if only is None:
            return None
        values += only if sign > 0 else [-value for value in only if value]
    return values or None


def _by_sign(nodes: tuple[Node, ...]) -> list[tuple[int, tuple[Node, ...]]]:
    """The nodes of numbers that are not negative, with 1, and those after a minus sign, with -1."""
    positive = tuple([node for node in nodes if not isinstance(node, Minus)])
    return [(1, positive)] * bool(positive) + [(-1, node.after) for node in nodes if isinstance(node, Minus)]


def _only_values(nodes: Sequence[Node]) -> list[Decimal] | None:
    """The magnitudes that nodes of one sign read; None where these are an interval of more than one."""
    for node in nodes:
        if isinstance(node, ListedText):
            return list(node.numbers)
        value = only_value(node.span) if isinstance(node, Magnitude) else None
        if value is not None:
            return [value]
    return None


def _written_node(node: Node) -> Node:
    return Magnitude(finite(node.span), is_written=True) if isinstance(node, Magnitude) else node


def _shortest(value: Decimal, *, has_exponents: bool) -> list[str]:
    """The spellings of one value by several writers: 1; 1.5; 1e-07, 1e-7 and 0.0000001; 1e+20, 1e20 and all digits."""
    texts = [text for text in spellings(value) if not text.endswith(".0")]
    if not has_exponents:
        return [text for text in texts if "e" not in text]
    return texts + [re.sub(r"e\+?(-?)0?", r"e\1", text) for text in texts if "e" in text]


def nodes_of(language: lang.Language) -> tuple[Node, ...] | None:
    """The nodes of a bound or a multiple at its start; None for another language."""
    if isinstance(language, lang.MachineLanguage) and isinstance(language.machine, NumberText):
        return language.machine.nodes
    return None


def _language_of(nodes: Sequence[Node]) -> lang.Language:
    return lang.machine(NumberText(tuple(nodes))) if nodes else lang.NOTHING


def _without_exponents(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes that read texts without exponent of a bound at its start."""
    kept: list[Node] = []
    for node in nodes:
        if isinstance(node, Minus):
            after = tuple([inner for inner in node.after if not isinstance(inner, Mantissa | ListedMantissa)])
            kept += [Minus(after)] if after else []
        elif not isinstance(node, Mantissa | ListedMantissa):
            kept.append(node)
    return tuple(kept)


def _with_exponent(digits: str, power: int) -> str:
    """The spelling with exponent, or "" when `json.dumps` would write none."""
    if -5 < power < 16 or len(digits) > 17:
        return ""
    return f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _parts(number: Decimal) -> tuple[str, str, int]:
    """(sign, digits, exponent) of a finite number; no digits for 0, no zero at either end of the digits."""
    if not number.is_finite():
        raise InvalidInputError(f"{number} is not a JSON number")
    negative, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int), "finite"
    text = bytes(digit + 48 for digit in digits).decode().lstrip("0")
    stripped = text.rstrip("0")
    return "-" if negative else "", stripped, exponent + len(text) - len(stripped)


def _tightest(inclusive: Decimal | None, exclusive: Decimal | None, side: int) -> tuple[Decimal | None, bool]:
    """The stricter of two bounds on the same side (1: below, -1: above) and whether it is inside."""
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
    """The numbers between two bounds, on a grid if there is one."""
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
) -> tuple[Node, ...]:
    """The nodes that read the magnitudes between two bounds; none when there are none."""
    interval = span(low, low_in, high, high_in, grid)
    if interval is None:
        return ()
    plain, mantissa = Magnitude(interval), Mantissa(exponents(interval), grid is not None)
    return (plain, mantissa) if has_exponents and mantissa.is_live() else (plain,)


def _json_number() -> lang.Language:
    """Of three sorts: those without exponent; one digit before the point, with the exponents of doubles; up to 20
    digits before the point, or 0, with exponents that leave the number finite.
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
    """Its digits without the first."""
    return "".join(map(str, number.as_tuple().digits[1:]))


def _digits_up_to(most: str) -> str:
    """The pattern of one or more digits after a point that come to no more than others."""
    if not most:
        return "0*"
    less = f"[0-{int(most[0]) - 1}][0-9]*|" if most[0] != "0" else ""
    return f"(?:{less}{most[0]}(?:{_digits_up_to(most[1:])})?)"


def _digits_from(least: str) -> str:
    """The pattern of digits after a point that come to no less than others."""
    if not least:
        return "[0-9]*"
    more = f"[{int(least[0]) + 1}-9][0-9]*|" if least[0] != "9" else ""
    return f"(?:{more}{least[0]}{_digits_from(least[1:])})"


JSON_NUMBER = _json_number()
"""Numbers as JSON writes them, but for exponents that no double has room for (44e27967 is infinite for every
reader).
"""

PLAIN = lang.machine(NumberText((Minus((Magnitude(Span()),)), Magnitude(Span()))))
"""-?(0|[1-9]\\d*)(\\.\\d+)?"""

CANONICAL = bounded()
"""PLAIN, and -?[1-9](\\.\\d{1,16})?[eE][+-]?\\d{1,3}, where that is a double between SMALLEST and LARGEST."""

_WRITTEN, _WRITTEN_PLAIN = (_written_texts(nodes_of(domain) or ()) for domain in (CANONICAL, PLAIN))
"""The texts of CANONICAL and of PLAIN that writers write, see `written`."""

_WRITTEN_INTEGERS = ecma.full(rf"0|-?[1-9][0-9]{{0,{FINITE_DIGITS - 1}}}")

_PLAIN_INTEGERS = {
    bounded(integer="value"): ecma.full(r"-?(?:0|[1-9][0-9]*)(?:\.0+)?"),
    bounded(integer="text"): ecma.full(r"-?(?:0|[1-9][0-9]*)"),
}
"""The integers without exponent, as Languages that are built without machines."""
