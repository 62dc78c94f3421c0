"""`NumbaPass`: a packed forward on the CPU, where rows of one token read the pages in place."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch

from ....kernels.rows import run_rows
from .attention import AttentionOptions
from .kernels import attend_rows
from .torch_attention import TorchPass

SHORT_TOKENS, MAX_SHORT_TOKENS = 4, 16  # of a chunk whose tokens attend like single ones, and of all of these


class NumbaPass(TorchPass):
    """As `TorchPass`; single tokens attend in place, in as many threads as torch uses; so do few short chunks.

    PERF: with 500 tokens before them, steps of 32 rows take 37 ms as here and 38-39 on copies, with 200 19 and 23. Two
    tokens a row take the same in both; four took 68 ms in place and 54 on copies, eight 106 and 72. One row with 400
    before it: two tokens 9.5 ms in place and 10.6 on copies, three 10.7 and 11.8, four 11.5 and 11.9, eight 13.6 and
    13.3.
    """

    def _attend(self, layer: int, query: torch.Tensor, options: AttentionOptions, output: torch.Tensor) -> None:
        """See `TorchPass._attend`."""
        plan, storage = self._plan, self._storage
        num_chunks, page_starts, lengths = plan.in_place(SHORT_TOKENS, MAX_SHORT_TOKENS)
        n = len(lengths)
        self._attend_groups(num_chunks, layer, query, options, output)
        if n == 0:
            return
        attend = partial(
            attend_rows,
            query[:, :n].transpose(0, 1).contiguous().numpy(),
            storage.layer_arrays[layer][0],
            storage.layer_arrays[layer][1],
            plan.page_list,
            page_starts,
            lengths,
            options.window or 0,
            np.float32(options.scaling),
            np.float32(options.softcap or 0.0),
            output[:n].numpy(),
        )
        floats_per_position = storage.layout.num_kv_heads * (storage.layout.key_dim + storage.layout.value_dim)
        run_rows(attend, n, floats_per_position * int(lengths.sum()) // n)
