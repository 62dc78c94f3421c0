"""`copy_rows_in_threads`: the masks of many matchers, copied by two threads."""

from __future__ import annotations

import os
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..bitset import Bitmask
from ..daemon_threads import DaemonThreads
from .interiors import copy_rows

_MIN_ROWS = 48  # below, a second thread costs more than it saves. PERF: a guess


@cache
def _helper() -> DaemonThreads:
    os.register_at_fork(after_in_child=_helper.cache_clear)
    return DaemonThreads(1, "guided-masks")


def copy_rows_in_threads(bitmask: Bitmask, masks: NDArray[np.int64]) -> None:
    """Write masks[i] into bitmask[i]; other rows stay as they are.

    bitmask: int32 (B, W), B >= rows of masks. masks: int64 (., 3), each row as `interiors.copy_row` takes a mask.
    """
    count = len(masks)
    if count < _MIN_ROWS:
        copy_rows(bitmask, masks, 0, count)
        return
    other = _helper().submit(copy_rows, bitmask, masks, 0, count // 2)
    copy_rows(bitmask, masks, count // 2, count)
    other.result()
