"""What every kernel does first: load logits, make them harmless, mask them, scale them; and keys in their order.

A key is the bits of a scaled logit's magnitude, read as an integer. Scaled logits are at most 0, so the smaller the
key, the more probable the token, and equal keys are equal logits; -inf has the largest key.
"""

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
def load_masked(
    logits_row: "Any", words_row: "Any", columns: "Any", num_columns: "Any", num_words: "Any", IS_MASKED: tl.constexpr
) -> Any:
    """The logits of some columns of a row: NaN the lowest finite number, +inf the highest, what is banned -inf.

    logits_row, words_row: pointers to a row's float logits and int32 bitmask words. columns: int32; outside of the row
    there is -inf. Half precision comes out as float32. BOUNDS: both loads are masked by the row's own size.
    """
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
