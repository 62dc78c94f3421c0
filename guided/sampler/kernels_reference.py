"""`guided.sampler.kernels` in plain torch, on any device: written to be read, and to hold the fast versions against.

Arguments are checked already: probs and logits are (B, V) float32 or float64, the others (B,) tensors beside them:
top_ks int32 in [1, V] (V is off), top_ps and min_ps float32 (1 and 0 are off), seeds and positions int64.
"""

from __future__ import annotations

import torch

from .base import NO_TOKEN_ID
from .filters import scale_logits, top_k_keeps, top_p_keeps
from .gumbel import exponential_noise, gumbel_noise
from .logits import without_nan
from .tolerances import PROBABILITY_TOLERANCE

_KEPT_SHARE = 1.0 - PROBABILITY_TOLERANCE


def top_k_renorm(probs: torch.Tensor, top_ks: torch.Tensor) -> torch.Tensor:
    """The top_k largest probabilities and ties with the last of them, divided by their sum; 0 elsewhere."""
    weights = as_weights(probs)
    return _renormalised(weights, _top_k_keeps(weights, top_ks))


def top_p_renorm(probs: torch.Tensor, top_ps: torch.Tensor) -> torch.Tensor:
    """The nucleus divided by its sum; 0 elsewhere."""
    weights = as_weights(probs)
    return _renormalised(weights, nucleus_keeps(weights, top_ps, weights))


def top_k_mask(logits: torch.Tensor, top_ks: torch.Tensor) -> torch.Tensor:
    """The top_k largest logits and ties with the last of them; -inf elsewhere."""
    return logits.masked_fill(~_top_k_keeps(logits, top_ks), -torch.inf)


def draw_from_probs(
    probs: torch.Tensor,
    top_ks: torch.Tensor,
    top_ps: torch.Tensor,
    min_ps: torch.Tensor,
    is_joint: bool,
    seeds: torch.Tensor,
    positions: torch.Tensor,
) -> torch.Tensor:
    """One token for each row, int32 (B,): argmax(probability / exponential noise) over what the filters keep."""
    weights = as_weights(probs)
    keeps = _top_k_keeps(weights, top_ks)
    seen = weights if is_joint else weights * keeps
    keeps &= nucleus_keeps(weights * keeps, top_ps, seen)
    least = min_ps.to(torch.float64) * _KEPT_SHARE * weights.amax(dim=1).to(torch.float64)
    keeps &= weights.to(torch.float64) >= least.unsqueeze(1)
    scores = (weights * keeps).to(torch.float64) / exponential_noise(seeds, positions, probs.shape[1])
    token_ids = scores.argmax(dim=1).masked_fill(scores.amax(dim=1) <= 0.0, NO_TOKEN_ID)
    return token_ids.to(torch.int32)


def draw_from_logits(
    logits: torch.Tensor,
    top_ks: torch.Tensor,
    top_ps: torch.Tensor,
    is_joint: bool,
    seeds: torch.Tensor,
    positions: torch.Tensor,
) -> torch.Tensor:
    """One token for each row, int32 (B,), as `Sampler` draws it at temperature 1; NO_TOKEN_ID where all are -inf."""
    harmless = without_nan(logits)
    scaled = scale_logits(harmless, torch.ones(len(logits), device=logits.device))
    filtered = scaled.masked_fill(~_top_k_keeps(scaled, top_ks), -torch.inf)
    filtered = filtered.masked_fill(~top_p_keeps(scaled if is_joint else filtered, top_ps), -torch.inf)
    token_ids = (filtered + gumbel_noise(seeds, positions, logits.shape[1])).argmax(dim=1)
    return token_ids.masked_fill(harmless.amax(dim=1).isneginf(), NO_TOKEN_ID).to(torch.int32)


def as_weights(probs: torch.Tensor) -> torch.Tensor:
    """Probabilities made harmless: NaN and what is negative are 0, +inf is the highest finite number."""
    return torch.nan_to_num(probs, nan=0.0, posinf=torch.finfo(probs.dtype).max, neginf=0.0).clamp(min=0.0)


def nucleus_keeps(weights: torch.Tensor, top_ps: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
    """The smallest set of largest weights whose sum reaches top_p of the sum of `seen`, at least one. Bool (B, V).

    Equal weights are taken in the order of their token ids. seen: like the weights, or all of which these are left.
    """
    ordered, order = weights.sort(dim=1, descending=True, stable=True)
    mass = ordered.to(torch.float64).cumsum(dim=1)
    mass_before = torch.nn.functional.pad(mass[:, :-1], (1, 0))
    total = seen.to(torch.float64).sum(dim=1, keepdim=True)
    keeps = (mass_before < top_ps.to(torch.float64).unsqueeze(1) * _KEPT_SHARE * total) | (top_ps >= 1.0).unsqueeze(1)
    keeps[:, 0] = True
    return torch.zeros_like(keeps).scatter_(1, order, keeps)


def _top_k_keeps(values: torch.Tensor, top_ks: torch.Tensor) -> torch.Tensor:
    return top_k_keeps(values, top_ks, values.shape[1])


def _renormalised(weights: torch.Tensor, keeps: torch.Tensor) -> torch.Tensor:
    kept = (weights * keeps).to(torch.float64)
    total = kept.sum(dim=1, keepdim=True)
    return torch.where(total > 0.0, kept / total, 0.0).to(weights.dtype)
