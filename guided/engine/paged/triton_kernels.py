"""Attention to pages as Triton kernels: nothing is gathered, and chunks of any length run in one launch.

As a plain loop, for token i, head h and the positions p it attends to:

    score[p] = softcapped(scaling * query[i, h] . key[p]);   output[i, h] = sum of softmax(score)[p] * value[p]

A program owns a tile: a few tokens of a chunk, with HEADS heads that share a key head. Where tiles are few, the
positions are cut in parts, a program each, whose results `merge_splits` puts together (flash-decoding). Keys and
values are read once for each tile and block of heads. Softmax and sums are in float32.
"""

from typing import Any

import triton.language as tl

from ...sampler.triton_backend.compiled import kernel, kernel_of_any

_LOG2_E = tl.constexpr(1.4426950408889634)


@kernel
def _dot(left: "Any", right: "Any", WIDENS: tl.constexpr) -> Any:
    """A product of matrices in float32; of float32 without rounding to TF32.

    WIDENS: operands become float32 first, for the interpreter, which would multiply the bits of bfloat16.
    """
    if WIDENS:
        left, right = left.to(tl.float32), right.to(tl.float32)
    return tl.dot(left, right, input_precision="ieee")


@kernel
def _scores(
    products: "Any",
    row_positions: "Any",
    columns: "Any",
    scaling: "Any",
    softcap: "Any",
    window: "Any",
    HAS_WINDOW: tl.constexpr,
    HAS_SOFTCAP: tl.constexpr,
) -> Any:
    """Scores times log2(e), -inf where a row does not attend to a column."""
    scores = products * scaling
    if HAS_SOFTCAP:
        scores = softcap * (1.0 - 2.0 / (tl.exp(2.0 * scores / softcap) + 1.0))  # tanh
    attends = columns[None, :] <= row_positions[:, None]
    if HAS_WINDOW:
        attends &= columns[None, :] > row_positions[:, None] - window
    return tl.where(attends, scores * _LOG2_E, -float("inf"))


@kernel_of_any("tiles", "positions", "token_pages", "pages", "num_tokens", "num_splits")
def attend_tiles(
    query: "Any",
    keys: "Any",
    values: "Any",
    tiles: "Any",
    positions: "Any",
    token_pages: "Any",
    pages: "Any",
    output: "Any",
    normalisers: "Any",
    query_head_stride: "Any",
    query_token_stride: "Any",
    num_tokens: "Any",
    num_splits: "Any",
    num_kv_heads: "Any",
    group: "Any",
    scaling: "Any",
    softcap: "Any",
    window: "Any",
    HAS_WINDOW: tl.constexpr,
    HAS_SOFTCAP: tl.constexpr,
    WIDENS: tl.constexpr,
    PAGE_SIZE: tl.constexpr,
    KEY_DIM: tl.constexpr,
    VALUE_DIM: tl.constexpr,
    KEY_ROOM: tl.constexpr,
    VALUE_ROOM: tl.constexpr,
    HEADS: tl.constexpr,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
    IS_SPLIT: tl.constexpr,
) -> None:
    """Grid (tiles, kv heads * blocks of HEADS heads, num_splits).

    query: (H, T, D) by its strides, the last one 1; H is num_kv_heads * group. keys, values: one layer, (pages,
    PAGE_SIZE, kv heads, D), contiguous. tiles, positions, token_pages, pages: int64, see `ForwardPlan`.
    output: (T, H, D of the values) of the query's type; if IS_SPLIT (num_splits, T, H, D) float32, each part's own
    result, and normalisers: (num_splits, T, H) float32, the base-2 logarithm of its sum of weights.
    KEY_ROOM, VALUE_ROOM, ROWS: powers of two of at least 16, KEY_DIM, VALUE_DIM and a tile's tokens times HEADS. BLOCK:
    positions that are looked at in one go, a power of two; so is HEADS.

    BOUNDS: tokens and heads beyond the tile, and positions beyond the part, are masked; `pages` holds one for each
    position of a tile. Positions that nobody wrote are never read.
    """
    tile, split = tl.program_id(0), tl.program_id(2)
    num_blocks = tl.cdiv(group, HEADS)
    kv_head = tl.program_id(1) // num_blocks
    first, count = tl.load(tiles + 2 * tile), tl.load(tiles + 2 * tile + 1).to(tl.int32)
    first_position = tl.load(positions + first).to(tl.int32)
    table = pages + tl.load(token_pages + first)

    rows = tl.arange(0, ROWS)
    offsets = rows // HEADS
    heads = tl.program_id(1) % num_blocks * HEADS + rows % HEADS
    is_row = (offsets < count) & (heads < group)
    tokens, heads, row_positions = first + offsets, kv_head * group + heads, first_position + offsets
    key_dims, value_dims = tl.arange(0, KEY_ROOM), tl.arange(0, VALUE_ROOM)
    queries = tl.load(
        query + (heads * query_head_stride + tokens * query_token_stride)[:, None] + key_dims[None, :],
        mask=is_row[:, None] & (key_dims < KEY_DIM)[None, :],
        other=0.0,
    )

    begin, end = 0, first_position + count
    if HAS_WINDOW:
        begin = tl.maximum(first_position - window + 1, 0) // BLOCK * BLOCK
    part = tl.cdiv(tl.cdiv(end - begin, BLOCK), num_splits) * BLOCK
    begin += split * part
    end = tl.minimum(end, begin + part)
    largest = tl.full((ROWS,), -float("inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    result = tl.zeros((ROWS, VALUE_ROOM), tl.float32)
    for start in range(begin, end, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        is_column = columns < end
        held = tl.load(table + columns // PAGE_SIZE, mask=is_column, other=0)
        places = (held * PAGE_SIZE + columns % PAGE_SIZE) * num_kv_heads + kv_head
        key = tl.load(
            keys + places[None, :] * KEY_DIM + key_dims[:, None],
            mask=is_column[None, :] & (key_dims < KEY_DIM)[:, None],
            other=0.0,
        )
        scores = _scores(
            _dot(queries, key, WIDENS), row_positions, columns, scaling, softcap, window, HAS_WINDOW, HAS_SOFTCAP
        )
        new_largest = tl.maximum(largest, tl.max(scores, axis=1))
        reference = tl.where(new_largest == -float("inf"), 0.0, new_largest)  # a row may attend to nothing so far
        weights = tl.exp2(scores - reference[:, None])
        shrunk = tl.exp2(largest - reference)
        value = tl.load(
            values + places[:, None] * VALUE_DIM + value_dims[None, :],
            mask=is_column[:, None] & (value_dims < VALUE_DIM)[None, :],
            other=0.0,
        )
        total = total * shrunk + tl.sum(weights, axis=1)
        result = result * shrunk[:, None] + _dot(weights.to(value.dtype), value, WIDENS)
        largest = new_largest

    result = result / tl.where(total > 0.0, total, 1.0)[:, None]
    places = (split * num_tokens + tokens) * (num_kv_heads * group) + heads
    is_result = is_row[:, None] & (value_dims < VALUE_DIM)[None, :]
    tl.store(output + places[:, None] * VALUE_DIM + value_dims[None, :], result, mask=is_result)
    if IS_SPLIT:
        tl.store(normalisers + places, largest + tl.log2(total), mask=is_row)  # -inf where it attends to nothing


@kernel
def merge_splits(
    parts: "Any",
    normalisers: "Any",
    output: "Any",
    num_rows: "Any",
    VALUE_DIM: tl.constexpr,
    VALUE_ROOM: tl.constexpr,
    SPLITS: tl.constexpr,
) -> None:
    """output[row] = the parts weighted by their sums; grid (num_rows,), the tokens' heads: T * H.

    parts: (SPLITS, num_rows, D) and normalisers: (SPLITS, num_rows), float32. SPLITS: a power of two.
    """
    row = tl.program_id(0).to(tl.int64)
    splits, dims = tl.arange(0, SPLITS), tl.arange(0, VALUE_ROOM)
    sums = tl.load(normalisers + splits * num_rows + row)
    weights = tl.exp2(sums - tl.max(sums, axis=0))
    weights = weights / tl.sum(weights, axis=0)
    part = tl.load(
        parts + (splits * num_rows + row)[:, None] * VALUE_DIM + dims[None, :],
        mask=(dims < VALUE_DIM)[None, :],
        other=0.0,
    )
    tl.store(output + row * VALUE_DIM + dims, tl.sum(weights[:, None] * part, axis=0), mask=dims < VALUE_DIM)
