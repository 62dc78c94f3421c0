"""`paused`: loads without Python's garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """Pauses Python's garbage collector in all threads, while libraries or a model load: that creates no garbage.

    PERF: SmolLM2, processor time: 4.1 s, with the collector 4.9 s.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
