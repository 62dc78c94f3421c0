"""What quotes are read as: numbers in the forms that people write, dates in several languages, and what is refused."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

import pytest

from guided.extraction.quote import Quote
from guided.extraction.quote_values import read_number, value_reader
from guided.grammars.errors import InvalidInputError


@pytest.mark.parametrize(
    ("quote", "number"),
    [
        *(("5", "5"), ("-5", "-5"), ("\u22125", "-5"), ("+ 5", "5"), ("007", "7"), ("0.5", "0.5"), ("12,5", "12.5")),
        *(("1,299.00", "1299.00"), ("1.299,00", "1299.00"), ("1,299", "1299"), ("1.299", "1.299"), ("0,125", "0.125")),
        *(("1 299,50", "1299.50"), ("1\u202f299,50", "1299.50"), ("1'299.50", "1299.50"), ("12.345.678", "12345678")),
        *(("€ 450", "450"), ("450 €", "450"), ("$1,299.00", "1299.00"), ("EUR 254.40", "254.40"), ("9 NOK", "9")),
        *(("1,234,567", "1234567"), ("1,234,567.5", "1234567.5"), ("1234,567", "1234.567"), ("- $5", "-5")),
        *(("CHF 1'299.50", "1299.50"), ("1.299,00 DEM", "1299.00"), ("-5 JPY", "-5")),
    ],
)
def test_a_number_is_read(quote: str, number: str) -> None:
    assert read_number(quote) == Decimal(number)


@pytest.mark.parametrize(
    "quote",
    [
        *("", "five", "5 pieces", "5 million", "12k", "5%", "3-4", "1,29,9", "1,2345.0", "1.2.3", "5.", ".5", "1,,2"),
        *("1 2", "1'299,5 6", "12 May", "EUR", "1,299.00,5", "1 299,500.0", "\ud800", "5\0"),
        *("5 MIO", "12 PCS", "3 STK", "5 MRD", "USB 3", "12 MHZ", "eur 5", "5EURO"),
    ],
)
def test_what_is_no_number_is_refused(quote: str) -> None:
    with pytest.raises(ValueError, match=r"number|groups"):
        read_number(quote)


@pytest.mark.parametrize(("group", "mark"), [(",", "."), (".", ","), (" ", ","), ("'", ".")])
def test_any_number_is_read_back_as_it_was_written(group: str, mark: str) -> None:
    rng = random.Random(f"{group}{mark}")
    for _ in range(300):
        number = Decimal(rng.randrange(10 ** rng.randint(1, 12))) / 100
        written = f"{number:,.2f}".translate(str.maketrans({",": group, ".": mark}))
        assert read_number(written, mark) == number
        assert read_number(written) == number  # two digits behind the mark leave nothing open


def test_decimal_says_what_the_form_leaves_open() -> None:
    assert read_number("1.299", ",") == 1299
    assert read_number("1,299", ",") == Decimal("1.299")
    with pytest.raises(ValueError, match="thousands"):
        read_number("1,29", ".")


def test_the_kinds_of_numbers() -> None:
    assert value_reader(int)("1,299.00") == 1299  # type: ignore[misc]
    assert isinstance(value_reader(float)("1,299.50"), float)  # type: ignore[misc]
    assert value_reader(Decimal)("0,10 €") == Decimal("0.10")  # type: ignore[misc]
    with pytest.raises(ValueError, match="no whole number"):
        value_reader(int)("12.5")  # type: ignore[misc]
    with pytest.raises(ValueError, match="no float holds"):
        value_reader(float)("9" * 400)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("as_", "quote", "value"),
    [
        *(
            (dt.date, quote, dt.date(2026, 5, 3))
            for quote in ("3 May 2026", "3. Mai 2026", "3 mai 2026", "May 3rd, 2026")
        ),
        (dt.date, "2026-05-03", dt.date(2026, 5, 3)),
        (dt.date, "13/05/2026", dt.date(2026, 5, 13)),
        (dt.datetime, "3 May 2026 at 18:30", dt.datetime(2026, 5, 3, 18, 30)),
        (dt.datetime, "2026-05-03T10:00:00Z", dt.datetime(2026, 5, 3, 10, tzinfo=dt.UTC)),
        (dt.datetime, "3 May 2026, 00:00", dt.datetime(2026, 5, 3)),
        (dt.date, "٣ مايو ٢٠٢٦", dt.date(2026, 5, 3)),
        (dt.time, "6:30 pm", dt.time(18, 30)),
    ],
)
def test_a_date_or_time_is_read(as_: Any, quote: str, value: Any) -> None:
    assert value_reader(as_)(quote) == value  # type: ignore[misc]


@pytest.mark.parametrize(
    ("as_", "quote", "reason"),
    [
        (dt.date, "soon", "is no date"),
        (dt.date, "yesterday", "is no date"),
        (dt.date, "May 2026", "does not state day, month and year"),
        (dt.date, "Tue 14 March", "does not state day, month and year"),
        (dt.date, "03/05/2026", "may be two dates; say which number is the day"),
        (dt.date, "3 May 2026 at 18:30", "states a time"),
        (dt.datetime, "6:30 pm", "does not state day, month and year"),
        (dt.datetime, "3 May 2026", "states no time of the day"),
        (dt.date, "31/12/99", "does not state of which century its year is"),
        (dt.date, "3 May '26", "does not state of which century its year is"),
        (dt.time, "3 May 2026", "states a date"),
        (dt.time, "later", "no time of the day"),
    ],
)
def test_what_a_date_leaves_open_is_refused(as_: Any, quote: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        value_reader(as_)(quote)  # type: ignore[misc]


def test_day_first_says_which_number_is_the_day() -> None:
    assert value_reader(dt.date, day_first=True)("03/05/2026") == dt.date(2026, 5, 3)  # type: ignore[misc]
    assert value_reader(dt.date, day_first=False)("03/05/2026") == dt.date(2026, 3, 5)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"as_": 5}, "as_ is a type or a function"),
        ({"as_": int, "decimal": ";"}, "decimal is"),
        ({"decimal": ","}, "decimal is"),
        ({"as_": dt.date, "decimal": ","}, "decimal is"),
        ({"as_": float, "day_first": True}, "day_first is"),
        ({"as_": dt.date, "day_first": 1}, "day_first is"),
        ({"boundaries": "lines"}, "boundaries is 'words' or 'any'"),
        ({"source": ""}, "source is the name of a text"),
        ({"case": "fold"}, "leave 'case' out"),
    ],
)
def test_options_that_nothing_would_read_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises((InvalidInputError, ValueError), match=reason):
        Quote(**options)


def test_the_former_default_of_case_is_taken_and_options_are_named() -> None:
    assert Quote("mail", case="sensitive").keyword == "mail"
    with pytest.raises(TypeError, match="positional"):
        Quote("mail", "any")  # type: ignore[misc]


@pytest.mark.parametrize(
    ("quote", "day_first"), [("13/05/2026", False), ("05/13/2026", True), ("2026-13-01", None), ("2026/13/05", True)]
)
def test_a_date_is_not_read_the_other_way_round(quote: str, day_first: bool | None) -> None:
    read = value_reader(dt.date, day_first=day_first)
    assert read is not None
    with pytest.raises(ValueError, match="is no date in the order"):
        read(quote)
