"""The `guided` command as its user sees it: output, files, exit codes, one-line errors."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import guided
from guided.cli import main
from guided.cli.main import build_app
from guided.cli.sources import SchemaChoice, load_schema
from guided.cli.texts import load_texts
from guided.grammars.errors import InvalidInputError

SCHEMA = {
    "type": "object",
    "properties": {"kind": {"enum": ["bill", "note"]}, "count": {"enum": [1, 2, 30]}},
    "required": ["kind", "count"],
    "additionalProperties": False,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a schema, a Python file with a type, and texts."""
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    (tmp_path / "kinds.py").write_text("import enum\nclass Kind(enum.Enum):\n    BILL = 'bill'\n    NOTE = 'note'\n")
    (tmp_path / "texts" / "bills").mkdir(parents=True)
    (tmp_path / "texts" / "bills" / "one.txt").write_text("pay 30")
    (tmp_path / "texts" / "two.md").write_text("a note")
    (tmp_path / "texts" / "ignored.bin").write_bytes(b"\xff")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as exit_info:
        main(list(arguments))
    code = exit_info.value.code
    assert code is None or isinstance(code, int)
    return code or 0


def error_line(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error; nothing on standard output."""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("guided: ")
    assert captured.err.count("\n") == 1
    return captured.err


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    names = {command.name for command in build_app([]).registered_commands}
    assert names == {"bench", "check", "extract", "generate", "mcp", "model", "sample", "serve", "verify"}
    for name in names:
        assert run(name, "--help") == 0
        text = capsys.readouterr().out
        assert "Examples:" in text or name == "serve"
        assert f"guided {name}" in text


def test_extract_prints_json_lines_and_writes_them(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = str(tiny_model_folder)
    assert run("extract", "texts", "--schema", "schema.json", "--model", model, "--json", "--output", "out.jsonl") == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["source"] for record in records] == ["texts/bills/one.txt", "texts/two.md"]
    for record in records:
        assert record["valid"] is True
        assert record["data"]["kind"] in ("bill", "note")
        assert record["tokens"] > 0
    assert [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()] == records


def test_extract_shows_panels_with_the_schema_of_each_text(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--schema", "bills=kinds.py:Kind", "--schema", "schema.json"]
    assert run("extract", "texts", *options, "--model", str(tiny_model_folder)) == 0
    text = capsys.readouterr().out
    assert "Kind." in text
    assert "'count'" in text
    assert text.count("valid: yes") == 2
    assert "forced by the schema" in text


def test_extract_reads_standard_input(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"something to read")))
    assert run("extract", "-", "--schema", "schema.json", "--model", str(tiny_model_folder), "--json") == 0
    assert json.loads(capsys.readouterr().out)["source"] == "-"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.txt", "--schema", "schema.json"], "there is no text file 'absent.txt'"),
        (["texts", "--schema", "absent.json"], "there is no schema file 'absent.json'"),
        (["texts", "--schema", "kinds.py:Sort"], "has no 'Sort'; it has Kind"),
        (["texts", "--schema", "nowhere.py:Kind"], "there is no Python file 'nowhere.py'"),
        (["texts", "--schema", "no.such.module:Kind"], "there is no Python module 'no.such.module'"),
        (["texts", "--schema", "typo.py:Kind"], "can't load typo.py: SyntaxError"),
        (["texts", "--schema", "whatever"], "give FILE.json, FILE.py:CLASS, MODULE:CLASS or the JSON itself"),
        (["texts", "--schema", "broken.json"], "not JSON"),
        (["texts", "--schema", "wrong.json"], "'/type'"),
        (["texts", "--schema", "bills=schema.json"], "no --schema is for texts/two.md"),
        (["empty.txt", "--schema", "schema.json"], "empty.txt is empty"),
        (["empty.txt", "texts", "--schema", "schema.json"], "--keep-going goes on with the other texts"),
        (["long.txt", "--schema", "schema.json"], "--long reads long texts in pieces"),
        (["latin.txt", "--schema", "schema.json"], "is not UTF-8 text (byte 1)"),
        (["nothing", "--schema", "schema.json"], "holds no file of the kinds .eml, .htm, .html, .markdown"),
        (["texts", "--schema", "schema.json", "--output", "no/folder.jsonl"], "there is no folder 'no'"),
        (["texts", "--schema", "schema.json", "--model", "no/such/model"], "no folder 'no/such/model'"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (folder / "empty.txt").write_text(" \n")
    (folder / "latin.txt").write_bytes(b"a\xe9")
    (folder / "long.txt").write_text("many words " * 20_000)
    (folder / "nothing").mkdir()
    (folder / "typo.py").write_text("class Kind(:")
    (folder / "broken.json").write_text("{")
    (folder / "wrong.json").write_text('{"type": "strin"}')
    assert run("extract", *arguments) == 2
    assert message in error_line(capsys)
    assert not list(folder.glob("*.jsonl*"))


def test_unknown_options_and_commands_are_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("extract", "x.txt", "--schema", "s.json", "--frobnicate") == 2
    assert "--frobnicate" in (line := error_line(capsys))
    assert line.endswith("see guided extract --help\n")
    assert run("extract", "x.txt") == 2
    assert "--schema" in error_line(capsys)
    assert run("frobnicate") == 2
    assert "frobnicate" in error_line(capsys)
    assert run() == 0
    assert "Usage: guided" in capsys.readouterr().out


def test_text_longer_than_the_context(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "long.txt").write_text("word " * 5000)
    assert run("extract", "long.txt", "--schema", "schema.json", "--model", str(tiny_model_folder)) == 2
    assert "context" in error_line(capsys)


def test_generate_streams_the_answer_alone_to_standard_output(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ["--model", str(tiny_model_folder)]
    assert run("generate", *model, "--prompt", "pick", "--schema", "schema.json") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["kind"] in ("bill", "note")
    assert "device: cpu" in captured.err
    assert "dtype: float32" in captured.err
    assert (
        run("generate", *model, "--raw", "--prompt", "pick", "--regex", "(yes|no)!", "--do-sample", "--seed", "3") == 0
    )
    assert capsys.readouterr().out in ("yes!\n", "no!\n")


def test_generate_says_when_an_answer_is_cut_off(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--prompt", "x", "--regex", "[a-z]{40}", "--max-new-tokens", "3"]
    assert run("generate", "--model", str(tiny_model_folder), *options) == 1
    assert "cut off after 3 tokens" in capsys.readouterr().err


def test_generate_says_success_for_whole_answers_that_the_budget_ended(
    tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = ["generate", "--model", str(tiny_model_folder), "--prompt", "1", "--raw"]
    whole = {
        4: ["--regex", "[0-9]{4}"],  # nothing could follow
        3: ["--regex", "[a-z]+"],  # more could, and need not
        5: ["--regex", "[0-9]{2}-[0-9]{9}", "--stop", "-"],  # cut where it was asked for
    }
    for budget, options in whole.items():
        assert run(*start, *options, "--max-new-tokens", str(budget)) == 0
    assert run(*start, "--regex", "[a-z]+[.]", "--max-new-tokens", "9") == 1
    assert "cut to fit into its budget of tokens, 9 of them" in " ".join(capsys.readouterr().err.split())
    assert run(*start, "--regex", "[0-9]{9}", "--max-new-tokens", "2") == 1
    assert "cut off after 2 tokens" in capsys.readouterr().err


def test_generate_sampling_is_repeatable(tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--prompt", "x", "--regex", "[a-z]{12}", "--do-sample"]
    outputs = []
    for seed in ("1", "1", "2"):
        assert run("generate", "--model", str(tiny_model_folder), *options, "--seed", seed) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2]


def test_generate_ends_before_a_stop(tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:  # A2.4
    options = [
        "--prompt",
        "x",
        "--raw",
        "--preset",
        "chat",
        "--seed",
        "5",
        "--no-stop-on-eos",
        "--max-new-tokens",
        "40",
    ]
    assert run("generate", "--model", str(tiny_model_folder), *options) == 0
    whole = capsys.readouterr().out.removesuffix("\n")
    stop = whole[6:8]
    assert run("generate", "--model", str(tiny_model_folder), *options, "--stop", stop, "--stop", "never there") == 0
    captured = capsys.readouterr()
    assert captured.out.removesuffix("\n") == whole.partition(stop)[0]
    assert "stop: " in captured.err
    assert "device: cpu" in captured.err


def test_generate_help_teaches_sampling(capsys: pytest.CaptureFixture[str]) -> None:  # A2.4
    assert run("generate", "--help") == 0
    text = capsys.readouterr().out
    options = """--prompt --tokenizer-name --do-sample --temperature --top-k --top-p --min-p --repetition-penalty
        --seed --stop --preset --max-new-tokens --stop-on-eos --no-stop-on-eos --device --dtype"""
    for option in options.split():
        assert option in text
    assert "Drawing tokens" in text


def test_generate_penalties_change_the_text(tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--prompt", "x", "--raw", "--no-stop-on-eos", "--max-new-tokens", "40"]
    outputs = set()
    for penalty in ([], ["--repetition-penalty", "1.8"], ["--frequency-penalty=-2"], ["--presence-penalty=-2"]):
        assert run("generate", "--model", str(tiny_model_folder), *options, *penalty) == 0
        outputs.add(capsys.readouterr().out)
    assert len(outputs) >= 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--prompt", "x", "--top-k", "5", "--seed", "3"], "--top-k, --seed only applies to drawn tokens"),
        (["--prompt", " "], "the prompt is empty"),
        (["--prompt", "x", "--whitespace", "compact"], "--whitespace only applies to a grammar"),
        (["--prompt", "x", "--regex", "a", "--whitespace", "compact"], "whitespace only applies to json_schema"),
        (["--prompt", "x", "--temperature", "-1", "--do-sample"], "temperature must be"),
        (["--prompt", "x", "--regex", "a", "--schema", "schema.json"], "exclude each other"),
        (["--prompt", "x", "--regex", "a("], "invalid regex"),
        (["--prompt", "x", "--preset", "poetic"], "--preset must be factual, code, chat, creative, not 'poetic'"),
        (["--prompt", "x", "--repetition-penalty", "0"], "repetition_penalty must be"),
        (["--prompt", "x", "--regex", "a", "--no-stop-on-eos"], "ignore_eos can't be used with a grammar"),
        (["--prompt", "x", "--stop-regex", "^a"], "stop_regex '^a' looks at what stands around"),
        (["--prompt", "x", "--device", "abacus"], "device 'abacus' can't be used"),
    ],
)
def test_generate_refuses(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run("generate", "--model", str(tiny_model_folder), *arguments) == 2
    assert message in capsys.readouterr().err


def test_check_reports_and_judges_documents(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "good.json").write_text('{"kind": "bill", "count": 30}\n')
    (folder / "bad.json").write_text('{"kind": "letter", "count": 30}')
    model = ["--model", str(tiny_model_folder)]
    assert run("check", "schema.json", *model, "--document", "good.json") == 0
    text = capsys.readouterr().out
    assert "enum" in text
    assert "good.json: allowed" in text
    assert run("check", "schema.json", *model, "--document", "good.json", "--document", "bad.json", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["documents"] == {"good.json": True, "bad.json": False}
    assert {"pointer": "/properties/kind", "keyword": "enum"}.items() <= next(
        entry for entry in report["report"] if entry["pointer"] == "/properties/kind"
    ).items()


def test_check_refuses_what_it_cannot_enforce(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "twice.json").write_text('{"type": "string", "pattern": "^(a|b)\\\\1$"}')
    assert run("check", "twice.json", "--model", str(tiny_model_folder)) == 2
    assert "'pattern'" in error_line(capsys)
    assert run("check", "--model", str(tiny_model_folder)) == 2
    assert "give a grammar: a schema, or one of the options" in error_line(capsys)


def test_check_warns_of_slips_and_values_without_a_bound(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "integer", "x-note": 1}}, "requird": ["a"]}
    (folder / "typo.json").write_text(json.dumps(schema))
    model = ["--model", str(tiny_model_folder)]
    assert run("check", "typo.json", *model) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "warning: (root): 'requird' is no keyword and constrains nothing; did you mean 'required'?" in text
    assert 'note: /properties/a: a string without a bound; "maxLength": 200 would bound it' in text
    assert "tried out: each of the 2 fields in 1 text generated" in text
    assert run("check", "typo.json", *model, "--json", "--try-seconds", "0") == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["keyword"], one["meant"]) for one in found["warnings"]] == [("requird", "required")]
    assert [one["pointer"] for one in found["notes"]] == ["", "/properties/a", "/properties/b"]
    assert "other members than those of 'properties'" in found["notes"][0]["message"]
    assert found["trial"] is None
    assert run("check", "typo.json", *model, "--try-seconds", "0", "--objects", "closed", "--pattern", "full") == 0
    text = capsys.readouterr().out
    assert "not tried out" in text
    assert 'objects="closed"' in text
    assert "other members" not in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["twice.json"], {"type": "UnsupportedSchemaError", "pointer": "", "keyword": "pattern"}),
        (["--regex", "a("], {"type": "InvalidRegexError", "position": 1}),
        (["absent.json"], {"type": "InvalidInputError"}),
        ([], {"type": "InvalidInputError"}),
    ],
)
def test_check_gives_refusals_as_json(
    folder: Path,
    tiny_model_folder: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    expected: dict[str, Any],
) -> None:
    (folder / "twice.json").write_text('{"type": "string", "pattern": "^(a|b)\\\\1$"}')
    assert run("check", *arguments, "--model", str(tiny_model_folder), "--json") == 2
    captured = capsys.readouterr()
    error = json.loads(captured.out)["error"]
    assert expected.items() <= error.items()
    assert error["message"]
    assert captured.err == ""


def test_schema_files_may_be_called_like_standard_modules(folder: Path) -> None:
    (folder / "kinds.py").rename(folder / "calendar.py")
    assert load_schema("calendar.py:Kind")("note").name == "NOTE"
    (folder / "a=b").mkdir()
    (folder / "a=b" / "schema.json").write_text(json.dumps(SCHEMA))
    assert SchemaChoice(["a=b/schema.json"]).source_for("x.txt") == "a=b/schema.json"


def test_sources_of_schemas_and_texts(folder: Path) -> None:
    assert json.loads(load_schema("schema.json")) == SCHEMA
    assert load_schema("kinds.py:Kind")("bill").name == "BILL"
    assert [source.text for source in load_texts(["texts"])] == ["pay 30", "a note"]
    choice = SchemaChoice(["*.md=kinds.py:Kind", "schema.json"])
    assert choice.source_for("texts/two.md") == "kinds.py:Kind"
    assert choice.source_for("texts/bills/one.txt") == "schema.json"
    with pytest.raises(InvalidInputError, match="no --schema is for"):
        SchemaChoice(["bills=schema.json"]).source_for("texts/two.md")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"guided {guided.__version__}\n"
    run("--help")
    assert "--version" in capsys.readouterr().out


def test_a_schema_may_be_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    inline = json.dumps({**SCHEMA, "title": "a=b:c"})
    assert load_schema(inline) == inline
    assert load_schema('{"items": [{}]}') == '{"items": [{}]}'  # read as draft 7, as everywhere
    assert SchemaChoice([inline]).source_for("texts/two.md") == inline
    assert SchemaChoice([f"*.md={inline}"]).schema(inline) == inline
    assert run("check", inline) == 0
    capsys.readouterr()
    assert run("check", '{"type": "strin"}') == 2
    assert "strin" in error_line(capsys)


def test_unknown_options_of_a_model_are_named() -> None:
    with pytest.raises(TypeError, match=r"LLM\(\) has no option 'num_threads'; it has tokenizer, device"):
        guided.LLM(num_threads=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="did you mean 'device'"):
        guided.LLM(devise="cpu")  # type: ignore[call-arg]
