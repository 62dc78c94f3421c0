"""Conversions of quotes: numbers by the rules below, dates and times by `dateparser`, others by the user's function.

A number may have a sign, and a currency's sign or code (ISO 4217) before or after it. Nothing else may stand beside it:
"12 pieces", "12 PCS" and "5 MIO" are refused. Thousands may be grouped by spaces, apostrophes, points or commas, three
digits each. If a number has points and commas, the last of them is the decimal sign. A sign that occurs twice groups.
A single sign is the decimal sign, except a comma before exactly three digits: "1,299" is 1299, "1.299" is 1.299. The
option `decimal` overrides this.

A date states its day, month and year, in any language that `dateparser` knows. A time states no date. A quote that
leaves a part open is refused, not guessed.
"""

from __future__ import annotations

import datetime as dt
import importlib.util
import math
import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from guided.grammars.errors import InvalidInputError

_SPACES = " \u00a0\u2009\u202f"
_APOSTROPHES = "'\u2019"
_MINUS = "\u2212"
# ISO 4217's codes, then the replaced currencies that old texts name, such as those before the euro.
_CURRENCIES = """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
    CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD
    HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD
    MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN
    PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD
    TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD
    XPF XPT XSU XUA YER ZAR ZMW ZWG

    ANG ATS BEF BGN CUC CYP DEM EEK ESP FIM FRF GRD HRK IEP ITL LTL LUF LVL MTL NLG PTE SIT SKK SLL ZWL
"""
_ANY_CODE = "|".join(_CURRENCIES.split())
_CODE = re.compile(rf"^(?:{_ANY_CODE})(?=[^A-Za-z])|(?<=[^A-Za-z])(?:{_ANY_CODE})$")
_NUMBER = re.compile(rf"[+\-{_MINUS}]?\d[\d.,{_SPACES}{_APOSTROPHES}]*")
_MOMENTS = (dt.datetime(2001, 2, 3, 4, 5, 6), dt.datetime(2010, 11, 12, 13, 14, 15))  # they share no part
_THREE_NUMBERS = re.compile(r"(\d{1,4})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{1,4})(?!\d)")
_ORDERS = {None: ("DMY", "MDY"), True: ("DMY",), False: ("MDY",)}


def value_reader(
    as_: Callable[..., Any] | None, decimal: str | None = None, day_first: bool | None = None
) -> Callable[[str], Any] | None:
    """The function that converts a quote as `as_` says; None for None. It raises ValueError for an unsuitable quote.

    Raises InvalidInputError if `as_` is neither a known type nor a function, if an option belongs to another kind of
    values, and for dates and times if `dateparser` is not installed.
    """
    if as_ is not None and not callable(as_):
        raise InvalidInputError(f"as_ is a type or a function of the quote, not {as_!r:.80}")
    kind: Any = as_ if isinstance(as_, type) else None
    if decimal is not None and (kind not in _NUMBERS or decimal not in (".", ",")):
        raise InvalidInputError(f"decimal is '.' or ',', for as_=int, float or Decimal; not {decimal!r:.80}")
    if day_first is not None and (kind not in _DATES or not isinstance(day_first, bool)):
        raise InvalidInputError(
            f"day_first is True or False, for as_=datetime.date or datetime.datetime; not {day_first!r:.80}"
        )
    if kind in _NUMBERS:
        return lambda quote: _NUMBERS[kind](read_number(quote, decimal), quote)
    if kind in _TIMES:
        if importlib.util.find_spec("dateparser") is None:
            raise InvalidInputError(
                f"as_={kind.__name__} needs the package dateparser: pip install 'guided-generation[dates]'"
            )
        return lambda quote: _TIMES[kind](quote, day_first)
    return as_


def read_number(quote: str, decimal: str | None = None) -> Decimal:
    """The number that a quote states. Raises ValueError if the quote is not exactly one number."""
    bare = _CODE.sub("", "".join([" " if unicodedata.category(one) == "Sc" else one for one in quote]).strip())
    text = bare.strip().replace(_MINUS, "-")
    text = re.sub(r"^([+-])\s+", r"\1", text)
    if _NUMBER.fullmatch(text) is None or not text[-1].isdecimal():
        raise ValueError(f"{quote!r:.80} is not one number and nothing else")
    sign, digits = (text[0], text[1:]) if text[0] in "+-" else ("", text)
    mark = _decimal_mark(digits, decimal)
    whole, _, fraction = digits.rpartition(mark) if mark and mark in digits else (digits, "", "")
    groups = re.split(rf"[.,{_SPACES}{_APOSTROPHES}]", whole)
    separators = set(re.findall(r"\D", whole))
    is_grouped = len(separators) < 2 and 1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    if mark in separators or not (is_grouped or len(groups) == 1) or (fraction and not fraction.isdecimal()):
        raise ValueError(f"{quote!r:.80} has digits in other groups than thousands")
    return Decimal(sign + "".join(groups) + ("." + fraction if fraction else ""))


def _decimal_mark(digits: str, decimal: str | None) -> str:
    """The decimal sign of a number, a point or a comma; "" if it has none."""
    marks = [one for one in digits if one in ".,"]
    if decimal is not None:
        return decimal
    if len(set(marks)) == 2:
        return marks[-1]
    if len(marks) != 1:
        return ""
    is_group = marks[0] == "," and re.fullmatch(r"[1-9]\d{0,2},\d{3}", digits) is not None
    return "" if is_group else marks[0]


def _integer(number: Decimal, quote: str) -> int:
    if number != number.to_integral_value():
        raise ValueError(f"{quote!r:.80} is no whole number")
    return int(number)


def _float(number: Decimal, quote: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(f"no float holds {quote!r:.80}")
    return value


def _date(quote: str, day_first: bool | None) -> dt.date:
    moments = _moments(quote, day_first)
    days = {moment.date() for moment in moments}
    if len(days) > 1:
        raise ValueError(_ambiguous(quote, "day, month and year", moments))
    if any(moment.time() != dt.time() or moment.tzinfo is not None for moment in moments):
        raise ValueError(f"{quote!r:.80} is more than a date: it states a time")
    return days.pop()


def _datetime(quote: str, day_first: bool | None) -> dt.datetime:
    moments = _moments(quote, day_first)
    if len(set(moments)) > 1:
        raise ValueError(_ambiguous(quote, "day, month and year", moments))
    if moments[0].time() == dt.time() and not _states_time(quote):
        raise ValueError(f"{quote!r:.80} states no time of the day")
    return moments[0]


def _time(quote: str, _: bool | None) -> dt.time:
    moments = [_parsed(quote, moment, "DMY") for moment in _MOMENTS]
    if any(found is None for found in moments):
        raise ValueError(f"{quote!r:.80} is no time of the day")
    if any(found.date() != moment.date() for found, moment in zip(moments, _MOMENTS, strict=True) if found is not None):
        raise ValueError(f"{quote!r:.80} is not a time of the day alone: it states a date")
    assert moments[0] is not None
    return moments[0].timetz()


def _moments(quote: str, day_first: bool | None) -> list[dt.datetime]:
    """The quote's meanings: read from two days that share no part, in each order of day and month."""
    found = [_parsed(quote, moment, order) for order in _ORDERS[day_first] for moment in _MOMENTS]
    moments = [one for one in found if one is not None]
    if len(moments) < len(found):
        raise ValueError(f"{quote!r:.80} is no date")
    if len({moment.year for moment in moments}) == 1 and not _states_year(quote, moments[0].year):
        raise ValueError(f"{quote!r:.80} does not state of which century its year is")
    order, stated = _stated_order(quote, day_first)
    if stated and any((moment.month, moment.day) != stated for moment in moments):
        raise ValueError(f"{quote!r:.80} is no date in the order {order}")
    return moments


def _stated_order(quote: str, day_first: bool | None) -> tuple[str, tuple[int, int] | None]:
    """The required order of a date made of three numbers, in words, and its month and day; None if the order is open.

    `dateparser` treats an order as a preference: if the month would exceed 12, it swaps the numbers.
    """
    found = _THREE_NUMBERS.match(quote.strip())
    if found is None:
        return "", None
    first, second, third = found.groups()
    if len(first) == 4:
        return "year, month, day", (int(second), int(third))
    if day_first is None:
        return "", None
    return (
        ("day, month, year", (int(second), int(first)))
        if day_first
        else ("month, day, year", (int(first), int(second)))
    )


def _states_time(quote: str) -> bool:
    """True if a quote that is a date states a time of day, midnight included."""
    from dateparser.date import DateDataParser  # type: ignore[import-untyped]  # 0.3 s

    settings = {"RETURN_TIME_AS_PERIOD": True, "PARSERS": ["absolute-time"]}
    return bool(DateDataParser(settings=settings).get_date_data(quote).period == "time")


def _states_year(quote: str, year: int) -> bool:
    """True if all digits of a date's year stand in the quote."""
    digits = "".join([str(unicodedata.decimal(one)) if one.isdecimal() else " " for one in quote])
    return f"{year:04}" in digits


def _ambiguous(quote: str, parts: str, moments: list[dt.datetime]) -> str:
    by_order = {moment.isoformat(" ") for moment in moments[::2]}
    if moments[0] == moments[1] and len(by_order) > 1:
        return f"{quote!r:.80} may be two dates; say which number is the day: Quote(day_first=True or False)"
    return f"{quote!r:.80} does not state {parts}"


def _parsed(quote: str, moment: dt.datetime, order: str) -> dt.datetime | None:
    import dateparser  # type: ignore[import-untyped]  # 0.3 s

    settings = {"RELATIVE_BASE": moment, "DATE_ORDER": order, "PARSERS": ["absolute-time"]}
    found: dt.datetime | None = dateparser.parse(quote, settings=settings)
    return found


_NUMBERS: dict[Any, Callable[[Decimal, str], Any]] = {int: _integer, float: _float, Decimal: lambda number, _: number}
_TIMES: dict[Any, Callable[[str, bool | None], Any]] = {dt.date: _date, dt.datetime: _datetime, dt.time: _time}
_DATES = (dt.date, dt.datetime)
