"""A few seconds of the fuzzer of terminals of quotes, and whether it would find a fault."""

from __future__ import annotations

import pytest

from guided.grammars.quotes import SourceText

from . import quote_terminals
from .command import fuzz, of_schemas

LOOK = of_schemas(quote_terminals.make, quote_terminals.find)


def test_random_terminals() -> None:
    assert fuzz(LOOK, seed=5, cases=120, seconds=20) == []


def test_it_finds_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    places = SourceText.places
    monkeypatch.setattr(SourceText, "places", lambda text, quote: [] if quote == "a" else places(text, quote))
    assert fuzz(LOOK, seed=5, cases=60)
