"""Numbers at addresses: how the kernels reach tables that grow while they are in use.

A kernel gets one address, of a block of registers, and finds the addresses of all tables there. So a call unboxes one
integer instead of dozens of arrays (0.1 us each), and one compiled kernel serves every machine. `table[i]` is
`load32(address, i)`. With NUMBA_DISABLE_JIT=1 the same functions are plain Python over ctypes, for tests.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from ..kernels import IS_PLAIN, compile_kernel

_KERNEL_MODULES = ("advance", "layout", "masks", "memory", "segments", "steps", "subsets", "trie", "word_steps")
_PUSHDOWN_MODULES = (
    *("choice_masks", "closures", "entries", "labels", "layout", "masks", "numbers", "rows", "steps", "walks", "ways"),
)
_INTERSECTION_MODULES = ("inside_walks", "layout", "searches", "steps")
_CLOSING_MODULES = ("lexeme_ends", "spelling")
_WIDTHS = {8: ctypes.c_uint8, 32: ctypes.c_int32, 64: ctypes.c_int64}


def address(array: NDArray[Any]) -> int:
    """Where a C-contiguous array begins; valid while the array lives."""
    return int(array.__array_interface__["data"][0])


def _loader(width: int) -> Any:
    """`load(base, index)`: the integer at `base + index * width / 8`; 8 bits unsigned, else signed; as int64."""
    if IS_PLAIN:
        kind, size = _WIDTHS[width], width // 8

        def load_plain(base: int, index: int) -> int:
            return int(kind.from_address(int(base) + int(index) * size).value)

        return load_plain

    @intrinsic  # type: ignore[misc, unused-ignore]
    def load(typing_context: Any, base: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            value = builder.load(_pointer(builder, width, arguments))
            if width == 64:
                return value
            return builder.zext(value, _int(64)) if width == 8 else builder.sext(value, _int(64))

        return types.int64(types.int64, types.int64), generate

    return load


def _storer(width: int) -> Any:
    """`store(base, index, value)`: the low bits of `value` to `base + index * width / 8`."""
    if IS_PLAIN:
        kind, size = _WIDTHS[width], width // 8

        def store_plain(base: int, index: int, value: int) -> None:
            kind.from_address(int(base) + int(index) * size).value = int(value)

        return store_plain

    @intrinsic  # type: ignore[misc, unused-ignore]
    def store(typing_context: Any, base: Any, index: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = arguments[2] if width == 64 else builder.trunc(arguments[2], _int(width))
            builder.store(number, _pointer(builder, width, arguments))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), generate

    return store


def _int(width: int) -> Any:
    from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]

    return ir.IntType(width)


def _pointer(builder: Any, width: int, arguments: Any) -> Any:
    pointer = builder.inttoptr(arguments[0], _int(width).as_pointer())
    return builder.gep(pointer, [arguments[1]])


load8, load32, load64 = _loader(8), _loader(32), _loader(64)
store32, store64 = _storer(32), _storer(64)


@cache
def _stamp() -> str:
    """Times and sizes of those files."""
    here = Path(__file__).parent
    files = [here / f"{name}.py" for name in _KERNEL_MODULES]
    files += [here.parent / "pushdown" / f"{name}.py" for name in _PUSHDOWN_MODULES]
    files += [here.parent / "ebnf" / "parsing.py"]
    files += [here.parent / "intersection" / f"{name}.py" for name in _INTERSECTION_MODULES]
    files += [here.parent / "closing" / f"{name}.py" for name in _CLOSING_MODULES]
    stats = [file.stat() for file in files]
    return repr([(stat.st_mtime_ns, stat.st_size) for stat in stats])


def kernel(function: Any) -> Any:
    """A kernel of grammars: compiled again when a file with one of them, or with numbers that they use, changes.

    All arguments are int64, or arrays of one type, so that each kernel is compiled once.
    """
    return compile_kernel(function, _stamp)


class Block:
    """Registers: numbers and addresses that a kernel reads and writes by their index."""

    def __init__(self, num_fields: int) -> None:
        self.fields: NDArray[np.int64] = np.zeros(num_fields, dtype=np.int64)
        self.address = address(self.fields)
        self.columns: list[Column] = []

    @property
    def num_bytes(self) -> int:
        """Bytes of all its columns."""
        return sum(column.data.nbytes for column in self.columns)


class Column:
    """A growing table whose address is kept in a register of a block.

    field: the register of the address; field + 1 holds how many numbers are used, field + 2 how many fit.
    """

    def __init__(self, block: Block, field: int, dtype: Any, capacity: int) -> None:
        self.block, self.field = block, field
        self.data: NDArray[Any] = np.zeros(capacity, dtype=dtype)
        block.columns.append(self)
        self.publish()

    @property
    def used(self) -> int:
        """How many numbers are in use."""
        return int(self.block.fields[self.field + 1])

    @used.setter
    def used(self, value: int) -> None:
        self.block.fields[self.field + 1] = value

    def reserve(self, count: int) -> int:
        """Make room for `count` more numbers and use them; the index of the first."""
        start = self.used
        self.ensure(start + count)
        self.block.fields[self.field + 1] = start + count
        return start

    def append(self, values: NDArray[Any]) -> int:
        """Add some numbers; the index of the first."""
        start = self.reserve(len(values))
        self.data[start : start + len(values)] = values
        return start

    def ensure(self, capacity: int) -> None:
        """Let at least `capacity` numbers fit, moving the table if need be."""
        if capacity > len(self.data):
            grown = np.zeros(max(capacity, 2 * len(self.data)), dtype=self.data.dtype)
            grown[: len(self.data)] = self.data
            self.data = grown
            self.publish()

    def publish(self) -> None:
        """Note where the table is, and its size."""
        self.block.fields[self.field] = address(self.data)
        self.block.fields[self.field + 2] = len(self.data)
