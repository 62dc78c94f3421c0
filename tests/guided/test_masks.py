"""Bitmasks on logits: against the plain loop, at all widths, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from guided.grammars.bitset import BITS_PER_WORD, num_words, pack_token_ids, unpack_row
from guided.grammars.errors import InvalidInputError, VocabularyMismatchError
from guided.masks import apply_bitmask_inplace

INF = float("inf")


def random_bitmask(rows: int, vocab_size: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.stack([pack_token_ids(np.flatnonzero(rng.random(vocab_size) < 0.5), vocab_size) for _ in range(rows)])


def apply_bitmask_reference_inplace(logits: torch.Tensor, bitmask: np.ndarray) -> None:
    """The same as `apply_bitmask_inplace`, token by token: slow, and plain enough to hold others against."""
    for row, row_words in zip(logits, bitmask, strict=True):
        allowed = unpack_row(np.ascontiguousarray(row_words), row_words.size * BITS_PER_WORD)
        for token_id in range(row.shape[0]):
            if token_id >= allowed.size or not allowed[token_id]:
                row[token_id] = -INF


@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize("vocab_size", [1, 31, 32, 33, 64, 100])
@pytest.mark.parametrize("extra_columns", [0, 1, 40, 100])
@pytest.mark.parametrize("as_torch", [False, True])
def test_equals_the_reference(rows: int, vocab_size: int, extra_columns: int, as_torch: bool) -> None:
    bitmask = random_bitmask(rows, vocab_size)
    logits = torch.randn(rows, vocab_size + extra_columns, generator=torch.Generator().manual_seed(1))
    expected = logits.clone()
    apply_bitmask_reference_inplace(expected, bitmask)
    apply_bitmask_inplace(logits, torch.from_numpy(bitmask) if as_torch else bitmask)
    assert torch.equal(logits, expected)


def test_allows_exactly_the_set_bits_and_keeps_their_values() -> None:
    logits = torch.arange(70, dtype=torch.float32).repeat(2, 1)
    bitmask = np.stack([pack_token_ids([0, 31, 32, 63, 64], 65), pack_token_ids([5], 65)])
    apply_bitmask_inplace(logits, bitmask)
    assert [torch.isfinite(row).nonzero().flatten().tolist() for row in logits] == [[0, 31, 32, 63, 64], [5]]
    assert logits[0, 63] == 63.0


@pytest.mark.parametrize("bits", [0, -1])
def test_all_and_none_allowed(bits: int) -> None:
    logits = torch.zeros(1, 96)
    apply_bitmask_inplace(logits, np.full((1, 2), bits, dtype=np.int32))
    assert torch.isfinite(logits).sum() == (64 if bits else 0)
    assert torch.all(logits[:, 64:] == -INF)


def test_bans_nan_and_inf_too() -> None:
    logits = torch.tensor([[float("nan"), INF, 1.0, float("nan")]])
    apply_bitmask_inplace(logits, pack_token_ids([2, 3], 4)[None])
    assert logits[0, :3].tolist() == [-INF, -INF, 1.0]
    assert logits[0, 3].isnan()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_float_types(dtype: torch.dtype) -> None:
    logits = torch.ones(1, 8, dtype=dtype)
    apply_bitmask_inplace(logits, pack_token_ids([3], 8)[None])
    assert logits.dtype == dtype
    assert logits[0].tolist() == [-INF] * 3 + [1.0] + [-INF] * 4


def test_works_on_views_of_both() -> None:
    storage, bitmask = torch.zeros(4, 80), random_bitmask(4, 64)
    expected = torch.zeros(2, 40)
    apply_bitmask_reference_inplace(expected, bitmask[::2])
    apply_bitmask_inplace(storage[::2, ::2], bitmask[::2])
    assert torch.equal(storage[::2, ::2], expected)
    assert torch.all(storage[1::2] == 0)
    assert torch.all(storage[:, 1::2] == 0)


def test_refuses_what_does_not_fit() -> None:
    apply = apply_bitmask_inplace
    bitmask = np.zeros((2, 2), dtype=np.int32)
    with pytest.raises(InvalidInputError, match="2 rows and the logits 3"):
        apply(torch.zeros(3, 64), bitmask)
    with pytest.raises(InvalidInputError, match="int32"):
        apply(torch.zeros(2, 64), bitmask.astype(np.int64))
    with pytest.raises(InvalidInputError, match="bitmask must be"):
        apply(torch.zeros(2, 64), bitmask[0])
    with pytest.raises(InvalidInputError, match="logits must be"):
        apply(torch.zeros(64), bitmask)
    with pytest.raises(InvalidInputError, match="logits must be"):
        apply(torch.zeros(2, 64, dtype=torch.int64), bitmask)
    with pytest.raises(VocabularyMismatchError, match="64 tokens, but the logits have only 32"):
        apply(torch.zeros(2, 32), bitmask)


def test_last_word_may_be_partial() -> None:
    assert num_words(33) == 2
    logits = torch.zeros(1, 33)
    apply_bitmask_inplace(logits, np.full((1, 2), -1, dtype=np.int32))
    assert torch.all(logits == 0)
