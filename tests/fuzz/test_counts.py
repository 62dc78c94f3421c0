"""A few seconds of the fuzzer of long counts, and that it sees faults."""

from __future__ import annotations

import pytest

from guided.grammars.regex import algebra as lang
from guided.grammars.regex.algebra import Language

from . import counts
from .command import fuzz, of_schemas


def test_random_counts() -> None:
    assert fuzz(of_schemas(counts.make, counts.find), seed=3, cases=12, seconds=6) == []


def test_faults_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(language: Language, text: str) -> Language:
        return lang.NOTHING if text == "aa" else right(language, text)

    right = counts._after
    monkeypatch.setattr(counts, "_after", wrong)
    assert any("wrong mask" in fault for fault in fuzz(of_schemas(counts.make, counts.find), seed=3, cases=12))
