"""Kernels: masks copied to rows of a bitmask."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np

from ..kernels.arrays import Bitmasks, Int64Rows
from ..memory.kernel import exported, kernel
from ..memory.rows import array_at, row_at
from .structs import ChangedWord


@exported(releases_gil=False)
def copy_row(bitmask: Bitmasks, row: int, base: int, patch: int, num_changed: int, vocab_size: int) -> int:
    """Copy the base row and the changed words to bitmask[row].

    bitmask: int32 (B, W).
    base: address of a row.
    patch: address of `num_changed` ChangedWords.

    Returns 1; or 0 if the bitmask has no such row for a vocabulary of this size. Reads and writes 4 W bytes.
    """
    if bitmask.shape[1] != (vocab_size + 31) >> 5 or row < 0 or row >= bitmask.shape[0]:
        return 0
    _write_row(bitmask, row, base, patch, num_changed)
    return 1


@exported
def copy_rows(bitmask: Bitmasks, jobs: Int64Rows, first: int, end: int) -> None:
    """Like `copy_row`, for rows first .. end - 1.

    jobs: int64 (B, 3); for each row base, patch and number of changed words.

    BOUNDS: the bitmask has these rows, as long as those at the bases.
    """
    for row in range(first, end):
        _write_row(bitmask, row, jobs[row, 0], jobs[row, 1], jobs[row, 2])


@kernel
def _write_row(bitmask: Bitmasks, row: int, base: int, patch: int, num_changed: int) -> None:
    """Write a row of a bitmask.

    PERF: the compiler can't know that a numpy array's words lie side by side. If they do, vectors are copied instead of
    words: 0.3 us instead of 1.0 us for 129,280 tokens.
    """
    num_words = bitmask.shape[1]
    source = row_at(base, num_words)
    if bitmask.strides[1] == 4:
        target = row_at(int(np.int64(bitmask.ctypes.data)) + row * bitmask.strides[0], num_words)
        for word in range(num_words):
            target[word] = source[word]
    else:
        for word in range(num_words):
            bitmask[row, word] = source[word]
    for changed in array_at(ChangedWord, patch, num_changed):
        bitmask[row, changed.word] = changed.value
