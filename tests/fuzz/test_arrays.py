"""A few seconds of the fuzzer of arrays, and what it found before."""

from __future__ import annotations

import random
from typing import Any

import pytest

from . import arrays
from .command import fuzz, of_schemas

FOUND: list[dict[str, Any]] = [
    {"prefixItems": [{}, {"const": 0}, False], "anyOf": [{"not": {"uniqueItems": True}}]},
    {"not": {"uniqueItems": True}, "maxItems": 2, "items": {"enum": [{"b": 2, "a": [1]}, 1]}},
    {"contains": {"type": "array", "minItems": 2, "uniqueItems": True}},
    {"contains": True, "maxContains": 2, "not": {"uniqueItems": True}},
]


def test_random_arrays() -> None:
    assert fuzz(of_schemas(arrays.make, arrays.find), seed=13, cases=60, seconds=10) == []


@pytest.mark.parametrize("schema", FOUND)
def test_found(schema: dict[str, Any]) -> None:
    for seed in range(3):
        assert arrays.find({"type": "array", **schema}, random.Random(seed)) is None
