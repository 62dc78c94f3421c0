"""Kernels by numba: compiled in this process, or collected for `native` in one that builds."""

# mypy: allow-untyped-calls, disable-error-code="misc, no-any-return"

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from numba import types
from numba.core.registry import CPUDispatcher
from numba.extending import typeof_impl

from .ending import Grower, restarting
from .modes import BUILDING_CHECKED, JIT, MODE


@dataclass(frozen=True)
class Exported:
    """An exported kernel of the extension module that is being built. kernel: as numba knows it."""

    function: Callable[..., Any]
    kernel: Any
    releases_gil: bool


EXPORTED: list[Exported] = []
"""All that were met, in a process that builds."""

FAULTS: list[str] = []
"""The arrays whose indices checked kernels compare: struct and field. By the number that a kernel ends with, less
`FIRST_FAULT`."""
FIRST_FAULT = 100

_UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}


class _Dispatcher(CPUDispatcher):
    """A kernel as numba knows it: compiled for each list of types of its arguments."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Choose the version that another kernel calls.

        PERF: a constant is an argument like any other integer. numba would compile `f(x, 0)` and `f(x, 1)` apart, and
        with that 458 functions instead of 363, which takes 7 s more; LLVM knows the constants anyway where it inlines.
        """
        plain = tuple(_without_value(arg) for arg in args)
        return super().get_call_template(plain, {name: _without_value(arg) for name, arg in dict(kws).items()})


def _without_value(argument: Any) -> Any:
    return argument.literal_type if isinstance(argument, types.IntegerLiteral) else argument


def compiled(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """What `numba.njit` gives with these options, but for the constants that kernels pass to each other."""
    usual = {"nogil": True} if MODE == JIT else _UNWRAPPED
    options = {"nopython": True, "boundscheck": MODE == BUILDING_CHECKED, **usual, **options}
    return _Dispatcher(function, targetoptions=options)


def note_exported(function: Callable[..., Any], kernel: Any, releases_gil: bool) -> Any:
    """The kernel; a process that builds keeps it in mind."""
    if MODE == JIT:
        return JitKernel(kernel)
    EXPORTED.append(Exported(function, kernel, releases_gil))
    return kernel


full_table = ctypes.c_int64()
"""Where a kernel that was compiled in this process says which table has no room: the id of the struct that has it."""


class JitKernel:
    """An exported kernel that numba compiles in this process. It has numba's attributes too."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel
        self._call = restarting(kernel, _full_table)

    def __call__(self, *args: Any) -> Any:
        return self._call(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernel, name)


@typeof_impl.register(JitKernel)
def _type_of_kernel(kernel: JitKernel, _: Any) -> Any:
    """To the kernels that call it, it is the compiled function."""
    return types.Dispatcher(kernel.kernel)


def _full_table() -> Grower:
    return cast(Grower, ctypes.cast(full_table.value, ctypes.py_object).value)


def fault_number(place: str) -> int:
    """What a checked kernel ends with where an index of this array is out of bounds."""
    FAULTS.append(place)
    return FIRST_FAULT + len(FAULTS) - 1
