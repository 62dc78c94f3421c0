"""How the kernels of this package are compiled.

With TRITON_INTERPRET=1 in the environment before Triton is imported, kernels run on the CPU as numpy operations: slow,
and the way in which they are tested where there is no GPU.

Triton reads the annotations of a kernel's arguments as code and knows no `Any`: so they are quoted there.
"""

from __future__ import annotations

from typing import Any

import triton

LAUNCH = {"enable_fp_fusion": False}  # products and sums are rounded one by one, as in torch


def kernel(function: Any) -> Any:
    """`triton.jit`, without a type that the type checker would have to know."""
    return triton.jit(function)


def is_interpreted() -> bool:
    """Kernels run on the CPU; also then, as long as they take tensors from anywhere."""
    return bool(triton.knobs.runtime.interpret)
