"""The operations on logits in plain torch, with parameters for each row, written to be read. Faster backends are tested
against them.

The operations are the NaN guard and the mask, and temperature with the filters top-k, top-p and
min-p.

Filters take logits scaled by `scale_logits`: the row's largest is 0, so exp(logit) is a token's probability relative to
the most probable one. A filter returns the columns that it keeps. A column at -inf has no probability and stays
excluded.
"""

from __future__ import annotations

import torch

from ..draws import KEPT_SHARE
from ..masks import AnyBitmask, apply_bitmask_inplace
from .batch import SamplingBatch


def widened(logits: torch.Tensor) -> torch.Tensor:
    """Half precision converted to float32; float32 and float64 unchanged, not copied."""
    return logits.to(torch.promote_types(logits.dtype, torch.float32))


def without_nan(logits: torch.Tensor) -> torch.Tensor:
    """A copy of the logits without NaN and +inf, as float32, or float64 if they are.

    NaN becomes the lowest finite value (so it wins only if nothing better is allowed), +inf the highest; -inf stays a
    ban.
    """
    logits = widened(logits)
    finite = torch.finfo(logits.dtype)
    return torch.nan_to_num(logits, nan=finite.min, posinf=finite.max, neginf=-torch.inf)


def mask_logits(logits: torch.Tensor, bitmask: AnyBitmask | None) -> torch.Tensor:
    """A copy of the logits, without NaN and +inf and then masked: (B, V) float32, or float64 if they are.

    The mask comes last, so that a banned token can't come back.
    """
    masked = without_nan(logits)
    if bitmask is not None:
        apply_bitmask_inplace(masked, bitmask)
    return masked


def processed_logits(masked: torch.Tensor, batch: SamplingBatch) -> torch.Tensor:
    """The logits whose softmax each row's token comes from: masked and, in rows that draw, filtered.

    masked: (B, V) from `mask_logits` of adjusted logits, not changed. Returns (B, V), -inf for excluded tokens.
    """
    if batch.is_all_greedy:
        return masked
    return torch.where(batch.is_greedy.unsqueeze(1), masked, filter_logits(masked, batch))


def filter_logits(masked: torch.Tensor, batch: SamplingBatch) -> torch.Tensor:
    """The logits whose softmax each row draws from: scaled by temperature, -inf for tokens that a filter excluded.

    masked: (B, V) from `mask_logits`. Returns a new tensor of the same shape and dtype. Top-p uses the probabilities
        renormalised after top-k, or in joint rows those before it. Min-p compares with the most probable token, which
        every filter keeps, so its position in the order has no effect. Greedy rows of the result have no meaning.
    """
    scaled = scale_logits(masked, batch.temperatures)
    filtered = scaled
    if batch.need_top_k:
        filtered = scaled.masked_fill(~top_k_keeps(scaled, batch.top_ks, batch.max_top_k), -torch.inf)
    if batch.need_top_p:
        seen = torch.where(batch.is_joint.unsqueeze(1), scaled, filtered)
        filtered = filtered.masked_fill(~top_p_keeps(seen, batch.top_ps, relative_probabilities(seen)), -torch.inf)
    if batch.need_min_p:
        filtered = filtered.masked_fill(~min_p_keeps(scaled, batch.min_ps), -torch.inf)
    return filtered


def scale_logits(logits: torch.Tensor, temperatures: torch.Tensor) -> torch.Tensor:
    """(logits - row maximum) / temperature, same shape and dtype. Rows that are all -inf stay so.

    logits: (B, V) float32 or float64 without NaN and +inf.
    temperatures: (B,) float32, finite, above 0.
    """
    row_max = logits.amax(dim=1, keepdim=True)
    return (logits - row_max.masked_fill(row_max.isneginf(), 0.0)) / temperatures.unsqueeze(1)


def relative_probabilities(scaled: torch.Tensor) -> torch.Tensor:
    """Each column's probability relative to the most probable one, float64 (B, V)."""
    return scaled.to(torch.float64).exp()


def top_k_keeps(scaled: torch.Tensor, top_ks: torch.Tensor, max_top_k: int) -> torch.Tensor:
    """The top_k most probable columns of each row, and all that equal the last of them. Returns bool (B, V).

    top_ks: (B,) int32 in [1, V]; V means off.
    max_top_k: the largest one below V, as a host number.
    """
    largest = scaled.topk(max_top_k, dim=1).values
    last_kept = (top_ks.to(torch.int64) - 1).clamp(max=max_top_k - 1)
    is_off = top_ks >= scaled.shape[1]
    return (scaled >= largest.gather(1, last_kept.unsqueeze(1))) | is_off.unsqueeze(1)


def top_p_keeps(values: torch.Tensor, top_ps: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The smallest set of the largest values whose weights reach the share top_p of the row's, at least one. Returns
    bool (B, V).

    Equal values are taken in the order of their token ids.
    top_ps: (B,) float32; 1 means off.
    weights: (B, V) float64, not negative, increasing with the values.
    """
    order = values.argsort(dim=1, descending=True, stable=True)
    mass = weights.gather(1, order).cumsum(dim=1)
    mass_before = torch.nn.functional.pad(mass[:, :-1], (1, 0))
    needed = top_ps.to(torch.float64).unsqueeze(1) * KEPT_SHARE * mass[:, -1:]
    keeps = (mass_before < needed) | (top_ps >= 1.0).unsqueeze(1)
    keeps[:, 0] = True
    return torch.zeros_like(keeps).scatter_(1, order, keeps)


def min_p_keeps(scaled: torch.Tensor, min_ps: torch.Tensor) -> torch.Tensor:
    """The columns at least min_p times as probable as the most probable one. Returns bool (B, V). min_ps: (B,)
    float32.
    """
    threshold = min_ps.to(torch.float64).unsqueeze(1) * KEPT_SHARE
    return relative_probabilities(scaled) >= threshold
