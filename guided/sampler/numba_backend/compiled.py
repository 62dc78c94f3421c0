"""How kernels are compiled: without the GIL, and kept on disk while no file beside the kernel's changes.

numba's own cache looks at the file of the kernel only, and would keep one whose callees have changed. With
NUMBA_DISABLE_JIT=1 kernels are plain Python functions.
"""

from __future__ import annotations

import contextlib
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile

_IS_PLAIN: bool = getattr(numba.config, "DISABLE_JIT")  # noqa: B009 (numba's stubs do not know it)


class _KernelCache(FunctionCache):  # type: ignore[misc, unused-ignore]
    def __init__(self, function: Any) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call, unused-ignore]
        base, folder = self._impl.filename_base, Path(function.__code__.co_filename).parent
        self._cache_file = IndexDataCacheFile(self._cache_path, base, _stamp(folder))  # type: ignore[no-untyped-call, unused-ignore]


@cache
def _stamp(folder: Path) -> str:
    """Times and sizes of the folder's files."""
    stats = [file.stat() for file in sorted(folder.glob("*.py"))]
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
    dispatcher: Any = njit(nogil=True, boundscheck=False, error_model="numpy", fastmath=fastmath)(function)
    if not _IS_PLAIN:
        with contextlib.suppress(RuntimeError):  # no folder to keep it can be written
            dispatcher._cache = _KernelCache(function)
    return dispatcher
