"""smollm2-extract, the adapter in the package: two texts with quotes, and the calibrated confidence of their fields."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from guided.llm import LLM
from guided.models.known import fetched_file


class Person(BaseModel):
    name: str
    age: int | None
    city: str | None
    phone: str | None


class Bill(BaseModel):
    number: str | None
    seller: str | None
    total: float | None
    due: dt.date | None


BILL = "Invoice HO-2291 from Brandt & Sons. To pay by 11 February 2026: 1,254.40 EUR."


@pytest.fixture(scope="module")
def extractor() -> Iterator[LLM]:
    """The model with the adapter merged into its weights, which the first use writes into the cache."""
    if not fetched_file("smollm2-extract").is_file():
        pytest.skip("smollm2-extract is not in the cache: guided model smollm2-extract")
    with LLM("smollm2-extract") as llm:
        yield llm


def test_two_texts_are_read(extractor: LLM) -> None:
    text = "Ada Hölm-Ågren is 36 and lives in Gdańsk."
    found = extractor.extract_detailed(text, Person, quotes=True)
    assert found.value == Person(name="Ada Hölm-Ågren", age=36, city="Gdańsk", phone=None)
    assert found.spans == {"/name": [(0, 14)], "/city": [(34, 40)]}
    bill = extractor.extract(BILL, Bill, quotes=True)
    assert bill == Bill(number="HO-2291", seller="Brandt & Sons", total=1254.4, due=dt.date(2026, 2, 11))


def test_confidence_is_calibrated(extractor: LLM) -> None:
    """Also that of a field which the text does not give."""
    confidence = extractor.extract_detailed(BILL, Bill, quotes=True, confidence=True).confidence
    assert confidence is not None
    fields = [confidence[f"/{name}"] for name in Bill.model_fields]
    assert all(0 < one.calibrated < 1 and one.calibrated != one.raw for one in fields)
    assert all(one.best == one.calibrated for one in fields)
