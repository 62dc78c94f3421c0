"""`guided verify`: finished documents, judged by two independent libraries and the automaton."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from guided.cli import verify as command
from guided.cli.verify import Verdict, verify
from guided.grammars.errors import InvalidInputError, InvalidSchemaError, UnsupportedSchemaError

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Z]"},
        "price": {"type": "number", "multipleOf": 0.01},
        "day": {"type": "string", "format": "date"},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def run(folder: Path, text: str, capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, dict[str, Any]]:
    """The exit code, and what is printed as JSON."""
    (folder / "found.jsonl").write_text(text, encoding="utf-8")
    given = {"schema": json.dumps(SCHEMA), "field": None, "model": None, "as_json": True, **options}
    code = 0
    try:
        verify(folder / "found.jsonl", **given)
    except typer.Exit as exit_:
        code = exit_.exit_code
    return code, json.loads(capsys.readouterr().out)


def lines_of(answer: dict[str, Any]) -> list[tuple[int, bool]]:
    return [(one["line"], one["is_valid"]) for one in answer["documents"]]


def test_valid_documents_in_any_order_and_spelling(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '{"price": 19.99, "name": "Ada"}\n\n{ "name":"\\u00c5sa".x}\n'.replace('"\\u00c5sa".x', '"B\\u00e5t"')
    code, answer = run(tmp_path, text, capsys)
    assert code == 0
    assert lines_of(answer) == [(1, True), (3, True)]
    assert answer["validators"] == ["jsonschema", "jsonschema_rs", "automaton"]
    assert answer["digest"].startswith("sha256:")


@pytest.mark.parametrize(
    ("document", "part"),
    [
        ('{"name": "ada"}', "^[A-Z]"),
        ('{"name": "A", "price": 0.005}', "multiple"),
        ('{"name": "A", "day": "2024-13-01"}', "date"),
        ('{"name": "A", "more": 1}', "more"),
        ('{"price": 1}', "name"),
    ],
)
def test_each_validator_finds_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], document: str, part: str
) -> None:
    code, answer = run(tmp_path, document, capsys)
    assert code == 1
    [found] = answer["documents"]
    assert set(found["problems"]) == {"jsonschema", "jsonschema_rs", "automaton"}
    assert all(found["problems"].values())
    assert part in found["problems"]["jsonschema"]


def test_texts_that_are_no_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(tmp_path, '{"name": "A", "name": "B"}\n{"name"\n{"name": "A"}\n{"name": NaN}\n', capsys)
    assert code == 1
    assert lines_of(answer) == [(1, False), (2, False), (3, True), (4, False)]
    assert "twice" in answer["documents"][0]["problems"]["json"]


def test_one_document_over_several_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(tmp_path, json.dumps({"name": "Ada"}, indent=2), capsys)
    assert (code, lines_of(answer)) == (0, [(1, True)])


def test_a_document_over_several_lines_with_an_error_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps({"name": "Ada", "tags": ["a", "b"], "n": [{"x": 1}]}, indent=2).replace("1", "01")
    code, answer = run(tmp_path, text, capsys)
    assert (code, lines_of(answer)) == (1, [(1, False)])
    assert "line 9" in answer["documents"][0]["problems"]["json"]


def test_half_a_surrogate_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '{"name": "A\\ud800"}\n{"name": "A\\ud83d\\ude00"}\n'
    code, answer = run(tmp_path, text, capsys)
    assert (code, lines_of(answer)) == (1, [(1, False), (2, True)])
    assert "\\ud800 is half" in answer["documents"][0]["problems"]["json"]


def test_a_member_of_each_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '{"data": {"name": "Ada"}, "text": "x"}\n{"text": "y"}\n'
    code, answer = run(tmp_path, text, capsys, field="data")
    assert (code, lines_of(answer)) == (1, [(1, True), (2, False)])


def test_validators_that_disagree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_library", lambda schema: lambda data: "too strange")
    code, answer = run(tmp_path, '{"name": "Ada"}', capsys)
    assert code == 3
    assert answer["documents"][0]["problems"]["jsonschema"] == "too strange"


def test_one_validator_may_not_take_the_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "found.jsonl").write_text('{"a": 1}')
    verify(tmp_path / "found.jsonl", '{"$schema": "https://json-schema.org/v1", "maxProperties": 1}', None, None, True)
    printed = capsys.readouterr()
    assert json.loads(printed.out)["validators"] == ["jsonschema", "automaton"]
    assert printed.err.startswith("guided: without jsonschema_rs, which does not take this schema: ")


def test_without_the_second_library(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    code, answer = run(tmp_path, "{}", capsys)
    assert code == 2
    assert answer["error"]["message"].endswith("run: pip install 'guided-generation[verify]'")


def test_deep_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = '{"items": {"$ref": "#"}, "maxItems": 1}'
    code, answer = run(tmp_path, "[" * 900 + "]" * 900, capsys, schema=schema)
    assert code == 1
    assert "deeply" in answer["documents"][0]["problems"]["json"]


def test_the_table_names_the_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "found.jsonl").write_text('{"name": "Ada"}\n{"name": "ada"}\n')
    with pytest.raises(typer.Exit):
        verify(tmp_path / "found.jsonl", json.dumps(SCHEMA), None, None)
    printed = capsys.readouterr().out
    assert "1 of 2 documents valid by jsonschema, jsonschema_rs, automaton" in printed
    assert "does not match" in printed


def test_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(tmp_path, "{}", capsys, schema='{"pattern": "^(a|b)\\\\1$"}')
    assert (code, answer["error"]["type"]) == (2, UnsupportedSchemaError.__name__)
    code, answer = run(tmp_path, "{}", capsys, schema='{"exclusiveMinimum": true}')
    assert (code, answer["error"]["type"]) == (2, InvalidSchemaError.__name__)
    (tmp_path / "empty.jsonl").write_text(" \n")
    with pytest.raises(InvalidInputError, match="has no documents"):
        verify(tmp_path / "empty.jsonl", json.dumps(SCHEMA), None, None)


def test_a_verdict_is_disputed_only_if_some_object() -> None:
    assert Verdict(1, {"a": "", "b": "wrong"}).is_disputed
    assert not Verdict(1, {"a": "wrong", "b": "wrong"}).is_disputed
    assert Verdict(1, {"a": "", "b": ""}).is_valid
