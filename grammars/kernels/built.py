"""Finds exported kernels in the extension modules by name. Refuses modules built from other sources."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from .sources import changed_files

HOW = "build kernels with `make kernels` or `pip install --editable .`, or say GUIDED_KERNELS=jit to change them"


def built_kernel(function: Callable[..., Any], kind: str) -> Callable[..., Any]:
    """Return the compiled kernel from the nearest extension module called `kind`.

    Raises ImportError if no module was built from this source.
    """
    module, problem = _built_kernels(function.__module__.rpartition(".")[0], kind)
    name = f"{function.__module__}.{function.__qualname__}"
    found: Callable[..., Any] | None = getattr(module, name, None)
    if problem or found is None:
        raise ImportError(problem or f"the kernel {name} is not among those that were built: {HOW}")
    return found


@cache
def _built_kernels(package: str, kind: str) -> tuple[ModuleType | None, str]:
    """Return the extension module of the package, or of the nearest enclosing one, and a problem ("" if there is
    none).
    """
    try:
        module = import_module(f"{package}.{kind}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{kind}":
            raise
        around = package.rpartition(".")[0]
        return _built_kernels(around, kind) if around else (None, f"there is no {kind}: {HOW}")
    changed = changed_files(json.loads(module.SOURCES)["files"], Path(module.__file__ or "").parent)
    return module, f"{changed[0]} is not as it was when kernels were built: {HOW}" if changed else ""
