"""`kernel` and `exported` for kernels of grammars: their arguments may be structs, which numba knows by `lowering`."""

from __future__ import annotations

from ..kernels import IS_COMPILING, exported, kernel

if IS_COMPILING:
    from . import lowering as lowering

__all__ = ["exported", "kernel"]
