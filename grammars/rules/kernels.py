"""`kernel`: how the kernels of rules are compiled. They call each other and no others."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ..kernels import compile_kernel

_MODULES = ("automata", "cuts", "drawing", "groups", "left_recursion", "numbering")


@cache
def _stamp() -> str:
    """Times and sizes of their files."""
    stats = [(Path(__file__).parent / f"{name}.py").stat() for name in _MODULES]
    return repr([(stat.st_mtime_ns, stat.st_size) for stat in stats])


def kernel(function: Any) -> Any:
    """A kernel, compiled again when a file with one of them changes."""
    return compile_kernel(function, _stamp)
