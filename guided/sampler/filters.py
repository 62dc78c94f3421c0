"""Temperature and the filters top-k, top-p and min-p, one row a time each with its own parameter, in plain torch.

All work on logits scaled by `scale_logits`: the row's largest is 0, so exp() of a logit is its probability relative to
the most probable token. A filter returns which columns it keeps; a column at -inf has no probability and stays out.

Probabilities are summed in float64. The logits themselves carry float32 noise, so "the mass reaches top_p" can't be
decided more exactly than that: masses within a relative PROBABILITY_TOLERANCE of the threshold count as reaching it.
(Without it, probabilities .5, .3, .2 given as float32 logits would often need three tokens to reach 0.8.)
"""

from __future__ import annotations

import torch

from .tolerances import PROBABILITY_TOLERANCE


def scale_logits(logits: torch.Tensor, temperatures: torch.Tensor) -> torch.Tensor:
    """(logits - row maximum) / temperature, same shape and dtype. Rows that are all -inf stay so.

    logits: (B, V) float32 or float64 without NaN and +inf. temperatures: (B,) float32, finite, above 0.
    """
    row_max = logits.amax(dim=1, keepdim=True)
    return (logits - row_max.masked_fill(row_max.isneginf(), 0.0)) / temperatures.unsqueeze(1)


def top_k_keeps(scaled: torch.Tensor, top_ks: torch.Tensor, max_top_k: int) -> torch.Tensor:
    """The top_k most probable columns of each row, and all that tie with the last of them. Bool (B, V).

    top_ks: (B,) int32 in [1, V]; V is off. max_top_k: the largest one below V, as a host number.
    """
    largest = scaled.topk(max_top_k, dim=1).values
    last_kept = (top_ks.to(torch.int64) - 1).clamp(max=max_top_k - 1)
    is_off = top_ks >= scaled.shape[1]
    return (scaled >= largest.gather(1, last_kept.unsqueeze(1))) | is_off.unsqueeze(1)


def top_p_keeps(scaled: torch.Tensor, top_ps: torch.Tensor) -> torch.Tensor:
    """The smallest set of most probable columns whose mass reaches top_p, at least one. Bool (B, V).

    Columns of equal probability are taken in the order of their token ids. top_ps: (B,) float32; 1 is off.
    """
    ordered, order = scaled.sort(dim=1, descending=True, stable=True)
    mass = ordered.to(torch.float64).exp().cumsum(dim=1)
    mass_before = torch.nn.functional.pad(mass[:, :-1], (1, 0))
    needed = top_ps.to(torch.float64).unsqueeze(1) * (1.0 - PROBABILITY_TOLERANCE) * mass[:, -1:]
    keeps = (mass_before < needed) | (top_ps >= 1.0).unsqueeze(1)
    keeps[:, 0] = True
    return torch.zeros_like(keeps).scatter_(1, order, keeps)


def min_p_keeps(scaled: torch.Tensor, min_ps: torch.Tensor) -> torch.Tensor:
    """The columns at least min_p times as probable as the most probable one. Bool (B, V). min_ps: (B,) float32."""
    threshold = min_ps.to(torch.float64).unsqueeze(1) * (1.0 - PROBABILITY_TOLERANCE)
    return scaled.to(torch.float64).exp() >= threshold
