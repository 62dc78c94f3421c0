"""The kernel of `NumbaSampler.choose`: chooses the tokens of some rows of a batch.

For each row: load (finite, masked); if greedy, argmax; else top-k (select and gather), scale, draw. A row is read from
memory once; the rest uses a copy in the core's cache.

The draw is argmax(scaled logit + Gumbel noise) over the columns that the filters keep. Top-p needs no sorting: every
filter keeps a prefix of the columns in the order of their probability. If the best column of all is kept, it is
therefore also the best of the kept ones. The mass before it shows whether it is kept. If not, no later column
is kept either, and the best column before it is tested next. With top_p = 0.9 the first test succeeds nine times in
ten. The result is the same as with sorted probabilities.

The noise is that of `draws.gumbel_noise`: the same hash, uniforms and logarithms. Since it needs two logarithms, a
bound of the noise is computed from the hash first. Only the few columns that can still win by their bound are computed
exactly. MurmurHash3 mixes four blocks: seed low, seed high, position, column. The first three give one state for a row.
The column's contribution before it is mixed into that state is the same in all rows, so it is a table
(`column_blocks`).

uint32 arithmetic uses uint64, so that a kernel run as plain Python gives the same numbers without overflow.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guided.grammars.kernels.arrays import (
    Bools,
    Float32s,
    FloatBits,
    FloatRows,
    Floats,
    Int32s,
    Int64s,
    UInt32Rows,
    UInt32s,
)

from ...kernels.compiled import exported, kernel
from .scan import BLOCK, argmax_masked, argmax_plain, count_bits, gather_allowed, load_row, row_maximum
from .select import ROUGH_ERROR, count_equal, first_of, kth_largest, mass_before, sum_exps

_SPARSE_SHARE = 16  # rows with fewer than one allowed column in 16 are gathered. PERF: a guess
_GATHER_BLOCK = 64
_C1, _C2 = np.uint64(0xCC9E2D51), np.uint64(0x1B873593)
_MASK = np.uint64(0xFFFFFFFF)
_MAX_UNIFORM = np.float32(1.0 - 2.0**-24)
_HALF, _SCALE = np.float32(0.5), np.float32(2.0**-32)
_LOG_2 = math.log(2.0)

# The noise is at most -log(uniform), since log1p(-u) <= -u. A float32's bits, read as an integer, are 2**23 times a
# lower bound of its log2 plus the exponent's bias, since log2(1 + m) >= m. The float32 sums have an error below 1e-4.
BOUND_SLOPE = np.float32(-_LOG_2 * 2.0**-23)
BOUND_START = np.float32(_LOG_2 * (127 + 32) + 1e-3)


@lru_cache(maxsize=8)
def column_blocks(num_columns: int) -> NDArray[np.uint32]:
    """Each column's contribution to the hash, uint32 (num_columns,). The array is shared and must not be changed.

    (It is not marked read-only, since numba would then compile the kernels a second time.)
    """
    blocks = np.arange(num_columns, dtype=np.uint64) * _C1 & _MASK
    blocks = (blocks << np.uint64(15) | blocks >> np.uint64(17)) & _MASK
    return (blocks * _C2 & _MASK).astype(np.uint32)


@kernel
def mix(state: Any, block: Any) -> Any:
    """Mix a scrambled block into the state; all uint32."""
    mixed = np.uint32(state ^ block)
    rotated = np.uint32((np.uint64(mixed) << np.uint64(13)) & _MASK) | np.uint32(mixed >> np.uint32(19))
    product = np.uint32((np.uint64(rotated) * np.uint64(5)) & _MASK)
    return np.uint32((np.uint64(product) + np.uint64(0xE6546B64)) & _MASK)


@kernel
def finish(state: Any) -> Any:
    """The hash, uint32, of a state with four mixed blocks."""
    state = np.uint32(state ^ np.uint32(16))
    state = np.uint32((np.uint64(np.uint32(state ^ (state >> np.uint32(16)))) * np.uint64(0x85EBCA6B)) & _MASK)
    state = np.uint32((np.uint64(np.uint32(state ^ (state >> np.uint32(13)))) * np.uint64(0xC2B2AE35)) & _MASK)
    return np.uint32(state ^ (state >> np.uint32(16)))


@kernel
def scramble(block: Any) -> Any:
    """A block, uint64 below 2**32, scrambled for mixing; uint32."""
    block = (block * _C1) & _MASK
    block = ((block << np.uint64(15)) | (block >> np.uint64(17))) & _MASK
    return np.uint32((block * _C2) & _MASK)


@kernel
def stream_state(seed: int, position: int) -> Any:
    """The hash state, uint32, after a row's seed and position."""
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
    """floats[i] = 2**32 times the unclamped uniform of blocks[i]: float32, at least 0.5.

    PERF: 0.3 ns a column (AVX2); with arithmetic in uint64 0.56.
    """
    for i in range(blocks.size):
        floats[i] = np.float32(finish(mix(state, blocks[i]))) + _HALF


@kernel
def scale_row(values: Any, maximum: Any, temperature: Any) -> None:
    """values = (values - maximum) / temperature."""
    for i in range(values.size):
        values[i] = (values[i] - maximum) / temperature


@kernel
def count_candidates(scaled: Any, float_bits: Any, best: Any, lowest: Any) -> Any:
    """Number of columns that are at least `lowest` and whose noise may lift them to `best`."""
    count = np.int32(0)
    for i in range(scaled.size):
        bound = scaled[i] + (np.float32(float_bits[i]) * BOUND_SLOPE + BOUND_START)
        count = np.int32(count + (np.int32(bound >= best) & np.int32(scaled[i] >= lowest)))
    return np.int64(count)


@kernel
def best_with_noise(scaled: Any, blocks: Any, state: Any, limit: int, least: float) -> Any:
    """The first column with the largest scaled logit + noise, among those before `limit` that reach min-p's mass.

    limit: a column; only columns with larger logits, or equal logits and smaller ids, count. -1: all.
    least: minimum of exp(scaled logit).
    PERF: the first of the largest logits always counts, and its sum is mostly near the best. Starting from it, few
    other columns need to be computed: 32 rows of 2,048 columns take 123 us instead of 171 (top-p 0.9).
    """
    floats = np.empty(BLOCK, np.float32)
    float_bits = floats.view(np.int32)
    best_position = first_of(scaled, scaled.dtype.type(0.0))
    best = scaled[best_position] + gumbel(state, blocks[best_position])
    lowest = scaled.dtype.type(math.log(least) - 1e-3 if least > 0.0 else -np.inf)
    if limit >= 0:
        lowest = max(lowest, scaled[limit])
    for start in range(0, scaled.size, BLOCK):
        block, block_blocks = scaled[start : start + BLOCK], blocks[start : start + BLOCK]
        hash_floats(block_blocks, state, floats)
        if count_candidates(block, float_bits, best, lowest) == 0:
            continue
        for i in range(block.size):
            value = block[i]
            bound = value + (np.float32(float_bits[i]) * BOUND_SLOPE + BOUND_START)
            if bound < best or value < lowest:
                continue
            if limit >= 0 and value == scaled[limit] and start + i >= limit:
                continue
            if least > 0.0 and math.exp(np.float64(value)) < least:
                continue
            noisy = value + gumbel(state, block_blocks[i])
            if noisy > best or (noisy == best and start + i < best_position):
                best, best_position = noisy, np.int64(start + i)
    return best_position


@kernel
def is_in_nucleus(scaled: Any, position: int, share: float, total: float) -> Any:
    """True if the mass before a column is 0, or less than a share of the total.

    share: share of the total mass.
    total: the total mass; negative: the mass of this row.
    The first of the largest logits has no mass before it. Otherwise rough sums decide if the two masses are clearly
    different, which is nearly always the case, and exact sums if they are close.
    """
    if scaled[position] == 0.0 and count_equal(scaled[:position], scaled[position]) == 0:
        return True
    mass, before = mass_before(scaled, position, True)
    mass = total if total >= 0.0 else mass
    if abs(before - share * mass) > ROUGH_ERROR * mass:
        return before < share * mass or before == 0.0
    mass, before = mass_before(scaled, position, False)
    mass = total if total >= 0.0 else mass
    return before < share * mass or before == 0.0


@kernel
def draw(scaled: Any, blocks: Any, state: Any, share: float, least: float, total: float) -> Any:
    """The position of the drawn column.

    scaled: (n,) float32 or float64, its largest 0.
    blocks: (n,) uint32, from `column_blocks`.
    state: from `stream_state`.
    share: share of the mass that top-p keeps; 1 means off.
    least: min-p's threshold, see `best_with_noise`.
    total: the mass that `share` refers to; negative: the mass of these columns.
    """
    limit = np.int64(-1)
    while True:
        position = best_with_noise(scaled, blocks, state, limit, least)
        if share >= 1.0 or is_in_nucleus(scaled, position, share, total):
            return position
        limit = position


@kernel
def count_reaching(values: Any, maximum: Any, temperature: Any, threshold: Any) -> Any:
    """Number of values that reach the threshold after scaling."""
    count = np.int32(0)
    for i in range(values.size):
        count = np.int32(count + np.int32((values[i] - maximum) / temperature >= threshold))
    return np.int64(count)


@kernel
def gather_reaching(
    values: Any, blocks: Any, maximum: Any, temperature: Any, threshold: Any, kept: Any, kept_blocks: Any, kept_ids: Any
) -> Any:
    """Write the scaled values that reach the threshold, with their blocks and positions. Returns their number."""
    count = 0
    for start in range(0, values.size, _GATHER_BLOCK):
        block = values[start : start + _GATHER_BLOCK]
        if count_reaching(block, maximum, temperature, threshold) == 0:
            continue
        for i in range(block.size):
            scaled = (block[i] - maximum) / temperature
            if scaled >= threshold:
                kept[count] = scaled
                kept_blocks[count] = blocks[start + i]
                kept_ids[count] = start + i
                count += 1
    return count


@kernel
def draw_top_k(
    values: Any,
    blocks: Any,
    state: Any,
    maximum: Any,
    temperature: Any,
    top_k: int,
    share: float,
    least: float,
    is_joint: bool,
    kept: Any,
    kept_blocks: Any,
    kept_ids: Any,
    cell: Any,
    cell_bits: Any,
) -> Any:
    """The position of the token drawn from the top_k largest values and those equal to the last of them.

    is_joint: top-p's share refers to the mass of all values. The values are overwritten.
    """
    threshold = (kth_largest(values, top_k, kept, cell, cell_bits) - maximum) / temperature
    count = gather_reaching(values, blocks, maximum, temperature, threshold, kept, kept_blocks, kept_ids)
    total = -1.0
    if is_joint and share < 1.0:
        scale_row(values, maximum, temperature)
        total = sum_exps(values, values.dtype.type(0))[0]
    return np.int64(kept_ids[draw(kept[:count], kept_blocks[:count], state, share, least, total)])


@exported
def choose_rows(
    logits: FloatRows,
    words: UInt32Rows,
    is_masked: bool,
    blocks: UInt32s,
    temperatures: Float32s,
    top_ks: Int32s,
    top_ps: Float32s,
    min_ps: Float32s,
    seeds: Int64s,
    positions: Int64s,
    is_greedy: Bools,
    is_joint: Bools,
    kept_share: float,
    cell: Floats,
    cell_bits: FloatBits,
    first: int,
    step: int,
    token_ids: Int32s,
) -> None:
    """Set token_ids[row] for the rows first, first + step, ... to the token, or -1 if no token is allowed.

    logits: (B, V) float32 or float64, C-contiguous, not changed.
    words: (B, W) uint32, read if is_masked.
    blocks: (V,) uint32 from `column_blocks`.
    kept_share: as in `filters`.
    cell, cell_bits: see `kth_largest_by_counting`.
    Others: (B,), as in `SamplingBatch`.
    """
    num_columns = logits.shape[1]
    lowest, highest = np.finfo(logits.dtype).min, np.finfo(logits.dtype).max
    values, kept = np.empty(num_columns, logits.dtype), np.empty(num_columns, logits.dtype)
    ids, kept_ids = np.empty(num_columns, np.int32), np.empty(num_columns, np.int32)
    value_blocks, kept_blocks = np.empty(num_columns, np.uint32), np.empty(num_columns, np.uint32)
    for row in range(first, logits.shape[0], step):
        row_words = words[row]
        if is_greedy[row]:
            if is_masked:
                token_ids[row] = argmax_masked(logits[row], row_words, lowest, highest)
            else:
                token_ids[row] = argmax_plain(logits[row], lowest, highest)
            continue
        is_gathered = is_masked and count_bits(row_words) * _SPARSE_SHARE < num_columns
        if is_gathered:
            count = gather_allowed(logits[row], row_words, lowest, highest, blocks, values, value_blocks, ids)
            row_blocks = value_blocks[:count]
        else:
            count = load_row(logits[row], row_words, is_masked, lowest, highest, values)
            row_blocks = blocks[:count]
        row_values = values[:count]
        maximum = row_maximum(row_values) if count > 0 else logits.dtype.type(-np.inf)
        if maximum == -np.inf:
            token_ids[row] = -1
            continue
        state = stream_state(seeds[row], positions[row])
        top_k, temperature, least = np.int64(top_ks[row]), temperatures[row], np.float64(min_ps[row]) * kept_share
        share = np.float64(top_ps[row]) * kept_share if top_ps[row] < 1.0 else 1.0
        if top_k < num_columns and top_k < count:
            position = draw_top_k(
                row_values, row_blocks, state, maximum, temperature, top_k, share, least, is_joint[row],
                kept, kept_blocks, kept_ids, cell, cell_bits,
            )  # fmt: skip
        else:
            scale_row(row_values, maximum, temperature)
            position = draw(row_values, row_blocks, state, share, least, -1.0)
        token_ids[row] = ids[position] if is_gathered else position
