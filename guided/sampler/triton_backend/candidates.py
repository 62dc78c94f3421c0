"""Top-k, top-p and the draw of a row from its most probable columns alone, held in registers.

The maxima of groups of columns, made on the first pass over the logits, show where to look: at least k columns are as
large as the k-th largest of these maxima, so all of the top k are in the groups that reach it. Those groups are read
again, a few KiB a row, and searched where they lie. A row with top-p alone looks at as many groups as there is room
for. Where that is not enough (a flat distribution, or a top_k beyond the room), `limits.search_row` finds the limit in
the whole row.
"""

from typing import Any

import triton.language as tl

from .compiled import kernel
from .draw import best_with_noise, least_kept
from .hashing import stream_states
from .limits import num_ties_kept, search_row
from .loading import NO_COLUMN, inf_key, keys_of, load_masked, row_maximum, scale


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
    DRAWS: tl.constexpr,
) -> None:
    """limit_keys[row], int32 or int64 like the keys, and limit_ids[row], int32; grid (B,). A program owns a row.

    group_maxima: (B, num_groups) and masses: (B, num_chunks) from `maxima`. listed: (B, LISTED) int32, scratch.
    Where a row can be drawn from its candidates and DRAWS, its limit_key becomes -1 and best_values[row, 0] and
    best_ids[row, 0] its token; the rest of best_values[row] becomes -inf.
    """
    row = tl.program_id(0).to(tl.int64)
    logits_row, words_row, listed_row = logits + row * logits_stride, words + row * words_stride, listed + row * LISTED
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
            values = load_masked(logits_row, words_row, columns, num_columns, num_words, IS_MASKED)
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
            if is_found & DRAWS:
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
                logits_row, words_row, num_columns, num_words, maximum, temperature, top_k, top_p, joint, kept_share,
                IS_MASKED, BLOCK, TRIED,
            )  # fmt: skip
    tl.store(limit_keys + row, limit_key)
    tl.store(limit_ids + row, limit_id)
