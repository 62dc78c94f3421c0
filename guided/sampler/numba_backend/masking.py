"""Kernels for engines with samplers of their own: bitmasks applied to logits in place, and greedy tokens under them."""

from __future__ import annotations

from typing import Any

import numpy as np

from guided.grammars.kernels.arrays import FloatRows, Int64s, UInt32Rows

from .compiled import exported, kernel
from .scan import argmax_masked

_WORD = 32
_ALL = np.uint32(0xFFFFFFFF)
_NEGATIVE_INFINITY = np.uint32(0xFF800000)  # of a float32


@kernel
def ban_block(logits: Any) -> None:
    """No column of a block is allowed."""
    for i in range(_WORD):
        logits[i] = _NEGATIVE_INFINITY


@kernel
def mask_block(logits: Any, word: Any) -> None:
    """32 columns: those whose bit in the word is 0 become -inf.

    PERF: written as a choice, this becomes a jump for each column, and takes ten times as long.
    """
    for i in range(_WORD):
        kept = np.uint32(0) - ((word >> np.uint32(i)) & np.uint32(1))  # all bits, or none
        logits[i] = (logits[i] & kept) | (_NEGATIVE_INFINITY & ~kept)


@kernel
def mask_row(logits: Any, words: Any, num_columns: Any) -> None:
    """The first columns of one row."""
    num_full = num_columns // _WORD
    for w in range(num_full):
        word = words[w]
        if word == 0:
            ban_block(logits[w * _WORD : w * _WORD + _WORD])
        elif word != _ALL:
            mask_block(logits[w * _WORD : w * _WORD + _WORD], word)
    for i in range(num_full * _WORD, num_columns):
        if not (words[num_full] >> np.uint32(i & 31)) & np.uint32(1):
            logits[i] = _NEGATIVE_INFINITY


@exported
def mask_rows(logits: UInt32Rows, words: UInt32Rows, rows: Int64s, num_columns: int, first: int, step: int) -> None:
    """Set what the words don't allow to -inf, in the rows first, first + step, ... of `rows`.

    logits: float32, seen as uint32: others keep their exact value. num_columns: that count, as many as both have at
    most; those behind them stay as they are.
    """
    for place in range(first, rows.size, step):
        mask_row(logits[rows[place]], words[rows[place]], num_columns)


@exported
def argmax_rows(logits: FloatRows, words: UInt32Rows, token_ids: Int64s, first: int, step: int) -> None:
    """token_ids[row] for the rows first, first + step, ...: the first of the largest logits among those allowed.

    -1 where none is allowed. Columns without a word are not.
    """
    lowest, highest = np.finfo(logits.dtype).min, np.finfo(logits.dtype).max
    for row in range(first, logits.shape[0], step):
        token_ids[row] = argmax_masked(logits[row], words[row], lowest, highest)
