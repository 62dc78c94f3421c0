"""The reference sampler: plain torch on any device, written to be read. Faster backends are tested against it.

It copies the logits and, where a row uses top-p, sorts them. Nothing depends on what else is in the batch: every sum
runs along one row, and the noise is a function of the row's own seed and position.
"""

from __future__ import annotations

import torch

from ..masks import AnyBitmask, apply_bitmask_inplace
from .base import NO_TOKEN_ID, SamplerBackend, SamplerOutput
from .batch import SamplingBatch
from .filters import min_p_keeps, scale_logits, top_k_keeps, top_p_keeps
from .gumbel import gumbel_noise


class ReferenceSampler(SamplerBackend):
    """Sorts, sums and draws with torch's own operations."""

    def sample(
        self, logits: torch.Tensor, batch: SamplingBatch, positions: torch.Tensor, bitmask: AnyBitmask | None
    ) -> SamplerOutput:
        masked = mask_logits(logits, bitmask)
        no_allowed = masked.amax(dim=1).isneginf()
        token_ids = masked.argmax(dim=1)
        if not batch.is_all_greedy:
            noise = gumbel_noise(batch.seeds, positions, batch.vocab_size)
            drawn = (filter_logits(masked, batch) + noise).argmax(dim=1)
            token_ids = torch.where(batch.is_greedy, token_ids, drawn)
        return SamplerOutput(token_ids.masked_fill(no_allowed, NO_TOKEN_ID).to(torch.int32), no_allowed)


def mask_logits(logits: torch.Tensor, bitmask: AnyBitmask | None) -> torch.Tensor:
    """A copy of the logits, made harmless and then masked: (B, V) float32, or float64 where the logits are.

    NaN becomes the lowest finite value (so it wins only where nothing better is allowed) and +inf the highest; -inf
    stays a ban. The mask comes after, so that nothing it bans can come back.
    """
    dtype = torch.promote_types(logits.dtype, torch.float32)
    lowest, highest = torch.finfo(dtype).min, torch.finfo(dtype).max
    masked = torch.nan_to_num(logits.to(dtype), nan=lowest, posinf=highest, neginf=-torch.inf)
    if bitmask is not None:
        apply_bitmask_inplace(masked, bitmask)
    return masked


def filter_logits(masked: torch.Tensor, batch: SamplingBatch) -> torch.Tensor:
    """The logits whose softmax each row draws from: scaled by temperature, -inf where a filter took the token out.

    masked: (B, V) from `mask_logits`. Returns a new tensor of the same shape and dtype. Top-p sees the probabilities
    renormalised after top-k, or those before it in joint rows. Min-p compares with the most probable token, which every
    filter keeps, so its place in the order makes no difference. In greedy rows the result has no meaning.
    """
    scaled = scale_logits(masked, batch.temperatures)
    filtered = scaled
    if batch.need_top_k:
        filtered = scaled.masked_fill(~top_k_keeps(scaled, batch.top_ks, batch.max_top_k), -torch.inf)
    if batch.need_top_p:
        seen = torch.where(batch.is_joint.unsqueeze(1), scaled, filtered)
        filtered = filtered.masked_fill(~top_p_keeps(seen, batch.top_ps), -torch.inf)
    if batch.need_min_p:
        filtered = filtered.masked_fill(~min_p_keeps(scaled, batch.min_ps), -torch.inf)
    return filtered
