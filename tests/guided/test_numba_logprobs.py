"""Log-probabilities of the Numba backend beside the reference, as compiled and as plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from guided.sampler import compute_logprobs_only, masked_mass
from guided.sampler import numba_backend as backend
from guided.sampler.filters import mask_logits
from guided.sampler.logprobs import LogprobsOutput
from guided.sampler.numba_backend.score import MOST_LISTED

SIZES = (1, 31, 32, 33, 255, 256, 257, 280, 2048, 3001)


@pytest.fixture(params=[True, False], ids=["compiled", "plain"])
def compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if not request.param:
        for name in ("score_rows", "sum_masked", "load_rows"):
            function = getattr(backend, name)
            monkeypatch.setattr(backend, name, getattr(function, "py_func", function))
    return bool(request.param)


def random_logits(rng: np.random.Generator, rows: int, columns: int, dtype: torch.dtype) -> torch.Tensor:
    """With ties, bans, NaN and infinities; a row of nothing but bans comes, too."""
    logits = torch.from_numpy(rng.normal(size=(rows, columns)) * rng.choice([0.1, 3.0, 40.0], size=(rows, 1))).to(dtype)
    for value in (-math.inf, math.nan, 0.5):
        places = rng.random((rows, columns)) < rng.choice([0.0, 0.1])
        logits[torch.from_numpy(places)] = value
    if rng.random() < 0.1:
        logits[0, 0] = math.inf
    if rng.random() < 0.2:
        logits[-1] = -math.inf
    return logits


def same(one: LogprobsOutput, other: LogprobsOutput) -> None:
    tolerances: dict[str, Any] = {"rtol": 1e-5, "atol": 2e-5, "equal_nan": True}
    for name in ("chosen", "top_logprobs", "given_logprobs", "masked_mass", "processed"):
        torch.testing.assert_close(getattr(one, name), getattr(other, name), **tolerances)
    assert torch.equal(one.ranks, other.ranks)
    assert torch.equal(one.given_ids, other.given_ids)
    for name in ("ranks", "top_ids", "given_ids", "processed_top_ids", "processed_top_logprobs"):
        assert getattr(one, name).dtype == getattr(other, name).dtype
        assert getattr(one, name).shape == getattr(other, name).shape


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("columns", SIZES)
def test_scores_are_the_reference_s(compiled: bool, columns: int, dtype: torch.dtype) -> None:
    rng = np.random.default_rng(columns)
    for num_top in {0, 1, min(7, columns), min(columns, MOST_LISTED)}:
        logits = random_logits(rng, 3, columns, dtype)
        before = logits.clone()
        token_ids = torch.from_numpy(rng.integers(-1, columns, size=3).astype(np.int32))
        given_ids = torch.from_numpy(rng.integers(-1, columns, size=(3, int(rng.integers(0, 4)))))
        got = backend.score_tokens(logits, token_ids, num_top, given_ids)
        same(got, compute_logprobs_only(logits, token_ids, num_top, given_ids))
        assert torch.equal(torch.nan_to_num(logits), torch.nan_to_num(before))
        harmless = torch.nan_to_num(logits.double(), nan=-1e300, posinf=1e300, neginf=-math.inf)
        for row in range(3):  # equal ones in the order of their ids
            order = sorted(range(columns), key=lambda token_id: (-float(harmless[row, token_id]), token_id))
            assert got.top_ids[row].tolist() == order[:num_top]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16], ids=str)
@pytest.mark.parametrize("columns", SIZES)
def test_masses_are_the_reference_s(compiled: bool, columns: int, dtype: torch.dtype) -> None:
    rng = np.random.default_rng(columns)
    num_words = (columns + 31) // 32
    for width in {num_words, max(1, num_words - 1)}:  # logits may be wider than the mask
        logits = random_logits(rng, 4, columns, dtype)
        logits[:, 0] = 1.0  # a row of bans alone has no mass at all
        bitmask = rng.integers(-(2**31), 2**31, size=(4, width)).astype(np.int32)
        bitmask[1], bitmask[2] = 0, -1
        for mask in (bitmask, torch.from_numpy(bitmask)):
            got, expected = backend.NumbaSampler().masked_mass(logits, mask), masked_mass(logits, bitmask)
            torch.testing.assert_close(got, expected, rtol=1e-5, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16], ids=str)
@pytest.mark.parametrize("columns", SIZES)
def test_masked_logits_are_the_reference_s(compiled: bool, columns: int, dtype: torch.dtype) -> None:
    rng = np.random.default_rng(columns)
    num_words = (columns + 31) // 32
    for width in {num_words, max(1, num_words - 1)}:
        logits = random_logits(rng, 4, columns, dtype)
        before = logits.clone()
        bitmask = rng.integers(-(2**31), 2**31, size=(4, width)).astype(np.int32)
        bitmask[1], bitmask[2] = 0, -1
        for mask in (bitmask, torch.from_numpy(bitmask), None):
            got, expected = backend.mask_logits_compiled(logits, mask), mask_logits(logits, mask)
            assert got.dtype == expected.dtype
            assert torch.equal(got, expected)
        assert torch.equal(torch.nan_to_num(logits), torch.nan_to_num(before))


def test_more_alternatives_than_are_listed_are_left_to_torch() -> None:
    logits = torch.randn(2, 300, generator=torch.Generator().manual_seed(0))
    token_ids, given = torch.tensor([3, 4], dtype=torch.int32), torch.zeros((2, 0), dtype=torch.int64)
    got = backend.NumbaSampler().gather_logprobs(logits, token_ids, 200, given)
    assert torch.equal(got.top_ids, compute_logprobs_only(logits, token_ids, 200, given).top_ids)


def test_rows_are_spread_over_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guided.kernels.rows._MIN_COLUMNS", 1)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    logits = torch.randn(7, 500, generator=torch.Generator().manual_seed(1))
    token_ids, given = torch.arange(7, dtype=torch.int32), torch.zeros((7, 0), dtype=torch.int64)
    same(backend.score_tokens(logits, token_ids, 5, given), compute_logprobs_only(logits, token_ids, 5, given))
