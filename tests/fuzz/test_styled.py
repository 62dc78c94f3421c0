"""A few seconds of the fuzzer of objects in styles."""

from __future__ import annotations

from . import styled
from .command import fuzz


def test_random_objects_in_styles() -> None:
    assert fuzz(styled.look, seed=21, cases=6, seconds=10) == []
