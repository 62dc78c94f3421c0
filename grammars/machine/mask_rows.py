"""Masks, written to rows of bitmasks: one (`write_row`), or those of many matchers (`write_rows`)."""

from __future__ import annotations

import os
from functools import cache
from operator import index

import numpy as np
from numpy.typing import NDArray

from ..bitset import Bitmask, check_bitmask
from ..daemon_threads import DaemonThreads
from .interiors import copy_row, copy_rows
from .tables import Mask

_MANY_BYTES = 1 << 24  # below, a second thread costs more than it saves
_ndarray = np.ndarray


@cache
def _helper() -> DaemonThreads:
    os.register_at_fork(after_in_child=_helper.cache_clear)
    return DaemonThreads(1, "guided-mask-rows")


def write_row(bitmask: Bitmask, row: int, mask: Mask, vocab_size: int) -> None:
    """Write a mask into bitmask[row]. Raises InvalidInputError where that is no row of such a mask (`check_bitmask`).

    PERF: the kernel looks at the bitmask, which costs nothing; in Python that takes 0.3 us.
    """
    try:
        if type(bitmask) is _ndarray and type(row) is int and copy_row(bitmask, row, *mask, vocab_size):
            return
    except (TypeError, OverflowError):
        pass  # the check says what is wrong
    check_bitmask(bitmask, row, vocab_size)
    copy_row(bitmask, index(row), *mask, vocab_size)


def write_rows(bitmask: Bitmask, masks: NDArray[np.int64]) -> None:
    """Write masks[i] into bitmask[i]; other rows stay as they are.

    bitmask: as `check_bitmask` lets it be, with so many rows. masks: int64 (., 3), each row a `Mask`.
    """
    count = len(masks)
    if count * bitmask.itemsize * bitmask.shape[1] < _MANY_BYTES:
        copy_rows(bitmask, masks, 0, count)
        return
    other = _helper().submit(copy_rows, bitmask, masks, 0, count // 2)
    copy_rows(bitmask, masks, count // 2, count)
    other.result()
