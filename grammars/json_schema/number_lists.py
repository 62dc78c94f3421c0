"""Lists of numbers as Languages: every spelling of each number, with and without an exponent."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from ..regex import algebra as lang
from ..regex import ecma
from ..watch import paced
from .number_exponents import LARGEST, MAX_EXPONENT_DIGITS, MAX_MANTISSA, SMALLEST

_SIGN = lang.text("-")


def plain_text(number: Decimal) -> str:
    """A number's spelling without exponent, and without zeros at the end of a fraction."""
    text = f"{number:f}" if number else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text


def listed(values: Iterable[Decimal], has_exponents: bool) -> lang.Language:
    """Every spelling of some different numbers. has_exponents: True: also those with an exponent."""
    positive: dict[str, list[str]] = {}  # pattern of what follows -> beginnings of numbers
    negative: dict[str, list[str]] = {}
    for value in paced(list(values)):
        for text, behind in _spellings(value.copy_abs(), has_exponents):
            if value >= 0:
                positive.setdefault(behind, []).append(text)
            if value <= 0:
                negative.setdefault(behind, []).append(text)
    return lang.union(_joined(positive), lang.concat(_SIGN, _joined(negative)))


def _joined(texts: dict[str, list[str]]) -> lang.Language:
    return lang.union(*[lang.concat(lang.words(begun), ecma.full(behind)) for behind, begun in texts.items()])


def _spellings(magnitude: Decimal, has_exponents: bool) -> list[tuple[str, str]]:
    """The beginnings of a magnitude's spellings, each with a pattern of what follows."""
    text = plain_text(magnitude)
    found = [(text, "0*" if "." in text else r"(?:\.0+)?")]
    digits = "".join(map(str, magnitude.as_tuple().digits)).strip("0")
    if has_exponents and SMALLEST <= magnitude <= LARGEST and len(digits) <= MAX_MANTISSA:
        power = magnitude.adjusted()
        zeros = MAX_EXPONENT_DIGITS - len(str(abs(power)))
        exponent = f"[eE]{'-' if power < 0 else '[+]?'}0{{0,{zeros}}}{abs(power)}"
        if len(digits) == 1:
            found.append((digits, rf"(?:\.0{{1,{MAX_MANTISSA - 1}}})?{exponent}"))
        else:
            found.append((f"{digits[0]}.{digits[1:]}", f"0{{0,{MAX_MANTISSA - len(digits)}}}{exponent}"))
    return found
