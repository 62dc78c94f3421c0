"""The launches of a step: which kernels run over its logits, in which shapes, with which room."""

from __future__ import annotations

import torch
import triton

from ..batch import SamplingBatch
from ..filters import KEPT_SHARE, without_nan
from ..logprobs import LogprobsOutput
from .candidates import find_limits
from .compiled import LAUNCH
from .draw import draw_chunks
from .logprobs import score_chunks, score_rows, sum_banned_chunks
from .maxima import find_chunk_maxima, sum_chunks
from .processed import write_processed

CHUNK = 4096  # columns of a program: 38 programs a row of 151,936, 16 KiB each, so that one row fills part of a GPU
SEARCH_BLOCK = 1024  # columns that a search for a threshold looks at in one go, each beside all tried keys
SEARCH_WARPS = 16
TRIED_KEYS = 16
GROUP = 32  # columns whose maximum is kept on the first pass: 128 bytes, one transaction of memory
LISTED_GROUPS = 256  # groups that are read again: room for a top_k of 256, 8192 columns in registers, 16 a thread
MOST_ALTERNATIVES = 128  # log-probabilities of the most probable tokens that are selected in registers


class Rows:
    """A step's logits and mask, cut into chunks, and what the kernels find out about them.

    logits: (B, V) float, B > 0, contiguous along a row. bitmask: (B, W) int32 likewise on the same device, or None.
    maxima, maxima_ids: (B, C), of the masked logits of each chunk, from `find_maxima`.
    limit_keys, limit_ids: (B,), see `limits`, from `find_limits`.
    best_values, best_ids: (B, C), the best scaled logit + noise of each chunk and its column, from `draw`.
    """

    def __init__(self, logits: torch.Tensor, bitmask: torch.Tensor | None, chunk: int) -> None:
        num_rows, num_columns = logits.shape
        self.device = logits.device
        self.dtype = torch.promote_types(logits.dtype, torch.float32)
        self.shape = (num_rows, num_columns)
        self.chunk = max(min(chunk, triton.next_power_of_2(num_columns)), GROUP)
        self.num_chunks = -(-num_columns // self.chunk)
        self.CHUNKS = triton.next_power_of_2(self.num_chunks)
        self.num_groups = self.num_chunks * (self.chunk // GROUP)
        self.is_masked = bitmask is not None
        words = logits if bitmask is None else bitmask  # not read without a mask
        num_words = 0 if bitmask is None else bitmask.shape[1]
        self.source = (logits, logits.stride(0), words, words.stride(0), num_columns, num_words)
        chunks, key_dtype = (num_rows, self.num_chunks), torch.int64 if self.dtype == torch.float64 else torch.int32
        self.maxima, self.maxima_ids = self.empty(self.dtype, *chunks), self.empty(torch.int32, *chunks)
        self.best_values, self.best_ids = self.empty(self.dtype, *chunks), self.empty(torch.int32, *chunks)
        self.limit_keys, self.limit_ids = self.empty(key_dtype, num_rows), self.empty(torch.int32, num_rows)
        self.group_maxima = self.maxima

    def find_maxima(self, has_groups: bool) -> None:
        """Fill `maxima` and `maxima_ids`, and the maxima of groups that `find_limits` needs."""
        if has_groups:
            self.group_maxima = self.empty(self.dtype, self.shape[0], self.num_groups)
        find_chunk_maxima[(self.shape[0], self.num_chunks)](
            *self.source, self.maxima, self.maxima_ids, self.num_chunks, self.group_maxima,
            IS_MASKED=self.is_masked, HAS_GROUPS=has_groups, CHUNK=self.chunk, GROUP=GROUP, num_warps=8, **LAUNCH,
        )  # fmt: skip

    def find_limits(self, batch: SamplingBatch, block: int, listed_groups: int, draws: bool) -> None:
        """Fill `limit_keys` and `limit_ids`; draws: and draw the rows where a few columns are enough."""
        num_rows, num_columns = self.shape
        masses = self.empty(torch.float64, num_rows, self.num_chunks)
        filters = (batch.temperatures, batch.top_ks, batch.top_ps)
        if batch.need_top_p:
            sum_chunks[(num_rows, self.num_chunks)](
                *self.source, self.maxima, self.num_chunks, *filters, batch.is_greedy, batch.is_joint, masses,
                IS_MASKED=self.is_masked, CHUNK=self.chunk, CHUNKS=self.CHUNKS, num_warps=8, **LAUNCH,
            )  # fmt: skip
        listed_groups = min(listed_groups, triton.next_power_of_2(self.num_groups))
        listed = self.empty(torch.int32, num_rows, listed_groups)
        find_limits[(num_rows,)](
            *self.source, self.maxima, self.num_chunks, self.group_maxima, self.num_groups, masses, *filters,
            batch.min_ps, batch.seeds, batch.positions, batch.is_greedy, batch.is_joint, listed,
            self.limit_keys, self.limit_ids, self.best_values, self.best_ids, KEPT_SHARE, IS_MASKED=self.is_masked,
            BLOCK=min(block, triton.next_power_of_2(num_columns)), CHUNKS=self.CHUNKS, TRIED=TRIED_KEYS, GROUP=GROUP,
            GROUPS=triton.next_power_of_2(self.num_groups), LISTED=listed_groups, DRAWS=draws, num_warps=SEARCH_WARPS,
            **LAUNCH,
        )  # fmt: skip

    def draw(self, batch: SamplingBatch, has_limits: bool) -> None:
        """Fill `best_values` and `best_ids` of rows that draw and are not drawn yet."""
        draw_chunks[(self.shape[0], self.num_chunks)](
            *self.source, self.maxima, self.num_chunks, self.limit_keys, self.limit_ids, batch.temperatures,
            batch.min_ps, batch.seeds, batch.positions, batch.is_greedy, self.best_values, self.best_ids, KEPT_SHARE,
            IS_MASKED=self.is_masked, HAS_LIMITS=has_limits, CHUNK=self.chunk, CHUNKS=self.CHUNKS,
            num_warps=8, **LAUNCH,
        )  # fmt: skip

    def write_processed(self, batch: SamplingBatch, has_limits: bool, processed: torch.Tensor) -> None:
        """Fill `processed`, (B, V)."""
        write_processed[(self.shape[0], self.num_chunks)](
            *self.source, self.maxima, self.num_chunks, self.limit_keys, self.limit_ids, batch.temperatures,
            batch.min_ps, batch.is_greedy, processed, KEPT_SHARE, IS_MASKED=self.is_masked, HAS_LIMITS=has_limits,
            HAS_MIN_P=batch.need_min_p, CHUNK=self.chunk, CHUNKS=self.CHUNKS, num_warps=8, **LAUNCH,
        )  # fmt: skip

    def empty(self, dtype: torch.dtype, *shape: int) -> torch.Tensor:
        """Room on the logits' device."""
        return torch.empty(shape, dtype=dtype, device=self.device)


def score_tokens(rows: Rows, token_ids: torch.Tensor, num_top: int, given_ids: torch.Tensor) -> LogprobsOutput:
    """See `compute_logprobs_only`; num_top at most MOST_ALTERNATIVES, logits of float32 or half precision."""
    num_rows, num_columns = rows.shape
    own_ids = token_ids.to(torch.int64).clamp(min=0)
    group_maxima = rows.empty(torch.float32, num_rows, rows.num_groups)
    sums = rows.empty(torch.float32, num_rows, rows.num_chunks)
    num_above = rows.empty(torch.int32, num_rows, rows.num_chunks)
    normalisers, chosen = rows.empty(torch.float32, num_rows), rows.empty(torch.float32, num_rows)
    ranks = rows.empty(torch.int64, num_rows)
    top_ids = rows.empty(torch.int32, num_rows, num_top)
    top_logprobs = rows.empty(torch.float32, num_rows, num_top)
    LISTED = triton.next_power_of_2(max(num_top, 1))
    logits, stride = rows.source[:2]
    read = (logits, stride, num_columns, own_ids, rows.maxima, sums, num_above, rows.num_chunks, group_maxima)
    score_chunks[(num_rows, rows.num_chunks)](*read, CHUNK=rows.chunk, GROUP=GROUP, num_warps=8, **LAUNCH)
    score_rows[(num_rows,)](
        *read, rows.num_groups, rows.empty(torch.int32, num_rows, LISTED), normalisers, chosen, ranks, top_ids,
        top_logprobs, num_top, CHUNKS=rows.CHUNKS, GROUP=GROUP, GROUPS=triton.next_power_of_2(rows.num_groups),
        LISTED=LISTED, num_warps=8, **LAUNCH,
    )  # fmt: skip
    given = without_nan(logits.gather(1, given_ids.to(torch.int64).clamp(min=0))) - normalisers.unsqueeze(1)
    return LogprobsOutput(
        chosen=chosen.masked_fill(token_ids < 0, torch.nan),
        ranks=ranks,
        top_ids=top_ids,
        top_logprobs=top_logprobs,
        given_ids=given_ids.to(torch.int32),
        given_logprobs=given.masked_fill(given_ids < 0, torch.nan),
        masked_mass=torch.zeros(num_rows, dtype=torch.float32, device=rows.device),
        processed=torch.full((num_rows,), torch.nan, dtype=torch.float32, device=rows.device),
    )


def banned_share(rows: Rows) -> torch.Tensor:
    """See `logprobs.masked_mass`; logits of float32 or half precision, with a bitmask."""
    num_rows, num_chunks = rows.shape[0], rows.num_chunks
    sums, banned_sums = (rows.empty(torch.float32, num_rows, num_chunks) for _ in range(2))
    sum_banned_chunks[(num_rows, num_chunks)](
        *rows.source, rows.maxima, sums, banned_sums, num_chunks, CHUNK=rows.chunk, num_warps=8, **LAUNCH
    )
    shares = (rows.maxima - rows.maxima.amax(dim=1, keepdim=True)).exp()
    total, banned = ((shares * part).sum(dim=1, dtype=torch.float64) for part in (sums, banned_sums))
    return (banned / total).clamp(max=1.0).to(torch.float32)
