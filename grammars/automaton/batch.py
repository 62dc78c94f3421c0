"""`fill_rows`: the masks of many matchers, copied by two threads."""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ..bitset import Bitmask, check_bitmask
from ..daemon_threads import DaemonThreads
from ..errors import BatchMaskError, GuidedError
from .segments import copy_rows
from .text_matcher import TextMatcher

_MIN_ROWS = 48  # below, a second thread costs more than it saves. PERF: a guess


@cache
def _helper() -> DaemonThreads:
    os.register_at_fork(after_in_child=_helper.cache_clear)
    return DaemonThreads(1, "guided-masks")


def fill_rows(matchers: Sequence[TextMatcher[Any]], bitmask: Bitmask) -> None:
    """Write the mask of matchers[i] into bitmask[i]; other rows stay as they are.

    bitmask: int32 (B, W), B >= len(matchers). All matchers have vocabularies of the same size.
    Raises BatchMaskError once all rows are done, if some of them failed; those allow nothing.
    """
    if not matchers:
        return
    count = len(matchers)
    check_bitmask(bitmask, count - 1, matchers[0].vocabulary.size)
    numbers: list[int] = []
    errors: dict[int, GuidedError] = {}
    num_words = bitmask.shape[1]
    for row, matcher in enumerate(matchers):
        if matcher.num_words != num_words:
            check_bitmask(bitmask, row, matcher.vocabulary.size)
        try:
            numbers += matcher.mask()
        except GuidedError as error:
            errors[row] = error.with_traceback(None)
            numbers += matcher.empty_mask
    jobs = np.frombuffer(array("q", numbers), dtype=np.int64).reshape(count, 3)
    if count < _MIN_ROWS:
        copy_rows(bitmask, jobs, 0, count)
    else:
        other = _helper().submit(copy_rows, bitmask, jobs, 0, count // 2)
        copy_rows(bitmask, jobs, count // 2, count)
        other.result()
    for row, matcher in enumerate(matchers):
        if matcher.is_uncertain and row not in errors:
            try:
                matcher.verify_row(bitmask[row])
            except GuidedError as error:
                errors[row] = error.with_traceback(None)
                bitmask[row] = 0
    if errors:
        raise BatchMaskError(dict(sorted(errors.items())))
