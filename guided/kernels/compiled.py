"""Kernels of samplers and of attention: how the compiler may treat their floating-point operations."""

from __future__ import annotations

from typing import Any

from guided.grammars import kernels

_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": True}  # `_nrt`: kernels with floats create arrays
_AS_WRITTEN: dict[str, Any] = {**_OPTIONS, "fastmath": False}
_FUSED: dict[str, Any] = {**_OPTIONS, "fastmath": {"contract"}}
_SUMMING: dict[str, Any] = {**_OPTIONS, "fastmath": {"reassoc", "contract"}}


def kernel(function: kernels.Kernel) -> Any:
    """A loop whose floating-point operations are executed as written."""
    return kernels.kernel(function, **_AS_WRITTEN)


def fused_kernel(function: kernels.Kernel) -> Any:
    """A loop where a multiplication and an addition may be fused: rounded once instead of twice."""
    return kernels.kernel(function, **_FUSED)


def summing_kernel(function: kernels.Kernel) -> Any:
    """A loop that sums floats; the compiler may reorder the sum for vector instructions."""
    return kernels.kernel(function, **_SUMMING)


def exported(function: kernels.Kernel) -> Any:
    """Like `kernel`, but callable from Python."""
    return kernels.exported(function, **_AS_WRITTEN)


def exported_summing(function: kernels.Kernel) -> Any:
    """Like `summing_kernel`, but callable from Python."""
    return kernels.exported(function, **_SUMMING)
