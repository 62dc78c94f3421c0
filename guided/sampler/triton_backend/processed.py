"""What rows are drawn from, written out: the scaled logits that the filters keep, for processed log-probabilities."""

from typing import Any

import triton.language as tl

from .compiled import kernel
from .draw import least_kept
from .loading import keys_of, load_masked, row_maximum, scale


@kernel
def write_processed(
    logits: "Any",
    logits_stride: "Any",
    words: "Any",
    words_stride: "Any",
    num_columns: "Any",
    num_words: "Any",
    maxima: "Any",
    num_chunks: "Any",
    limit_keys: "Any",
    limit_ids: "Any",
    temperatures: "Any",
    min_ps: "Any",
    is_greedy: "Any",
    processed: "Any",
    kept_share: "Any",
    IS_MASKED: tl.constexpr,
    HAS_LIMITS: tl.constexpr,
    HAS_MIN_P: tl.constexpr,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """processed[row], (V,) float32 or float64: masked logits in greedy rows, filtered ones in others; grid (B, C).

    Reads the logits once and writes as many numbers.
    """
    row, chunk = tl.program_id(0).to(tl.int64), tl.program_id(1)
    columns = chunk * CHUNK + tl.arange(0, CHUNK)
    values = load_masked(
        logits + row * logits_stride, words + row * words_stride, columns, num_columns, num_words, IS_MASKED
    )
    maximum = row_maximum(maxima + row * num_chunks, num_chunks, CHUNKS)
    if (tl.load(is_greedy + row).to(tl.int32) == 0) & (maximum > -float("inf")):
        values = scale(values, maximum, tl.load(temperatures + row))
        keeps = columns >= 0
        if HAS_LIMITS:
            keys, limit_key = keys_of(values), tl.load(limit_keys + row)
            keeps &= (keys < limit_key) | ((keys == limit_key) & (columns <= tl.load(limit_ids + row)))
        if HAS_MIN_P:
            least, _ = least_kept(tl.load(min_ps + row), kept_share)
            keeps &= tl.exp(values.to(tl.float64)) >= least
        values = tl.where(keeps, values, -float("inf"))
    tl.store(processed + row * num_columns + columns, values, mask=columns < num_columns)
