"""The fit of what steps cost: the kernel against the least squares that it stands for, solved by numpy."""

from __future__ import annotations

import random

import numpy as np
import pytest

from guided.engine.pace_kernel import (
    KEPT,
    KEPT_SURPRISED,
    MOST_OF_EXPECTED,
    NUM_PARTS,
    SIZE,
    STEADINESS,
    SURPRISE,
    fit_costs,
)


class Reference:
    """The same in numpy, step by step."""

    def __init__(self) -> None:
        self.costs = np.zeros(NUM_PARTS)
        self._products, self._targets = np.zeros((NUM_PARTS, NUM_PARTS)), np.zeros(NUM_PARTS)

    def note(self, parts: np.ndarray, seconds: float) -> None:
        expected, kept = float(parts @ self.costs), KEPT
        if expected > 0:
            seconds = min(seconds, MOST_OF_EXPECTED * expected)
            kept = KEPT_SURPRISED if abs(seconds - expected) >= SURPRISE * expected else KEPT
        self._products = kept * self._products + np.outer(parts, parts)
        self._targets = kept * self._targets + seconds * parts
        missing = self._targets - self._products @ self.costs
        self.costs = np.maximum(0.0, self.costs + np.linalg.solve(self._products + np.diag(STEADINESS), missing))


@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_fits_as_the_reference(seed: int) -> None:
    rng, state, reference = random.Random(seed), np.zeros(SIZE), Reference()
    for _ in range(300):
        counts = rng.randint(0, 64), rng.choice([0, 0, rng.randint(1, 500)]), rng.choice([0, 0, rng.randint(1, 90)])
        seconds = (5e-3 + 6e-4 * counts[0] + 1e-4 * counts[1] + 2e-4 * counts[2]) * rng.choice([1, 1, 1.5, 0.6, 9])
        fit_costs(state, *counts, seconds)
        reference.note(np.array([1.0, *counts]), seconds)
        np.testing.assert_allclose(state[:NUM_PARTS], reference.costs, rtol=1e-6, atol=1e-12)
