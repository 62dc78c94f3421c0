"""From adjusted logits to what a row is drawn from: NaN guard, mask, temperature and filters, in plain torch."""

from __future__ import annotations

import torch

from ..masks import AnyBitmask, apply_bitmask_inplace
from .batch import SamplingBatch
from .filters import min_p_keeps, scale_logits, top_k_keeps, top_p_keeps
from .logits import without_nan


def mask_logits(logits: torch.Tensor, bitmask: AnyBitmask | None) -> torch.Tensor:
    """A copy of the logits, made harmless and then masked: (B, V) float32, or float64 where the logits are.

    The mask comes after, so that nothing it bans can come back.
    """
    masked = without_nan(logits)
    if bitmask is not None:
        apply_bitmask_inplace(masked, bitmask)
    return masked


def processed_logits(logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> torch.Tensor:
    """The logits whose softmax each row's token comes from: masked, and where the row draws also filtered.

    logits: (B, V) float, adjusted, not changed. bitmask: (B, W) int32 or None. Returns (B, V), -inf for what is out.
    """
    masked = mask_logits(logits, bitmask)
    if batch.is_all_greedy:
        return masked
    return torch.where(batch.is_greedy.unsqueeze(1), masked, filter_logits(masked, batch))


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
