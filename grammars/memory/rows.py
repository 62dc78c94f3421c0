"""Arrays at addresses: rows of bitmasks and their changes, which Python keeps by their addresses only."""

from __future__ import annotations

from typing import TypeVar

from .structs import INT32, Array, Struct, int32

StructT = TypeVar("StructT", bound=Struct)


def row_at(address: int, num_words: int) -> Array[int32]:
    """The row at an address. Kernels call it too (`lowering`)."""
    return Array(address, num_words, INT32, "a row of a mask")


def array_at(struct: type[StructT], address: int, length: int) -> Array[StructT]:
    """Structs side by side at an address. Kernels call it too."""
    return Array(address, length, struct, struct.__name__)
