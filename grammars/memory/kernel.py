"""`kernel` and `exported` for kernels of grammars. Their arguments may be structs, which numba knows by `lowering`."""

from __future__ import annotations

from ..kernels import exported, kernel
from ..kernels.modes import IS_COMPILING

if IS_COMPILING:
    from . import lowering as lowering

__all__ = ["exported", "kernel"]
