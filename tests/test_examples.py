"""The README's Python code, the examples and the demo's command do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


def run(*arguments: str) -> str:
    """Standard output of a Python command in the project's folder; it must succeed."""
    result = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_readme_python_example() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    lines = run("-c", "\n".join(blocks[:2])).splitlines()
    assert len(lines) == 2
    assert lines[0] == "name='Ada Holm' age=36 city='Oslo'"
    assert re.fullmatch(r"2026-(0[1-9]|1[0-2])", lines[1])


def test_typed_extraction_example() -> None:
    lines = run("examples/typed_extraction.py").splitlines()
    assert lines[0].startswith("Order(order_id='A-20931', customer='Wexford Libraries', product='reading lamps'")
    assert lines[1].startswith("valid: True")


def test_field_stream_example() -> None:
    lines = run("examples/field_stream.py").splitlines()
    assert lines[:2] == ["/order_id = 'A-20931'", "/customer = 'Wexford Libraries'"]
    assert re.fullmatch(r"least sure: /\w+, (0\.[5-9]\d|1\.00)", lines[-1])


def test_plain_generate_example() -> None:
    assert re.fullmatch(r"2026-\d\d-\d\d\n", run("examples/plain_generate.py"))


@pytest.mark.parametrize("name", ["Person", "Order", "Invoice", "Event"])
def test_demo_models_are_enforced_exactly(name: str) -> None:
    report = run("-m", "guided.cli", "check", f"examples/models.py:{name}")
    assert "How each keyword is enforced" in report
