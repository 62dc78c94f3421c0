"""`stated_dates`, `stated_times`: the dates and times that a text states, as patterns of ISO 8601 format.

A written date is read in each order of its numbers that the calendar allows. Examples: "2026-03-05", "5/3/26", "5 March
2026", "May 3rd and 4th, 2026", "05-Mar-26". A date without a year is combined with each year in the text.

Years, days and months are combined freely if a year or an ordinal stands alone beside dates ("in 2026", "the 5th"). The
same happens if the text has months of a language that MONTHS lacks. More dates are then allowed than the text means.

A time has hour and minutes, or a word that makes a number a time ("3 pm", "18 Uhr"). "6:30" may also mean 18:30. A
time's offset is Z, or an offset after any time in the text.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from itertools import product

_MONTHS = """
    jan ene gen янв ledn styc tammi
    feb fév fev фев lut únor helmi
    mar mär mrz maa mrt мар břez
    apr avr abr апр kwi dub huhti
    may mai maj mei mag май květ touko
    jun juin giu июн červ czerw kesä
    jul juil lug июл lip heinä
    aug aoû aou ago авг sier srp elo
    sep set сен wrz září syys
    oct okt out ott окт paź říj loka
    nov ноя lis marras
    dec dez dic déc des дек gru pros joulu
"""
MONTHS = {stem: n for n, line in enumerate(_MONTHS.split("\n")[1:-1], start=1) for stem in line.split()}
"""Beginnings of month names in several languages -> number of the month."""

_LENGTHS = sorted(set(map(len, MONTHS)))
_SHORT = r"\d\d(?![\w:%]|[.,]\d)"
_NUMERIC = re.compile(
    rf"(?<![\w.,:/-])(\d{{1,4}})\s?([./-])\s?(\d{{1,2}})(?:\s?\2\s?(\d{{4}}(?!\d)|{_SHORT}|\d\d(?=T\d)))?(?![\d%:]|[.,]\d)"
)
_COMPACT = re.compile(r"(?<!\d)([12]\d{3})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_DAY = r"\d{1,2}(?!\d)(?:st|nd|rd|th|er|\.|º|ª)?"
_AND = r"\s?(?:-|\u2013|,|/|&|to|and|und|bis|et|y|e|og|och|en|till|until)\s?"
_DAYS = rf"(?<![\w.,:])({_DAY}(?:{_AND}{_DAY}){{0,9}})"
_NAME, _OF = r"(?<![^\W\d_])([^\W\d_]{3,12})(?![^\W\d_])\.?", r"(?:of |de |del )?"
_YEAR = rf"(\d{{4}}(?!\d)|['\u2019]?{_SHORT})"
_DAY_FIRST = re.compile(rf"{_DAYS}[\s./-]{{1,2}}{_OF}{_NAME}(?:[\s,./-]{{1,3}}{_OF}{_YEAR})?")
_MONTH_FIRST = re.compile(rf"{_NAME}[\s./-]{{1,2}}{_DAYS}(?:[\s,./-]{{1,3}}{_YEAR})?")
_SERIAL = r"[/-](?!(?:19|20)\d\d(?!\d))\d{3}"  # "2026/0417" begins with no year, "2026/27" and "2025-2026" do
_LONE_YEAR = re.compile(rf"(?<![\w.,/-])(?:19|20)\d\d(?!\w|[.,]\d|{_SERIAL})")
_LONE_DAY = re.compile(r"(?<![\w.,:/-])(\d{1,2})(?:st|nd|rd|th)?(?![\w%:]|[.,]\d)")
_ORDINAL = re.compile(r"(?<!\w)\d{1,2}(?:st|nd|rd|th)(?!\w)")
_CLOCK = re.compile(
    r"(?<![\d:.,])(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d{1,9})?(?:\s?([ap])\.?m(?!\w)|\s?([+-]\d\d):?(\d\d))?(?![\d:])",
    re.I,
)
_HOUR = re.compile(
    r"(?<![\w:.,])(\d{1,2})(?:[.h](\d\d))?(?:(?<=h\d\d)|\s?(?:([ap])\.?m|uhr|o['\u2019]clock|h))(?!\w)", re.I
)
_TIME_WORDS = {"noon": "12:00:00", "midday": "12:00:00", "mittag": "12:00:00", "midnight": "00:00:00"}


@dataclass
class _Parts:
    """Possible parts of dates. written: full dates. open_days: (month, day) pairs without a year. less_sure: such pairs
    that may be other numbers, such as 12.06.
    """

    written: set[dt.date] = field(default_factory=set)
    open_days: set[tuple[int, int]] = field(default_factory=set)
    less_sure: set[tuple[int, int]] = field(default_factory=set)


def stated_dates(text: str, named_days: Set[int] = frozenset()) -> str | None:
    """A pattern of the dates in ISO format that a text states; None if it states none.

    named_days: numbers that the text has as words.
    """
    parts, rest = _Parts(), text
    for form, read in (
        (_NUMERIC, _numeric),
        (_COMPACT, _compact),
        (_DAY_FIRST, _day_first),
        (_MONTH_FIRST, _month_first),
    ):
        rest = form.sub(lambda match, read=read: " " if read(match, parts) else match[0], rest)  # type: ignore[misc]
    lone_years = {int(year) for year in _LONE_YEAR.findall(rest)}
    years = {one.year for one in parts.written} | lone_years
    is_told_apart = not _ORDINAL.search(rest) and bool(parts.open_days if lone_years else parts.written)
    if is_told_apart and not (lone_years and parts.written):
        dates = parts.written | set(_dates(years, parts.open_days | parts.less_sure))
        return _pattern_of(dates)
    known = {*parts.open_days, *parts.less_sure, *((one.month, one.day) for one in parts.written)}
    days = {day for _, day in known} | {int(day) for day in _LONE_DAY.findall(rest)} | set(named_days)
    months = {month for month, _ in known} | set(_months_in(text))
    return _pattern(years, months or set(range(1, 13)), {day for day in days if 1 <= day <= 31})


def _pattern_of(dates: Set[dt.date]) -> str | None:
    """A pattern of these dates. Years with the same days share one list of days: there may be a hundred of each."""
    days_of: dict[int, list[str]] = {}
    for date in sorted(dates):
        days_of.setdefault(date.year, []).append(f"{date.month:02}-{date.day:02}")
    years_of: dict[tuple[str, ...], list[str]] = {}
    for year, days in days_of.items():
        years_of.setdefault(tuple(days), []).append(f"{year:04}")
    parts = (f"(?:{'|'.join(years)})-(?:{'|'.join(days)})" for days, years in years_of.items())
    return f"^(?:{'|'.join(parts)})" if dates else None


def stated_times(text: str) -> str | None:
    """A pattern of the times with offsets that a text states; None if it states none."""
    times = {time for word, time in _TIME_WORDS.items() if word in text.lower()}
    offsets = {"Z"}
    for hour, minute, second, half, offset_hour, offset_minute in _CLOCK.findall(text):
        times |= set(_times(hour, minute, second, half))
        offsets |= {f"{offset_hour}:{offset_minute}"} if offset_hour else set()
    for hour, minute, half in _HOUR.findall(text):
        times |= set(_times(hour, minute, "", half))
    if not times:
        return None
    return "(?:{})(?:{})".format("|".join(sorted(times)), "|".join(sorted(map(re.escape, offsets))))


def _times(hour: str, minute: str, second: str, half: str) -> Iterator[str]:
    """The times that a clock may mean. half: "a" or "p" for am or pm, "" if the text does not say."""
    first = int(hour)
    if half:
        hours = {first % 12 + 12 * (half.lower() == "p")}
    else:
        has_two = 0 < first < 12 and not hour.startswith("0") and not second
        hours = {first, first + 12} if has_two else {first}
    for one in hours:
        if one < 24 and int(minute or 0) < 60 and int(second or 0) < 60:
            yield f"{one:02}:{minute or '00'}:{second or '00'}"


def _pattern(years: Set[int], months: Set[int], days: Set[int]) -> str | None:
    """A pattern of all combinations of the years, months and days."""
    if not years or not days:
        return None
    choices = (
        "|".join(f"{one:0{width}}" for one in sorted(some)) for width, some in ((4, years), (2, months), (2, days))
    )
    return "^" + "-".join(f"(?:{choice})" for choice in choices)


def _numeric(match: re.Match[str], parts: _Parts) -> bool:
    first, separator, second, third = match.groups()
    if third is None:
        is_decimal = separator == "." and len(first) + len(second) < 4 and not match.string.startswith(".", match.end())
        if is_decimal:  # "6.8 mg" is no day, "6.8." and "06.08" may be one
            return False
        parts.less_sure |= set(_days([(int(first), int(second)), (int(second), int(first))]))
        return False
    numbers = (int(first), int(second), int(third))
    found = set()
    if len(first) == 4 or len(first) == len(third) == 2:  # the year may be the first number
        found |= set(_dates(_years(first), [numbers[1:]]))
    if len(first) <= 2:
        found |= set(_dates(_years(third), [(numbers[1], numbers[0]), (numbers[0], numbers[1])]))
    parts.written |= found
    return bool(found)


def _compact(match: re.Match[str], parts: _Parts) -> bool:
    year, month, day = map(int, match.groups())
    found = set(_dates([year], [(month, day)]))
    parts.written |= found
    return bool(found)


def _day_first(match: re.Match[str], parts: _Parts) -> bool:
    days, name, year = match.groups()
    return _named(days, name, year, parts)


def _month_first(match: re.Match[str], parts: _Parts) -> bool:
    name, days, year = match.groups()
    return _named(days, name, year, parts)


def _named(days: str, name: str, year: str | None, parts: _Parts) -> bool:
    """Add days of a named month. A year of two digits may be another number that follows."""
    found = set(_days(product(_months_in(name), map(int, re.findall(r"\d+", days)))))
    if year is not None:
        parts.written |= set(_dates(_years(year.strip("'\u2019")), found))
    if year is None or len(year) == 2:
        parts.open_days |= found
    return bool(found)


def _months_in(text: str) -> Iterator[int]:
    for word in re.findall(r"[^\W\d_]+", text.lower()):
        yield from (MONTHS[stem] for length in _LENGTHS if (stem := word[:length]) in MONTHS)


def _years(digits: str) -> list[int]:
    return [int(digits)] if len(digits) > 2 else [1900 + int(digits), 2000 + int(digits)]


def _days(days: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The (month, day) pairs that exist in some year."""
    return (one for one in days if any(_dates([2000], [one])))


def _dates(years: Iterable[int], days: Iterable[tuple[int, int]]) -> Iterator[dt.date]:
    """All dates of these years and (month, day) pairs that the calendar has."""
    for year, (month, day) in product(years, days):
        try:
            yield dt.date(year, month, day)
        except ValueError:
            continue
