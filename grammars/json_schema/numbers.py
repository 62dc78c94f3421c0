"""Languages of JSON number texts: bounds, integers, multiples, and how a value is spelled.

A text belongs to a predicate's language exactly when its decimal value has the property; nothing is rounded. Values
count, so -0 is 0 and 1.50 is 1.5. (The `jsonschema` library reads texts as doubles first: with multipleOf 0.01 it
refuses 19.99, because 19.99 / 0.01 is not an integer in doubles. That rounding is not imitated.)

Two sets of texts are read: `PLAIN`, without exponent, and `CANONICAL`, which adds the exponents that Python's
`json.dumps` writes. Predicates contain CANONICAL texts only, those with a multiple PLAIN ones only. The complement of
a predicate is `lang.difference(domain, predicate)`, where the domain is PLAIN as soon as a multiple is in play.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Literal

from ..errors import InvalidInputError
from ..regex import algebra as lang
from ..regex import charset
from .decimal_edges import MAX_DIGITS, Grid, Span, common_multiple, grid_of, span
from .number_exponents import LARGEST_EXPONENT, SMALLEST_EXPONENT, Mantissa, exponents
from .number_plain import Magnitude
from .number_texts import Minus, Node, NumberText

__all__ = [
    "CANONICAL", "JSON_NUMBER", "PLAIN", "at_least", "at_most", "bounded", "canonical_text", "common_multiple",
    "equals", "greater_than", "integer", "less_than", "multiple_of", "spellings", "within",
]  # fmt: skip

Integers = Literal["value", "text"]
"""Which numbers are integers: those whose value is one, or (draft 4) those written without point and exponent."""

_MAX_PLAIN_ZEROS = 330  # zeros that a spelling without exponent may add to a number's own digits


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
        grid = grid_of(Decimal(1) if multiple_of is None else multiple_of, integer is not None, integer != "text")
    has_exponents = multiple_of is None and integer != "text"
    positive = _magnitudes(low, low_in, high, high_in, grid, has_exponents)
    negative = _magnitudes(_negated(high), high_in, _negated(low), low_in, grid, has_exponents)
    nodes: tuple[Node, ...] = (Minus(negative), *positive) if negative else positive
    return lang.machine(NumberText(nodes)) if nodes else lang.NOTHING


def at_least(bound: Decimal) -> lang.Language:
    """Numbers that are `bound` or more."""
    return bounded(minimum=bound)


def greater_than(bound: Decimal) -> lang.Language:
    """Numbers that are more than `bound`."""
    return bounded(exclusive_minimum=bound)


def at_most(bound: Decimal) -> lang.Language:
    """Numbers that are `bound` or less."""
    return bounded(maximum=bound)


def less_than(bound: Decimal) -> lang.Language:
    """Numbers that are less than `bound`."""
    return bounded(exclusive_maximum=bound)


def equals(value: Decimal) -> lang.Language:
    """Every spelling of a number."""
    return bounded(minimum=value, maximum=value)


def integer(zero_fraction: bool) -> lang.Language:
    """Integers. zero_fraction: 1.0 and 1e+20 are integers too, as in every draft after 4."""
    return bounded(integer="value" if zero_fraction else "text")


def multiple_of(multiple: Decimal) -> lang.Language:
    """PLAIN texts of the multiples of a positive number."""
    return bounded(multiple_of=multiple)


def canonical_text(value: int | float | Decimal) -> str:
    """The one spelling that stands for a value: integers in digits, others as `json.dumps` writes a float."""
    return spellings(value)[0]


def spellings(value: int | float | Decimal) -> tuple[str, ...]:
    """The spellings offered when a schema asks for exactly this value, the canonical one first.

    1 -> 1, 1.0; 0 -> 0, 0.0, -0.0; 1.5 -> 1.5; 1e20 -> 100000000000000000000, the same with .0, 1e+20; 1e-7 -> 1e-07,
    0.0000001. All are in CANONICAL. Further zeros after the point are not offered.
    """
    sign, digits, exponent = _parts(value)
    if not digits:
        return ("0", "0.0", "-0.0")
    power = exponent + len(digits) - 1
    if abs(power) > MAX_DIGITS:
        raise InvalidInputError(f"a number with digits more than {MAX_DIGITS} places from the decimal point")
    short = _with_exponent(digits, power)
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
    if isinstance(predicate, lang.MachineLanguage) and isinstance(predicate.machine, NumberText):
        if domain is not PLAIN:
            return predicate
        return _PLAIN_INTEGERS.get(predicate) or _without_exponents(predicate.machine.nodes)
    return lang.intersect(domain, predicate)


def _without_exponents(nodes: tuple[Node, ...]) -> lang.Language:
    """The texts without exponent of a bound at its start."""
    kept: list[Node] = []
    for node in nodes:
        if isinstance(node, Minus):
            after = tuple([inner for inner in node.after if not isinstance(inner, Mantissa)])
            kept += [Minus(after)] if after else []
        elif not isinstance(node, Mantissa):
            kept.append(node)
    return lang.machine(NumberText(tuple(kept))) if kept else lang.NOTHING


def _with_exponent(digits: str, power: int) -> str:
    """The spelling with exponent, or "" when `json.dumps` would write none."""
    if -5 < power < 16 or not SMALLEST_EXPONENT <= power <= LARGEST_EXPONENT or len(digits) > 17:
        return ""
    return f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _parts(value: int | float | Decimal) -> tuple[str, str, int]:
    """(sign, digits, exponent) of a finite number; no digits for 0, no zero at either end of the digits."""
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite():
        raise InvalidInputError(f"{value} is not a JSON number")
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
    if exclusive is None or (inclusive is not None and _above(inclusive, exclusive, side)):
        return inclusive, True
    return exclusive, False


def _above(first: Decimal, second: Decimal, side: int) -> bool:
    return first > second if side > 0 else first < second


def _negated(bound: Decimal | None) -> Decimal | None:
    return None if bound is None else bound.copy_negate()


def _magnitudes(
    low: Decimal | None, low_in: bool, high: Decimal | None, high_in: bool, grid: Grid | None, has_exponents: bool
) -> tuple[Node, ...]:
    """The nodes that read the magnitudes between two bounds; none when there are none."""
    interval = span(low, low_in, high, high_in, grid)
    if interval is None:
        return ()
    plain, mantissa = Magnitude(interval), Mantissa(exponents(interval))
    return (plain, mantissa) if has_exponents and mantissa.is_live() else (plain,)


def _integer_texts(zero_fraction: bool) -> lang.Language:
    """-?(0|[1-9][0-9]*), and where wanted (\\.0+)?"""
    digit, zero = lang.chars(charset.from_ranges([(48, 57)])), lang.text("0")
    whole = lang.union(zero, lang.concat(lang.chars(charset.from_ranges([(49, 57)])), lang.repeat(digit, 0)))
    fraction = lang.concat(lang.text("."), lang.repeat(zero, 1))
    return lang.concat(lang.repeat(lang.text("-"), 0, 1), whole, lang.repeat(fraction, 0, int(zero_fraction)))


def _json_number() -> lang.Language:
    digit, sign = lang.chars(charset.from_ranges([(48, 57)])), lang.chars(charset.from_chars("+-"))
    whole = lang.union(lang.text("0"), lang.concat(lang.chars(charset.from_ranges([(49, 57)])), lang.repeat(digit, 0)))
    fraction = lang.concat(lang.text("."), lang.repeat(digit, 1))
    exponent = lang.concat(lang.chars(charset.from_chars("eE")), lang.repeat(sign, 0, 1), lang.repeat(digit, 1))
    optional = (lang.repeat(part, 0, 1) for part in (fraction, exponent))
    return lang.concat(lang.repeat(lang.text("-"), 0, 1), whole, *optional)


JSON_NUMBER = _json_number()
"""Every number that JSON can write."""

PLAIN = lang.machine(NumberText((Minus((Magnitude(Span()),)), Magnitude(Span()))))
"""-?(0|[1-9]\\d*)(\\.\\d+)?"""

CANONICAL = bounded()
"""PLAIN, and -?d(\\.d*[1-9])?e followed by an exponent from -307 to -05 or from +16 to +307, where the mantissa has at
most 17 digits and does not begin with 0. All of these are finite, normal doubles."""

_PLAIN_INTEGERS = {integer(zero_fraction): _integer_texts(zero_fraction) for zero_fraction in (True, False)}
"""The integers without exponent, as Languages that are built without machines."""
