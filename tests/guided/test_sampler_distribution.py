"""What each backend draws, counted: every filter's distribution, and no token that a mask rules out.

GUIDED_MASKED_DRAWS=10000000 draws so many masked tokens instead of a million.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from guided.grammars.bitset import pack_token_ids
from guided.params.sampling_params import SamplingParams
from guided.sampler import Sampler, SamplingBatch

from .sampler_backends import BACKENDS, device_of

NUM_DRAWS = 20_000
NUM_ROWS = 2_000  # at once; a batch of them is made once for each distribution, row by row
MASKED_DRAWS = int(os.environ.get("GUIDED_MASKED_DRAWS", "1000000"))
MAX_DEVIATIONS = 5.0  # of chi-square above its mean; a wrong distribution is hundreds away

FOUR = [0.4, 0.3, 0.2, 0.1]
ZIPF = [1 / rank for rank in range(1, 41)]


def draw(backend: str, logits: Sequence[float], params: SamplingParams, positions: range, **options: Any) -> list[int]:
    """How often each token is drawn at these positions of the request's random stream."""
    device, counts = device_of(backend), torch.zeros(len(logits), dtype=torch.int64)
    batch = SamplingBatch.from_params([params] * NUM_ROWS, len(logits), device)
    rows = torch.tensor(logits, device=device).repeat(NUM_ROWS, 1)
    if "allowed" in options:
        row = torch.from_numpy(pack_token_ids(options["allowed"], len(logits))).to(device)
        options = {"bitmask": row.repeat(NUM_ROWS, 1)}
    sampler = Sampler(backend)
    for start in range(positions.start, positions.stop, NUM_ROWS):
        batch.positions = torch.arange(start, start + NUM_ROWS, device=device)
        output = sampler.sample(rows, batch, **options)
        assert not output.no_allowed.any()
        counts += torch.bincount(output.token_ids.cpu(), minlength=len(logits))
    return counts.tolist()


def deviations(counts: list[int], weights: Sequence[float]) -> float:
    """Chi-square in standard deviations above its mean. Tokens of weight 0 must not occur."""
    total, mass = sum(counts), sum(weights)
    assert all(count == 0 for count, weight in zip(counts, weights, strict=True) if weight == 0)
    expected = [(count, total * weight / mass) for count, weight in zip(counts, weights, strict=True) if weight > 0]
    freedom = len(expected) - 1
    if freedom == 0:
        return 0.0
    return (sum((count - mean) ** 2 / mean for count, mean in expected) - freedom) / math.sqrt(2 * freedom)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("weights", "fields", "expected"),
    [
        (FOUR, {}, FOUR),  # A3.4: a token of probability 0.4 is drawn about 40 % of the time
        (ZIPF, {}, ZIPF),
        (FOUR, {"temperature": 0.5}, [16, 9, 4, 1]),  # A3.1: lower sharpens
        (FOUR, {"temperature": 2.0}, [math.sqrt(weight) for weight in FOUR]),  # A3.1: higher flattens
        (FOUR, {"top_k": 2}, [4, 3, 0, 0]),
        (ZIPF, {"top_k": 10}, ZIPF[:10] + [0] * 30),
        (FOUR, {"top_p": 0.85}, [4, 3, 2, 0]),
        (ZIPF, {"top_p": 0.5}, ZIPF[:5] + [0] * 35),  # 2.283 of 4.279; the first four are 2.083
        (FOUR, {"min_p": 0.5}, [4, 3, 2, 0]),
        (FOUR, {"top_k": 3, "top_p": 0.75}, [4, 3, 0, 0]),  # B7: renormalised after top-k, 7/9 reach 0.75
        (FOUR, {"top_k": 3, "top_p": 0.75, "filter_order": "joint"}, [4, 3, 2, 0]),  # B7
        (FOUR, {"top_k": 3, "top_p": 0.95, "min_p": 0.6, "temperature": 0.5}, [16, 0, 0, 0]),
        (FOUR, {"logit_bias": {3: math.log(4)}}, [0.4, 0.3, 0.2, 0.4]),
    ],
)
def test_draws_follow_the_distribution(
    backend: str, weights: list[float], fields: dict[str, Any], expected: list[float]
) -> None:
    counts = draw(backend, np.log(weights).tolist(), SamplingParams(seed=7, **fields), range(NUM_DRAWS))
    assert sum(counts) == NUM_DRAWS
    assert deviations(counts, expected) < MAX_DEVIATIONS


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_mask_renormalises_what_it_allows(backend: str) -> None:
    counts = draw(backend, np.log(FOUR).tolist(), SamplingParams(seed=8), range(NUM_DRAWS), allowed=[1, 3])
    assert deviations(counts, [0, 3, 0, 1]) < MAX_DEVIATIONS


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_no_masked_token_in_a_million_draws(backend: str) -> None:  # B5, B10
    """The masked tokens are the most probable ones, and biased upwards."""
    step, device = 20_000, device_of(backend)
    params = SamplingParams(seed=10, logit_bias={0: 100.0}, temperature=1.5)
    batch = SamplingBatch.from_params([params] * step, 4, device)
    bitmask = torch.from_numpy(pack_token_ids([1, 3], 4)).to(device).repeat(step, 1)
    logits = torch.tensor([50.0, 0.0, math.inf, -1.5], device=device).repeat(step, 1)
    sampler, counts = Sampler(backend), torch.zeros(4, dtype=torch.int64)
    for start in range(0, MASKED_DRAWS, step):
        batch.positions = torch.arange(start, start + step, device=device)
        output = sampler.sample(logits, batch, bitmask)
        assert not output.no_allowed.any()
        counts += torch.bincount(output.token_ids.cpu(), minlength=4)
    assert counts.sum() == MASKED_DRAWS
    assert counts[0] == counts[2] == 0
    assert deviations(counts.tolist(), [0, math.e, 0, 1]) < MAX_DEVIATIONS
