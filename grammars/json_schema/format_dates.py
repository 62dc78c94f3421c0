"""The date and time formats of RFC 3339 as Languages: full-date, full-time, date-time, duration.

Each format also has a canonical form: the texts that common writers write and Python's `datetime` can hold. Years begin
with 0001, `T` and `Z` are upper case, a second's fraction has up to 9 digits. There are no leap seconds, and durations
are below 1,000,000,000 days.

Dates are exact: each month has its days, and February its leap days. Year 0000 is a leap year. Python's calendar has
no year 0000, so the `jsonschema` library refuses it; RFC 3339 does not. A leap second is 23:59:60 in UTC. The offset of
such a time is a whole number of quarters of an hour, as in all time zones. The date in UTC of such a date-time is the
last of June or December, as for all leap seconds so far. The `jsonschema` library refuses every leap second; RFC 3339
and the official test suite do not.
"""

from __future__ import annotations

import re
from typing import Literal

from ..regex import algebra as lang
from ..regex.ecma import full as language

_YEAR = "[0-9]{4}"
_YEAR_OF_PYTHON = "(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
_BY_FOUR = "(?:0[48]|[2468][048]|[13579][26])"
_LEAP_YEAR = f"(?:[0-9]{{2}}{_BY_FOUR}|{_BY_FOUR}00)"
_LONG_MONTH = "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
_SHORT_MONTH = "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
_FEBRUARY = "02-(?:0[1-9]|1[0-9]|2[0-8])"
_DAY_OF_EVERY_YEAR = f"(?:{_LONG_MONTH}|{_SHORT_MONTH}|{_FEBRUARY})"
DATE = f"(?:{_YEAR}-{_DAY_OF_EVERY_YEAR}|(?:{_LEAP_YEAR}|0000)-02-29)"
CANONICAL_DATE = f"(?:{_YEAR_OF_PYTHON}-{_DAY_OF_EVERY_YEAR}|{_LEAP_YEAR}-02-29)"

HOUR_MINUTE = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = f"{HOUR_MINUTE}:[0-5][0-9](?:\\.[0-9]+)?(?:[Zz]|[+-]{HOUR_MINUTE})"

CANONICAL_TIME = f"{HOUR_MINUTE}:[0-5][0-9](?:\\.[0-9]{{1,9}})?(?:Z|[+-]{HOUR_MINUTE})"

CANONICAL_DATE_TIME = f"{CANONICAL_DATE}T{CANONICAL_TIME}"

_MOST_DIGITS = {"Y": 6, "M": 6, "D": 8, "W": 8, "H": 6, "S": 8}
"""Maximum number of digits of each unit in a canonical duration. With years of 365 days and months of 30, a duration
stays below 10**9 days. Its hours, minutes and seconds each stay below 2**32 seconds, the limit of Pydantic.
"""

_UNITS_OF_TIME = "T(?:H(?:MS?)?|MS?|S)"
_DURATION = f"P(?:(?:D|MD?|Y(?:MD?)?)(?:{_UNITS_OF_TIME})?|{_UNITS_OF_TIME}|W)"
"""The order of units. DURATION and CANONICAL_DURATION put a number before each unit."""

DURATION = re.sub("[YMDHSW]", r"(?:[0-9]+\g<0>)", _DURATION)
"""The durations of RFC 3339, appendix A: no fractions, no gaps between the units."""

CANONICAL_DURATION = re.sub("[YMDHSW]", lambda unit: f"(?:[0-9]{{1,{_MOST_DIGITS[unit[0]]}}}{unit[0]})", _DURATION)

_MINUTES_A_DAY = 1440

Offsets = Literal["any", "positive", "not positive"]
"""Offsets that a leap second may have. With a positive offset, its local date is the day after its date in UTC."""


def time() -> lang.Language:
    """RFC 3339 full-time."""
    return lang.union(language(_TIME), _leap_seconds("any"))


def date_time() -> lang.Language:
    """RFC 3339 date-time."""
    same_day = lang.concat(language(f"{_YEAR}-(?:06-30|12-31)[Tt]"), _leap_seconds("not positive"))
    next_day = lang.concat(language(f"{_YEAR}-(?:01-01|07-01)[Tt]"), _leap_seconds("positive"))
    return lang.union(language(f"{DATE}[Tt]{_TIME}"), same_day, next_day)


def _leap_seconds(offsets: Offsets) -> lang.Language:
    """The times with an offset that are leap seconds. Example: "00:59:60+01:00"."""
    fraction = language("(?:\\.[0-9]+)?")
    return lang.union(
        *(
            lang.concat(lang.text(f"{_clock(minute)}:60"), fraction, lang.words(_zones(minute, offsets)))
            for minute in range(14, _MINUTES_A_DAY, 15)
        )
    )


def _zones(minute: int, offsets: Offsets) -> list[str]:
    """The offsets that make a local minute the last one of the day in UTC. minute: minutes since midnight."""
    behind = _MINUTES_A_DAY - 1 - minute
    if behind == 0:
        return [] if offsets == "positive" else ["Z", "z", "+00:00", "-00:00"]
    ahead = [] if offsets == "not positive" else [f"+{_clock(minute + 1)}"]
    return ahead if offsets == "positive" else [*ahead, f"-{_clock(behind)}"]


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
