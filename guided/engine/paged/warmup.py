"""`warmup`: compile the attention kernels of pages before the first request, or load what was compiled."""

from __future__ import annotations

import numpy as np

from guided.grammars.kernels import require_kept

from .kernels import attend_rows


def warmup() -> None:
    """One token attends to itself."""
    query, output = np.ones((1, 2, 4), dtype=np.float32), np.empty((1, 2, 4), dtype=np.float32)
    page = np.ones((1, 1, 1, 4), dtype=np.float32)
    table, row, length = np.zeros((1, 1), dtype=np.int64), np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    attend_rows(query, page, page, table, row, length, 0, np.float32(1.0), np.float32(0.0), output, 0, 1)


if __name__ == "__main__":
    warmup()
    require_kept()
