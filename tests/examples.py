"""How many examples a random test takes. They are others in every run. GUIDED_EXAMPLES=10 takes ten times as many."""

from __future__ import annotations

import os

FACTOR = 0.5 * float(os.environ.get("GUIDED_EXAMPLES", "1"))


def examples(number: int) -> int:
    """For `hypothesis.settings(max_examples=...)`."""
    return max(1, round(number * FACTOR))
