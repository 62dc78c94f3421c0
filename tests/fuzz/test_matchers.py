"""Matchers in random order, with kernels that compare every index: `make checked-kernels` builds these."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from . import matchers
from .command import fuzz

SECONDS = 45


def test_matchers() -> None:
    assert fuzz(matchers.look, seed=13, cases=14) == []


@pytest.mark.skipif(find_spec("guided.grammars._kernels_checked") is None, reason="`make checked-kernels` was not run")
def test_no_index_is_out_of_bounds() -> None:
    command = [sys.executable, "-m", "tests.fuzz.matchers", "--seed", "14", "--seconds", str(SECONDS)]
    environment = {**os.environ, "GUIDED_KERNELS": "checked"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
