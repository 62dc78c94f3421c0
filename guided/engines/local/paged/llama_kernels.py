"""The operations of a Llama's layer between its products of matrices, as Numba kernels for float32 on the CPU.

The plain operations on rows x, y of the hidden states, with a weight w of a norm:

    add_norm:  x = x + y;   normed = w * x / sqrt(mean(x * x) + eps)
    rotate:    (a, b) -> (a * cos - b * sin, b * cos + a * sin), for the halves a, b of each head of queries and keys
    gate:      g / (1 + exp(-g)) * u

`LlamaNetwork` is the plain implementation beside them; tests hold them together.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from guided.grammars.kernels.arrays import Float32Blocks, Float32Rows, Float32s, float32

from ....kernels.compiled import exported_summing, summing_kernel
from .kernels import exp_inplace

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_HIGHEST = np.float32(80.0)  # exp() of it is 5e34; a gate of -80 lets nothing through


@summing_kernel
def _rotate_head(head: Any, cos: Any, sin: Any, output: Any) -> None:
    half = cos.size
    for i in range(half):
        first, second = head[i], head[half + i]
        output[i] = first * cos[i] - second * sin[i]
        output[half + i] = second * cos[i] + first * sin[i]


@exported_summing
def add_norm_rows(
    hidden: Float32Rows,
    added: Float32Rows,
    weight: Float32s,
    eps: float32,
    normed: Float32Rows,
    start: int,
    step: int,
) -> None:
    """Add the rows start, start + step, ... of `added` to `hidden`, and write their norms. All (T, S) but weight, (S,).

    PERF: a step of SmolLM2 in bfloat16 takes 41 ms for one row and 51 for eight, with torch's operations 47 and 60 (a
    busy AMD EPYC with AVX-512). The times include `rotate_rows` and `gate_rows`; the products take 27 and 29.
    """
    size = weight.size
    for t in range(start, hidden.shape[0], step):
        row, addend, output = hidden[t], added[t], normed[t]
        total = _ZERO
        for i in range(size):
            row[i] += addend[i]
            total += row[i] * row[i]
        factor = _ONE / np.float32(math.sqrt(total / np.float32(size) + eps))
        for i in range(size):
            output[i] = row[i] * factor * weight[i]


@exported_summing
def rotate_rows(
    projected: Float32Rows,
    cos: Float32Rows,
    sin: Float32Rows,
    query: Float32Blocks,
    key: Float32Blocks,
    value: Float32Blocks,
    start: int,
    step: int,
) -> None:
    """Cut the rows start, start + step, ... into heads, and rotate queries and keys.

    projected: (T, (H + 2 * kv heads) * D): queries, keys and values. cos, sin: (T, D / 2).
    query: (T, H, D). key, value: (T, kv heads, D).
    """
    num_heads, num_kv_heads, size = query.shape[1], key.shape[1], query.shape[2]
    for t in range(start, projected.shape[0], step):
        row = projected[t]
        for h in range(num_heads):
            _rotate_head(row[h * size : (h + 1) * size], cos[t], sin[t], query[t, h])
        for h in range(num_kv_heads):
            begin = (num_heads + h) * size
            _rotate_head(row[begin : begin + size], cos[t], sin[t], key[t, h])
            begin += num_kv_heads * size
            for i in range(size):
                value[t, h, i] = row[begin + i]


@exported_summing
def gate_rows(both: Float32Rows, gated: Float32Rows, start: int, step: int) -> None:
    """Gate the rows start, start + step, ... both: (T, 2 * S), the gates and the gated numbers. gated: (T, S)."""
    size = gated.shape[1]
    powers = np.empty(size, np.float32)
    power_bits = powers.view(np.int32)
    negative = np.empty(size, np.float32)
    negative_bits = negative.view(np.int32)
    for t in range(start, gated.shape[0], step):
        gate, through, output = both[t, :size], both[t, size:], gated[t]
        for i in range(size):
            negative[i] = min(-gate[i], _HIGHEST)
        exp_inplace(negative, negative_bits, _ZERO, powers, power_bits)
        for i in range(size):
            output[i] = gate[i] / (_ONE + negative[i]) * through[i]
