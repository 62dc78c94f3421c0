"""`NumbaSampler`: the CPU backend. It draws the same tokens as the reference, from loops compiled by Numba."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from guided.grammars.errors import InvalidInputError

from ...masks import AnyBitmask, check_bitmask_fits
from ..adjustments import Penalties
from ..base import NO_TOKEN_ID, SamplerBackend, SamplerOutput
from ..batch import SamplingBatch
from .hashing import column_blocks
from .penalties import penalise_rows
from .rows import choose_rows
from .select import bit_cell
from .threads import run_rows

_PENALTY_COLUMNS = ("seen_ids", "output_counts", "num_seen", "repetition", "frequency", "presence")


class NumbaSampler(SamplerBackend):
    """Reads each row once and selects instead of sorting; as many threads as `torch.get_num_threads()`.

    PERF: see `python -m tests.sampler_speed`.
    """

    keeps_logits = True

    def adjust(self, logits: torch.Tensor, batch: SamplingBatch) -> None:
        """See `SamplerBackend.adjust`."""
        columns = batch.adjustments.columns
        for kind in batch.adjustments.kinds:
            if isinstance(kind, Penalties) and logits.is_contiguous():
                penalise_rows(logits.numpy(), *(columns[name].numpy() for name in _PENALTY_COLUMNS))
            else:
                kind.apply_inplace(columns, logits)

    def choose(self, logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> SamplerOutput:
        """See `SamplerBackend.choose`. Raises InvalidInputError for tensors that are not on the CPU."""
        if logits.device.type != "cpu":
            raise InvalidInputError(f"the numba sampler works on the CPU, not on {logits.device}")
        columns = (
            batch.temperatures, batch.top_ks, batch.top_ps, batch.min_ps,
            batch.seeds, batch.positions, batch.is_greedy, batch.is_joint,
        )  # fmt: skip
        token_ids = choose_tokens(logits, bitmask, *(column.numpy() for column in columns))
        return SamplerOutput(token_ids, token_ids == NO_TOKEN_ID)


def choose_tokens(logits: torch.Tensor, bitmask: AnyBitmask | None, *columns: NDArray[Any]) -> torch.Tensor:
    """The tokens of all rows, int32 (B,); NO_TOKEN_ID where none is allowed.

    logits: (B, V) float32 or float64 on the CPU, not changed. columns: those of `choose_rows`, (B,) each.
    """
    rows = np.ascontiguousarray(logits.detach().numpy())
    words = np.empty((len(rows), 0), np.uint32) if bitmask is None else _words(logits, bitmask)
    token_ids = np.empty(len(rows), np.int32)
    blocks = column_blocks(rows.shape[1])
    contiguous = [np.ascontiguousarray(column) for column in columns]

    def work(first: int, step: int) -> None:
        cells = bit_cell(rows.dtype)
        choose_rows(rows, words, bitmask is not None, blocks, *contiguous, *cells, first, step, token_ids)

    run_rows(work, *rows.shape)
    return torch.from_numpy(token_ids)


def _words(logits: torch.Tensor, bitmask: AnyBitmask) -> NDArray[np.uint32]:
    check_bitmask_fits(logits, bitmask)
    words = bitmask if isinstance(bitmask, np.ndarray) else bitmask.cpu().numpy()
    return np.require(words, requirements=("C", "W")).view(np.uint32)  # read-only ones would need a kernel of their own
