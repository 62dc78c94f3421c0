"""The code and commands of the start page and the README, the examples and the demo's command do what they say."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from guided.cli import main
from tests.guides import Guide

README = Guide("../README.md")
START = Guide("index.md")
ROOT = Path(__file__).parent.parent
EXAMPLES = ("examples/typed_extraction.py", "examples/field_stream.py", "examples/plain_generate.py")
RUN = """
import contextlib, io, json, runpy, sys
sys.path[0] = "examples"
printed = {}
for path in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as output:
        runpy.run_path(path, run_name="__main__")
    printed[path] = output.getvalue()
print(json.dumps(printed))
"""
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    """What each example prints, run in the project's folder by one process, so that libraries load once."""
    arguments = [sys.executable, "-c", RUN, *EXAMPLES]
    ended = subprocess.run(arguments, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    found: dict[str, str] = json.loads(ended.stdout)
    return found


def test_start_page_python() -> None:
    """All of its Python, in order, prints what stands below it."""
    assert "formula" in START.run_python("")


def test_readme_is_a_part_of_the_start_page() -> None:
    """So what the README shows runs, too."""
    shown = [block.code for block in README.blocks]
    assert shown == [block.code for block in START.blocks if block.info in ("python", "text")][:2]
    commands = re.findall(r"^    \.venv/bin/(guided .*)$", README.text, re.M)
    assert len(commands) == 3
    assert [command for command in commands if f"\n{command}\n" not in START.text] == []
    assert README.text.count("\n") < 70  # one screen; the rest are links


def test_start_page_commands(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command runs as written; `bench` with less to do, `serve` in tests/server."""
    monkeypatch.chdir(ROOT)
    found = re.findall(r'^(?:echo "(.*)" \| )?guided (.*)$', START.text, re.M)
    found = [one for one in found if "smollm2" not in one[1]]  # these are for tests/real
    assert [shlex.split(command)[0] for _, command in found] == [
        *("extract", "extract", "generate", "generate", "check", "bench", "serve")
    ]
    outputs = []
    for text, command in found[:-1]:
        arguments = shlex.split(command)
        if arguments[0] == "bench":
            arguments += ["--rows", "1", "--rounds", "1", "--max-new-tokens", "8"]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        with pytest.raises(SystemExit) as left:
            main(arguments)
        captured = capsys.readouterr()
        assert not left.value.code, captured.err
        outputs.append(captured.out)
    people, fair, person, choice, report, figures = outputs
    assert "name='" in people
    assert "date='3 May 2026'" in fair
    assert json.loads(person)["age"] == 36
    assert choice == "tails\n"
    assert "each of the 8 fields" in " ".join(report.split())
    for shown in (fair, people, report, figures):
        assert max(map(len, shown.splitlines())) <= 80
    for name in ("first mask, ms", "commit, us", "tokens/s", "constrained"):
        assert name in figures  # no header is cut


def test_typed_extraction_example(printed: dict[str, str]) -> None:
    lines = printed["examples/typed_extraction.py"].splitlines()
    assert lines[0].startswith("Order(order_id='A-20931', customer='Wexford Libraries', product='reading lamps'")
    assert lines[1].startswith("valid: True")


def test_field_stream_example(printed: dict[str, str]) -> None:
    lines = printed["examples/field_stream.py"].splitlines()
    assert lines[:2] == ["/order_id = 'A-20931'", "/customer = 'Wexford Libraries'"]
    assert re.fullmatch(r"least sure: /\w+, (0\.[5-9]\d|1\.00)", lines[-1])


def test_plain_generate_example(printed: dict[str, str]) -> None:
    assert re.fullmatch(r"2026-\d\d-\d\d\n", printed["examples/plain_generate.py"])


@pytest.mark.parametrize("name", ["Person", "Order", "Invoice", "Event"])
def test_demo_models_are_enforced_exactly(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as left:
        main(["check", f"examples/models.py:{name}"])
    captured = capsys.readouterr()
    assert not left.value.code, captured.err
    assert "How each keyword is enforced" in captured.out
