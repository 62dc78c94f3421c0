"""The memory layout of structs: offsets and sizes in bytes, from a struct's annotations.

Elements are integers of 8, 32 or 64 bits, rows of a fixed number of these, and structs. A field is an integer; a
struct, kept as its address; an `Array`, kept as address and length; or a `Table`, whose header has five words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Protocol

import numpy as np

WORD = 8
"""Size of an address, a length or a capacity, in bytes."""
TABLE_WORDS = 5
"""Number of words in a table's header; see `TableField`."""


class OutOfBoundsError(IndexError):
    """An index is not below the length. slot: struct and field."""

    def __init__(self, slot: str, index: int, length: int) -> None:
        super().__init__(f"{slot}[{index}]: the length is {length}")


@dataclass(frozen=True)
class Scalar:
    """An integer. Kernels read every integer as int64. code: numpy's name of the type."""

    code: str

    @property
    def num_bytes(self) -> int:
        return int(self.code[1:])

    @property
    def is_signed(self) -> bool:
        return self.code[0] == "i"


@dataclass(frozen=True)
class StructRow:
    """A fixed number of elements, side by side."""

    element: Scalar
    length: int

    @property
    def num_bytes(self) -> int:
        return self.element.num_bytes * self.length


class HasLayout(Protocol):
    """A class with a layout: `structs.Struct`."""

    layout: ClassVar[StructLayout]

    @classmethod
    def at(cls, address: int) -> Any:
        """Return the struct at an address."""


Element = Scalar | StructRow | type[HasLayout]


@dataclass(frozen=True)
class StructReference:
    """The address of another struct. is_part: that struct is created with its owner, and counted with it."""

    struct: type[HasLayout]
    is_part: bool = False


@dataclass(frozen=True)
class ArrayField:
    """Address and length of elements that Python owns."""

    element: Element


@dataclass(frozen=True)
class TableField:
    """A growing array. The header has five words: address of the elements, number in use, capacity, owner, wanted
    capacity.

    The owner is the struct with this field, which makes the table grow.
    """

    element: Element


FieldKind = Scalar | StructRow | StructReference | ArrayField | TableField


@dataclass(frozen=True)
class StructField:
    """A field of a struct. offset: in bytes."""

    name: str
    kind: FieldKind
    offset: int


@dataclass(frozen=True)
class StructLayout:
    """All fields of a struct, by name. num_bytes: size including padding behind the last field."""

    fields: dict[str, StructField]
    num_bytes: int


def layout_of(byte_classes: dict[str, FieldKind]) -> StructLayout:
    """Lay out fields one after the other, each aligned to its own size."""
    fields, end, widest = {}, 0, 1
    for name, kind in byte_classes.items():
        format_, alignment = _format_of(kind)
        offset = -(-end // alignment) * alignment
        fields[name] = StructField(name, kind, offset)
        end, widest = offset + np.dtype(format_).itemsize, max(widest, alignment)
    return StructLayout(fields, -(-end // widest) * widest)


def num_bytes_of(element: Element) -> int:
    """Return the distance from one element of an array to the next, in bytes."""
    return element.num_bytes if isinstance(element, Scalar | StructRow) else element.layout.num_bytes


@cache
def dtype_of(element: Element) -> np.dtype[Any]:
    """Return numpy's type for an element."""
    if isinstance(element, Scalar):
        return np.dtype(element.code)
    if isinstance(element, StructRow):
        return np.dtype((element.element.code, (element.length,)))
    fields = element.layout.fields.values()
    formats = [_format_of(field.kind)[0] for field in fields]
    return np.dtype(
        {
            "names": [field.name for field in fields],
            "formats": formats,
            "offsets": [field.offset for field in fields],
            "itemsize": element.layout.num_bytes,
        }
    )


def _format_of(kind: FieldKind) -> tuple[Any, int]:
    """Return numpy's format for a field, and its alignment in bytes."""
    match kind:
        case Scalar():
            return kind.code, kind.num_bytes
        case StructRow():
            return (kind.element.code, (kind.length,)), kind.element.num_bytes
        case StructReference():
            return "i8", WORD
        case ArrayField():
            return ("i8", (2,)), WORD
        case TableField():
            return ("i8", (TABLE_WORDS,)), WORD
