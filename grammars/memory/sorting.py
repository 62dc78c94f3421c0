"""Kernels: sorting. Shell's method for everything: it needs no memory and is fast for the few numbers that sets
have.
"""

from __future__ import annotations

from .kernel import kernel
from .structs import Array


@kernel
def sort(numbers: Array[int], count: int) -> None:
    """Sort the first `count` numbers in place, ascending."""
    gap = 1
    while 3 * gap + 1 < count:
        gap = 3 * gap + 1
    while gap:
        for index in range(gap, count):
            number, slot = numbers[index], index
            while slot >= gap and numbers[slot - gap] > number:
                numbers[slot] = numbers[slot - gap]
                slot -= gap
            numbers[slot] = number
        gap //= 3
