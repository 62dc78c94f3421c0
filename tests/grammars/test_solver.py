"""Equations that ask for ever new ones."""

from __future__ import annotations

import pytest

from guided.grammars.errors import LimitExceededError
from guided.grammars.solver import Evaluation, Solver
from guided.grammars.watch import Watch


def test_questions_without_end_stop_at_the_limit() -> None:
    """An array of 2^31 items asks for what comes after each of them."""

    def after(key: int) -> Evaluation[int, int]:
        return 1 + (yield key + 1)

    solver = Solver(after, 0, lambda value, other: value > other)
    with Watch("max_mask_seconds", 0.05), pytest.raises(LimitExceededError, match="max_mask_seconds"):
        solver(0)
