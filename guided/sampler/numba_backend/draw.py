"""The draw of one row: argmax(scaled logit + Gumbel noise) over the columns that the filters keep.

Top-p needs no sorting: every filter keeps a prefix of the columns in the order of their probability, so the best column
of all, if it is kept, is also the best of those that are kept. Whether it is kept follows from the mass before it, one
sum. If it isn't, nothing after it is either, and the best of those before it is next. With top_p = 0.9 the first is
right nine times in ten. The same columns are kept and the same one wins as with sorted probabilities.

Noise takes two logarithms a column. It is bounded from the hash instead (`hashing`), and only the few columns that can
still win by their bound are computed exactly.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tolerances import PROBABILITY_TOLERANCE
from .compiled import kernel
from .hashing import BOUND_SLOPE, BOUND_START, gumbel, hash_floats
from .mass import ROUGH_ERROR, mass_before
from .scan import BLOCK

_KEPT_SHARE = 1.0 - PROBABILITY_TOLERANCE


@kernel
def scale_row(values: Any, maximum: Any, temperature: Any) -> None:
    """values = (values - maximum) / temperature."""
    for i in range(values.size):
        values[i] = (values[i] - maximum) / temperature


@kernel
def count_candidates(scaled: Any, float_bits: Any, best: Any, lowest: Any) -> Any:
    """How many columns are at least `lowest`, with noise that may lift them to `best`."""
    count = np.int32(0)
    for i in range(scaled.size):
        bound = scaled[i] + (np.float32(float_bits[i]) * BOUND_SLOPE + BOUND_START)
        count = np.int32(count + (np.int32(bound >= best) & np.int32(scaled[i] >= lowest)))
    return np.int64(count)


@kernel
def best_with_noise(scaled: Any, blocks: Any, state: Any, limit: int, least: float) -> Any:
    """The first column with the largest scaled logit + noise among those before `limit` that have min-p's mass.

    limit: a column; only those of larger logits, or equal ones and smaller ids, count. -1: all. least: exp() of a
    scaled logit must reach it.
    """
    floats = np.empty(BLOCK, np.float32)
    float_bits = floats.view(np.int32)
    best, best_position = scaled.dtype.type(-np.inf), np.int64(-1)
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
            if noisy > best:
                best, best_position = noisy, np.int64(start + i)
    return best_position


@kernel
def is_in_nucleus(scaled: Any, position: int, share: float, total: float) -> Any:
    """Whether the mass before a column is less than its share of the total (negative: of the row's mass), or nothing.

    Rough sums decide where they can, which is nearly always; exact ones where the two masses are close.
    """
    mass, before = mass_before(scaled, position, True)
    mass = total if total >= 0.0 else mass
    if abs(before - share * mass) > ROUGH_ERROR * mass:
        return before < share * mass or before == 0.0
    mass, before = mass_before(scaled, position, False)
    mass = total if total >= 0.0 else mass
    return before < share * mass or before == 0.0


@kernel
def draw(scaled: Any, blocks: Any, state: Any, top_p: float, min_p: float, total: float) -> Any:
    """The position of the drawn column.

    scaled: (n,) float32 or float64, its largest 0. blocks: (n,) uint32, from `column_blocks`. state: of `stream_state`.
    top_p, min_p: 1 and 0 are off. total: the mass that top_p is a share of; negative: that of these columns.
    """
    least, limit = min_p * _KEPT_SHARE, np.int64(-1)
    while True:
        position = best_with_noise(scaled, blocks, state, limit, least)
        if top_p >= 1.0:
            return position
        if is_in_nucleus(scaled, position, top_p * _KEPT_SHARE, total):
            return position
        limit = position
