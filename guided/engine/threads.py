"""How many threads torch may use for an engine's model, on a CPU.

torch's threads wait for each other several times in a layer, and one that the machine has put aside for others' work
holds up all of them. Beside one busy process on two cores, models of 4 to 191 million parameters are four to six times
slower in two threads than in one (docs/LOG.md). So a small model runs in one thread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from transformers import PreTrainedModel

PARAMETERS_PER_THREAD = 50_000_000
"""A compromise, not a measured bound: in several threads a large model loses on a busy machine too, but a quiet one has
the more use for them the larger it is. What they gain there has not been measured.
"""


def default_num_threads(model: PreTrainedModel) -> int | None:
    """One thread for each 50 million parameters, at most as many as torch has, at least one.

    OMP_NUM_THREADS in the environment decides instead where it is set. None: the model is not on a CPU, and torch's
    threads don't matter.
    """
    if model.device.type != "cpu":
        return None
    num_threads = torch.get_num_threads()
    if "OMP_NUM_THREADS" in os.environ:
        return num_threads
    return max(1, min(num_threads, model.num_parameters() // PARAMETERS_PER_THREAD))


def use_threads(num_threads: int) -> None:
    """Let torch use so many threads for the work of the calling thread; other threads keep their number.

    torch has a number for each thread that runs, and one for those that begin later. `set_num_threads` changes both,
    so the latter is put back, by a thread that does nothing else.
    """
    of_later_threads: list[int] = []
    _run(lambda: of_later_threads.append(torch.get_num_threads()))
    torch.get_num_threads()  # a thread's first question takes over the number of later threads
    torch.set_num_threads(num_threads)
    _run(lambda: torch.set_num_threads(of_later_threads[0]))


@contextmanager
def running_in(num_threads: int | None) -> Iterator[None]:
    """`use_threads`, until the end of the block. None: it changes nothing."""
    if num_threads is None:
        yield
        return
    before = torch.get_num_threads()
    use_threads(num_threads)
    try:
        yield
    finally:
        use_threads(before)


def _run(function: Callable[[], None]) -> None:
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()
