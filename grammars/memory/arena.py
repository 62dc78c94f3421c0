"""`Arena`: room for arrays of numbers whose lengths only kernels know.

What stays is kept at the front; what is needed for a while is taken at the back, and given back by setting `free` to
what it was. Where there is no room the arena grows as any table does, so the exported kernel begins anew: it calls
`clear` first.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel
from .layout import WORD
from .structs import Array, Struct, Table, address_of, int64


class Arena(Struct):
    """Numbers, of which those from `used` up to `free` are in no array."""

    numbers: Table[int64]
    used: int64
    free: int64

    def __init__(self, count: int) -> None:
        """count: for how many numbers there is room at first."""
        super().__init__()
        self.numbers.ensure(count)

    def copy_of(self, array: Array[int]) -> NDArray[np.int64]:
        """The numbers of an array that a kernel kept or took."""
        numbers = self.numbers.data
        first = (array.address - address_of(numbers)) // WORD
        return numbers[first : first + len(array)].copy()


@kernel
def clear(arena: Arena) -> None:
    """Let all numbers be in no array."""
    arena.used = 0
    arena.free = arena.numbers.capacity


@kernel
def make_room(arena: Arena, count: int) -> None:
    """Let so many numbers be in no array."""
    if arena.free - arena.used < count:
        arena.numbers.ensure(arena.numbers.capacity + count)


@kernel
def kept(arena: Arena, count: int) -> Array[int]:
    """An array that stays. Its numbers are what `rest` had at its beginning."""
    make_room(arena, count)
    first = arena.used
    arena.used = first + count
    return arena.numbers.span().part(first, count)


@kernel
def taken(arena: Arena, count: int, value: int) -> Array[int]:
    """An array for a while, filled with a value."""
    make_room(arena, count)
    first = arena.free - count
    arena.free = first
    found = arena.numbers.span().part(first, count)
    for index in range(count):
        found[index] = value
    return found


@kernel
def rest(arena: Arena, count: int) -> Array[int]:
    """All that is in no array yet, at least so many numbers, for an array that is kept when its length is known."""
    make_room(arena, count)
    return arena.numbers.span().part(arena.used, arena.free - arena.used)
