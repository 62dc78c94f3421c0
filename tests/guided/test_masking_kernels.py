"""Bitmasks and greedy tokens for samplers of other engines: kernels beside torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from guided.sampler.numba_backend.scan import argmax_rows, mask_rows


def _words(allowed: np.ndarray) -> np.ndarray:
    """uint32 (B, W) of bool (B, V), V a multiple of 32."""
    return np.packbits(allowed, axis=1, bitorder="little").view(np.uint32)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("step", [1, 3])
def test_greedy_tokens_are_those_of_masked_logits(share: float, step: int) -> None:
    rng = np.random.default_rng(int(share * 100))
    allowed = rng.random((7, 160)) < share
    logits = rng.integers(-3, 3, (7, 150)).astype(np.float32)  # many are equal: the first one counts
    logits[1, 3:9] = -np.inf
    logits[2, :] = -np.inf
    found = np.full(7, -5, np.int64)
    for first in range(step):
        argmax_rows(logits, _words(allowed), found, first, step)
    masked = torch.from_numpy(np.where(allowed[:, :150], logits, -np.inf))
    has_any = torch.isfinite(masked).any(dim=1).numpy()
    expected = np.array([int(torch.nonzero(row == row.max())[0, 0]) for row in masked])
    assert found[has_any].tolist() == expected[has_any].tolist()
    assert (found[~has_any] == -1).all()


def test_infinite_and_undefined_logits() -> None:
    """As in the reference sampler: +inf is the highest number, NaN the lowest."""
    logits = np.array([[np.nan, 1.0, np.inf, 2.0]], np.float32)
    found = np.zeros(1, np.int64)
    for bits, expected in ((0b1111, 2), (0b1011, 3), (0b0001, 0)):
        argmax_rows(logits, np.array([[bits]], np.uint32), found, 0, 1)
        assert found.tolist() == [expected]


def test_rows_that_are_not_asked_for_stay() -> None:
    rng = np.random.default_rng(5)
    allowed = rng.random((4, 96)) < 0.4
    logits = rng.normal(size=(4, 100)).astype(np.float32)
    found = logits.copy()
    mask_rows(found.view(np.uint32), _words(allowed), np.array([2, 0], np.int64), 90, 0, 1)
    expected = logits.copy()
    for row in (0, 2):
        expected[row, :90][~allowed[row, :90]] = -np.inf
    np.testing.assert_array_equal(found, expected)
