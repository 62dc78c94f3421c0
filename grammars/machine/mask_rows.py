"""Writes masks to rows of bitmasks: one mask (`write_row`), or those of many matchers (`write_rows`)."""

from __future__ import annotations

import os
from functools import cache
from operator import index

import numpy as np
from numpy.typing import NDArray

from ..bitset import Bitmask, check_bitmask
from ..daemon_threads import DaemonThreads
from .row_copies import copy_row, copy_rows
from .tables import Mask

_MANY_BYTES = 1 << 24  # bytes; below, a second thread costs more than it saves
_ndarray = np.ndarray


@cache
def _helper() -> DaemonThreads:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_helper.cache_clear)
    return DaemonThreads(1, "guided-mask-rows")


def write_row(bitmask: Bitmask, row: int, mask: Mask, vocab_size: int) -> None:
    """Write a mask into bitmask[row].

    Raises InvalidInputError if `check_bitmask` refuses the bitmask or the row.
    PERF: the kernel checks the bitmask at no cost; checks in Python take 0.3 us.
    """
    try:
        if type(bitmask) is _ndarray and type(row) is int and copy_row(bitmask, row, *mask, vocab_size):
            return
    except (TypeError, OverflowError):
        pass  # check_bitmask raises the right error
    check_bitmask(bitmask, row, vocab_size)
    copy_row(bitmask, index(row), *mask, vocab_size)


def write_rows(bitmask: Bitmask, masks: NDArray[np.int64]) -> None:
    """Write masks[i] into bitmask[i]; other rows stay as they are.

    bitmask: int32 (B, W) that `check_bitmask` accepts, B >= len(masks).
    masks: int64 (., 3), each row a `Mask`.
    """
    count = len(masks)
    if count * bitmask.itemsize * bitmask.shape[1] < _MANY_BYTES:
        copy_rows(bitmask, masks, 0, count)
        return
    other = _helper().submit(copy_rows, bitmask, masks, 0, count // 2)
    copy_rows(bitmask, masks, count // 2, count)
    other.result()
