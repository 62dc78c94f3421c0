"""Compiles the kernels of this package.

With TRITON_INTERPRET=1 in the environment before Triton is imported, kernels run on the CPU as numpy operations. Such
runs are slow; tests use them if there is no GPU.

Triton reads the annotations of a kernel's arguments as code and does not know `Any`, so kernels quote them.
"""

from __future__ import annotations

from typing import Any

import triton

LAUNCH = {"enable_fp_fusion": False}  # each product and sum is rounded, as in torch


def kernel(function: Any) -> Any:
    """`triton.jit` without types, which the type checker does not know."""
    return triton.jit(function)


def is_interpreted() -> bool:
    """True if kernels run on the CPU and so take tensors on any device."""
    return bool(triton.knobs.runtime.interpret)
