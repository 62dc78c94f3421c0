"""A few seconds of the fuzzer of masks, and what it found before."""

from __future__ import annotations

import random
from typing import Any

import pytest

from . import masks
from .command import fuzz, of_schemas

FOUND: list[dict[str, Any]] = [
    {
        "type": "array",
        "uniqueItems": True,
        "items": {"type": "array", "items": {"type": "integer"}, "not": {"uniqueItems": True}},
    },
    {  # the values of its items hold others of theirs
        "type": "array",
        "uniqueItems": True,
        "items": {
            "type": "array",
            "items": {"type": "integer"},
            "prefixItems": [{"$ref": "#"}],
            "not": {"uniqueItems": True},
        },
    },
]


def test_random_masks() -> None:
    assert fuzz(of_schemas(masks.make, masks.find), seed=13, cases=40, seconds=5) == []


@pytest.mark.parametrize("schema", FOUND)
def test_found(schema: dict[str, Any]) -> None:
    for seed in range(3):
        assert masks.find(schema, random.Random(seed)) is None
