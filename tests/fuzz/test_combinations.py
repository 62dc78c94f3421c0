"""A few seconds of the fuzzer of combined grammars, and that it sees faults."""

from __future__ import annotations

import random

import pytest

from guided.grammars.protocol import Matcher
from guided.grammars.vocabulary import Vocabulary

from . import combinations
from .command import fuzz
from .walks import VOCABULARY, allowed


@pytest.fixture(autouse=True)
def bytes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """One vocabulary, so that no model's is loaded."""
    monkeypatch.setattr(combinations, "vocabularies", lambda: (VOCABULARY,) * 3)


def test_random_combinations() -> None:
    assert fuzz(combinations.look, seed=15, cases=6, seconds=4) == []


def test_wrong_masks_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_some(matcher: Matcher, vocabulary: Vocabulary) -> list[int]:
        return [one for one in allowed(matcher, vocabulary) if one % 3]

    monkeypatch.setattr(combinations, "allowed", without_some)
    faults = fuzz(combinations.look, seed=15, cases=3)
    assert faults
    assert all("wrong mask" in fault for fault in faults)


def test_texts_with_tags_are_read() -> None:
    def is_one(text: str) -> bool:
        return text == "1"

    found = list(combinations._regions("x <f=a> 1</f><f=b>2</f>", {"<f=a>": is_one, "<f=b>": is_one}))
    assert found == ["x ", True, "", False, ""]
    grammars = [combinations.make(random.Random(seed)) for seed in range(20)]
    assert {kind for grammar in grammars for kind in grammar.options} >= {"all_of", "structural_tag", "json_schema"}
