"""Top-k and top-p of a row without sorting: how far down the filters keep columns.

Every filter keeps a prefix of the columns in the order (scaled logit falling, id rising). A row's filters are therefore
one limit: columns of smaller keys than limit_key are kept, and columns of that key up to limit_id.

The filters of most rows depend on a few columns (`find_limits`). The first pass over the logits computes the maxima of
groups of columns. At least k columns are as large as the k-th largest of these maxima, so all of the top k are in the
groups that reach it. The kernel reads those groups again, a few KiB a row, searches them in registers, and draws the
row's token from them. For a row with top-p alone, it reads as many groups as there is room for.

If these groups are not enough (a flat distribution, or a large top_k), `search_row` searches the whole row. The bits of
floats, read as integers, have the order of the floats. A search among such keys therefore finds a threshold exactly,
whatever the logits are. Each pass over the row tries 16 keys, so 8 passes are enough (16 for float64).
"""

from typing import Any

import triton.language as tl

from .compiled import kernel
from .passes import best_with_noise, least_kept
from .rows import NO_COLUMN, inf_key, keys_of, load_masked, logits_of_key, row_maximum, scale, stream_states


@kernel
def _load_scaled(source: "Any", scaling: "Any", columns: "Any", IS_MASKED: tl.constexpr) -> Any:
    """scaling: the row's maximum and its temperature."""
    return scale(load_masked(source, columns, IS_MASKED), scaling[0], scaling[1])


@kernel
def _tried_keys(below: "Any", limit_key: "Any", TRIED: tl.constexpr) -> Any:
    """TRIED keys above `below`, evenly apart, up to limit_key."""
    step = (limit_key - below + (TRIED - 1)) // TRIED
    return tl.minimum(below + step * (tl.arange(0, TRIED) + 1).to(below.dtype), limit_key)


@kernel
def _counts_to(
    keys: "Any",
    source: "Any",
    scaling: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
    TRIED: tl.constexpr,
) -> Any:
    """For each of `keys` the number of columns whose key is at most this, int32 (TRIED,)."""
    counts = tl.zeros((BLOCK, TRIED), tl.int32)
    for start in range(0, source[2], BLOCK):
        scaled = _load_scaled(source, scaling, start + tl.arange(0, BLOCK), IS_MASKED)
        counts += (keys_of(scaled)[:, None] <= keys[None, :]).to(tl.int32)
    return tl.sum(counts, axis=0)


@kernel
def _masses_to(
    keys: "Any",
    source: "Any",
    scaling: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
    TRIED: tl.constexpr,
) -> Any:
    """For each of `keys` the mass of columns whose key is at most this, float64 (TRIED,); 1 for the best column."""
    masses = tl.zeros((BLOCK, TRIED), tl.float64)
    for start in range(0, source[2], BLOCK):
        scaled = _load_scaled(source, scaling, start + tl.arange(0, BLOCK), IS_MASKED)
        weights = tl.exp(scaled.to(tl.float64))
        masses += tl.where(keys_of(scaled)[:, None] <= keys[None, :], weights[:, None], 0.0)
    return tl.sum(masses, axis=0)


@kernel
def _column_of_tie(
    key: "Any",
    number: "Any",
    source: "Any",
    scaling: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
) -> Any:
    """The number-th column, from 1, that has this key; NO_COLUMN when there are fewer."""
    found, count = tl.full((), NO_COLUMN, tl.int32), tl.zeros((), tl.int32)
    for start in range(0, source[2], BLOCK):
        scaled = _load_scaled(source, scaling, start + tl.arange(0, BLOCK), IS_MASKED)
        is_tie = (keys_of(scaled) == key).to(tl.int32)
        ordinals = count + tl.cumsum(is_tie, axis=0)
        columns = start + tl.arange(0, BLOCK)
        wanted = (is_tie != 0) & (ordinals == number)
        found = tl.minimum(found, tl.min(tl.where(wanted, columns, NO_COLUMN), axis=0))
        count += tl.sum(is_tie, axis=0)
    return found


@kernel
def num_ties_kept(needed: "Any", before: "Any", key: "Any", num_columns: "Any") -> Any:
    """The number of columns with this key that a nucleus takes, int32, at least 1.

    before: mass of the columns with better keys. needed: mass that the nucleus must reach.
    """
    num_ties = tl.ceil((needed - before) / tl.exp(logits_of_key(key).to(tl.float64)))
    return tl.minimum(tl.maximum(num_ties, 1.0), tl.full((), num_columns, tl.float64)).to(tl.int32)


@kernel
def search_row(
    source: "Any",
    scaling: "Any",
    top_k: "Any",
    top_p: "Any",
    is_joint: "Any",
    kept_share: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
    TRIED: tl.constexpr,
) -> Any:
    """limit_key, int32 or int64 like the keys, and limit_id, int32, of one row that has an allowed column."""
    maximum, num_columns = scaling[0], source[2]
    limit_key, limit_id = inf_key(maximum), tl.full((), NO_COLUMN, tl.int32)
    if top_k < num_columns:
        below = limit_key * 0 - 1  # fewer than top_k columns up to `below`, at least as many up to limit_key
        while limit_key - below > 1:
            keys = _tried_keys(below, limit_key, TRIED)
            counts = _counts_to(keys, source, scaling, IS_MASKED, BLOCK, TRIED)
            is_short = (counts < top_k) & (keys < limit_key)
            below = tl.max(tl.where(is_short, keys, below), axis=0)
            limit_key = tl.min(tl.where(is_short, limit_key, keys), axis=0)
    if top_p < 1.0:
        nucleus_key = tl.where(is_joint, inf_key(maximum), limit_key)
        keys = tl.zeros((TRIED,), limit_key.dtype) + nucleus_key
        masses = _masses_to(keys, source, scaling, IS_MASKED, BLOCK, TRIED)
        needed = top_p.to(tl.float64) * kept_share * tl.max(masses, axis=0)
        below, before = limit_key * 0 - 1, tl.zeros((), tl.float64)  # the mass up to `below` falls short
        while nucleus_key - below > 1:
            keys = _tried_keys(below, nucleus_key, TRIED)
            masses = _masses_to(keys, source, scaling, IS_MASKED, BLOCK, TRIED)
            is_short = ((masses < needed) | (masses <= 0.0)) & (keys < nucleus_key)
            below = tl.max(tl.where(is_short, keys, below), axis=0)
            before = tl.maximum(before, tl.max(tl.where(is_short, masses, 0.0), axis=0))
            nucleus_key = tl.min(tl.where(is_short, nucleus_key, keys), axis=0)
        if nucleus_key <= limit_key:
            limit_key = nucleus_key
            number = num_ties_kept(needed, before, nucleus_key, num_columns)
            limit_id = _column_of_tie(nucleus_key, number, source, scaling, IS_MASKED, BLOCK)
    return limit_key, limit_id


@kernel
def key_of_count(keys: "Any", number: "Any", highest: "Any") -> Any:
    """The smallest key that at least `number` of the keys don't exceed; `highest` when there is none below it."""
    below = highest * 0 - 1
    while highest - below > 1:
        middle = below + (highest - below) // 2
        is_short = tl.sum((keys <= middle).to(tl.int32), axis=0) < number
        below, highest = tl.where(is_short, middle, below), tl.where(is_short, highest, middle)
    return highest


@kernel
def _key_of_mass(keys: "Any", weights: "Any", needed: "Any", highest: "Any") -> Any:
    """The smallest key such that the weights of keys up to it reach `needed`, and the weights before it."""
    below, before = highest * 0 - 1, tl.zeros((), tl.float64)
    while highest - below > 1:
        middle = below + (highest - below) // 2
        mass = tl.sum(tl.where(keys <= middle, weights, 0.0), axis=0)
        is_short = (mass < needed) | (mass <= 0.0)
        below, before = tl.where(is_short, middle, below), tl.where(is_short, mass, before)
        highest = tl.where(is_short, highest, middle)
    return highest, before


@kernel
def _listed_groups(keys: "Any", lowest_key: "Any", listed: "Any", num_listed: "Any", GROUPS: tl.constexpr) -> None:
    """listed[...] = the groups with keys up to lowest_key, rising. BOUNDS: the caller has checked that they fit."""
    is_listed = keys <= lowest_key
    places = tl.cumsum(is_listed.to(tl.int32), axis=0) - 1
    tl.store(listed + places, tl.arange(0, GROUPS), mask=is_listed & (places < num_listed))


@kernel
def find_limits(
    logits: "Any",
    logits_stride: "Any",
    words: "Any",
    words_stride: "Any",
    num_columns: "Any",
    num_words: "Any",
    maxima: "Any",
    num_chunks: "Any",
    group_maxima: "Any",
    num_groups: "Any",
    masses: "Any",
    temperatures: "Any",
    top_ks: "Any",
    top_ps: "Any",
    min_ps: "Any",
    seeds: "Any",
    positions: "Any",
    is_greedy: "Any",
    is_joint: "Any",
    listed: "Any",
    limit_keys: "Any",
    limit_ids: "Any",
    best_values: "Any",
    best_ids: "Any",
    kept_share: "Any",
    IS_MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
    CHUNKS: tl.constexpr,
    TRIED: tl.constexpr,
    GROUP: tl.constexpr,
    GROUPS: tl.constexpr,
    LISTED: tl.constexpr,
) -> None:
    """limit_keys[row], int32 or int64 like the keys, and limit_ids[row], int32; grid (B,). A program owns a row.

    group_maxima: (B, num_groups) and masses: (B, num_chunks) from `maxima`. listed: (B, LISTED) int32, scratch.
    If the candidates are enough to draw a row's token, limit_keys[row] becomes -1. best_values[row, 0] and
    best_ids[row, 0] then have the token, and the rest of best_values[row] becomes -inf.
    """
    row = tl.program_id(0).to(tl.int64)
    source = (logits + row * logits_stride, words + row * words_stride, num_columns, num_words)
    listed_row = listed + row * LISTED
    maximum = row_maximum(maxima + row * num_chunks, num_chunks, CHUNKS)
    temperature, top_k, top_p = tl.load(temperatures + row), tl.load(top_ks + row), tl.load(top_ps + row)
    joint = tl.load(is_joint + row).to(tl.int32) != 0
    has_top_k, has_top_p = top_k < num_columns, top_p < 1.0
    limit_key, limit_id = inf_key(maximum), tl.full((), NO_COLUMN, tl.int32)
    is_drawn = (tl.load(is_greedy + row).to(tl.int32) == 0) & (maximum > -float("inf"))
    if is_drawn & (has_top_k | has_top_p):
        is_found = False
        groups = tl.arange(0, GROUPS)
        tops = tl.load(group_maxima + row * num_groups + groups, mask=groups < num_groups, other=-float("inf"))
        group_keys = keys_of(scale(tops, maximum, temperature))
        wanted = tl.where(has_top_k, top_k, LISTED)
        lowest_key = key_of_count(group_keys, wanted, inf_key(maximum) - 1)
        num_listed = tl.sum((group_keys <= lowest_key).to(tl.int32), axis=0)
        if num_listed <= LISTED:
            _listed_groups(group_keys, lowest_key, listed_row, num_listed, GROUPS)
            tl.debug_barrier()
            places = tl.arange(0, LISTED * GROUP)
            is_listed = places // GROUP < num_listed
            groups_at = tl.load(listed_row + places // GROUP, mask=is_listed, other=0)
            columns = tl.where(is_listed, groups_at * GROUP + places % GROUP, NO_COLUMN)
            values = load_masked(source, columns, IS_MASKED)
            scaled = scale(values, maximum, temperature)
            scaled = tl.where(keys_of(scaled) <= lowest_key, scaled, -float("inf"))
            keys = keys_of(scaled)
            is_found = True
            if has_top_k:
                limit_key = key_of_count(keys, top_k, limit_key)
            if has_top_p:
                weights = tl.exp(scaled.to(tl.float64))
                weights = tl.where(keys <= limit_key, weights, 0.0)
                held = tl.sum(weights, axis=0)
                chunks = tl.arange(0, CHUNKS)
                total = tl.sum(tl.load(masses + row * num_chunks + chunks, mask=chunks < num_chunks, other=0.0), axis=0)
                total = tl.where(has_top_k & (joint == 0), held, total)
                needed = top_p.to(tl.float64) * kept_share * total
                if held >= needed:
                    limit_key, before = _key_of_mass(keys, weights, needed, limit_key)
                    number = num_ties_kept(needed, before, limit_key, num_columns)
                    is_tie = keys == limit_key
                    is_last = is_tie & (tl.cumsum(is_tie.to(tl.int32), axis=0) == number)
                    limit_id = tl.min(tl.where(is_last, columns, NO_COLUMN), axis=0)
                else:
                    is_found = has_top_k
            if is_found:
                least, lowest = least_kept(tl.load(min_ps + row), kept_share)
                keeps = (keys < limit_key) | ((keys == limit_key) & (columns <= limit_id))
                keeps &= scaled.to(tl.float64) >= lowest
                state = stream_states(tl.load(seeds + row), tl.load(positions + row))
                best, best_id = best_with_noise(scaled, keeps, columns, state, least)
                chunks = tl.arange(0, CHUNKS)
                is_chunk, chunk_places = chunks < num_chunks, row * num_chunks + chunks
                tl.store(best_values + chunk_places, tl.where(chunks == 0, best, -float("inf")), mask=is_chunk)
                tl.store(best_ids + chunk_places, tl.where(chunks == 0, best_id, NO_COLUMN), mask=is_chunk)
                limit_key = limit_key * 0 - 1
        if is_found == 0:
            limit_key, limit_id = search_row(
                source, (maximum, temperature), top_k, top_p, joint, kept_share, IS_MASKED, BLOCK, TRIED
            )
    tl.store(limit_keys + row, limit_key)
    tl.store(limit_ids + row, limit_id)
