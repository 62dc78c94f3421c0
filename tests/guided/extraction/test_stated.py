"""Numbers and dates that a text states, and schemas that are held to them."""

from __future__ import annotations

import datetime as dt
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from guided import LLM
from guided.errors import MissingQuoteError
from guided.extraction.extraction import ExtractionTarget
from guided.extraction.quote_marks import with_quotes
from guided.extraction.stated import begins_with, stated_in
from guided.extraction.stated_marks import has_stated, restricted_to
from guided.grammars.cache import PROCESS_CACHE
from guided.grammars.document_validator import validator_of
from guided.output.completion import Completion

NUMBER = {"type": "number"}
INTEGER = {"type": "integer"}
TIME = {"type": "string", "format": "date-time"}


class Invoice(BaseModel):
    number: str
    date: dt.date | None
    total: float
    days: int | None
    items: list[int]


TEXT = "Invoice HO-2291 of 11 Feb 2026: 1.254,40 EUR in three parts."


@pytest.fixture(scope="module")
def llm() -> Iterator[LLM]:
    with LLM() as llm:
        yield llm


@pytest.mark.parametrize(
    ("text", "stated", "not_stated"),
    [
        ("Total 1.254,40 EUR", [1254.4], [1.254, 1, 254, 40, 254.4, 125440, 12544]),
        ("was EUR 12,480.00, and $1,250.50", [12480, 1250.5], [12.48, 12, 480, 0, 1.25]),
        ("CHF 1'250.50 or 1,234.56 million", [1250.5, 1234560000], [1, 250, 1.234]),
        ("bolts,12,480.00\n12,480.00", [12, 480, 12480], [12.48]),
        ("3 120,00 and 1.254,4", [3, 120, 3120, 1.254, 1254.4], [3120.4]),
        ("10 000 km, 1'299.50 CHF, 1,299", [10000, 1299.5, 1299, 1.299], [10299]),
        ("-5 °C, (12.50), 7-", [-5, 5, -12.5, -7], [-1]),
        ("10-12 people in 2026-03-05", [10, 12, 2026, 3], [-12, -3, -2026]),
        ("12 % of $2.5k and 1,5 million", [0.12, 12, 2500, 1500000], [120]),
        ("a dozen, forty-two, three hundred, 2½ cups, 1/2", [12, 42, 300, 2.5, 0.5], [40.5]),
        ("zwei Lampen, tre stoler, une table, dos sillas", [2, 3, 1], [5]),
        ("HO-2291 ٣٤٥", [2291, 345], [22]),
        ("9" * 5000, [], [9]),
    ],
)
def test_numbers(text: str, stated: list[float], not_stated: list[float]) -> None:
    numbers = stated_in(text).numbers
    assert numbers.issuperset(stated)
    assert numbers.isdisjoint(not_stated)


@pytest.mark.parametrize(
    ("text", "stated", "not_stated"),
    [
        ("on 11. Februar 2026", ["2026-02-11"], ["2025-02-11", "2026-03-11", "2026-02-12"]),
        ("Of 11 February 2026: 3 lamps at 19.99, 5 % off", ["2026-02-11"], ["2026-02-19", "2026-02-03", "2026-02-05"]),
        ("03/05/26", ["2026-03-05", "2026-05-03", "1926-05-03"], ["2026-04-03"]),
        ("due 25.02.2026 at 10:31", ["2026-02-25"], ["1925-02-25", "4555-02-25", "2026-02-10"]),
        ("20260305T1031", ["2026-03-05"], ["2026-10-05"]),
        (
            "05-Mar-26, 5/May/2027:10:31, ISO 2026-12-01T09:12:11Z",
            ["2026-03-05", "2027-05-05", "2026-12-01"],
            ["2026-12-09"],
        ),
        ("May 3rd and 4th, 2026, or 7-9 June", ["2026-05-03", "2026-05-04", "2026-06-09"], ["2026-05-07"]),
        ("Sent on 3 May, in 2026", ["2026-05-03"], ["2026-06-03"]),
        ("From 3 May 2026 to the 9th", ["2026-05-03", "2026-05-09"], ["2026-05-08", "2026-06-09"]),
        ("5 May 2026. The first of June is free in 2027.", ["2026-05-05", "2027-06-01"], ["2028-06-01"]),
        ("in 2026, 5 खमै", ["2026-07-05"], ["2026-07-06"]),  # a month that is not known may be any
        ("3 de mayo de 2026", ["2026-05-03"], ["2026-06-03"]),
        ("Invoice 2026/0417 of 3 November 2026, payable within 14 days", ["2026-11-03"], ["2026-11-14"]),
        ("Sampled 02.11.2026 07:45, leucocytes 6.8 G/l", ["2026-11-02", "2026-02-11"], ["2026-08-06", "2026-06-08"]),
        ("6.8., 06.09 or 7/9 of 2026", ["2026-08-06", "2026-09-06", "2026-09-07"], ["2026-10-08"]),
        ("3 May, season 2026/27 or 2027-2028", ["2026-05-03", "2027-05-03"], ["2028-05-03", "2026-05-27"]),
        ("Room 12, 3 May", [], ["2026-05-03"]),
    ],
)
def test_dates(text: str, stated: list[str], not_stated: list[str]) -> None:
    found = stated_in(text).dates
    assert (found is None) == (not stated)
    validator = validator_of({"pattern": found or "(?!)"})
    for date in stated:
        assert validator.is_valid(date), date
    for date in not_stated:
        assert not validator.is_valid(date), date


@pytest.mark.parametrize(
    ("text", "stated", "not_stated"),
    [
        ("at 09:12:11 +0100", ["09:12:11Z", "09:12:11+01:00"], ["09:12:11-00:12", "09:12:12Z", "21:12:11Z"]),
        ("6:30 pm", ["18:30:00Z"], ["06:30:00Z"]),
        ("2026-03-04T6:30", ["06:30:00Z", "18:30:00Z"], ["03:04:00Z"]),
        ("from 3 p.m. to midnight, 18 Uhr, 7h30", ["15:00:00Z", "00:00:00Z", "18:00:00Z", "07:30:00Z"], ["03:00:00Z"]),
        ("12 am, 25:10, 3:4, 1.299", ["00:00:00Z"], ["12:00:00Z", "01:10:00Z"]),
        ("3 lamps of 2026", [], ["03:00:00Z"]),
    ],
)
def test_times(text: str, stated: list[str], not_stated: list[str]) -> None:
    found = stated_in(text).times
    assert (found is None) == (not stated)
    validator = validator_of({"pattern": f"^{found}$" if found else "(?!)"})
    for clock in stated:
        assert validator.is_valid(clock), clock
    for clock in not_stated:
        assert not validator.is_valid(clock), clock


def test_long_texts_of_digits_take_linear_time() -> None:
    start = time.process_time()
    for text in ("9" * 8_000, "1 " * 1_000, "1/" * 1_000, "'1" * 1_000, "abc 1" * 500, "1 and " * 500, "1:" * 1_000):
        stated_in(text)
    assert time.process_time() - start < 2.0


@pytest.mark.parametrize(
    ("schema", "text", "taken", "refused"),
    [
        (NUMBER, "3 for 12.50", [3, 12.5], [4, 0.5]),
        (INTEGER, "3 for 12.50", [3, 12], [12.5, 4]),
        ({**INTEGER, "minimum": 10, "multipleOf": 5}, "3, 15, 16", [15], [3, 16, 20]),
        (INTEGER, "none here, no", [0], [7]),
        (INTEGER, "nothing", [7], []),  # it must be there, and nothing can be read
        ({**INTEGER, "minimum": 100}, "3 lamps", [100, 555], [3]),
        ({"type": ["integer", "null"]}, "nothing", [None], [7]),
        ({"type": ["integer", "null"]}, "3", [None, 3], [7]),
        ({"anyOf": [INTEGER, {"type": "null"}]}, "nothing", [None], [7]),
        ({"type": "array", "items": NUMBER}, "nothing", [[]], [[1]]),
        ({"type": "array", "items": NUMBER, "minItems": 1}, "nothing", [[1]], []),
        ({"type": "object", "properties": {"a": NUMBER}}, "nothing", [{}], [{"a": 1}]),
        ({"type": "object", "properties": {"a": NUMBER}, "required": ["a"]}, "nothing", [{"a": 1}], [{}]),
        ({**INTEGER, "minimum": 1, "maximum": 5}, "300 stars", [1, 4], [6]),  # a scale
        ({"enum": [4, 5]}, "300", [4, 5], [300]),
        ({"type": "string", "format": "date"}, "3 May 2026", ["2026-05-03"], ["2027-05-03", "x"]),
        ({"type": "string", "format": "date"}, "tomorrow", ["2027-05-03"], ["x"]),
        ({"type": ["string", "null"], "format": "date"}, "tomorrow", [None], ["2027-05-03"]),
        (TIME, "3 May 2026, 9:05", ["2026-05-03T09:05:00Z"], ["2026-05-03T10:05:00Z", "2027-05-03T09:05:00Z"]),
        (TIME, "3 May 2026", ["2026-05-03T10:05:00Z"], ["2027-05-03T09:05:00Z"]),
        ({**TIME, "type": ["string", "null"]}, "3 May 2026", [None], ["2026-05-03T10:05:00Z"]),
        ({"$defs": {"n": NUMBER}, "$ref": "#/$defs/n"}, "3", [3], [4]),
        ({"not": NUMBER}, "3", ["3"], [4, 3]),
        (NUMBER, "3 and 823456789012345678.25", [4, 9.5], []),  # a float would round it
        (INTEGER, "3 and 823456789012345678.25", [3, 823456789012345678], [4, 9.5]),
    ],
)
def test_a_schema_is_held_to_a_text(schema: Any, text: str, taken: list[Any], refused: list[Any]) -> None:
    before = json.dumps(schema)
    held = restricted_to(with_quotes(schema, True), stated_in(text))
    assert not has_stated(held)
    assert json.dumps(schema) == before
    assert not has_stated(with_quotes(schema, "strings"))
    target: ExtractionTarget[Any] = ExtractionTarget(schema, quotes=True)
    validator = validator_of(held)
    for value in (*taken, *refused):
        assert validator.is_valid(value) == (value in taken), value
        completion = Completion(json.dumps(value), (), "stop", None, 0, 0, 0.0)
        found = target.read(completion, {"text": text})  # it knows no grammar
        assert found.is_valid == (value in taken), value


def test_what_is_not_stated_is_told() -> None:
    target = ExtractionTarget(Invoice, quotes=True)
    data = {"number": "HO-2291", "date": "4555-02-11", "total": 9.5, "days": None, "items": [3]}
    completion = Completion(json.dumps(data), (), "stop", None, 0, 0, 0.0)
    error = target.read(completion, {"text": TEXT}).error
    assert isinstance(error, MissingQuoteError)
    assert "/date: '4555-02-11' is no date that the text states" in str(error)
    assert "/total: 9.5 is no number that the text states" in str(error)


@pytest.mark.parametrize(
    ("schema_type", "taken", "refused"),
    [(int | str, [1254, "HO"], [7, "XX"]), (float | dt.date | None, [1254.4, "2026-02-11"], ["2026-02-12"])],
)
def test_unions_of_numbers_and_strings(schema_type: Any, taken: list[Any], refused: list[Any]) -> None:
    target: ExtractionTarget[Any] = ExtractionTarget(schema_type, quotes=True)
    for value in taken + refused:
        completion = Completion(json.dumps(value), (), "stop", None, 0, 0, 0.0)
        extraction = target.read(completion, {"text": "HO-2291 of 11 Feb 2026: 1254 parts, 1254.40 EUR"})
        assert extraction.is_valid == (value in taken), extraction.error


def test_numbers_and_dates_are_held_while_they_are_written(llm: LLM) -> None:
    texts = [TEXT, "Invoice A-1, nothing else."]
    first, second = llm.extract(texts, Invoice, quotes=True)
    assert (first.number, first.total, first.date) == ("HO-2291", 1254.4, dt.date(2026, 2, 11))
    assert (second.date, second.number) == (None, "A-1")
    free = llm.extract(TEXT, Invoice, quotes="strings")
    assert free.date is None or free.date.year != 2026, "the model in the package knows no ISO dates"
    assert llm.extract("Ada is 36.", {"type": "integer"}, quotes=True) == 36
    read = llm.extract_document(f"{TEXT}\n\n{texts[1]}", Invoice, quotes=True)
    assert read.is_valid
    assert read.value == first


@pytest.mark.parametrize("seed", range(3))
def test_what_is_written_in_a_text_is_stated(seed: int) -> None:
    rng = random.Random(f"stated:{seed}")
    forms = ["%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d-%b-%y", "%d/%m/%y", "%b %d %Y", "%Y%m%d"]
    frames = ["On {} at 09:12:11.", "{}", "HO-2291 of {}, 12.50 EUR", "due: {}.", "({}) 3 lamps at 19.99", "{} - {}"]
    for _ in range(100):
        date = dt.date(rng.randint(1950, 2035), rng.randint(1, 12), rng.randint(1, 28))
        text = rng.choice(frames).replace("{}", date.strftime(rng.choice(forms)))
        assert begins_with(stated_in(text).dates or "(?!)", date.isoformat()), text
        number = rng.choice([rng.randint(0, 99), rng.randint(1000, 10**7), round(rng.uniform(0, 1e5), 2)])
        grouped = f"{number:,}"
        swapped = grouped.translate(str.maketrans(".,", rng.choice([",.", ",'", ", "])))
        text = rng.choice(frames).replace("{}", rng.choice([str(number), grouped, swapped, f"-{number}"]))
        assert stated_in(text).numbers & {number, -number}, text


def test_nothing_of_a_text_is_kept(llm: LLM) -> None:
    """Neither the grammar with the numbers of a text, nor their spelling, is in a cache of the process."""

    class Bill(BaseModel):
        amount: float
        paid: dt.date

    extractor = llm.extractor(Bill, quotes=True)
    extractor.extract_one("Bill of 2026-01-02: 17.5 EUR")
    speller: Any = llm.engine._speller  # type: ignore[attr-defined]
    before = list(PROCESS_CACHE._kept), speller.spell.cache_info()
    found = extractor.extract_one("Bill of 2026-03-05: 4711.25 EUR")
    assert found.data["amount"] == 4711.25
    assert (list(PROCESS_CACHE._kept), speller.spell.cache_info()) == before
    assert not any("4711" in repr(key) for key in PROCESS_CACHE._kept)


def test_many_years_and_days_make_a_short_pattern() -> None:
    days = "; ".join(f"{day} {month}" for month in ("January", "May") for day in range(1, 29))
    text = f"In {' and '.join(map(str, range(1900, 2026)))}: {days}"
    found = stated_in(text).dates
    assert found is not None
    assert len(found) < 2_000
    assert begins_with(found, "1999-05-28")
    assert not begins_with(found, "1999-05-29")
