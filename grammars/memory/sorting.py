"""Kernels: sorting. One method for all: Shell's, which needs no room and is fast for the few numbers that sets have."""

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
            number, place = numbers[index], index
            while place >= gap and numbers[place - gap] > number:
                numbers[place] = numbers[place - gap]
                place -= gap
            numbers[place] = number
        gap //= 3
