"""The GPU backend: draws the same tokens as the reference, in kernels compiled by Triton that select instead of
sorting.

`Rows` launches the kernels of a step: it decides their shapes and allocates their memory.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch
import triton

from guided.grammars.errors import InvalidInputError

from ...draws import KEPT_SHARE
from ...masks import AnyBitmask, check_bitmask_fits
from ..batch import SamplingBatch
from ..reference import NO_TOKEN_ID, SamplerBackend, SamplerOutput
from .compiled import LAUNCH, is_interpreted
from .limits import find_limits
from .passes import draw_chunks, find_chunk_maxima, finish_rows, sum_chunks

CHUNK = 4096  # columns of one program: 38 programs for a row of 151,936 columns, 16 KiB each
SEARCH_BLOCK = 1024  # columns that a search for a threshold compares at once with all tried keys
SEARCH_WARPS = 16
TRIED_KEYS = 16
GROUP = 32  # columns of a group, whose maximum the first pass keeps: 128 bytes, one transaction of memory
LISTED_GROUPS = 256  # groups that are read again: enough for a top_k of 256; 8192 columns in registers, 16 a thread


class TritonSampler(SamplerBackend):
    """A sampler that splits rows into chunks, one program each, and selects instead of sorting. Log-probabilities are
    torch's.

    All launches have fixed shapes, and nothing waits for the device. The first step of each kind compiles its kernels,
    which takes seconds; the result is stored on disk.

    chunk: columns of one program, a power of two of at least 32; less for narrower rows.
    search_block: columns that a search looks at in one go, a power of two.
    listed_groups: groups of 32 columns that are searched for top-k and top-p before the whole row is; a power of two.
    Raises InvalidInputError for other values.
    """

    keeps_logits = True
    widens_logits = True

    def __init__(
        self, chunk: int = CHUNK, search_block: int = SEARCH_BLOCK, listed_groups: int = LISTED_GROUPS
    ) -> None:
        for name, value, least in (
            ("chunk", chunk, GROUP), ("search_block", search_block, 1), ("listed_groups", listed_groups, 1)
        ):  # fmt: skip
            if value < least or value & (value - 1):
                raise InvalidInputError(f"{name} must be a power of two of at least {least}, not {value!r}")
        self.chunk = chunk
        self.search_block = search_block
        self.listed_groups = listed_groups

    def choose(self, logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> SamplerOutput:
        """Draw a token for each row; see `SamplerBackend`. Raises InvalidInputError for tensors that are not on
        CUDA.
        """
        with _device_of(logits):
            rows = self._load(logits, bitmask)
            token_ids = torch.empty(len(logits), dtype=torch.int32, device=logits.device)
            if len(logits) == 0:
                return SamplerOutput(token_ids)
            has_limits = batch.need_top_k or batch.need_top_p
            rows.find_maxima(has_limits)
            if has_limits:
                rows.find_limits(batch, self.search_block, self.listed_groups)
            if not batch.is_all_greedy:
                rows.draw(batch, has_limits)
            finish_rows[(len(logits),)](
                rows.maxima, rows.maxima_ids, rows.num_chunks, rows.best_values, rows.best_ids, batch.is_greedy,
                token_ids, NO_TOKEN_ID, IS_DRAWN=not batch.is_all_greedy, CHUNKS=rows.CHUNKS,
                num_warps=1, **LAUNCH,
            )  # fmt: skip
            return SamplerOutput(token_ids)

    def _load(self, logits: torch.Tensor, bitmask: AnyBitmask | None) -> Rows:
        if logits.device.type != "cuda" and not is_interpreted():
            raise InvalidInputError(
                f"the triton sampler works on CUDA, not on {logits.device}; use backend='auto', or set "
                "TRITON_INTERPRET=1 before Triton is imported to try its kernels on the CPU"
            )
        if bitmask is not None:
            check_bitmask_fits(logits, bitmask)
            bitmask = torch.from_numpy(bitmask) if isinstance(bitmask, np.ndarray) else bitmask
            bitmask = _rows_contiguous(bitmask.to(logits.device))
        return Rows(_rows_contiguous(logits.detach()), bitmask, self.chunk)


def _rows_contiguous(tensor: torch.Tensor) -> torch.Tensor:
    return tensor if tensor.stride(1) == 1 else tensor.contiguous()


def _device_of(tensor: torch.Tensor) -> AbstractContextManager[Any]:
    """Context manager that makes the tensor's GPU the current one, on which kernels run."""
    device_of: Any = torch.cuda.device_of  # torch leaves it untyped
    return device_of(tensor)  # type: ignore[no-any-return]


class Rows:
    """A step's logits and mask, cut into C chunks, with the results of the kernels.

    logits: (B, V) float, B > 0, contiguous along a row.
    bitmask: (B, W) int32 on the same device, contiguous along a row; None: no mask.
    chunk: columns of a chunk.
    maxima, maxima_ids: attributes; (B, C) maximum of the masked logits of each chunk and its column, from
        `find_maxima`.
    limit_keys, limit_ids: attributes; (B,) limits of top-k and top-p, see `limits`, from `find_limits`.
    best_values, best_ids: attributes; (B, C) best scaled logit + noise of each chunk and its column, from `draw`.
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
        words = logits if bitmask is None else bitmask  # without a mask: a dummy that is not read
        num_words = 0 if bitmask is None else bitmask.shape[1]
        self.source = (logits, logits.stride(0), words, words.stride(0), num_columns, num_words)
        chunks, key_dtype = (num_rows, self.num_chunks), torch.int64 if self.dtype == torch.float64 else torch.int32
        self.maxima, self.maxima_ids = self.empty(self.dtype, *chunks), self.empty(torch.int32, *chunks)
        self.best_values, self.best_ids = self.empty(self.dtype, *chunks), self.empty(torch.int32, *chunks)
        self.limit_keys, self.limit_ids = self.empty(key_dtype, num_rows), self.empty(torch.int32, num_rows)
        self.group_maxima = self.maxima

    def find_maxima(self, has_groups: bool) -> None:
        """Fill `maxima` and `maxima_ids`. has_groups: True: also fill the maxima of groups, which `find_limits`
        needs.
        """
        if has_groups:
            self.group_maxima = self.empty(self.dtype, self.shape[0], self.num_groups)
        find_chunk_maxima[(self.shape[0], self.num_chunks)](
            *self.source, self.maxima, self.maxima_ids, self.num_chunks, self.group_maxima,
            IS_MASKED=self.is_masked, HAS_GROUPS=has_groups, CHUNK=self.chunk, GROUP=GROUP, num_warps=8, **LAUNCH,
        )  # fmt: skip

    def find_limits(self, batch: SamplingBatch, block: int, listed_groups: int) -> None:
        """Fill `limit_keys` and `limit_ids`, and draw the rows that need only a few columns."""
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
            GROUPS=triton.next_power_of_2(self.num_groups), LISTED=listed_groups, num_warps=SEARCH_WARPS,
            **LAUNCH,
        )  # fmt: skip

    def draw(self, batch: SamplingBatch, has_limits: bool) -> None:
        """Fill `best_values` and `best_ids` of the rows that draw and that `find_limits` has not drawn."""
        draw_chunks[(self.shape[0], self.num_chunks)](
            *self.source, self.maxima, self.num_chunks, self.limit_keys, self.limit_ids, batch.temperatures,
            batch.min_ps, batch.seeds, batch.positions, batch.is_greedy, self.best_values, self.best_ids, KEPT_SHARE,
            IS_MASKED=self.is_masked, HAS_LIMITS=has_limits, CHUNK=self.chunk, CHUNKS=self.CHUNKS,
            num_warps=8, **LAUNCH,
        )  # fmt: skip

    def empty(self, dtype: torch.dtype, *shape: int) -> torch.Tensor:
        """An uninitialised tensor on the device of the logits."""
        return torch.empty(shape, dtype=dtype, device=self.device)
