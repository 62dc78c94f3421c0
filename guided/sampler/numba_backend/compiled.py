"""Kernels of samplers and of attention: how their floating-point operations may be compiled."""

from __future__ import annotations

from typing import Any

from guided.grammars import kernels

_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": True}  # they make arrays
_AS_WRITTEN: dict[str, Any] = {**_OPTIONS, "fastmath": False}
_FUSED: dict[str, Any] = {**_OPTIONS, "fastmath": {"contract"}}
_SUMMING: dict[str, Any] = {**_OPTIONS, "fastmath": {"reassoc", "contract"}}


def kernel(function: kernels.Kernel) -> Any:
    """For a loop whose floating-point operations happen as written."""
    return kernels.kernel(function, **_AS_WRITTEN)


def fused_kernel(function: kernels.Kernel) -> Any:
    """For a loop where a product and a sum may be rounded once instead of twice."""
    return kernels.kernel(function, **_FUSED)


def summing_kernel(function: kernels.Kernel) -> Any:
    """For a loop that adds up floats: the compiler may choose the order, so that vectors can add."""
    return kernels.kernel(function, **_SUMMING)


def exported(function: kernels.Kernel) -> Any:
    """As `kernel`, called by Python."""
    return kernels.exported(function, **_AS_WRITTEN)


def exported_short(function: kernels.Kernel) -> Any:
    """As `exported`, of so little work that it keeps the GIL."""
    return kernels.exported(function, releases_gil=False, **_AS_WRITTEN)


def exported_summing(function: kernels.Kernel) -> Any:
    """As `summing_kernel`, called by Python."""
    return kernels.exported(function, **_SUMMING)
