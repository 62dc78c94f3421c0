"""Ahead-of-time compilation: from exported kernels to machine code, by numba's compiler and LLVM.

Numba types and lowers each kernel once. The results are linked into one module, which is optimized as a whole; numba
itself would optimize each kernel again inside each of its callers. The result needs nothing of numba: a kernel that
ends early returns a number, and C code reads arguments and makes arrays (`wrapper`).
"""

# mypy: allow-untyped-calls, disable-error-code="no-any-return, misc, assignment"

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import binding as llvm
from numba import types
from numba.core import callconv, codegen, compiler, config, cpu
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from .arrays import ArrayKind
from .jit import Exported, KernelCompiler
from .signatures import ArgumentKind, signatures_of

_TYPES = {
    "b1": types.boolean,
    "u1": types.uint8,
    "u4": types.uint32,
    "i4": types.int32,
    "i8": types.int64,
    "f4": types.float32,
    "f8": types.float64,
}

THIS_PLATFORM: str = llvm.get_process_triple()
"""LLVM's name of the platform that this process runs on."""


@dataclass(frozen=True)
class Compiled:
    """An exported kernel compiled for one signature.

    exported: the kernel.
    kinds: kinds of its parameters.
    symbol: name of its function.
    results: kinds of its results.
    is_tuple: True if it returns a tuple.
    """

    exported: Exported
    kinds: tuple[ArgumentKind, ...]
    symbol: str
    results: tuple[str, ...]
    is_tuple: bool


@dataclass(frozen=True)
class Kernels:
    """All exported kernels. bitcode: one LLVM module, not optimized yet."""

    exported: list[Compiled]
    bitcode: bytes


def has_floats(compiled: Compiled) -> bool:
    """Return True if a kernel takes or returns floats."""
    codes = [kind.code if isinstance(kind, ArrayKind) else kind for kind in compiled.kinds]
    return any(code.startswith("f") for code in (*codes, *compiled.results))


def lower(kernels: Sequence[Exported]) -> Kernels:
    """Type and lower kernels, and all kernels that they call."""
    context = _Context(cpu_target.typing_context, "cpu").subtarget(_internal_codegen=_Codegen("kernels"), aot_mode=True)
    cpu_target.__dict__["_toplevel_target_context"] = context  # kernels that they call are then lowered in the same way
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


def emit(kernels: Kernels, triple: str, processor: str, prefix: str) -> bytes:
    """Return machine code as an object file.

    triple: LLVM's name of a platform.
    processor: LLVM's name of a processor.
    prefix: beginning of all symbols.
    """
    maker = _Codegen("kernels", processor if triple == THIS_PLATFORM else None)
    if triple != THIS_PLATFORM:
        maker.aim_at(triple, processor)
    module = llvm.parse_bitcode(kernels.bitcode)
    module.triple, module.data_layout = triple, str(maker._tm.target_data)
    for compiled in kernels.exported:
        module.get_function(compiled.symbol).name = prefix + compiled.symbol
    maker.optimise(module)
    return maker._tm.emit_object(module)


def _lowered(context: Any, exported: Exported, kinds: tuple[ArgumentKind, ...]) -> Any:
    flags = compiler.Flags()
    cpu_target.options.parse_as_flags(flags, exported.kernel.targetoptions)
    flags.no_compile = True
    flags.enable_pyobject = False
    arguments = [_numba_type(kind) for kind in kinds]
    return compiler.compile_extra(
        cpu_target.typing_context, context, exported.function, arguments, None, flags, {}, None, KernelCompiler
    )


def _numba_type(kind: ArgumentKind) -> Any:
    if not isinstance(kind, ArrayKind):
        return _TYPES[kind]
    return types.Array(_TYPES[kind.code], kind.num_axes, "A" if kind.has_strides else "C")


def _code_of(numba_type: Any) -> str:
    literal = getattr(numba_type, "literal_type", numba_type)
    return next(code for code, known in _TYPES.items() if known == literal)


class _Library(codegen.AOTCodeLibrary):
    """A kernel's module as numba lowers it: neither optimized nor linked with the kernels that it calls."""

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

    def aim_at(self, triple: str, processor: str) -> None:
        """Emit code for another platform. Lowered kernels are the same on all that have 64 bits, little-endian."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        options = {"opt": config.OPT, "cpu": processor, "reloc": "pic", "codemodel": "default"}  # type: ignore[attr-defined]
        self._tm = llvm.Target.from_triple(triple).create_target_machine(**options)

    def create_library(self, name: str, **options: Any) -> Any:
        library = super().create_library(name, **options)
        self._made.append(library)
        return library

    def linked(self) -> Any:
        """Return one module with all kernels.

        PERF: LLVM reads a whole module each time it links another one into it. Neighbours are therefore linked in
        pairs, then pairs of these.
        """
        whole = llvm.parse_assembly(str(self._create_empty_module("kernels")))
        modules = [whole, *(library._final_module for library in self._made)]
        while len(modules) > 1:
            for first, second in zip(modules[::2], modules[1::2], strict=False):
                first.link_in(second)
            modules = modules[::2]
        return whole

    def optimise(self, module: Any) -> None:
        """Optimize a module in the same steps as numba."""
        cheap, passes = self._module_pass_manager(loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap")
        cheap.run(module, passes)
        full, passes = self._module_pass_manager()
        full.run(module, passes)


class _CallConv(callconv.CPUCallConv):
    """A calling convention: a kernel that ends early ends its callers, too, and all return its number.

    PERF: with numba's own, which also passes on the place of an exception, the module of grammars has 674 KB instead of
    619.
    """

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        self._return_errcode_raw(builder, status.code)


class _Context(cpu.CPUContext):
    """Lowers kernels without loading code into this process."""

    @property
    def call_conv(self) -> Any:
        return _CallConv(self)

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        return [].append  # numba keeps this as an overload's key: a builtin function that equals no other one
