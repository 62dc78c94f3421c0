"""Muon: momentum whose steps are orthogonal matrices (Jordan et al. 2024), in a dtype that the device is fast in.

PERF: `torch.optim.Muon` always orthogonalizes in bfloat16. On a CPU without instructions for it, a step of the embedded
model's matrices takes 20.8 s of processor time so, and 0.73 s in float32.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch

# of the polynomial that moves all singular values towards 1, and how often it is applied (Jordan et al. 2024)
NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)
NUM_ITERATIONS = 5
LEAST_NORM = 1e-7
ADAMW_UPDATE = 0.2  # root mean square of an entry of AdamW's updates (Liu et al. 2025)


class Muon(torch.optim.Optimizer):
    """For matrices alone. Steps are as long as AdamW's at the same rate, so that both can share one.

    lr: learning rate. weight_decay: share of the rate by which weights shrink in a step. dtype: of orthogonalizing.
    """

    def __init__(
        self,
        matrices: Iterable[torch.Tensor],
        lr: float,
        *,
        weight_decay: float,
        momentum: float = 0.95,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        super().__init__(matrices, {"lr": lr, "weight_decay": weight_decay, "momentum": momentum})
        self._dtype = dtype

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        """One step along the gradients, with Nesterov's look ahead."""
        for group in self.param_groups:
            for matrix in group["params"]:
                if matrix.grad is None:
                    continue
                state = self.state[matrix]
                if not state:
                    state["momentum_buffer"] = torch.zeros_like(matrix)
                mean = state["momentum_buffer"]
                mean.lerp_(matrix.grad, 1 - group["momentum"])
                update = orthogonalized(matrix.grad.lerp(mean, group["momentum"]).to(self._dtype))
                length = group["lr"] * ADAMW_UPDATE * math.sqrt(max(matrix.shape))
                matrix.mul_(1 - group["lr"] * group["weight_decay"]).add_(update, alpha=-length)


def orthogonalized(matrix: torch.Tensor) -> torch.Tensor:
    """A matrix with the same singular vectors, whose singular values are 0.5 to 1.3 where they were no less than a
    fiftieth of the largest.

    By Newton-Schulz iteration, so with products of matrices alone.
    """
    is_tall = matrix.shape[0] > matrix.shape[1]
    found = matrix.T if is_tall else matrix
    found = found / found.norm().clamp(min=LEAST_NORM)
    a, b, c = NEWTON_SCHULZ
    for _ in range(NUM_ITERATIONS):
        gram = found @ found.T
        found = torch.addmm(found, torch.addmm(gram, gram, gram, beta=b, alpha=c), found, beta=a)
    return found.T if is_tall else found
