"""`kernel` and `exported` for kernels whose arguments may be structs. `lowering` teaches numba the structs."""

from __future__ import annotations

from ..kernels import exported, kernel
from ..kernels.modes import IS_COMPILING

if IS_COMPILING:
    from . import lowering as lowering

__all__ = ["exported", "kernel"]
