"""`NumbaPass`: a packed forward on the CPU in float32, where short chunks read the pages in place."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch

from ...sampler.numba_backend.threads import run_rows
from .attention import AttentionOptions, TorchPass
from .kernels import attend_rows


class NumbaPass(TorchPass):
    """As `TorchPass`; a token of a short chunk attends by itself, in as many threads as torch uses."""

    max_row_tokens = 8
    """PERF: chunks of 8 tokens after 100-500 others take the same time as rows and gathered for torch's attention; of 2
    tokens 5-15 % less as rows, of 32 tokens 10-25 % more (one core, four and eight heads of 64)."""

    def _attend_rows(self, layer: int, query: torch.Tensor, options: AttentionOptions, output: torch.Tensor) -> None:
        """See `TorchPass._attend_rows`."""
        rows, storage = self._plan.rows, self._storage
        attend = partial(
            attend_rows,
            query.transpose(0, 1).contiguous().numpy(),
            storage.layer_arrays[layer][0],
            storage.layer_arrays[layer][1],
            rows.tables,
            rows.rows,
            rows.lengths,
            options.window or 0,
            np.float32(options.scaling),
            np.float32(options.softcap or 0.0),
            output.numpy(),
        )
        floats_per_position = storage.layout.num_kv_heads * (storage.layout.key_dim + storage.layout.value_dim)
        run_rows(attend, len(rows), floats_per_position * rows.mean_length)
