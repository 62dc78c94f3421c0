"""`NumbaPass`: a packed forward on the CPU, where rows of one token read the pages in place."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch

from ....kernels.rows import run_rows
from .attention import AttentionOptions
from .kernels import attend_rows
from .torch_attention import TorchPass

SHORT_TOKENS, MAX_SHORT_TOKENS = 4, 16  # tokens of one short chunk, and of all short chunks


class NumbaPass(TorchPass):
    """Like `TorchPass`, but single tokens and a few short chunks attend in place, without copies of keys and values.

    The kernel runs in as many threads as torch. PERF, in ms, in place and on copies. Steps of 32 rows, one token each:
    37 and 38-39 after 500 tokens, 19 and 23 after 200. Two tokens a row take the same in both; four take 68 and 54,
    eight 106 and 72. One row after 400 tokens: two tokens 9.5 and 10.6, three 10.7 and 11.8, four 11.5 and 11.9, eight
    13.6 and 13.3.
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
