"""Arrays at addresses: rows of bitmasks and their changes, which Python keeps only by address."""

from __future__ import annotations

from typing import TypeVar

from .structs import INT32, Array, Struct, int32

StructT = TypeVar("StructT", bound=Struct)


def row_at(address: int, num_words: int) -> Array[int32]:
    """Return the row at an address. Kernels may call this (`lowering`)."""
    return Array(address, num_words, INT32, "a row of a mask")


def array_at(struct: type[StructT], address: int, length: int) -> Array[StructT]:
    """Return the structs side by side at an address. Kernels may call this."""
    return Array(address, length, struct, struct.__name__)
