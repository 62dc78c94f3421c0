"""The layout of bitmasks: words, bits, padding."""

from __future__ import annotations

import numpy as np
import pytest

from guided.grammars.bitset import (
    allocate_bitmask,
    allowed_token_ids,
    check_bitmask,
    num_words,
    pack_token_ids,
    unpack_row,
)
from guided.grammars.errors import InvalidInputError

SIZES = (1, 31, 32, 33, 64, 1000)


@pytest.mark.parametrize("vocab_size", SIZES)
def test_one_bit_for_each_token(vocab_size: int) -> None:
    assert num_words(vocab_size) * 32 >= vocab_size > (num_words(vocab_size) - 1) * 32
    assert allocate_bitmask(3, vocab_size).shape == (3, num_words(vocab_size))


@pytest.mark.parametrize("vocab_size", SIZES)
def test_bit_j_of_word_w_is_token_32w_plus_j(vocab_size: int) -> None:
    for token_id in {0, vocab_size // 2, vocab_size - 1}:
        row = pack_token_ids([token_id], vocab_size)
        assert row.dtype == np.int32
        assert row.shape == (num_words(vocab_size),)
        words = row.view(np.uint32)
        assert int(words[token_id // 32]) == 1 << token_id % 32
        assert np.count_nonzero(words) == 1


@pytest.mark.parametrize("vocab_size", SIZES)
def test_pack_then_unpack(vocab_size: int) -> None:
    token_ids = np.flatnonzero(np.random.default_rng(vocab_size).random(vocab_size) < 0.5)
    row = pack_token_ids(token_ids, vocab_size)
    assert np.array_equal(allowed_token_ids(row, vocab_size), token_ids)
    assert unpack_row(row, vocab_size).sum() == len(token_ids)


def test_bits_past_the_vocabulary_are_zero() -> None:
    row = pack_token_ids(np.arange(33), 33)
    assert row.view(np.uint32).tolist() == [0xFFFFFFFF, 1]


def test_no_tokens() -> None:
    assert not pack_token_ids([], 40).any()


@pytest.mark.parametrize(
    ("bitmask", "row", "word"),
    [
        (np.zeros((2, 2), dtype=np.int64), 0, "int64"),
        (np.zeros((2, 3), dtype=np.int32), 0, r"\(2, 3\)"),
        (np.zeros(2, dtype=np.int32), 0, r"\(2,\)"),
        ([[0, 0]], 0, "list"),
        (np.zeros((2, 2), dtype=np.int32), 2, "row 2"),
        (np.zeros((2, 2), dtype=np.int32), -1, "row -1"),
    ],
)
def test_wrong_bitmask_is_refused(bitmask: np.ndarray, row: int, word: str) -> None:
    with pytest.raises(InvalidInputError, match=word):
        check_bitmask(bitmask, row, 40)
    check_bitmask(allocate_bitmask(2, 40), 1, 40)
