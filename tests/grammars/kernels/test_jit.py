"""The tests of what kernels and Python share, with kernels that numba compiles in the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_kernels_that_only_kernels_call() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/grammars/memory"]
    environment = {**os.environ, "GUIDED_KERNELS": "jit"}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
