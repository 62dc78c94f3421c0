"""Says where another project of the index, `guided`, is installed into the same folder as this one."""

from __future__ import annotations

import os

ADVICE = (
    "the package 'guided' is installed beside 'guided-generation'. It is another project, which writes into the same "
    "folder; run: pip uninstall guided; then pip install --force-reinstall --no-deps guided-generation"
)


def is_installed(folder: str) -> bool:
    """Return True if the other project is installed in a folder. PERF: importlib.metadata would take 20 ms."""
    if not os.path.isdir(folder):
        return False
    return any(name.startswith("guided-") and name.endswith(".dist-info") for name in os.listdir(folder))
