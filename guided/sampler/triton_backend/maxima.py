"""Passes over the logits that give a few numbers for each chunk of columns: maximum, maxima of groups, mass.

As a plain loop: for each row and chunk, maximum = max(masked logits), position = the first column that has it; mass =
sum(exp(scaled logits)). A program owns one chunk of one row. Each kernel reads B * V logits and B * V / 8 bytes of
mask, and writes 8 to 12 bytes a chunk, and 4 or 8 a group.
"""

from typing import Any

import triton.language as tl

from .compiled import kernel
from .loading import NO_COLUMN, load_masked, row_maximum, scale


@kernel
def find_chunk_maxima(
    logits: "Any",
    logits_stride: "Any",
    words: "Any",
    words_stride: "Any",
    num_columns: "Any",
    num_words: "Any",
    maxima: "Any",
    maxima_ids: "Any",
    num_chunks: "Any",
    group_maxima: "Any",
    IS_MASKED: tl.constexpr,
    HAS_GROUPS: tl.constexpr,
    CHUNK: tl.constexpr,
    GROUP: tl.constexpr,
) -> None:
    """maxima[row, chunk], float32 or float64, and maxima_ids[row, chunk], int32; grid (B, num_chunks).

    group_maxima[row, group] like the maxima, of each GROUP columns, written where HAS_GROUPS; GROUP divides CHUNK.
    """
    row, chunk = tl.program_id(0).to(tl.int64), tl.program_id(1)
    columns = chunk * CHUNK + tl.arange(0, CHUNK)
    values = load_masked(
        logits + row * logits_stride, words + row * words_stride, columns, num_columns, num_words, IS_MASKED
    )
    maximum = tl.max(values, axis=0)
    position = tl.min(tl.where(values == maximum, columns, NO_COLUMN), axis=0)
    tl.store(maxima + row * num_chunks + chunk, maximum)
    tl.store(maxima_ids + row * num_chunks + chunk, position)
    if HAS_GROUPS:
        groups = tl.max(tl.reshape(values, (CHUNK // GROUP, GROUP)), axis=1)
        first = (row * num_chunks + chunk) * (CHUNK // GROUP)
        tl.store(group_maxima + first + tl.arange(0, CHUNK // GROUP), groups)


@kernel
def sum_chunks(
    logits: "Any",
    logits_stride: "Any",
    words: "Any",
    words_stride: "Any",
    num_columns: "Any",
    num_words: "Any",
    maxima: "Any",
    num_chunks: "Any",
    temperatures: "Any",
    top_ks: "Any",
    top_ps: "Any",
    is_greedy: "Any",
    is_joint: "Any",
    masses: "Any",
    IS_MASKED: tl.constexpr,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """masses[row, chunk], float64, relative to the row's most probable column; grid (B, num_chunks).

    Written for rows whose top-p is a share of the mass of all columns: 0 for the others, without reading them.
    """
    row, chunk = tl.program_id(0).to(tl.int64), tl.program_id(1)
    maximum = row_maximum(maxima + row * num_chunks, num_chunks, CHUNKS)
    sees_all = (tl.load(top_ks + row) >= num_columns) | (tl.load(is_joint + row).to(tl.int32) != 0)
    is_drawn = (tl.load(is_greedy + row).to(tl.int32) == 0) & (maximum > -float("inf"))
    mass = tl.zeros((), tl.float64)
    if is_drawn & sees_all & (tl.load(top_ps + row) < 1.0):
        columns = chunk * CHUNK + tl.arange(0, CHUNK)
        values = load_masked(
            logits + row * logits_stride, words + row * words_stride, columns, num_columns, num_words, IS_MASKED
        )
        scaled = scale(values, maximum, tl.load(temperatures + row))
        mass = tl.sum(tl.exp(scaled.to(tl.float64)), axis=0)
    tl.store(masses + row * num_chunks + chunk, mass)
