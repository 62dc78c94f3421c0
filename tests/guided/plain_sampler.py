"""Tokens and renormalised rows from the Numba kernels: the same whether they are compiled or run as plain Python.

`GUIDED_KERNELS=plain python -m tests.guided.plain_sampler` prints them.
"""

from __future__ import annotations

import json
import math

import numpy as np
import torch

from guided.params.sampling_params import SamplingParams
from guided.sampler import (
    SamplingBatch,
    min_p_sampling_from_probs,
    top_k_mask_logits,
    top_k_renorm_probs,
    top_k_top_p_sampling_from_probs,
    top_p_renorm_probs,
)
from guided.sampler.numba_backend import NumbaSampler

FIELDS = (
    {"temperature": 0.0},
    {"temperature": 0.7},
    {"top_p": 0.8},
    {"top_k": 7},
    {"top_k": 1500},
    {"top_k": 20, "top_p": 0.3, "filter_order": "joint"},
    {"min_p": 0.2, "top_k": 9, "top_p": 0.9},
)


def results() -> list[list[float]]:
    """A list for each step: tokens, or numbers to five places."""
    found: list[list[float]] = []
    rng = np.random.default_rng(3)
    params = [SamplingParams(seed=7 + row, **fields) for row, fields in enumerate(FIELDS)]  # type: ignore[arg-type]
    for vocab_size, dtype in ((45, torch.float32), (700, torch.float64), (1700, torch.float32)):
        logits = torch.from_numpy(rng.normal(size=(len(params), vocab_size)).round(2) * 2).to(dtype)
        logits[:, 3], logits[0, 5], logits[:, 6] = math.nan, math.inf, -math.inf
        batch = SamplingBatch.from_params(params, vocab_size)
        bits = rng.random((2, len(params), (vocab_size + 31) // 32 * 32)) < np.array([0.5, 0.03]).reshape(2, 1, 1)
        masks = np.packbits(bits, axis=2, bitorder="little").view(np.int32)
        found += [NumbaSampler().choose(logits, batch, mask).token_ids.tolist() for mask in (None, *masks)]
        probs = logits[:2].nan_to_num(nan=0.0, posinf=0.0).softmax(dim=1)
        found += top_k_renorm_probs(probs, 5).float().mul(1e5).round().tolist()
        found += top_p_renorm_probs(probs, 0.6).float().mul(1e5).round().tolist()
        found += top_k_mask_logits(logits[1:3], 4).nan_to_num(neginf=-1.0).tolist()
        found.append(top_k_top_p_sampling_from_probs(probs, 30, 0.7, seed=1, filter_apply_order="joint").tolist())
        found.append(min_p_sampling_from_probs(probs, 0.3, seed=2, position=9).tolist())
    return found


if __name__ == "__main__":
    with np.errstate(over="ignore"):  # of numpy's scalars; compiled numbers go to -inf or around without a word
        print(json.dumps(results()))
