"""`Arena`: memory for arrays of numbers whose lengths only kernels know.

Arrays that stay lie at the front. Temporary arrays lie at the back; resetting `free` to its old value returns them. A
full arena grows like any table, which starts the exported kernel again; the kernel therefore calls `clear` first.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel
from .layout import WORD
from .structs import Array, Struct, Table, address_of, int64


class Arena(Struct):
    """Numbers; those from `used` up to `free` belong to no array."""

    numbers: Table[int64]
    used: int64
    free: int64

    def __init__(self, count: int) -> None:
        """count: initial capacity in numbers."""
        super().__init__()
        self.numbers.ensure(count)

    def copy_of(self, array: Array[int]) -> NDArray[np.int64]:
        """Return a copy of an array that lies in this arena."""
        numbers = self.numbers.data
        first = (array.address - address_of(numbers)) // WORD
        return numbers[first : first + len(array)].copy()


@kernel
def clear(arena: Arena) -> None:
    """Return all numbers to the arena."""
    arena.used = 0
    arena.free = arena.numbers.capacity


@kernel
def make_room(arena: Arena, count: int) -> None:
    """Make room for `count` free numbers."""
    if arena.free - arena.used < count:
        arena.numbers.ensure(arena.numbers.capacity + count)


@kernel
def kept(arena: Arena, count: int) -> Array[int]:
    """Return an array that stays, with the first `count` numbers of `rest`."""
    make_room(arena, count)
    first = arena.used
    arena.used = first + count
    return arena.numbers.span().part(first, count)


@kernel
def taken(arena: Arena, count: int, value: int) -> Array[int]:
    """Return a temporary array of `count` numbers, filled with a value."""
    make_room(arena, count)
    first = arena.free - count
    arena.free = first
    found = arena.numbers.span().part(first, count)
    for index in range(count):
        found[index] = value
    return found


@kernel
def rest(arena: Arena, count: int) -> Array[int]:
    """Return all free numbers, at least `count`. The caller keeps an array of them once its length is known."""
    make_room(arena, count)
    return arena.numbers.span().part(arena.used, arena.free - arena.used)
