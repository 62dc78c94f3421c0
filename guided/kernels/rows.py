"""`run_rows`: a kernel that computes rows, in several threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache

import torch

from guided.grammars.daemon_threads import DaemonThreads

_MIN_COLUMNS = 1 << 18  # logits for each thread; with fewer, handing over costs more than it saves. PERF: a guess


@cache
def _helpers(num_threads: int) -> DaemonThreads:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_helpers.cache_clear)
    return DaemonThreads(num_threads, "guided-sampler")


def run_rows(kernel: Callable[[int, int], None], num_rows: int, num_columns: int) -> None:
    """Call kernel(first, step) in threads, so that each row is computed once: first, first + step, ... The kernel
    releases the GIL.

    A row's result does not depend on its thread. An exception in a thread is raised here.
    """
    num_threads = min(num_rows, num_rows * num_columns // _MIN_COLUMNS)
    if num_threads > 1:
        num_threads = min(num_threads, torch.get_num_threads())
    if num_threads <= 1:
        kernel(0, 1)
        return
    others = [_helpers(num_threads - 1).submit(kernel, first, num_threads) for first in range(1, num_threads)]
    kernel(0, num_threads)
    for other in others:
        other.result()
