"""The mode of kernels in this process, from the environment variable GUIDED_KERNELS (see the package)."""

from __future__ import annotations

import os

BUILT, CHECKED, JIT, PLAIN = MODES = ("built", "checked", "jit", "plain")
BUILDING, BUILDING_CHECKED = "building", "building checked"
"""The modes of processes that make the extension modules."""

MODE = os.environ.get("GUIDED_KERNELS", BUILT)
if MODE not in (*MODES, BUILDING, BUILDING_CHECKED):
    raise ImportError(f"GUIDED_KERNELS is {MODE!r}; it can be {', '.join(MODES)}")
IS_COMPILING = MODE in (JIT, BUILDING, BUILDING_CHECKED)
