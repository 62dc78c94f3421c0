"""Rows of probabilities: which ones the filters keep, their renormalisation, draws. Weights need not add up to 1.

A draw is argmax(weight / exponential noise), the same as argmax(log(weight) + Gumbel noise) without a logarithm for
each column. Top-p works as in `draw`: the best of all columns, if it is in the nucleus, is the best of the nucleus.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from guided.grammars.kernels.arrays import Float32s, FloatBits, FloatRows, Floats, Int32s, Int64s, UInt32s

from ..tolerances import PROBABILITY_TOLERANCE
from .compiled import exported, kernel, summing_kernel
from .hashing import exponential, hash_floats, stream_state
from .mass import count_equal
from .rows import gather_reaching
from .scan import BLOCK, row_maximum
from .select import kth_largest, nucleus_threshold

_KEPT_SHARE = 1.0 - PROBABILITY_TOLERANCE
_SLACK = np.float32(2.0**32 * (1.0 + 1e-5))  # of the bound: noise is at least the uniform, but for float32's rounding


@kernel
def load_weights(probs: Any, values: Any) -> None:
    """values = probs, with 0 for NaN and what is negative, and the highest finite number for +inf."""
    zero, highest = values.dtype.type(0), np.finfo(values.dtype).max
    for i in range(probs.size):
        value = probs[i] if probs[i] > zero else zero
        values[i] = highest if value > highest else value


@summing_kernel
def sum_weights(values: Any, pivot: Any) -> tuple[float, float]:
    """The sum of the weights, and of those above the pivot, in float64."""
    total, above = 0.0, 0.0
    for i in range(values.size):
        total += np.float64(values[i])
        above += np.float64(values[i]) if values[i] > pivot else 0.0
    return total, above


@kernel
def count_weight_candidates(values: Any, floats: Any, best: Any, lowest: Any) -> Any:
    """How many weights are at least `lowest`, with noise that may lift them to `best`."""
    count = np.int32(0)
    for i in range(values.size):
        count = np.int32(count + (np.int32(values[i] * _SLACK >= best * floats[i]) & np.int32(values[i] >= lowest)))
    return np.int64(count)


@kernel
def best_weight(values: Any, blocks: Any, state: Any, limit: int, least: float) -> Any:
    """As `draw.best_with_noise`, for weights of at least `least`; -1 when all are 0."""
    floats = np.empty(BLOCK, np.float32)
    best, best_position = 0.0, np.int64(-1)
    lowest = values.dtype.type(least * (1.0 - 1e-6))
    if limit >= 0:
        lowest = max(lowest, values[limit])
    for start in range(0, values.size, BLOCK):
        block, block_blocks = values[start : start + BLOCK], blocks[start : start + BLOCK]
        hash_floats(block_blocks, state, floats)
        if count_weight_candidates(block, floats, values.dtype.type(best), lowest) == 0:
            continue
        for i in range(block.size):
            value = block[i]
            if value <= 0 or value < lowest or np.float64(value) < least:
                continue
            if limit >= 0 and value == values[limit] and start + i >= limit:
                continue
            if np.float64(value) * _SLACK >= best * floats[i]:
                score = np.float64(value) / exponential(state, block_blocks[i])
                if score > best:
                    best, best_position = score, np.int64(start + i)
    return best_position


@kernel
def draw_weight(values: Any, blocks: Any, state: Any, top_p: float, least: float, total: float) -> Any:
    """The position of the drawn weight, -1 when all are 0. total: as in `draw.draw`."""
    limit = np.int64(-1)
    while True:
        position = best_weight(values, blocks, state, limit, least)
        if top_p >= 1.0 or position < 0:
            return position
        mass, before = sum_weights(values, values[position])
        before += np.float64(values[position]) * count_equal(values[:position], values[position])
        if before < top_p * _KEPT_SHARE * (total if total >= 0.0 else mass) or before == 0.0:
            return position
        limit = position


@exported
def draw_weight_rows(
    probs: FloatRows,
    blocks: UInt32s,
    top_ks: Int32s,
    top_ps: Float32s,
    min_ps: Float32s,
    is_joint: bool,
    seeds: Int64s,
    positions: Int64s,
    cell: Floats,
    cell_bits: FloatBits,
    first: int,
    step: int,
    token_ids: Int32s,
) -> None:
    """token_ids[row] for the rows first, first + step, ...: the token, or -1 where no weight is above 0.

    probs: (B, V) float32 or float64, C-contiguous. Other arguments as in `rows.choose_rows`.
    """
    num_columns = probs.shape[1]
    zero, one = probs.dtype.type(0), probs.dtype.type(1)
    values, kept = np.empty(num_columns, probs.dtype), np.empty(num_columns, probs.dtype)
    kept_blocks, kept_ids = np.empty(num_columns, np.uint32), np.empty(num_columns, np.int32)
    for row in range(first, probs.shape[0], step):
        load_weights(probs[row], values)
        state = stream_state(seeds[row], positions[row])
        top_k, top_p = np.int64(top_ks[row]), np.float64(top_ps[row])
        least = 0.0
        if min_ps[row] > 0:
            least = np.float64(min_ps[row]) * _KEPT_SHARE * np.float64(row_maximum(values))
        if top_k >= num_columns:
            token_ids[row] = draw_weight(values, blocks, state, top_p, least, -1.0)
            continue
        threshold = kth_largest(values, top_k, kept, cell, cell_bits)
        count = gather_reaching(values, blocks, zero, one, threshold, kept, kept_blocks, kept_ids)
        total = sum_weights(values, zero)[0] if is_joint else -1.0
        position = draw_weight(kept[:count], kept_blocks[:count], state, top_p, least, total)
        token_ids[row] = kept_ids[position] if position >= 0 else -1


@kernel
def renormalise(values: Any, threshold: Any, num_equal: int, renormalised: Any) -> None:
    """The weights above the threshold and at most num_equal, the first, that equal it, divided by their sum; else 0."""
    num_equal = min(num_equal, count_equal(values, threshold))
    total = sum_weights(values, threshold)[1] + np.float64(threshold) * num_equal
    factor = 1.0 / total if total > 0.0 else 0.0
    for i in range(values.size):
        is_kept = values[i] > threshold
        if values[i] == threshold and num_equal > 0:
            is_kept = True
            num_equal -= 1
        renormalised[i] = np.float64(values[i]) * factor if is_kept else 0.0


@exported
def top_k_renorm_rows(
    probs: FloatRows,
    top_ks: Int32s,
    cell: Floats,
    cell_bits: FloatBits,
    first: int,
    step: int,
    renormalised: FloatRows,
) -> None:
    """The top_k largest weights of a row and those that tie with the last of them, divided by their sum."""
    values, held = np.empty(probs.shape[1], probs.dtype), np.empty(probs.shape[1], probs.dtype)
    for row in range(first, probs.shape[0], step):
        load_weights(probs[row], values)
        threshold = values.dtype.type(0)
        if top_ks[row] < values.size:
            threshold = kth_largest(values, np.int64(top_ks[row]), held, cell, cell_bits)
        renormalise(values, threshold, values.size, renormalised[row])


@exported
def top_p_renorm_rows(
    probs: FloatRows,
    top_ps: Float32s,
    first: int,
    step: int,
    renormalised: FloatRows,
) -> None:
    """The nucleus of a row divided by its sum; among equal weights those of smaller ids are taken first."""
    values, held = np.empty(probs.shape[1], probs.dtype), np.empty(probs.shape[1], probs.dtype)
    for row in range(first, probs.shape[0], step):
        load_weights(probs[row], values)
        threshold, num_equal = values.dtype.type(0), np.int64(values.size)
        if top_ps[row] < 1.0:
            held[:] = values
            needed = np.float64(top_ps[row]) * _KEPT_SHARE * sum_weights(values, threshold)[0]
            found, above = nucleus_threshold(held, held.size, needed)
            threshold, num_equal = values.dtype.type(found), np.int64(1 if above == 0.0 else 0)
            while above + num_equal * found < needed and num_equal < values.size:
                num_equal += 1
        renormalise(values, threshold, num_equal, renormalised[row])


@exported
def top_k_mask_rows(
    logits: FloatRows,
    top_ks: Int32s,
    cell: Floats,
    cell_bits: FloatBits,
    first: int,
    step: int,
    masked: FloatRows,
) -> None:
    """The top_k largest logits of a row and those that tie with the last of them; -inf elsewhere.

    logits: without NaN.
    """
    held = np.empty(logits.shape[1], logits.dtype)
    for row in range(first, logits.shape[0], step):
        threshold = logits.dtype.type(-np.inf)
        if top_ks[row] < logits.shape[1]:
            threshold = kth_largest(logits[row], np.int64(top_ks[row]), held, cell, cell_bits)
        for i in range(logits.shape[1]):
            masked[row, i] = logits[row, i] if logits[row, i] >= threshold else logits.dtype.type(-np.inf)
