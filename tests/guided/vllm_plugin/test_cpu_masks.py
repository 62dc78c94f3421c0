"""Masks on a CPU: as a plain loop does it, for all shapes and however many tokens are allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from guided.integrations.vllm.on_cpu import _in_order, apply_bitmask


def plain(logits: torch.Tensor, bitmask: torch.Tensor, vocab_size: int | None, indices: Any) -> None:
    size = min(logits.shape[1], 32 * bitmask.shape[1], vocab_size or 1 << 60)
    for row in range(len(logits)) if indices is None else [int(index) for index in indices]:
        for token_id in range(size):
            if not int(bitmask[row, token_id >> 5]) >> (token_id & 31) & 1:
                logits[row, token_id] = -torch.inf


@pytest.mark.parametrize("vocab_size", [None, 70])
@pytest.mark.parametrize("indices", [None, [0, 2], torch.tensor([1]), []])
@pytest.mark.parametrize(("width", "num_words"), [(96, 3), (100, 4), (130, 4), (20, 1), (64, 3)])
def test_it_does_as_a_plain_loop(width: int, num_words: int, indices: Any, vocab_size: int | None) -> None:
    rng = np.random.default_rng(width)
    for share in (0.0, 0.02, 0.5, 0.97, 1.0):
        bits = rng.random((4, num_words, 32)) < share
        words = torch.from_numpy(np.packbits(bits, axis=2, bitorder="little").view(np.int32).reshape(4, num_words))
        for dtype in (torch.float32, torch.float16):
            logits = torch.from_numpy(rng.normal(size=(4, width))).to(dtype)
            expected, found = logits.clone(), logits.clone()
            plain(expected, words, vocab_size, indices)
            apply_bitmask(plain, found, words, vocab_size, indices)
            assert torch.equal(found, expected)


@pytest.mark.parametrize("rows_of_each", [1, 3])
def test_masks_in_the_batchs_order(rows_of_each: int) -> None:
    """vLLM 0.33 gives each request rows for drafts that the step lacks; only the first has a mask."""
    words = np.zeros((2 * rows_of_each, 1), np.int32)
    words[0], words[rows_of_each] = 5, 6
    assert _in_order(words, ["a", "b"], ["a", "b"]).tolist() == [[5], [6]]
    assert _in_order(words, ["b", "gone"], ["a", "b"]).tolist() == [[0xFFFFFFFF], [5]]
