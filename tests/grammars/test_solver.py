"""Equations that ask for ever new ones."""

from __future__ import annotations

import time

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


def test_many_changes_take_time_in_proportion() -> None:
    """Many keys and one key ask for each other. Its value gets better at the end, so all others are evaluated again."""
    count = 100_000

    def evaluate(key: int) -> Evaluation[int, int]:
        if key < count:
            return 1 + (yield count)
        most = 0
        for other in range(count):
            most = max(most, (yield other))
        return min(most, 1)

    solver = Solver(evaluate, 0, lambda value, other: value > other)
    start_s = time.process_time()
    assert solver(count) == 1
    assert solver(0) == 2
    assert time.process_time() - start_s < 2.5
