"""Kernels compiled by numba in this process, or collected for `native` in a process that builds."""

# mypy: allow-untyped-calls, disable-error-code="misc, no-any-return"

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from numba import types
from numba.core import compiler, typed_passes, untyped_passes
from numba.core.compiler_machinery import PassManager
from numba.core.registry import CPUDispatcher
from numba.extending import typeof_impl

from .ending import Grower, restarting
from .modes import BUILDING_CHECKED, JIT, MODE


@dataclass(frozen=True)
class Exported:
    """An exported kernel for the extension module that is being built. kernel: numba's dispatcher."""

    function: Callable[..., Any]
    kernel: Any
    releases_gil: bool


EXPORTED: list[Exported] = []
"""All exported kernels that were met, in a process that builds."""

FAULTS: list[str] = []
"""The arrays (struct and field) whose indices checked kernels compare. Entry i belongs to status number FIRST_FAULT +
i.
"""
FIRST_FAULT = 100

_UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}


_UNNEEDED = (
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
)


class KernelCompiler(compiler.Compiler):
    """Numba's passes, without those for Python that no kernel has: closures, `with`, array expressions, unrolled loops.

    PERF: the module of grammars takes 37.9 s of processor time. With all passes, and modules linked one by one
    (`native`), it takes 44.4 s; the machine code is the same.
    """

    def define_pipelines(self) -> list[Any]:
        """Return the passes in order."""
        [usual] = super().define_pipelines()
        needed = PassManager(usual.pipeline_name)
        for one, why in usual.passes:
            if one not in _UNNEEDED:
                needed.add_pass(one, why)
        needed.finalize()
        return [needed]


class _Dispatcher(CPUDispatcher):
    """Numba's dispatcher of a kernel: compiles it for each combination of argument types."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Choose the version that another kernel calls.

        PERF: a constant argument counts as any integer. numba would compile `f(x, 0)` and `f(x, 1)` apart: 458
        functions instead of 363, which takes 7 s more. LLVM knows the constants anyway where it inlines.
        """
        plain = tuple(_without_value(arg) for arg in args)
        return super().get_call_template(plain, {name: _without_value(arg) for name, arg in dict(kws).items()})


def _without_value(argument: Any) -> Any:
    return argument.literal_type if isinstance(argument, types.IntegerLiteral) else argument


def compiled(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Like `numba.njit` with these options, except that constants passed between kernels count as plain integers."""
    usual = {"nogil": True} if MODE == JIT else _UNWRAPPED
    options = {"nopython": True, "boundscheck": MODE == BUILDING_CHECKED, **usual, **options}
    return _Dispatcher(function, targetoptions=options, pipeline_class=KernelCompiler)


def note_exported(function: Callable[..., Any], kernel: Any, releases_gil: bool) -> Any:
    """Return the kernel for Python; a process that builds collects it."""
    if MODE == JIT:
        return JitKernel(kernel)
    EXPORTED.append(Exported(function, kernel, releases_gil))
    return kernel


full_table = ctypes.c_int64()
"""Id of the struct whose table is full, written by kernels that were compiled in this process."""


class JitKernel:
    """An exported kernel that numba compiles in this process, with numba's attributes."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel
        self._call = restarting(kernel, _full_table)

    def __call__(self, *args: Any) -> Any:
        return self._call(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernel, name)


@typeof_impl.register(JitKernel)
def _type_of_kernel(kernel: JitKernel, _: Any) -> Any:
    """Kernels that call it see the compiled function."""
    return types.Dispatcher(kernel.kernel)


def _full_table() -> Grower:
    return cast(Grower, ctypes.cast(full_table.value, ctypes.py_object).value)


def fault_number(place: str) -> int:
    """Return the status number of a checked kernel whose index into this array is out of bounds."""
    FAULTS.append(place)
    return FIRST_FAULT + len(FAULTS) - 1
