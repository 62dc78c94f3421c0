"""The weights of the embedded model as the package has them: matrices of int8, with a scale for each of their rows.

They take half the bytes of float16, so the same package has room for twice the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch

SCALES = ".scales"  # ends the name of a matrix's scales
LARGEST = 127


def quantized(weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Each matrix (R, C) as int8 (R, C), and its float32 scales (R,): a row's largest number becomes 127 or -127.

    Vectors become float16.
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
    """The weights that `quantized` has packed, in float16: each is off by half a scale at most, and by rounding."""
    weights = {}
    for name, weight in packed.items():
        if name.endswith(SCALES):
            continue
        scales = packed.get(name + SCALES)
        weights[name] = weight.half() if scales is None else (weight * scales[:, None]).half()
    return weights
