"""Weights of linear layers in the order that oneDNN reads. oneDNN is torch's library for matrix products on a CPU.

torch's own product of a few rows and a matrix reads the matrix several times, or orders it again in each call.

PERF: milliseconds for all products of a step of SmolLM2 135M with 1, 8 and 32 rows, on one core of an AMD EPYC with
avx512_bf16. float32: 40, 69, 132 plain, 36, 41, 89 packed. bfloat16: 31, 38, 65 plain, 20, 22, 49 packed.
"""

from __future__ import annotations

import torch
from torch import nn

ROWS = 32
"""Number of rows for which oneDNN chooses the order. PERF: with 1, 8 and 256 rows, orders chosen for these numbers are
no faster.
"""


class PackedLinear(nn.Module):
    """A linear layer without bias. weight: (outputs, inputs), on a CPU, of one of `packed_types`."""

    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        self._packed = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), ROWS)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """(..., inputs) -> (..., outputs)."""
        outputs: torch.Tensor = torch.ops.mkldnn._linear_pointwise(rows, self._packed, None, "none", [], "")
        return outputs


def packed_types() -> tuple[torch.dtype, ...]:
    """The types of weights that oneDNN packs on this CPU. Without AVX-512 or its like, bfloat16 is none of them."""
    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return ()
    has_bfloat16: bool = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return (torch.float32, torch.bfloat16) if has_bfloat16 else (torch.float32,)
