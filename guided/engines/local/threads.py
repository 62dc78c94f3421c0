"""Decides how many threads torch uses for an engine's model on a CPU.

torch's threads wait for each other several times in a layer. If the machine suspends one of them for other work, all
wait. Example: two cores, one of them busy with another process. Models of 4 to 191 million parameters are then four to
six times slower in two threads than in one (docs/LOG.md). A small model therefore runs in one thread.
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
"""Number of parameters for which the model gets one more thread. This is a compromise, not a measured value: on a busy
machine large models lose by several threads, too; on a quiet one they gain more the larger they are.
"""


PARAMETERS_PER_PROBE_THREAD = 1_000_000_000
"""Number of parameters for one more thread in the test run of loading. PERF: SmolLM2 135M on two busy cores takes 0.4 s
of processor time in one thread, 4 to 9 s in two.
"""


def default_num_threads(model: PreTrainedModel, parameters_per_thread: int = PARAMETERS_PER_THREAD) -> int | None:
    """The number of threads for a model: one for each `parameters_per_thread`, at least one, at most torch's.

    If OMP_NUM_THREADS is set in the environment, torch's number holds. Returns None if the model is not on a CPU.
    """
    if model.device.type != "cpu":
        return None
    num_threads = torch.get_num_threads()
    if "OMP_NUM_THREADS" in os.environ:
        return num_threads
    return max(1, min(num_threads, model.num_parameters() // parameters_per_thread))


def use_threads(num_threads: int) -> None:
    """Set the number of threads that torch uses for the work of the calling thread. Other threads keep their number.

    torch has a number for each running thread, and one for threads that start later. `set_num_threads` changes both.
    A helper thread therefore sets the second number back.
    """
    of_later_threads: list[int] = []
    _run(lambda: of_later_threads.append(torch.get_num_threads()))
    torch.get_num_threads()  # the first call in a thread adopts the number for later threads
    torch.set_num_threads(num_threads)
    _run(lambda: torch.set_num_threads(of_later_threads[0]))


@contextmanager
def running_in(num_threads: int | None) -> Iterator[None]:
    """Context manager: `use_threads` until the end of the block. num_threads: None: no change."""
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
