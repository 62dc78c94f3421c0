"""Regexes, choices, EBNF grammars, structural tags and ready grammars on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .test_cli import error_line, run

TAG = {
    "type": "structural_tag",
    "format": {
        "type": "tag",
        "begin": "<|im_start|>",
        "content": {"type": "json_schema", "json_schema": {"enum": [1, 2]}},
        "end": "</call>",
    },
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a grammar of each kind."""
    (tmp_path / "nested.gbnf").write_text('root ::= "(" root ")" | [0-9]{2}\n')
    (tmp_path / "broken.gbnf").write_text('root ::= "a"\nb ::= (\n')
    (tmp_path / "pairs.lark").write_text('start: pair ("," pair)*\npair.2: KEY "=" KEY\nKEY: /[a-z]{1,3}/\n')
    (tmp_path / "colors.txt").write_text("\nred\ndark green\r\n\nblue\n \n")
    (tmp_path / "blank.txt").write_text("\n \r\n\n")
    (tmp_path / "tag.json").write_text(json.dumps(TAG))
    (tmp_path / "older.json").write_text(
        json.dumps({"structures": [{"begin": "<f>", "schema": {"const": 1}, "end": "</f>"}], "triggers": ["<f"]})
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


GRAMMARS: list[tuple[list[str], str]] = [
    (["--regex", "(?i)yes|no"], "(?i:yes|no)"),
    (["--choice", "yes", "--choice", "no, never"], "yes|no, never"),
    (["--choices", "colors.txt"], "red|dark green|blue"),
    (["--ebnf", "nested.gbnf"], r"\(*[0-9]{2}\)*"),
    (["--ebnf", "nested.gbnf", "--dialect", "xgrammar"], r"\(*[0-9]{2}\)*"),
    (["--ebnf", "pairs.lark"], "[a-z]{1,3}=[a-z]{1,3}(,[a-z]{1,3}=[a-z]{1,3})*"),
    (["--structural-tag", "tag.json"], r"<\|im_start\|>\s*[12]\s*</call>"),
    (["--library", "iso_date"], "[0-9]{4}-[0-9]{2}-[0-9]{2}.*"),
]


@pytest.mark.parametrize(("options", "pattern"), GRAMMARS, ids=lambda value: " ".join(value)[:40])
def test_generate(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], pattern: str
) -> None:
    model = ["--model", str(tiny_model_folder)]
    assert run("generate", *model, "--prompt", "pick", *options, "--do-sample", "--seed", "3") == 0
    captured = capsys.readouterr()
    assert re.fullmatch(pattern, captured.out.removesuffix("\n")), captured.out
    assert "stop: " in captured.err


@pytest.mark.parametrize(
    ("options", "good", "bad"),
    [
        (["--regex", "[a-c]+"], "abc", "abd"),
        (["--choice", "yes", "--choice", "no"], "no", "maybe"),
        (["--choices", "colors.txt"], "dark green", "dark green\r"),
        (["--ebnf", "nested.gbnf"], "((12))", "((12)"),
        (["--ebnf", "pairs.lark", "--dialect", "lark"], "a=b,c=d", "a=b,"),
        (["--structural-tag", "tag.json"], "<|im_start|>2</call>", "<|im_start|>3</call>"),
        (["--structural-tag", "older.json"], "free <|text|>, <f>1</f>.", "<f>2</f>"),
        (["--library", "tool_calls"], "Hm.", '<tool_call>\n{"name": 1}\n</tool_call>'),
        (["--ebnf", "nested.gbnf", "--backend", "xgrammar"], "((12))", "((12)"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_check(
    folder: Path,
    tiny_model_folder: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    good: str,
    bad: str,
) -> None:
    (folder / "good.txt").write_bytes(good.encode())
    (folder / "bad.txt").write_bytes(bad.encode())
    command = ["check", *options, "--model", str(tiny_model_folder)]
    if "xgrammar" in options:
        pytest.importorskip("xgrammar")
        command += ["--dialect", "gbnf"]
    assert run(*command) == 0
    assert "How the grammar is enforced" in capsys.readouterr().out
    assert run(*command, "--document", "good.txt", "--document", "bad.txt", "--json") == 1
    printed = json.loads(capsys.readouterr().out)
    assert printed["documents"] == {"good.txt": True, "bad.txt": False}


def test_check_shows_the_notes_of_a_grammar(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", "--ebnf", "pairs.lark", "--model", str(tiny_model_folder), "--json") == 0
    entries = json.loads(capsys.readouterr().out)["report"]
    assert [entry["keyword"] for entry in entries] == ["ebnf", "note"]
    assert "priorit" in entries[1]["enforcement"]


@pytest.mark.parametrize("command", ["check", "generate"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--regex", "a", "--choice", "a"], "--regex and --choice exclude each other; give one grammar"),
        (["--ebnf", "a.gbnf", "--library", "json"], "--ebnf and --library exclude each other"),
        (["--regex", "a", "--dialect", "lark"], "--dialect only applies to --ebnf"),
        (["--ebnf", "absent.gbnf"], "there is no grammar file 'absent.gbnf'"),
        (["--choices", "absent.txt"], "there is no file of choices 'absent.txt'"),
        (["--structural-tag", "absent.json"], "there is no structural tag file 'absent.json'"),
        (["--library", "jsn"], "there is no ready grammar 'jsn'; there are arithmetic"),
        (["--ebnf", "nested.gbnf", "--dialect", "abnf"], "dialect='abnf'; expected one of gbnf, xgrammar, w3c, lark"),
        (["--ebnf", "colors.txt"], "in none of the dialects"),
        (["--ebnf", "broken.gbnf", "--dialect", "gbnf"], "(line 2, column 8)"),
        (["--structural-tag", "colors.txt"], "not JSON"),
        (["--structural-tag", "nested.json"], "'/format/type': unknown format 'x'"),
        (["--choices", "empty.txt"], "choice has 0 different strings"),
        (["--choices", "blank.txt"], "choice has 0 different strings"),
        (["--regex", "abc", "--limits", '{"max_states": 1}'], "--limits: unknown limit 'max_states'; known are max_"),
        (
            ["--regex", "abc", "--limits", '{"max_regex_bytes": 2}'],
            """max_regex_bytes = 2 bytes exceeded; raise it with --limits '{"max_regex_bytes": ...}'""",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_grammars(
    folder: Path,
    tiny_model_folder: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    options: list[str],
    message: str,
) -> None:
    (folder / "empty.txt").write_text("")
    (folder / "nested.json").write_text('{"format": {"type": "x"}}')
    prompt = ["--prompt", "x"] if command == "generate" else []
    assert run(command, *prompt, "--model", str(tiny_model_folder), *options) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_a_document_that_the_tokenizer_ends_with_is_no_text(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name of an end-of-sequence token in a document is text, not the end."""
    (folder / "good.txt").write_text("a<|im_end|>")
    (folder / "bad.txt").write_text("a")
    command = ["check", "--regex", r"a<\|im_end\|>", "--model", str(tiny_model_folder)]
    assert run(*command, "--document", "good.txt") == 0
    assert run(*command, "--document", "bad.txt") == 1
    assert "bad.txt: not allowed" in capsys.readouterr().out


def test_one_line_where_one_is_enough(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--ebnf", "absent.gbnf") == 2
    assert error_line(capsys) == "guided: there is no grammar file 'absent.gbnf'\n"
