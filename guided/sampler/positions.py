"""Advances rows' positions in their random streams on a CPU, in a kernel: a call of numpy would take 25 us of a
step.
"""

from __future__ import annotations

from guided.grammars.kernels import exported
from guided.grammars.kernels.arrays import Int64s


@exported(releases_gil=False)
def advance(positions: Int64s) -> None:
    """positions += 1."""
    for row in range(positions.size):
        positions[row] += 1
