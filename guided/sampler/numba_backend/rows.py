"""The kernel behind `NumbaSampler.choose`: the tokens of some rows of a batch.

For each row, as a plain loop: load (harmless, masked) - greedy: argmax - top-k: select and gather - scale - draw.
A row is read from memory once; what follows works on a copy that stays in the core's cache.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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

from .compiled import exported, kernel
from .draw import draw, scale_row
from .hashing import stream_state
from .mass import sum_exps
from .scan import argmax_masked, argmax_plain, count_bits, gather_allowed, load_row, row_maximum
from .select import kth_largest

_SPARSE_SHARE = 16  # rows with less than one allowed column in 16 are gathered. PERF: a guess
_GATHER_BLOCK = 64


@kernel
def count_reaching(values: Any, maximum: Any, temperature: Any, threshold: Any) -> Any:
    """How many values, once scaled, reach the threshold."""
    count = np.int32(0)
    for i in range(values.size):
        count = np.int32(count + np.int32((values[i] - maximum) / temperature >= threshold))
    return np.int64(count)


@kernel
def gather_reaching(
    values: Any, blocks: Any, maximum: Any, temperature: Any, threshold: Any, kept: Any, kept_blocks: Any, kept_ids: Any
) -> Any:
    """Write the scaled values that reach the threshold, with their blocks and positions; how many there are."""
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
    top_p: float,
    min_p: float,
    is_joint: bool,
    kept: Any,
    kept_blocks: Any,
    kept_ids: Any,
    cell: Any,
    cell_bits: Any,
) -> Any:
    """The position of the token drawn from the top_k largest values and those that tie with the last of them.

    is_joint: top_p is a share of the mass of all values, not of these. The values are overwritten.
    """
    threshold = (kth_largest(values, top_k, kept, cell, cell_bits) - maximum) / temperature
    count = gather_reaching(values, blocks, maximum, temperature, threshold, kept, kept_blocks, kept_ids)
    total = -1.0
    if is_joint and top_p < 1.0:
        scale_row(values, maximum, temperature)
        total = sum_exps(values, values.dtype.type(0))[0]
    return np.int64(kept_ids[draw(kept[:count], kept_blocks[:count], state, top_p, min_p, total)])


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
    cell: Floats,
    cell_bits: FloatBits,
    first: int,
    step: int,
    token_ids: Int32s,
) -> None:
    """token_ids[row] for the rows first, first + step, ...: the token, or -1 where none is allowed.

    logits: (B, V) float32 or float64, C-contiguous, not changed. words: (B, W) uint32, read where is_masked.
    blocks: (V,) uint32 from `column_blocks`. cell, cell_bits: as in `kth_largest_by_counting`. The others: (B,), as in
    `SamplingBatch`.
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
        top_k, top_p, min_p = np.int64(top_ks[row]), np.float64(top_ps[row]), np.float64(min_ps[row])
        temperature = temperatures[row]
        if top_k < num_columns and top_k < count:
            position = draw_top_k(
                row_values, row_blocks, state, maximum, temperature, top_k, top_p, min_p, is_joint[row],
                kept, kept_blocks, kept_ids, cell, cell_bits,
            )  # fmt: skip
        else:
            scale_row(row_values, maximum, temperature)
            position = draw(row_values, row_blocks, state, top_p, min_p, -1.0)
        token_ids[row] = ids[position] if is_gathered else position
