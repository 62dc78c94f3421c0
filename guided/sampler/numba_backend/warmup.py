"""`warmup`: compile the kernels before the first request, or load what was compiled.

Kernels are compiled for float32 and float64 each. `python -m guided.sampler.numba_backend.warmup` does it once for an
installation.
"""

from __future__ import annotations

import numpy as np
import torch

from guided.grammars.kernels import require_kept

from . import functions
from .backend import choose_tokens
from .penalties import penalise_rows

_NUM_COLUMNS = 64


def warmup() -> None:
    """Run every kernel on a few rows. About 0.7 s with compiled kernels on disk, 25 s without."""
    for dtype in (torch.float32, torch.float64):
        rows = torch.linspace(-1.0, 1.0, 2 * _NUM_COLUMNS, dtype=dtype).reshape(2, _NUM_COLUMNS)
        words = np.full((2, _NUM_COLUMNS // 32), -1, dtype=np.int32)
        ones, zeros = np.ones(2, np.float32), np.zeros(2, np.float32)
        streams = (np.zeros(2, np.int64), np.zeros(2, np.int64))
        for bitmask in (None, words):
            columns = (ones, np.full(2, 4, np.int32), ones / 2, zeros, *streams)
            choose_tokens(rows, bitmask, *columns, np.array([True, False]), np.array([False, True]))
        ids, floats = np.zeros((2, 1), np.int64), (ones, zeros, zeros)
        penalise_rows(rows.numpy().copy(), ids, np.ones((2, 1), np.int32), np.ones(2, np.int64), *floats)
        probs, top_ks, shares = rows.exp(), torch.full((2,), 4, dtype=torch.int32), torch.full((2,), 0.5)
        functions.top_k_renorm(probs, top_ks)
        functions.top_p_renorm(probs, shares)
        functions.top_k_mask(rows, top_ks)
        seeds = torch.zeros(2, dtype=torch.int64)
        functions.draw_from_probs(probs, top_ks, shares, shares, True, seeds, seeds)


if __name__ == "__main__":
    warmup()
    require_kept()
