"""Objects that the garbage collector looks at, for tests of when it makes its full rounds."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def make_objects(num_small_rounds: int) -> list[list[int]]:
    """So many that live as long as they are held that the collector makes these rounds."""
    young, middle, _ = gc.get_threshold()
    return [[] for _ in range(num_small_rounds * (young + 1) * (middle + 2))]


@contextmanager
def small_rounds() -> Iterator[None]:
    """Rounds of few objects: by the thresholds of all tests a small one takes 120,000."""
    thresholds = gc.get_threshold()
    gc.set_threshold(700, 10, thresholds[2])
    yield
    gc.set_threshold(*thresholds)
