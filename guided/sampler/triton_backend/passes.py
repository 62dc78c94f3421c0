"""Passes over the logits, chunk of columns by chunk: a program owns one chunk of one row, `finish_rows` a row.

The passes compute for each row and chunk:

    maximum = max(masked logits), and the first column that has it
    mass = sum(exp(scaled logits))
    best = argmax(scaled logit + Gumbel noise) over the columns that the filters keep

Each reads B * V logits and B * V / 8 bytes of mask, and writes 8 to 12 bytes a chunk, and 4 or 8 a group of columns.

Noise takes two float64 logarithms a column. The pass therefore first bounds each column's noise from the hash. Only the
few columns of a chunk that can still win by their bound are computed exactly, best bound first.
"""

from typing import Any

import triton.language as tl

from .compiled import kernel
from .rows import (
    LEAST_NOISE,
    MOST_NOISE,
    NO_COLUMN,
    gumbel_noise,
    hash_columns,
    keys_of,
    load_masked,
    noise_bounds,
    row_maximum,
    scale,
    stream_states,
    to_uniform,
)


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
    source = (logits + row * logits_stride, words + row * words_stride, num_columns, num_words)
    values = load_masked(source, columns, IS_MASKED)
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
        source = (logits + row * logits_stride, words + row * words_stride, num_columns, num_words)
        values = load_masked(source, columns, IS_MASKED)
        scaled = scale(values, maximum, tl.load(temperatures + row))
        mass = tl.sum(tl.exp(scaled.to(tl.float64)), axis=0)
    tl.store(masses + row * num_chunks + chunk, mass)


@kernel
def best_with_noise(scaled: "Any", keeps: "Any", columns: "Any", state: "Any", least: "Any") -> Any:
    """The largest scaled logit + noise of a block, and its column, the first among equals.

    scaled: (n,) float32 or float64. keeps: (n,) bool. columns: (n,) int32. state: of `stream_states`. least: float64,
    exp() of a scaled logit must reach it. -inf and NO_COLUMN when nothing here can win the row: its maximum has a
    scaled logit of 0, so that a row's best is never below LEAST_NOISE.
    """
    best, best_id = tl.full((), -float("inf"), scaled.dtype), tl.full((), NO_COLUMN, tl.int32)
    keeps &= scaled >= LEAST_NOISE - MOST_NOISE
    if tl.max(keeps.to(tl.int32), axis=0) > 0:
        bounds = scaled + noise_bounds(to_uniform(hash_columns(state, columns)))
        bounds = tl.where(keeps, bounds, -float("inf"))
        bound = tl.max(bounds, axis=0)
        while (bound >= LEAST_NOISE) & (bound >= best):
            column = tl.min(tl.where(bounds == bound, columns, NO_COLUMN), axis=0)
            value = tl.max(tl.where(columns == column, scaled, -float("inf")), axis=0)
            noisy = value + gumbel_noise(to_uniform(hash_columns(state, column)))
            is_better = (noisy > best) | ((noisy == best) & (column < best_id))
            is_better &= tl.exp(value.to(tl.float64)) >= least
            best, best_id = tl.where(is_better, noisy, best), tl.where(is_better, column, best_id)
            bounds = tl.where(columns == column, -float("inf"), bounds)
            bound = tl.max(bounds, axis=0)
    return best, best_id


@kernel
def least_kept(min_p: "Any", kept_share: "Any") -> Any:
    """The least exp(scaled logit) that min-p keeps, and a bound a little below its logarithm; both float64."""
    least = min_p.to(tl.float64) * kept_share
    return least, tl.where(least > 0.0, tl.log(tl.maximum(least, 1e-300)) - 1e-3, -float("inf"))


@kernel
def draw_chunks(
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
    seeds: "Any",
    positions: "Any",
    is_greedy: "Any",
    best_values: "Any",
    best_ids: "Any",
    kept_share: "Any",
    IS_MASKED: tl.constexpr,
    HAS_LIMITS: tl.constexpr,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """best_values[row, chunk] like the scaled logits, best_ids[row, chunk] int32; grid (B, num_chunks).

    limit_keys, limit_ids: (B,) from `find_limits`, read where HAS_LIMITS; a limit_key of -1 is a row that is drawn.
    Reads the logits of rows that draw once, and writes nothing for the others.
    """
    row, chunk = tl.program_id(0).to(tl.int64), tl.program_id(1)
    maximum = row_maximum(maxima + row * num_chunks, num_chunks, CHUNKS)
    is_drawn = (tl.load(is_greedy + row).to(tl.int32) == 0) & (maximum > -float("inf"))
    if HAS_LIMITS:
        is_drawn &= tl.load(limit_keys + row) >= 0
    if is_drawn:
        columns = chunk * CHUNK + tl.arange(0, CHUNK)
        source = (logits + row * logits_stride, words + row * words_stride, num_columns, num_words)
        values = load_masked(source, columns, IS_MASKED)
        scaled = scale(values, maximum, tl.load(temperatures + row))
        least, lowest = least_kept(tl.load(min_ps + row), kept_share)
        keeps = scaled.to(tl.float64) >= lowest
        if HAS_LIMITS:
            keys, limit_key = keys_of(scaled), tl.load(limit_keys + row)
            keeps &= (keys < limit_key) | ((keys == limit_key) & (columns <= tl.load(limit_ids + row)))
        state = stream_states(tl.load(seeds + row), tl.load(positions + row))
        best, best_id = best_with_noise(scaled, keeps, columns, state, least)
        tl.store(best_values + row * num_chunks + chunk, best)
        tl.store(best_ids + row * num_chunks + chunk, best_id)


@kernel
def finish_rows(
    maxima: "Any",
    maxima_ids: "Any",
    num_chunks: "Any",
    best_values: "Any",
    best_ids: "Any",
    is_greedy: "Any",
    token_ids: "Any",
    no_token_id: "Any",
    IS_DRAWN: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """token_ids[row] int32 from the chunks' results, no_token_id where no column is allowed; grid (B,).

    IS_DRAWN: some row draws; best_values and best_ids are read.
    """
    row = tl.program_id(0).to(tl.int64)
    chunks = tl.arange(0, CHUNKS)
    places, is_chunk = row * num_chunks + chunks, chunks < num_chunks
    values = tl.load(maxima + places, mask=is_chunk, other=-float("inf"))
    ids = tl.load(maxima_ids + places, mask=is_chunk, other=NO_COLUMN)
    maximum = tl.max(values, axis=0)
    token_id = tl.min(tl.where(values == maximum, ids, NO_COLUMN), axis=0)
    is_empty = maximum == -float("inf")
    if IS_DRAWN:  # noqa: SIM102 (known when compiled, unlike the next)
        if (tl.load(is_greedy + row).to(tl.int32) == 0) & (maximum > -float("inf")):
            noisy = tl.load(best_values + places, mask=is_chunk, other=-float("inf"))
            drawn_ids = tl.load(best_ids + places, mask=is_chunk, other=NO_COLUMN)
            token_id = tl.min(tl.where(noisy == tl.max(noisy, axis=0), drawn_ids, NO_COLUMN), axis=0)
    tl.store(token_ids + row, tl.where(is_empty, no_token_id, token_id))
