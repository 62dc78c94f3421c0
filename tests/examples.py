"""How many examples a random test takes: as many as find what has been found so far, many times over.

They are others in every run. GUIDED_EXAMPLES=10 takes ten times as many.
"""

from __future__ import annotations

import os

FACTOR = int(os.environ.get("GUIDED_EXAMPLES", "1"))


def examples(number: int) -> int:
    """For `hypothesis.settings(max_examples=...)`."""
    return number * FACTOR
