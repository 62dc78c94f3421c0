"""A few seconds of every fuzzer of this folder."""

from __future__ import annotations

from . import objects
from .command import fuzz


def test_objects() -> None:
    assert fuzz(objects.make, objects.find, seed=13, schemas=40) == []
