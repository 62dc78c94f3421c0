"""The kernels as plain Python give the same masks as compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from . import plain_kernels

ROOT = Path(__file__).parents[4]


def test_compiled_and_plain_kernels_agree() -> None:
    environment = {**os.environ, "GUIDED_KERNELS": "plain"}
    command = [sys.executable, "-W", "error", "-m", "tests.grammars.machine.rules.plain_kernels"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    plain, compiled = json.loads(done.stdout), plain_kernels.masks()
    assert len(plain) > 60
    assert plain == compiled
