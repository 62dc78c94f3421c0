"""Log-probabilities of a token and of the most probable ones, and a mask's share of the mass: a pass over the logits.

As a plain loop: normaliser = log(sum(exp(logits))); rank = 1 + how many logits are larger than the token's; then the
K largest logits. The first kernel leaves a maximum, a sum and a count for each chunk, and the maxima of groups; the
second combines them for a row, and looks for the K largest in the K groups with the largest maxima.
"""

from typing import Any

import triton.language as tl

from .compiled import kernel
from .limits import key_of_count
from .rows import NO_COLUMN, load_masked, row_maximum

_HIGHEST_KEY = tl.constexpr(2**32)


@kernel
def _order_keys(values: "Any") -> Any:
    """int64 keys of float32 values of any sign: the larger the value, the smaller its key, from 0 to 2**32."""
    bits = values.to(tl.int32, bitcast=True)
    return 2147483647 - (bits ^ ((bits >> 31) & 0x7FFFFFFF)).to(tl.int64)


@kernel
def score_chunks(
    logits: "Any",
    logits_stride: "Any",
    num_columns: "Any",
    own_ids: "Any",
    maxima: "Any",
    sums: "Any",
    num_above: "Any",
    num_chunks: "Any",
    group_maxima: "Any",
    CHUNK: tl.constexpr,
    GROUP: tl.constexpr,
) -> None:
    """For each chunk: maximum and sum(exp(logits - maximum)), float32; the number of larger logits than own, int32.

    logits: (B, V) float32 or half precision. own_ids: (B,) int64, not negative. maxima, sums, num_above:
    (B, num_chunks). group_maxima: (B, num_groups) float32. Grid (B, num_chunks). Reads B * V logits.
    """
    row, chunk = tl.program_id(0).to(tl.int64), tl.program_id(1)
    columns = chunk * CHUNK + tl.arange(0, CHUNK)
    source = (logits + row * logits_stride, logits, num_columns, 0)
    values = load_masked(source, columns, False)
    own = load_masked(source, tl.load(own_ids + row).to(tl.int32), False)
    maximum = tl.max(values, axis=0)
    powers = tl.exp(values - tl.where(maximum > -float("inf"), maximum, 0.0))
    place = row * num_chunks + chunk
    tl.store(maxima + place, maximum)
    tl.store(sums + place, tl.sum(powers, axis=0))
    tl.store(num_above + place, tl.sum((values > own).to(tl.int32), axis=0))
    groups = tl.max(tl.reshape(values, (CHUNK // GROUP, GROUP)), axis=1)
    tl.store(group_maxima + place * (CHUNK // GROUP) + tl.arange(0, CHUNK // GROUP), groups)


@kernel
def score_rows(
    logits: "Any",
    logits_stride: "Any",
    num_columns: "Any",
    own_ids: "Any",
    maxima: "Any",
    sums: "Any",
    num_above: "Any",
    num_chunks: "Any",
    group_maxima: "Any",
    num_groups: "Any",
    listed: "Any",
    normalisers: "Any",
    chosen: "Any",
    ranks: "Any",
    top_ids: "Any",
    top_logprobs: "Any",
    num_top: "Any",
    CHUNKS: tl.constexpr,
    GROUP: tl.constexpr,
    GROUPS: tl.constexpr,
    LISTED: tl.constexpr,
) -> None:
    """normalisers, chosen (B,) float32, ranks (B,) int64, top_ids (B, K) int32, top_logprobs (B, K) float32; grid (B,).

    listed: (B, LISTED) int32, scratch; LISTED is at least num_top. Among equal logits the first columns are taken.
    """
    row = tl.program_id(0).to(tl.int64)
    source, listed_row = (logits + row * logits_stride, logits, num_columns, 0), listed + row * LISTED
    chunks = tl.arange(0, CHUNKS)
    is_chunk, places = chunks < num_chunks, row * num_chunks + chunks
    highest = row_maximum(maxima + row * num_chunks, num_chunks, CHUNKS)
    harmless = tl.where(highest > -float("inf"), highest, 0.0)
    shares = tl.exp(tl.load(maxima + places, mask=is_chunk, other=-float("inf")) - harmless)
    normaliser = tl.log(tl.sum(shares * tl.load(sums + places, mask=is_chunk, other=0.0), axis=0)) + harmless
    own = load_masked(source, tl.load(own_ids + row).to(tl.int32), False)
    above = tl.sum(tl.load(num_above + places, mask=is_chunk, other=0), axis=0)
    tl.store(normalisers + row, normaliser)
    tl.store(chosen + row, own - normaliser)
    tl.store(ranks + row, above.to(tl.int64) + 1)
    if num_top > 0:
        groups = tl.arange(0, GROUPS)
        tops = tl.load(group_maxima + row * num_groups + groups, mask=groups < num_groups, other=-float("inf"))
        keys = tl.where(groups < num_groups, _order_keys(tops), _HIGHEST_KEY)
        last_key = key_of_count(keys, num_top, tl.full((), _HIGHEST_KEY, tl.int64))
        is_above, is_tie = keys < last_key, (keys == last_key) & (groups < num_groups)
        num_above_last = tl.sum(is_above.to(tl.int32), axis=0)
        tie_places = num_above_last + tl.cumsum(is_tie.to(tl.int32), axis=0) - 1
        group_places = tl.where(is_above, tl.cumsum(is_above.to(tl.int32), axis=0) - 1, tie_places)
        tl.store(listed_row + group_places, groups, mask=(is_above | is_tie) & (group_places < LISTED))
        tl.debug_barrier()
        num_listed = tl.minimum(num_above_last + tl.sum(is_tie.to(tl.int32), axis=0), LISTED)
        at = tl.arange(0, LISTED * GROUP)
        is_listed = at // GROUP < num_listed
        columns = tl.load(listed_row + at // GROUP, mask=is_listed, other=0) * GROUP + at % GROUP
        columns = tl.where(is_listed & (columns < num_columns), columns, NO_COLUMN)
        left = load_masked(source, columns, False)
        for place in range(num_top):
            value = tl.max(left, axis=0)
            column = tl.min(tl.where(left == value, columns, NO_COLUMN), axis=0)
            tl.store(top_ids + row * num_top + place, column)
            tl.store(top_logprobs + row * num_top + place, value - normaliser)
            columns = tl.where(columns == column, NO_COLUMN, columns)
            left = tl.where(columns == NO_COLUMN, -float("inf"), left)


@kernel
def sum_banned_chunks(
    logits: "Any",
    logits_stride: "Any",
    words: "Any",
    words_stride: "Any",
    num_columns: "Any",
    num_words: "Any",
    maxima: "Any",
    sums: "Any",
    banned_sums: "Any",
    num_chunks: "Any",
    CHUNK: tl.constexpr,
) -> None:
    """For each chunk of the unmasked logits: maximum, sum(exp(logits - maximum)), and that sum over banned columns.

    logits: (B, V) float32 or half precision. maxima, sums, banned_sums: (B, num_chunks) float32. Grid (B, num_chunks).
    """
    row, chunk = tl.program_id(0).to(tl.int64), tl.program_id(1)
    columns = chunk * CHUNK + tl.arange(0, CHUNK)
    words_row = words + row * words_stride
    values = load_masked((logits + row * logits_stride, words_row, num_columns, num_words), columns, False)
    maximum = tl.max(values, axis=0)
    powers = tl.exp(values - tl.where(maximum > -float("inf"), maximum, 0.0))
    row_words = tl.load(words_row + (columns >> 5), mask=(columns >> 5) < num_words, other=0)
    is_banned = ((row_words >> (columns & 31)) & 1) == 0
    place = row * num_chunks + chunk
    tl.store(maxima + place, maximum)
    tl.store(sums + place, tl.sum(powers, axis=0))
    tl.store(banned_sums + place, tl.sum(tl.where(is_banned, powers, 0.0), axis=0))
