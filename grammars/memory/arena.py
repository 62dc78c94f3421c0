"""`Arena`: room for arrays of numbers whose lengths only kernels know.

Python gives it a size. What stays is kept at the front; what is needed for a while is taken at the back, and given back
by setting `free` to what it was. A kernel asks whether there is room first; where there is none, Python starts again
with a larger arena.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel
from .layout import WORD
from .structs import Array, Struct, int64


class Arena(Struct):
    """Numbers, of which those from `used` up to `free` are in no array."""

    numbers: Array[int64]
    used: int64
    free: int64

    def __init__(self, numbers: NDArray[np.int64]) -> None:
        super().__init__()
        self.numbers = self._numbers = numbers
        self._first = self.numbers.address
        self.free = len(numbers)

    def list_of(self, array: Array[int]) -> list[int]:
        """The numbers of an array that a kernel kept or took."""
        first = (array.address - self._first) // WORD
        return self._numbers[first : first + len(array)].tolist()


@kernel
def has_room(arena: Arena, count: int) -> bool:
    """True when arrays of so many numbers in all can be kept or taken."""
    return arena.free - arena.used >= count


@kernel
def kept(arena: Arena, count: int) -> Array[int]:
    """An array that stays. Its numbers are what `rest` had at its beginning."""
    first = arena.used
    arena.used = first + count
    return arena.numbers.part(first, count)


@kernel
def taken(arena: Arena, count: int, value: int) -> Array[int]:
    """An array for a while, filled with a value."""
    first = arena.free - count
    arena.free = first
    found = arena.numbers.part(first, count)
    for index in range(count):
        found[index] = value
    return found


@kernel
def rest(arena: Arena) -> Array[int]:
    """All that is in no array yet, for an array that is kept when its length is known."""
    return arena.numbers.part(arena.used, arena.free - arena.used)
