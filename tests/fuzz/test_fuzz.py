"""A few seconds of every fuzzer of this folder."""

from __future__ import annotations

from . import formats, objects
from .command import fuzz


def test_objects() -> None:
    assert fuzz(objects.make, objects.find, seed=13, schemas=40) == []


def test_formats() -> None:
    assert fuzz(formats.make, formats.find, seed=13, schemas=30) == []
