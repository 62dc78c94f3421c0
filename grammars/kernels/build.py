"""Makes an extension module's sources: `python grammars/kernels/build.py guided.grammars._kernels FOLDER MADE`.

Runs where numba and numpy are installed and nothing else of what this project needs: all packages are made known
without running their `__init__`, and only what kernels are made from is imported. `making` does the rest.
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
    """Make a package and those in it known, but the one that has `making`."""
    module = sys.modules[name] = ModuleType(name)
    module.__path__ = [str(folder)]
    for inner in folder.iterdir():
        if (inner / "__init__.py").exists() and f"{name}.{inner.name}" != KERNELS:
            _add_packages(f"{name}.{inner.name}", inner)


if __name__ == "__main__":
    package, _, kind = sys.argv[1].rpartition(".")
    os.environ["GUIDED_KERNELS"] = "building checked" if kind == "_kernels_checked" else "building"
    sys.dont_write_bytecode = True
    gc.disable()  # PERF: looking for circles takes 4 s of 35, and leaving them costs 200 MB
    folders = {"guided": ROOT / "guided", "guided.grammars": ROOT / "grammars"}
    for known, top in folders.items():
        _add_packages(known, top)
    making = importlib.import_module(f"{KERNELS}.making")
    making.make(sys.argv[1], folders[package], Path(sys.argv[2]), Path(sys.argv[3]))
