"""The first work of kernels: load logits, make them harmless, mask them, scale them; keys in their order; their noise.

A key is the bits of a scaled logit's magnitude, read as an integer. Scaled logits are at most 0, so the smaller the
key, the more probable the token, and equal keys are equal logits; -inf has the largest key.

The noise is that of `draws.gumbel_noise`: the same hash, uniforms and logarithms, and cheap bounds of it. The uniform
of a column is a multiple of 2**-33, so that 1 - uniform is exact in float64 and log(1 - uniform) is log1p(-uniform).
"""

import math
from typing import Any

import triton.language as tl

from .compiled import kernel

_LOWEST_32 = tl.constexpr(-3.4028234663852886e38)
_LOWEST_64 = tl.constexpr(-1.7976931348623157e308)
_INF_KEY_32 = tl.constexpr(0x7F800000)
_INF_KEY_64 = tl.constexpr(0x7FF0000000000000)
NO_COLUMN = tl.constexpr(0x7FFFFFFF)
"""More than any column."""


@kernel
def load_masked(source: "Any", columns: "Any", IS_MASKED: tl.constexpr) -> Any:
    """The logits of some columns of a row. NaN becomes the lowest finite number, +inf the highest, a banned one -inf.

    source: pointers to a row's float logits and int32 bitmask words, and the number of each. columns: int32; outside of
    the row there is -inf. Half precision comes out as float32. BOUNDS: both loads are masked by the row's own size.
    """
    logits_row, words_row, num_columns, num_words = source
    values = tl.load(logits_row + columns, mask=columns < num_columns, other=-float("inf"))
    if values.dtype == tl.float64:
        values = tl.where(values != values, _LOWEST_64, values)
        values = tl.where(values == float("inf"), -_LOWEST_64, values)
    else:
        values = values.to(tl.float32)
        values = tl.where(values != values, _LOWEST_32, values)
        values = tl.where(values == float("inf"), -_LOWEST_32, values)
    if IS_MASKED:
        words = tl.load(words_row + (columns >> 5), mask=(columns >> 5) < num_words, other=0)
        values = tl.where(((words >> (columns & 31)) & 1) != 0, values, -float("inf"))
    return values


@kernel
def scale(values: "Any", maximum: "Any", temperature: "Any") -> Any:
    """(values - maximum) / temperature, rounded as torch does it. maximum: of the row, finite; temperature: float32."""
    shifted = values - maximum
    if values.dtype == tl.float64:  # noqa: SIM108 (Triton compiles one of them)
        scaled = shifted / temperature.to(tl.float64)
    else:
        scaled = tl.div_rn(shifted, temperature)
    return scaled


@kernel
def keys_of(scaled: "Any") -> Any:
    """The keys of scaled logits: int32, or int64 for float64."""
    if scaled.dtype == tl.float64:
        keys = tl.abs(scaled).to(tl.int64, bitcast=True)
    else:
        keys = tl.abs(scaled).to(tl.int32, bitcast=True)
    return keys


@kernel
def inf_key(values: "Any") -> Any:
    """The key of -inf for values of this dtype."""
    if values.dtype == tl.float64:  # noqa: SIM108
        key = tl.full((), _INF_KEY_64, tl.int64)
    else:
        key = tl.full((), _INF_KEY_32, tl.int32)
    return key


@kernel
def logits_of_key(key: "Any") -> Any:
    """The scaled logit of a key."""
    if key.dtype == tl.int64:  # noqa: SIM108
        scaled = -(key.to(tl.float64, bitcast=True))
    else:
        scaled = -(key.to(tl.float32, bitcast=True))
    return scaled


@kernel
def row_maximum(maxima_row: "Any", num_chunks: "Any", CHUNKS: tl.constexpr) -> Any:
    """The largest of a row's chunk maxima. CHUNKS: a power of two of at least num_chunks."""
    chunks = tl.arange(0, CHUNKS)
    return tl.max(tl.load(maxima_row + chunks, mask=chunks < num_chunks, other=-float("inf")), axis=0)


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
    """`gumbel.to_uniform` in float32, in (0, 1)."""
    return tl.minimum((hashes.to(tl.float32) + 0.5) * _SCALE, _MAX_UNIFORM)


@kernel
def gumbel_noise(uniforms: "Any") -> Any:
    """`gumbel.gumbel_noise` in float32."""
    return (-tl.log(-tl.log(1.0 - uniforms.to(tl.float64)))).to(tl.float32)


@kernel
def noise_bounds(uniforms: "Any") -> Any:
    """A little above the noise of each uniform, float32, in two operations instead of two logarithms."""
    return uniforms.to(tl.int32, bitcast=True).to(tl.float32) * _BOUND_SLOPE + _BOUND_START
