"""`TritonSampler`: the GPU backend. It draws the same tokens as the reference, from kernels compiled by Triton."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch

from guided.grammars.errors import InvalidInputError

from ...masks import AnyBitmask, check_bitmask_fits
from ..batch import SamplingBatch
from ..logprobs import LogprobsOutput
from ..reference import NO_TOKEN_ID, SamplerBackend, SamplerOutput
from .compiled import LAUNCH, is_interpreted
from .draw import finish_rows
from .launches import CHUNK, GROUP, LISTED_GROUPS, MOST_ALTERNATIVES, SEARCH_BLOCK, Rows, banned_share, score_tokens


class TritonSampler(SamplerBackend):
    """Splits rows into chunks, one program each, and selects instead of sorting.

    Every launch has fixed shapes and nothing waits for the device, so `choose` can be captured in a CUDA graph, with a
    bitmask that is on the device and after one step that was not captured: the first step of each kind compiles its
    kernels, which takes seconds and is kept on disk.

    chunk, search_block: how many columns a program works on at a time; narrower rows take less. listed_groups: how many
    groups of 32 columns are looked at for top-k and top-p before the whole row is. All are powers of two, and the chunk
    is at least 32.
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
        """See `SamplerBackend.choose`. Raises InvalidInputError for tensors that are not on CUDA."""
        with _device_of(logits):
            rows = self._load(logits, bitmask)
            token_ids = torch.empty(len(logits), dtype=torch.int32, device=logits.device)
            no_allowed = torch.empty(len(logits), dtype=torch.bool, device=logits.device)
            if len(logits) == 0:
                return SamplerOutput(token_ids, no_allowed)
            has_limits = batch.need_top_k or batch.need_top_p
            rows.find_maxima(has_limits)
            if has_limits:
                rows.find_limits(batch, self.search_block, self.listed_groups, draws=True)
            if not batch.is_all_greedy:
                rows.draw(batch, has_limits)
            finish_rows[(len(logits),)](
                rows.maxima, rows.maxima_ids, rows.num_chunks, rows.best_values, rows.best_ids, batch.is_greedy,
                token_ids, no_allowed, NO_TOKEN_ID, IS_DRAWN=not batch.is_all_greedy, CHUNKS=rows.CHUNKS,
                num_warps=1, **LAUNCH,
            )  # fmt: skip
            return SamplerOutput(token_ids, no_allowed)

    def process(self, logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> torch.Tensor:
        """See `SamplerBackend.process`."""
        with _device_of(logits):
            rows = self._load(logits, bitmask)
            processed = torch.empty(rows.shape, dtype=rows.dtype, device=rows.device)
            if len(logits) == 0:
                return processed
            has_limits = batch.need_top_k or batch.need_top_p
            rows.find_maxima(has_limits)
            if has_limits:
                rows.find_limits(batch, self.search_block, self.listed_groups, draws=False)
            rows.write_processed(batch, has_limits, processed)
            return processed

    def gather_logprobs(
        self, logits: torch.Tensor, token_ids: torch.Tensor, num_top: int, given_ids: torch.Tensor
    ) -> LogprobsOutput:
        """See `SamplerBackend.gather_logprobs`. float64 logits, and more than 128 alternatives, are left to torch."""
        if logits.dtype == torch.float64 or num_top > MOST_ALTERNATIVES or len(logits) == 0:
            return super().gather_logprobs(logits, token_ids, num_top, given_ids)
        with _device_of(logits):
            return score_tokens(self._load(logits, None), token_ids, num_top, given_ids)

    def masked_mass(self, logits: torch.Tensor, bitmask: AnyBitmask) -> torch.Tensor:
        """See `SamplerBackend.masked_mass`. float64 logits are left to torch."""
        if logits.dtype == torch.float64 or len(logits) == 0:
            return super().masked_mass(logits, bitmask)
        with _device_of(logits):
            return banned_share(self._load(logits, bitmask))

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
    """Kernels run on the tensor's GPU, also where another one is current."""
    device_of: Any = torch.cuda.device_of  # torch leaves it untyped
    return device_of(tensor)  # type: ignore[no-any-return]
