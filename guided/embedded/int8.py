"""The embedded model's weights in the package: int8 matrices, with one scale for each row.

int8 takes half the bytes of float16, so a package of the same size holds twice the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch

SCALES = ".scales"  # suffix of the name of a matrix's scales
LARGEST = 127


def quantized(weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Pack weights: each matrix (R, C) as int8 (R, C) with float32 scales (R,), each vector as float16.

    A row's value with the largest magnitude becomes 127 or -127.
    """
    packed = {}
    for name, weight in weights.items():
        if weight.ndim == 2:
            scales = weight.float().abs().amax(dim=1).clamp(min=torch.finfo(torch.float32).tiny) / LARGEST
            packed[name] = (weight.float() / scales[:, None]).round().to(torch.int8)
            packed[name + SCALES] = scales
        else:
            packed[name] = weight.half()
    return packed


def dequantized(packed: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Unpack weights of `quantized`, as float16. Each is off by at most half a scale, and by rounding."""
    weights = {}
    for name, weight in packed.items():
        if name.endswith(SCALES):
            continue
        scales = packed.get(name + SCALES)
        weights[name] = weight.half() if scales is None else (weight * scales[:, None]).half()
    return weights
