"""How the kernels of samplers are compiled: again when a file beside the kernel's changes."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any

from guided.grammars.kernels import compile_kernel

_FILTERS = Path(__file__).parent.parent / "filters.py"


@cache
def _stamp(folder: Path) -> str:
    """Times and sizes of the folder's files, and of the one whose numbers samplers take."""
    stats = [file.stat() for file in (*sorted(folder.glob("*.py")), _FILTERS)]
    return repr([(stat.st_mtime_ns, stat.st_size) for stat in stats])


def kernel(function: Any) -> Any:
    """`njit` for a loop whose floating-point operations happen as written."""
    return _compiled(function, fastmath=False)


def fused_kernel(function: Any) -> Any:
    """`njit` for a loop where a product and a sum may be rounded once instead of twice."""
    return _compiled(function, fastmath={"contract"})


def summing_kernel(function: Any) -> Any:
    """`njit` for a loop that adds up floats: the compiler may choose the order, so that vectors can add."""
    return _compiled(function, fastmath={"reassoc", "contract"})


def _compiled(function: Any, fastmath: bool | set[str]) -> Any:
    folder = Path(function.__code__.co_filename).parent
    return compile_kernel(function, partial(_stamp, folder), error_model="numpy", fastmath=fastmath)
