"""Kernels: hot loops as Python functions that are compiled when the package is built (docs/kernels.md).

`@exported` marks a kernel that Python calls, `@kernel` one that only kernels call. The environment variable
GUIDED_KERNELS chooses how a process runs them:

    built    the default: functions of the extension module `_kernels`, made when the package is installed
    checked  functions of `_kernels_checked`, which compare every index with the length of its array
    jit      compiled by numba in this process on first call, for work on kernels
    plain    plain Python functions, also with checked indices: slow, but a debugger can stop in them
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, overload

from .ending import restarting
from .modes import BUILT, IS_COMPILING, MODE, PLAIN

Kernel = Callable[..., Any]


@overload
def kernel(function: Kernel, /, **options: Any) -> Any: ...
@overload
def kernel(**options: Any) -> Callable[[Kernel], Any]: ...
def kernel(function: Kernel | None = None, /, **options: Any) -> Any:
    """Mark a kernel that only kernels call. options: numba's options, such as `fastmath`."""
    if function is None:
        return partial(kernel, **options)
    if not IS_COMPILING:
        return function
    from .jit import compiled

    return compiled(function, options)


@overload
def exported(function: Kernel, /, *, releases_gil: bool = True, **options: Any) -> Any: ...
@overload
def exported(*, releases_gil: bool = True, **options: Any) -> Callable[[Kernel], Any]: ...
def exported(function: Kernel | None = None, /, *, releases_gil: bool = True, **options: Any) -> Any:
    """Mark a kernel that Python calls. The parameters need annotations: `int`, `bool`, `float`, or arrays of `arrays`.

    releases_gil: False for a kernel that takes less time than releasing and taking the GIL.
    options: numba's options.

    A call of a kernel that waits returns None (see `ending`).
    Raises ImportError if the kernel was not built, or was built from another source.
    """
    if function is None:
        return partial(exported, releases_gil=releases_gil, **options)
    if MODE == PLAIN:
        return restarting(function)
    if not IS_COMPILING:
        from .built import built_kernel

        return built_kernel(function, "_kernels" if MODE == BUILT else "_kernels_checked")
    from .jit import compiled, note_exported

    return note_exported(function, compiled(function, options), releases_gil)
