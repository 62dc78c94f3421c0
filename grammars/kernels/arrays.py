"""The array types of exported kernels: element type and number of axes, mostly C-contiguous.

If floats may have 32 or 64 bits, the kernel is compiled for each size; all its `Floats` and `FloatBits` have that size.
Scalars are `int`, `bool`, `float` (64 bits) and `float32`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ArrayKind:
    """code: numpy's name of the element type. "f": floats of either size; "fi": integers of the same size.
    num_axes: number of axes.
    has_strides: True if the elements may lie apart.
    is_written: True if the kernel writes to the array, which must be writable.
    """

    code: str
    num_axes: int
    has_strides: bool = False
    is_written: bool = False


@dataclass(frozen=True)
class Float32Kind:
    """A float of 32 bits."""


UInt8s = Annotated[NDArray[np.uint8], ArrayKind("u1", 1)]
UInt32s = Annotated[NDArray[np.uint32], ArrayKind("u4", 1)]
Int32s = Annotated[NDArray[np.int32], ArrayKind("i4", 1)]
Int64s = Annotated[NDArray[np.int64], ArrayKind("i8", 1)]
Bools = Annotated[NDArray[np.bool_], ArrayKind("b1", 1)]
Float32s = Annotated[NDArray[np.float32], ArrayKind("f4", 1)]
UInt32Rows = Annotated[NDArray[np.uint32], ArrayKind("u4", 2)]
Int32Rows = Annotated[NDArray[np.int32], ArrayKind("i4", 2)]
Bitmasks = Annotated[NDArray[np.int32], ArrayKind("i4", 2, has_strides=True, is_written=True)]
Int64Rows = Annotated[NDArray[np.int64], ArrayKind("i8", 2)]
Float32Rows = Annotated[NDArray[np.float32], ArrayKind("f4", 2)]
Float32Blocks = Annotated[NDArray[np.float32], ArrayKind("f4", 3)]
Float32Pages = Annotated[NDArray[np.float32], ArrayKind("f4", 4)]

Floats = Annotated[NDArray[Any], ArrayKind("f", 1)]
FloatRows = Annotated[NDArray[Any], ArrayKind("f", 2)]
FloatBits = Annotated[NDArray[Any], ArrayKind("fi", 1)]

float32 = Annotated[float, Float32Kind()]
