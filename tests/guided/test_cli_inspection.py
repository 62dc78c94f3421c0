"""`guided check --text` and `guided sample`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from guided.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    code = ended.value.code
    told = capsys.readouterr()
    assert isinstance(code, int) or code is None
    return code or 0, told.out, told.err


def test_check_says_where_a_text_stops(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", "--regex", "[0-9]{4}-[0-9]{2}", "--text", "2026-1", "--text", "2026-x", "--text", "2026-11"]
    code, out, _ = run(capsys, *arguments, "--try-seconds", "0")
    assert code == 1
    assert "'2026-1': not allowed\n  stops at its end (line 1, column 7); expected: a digit\n" in out
    assert "'2026-x': not allowed\n  stops at 'x' (line 1, column 6); expected: a digit\n" in out
    assert "'2026-11': allowed" in out


def test_check_of_a_document(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(json.dumps({"type": "object", "properties": {"a": {"type": "integer"}}}))
    (tmp_path / "d.json").write_text('{"a": "x"}\n')
    paths = [str(tmp_path / "s.json"), "--document", str(tmp_path / "d.json"), "--try-seconds", "0"]
    code, out, _ = run(capsys, "check", *paths)
    assert code == 1
    assert re.search(r"""stops at '"' \(line 1, column 7, the value at '/a'\); expected: an integer""", out)
    code, out, _ = run(capsys, "check", *paths, "--text", "{}", "--json")
    report = json.loads(out)
    assert list(report["documents"].values()) == [False]
    assert report["texts"]["{}"]["is_accepted"] is True


def test_sample(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    (tmp_path / "s.json").write_text(json.dumps(schema))
    code, out, _ = run(
        capsys, "sample", str(tmp_path / "s.json"), "--num", "5", "--seed", "3", "--whitespace", "compact"
    )
    lines = out.splitlines()
    assert (code, len(lines)) == (0, 5)
    for line in lines:
        jsonschema.validate(json.loads(line), schema)
    _, again, _ = run(
        capsys, "sample", str(tmp_path / "s.json"), "--num", "5", "--seed", "3", "--whitespace", "compact"
    )
    assert again == out


def test_sample_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "sample", "--regex", r"a\nb", "--num", "2", "--json")
    assert out == '"a\\nb"\n"a\\nb"\n'


def test_sample_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "sample")
    assert code == 2
    assert "give a grammar" in err
