"""The CPU backend: draws the same tokens as the reference, in loops compiled by Numba that select instead of sorting.

`run_rows` spreads rows over as many threads as torch uses; with n threads each takes every n-th row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from guided.grammars.errors import InvalidInputError

from ...draws import KEPT_SHARE
from ...kernels.rows import run_rows
from ...masks import AnyBitmask, check_bitmask_fits
from ..adjustments import Penalties
from ..batch import SamplingBatch
from ..filters import mask_logits, processed_logits, widened
from ..logprobs import LogprobsOutput, blank_processed
from ..reference import SamplerBackend, SamplerOutput
from .draw import choose_rows, column_blocks
from .scan import penalise_rows
from .score import MOST_LISTED, load_rows, score_rows, sum_masked
from .select import bit_cell

_PENALTY_COLUMNS = ("seen_ids", "output_counts", "num_seen", "repetition", "frequency", "presence")


class NumbaSampler(SamplerBackend):
    """Reads each row once and selects instead of sorting, in up to `torch.get_num_threads()` threads.

    PERF: see `python -m tests.sampler_speed`.
    """

    keeps_logits = True

    def adjust(self, logits: torch.Tensor, batch: SamplingBatch) -> None:
        columns = batch.adjustments.columns
        for kind in batch.adjustments.kinds:
            if isinstance(kind, Penalties) and logits.is_contiguous():
                penalise_rows(logits.numpy(), *(columns[name].numpy() for name in _PENALTY_COLUMNS))
            else:
                kind.apply_inplace(columns, logits)

    def choose(self, logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> SamplerOutput:
        """See `SamplerBackend.choose`. Raises InvalidInputError for tensors that are not on the CPU."""
        _check_device(logits)
        return SamplerOutput(torch.from_numpy(_choose(logits, bitmask, batch.draw_columns)))

    def process(self, logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> torch.Tensor:
        """See `SamplerBackend.process`. Raises InvalidInputError for tensors that are not on the CPU."""
        _check_device(logits)
        return processed_logits(mask_logits_compiled(logits, bitmask), batch)

    def gather_logprobs(
        self, logits: torch.Tensor, token_ids: torch.Tensor, num_top: int, given_ids: torch.Tensor
    ) -> LogprobsOutput:
        """See `SamplerBackend.gather_logprobs`. More than 128 alternatives are left to torch."""
        if num_top > MOST_LISTED:
            return super().gather_logprobs(logits, token_ids, num_top, given_ids)
        return score_tokens(logits, token_ids, num_top, given_ids)

    def masked_mass(self, logits: torch.Tensor, bitmask: AnyBitmask) -> torch.Tensor:
        rows = _rows(logits)
        words, masses = _words(logits, bitmask), np.empty(len(rows), np.float32)
        run_rows(lambda first, step: sum_masked(rows, words, first, step, masses), *rows.shape)
        return torch.from_numpy(masses)


def _check_device(logits: torch.Tensor) -> None:
    if logits.device.type != "cpu":
        raise InvalidInputError(f"the numba sampler works on the CPU, not on {logits.device}")


def mask_logits_compiled(logits: torch.Tensor, bitmask: AnyBitmask | None) -> torch.Tensor:
    """Like `filters.mask_logits`, in a kernel, for logits on the CPU."""
    if bitmask is None:
        return mask_logits(logits, None)
    rows = _rows(logits)
    words, loaded = _words(logits, bitmask), np.empty_like(rows)
    run_rows(lambda first, step: load_rows(rows, words, first, step, loaded), *rows.shape)
    return torch.from_numpy(loaded)


def score_tokens(
    logits: torch.Tensor, token_ids: torch.Tensor, num_top: int, given_ids: torch.Tensor
) -> LogprobsOutput:
    """See `compute_logprobs_only`. num_top: at most MOST_LISTED. Equally probable tokens are listed by id."""
    rows = _rows(logits)
    own, given = (np.ascontiguousarray(ids.to(torch.int64).numpy()) for ids in (token_ids, given_ids))
    floats = (len(rows),), (len(rows), num_top), given.shape
    chosen, top_logprobs, given_logprobs = (np.empty(shape, np.float32) for shape in floats)
    ranks, top_ids = np.empty(len(rows), np.int64), np.empty((len(rows), num_top), np.int32)
    written = chosen, ranks, top_ids, top_logprobs, given_logprobs
    run_rows(lambda first, step: score_rows(rows, own, given, first, step, *written), *rows.shape)
    return LogprobsOutput(
        chosen=torch.from_numpy(chosen),
        ranks=torch.from_numpy(ranks),
        top_ids=torch.from_numpy(top_ids),
        top_logprobs=torch.from_numpy(top_logprobs),
        given_ids=given_ids.to(torch.int32),
        given_logprobs=torch.from_numpy(given_logprobs),
        masked_mass=torch.zeros(len(rows), dtype=torch.float32),
        **blank_processed(len(rows), num_top, logits.device),
    )


def _rows(logits: torch.Tensor) -> NDArray[Any]:
    """The logits for the kernels, (B, V) float32 or float64."""
    return np.ascontiguousarray(widened(logits.detach()).numpy())


def choose_tokens(logits: torch.Tensor, bitmask: AnyBitmask | None, *columns: NDArray[Any]) -> torch.Tensor:
    """The tokens of all rows, int32 (B,); NO_TOKEN_ID if no token is allowed.

    logits: (B, V) float32 or float64 on the CPU, not changed.
    bitmask: (B, W), or None to allow everything.
    columns: the batch's columns, (B,) each.
    """
    return torch.from_numpy(_choose(logits, bitmask, [np.ascontiguousarray(column) for column in columns]))


def _choose(logits: torch.Tensor, bitmask: AnyBitmask | None, columns: Sequence[NDArray[Any]]) -> NDArray[np.int32]:
    """`choose_tokens` for contiguous columns.

    PERF: after the model's pass, each library call whose code is out of the caches takes 5 to 15 us.
    """
    rows = (logits.detach() if logits.requires_grad else logits).numpy()
    if not rows.flags.c_contiguous:
        rows = np.ascontiguousarray(rows)
    words = _no_words(len(rows)) if bitmask is None else _words(logits, bitmask)
    token_ids = np.empty(len(rows), np.int32)
    blocks = column_blocks(rows.shape[1])

    def work(first: int, step: int) -> None:
        cells = bit_cell(rows.dtype)
        choose_rows(rows, words, bitmask is not None, blocks, *columns, KEPT_SHARE, *cells, first, step, token_ids)

    run_rows(work, *rows.shape)
    return token_ids


@lru_cache(maxsize=8)
def _no_words(num_rows: int) -> NDArray[np.uint32]:
    return np.empty((num_rows, 0), np.uint32)


def _words(logits: torch.Tensor, bitmask: AnyBitmask) -> NDArray[np.uint32]:
    check_bitmask_fits(logits, bitmask)
    words = bitmask if isinstance(bitmask, np.ndarray) else bitmask.cpu().numpy()
    if words.flags.c_contiguous and words.flags.writeable:
        return words.view(np.uint32)
    # read-only words would need a kernel of their own, so they are copied
    return np.require(words, requirements=("C", "W")).view(np.uint32)


def draw_from_logits(
    logits: torch.Tensor,
    top_ks: torch.Tensor,
    top_ps: torch.Tensor,
    min_ps: torch.Tensor,
    is_joint: bool,
    seeds: torch.Tensor,
    positions: torch.Tensor,
) -> torch.Tensor:
    """Draw tokens at temperature 1, see `top_k_top_p_sampling_from_logits`. Tensor arguments have one value for each
    row.
    """
    num_rows = len(logits)
    temperatures, is_greedy = np.ones(num_rows, np.float32), np.zeros(num_rows, np.bool_)
    columns = (column.numpy() for column in (top_ks, top_ps, min_ps, seeds, positions))
    return choose_tokens(logits, None, temperatures, *columns, is_greedy, np.full(num_rows, is_joint))
