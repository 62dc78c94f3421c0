"""`make gpu`: what its report says of parts that pass, fail or take too long, and what it says without a GPU."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.gpu_report import PARTS, ROOT, Part, run


def test_a_part_passes_fails_or_is_ended() -> None:
    ending, output = run(Part("", ("timeit", "-n", "1", "-r", "1", "-s", "print(7)", "pass"), 30))
    assert ending.startswith("passed, ")
    assert output.startswith("7\n")
    ending, output = run(Part("", ("timeit", "1 / 0"), 30))
    assert ending.startswith("failed with 1, ")
    assert "ZeroDivisionError" in output
    ending, output = run(Part("", ("timeit", "-s", "print(8, flush=True); import time; time.sleep(60)"), 5))
    assert ending.startswith("ended after its limit of 5 s")
    assert output == "8\n"


def test_all_parts_fit_in_ten_minutes() -> None:
    assert sum(part.limit_s for part in PARTS) < 600


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_it_says_where_there_is_no_gpu(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.gpu_report", str(tmp_path / "report")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no CUDA device: no GPU test or bench was run" in done.stderr
    assert not list(tmp_path.iterdir())
