"""The noise of `gumbel.py` for single columns, and bounds of it for many: the same hash, uniforms and logarithms.

A MurmurHash3 is mixed from four blocks: seed low, seed high, position, column. The first three are one state of a row;
what becomes of the column before it meets that state is the same in all rows, so it is a table (`column_blocks`).
Arithmetic is on uint32 through uint64, so that the plain Python of a kernel gives the same numbers without overflows.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel

_C1, _C2 = np.uint64(0xCC9E2D51), np.uint64(0x1B873593)
_MASK = np.uint64(0xFFFFFFFF)
_MAX_UNIFORM = np.float32(1.0 - 2.0**-24)
_HALF, _SCALE = np.float32(0.5), np.float32(2.0**-32)
_LOG_2 = math.log(2.0)

# Noise is at most -log(uniform) (log1p(-u) <= -u), and the bits of a float32, read as an integer, are 2**23 times a
# lower bound of its log2 (log2(1 + m) >= m), offset by the exponent's bias. The float32 sums are off by less than 1e-4.
BOUND_SLOPE = np.float32(-_LOG_2 * 2.0**-23)
BOUND_START = np.float32(_LOG_2 * (127 + 32) + 1e-3)


@lru_cache(maxsize=8)
def column_blocks(num_columns: int) -> NDArray[np.uint32]:
    """What the hash mixes in for each column, uint32 (num_columns,). Shared: not to be written to.

    (Not marked as read-only: for that numba would compile the kernels once more.)
    """
    blocks = np.arange(num_columns, dtype=np.uint64) * _C1 & _MASK
    blocks = (blocks << np.uint64(15) | blocks >> np.uint64(17)) & _MASK
    return (blocks * _C2 & _MASK).astype(np.uint32)


@kernel
def mix(state: Any, block: Any) -> Any:
    """One more block, which is scrambled already, into the state; all uint32."""
    mixed = np.uint32(state ^ block)
    rotated = np.uint32((np.uint64(mixed) << np.uint64(13)) & _MASK) | np.uint32(mixed >> np.uint32(19))
    product = np.uint32((np.uint64(rotated) * np.uint64(5)) & _MASK)
    return np.uint32((np.uint64(product) + np.uint64(0xE6546B64)) & _MASK)


@kernel
def finish(state: Any) -> Any:
    """The hash, uint32, of a state that four blocks were mixed into."""
    state = np.uint32(state ^ np.uint32(16))
    state = np.uint32((np.uint64(np.uint32(state ^ (state >> np.uint32(16)))) * np.uint64(0x85EBCA6B)) & _MASK)
    state = np.uint32((np.uint64(np.uint32(state ^ (state >> np.uint32(13)))) * np.uint64(0xC2B2AE35)) & _MASK)
    return np.uint32(state ^ (state >> np.uint32(16)))


@kernel
def scramble(block: Any) -> Any:
    """A block, uint64 below 2**32, as the hash mixes it in: uint32."""
    block = (block * _C1) & _MASK
    block = ((block << np.uint64(15)) | (block >> np.uint64(17))) & _MASK
    return np.uint32((block * _C2) & _MASK)


@kernel
def stream_state(seed: int, position: int) -> Any:
    """The state, uint32, after a row's seed and position."""
    state = mix(np.uint32(0), scramble(np.uint64(seed & 0xFFFFFFFF)))
    state = mix(state, scramble(np.uint64((seed >> 32) & 0xFFFFFFFF)))
    return mix(state, scramble(np.uint64(position & 0xFFFFFFFF)))


@kernel
def exponential(state: Any, block: Any) -> float:
    """Exponential noise of a column, float64: -log1p(-uniform)."""
    uniform = (np.float32(finish(mix(state, block))) + _HALF) * _SCALE
    uniform = min(uniform, _MAX_UNIFORM)
    return -math.log1p(-np.float64(uniform))


@kernel
def gumbel(state: Any, block: Any) -> Any:
    """Gumbel noise of a column, float32."""
    return np.float32(-math.log(exponential(state, block)))


@kernel
def hash_floats(blocks: Any, state: Any, floats: Any) -> None:
    """floats[i] = 2**32 times the uniform of blocks[i] before it is clamped: float32, at least 0.5.

    PERF: 0.3 ns a column (AVX2); with the arithmetic in uint64 0.56.
    """
    for i in range(blocks.size):
        floats[i] = np.float32(finish(mix(state, blocks[i]))) + _HALF
