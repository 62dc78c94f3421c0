"""Turns the kernels of a package into the sources of its extension module. `build.py` runs this."""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .sources import changed_files, code_digest_of, digest_of


def make(module: str, package_folder: Path, folder: Path, made: Path, triples: Sequence[str] = ()) -> None:
    """Write C source and one object file for each target to a folder; write nothing if the module `made` is current.

    module: full name of the extension module.
    package_folder: folder of the package that the module belongs to.
    folder: output folder.
    made: path of the extension module that was built before.
    triples: LLVM's names of other platforms to make objects for, each in a folder of that name; (): this platform.
    """
    names = sorted(_modules_that_export(module.rpartition(".")[0], package_folder))
    if not triples and _is_current(module, package_folder, made, names):
        return
    from . import jit, native, wrapper  # imported late, since both need numba

    for name in names:
        importlib.import_module(name)
    kernels = native.lower([found for found in jit.EXPORTED if found.function.__module__ in names])
    has_floats = any(native.has_floats(compiled) for compiled in kernels.exported)
    sources = {"made by": _machinery(), "exported": names, "files": _imported_files(package_folder)}
    for triple in triples or (native.THIS_PLATFORM,):
        output = folder / triple if triples else folder
        output.mkdir(parents=True, exist_ok=True)
        targets = _targets(wrapper.Target, triple, has_floats)
        for target in targets:
            code = native.emit(kernels, triple, target.processor, target.prefix)
            (output / f"{target.prefix}kernels.o").write_bytes(code)
        text = wrapper.source_of(module, kernels.exported, targets, json.dumps(sources), jit.FAULTS)
        (output / "kernels.c").write_text(text, encoding="utf-8")


def _targets(target: type[Any], triple: str, has_floats: bool) -> list[Any]:
    """Return the targets: on x86-64 all processors since 2009, and those with AVX2; elsewhere LLVM's generic one.

    PERF: with AVX2 attention takes 0.66 to 0.76 of the time (pages in the cache), the samplers 1.00. Masks of MaskBench
    take 0.97 to 0.99, so kernels without floats are compiled once.
    """
    if not triple.startswith("x86_64"):
        return [target("generic", "", "1")]
    baseline = target("x86-64-v2", "v2_", "has_v2()")
    return [target("x86-64-v3", "v3_", "has_v3()"), baseline] if has_floats else [baseline]


def _modules_that_export(package: str, folder: Path) -> Iterator[str]:
    """Yield the modules of a package that decorate a function with `exported`."""
    for file in folder.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if "@exported" in text and any(_is_exported(node) for node in ast.parse(text).body):
            yield ".".join((package, *file.relative_to(folder).with_suffix("").parts))


def _is_exported(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef):
        return False
    called = [found.func if isinstance(found, ast.Call) else found for found in node.decorator_list]
    return any(isinstance(found, ast.Name) and found.id.startswith("exported") for found in called)


def _imported_files(folder: Path) -> dict[str, str]:
    """Return the checksums of imported sources in a folder. Modules built before are not included (`_is_current`)."""
    files = [module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)]
    sources = [Path(file) for file in files if file and file.endswith(".py")]
    inside = sorted(file for file in sources if file.is_relative_to(folder))
    return {file.relative_to(folder).as_posix(): digest_of(file) for file in inside}


def _machinery() -> str:
    """Return a checksum of the code that makes kernels."""
    here = Path(__file__).parent
    digests = [code_digest_of(file) for file in sorted(here.glob("*.py"))]
    digests.append(hashlib.sha256((here / "face.h").read_bytes()).hexdigest())
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def _is_current(module: str, package_folder: Path, made: Path, names: list[str]) -> bool:
    """Return True if an extension module was made from these sources."""
    if not made.exists():
        return False
    spec = importlib.util.spec_from_file_location(module, made)
    assert spec is not None
    known = json.loads(importlib.util.module_from_spec(spec).SOURCES)
    if (known["made by"], known["exported"]) != (_machinery(), names):
        return False
    return not changed_files(known["files"], package_folder)
