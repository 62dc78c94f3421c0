"""The kernels as plain Python give the same masks as compiled, even if they are restarted at each growth of a table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from . import plain_kernels
from .rules import plain_kernels as plain_kernels_of_rules

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("module", "more_than", "num_tables"), [(plain_kernels, 150, 18), (plain_kernels_of_rules, 60, 20)]
)
def test_compiled_and_plain_kernels_agree(module: ModuleType, more_than: int, num_tables: int) -> None:
    environment = {**os.environ, "GUIDED_KERNELS": "plain"}
    command = [sys.executable, "-W", "error", "-m", module.__name__]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (plain, restarts), compiled = json.loads(done.stdout), module.masks()
    assert len(restarts) > num_tables, restarts
    assert len(plain) > more_than
    assert plain == compiled
