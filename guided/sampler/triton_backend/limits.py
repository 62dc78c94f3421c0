"""Top-k and top-p of a whole row without sorting: how far down the filters keep columns, found by a search of keys.

Every filter keeps a prefix of the columns in the order (scaled logit falling, id rising). So a row's filters are one
limit: columns of smaller keys than limit_key are kept, and those of that key up to limit_id. The bits of floats read as
integers are in the order of the floats, so a search among keys finds a threshold exactly, whatever the logits are: 16
keys are tried in each pass over the row, so that 8 passes are enough (16 for float64).

In most rows a few columns hold all that is needed, and `candidates` finds it there; this is for the others.
"""

from typing import Any

import triton.language as tl

from .compiled import kernel
from .loading import NO_COLUMN, inf_key, keys_of, load_masked, logits_of_key, scale


@kernel
def _load_scaled(
    logits_row: "Any",
    words_row: "Any",
    start: "Any",
    num_columns: "Any",
    num_words: "Any",
    maximum: "Any",
    temperature: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
) -> Any:
    columns = start + tl.arange(0, BLOCK)
    return scale(load_masked(logits_row, words_row, columns, num_columns, num_words, IS_MASKED), maximum, temperature)


@kernel
def _tried_keys(below: "Any", limit_key: "Any", TRIED: tl.constexpr) -> Any:
    """TRIED keys above `below`, evenly apart, up to limit_key."""
    step = (limit_key - below + (TRIED - 1)) // TRIED
    return tl.minimum(below + step * (tl.arange(0, TRIED) + 1).to(below.dtype), limit_key)


@kernel
def _counts_to(
    keys: "Any",
    logits_row: "Any",
    words_row: "Any",
    num_columns: "Any",
    num_words: "Any",
    maximum: "Any",
    temperature: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
    TRIED: tl.constexpr,
) -> Any:
    """How many columns have keys up to each of these, int32 (TRIED,)."""
    counts = tl.zeros((BLOCK, TRIED), tl.int32)
    for start in range(0, num_columns, BLOCK):
        scaled = _load_scaled(
            logits_row, words_row, start, num_columns, num_words, maximum, temperature, IS_MASKED, BLOCK
        )
        counts += (keys_of(scaled)[:, None] <= keys[None, :]).to(tl.int32)
    return tl.sum(counts, axis=0)


@kernel
def _masses_to(
    keys: "Any",
    logits_row: "Any",
    words_row: "Any",
    num_columns: "Any",
    num_words: "Any",
    maximum: "Any",
    temperature: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
    TRIED: tl.constexpr,
) -> Any:
    """The mass, relative to the most probable column, of columns with keys up to each of these, float64 (TRIED,)."""
    masses = tl.zeros((BLOCK, TRIED), tl.float64)
    for start in range(0, num_columns, BLOCK):
        scaled = _load_scaled(
            logits_row, words_row, start, num_columns, num_words, maximum, temperature, IS_MASKED, BLOCK
        )
        weights = tl.exp(scaled.to(tl.float64))
        masses += tl.where(keys_of(scaled)[:, None] <= keys[None, :], weights[:, None], 0.0)
    return tl.sum(masses, axis=0)


@kernel
def _column_of_tie(
    key: "Any",
    number: "Any",
    logits_row: "Any",
    words_row: "Any",
    num_columns: "Any",
    num_words: "Any",
    maximum: "Any",
    temperature: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
) -> Any:
    """The number-th column, from 1, that has this key; NO_COLUMN when there are fewer."""
    found, count = tl.full((), NO_COLUMN, tl.int32), tl.zeros((), tl.int32)
    for start in range(0, num_columns, BLOCK):
        scaled = _load_scaled(
            logits_row, words_row, start, num_columns, num_words, maximum, temperature, IS_MASKED, BLOCK
        )
        is_tie = (keys_of(scaled) == key).to(tl.int32)
        ordinals = count + tl.cumsum(is_tie, axis=0)
        columns = start + tl.arange(0, BLOCK)
        wanted = (is_tie != 0) & (ordinals == number)
        found = tl.minimum(found, tl.min(tl.where(wanted, columns, NO_COLUMN), axis=0))
        count += tl.sum(is_tie, axis=0)
    return found


@kernel
def num_ties_kept(needed: "Any", before: "Any", key: "Any", num_columns: "Any") -> Any:
    """How many columns of this key a nucleus takes, int32, at least 1: until the mass `before` them reaches needed."""
    num_ties = tl.ceil((needed - before) / tl.exp(logits_of_key(key).to(tl.float64)))
    return tl.minimum(tl.maximum(num_ties, 1.0), tl.full((), num_columns, tl.float64)).to(tl.int32)


@kernel
def search_row(
    logits_row: "Any",
    words_row: "Any",
    num_columns: "Any",
    num_words: "Any",
    maximum: "Any",
    temperature: "Any",
    top_k: "Any",
    top_p: "Any",
    is_joint: "Any",
    kept_share: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
    TRIED: tl.constexpr,
) -> Any:
    """limit_key, int32 or int64 like the keys, and limit_id, int32, of one row that has an allowed column."""
    limit_key, limit_id = inf_key(maximum), tl.full((), NO_COLUMN, tl.int32)
    if top_k < num_columns:
        below = limit_key * 0 - 1  # fewer than top_k columns up to `below`, at least as many up to limit_key
        while limit_key - below > 1:
            keys = _tried_keys(below, limit_key, TRIED)
            counts = _counts_to(
                keys, logits_row, words_row, num_columns, num_words, maximum, temperature, IS_MASKED, BLOCK, TRIED
            )
            is_short = (counts < top_k) & (keys < limit_key)
            below = tl.max(tl.where(is_short, keys, below), axis=0)
            limit_key = tl.min(tl.where(is_short, limit_key, keys), axis=0)
    if top_p < 1.0:
        nucleus_key = tl.where(is_joint, inf_key(maximum), limit_key)
        keys = tl.zeros((TRIED,), limit_key.dtype) + nucleus_key
        masses = _masses_to(
            keys, logits_row, words_row, num_columns, num_words, maximum, temperature, IS_MASKED, BLOCK, TRIED
        )
        needed = top_p.to(tl.float64) * kept_share * tl.max(masses, axis=0)
        below, before = limit_key * 0 - 1, tl.zeros((), tl.float64)  # the mass up to `below` falls short
        while nucleus_key - below > 1:
            keys = _tried_keys(below, nucleus_key, TRIED)
            masses = _masses_to(
                keys, logits_row, words_row, num_columns, num_words, maximum, temperature, IS_MASKED, BLOCK, TRIED
            )
            is_short = ((masses < needed) | (masses <= 0.0)) & (keys < nucleus_key)
            below = tl.max(tl.where(is_short, keys, below), axis=0)
            before = tl.maximum(before, tl.max(tl.where(is_short, masses, 0.0), axis=0))
            nucleus_key = tl.min(tl.where(is_short, nucleus_key, keys), axis=0)
        if nucleus_key <= limit_key:
            limit_key = nucleus_key
            limit_id = _column_of_tie(
                nucleus_key, num_ties_kept(needed, before, nucleus_key, num_columns), logits_row, words_row,
                num_columns, num_words, maximum, temperature, IS_MASKED, BLOCK,
            )  # fmt: skip
    return limit_key, limit_id
