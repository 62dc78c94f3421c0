"""`guided extract` on many texts: JSON lines in and out, runs that go on where another stopped, confidences."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

from guided.cli.main import main
from guided.extraction.extractor import Extractor
from guided.extraction.value_bounds import ValueBounds
from tests.guided.documents.pdf_file import pdf_file

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9, "minimum": 0}}, "required": ["n"]}
SCHEMA |= {"additionalProperties": False}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    lines = [{"id": f"mail {i}", "body": f"text number {i}"} for i in range(6)]
    (tmp_path / "mails.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    return tmp_path


def run(model: Path, *arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["extract", *arguments, "--model", str(model), "--schema", "schema.json"])
    assert caught.value.code is None or isinstance(caught.value.code, int)
    return caught.value.code or 0


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


FIELDS = ("mails.jsonl", "--text-field", "body", "--id-field", "id")


def test_json_lines_in_and_out(folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny_model_folder, *FIELDS, "--output", "out.jsonl") == 0
    found = records(folder / "out.jsonl")
    assert [record["source"] for record in found] == [f"mail {i}" for i in range(6)]
    assert all(record["valid"] and record["schema"] == "schema.json" for record in found)
    shown = capsys.readouterr().out
    assert "6" in shown
    assert "text number" not in shown
    assert sorted(path.name for path in folder.glob("out*")) == ["out.jsonl"]
    assert run(tiny_model_folder, "mails.jsonl", "--text-field", "body", "--json") == 0
    assert [json.loads(line)["source"] for line in capsys.readouterr().out.splitlines()][-1] == "mails.jsonl:6"


def test_a_quiet_run_prints_what_it_is_for(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model_folder, *FIELDS, "--json", "--quiet") == 0
    shown = capsys.readouterr()
    assert [json.loads(line)["source"] for line in shown.out.splitlines()] == [f"mail {i}" for i in range(6)]
    assert "extracting" not in shown.err
    assert run(tiny_model_folder, *FIELDS, "--quiet") == 0
    shown = capsys.readouterr()
    assert "texts/s" in shown.out
    assert "mail 0" not in shown.out
    assert "extracting" not in shown.err


@pytest.mark.parametrize("how", [[], ["--long"], ["--json"]])
def test_values_that_are_not_in_their_texts(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str], how: list[str]
) -> None:
    parts = {"when": {"type": "string", "format": "date"}, "any": {"type": ["null", "string"], "enum": ["b", None]}}
    schema = {"type": "object", "properties": parts, "required": [*parts], "additionalProperties": False}
    (folder / "schema.json").write_text(json.dumps(schema))
    (folder / "letter.txt").write_text("On 3 May 2021 the lighthouse was painted.")
    hint = "values that are not in their texts: 1, such as letter.txt /when: "
    assert run(tiny_model_folder, "letter.txt", *how) == 0
    shown = capsys.readouterr()
    assert hint in (shown.err if "--json" in how else shown.out)
    for options in (["--quotes"], ["--quiet"]):
        assert run(tiny_model_folder, "letter.txt", *how, *options) == 0
        shown = capsys.readouterr()
        assert "not in their texts" not in shown.out + shown.err
    (folder / "schema.json").write_text(json.dumps({"type": "object"}))  # takes any value, so it can't have quotes
    run(tiny_model_folder, "letter.txt", *how)
    assert "not in their texts" not in capsys.readouterr().out


@pytest.mark.parametrize("how", [[], ["--long"]])
def test_a_quiet_run_shows_no_bar(
    folder: Path, tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch, how: list[str]
) -> None:
    started: list[bool] = []
    monkeypatch.setattr(Progress, "start", lambda self: started.append(not self.disable))
    run(tiny_model_folder, *FIELDS, *how, "--json")
    run(tiny_model_folder, *FIELDS, *how, "--json", "--quiet")
    assert started == [True, False]


def test_a_stopped_run_goes_on(
    folder: Path, tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model_folder, *FIELDS, "--output", "whole.jsonl", "--json") == 0
    capsys.readouterr()
    num_read = 0
    read = Extractor.read

    def read_three(self: Extractor[Any], *of: Any) -> Any:
        nonlocal num_read
        num_read += 1
        if num_read > 3:
            raise KeyboardInterrupt
        return read(self, *of)

    monkeypatch.setattr(Extractor, "read", read_three)
    assert run(tiny_model_folder, *FIELDS, "--output", "out.jsonl", "--json") == 130
    monkeypatch.setattr(Extractor, "read", read)
    assert "3 results are in out.jsonl.partial; --resume goes on" in capsys.readouterr().err
    assert not (folder / "out.jsonl").exists()
    partial = folder / "out.jsonl.partial"
    partial.write_text(partial.read_text() + '{"source": "mail 3", "da')  # the process was killed while it wrote
    assert run(tiny_model_folder, *FIELDS, "--output", "out.jsonl", "--json") == 2
    assert "give --resume" in capsys.readouterr().err
    assert run(tiny_model_folder, *FIELDS, "--output", "out.jsonl", "--json", "--resume") == 0
    assert len(capsys.readouterr().out.splitlines()) == 3  # the others were done
    timeless = [
        [record | {"tokens_per_s": 0} for record in records(folder / name)] for name in ("out.jsonl", "whole.jsonl")
    ]
    assert timeless[0] == timeless[1]
    assert not partial.exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"source": "mail 1", "run_sha256": "00"}', "has no result of these texts, schemas and options"),
        ('["mail 1"]', "line 1 is no result of guided extract"),
        ("mail 1", "line 1 is no result of guided extract"),
    ],
)
def test_a_partial_file_of_something_else_is_refused(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    partial = folder / "out.jsonl.partial"
    partial.write_text(line + "\n")
    assert run(tiny_model_folder, *FIELDS, "--output", "out.jsonl", "--resume") == 2
    assert message in capsys.readouterr().err
    assert partial.read_text() == line + "\n"


def test_texts_that_cannot_be_read(folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "long.txt").write_text("word " * 5000)
    (folder / "short.txt").write_text("word")
    arguments = ("short.txt", "long.txt", "--output", "out.jsonl", "--json")
    assert run(tiny_model_folder, *arguments) == 2
    assert "long.txt has" in capsys.readouterr().err
    assert not list(folder.glob("out*"))
    assert run(tiny_model_folder, *arguments, "--keep-going") == 1
    short, long = records(folder / "out.jsonl")
    assert (short["valid"], short["error"]) == (True, None)
    assert (long["valid"], long["data"]) == (False, None)
    assert "context" in long["error"]


def test_nothing_that_a_text_can_be_ends_a_run_that_keeps_going(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "texts").mkdir()
    (folder / "texts" / "a.txt").write_text("word")
    (folder / "texts" / "b.txt").write_text(" \n")
    (folder / "texts" / "c.txt").write_bytes(b"caf\xe9")
    lines = [b'{"text": "a", "id": 1}', b'{"body": "a", "id": 2}', b"{", b"[1]", b'{"text": 3, "id": 5}', b"\xff\xfe"]
    lines += [b'{"text": "", "id": 7}', b"", b'{"text": "a"}', b'{"text": "a", "id": []}', b"[" * 10_000]
    lines += [b'{"text": "a", "id": 12, "id": 12}']
    (folder / "lines.jsonl").write_bytes(b"\n".join(lines))
    arguments = ("texts", "lines.jsonl", "--id-field", "id", "--output", "out.jsonl", "--quiet")
    assert run(tiny_model_folder, *arguments) == 2
    assert not list(folder.glob("out*"))
    assert run(tiny_model_folder, *arguments, "--keep-going") == 1
    found = {record["source"]: record["error"] for record in records(folder / "out.jsonl")}
    expected = {
        "texts/a.txt": None,
        "texts/b.txt": "is empty",
        "texts/c.txt": "is not UTF-8 text (byte 3)",
        "1": None,
        "2": "lines.jsonl:2 has no field 'text'; it has 'body', 'id'",
        "lines.jsonl:3": "is not JSON",
        "lines.jsonl:4": "is no JSON object",
        "5": "'text' must be a string, not int",
        "lines.jsonl:6": "is not UTF-8 text (byte 0)",
        "7": "is empty",
        "lines.jsonl:9": "has no field 'id'",
        "lines.jsonl:10": "'id' must be a string or an integer, not list",
        "lines.jsonl:11": "is not JSON",
        "lines.jsonl:12": "lines.jsonl:12 has the key 'id' more than once in one object",
    }
    assert list(found) == list(expected)
    for source, error in expected.items():
        assert found[source] is None if error is None else error in found[source], source
    summary = capsys.readouterr().out
    assert "time" in summary
    assert "texts/s" in summary


def test_a_finished_output_stays_unless_forced(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "out.jsonl").write_text("mine\n")
    assert run(tiny_model_folder, *FIELDS, "--output", "out.jsonl") == 2
    assert "out.jsonl is there already; give --force" in capsys.readouterr().err
    assert (folder / "out.jsonl").read_text() == "mine\n"
    assert run(tiny_model_folder, *FIELDS, "--output", "out.jsonl", "--force", "--quiet") == 0
    assert len(records(folder / "out.jsonl")) == 6
    assert run(tiny_model_folder, *FIELDS, "--force") == 2
    assert "--force replaces an --output file; give its name" in capsys.readouterr().err


def test_confidences(folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny_model_folder, "mails.jsonl", "--text-field", "body", "--json", "--confidence") == 0
    record = json.loads(capsys.readouterr().out.splitlines()[0])
    assert set(record["confidence"]) == {"", "/n"}
    assert set(record["confidence"]["/n"]) == {"raw", "processed", "masked_mass"}
    assert run(tiny_model_folder, "mails.jsonl", "--text-field", "body", "--confidence") == 0
    assert "/n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("{}\n", [], "mails.jsonl:1 has no field 'text'; it has none"),
        ('{"body": "a"}\n', [], "has no field 'text'; it has 'body'"),
        ('{"text": "a"}\n{"text": 1}\n', [], "mails.jsonl:2: 'text' must be a string, not int"),
        ('{"text": "a", "id": []}\n', ["--id-field", "id"], "'id' must be a string or an integer, not list"),
        ('{"text": "a", "id": "\\ud800"}\n', ["--id-field", "id"], "the name '\\ud800' is not valid Unicode"),
        ("[1]\n", [], "mails.jsonl:1 is no JSON object"),
        ("{\n", [], "mails.jsonl:1 is not JSON"),
        ('{"text": "a"}\n{"text": "a", "text": "b"}\n', [], "mails.jsonl:2 has the key 'text' more than once in one"),
        ('{"text": "a", "to": [{"n": 1, "n": 1}]}\n', [], "mails.jsonl:1 has the key 'n' more than once in one object"),
        ("\n", [], "mails.jsonl holds no lines"),
        ('{"text": "a", "id": 7}\n{"text": "b", "id": "7"}\n', ["--id-field", "id"], "two texts have the name '7'"),
        ('{"text": "a"}\n', ["mails.jsonl"], "two texts have the name 'mails.jsonl:1'"),
        ('{"text": "a"}\n', ["--resume"], "--resume goes on with an --output file"),
    ],
)
def test_bad_lines(
    folder: Path,
    tiny_model_folder: Path,
    capsys: pytest.CaptureFixture[str],
    content: str,
    options: list[str],
    message: str,
) -> None:
    (folder / "mails.jsonl").write_text(content)
    assert run(tiny_model_folder, "mails.jsonl", *options) == 2
    assert message in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="file names are Unicode")
def test_a_file_name_that_no_result_could_hold(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (folder / name).write_text("word")
    for path in (name, "."):
        assert run(tiny_model_folder, path, "--output", "out.jsonl") == 2
        assert "'caf\\udce9.txt' is not valid Unicode" in capsys.readouterr().err
    assert not list(folder.glob("out*"))


@pytest.mark.parametrize("arguments", [[], ["--no-bounds"]])
def test_open_values_are_bounded_unless_told_otherwise(
    folder: Path, tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    seen: list[ValueBounds | None] = []
    plain = Extractor.__init__

    def spy(self: Extractor[Any], *values: Any, **options: Any) -> None:
        seen.append(options["bounds"])
        plain(self, *values, **options)

    monkeypatch.setattr(Extractor, "__init__", spy)
    assert run(tiny_model_folder, *FIELDS, "--quiet", *arguments) == 0
    assert seen == [None if arguments else ValueBounds()]


def test_files_of_all_kinds_in_and_tables_out(folder: Path, tiny_model_folder: Path) -> None:
    texts = folder / "texts"
    texts.mkdir()
    (texts / "a.html").write_text("<p>a <b>page</b></p>")
    (texts / "b.md").write_text("a note")
    (texts / "c.pdf").write_bytes(pdf_file([["a letter"], []]))
    (folder / "rows.csv").write_text("id;body\n1;a row\n2;another\n")
    arguments = ("texts", "rows.csv", "--text-field", "body", "--id-field", "id", "--quiet")
    assert run(tiny_model_folder, *arguments, "--output", "out.jsonl") == 0
    found = records(folder / "out.jsonl")
    assert [one["source"] for one in found] == ["texts/a.html", "texts/b.md", "texts/c.pdf", "1", "2"]
    assert run(tiny_model_folder, *arguments, "--output", "out.csv") == 0
    with (folder / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["source"], int(row["n"]), row["valid"]) for row in rows] == [
        (one["source"], one["data"]["n"], "true") for one in found
    ]
    assert sorted(path.name for path in folder.glob("out*")) == ["out.csv", "out.jsonl"]


def test_what_is_not_in_a_text_is_told(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.pdf").write_bytes(pdf_file([["a letter"], [], []]))
    assert run(tiny_model_folder, "a.pdf", "--quiet") == 0
    assert "warning: a.pdf: no text on page 2, 3" in capsys.readouterr().err
    (folder / "b.pdf").write_bytes(pdf_file([[]]))
    assert run(tiny_model_folder, "b.pdf", "--quiet") == 2
    assert "b.pdf has no text layer on any of its 1 pages" in capsys.readouterr().err


def test_a_table_goes_on_from_its_lines(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model_folder, *FIELDS, "--output", "whole.jsonl", "--quiet") == 0
    done = (folder / "whole.jsonl").read_text().splitlines(keepends=True)
    (folder / "out.sqlite.partial").write_text("".join(done[:4]))
    assert run(tiny_model_folder, *FIELDS, "--output", "out.sqlite", "--json", "--resume") == 0
    assert sum(line.startswith("{") for line in capsys.readouterr().out.splitlines()) == 2
    with closing(sqlite3.connect(folder / "out.sqlite")) as database:
        rows = database.execute("SELECT source, n FROM extractions").fetchall()
    assert rows == [(one["source"], one["data"]["n"]) for one in map(json.loads, done)]
    assert not (folder / "out.sqlite.partial").exists()
    assert run(tiny_model_folder, *FIELDS, "--output", "out.xlsx") == 2
    assert "can't write out.xlsx: what files there are is said by their suffix: .jsonl" in capsys.readouterr().err


WORDS = {"type": "object", "properties": {"words": {"type": "array", "items": {"type": "string"}, "maxItems": 40}}}
WORDS |= {"required": ["words"], "additionalProperties": False}


def test_long_texts_in_pieces(folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "schema.json").write_text(json.dumps(WORDS))
    text = "\n\n".join(f"Part {i} has a word or two." for i in range(30))
    (folder / "long.txt").write_text(text)
    (folder / "short.txt").write_text("A few words.")
    (folder / "empty.txt").write_text(" ")
    arguments = ("long.txt", "empty.txt", "short.txt", "--keep-going", "--quotes", "--output", "out.jsonl")
    assert run(tiny_model_folder, *arguments, "--long", "--piece-tokens", "90", "--quiet") == 1
    long, empty, short = records(folder / "out.jsonl")
    assert long["pieces"] > 3
    assert "is empty" in empty["error"]
    assert (short["error"], "pieces" in short) == (None, False)
    for pointer, places in long["places"].items():
        start, end = places["likely"]
        assert " ".join(text[start:end].split()) == long["data"]["words"][int(pointer.rpartition("/")[2])]
    shown = capsys.readouterr().out
    assert "0.3 pages of 3,000 characters; a page costs" in shown
    assert run(tiny_model_folder, "short.txt", "--piece-tokens", "90") == 2
    assert "--piece-tokens and --overlap-tokens are for --long" in capsys.readouterr().err
    (folder / "out.jsonl").rename(folder / "out.jsonl.partial")
    assert run(tiny_model_folder, *arguments, "--resume") == 2
    assert "has no result of these texts, schemas and options" in capsys.readouterr().err


def test_a_report_beside_the_results(folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny_model_folder, *FIELDS, "--report", "out.html", "--quiet") == 0
    assert "the report is in out.html" in capsys.readouterr().out
    page = (folder / "out.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.count('"name":"mail ') == 6
    assert run(tiny_model_folder, *FIELDS, "--report", "out.html") == 2
    assert "out.html is there already; give --force" in capsys.readouterr().err
    assert run(tiny_model_folder, *FIELDS, "--report", "out.pdf") == 2
    assert "a report is a page; give out.pdf the suffix .html" in capsys.readouterr().err
    assert run(tiny_model_folder, *FIELDS, "--report", "none/out.html") == 2
    assert "can't write to 'none/out.html'" in capsys.readouterr().err
    assert run(tiny_model_folder, *FIELDS, "--quotes", "--quote", "n") == 2
    assert "--quotes is for all free strings" in capsys.readouterr().err


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_what_a_run_reads_is_never_written(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str], force: list[str]
) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "a.html").write_text("<p>a page</p>")
    (folder / "in" / "b.txt").symlink_to(folder / "b.csv")
    (folder / "b.csv").write_text("id,text\n1,a text\n")
    (folder / "link.csv").symlink_to(folder / "b.csv")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for paths, option, written in [
        (["mails.jsonl", "--text-field", "body"], "--output", "mails.jsonl"),
        (["b.csv"], "--output", "./link.csv"),
        (["b.csv"], "--output", "schema.json"),
        (["in"], "--output", "b.csv"),
        (["in/a.html"], "--report", "in/a.html"),
        (["in"], "--report", "in/a.html"),
    ]:
        assert run(tiny_model_folder, *paths, option, written, *force) == 2
        assert f"can't write to {str(Path(written))!r}, which this run reads; give" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("written", ["in/out.html", "link/more/../out.html"])
def test_a_report_is_no_text_of_the_next_run(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str], written: str
) -> None:
    (folder / "in" / "more").mkdir(parents=True)
    (folder / "in" / ".hidden").mkdir()
    (folder / "in" / "a.txt").write_text("a text")
    (folder / "link").symlink_to("in")
    assert run(tiny_model_folder, "in", "--report", written) == 2
    told = "it would be a text of the next run that reads the folder 'in'; write it into another folder"
    assert told in " ".join(capsys.readouterr().err.split())
    assert run(tiny_model_folder, "in", "--report", "in/.hidden/out.html", "--quiet") == 0
    assert run(tiny_model_folder, "in", "--output", "in/out.jsonl", "--quiet") == 0


def test_a_folder_is_no_report(folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out.html").mkdir()
    assert run(tiny_model_folder, *FIELDS, "--report", "out.html", "--force") == 2
    assert "can't write to 'out.html', which is a folder; give" in capsys.readouterr().err


def test_a_number_that_no_column_holds_is_text_in_the_table(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A number of 18 digits, as `--bounds` allows it."""
    schema = SCHEMA | {"properties": {"n": {"type": "number", "const": 823456789012345678}}}
    (folder / "schema.json").write_text(json.dumps(schema))
    assert run(tiny_model_folder, *FIELDS, "--output", "out.csv", "--quiet") == 0
    with (folder / "out.csv").open(newline="") as file:
        assert {row["n"] for row in csv.DictReader(file)} == {"823456789012345678"}
    assert (
        "warning: out.csv: the column 'n' is text, not numbers: no float is exactly 823456789012345678"
        in capsys.readouterr().err
    )
    assert sorted(path.name for path in folder.glob("out*")) == ["out.csv"]


def test_a_table_that_cannot_be_written_leaves_all_results(
    folder: Path, tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fill_the_disk(path: Path, *_: Any) -> list[str]:
        path.write_text("half a ta")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("guided.cli.results_file.write_table", fill_the_disk)
    assert run(tiny_model_folder, *FIELDS, "--output", "out.csv", "--quiet") == 2
    told = capsys.readouterr().err
    assert "can't write out.csv: [Errno 28] No space left on device; all results are JSON lines in out.csv" in told
    assert "out.csv.partial: rename it to out.jsonl, or give --resume to make the file again" in told
    assert sorted(path.name for path in folder.glob("out*")) == ["out.csv.partial"]
    assert len(records(folder / "out.csv.partial")) == 6
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert run(tiny_model_folder, *FIELDS, "--output", "out.csv", "--json", "--resume") == 0
    assert capsys.readouterr().out == "", "nothing is read again"
    assert sorted(path.name for path in folder.glob("out*")) == ["out.csv"]
