"""`guided check --list` and `--library`: the ready grammars on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guided.grammars import library

from .test_cli import error_line, run


def test_list_names_every_grammar(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--list") == 0
    shown = capsys.readouterr().out
    for name in library.names():
        assert name in shown


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--list", "--json") == 0
    entries = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert tuple(entries) == library.names()
    assert entries["json"]["dialect"] == "lark"
    assert entries["tool_calls"]["kind"] == "structural_tag"
    assert entries["csv_row"]["source"] == library.get("csv_row").source


def test_library_checks_documents(tmp_path: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row, rows = tmp_path / "row.csv", tmp_path / "rows.csv"
    row.write_text('1,"two, three"')
    rows.write_text("1,2\n3,4\n")
    command = ["check", "--library", "csv_row", "--model", str(tiny_model_folder), "--json"]
    assert run(*command, "--document", str(row)) == 0
    assert json.loads(capsys.readouterr().out)["documents"] == {str(row): True}
    assert run(*command, "--document", str(rows)) == 1
    assert json.loads(capsys.readouterr().out)["documents"] == {str(rows): False}


def test_library_needs_a_known_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--library", "csv") == 2
    assert "there is no ready grammar 'csv'; there are arithmetic" in error_line(capsys)
    assert run("check", "--library", "csv_row", "--regex", "a") == 2
    assert "--regex and --library exclude each other; give one grammar" in error_line(capsys)
