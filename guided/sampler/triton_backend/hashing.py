"""The noise of `gumbel.py` inside kernels: the same hash, uniforms and logarithms, and cheap bounds of the noise.

The uniform of a column is a multiple of 2**-33, so that 1 - uniform is exact in float64 and log(1 - uniform) is
log1p(-uniform).
"""

import math
from typing import Any

import triton.language as tl

from .compiled import kernel

_C1 = tl.constexpr(0xCC9E2D51)
_C2 = tl.constexpr(0x1B873593)
_F1 = tl.constexpr(0x85EBCA6B)
_F2 = tl.constexpr(0xC2B2AE35)
_ADDEND = tl.constexpr(0xE6546B64)
_NUM_BYTES = tl.constexpr(16)
_MAX_UNIFORM = tl.constexpr(1.0 - 2.0**-24)
_SCALE = tl.constexpr(2.0**-32)

# Noise is at most -log(uniform) (log1p(-u) <= -u), and the bits of a float32, read as an integer, are 2**23 times a
# lower bound of its log2 (log2(1 + m) >= m), offset by the exponent's bias. The float32 sums are off by less than 1e-4.
_BOUND_SLOPE = tl.constexpr(-math.log(2.0) * 2.0**-23)
_BOUND_START = tl.constexpr(math.log(2.0) * 127 + 1e-3)

LEAST_NOISE = tl.constexpr(-2.9)  # below -log(-log1p(-(1 - 2**-24))) = -2.812, which no noise is below
MOST_NOISE = tl.constexpr(22.9)  # above -log(2**-33) = 22.874, which no noise is above


@kernel
def _scramble(block: "Any") -> Any:
    block = block * _C1
    return ((block << 15) | (block >> 17)) * _C2


@kernel
def _mix(state: "Any", block: "Any") -> Any:
    state = state ^ _scramble(block)
    return ((state << 13) | (state >> 19)) * 5 + _ADDEND


@kernel
def stream_states(seeds: "Any", positions: "Any") -> Any:
    """The hash's state, uint32, after seeds and positions, which are blocks of int64."""
    state = _mix(tl.zeros_like(seeds).to(tl.uint32), (seeds & 0xFFFFFFFF).to(tl.uint32))
    state = _mix(state, ((seeds >> 32) & 0xFFFFFFFF).to(tl.uint32))
    return _mix(state, (positions & 0xFFFFFFFF).to(tl.uint32))


@kernel
def hash_columns(states: "Any", columns: "Any") -> Any:
    """MurmurHash3, uint32, of states and int32 columns."""
    state = _mix(states, columns.to(tl.uint32)) ^ _NUM_BYTES
    state = (state ^ (state >> 16)) * _F1
    state = (state ^ (state >> 13)) * _F2
    return state ^ (state >> 16)


@kernel
def to_uniform(hashes: "Any") -> Any:
    """As `gumbel.to_uniform`, float32 in (0, 1)."""
    return tl.minimum((hashes.to(tl.float32) + 0.5) * _SCALE, _MAX_UNIFORM)


@kernel
def gumbel_noise(uniforms: "Any") -> Any:
    """As `gumbel.gumbel_noise`, float32."""
    return (-tl.log(-tl.log(1.0 - uniforms.to(tl.float64)))).to(tl.float32)


@kernel
def noise_bounds(uniforms: "Any") -> Any:
    """A little above the noise of each uniform, float32, in two operations instead of two logarithms."""
    return uniforms.to(tl.int32, bitcast=True).to(tl.float32) * _BOUND_SLOPE + _BOUND_START
