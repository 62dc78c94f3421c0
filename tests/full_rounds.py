"""Objects that the garbage collector looks at, for tests of when it makes its full rounds."""

from __future__ import annotations

import gc


def make_objects(num_small_rounds: int) -> list[list[int]]:
    """So many that live as long as they are held that the collector makes these rounds."""
    young, middle, _ = gc.get_threshold()
    return [[] for _ in range(num_small_rounds * (young + 1) * (middle + 2))]
