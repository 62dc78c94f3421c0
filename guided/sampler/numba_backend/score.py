"""Log-probabilities of rows of logits: the results of `compute_logprobs_only` and `masked_mass`, row by row.

PERF: for a row of 2,048 columns with 10 alternatives, raw and processed, and a mask's mass. With about fifty operations
of torch they took 1.12 ms of a sampler's step. Now they take 0.41 ms; the kernels are 0.06 of that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from guided.grammars.kernels.arrays import Float32Rows, Float32s, FloatRows, Int32Rows, Int64Rows, Int64s, UInt32Rows

from ...kernels.compiled import exported, exported_summing, kernel, summing_kernel
from .scan import BLOCK, count_above, load_row, row_maximum
from .select import exp_block, sum_exps

MOST_LISTED = 128  # maximum number of most probable tokens in a sorted list; an insertion moves the later ones
_WORD = 32


@kernel
def log_normaliser(values: Any, scaled: Any) -> Any:
    """log(sum(exp(values))); -inf if all values are. values: harmless logits. scaled: a buffer of the same size."""
    maximum = row_maximum(values)
    if maximum == -np.inf:
        return np.float64(-np.inf)
    for i in range(values.size):
        scaled[i] = values[i] - maximum
    total, _ = sum_exps(scaled[: values.size], scaled.dtype.type(0.0))
    return np.float64(maximum) + np.log(total)


@kernel
def list_largest(values: Any, ids: Any, largest: Any) -> None:
    """List the ids of the largest values, largest first; of equal ones the lower id first. largest: a buffer for the
    values.

    A value is inserted if it beats the smallest in the list; blocks without such a value are skipped.
    """
    count = ids.size
    for i in range(count):
        insert(values[i], i, i, ids, largest)
    for start in range(count, values.size, BLOCK):
        block = values[start : start + BLOCK]
        if count_above(block, largest[count - 1]) > 0:
            for i in range(block.size):
                if block[i] > largest[count - 1]:
                    insert(block[i], start + i, count - 1, ids, largest)


@kernel
def insert(value: Any, token_id: Any, place: Any, ids: Any, largest: Any) -> None:
    """Insert a value into the sorted list, at `place` or before; the entry at `place` is dropped."""
    while place > 0 and largest[place - 1] < value:
        largest[place], ids[place] = largest[place - 1], ids[place - 1]
        place -= 1
    largest[place], ids[place] = value, token_id


@exported
def score_rows(
    logits: FloatRows,
    token_ids: Int64s,
    given_ids: Int64Rows,
    first: int,
    step: int,
    chosen: Float32s,
    ranks: Int64s,
    top_ids: Int32Rows,
    top_logprobs: Float32Rows,
    given_logprobs: Float32Rows,
) -> None:
    """Score the rows first, first + step, ...; see `compute_logprobs_only`.

    logits: (N, V).
    token_ids: (N,), -1 for none.
    given_ids: (N, G), -1 for none.
    chosen, ranks, top_ids, top_logprobs, given_logprobs: written; (N,), (N,), (N, K), (N, K) and (N, G), with K at most
        V.
    """
    num_columns, num_top = logits.shape[1], top_ids.shape[1]
    lowest, highest = np.finfo(logits.dtype).min, np.finfo(logits.dtype).max
    values, scaled = np.empty(num_columns, logits.dtype), np.empty(num_columns, logits.dtype)
    largest, no_words = np.empty(num_top, logits.dtype), np.empty(0, np.uint32)
    for row in range(first, logits.shape[0], step):
        load_row(logits[row], no_words, False, lowest, highest, values)
        normaliser = log_normaliser(values, scaled)
        own = values[max(token_ids[row], 0)]
        ranks[row] = count_above(values, own) + 1
        chosen[row] = np.float32(np.float64(own) - normaliser) if token_ids[row] >= 0 else np.float32(np.nan)
        if num_top > 0:
            list_largest(values, top_ids[row], largest)
        for place in range(num_top):
            top_logprobs[row, place] = np.float32(np.float64(largest[place]) - normaliser)
        for place in range(given_ids.shape[1]):
            token_id = given_ids[row, place]
            given = np.float64(values[token_id]) - normaliser if token_id >= 0 else np.nan
            given_logprobs[row, place] = np.float32(given)


@exported
def load_rows(logits: FloatRows, words: UInt32Rows, first: int, step: int, loaded: FloatRows) -> None:
    """Set loaded[row] for the rows first, first + step, ... to harmless logits, with -inf where the bit is 0 or
    missing.

    logits, loaded: (N, V) of one dtype.
    words: (N, W).
    """
    lowest, highest = np.finfo(logits.dtype).min, np.finfo(logits.dtype).max
    for row in range(first, logits.shape[0], step):
        for i in range(load_row(logits[row], words[row], True, lowest, highest, loaded[row]), logits.shape[1]):
            loaded[row, i] = logits.dtype.type(-np.inf)


@summing_kernel
def sum_banned(exps: Any, words: Any, first: Any, count: Any) -> float:
    """The sum of exps[:count] over banned columns, whose bit is 0 or missing. The exps belong to the columns from
    `first` on.
    """
    banned = 0.0
    for i in range(count):
        column = first + i
        is_banned = True
        if column < words.size * _WORD:
            is_banned = ((words[column // _WORD] >> np.uint32(column & 31)) & np.uint32(1)) == 0
        banned += exps[i] if is_banned else 0.0
    return banned


@exported_summing
def sum_masked(logits: FloatRows, words: UInt32Rows, first: int, step: int, masses: Float32s) -> None:
    """Set masses[row] for the rows first, first + step, ...; see `logprobs.masked_mass`. words: (N, W)."""
    num_columns = logits.shape[1]
    lowest, highest = np.finfo(logits.dtype).min, np.finfo(logits.dtype).max
    values, no_words = np.empty(num_columns, logits.dtype), np.empty(0, np.uint32)
    powers, exps = np.empty(BLOCK, np.float64), np.empty(BLOCK, np.float64)
    power_bits, exp_bits = powers.view(np.int64), exps.view(np.int64)
    for row in range(first, logits.shape[0], step):
        load_row(logits[row], no_words, False, lowest, highest, values)
        maximum = row_maximum(values)
        if maximum == -np.inf:
            masses[row] = np.float32(np.nan)
            continue
        total, banned = 0.0, 0.0
        for start in range(0, num_columns, BLOCK):
            block = values[start : start + BLOCK]
            for i in range(block.size):
                block[i] = block[i] - maximum
            exp_block(block, powers, power_bits, exps, exp_bits)
            for i in range(block.size):
                total += exps[i]
            banned += sum_banned(exps, words[row], start, block.size)
        masses[row] = np.float32(min(1.0, banned / total))
