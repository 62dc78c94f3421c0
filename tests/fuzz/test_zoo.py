"""The fuzzer of Python types, for a few seconds."""

from __future__ import annotations

import random

import pytest

from .zoo import documents, grammar_of, rejected
from .zoo_types import TYPES


def test_the_zoo_is_large() -> None:
    assert len(TYPES) >= 70


@pytest.mark.parametrize("name", TYPES)
def test_what_is_generated_for_a_type_validates_as_it(name: str) -> None:
    texts = documents(grammar_of(TYPES[name]), random.Random(name), 3)
    assert list(rejected(TYPES[name], texts)) == []
