"""Kernels of samplers and of attention: how their floating-point operations may be compiled."""

from __future__ import annotations

from functools import partial
from typing import Any

from guided.grammars import kernels

_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": True}  # they make arrays

kernel: Any = partial(kernels.kernel, fastmath=False, **_OPTIONS)
"""For a loop whose floating-point operations happen as written."""

fused_kernel: Any = partial(kernels.kernel, fastmath={"contract"}, **_OPTIONS)
"""For a loop where a product and a sum may be rounded once instead of twice."""

summing_kernel: Any = partial(kernels.kernel, fastmath={"reassoc", "contract"}, **_OPTIONS)
"""For a loop that adds up floats: the compiler may choose the order, so that vectors can add."""

exported: Any = partial(kernels.exported, fastmath=False, **_OPTIONS)
exported_summing: Any = partial(kernels.exported, fastmath={"reassoc", "contract"}, **_OPTIONS)
