"""A few seconds of the fuzzer of documents in rules."""

from __future__ import annotations

from . import documents
from .command import fuzz


def test_random_documents_in_rules() -> None:
    assert fuzz(documents.look, seed=5, cases=60, seconds=6) == []
