"""Ahead of time: from exported kernels to machine code, by numba's compiler and LLVM.

Numba types and lowers each kernel once. What it makes is linked into one module that is optimised as a whole; numba
itself would optimise each kernel again inside of each of its callers. Nothing of numba is left in the result: a kernel
that ends early returns a number, and C reads arguments and makes arrays (`wrapper`).
"""

# mypy: allow-untyped-calls, disable-error-code="no-any-return, misc, assignment"

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import binding as llvm
from numba import types
from numba.core import callconv, codegen, compiler, cpu
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from .arrays import ArrayKind
from .jit import Exported
from .signatures import Kind, signatures_of

_TYPES = {
    "b1": types.boolean,
    "u1": types.uint8,
    "u4": types.uint32,
    "i4": types.int32,
    "i8": types.int64,
    "f4": types.float32,
    "f8": types.float64,
}


@dataclass(frozen=True)
class Compiled:
    """An exported kernel for one signature. symbol: of its function. results: the kinds of what it returns."""

    exported: Exported
    kinds: tuple[Kind, ...]
    symbol: str
    results: tuple[str, ...]
    is_tuple: bool


@dataclass(frozen=True)
class Kernels:
    """All exported ones. bitcode: one LLVM module, not optimised yet."""

    exported: list[Compiled]
    bitcode: bytes


def has_floats(compiled: Compiled) -> bool:
    """True where it takes or returns floats."""
    codes = [kind.code if isinstance(kind, ArrayKind) else kind for kind in compiled.kinds]
    return any(code.startswith("f") for code in (*codes, *compiled.results))


def lower(kernels: Sequence[Exported]) -> Kernels:
    """Type and lower kernels, and all kernels that they call."""
    context = _Context(cpu_target.typing_context, "cpu").subtarget(_internal_codegen=_Codegen("kernels"), aot_mode=True)
    cpu_target.__dict__["_toplevel_target_context"] = context  # so that the kernels which they call are lowered alike
    found: list[Compiled] = []
    names: list[str] = []
    with global_compiler_lock:
        for exported in kernels:
            for kinds in signatures_of(exported.function):
                result = _lowered(context, exported, kinds)
                names.append(result.fndesc.llvm_func_name)
                returned = result.signature.return_type
                is_tuple = isinstance(returned, types.BaseTuple)
                results = () if returned == types.none else tuple(returned) if is_tuple else (returned,)
                codes = tuple(_code_of(of_one) for of_one in results)
                found.append(Compiled(exported, kinds, f"guided_{len(found)}", codes, is_tuple))
    whole = context.codegen().linked()
    for name, compiled in zip(names, found, strict=True):
        whole.get_function(name).name = compiled.symbol
    for function in whole.functions:
        if not function.is_declaration and not function.name.startswith("guided_"):
            function.linkage = "internal"
    for variable in whole.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    return Kernels(found, whole.as_bitcode())


def emit(kernels: Kernels, processor: str, prefix: str) -> bytes:
    """Machine code for a kind of processors, LLVM's name; symbols begin with the prefix. As an object file."""
    maker = _Codegen("kernels", processor)
    module = llvm.parse_bitcode(kernels.bitcode)
    for compiled in kernels.exported:
        module.get_function(compiled.symbol).name = prefix + compiled.symbol
    maker.optimise(module)
    return maker._tm.emit_object(module)


def _lowered(context: Any, exported: Exported, kinds: tuple[Kind, ...]) -> Any:
    flags = compiler.Flags()
    cpu_target.options.parse_as_flags(flags, exported.kernel.targetoptions)
    flags.no_compile = True
    flags.enable_pyobject = False
    arguments = [_numba_type(kind) for kind in kinds]
    return compiler.compile_extra(
        cpu_target.typing_context, context, exported.function, arguments, None, flags, locals={}, library=None
    )


def _numba_type(kind: Kind) -> Any:
    if not isinstance(kind, ArrayKind):
        return _TYPES[kind]
    return types.Array(_TYPES[kind.code], kind.num_axes, "A" if kind.has_strides else "C")


def _code_of(numba_type: Any) -> str:
    literal = getattr(numba_type, "literal_type", numba_type)
    return next(code for code, known in _TYPES.items() if known == literal)


class _Library(codegen.AOTCodeLibrary):
    """A kernel's module as numba lowers it: neither optimised nor linked with those of the kernels that it calls."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def add_linking_library(self, library: Any) -> None:
        pass

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True


class _Codegen(codegen.AOTCPUCodegen):
    """Makes the modules of all kernels, and keeps them."""

    _library_class = _Library

    def __init__(self, name: str, processor: str | None = None) -> None:
        self._made: list[Any] = []
        super().__init__(name, processor)

    def create_library(self, name: str, **options: Any) -> Any:
        library = super().create_library(name, **options)
        self._made.append(library)
        return library

    def linked(self) -> Any:
        """One module of all."""
        whole = llvm.parse_assembly(str(self._create_empty_module("kernels")))
        for library in self._made:
            whole.link_in(library._final_module)
        return whole

    def optimise(self, module: Any) -> None:
        """As numba optimises a library."""
        cheap, passes = self._module_pass_manager(loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap")
        cheap.run(module, passes)
        full, passes = self._module_pass_manager()
        full.run(module, passes)


class _CallConv(callconv.CPUCallConv):
    """A kernel that ends early ends those that called it too, and all that they return is its number.

    PERF: with numba's own, which also hands on where an exception is, the module of grammars has 674 KB instead of 619.
    """

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        self._return_errcode_raw(builder, status.code)


class _Context(cpu.CPUContext):
    """Lowers without loading code into this process."""

    @property
    def call_conv(self) -> Any:
        return _CallConv(self)

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        return [].append  # numba keeps this as the key of an overload: a builtin function that is equal to no other one
