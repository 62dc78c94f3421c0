"""`top_n_sigma`: keeps the tokens whose logit is within n standard deviations of the largest one.

Tang, Liu, Xu, Huang, "Top-n-sigma: Not All Logits Are You Need" (arXiv 2411.07641, 2024). Let M be the largest logit
and sigma the standard deviation of the row's logits. Tokens with logit >= M - n * sigma are kept. Temperature does not
change this set. The deviation is that of the population (divided by the count), over finite logits. M is the largest
logit of an allowed token, so one allowed token is always kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from pydantic import Field

from .base import CustomLogitProcessor
from .rows import RowGroup


@dataclass(frozen=True)
class TopNSigmaParams:
    """n: number of standard deviations."""

    n: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.0


class TopNSigma(CustomLogitProcessor):
    """Keeps tokens near the largest logit, see the module."""

    params_type = TopNSigmaParams
    order = 60
    is_trusted = True

    def __call__(self, logits: torch.Tensor, group: RowGroup) -> torch.Tensor:
        is_out = logits.isneginf()
        count = (logits.shape[1] - is_out.sum(dim=1, keepdim=True)).clamp(min=1)
        mean = logits.masked_fill(is_out, 0.0).sum(dim=1, keepdim=True) / count
        from_mean = (logits - mean).masked_fill_(is_out, 0.0)
        sigma = torch.linalg.vector_norm(from_mean, dim=1, keepdim=True) / count.sqrt()
        largest = group.allowed_logits(logits).amax(dim=1, keepdim=True)
        return logits.masked_fill_(logits < largest - group.column("n", largest) * sigma, -torch.inf)
