"""A few seconds of every fuzzer of this folder."""

from __future__ import annotations

from . import formats, objects
from .command import fuzz, of_schemas


def test_objects() -> None:
    assert fuzz(of_schemas(objects.make, objects.find), seed=13, cases=24) == []


def test_formats() -> None:
    assert fuzz(of_schemas(formats.make, formats.find), seed=13, cases=30) == []
