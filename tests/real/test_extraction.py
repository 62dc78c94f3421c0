"""Extraction with SmolLM2: quotes with their places, and a long document."""

from __future__ import annotations

import datetime as dt
import random

from pydantic import BaseModel

from guided.requests.observer import CompileRecord, EngineObserver

from .conftest import RealModel


class Person(BaseModel):
    name: str
    age: int | None
    city: str | None


class Bill(BaseModel):
    number: str | None
    total: float | None
    date: dt.date | None


class CountedCompiles(EngineObserver):
    """count: number of compiled grammars."""

    def __init__(self) -> None:
        self.count = 0

    def on_compile(self, record: CompileRecord) -> None:
        self.count += 1


def test_quotes_and_places(smollm2: RealModel) -> None:
    """A name that the model has never seen."""
    text = "Ada Hölm-Ågren is 36 and lives in Gdańsk."
    found = smollm2.llm.extract_detailed(text, Person, quotes=True, confidence=True)
    assert found.value == Person(name="Ada Hölm-Ågren", age=36, city="Gdańsk")
    assert found.spans == {"/name": [(0, 14)], "/city": [(34, 40)]}
    assert found.confidence is not None
    assert found.confidence.keys() >= {"/name", "/age", "/city"}


def test_nothing_is_invented(smollm2: RealModel) -> None:
    texts = {
        "Bill HO-2291 of 11 February 2026. To pay: 1.254,40 EUR.": (1254.4, 1254, 1.254, 40, 2291, 11, 2026),
        "See you soon!": (),
        "Pay 12 now, please.": (12,),
    }
    each = smollm2.llm.extract_each(list(texts), Bill, quotes=True)
    for (text, stated), found in zip(texts.items(), each, strict=True):
        assert found.error is None
        for quote in found.places.values():
            assert all(text[begin:end] == quote.quote for begin, end in quote.spans)
        assert found.data["total"] in (None, *stated)
        assert "February" in text or found.data["date"] is None


def test_a_document_of_30_kilobytes(smollm2: RealModel) -> None:
    """It is read in pieces; places are those of the whole text."""
    sentence = "the committee of our town met again and agreed to look into the old bridge at its next meeting"
    words = sentence.split()
    draw = random.Random(1)
    lines = [" ".join(draw.sample(words, 13)).capitalize() + ".\n" for _ in range(470)]
    lines.insert(200, "The bill has the number HO-2291, and its total is 1254 EUR.\n")
    text = "".join(lines)
    assert len(text) > 30_000
    compiled = CountedCompiles()
    smollm2.llm.add_observer(compiled)
    found = smollm2.llm.extract_document(text, Bill, quotes=True, allow_cut=True)
    assert found.error is None
    assert 3 < found.num_pieces <= 6
    assert compiled.count == found.attempts == found.num_pieces, "each piece is compiled and read once"
    assert found.completion.num_prompt_tokens < 10_000
    assert found.completion.num_tokens < 200, "no piece's answer runs on"
    assert found.places
    for quote in found.places.values():
        assert all(text[begin:end] == quote.quote for begin, end in quote.spans)
    assert found.data["date"] is None
