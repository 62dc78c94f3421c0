"""Exported kernels of the extension modules: found by name, refused where the sources are not those that were built."""

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
    """The compiled one, of the nearest extension module called `kind`. ImportError: there is none of this source."""
    module, problem = _built_kernels(function.__module__.rpartition(".")[0], kind)
    name = f"{function.__module__}.{function.__qualname__}"
    found: Callable[..., Any] | None = getattr(module, name, None)
    if problem or found is None:
        raise ImportError(problem or f"the kernel {name} is not among those that were built: {HOW}")
    return found


@cache
def _built_kernels(package: str, kind: str) -> tuple[ModuleType | None, str]:
    """The extension module of a package or of the nearest one around it; and why it can't be used, "" where it can."""
    try:
        module = import_module(f"{package}.{kind}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{kind}":
            raise
        around = package.rpartition(".")[0]
        return _built_kernels(around, kind) if around else (None, f"there is no {kind}: {HOW}")
    changed = changed_files(json.loads(module.SOURCES)["files"], Path(module.__file__ or "").parent)
    return module, f"{changed[0]} is not as it was when kernels were built: {HOW}" if changed else ""
