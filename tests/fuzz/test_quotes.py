"""A few seconds of the fuzzer of quotes, and whether it would find a fault."""

from __future__ import annotations

import pytest

from guided.grammars.quotes import SourceText

from . import quotes
from .command import fuzz, of_schemas


def test_random_quotes() -> None:
    assert fuzz(of_schemas(quotes.make, quotes.find), seed=13, cases=50, seconds=20) == []


def test_it_finds_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    places = SourceText.places
    monkeypatch.setattr(SourceText, "places", lambda text, quote: [] if quote == "a" else places(text, quote))
    assert fuzz(of_schemas(quotes.make, quotes.find), seed=13, cases=15)
