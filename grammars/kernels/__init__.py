"""Kernels: hot loops as Python functions that are compiled when the package is built (docs/kernels.md).

`@exported` marks a kernel that Python calls; `@kernel` one that only other kernels call. The environment's
GUIDED_KERNELS chooses what they are in a process:

    built    the default: functions of the extension module `_kernels`, made when the package is installed
    checked  of `_kernels_checked`, where every index is compared with the length of its array
    jit      compiled by numba in this process when they are called, for work on kernels
    plain    plain Python functions, with checked indices too: slow, and a debugger stops in them
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
    """A kernel that kernels call. options: numba's, such as `fastmath`."""
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
    """A kernel that Python calls. Its parameters are annotated: `int`, `bool`, `float`, or arrays of `arrays`.

    releases_gil: False for a short one, for which giving up the GIL and getting it back would cost more than it takes.
    A call of one that waits gives None (see `ending`). Raises ImportError where it was not built, or from another
    source.
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
