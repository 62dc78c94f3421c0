"""Generates an extension module's sources: `python grammars/kernels/build.py guided.grammars._kernels FOLDER MADE
[TRIPLE ...]`.

The script needs numba and numpy, but none of this project's other dependencies. It registers all packages without
running their `__init__`, and imports only the files of kernels. `making` does the rest.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
KERNELS = "guided.grammars.kernels"


def _add_packages(name: str, folder: Path) -> None:
    """Register a package and its subpackages as modules, except the one with `making`."""
    module = sys.modules[name] = ModuleType(name)
    module.__path__ = [str(folder)]
    for inner in folder.iterdir():
        if (inner / "__init__.py").exists() and f"{name}.{inner.name}" != KERNELS:
            _add_packages(f"{name}.{inner.name}", inner)


if __name__ == "__main__":
    package, _, kind = sys.argv[1].rpartition(".")
    os.environ["GUIDED_KERNELS"] = "building checked" if kind == "_kernels_checked" else "building"
    sys.dont_write_bytecode = True
    gc.disable()  # PERF: searching for cycles takes 4 s of 35; not freeing them costs 200 MB
    folders = {"guided": ROOT / "guided", "guided.grammars": ROOT / "grammars"}
    for known, top in folders.items():
        _add_packages(known, top)
    making = importlib.import_module(f"{KERNELS}.making")
    making.make(sys.argv[1], folders[package], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
