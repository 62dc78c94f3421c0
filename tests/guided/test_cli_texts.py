"""What `guided extract` reads, and what it says of files that it passes over."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from guided.cli.sources import SchemaChoice, load_schema
from guided.cli.texts import load_texts
from guided.grammars.errors import InvalidInputError
from tests.guided.documents.pdf_file import pdf_file


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_all_kinds(folder: Path, suffixes: dict[str, str]) -> None:
    """A file of each kind. suffixes: how each is written."""
    (folder / f"a{suffixes['.txt']}").write_text("a text")
    (folder / f"b{suffixes['.md']}").write_text("a note")
    (folder / f"c{suffixes['.markdown']}").write_text("a longer note")
    (folder / f"d{suffixes['.html']}").write_text("<p>a <b>page</b></p>")
    (folder / f"e{suffixes['.htm']}").write_text("<p>another</p>")
    (folder / f"f{suffixes['.pdf']}").write_bytes(pdf_file([["a letter"]]))


SUFFIXES = (".txt", ".md", ".markdown", ".html", ".htm", ".pdf")
TEXTS = ["a text", "a note", "a longer note", "a page", "another", "a letter"]


@pytest.mark.parametrize("change", [str.lower, str.upper, str.title])
def test_suffixes_in_any_case(folder: Path, capsys: pytest.CaptureFixture[str], change: type[str]) -> None:
    (folder / "in").mkdir()
    write_all_kinds(folder / "in", {suffix: change(suffix) for suffix in SUFFIXES})
    assert [source.text.strip() for source in load_texts(["in"])] == TEXTS
    files = sorted(map(str, Path("in").iterdir()))
    assert [source.text.strip() for source in load_texts(files)] == TEXTS
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("N.CSV", b"text\none\ntwo\n"),
        ("N.Tsv", b"text\tid\none\t1\ntwo\t2\n"),
        ("N.JSONL", b'{"text": "one"}\n{"text": "two"}\n'),
    ],
)
def test_tables_with_suffixes_in_any_case(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    assert [(source.name, source.text) for source in load_texts([name])] == [
        (f"{name}:1", "one"),
        (f"{name}:2", "two"),
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_csv_whose_header_is_quoted(folder: Path, delimiter: str) -> None:
    (folder / "n.csv").write_text(f'"id"{delimiter}"text"\n1{delimiter}"Ada Holm, 36; Oslo\t."\n')
    assert [source.text for source in load_texts(["n.csv"])] == ["Ada Holm, 36; Oslo\t."]


def test_what_the_cells_of_a_csv_are_called_is_said_by_the_delimiter_that_fits(folder: Path) -> None:
    (folder / "n.csv").write_text('"id";"body, all of it"\n1;a\n')
    with pytest.raises(InvalidInputError, match=r"n\.csv has no column 'text'; it has 'id', 'body, all of it'"):
        load_texts(["n.csv"])


def test_a_header_that_no_delimiter_fits_is_refused(folder: Path) -> None:
    (folder / "n.csv").write_text('"id"|"text"\n1|"a"\n')
    with pytest.raises(InvalidInputError, match=r"n\.csv is no CSV file: ',' expected after '\"' in line 1"):
        load_texts(["n.csv"])


def test_an_empty_row_is_named_by_its_place_and_its_id(folder: Path) -> None:
    (folder / "n.csv").write_text("id,text\n7,\n")
    with pytest.raises(InvalidInputError, match=r"n\.csv:1 \(7\) is empty"):
        load_texts(["n.csv"], id_field="id")


def test_cells_of_a_tsv_are_between_tabs_if_they_can_be(folder: Path) -> None:
    (folder / "one.tsv").write_text("text\nAda Holm, 36; lives in Oslo.\n")
    assert [source.text for source in load_texts(["one.tsv"])] == ["Ada Holm, 36; lives in Oslo."]
    (folder / "commas.tsv").write_text("id,text\n1,Ada Holm\n")
    assert [source.text for source in load_texts(["commas.tsv"])] == ["Ada Holm"]


@pytest.mark.parametrize("keep_going", [False, True])
def test_a_table_without_rows_is_refused(folder: Path, keep_going: bool) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"text": pyarrow.array([], pyarrow.string())}), "n.parquet")
    (folder / "n.csv").write_text("id,text\n\n")
    (folder / "a.txt").write_text("a text")
    for name in ("n.csv", "n.parquet"):
        with pytest.raises(InvalidInputError, match=f"{name} has a header and no rows; there is nothing to extract"):
            load_texts(["a.txt", name], keep_going=keep_going)


def test_a_parquet_file_with_a_suffix_in_capitals(folder: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"text": ["one", "two"]}), "N.PARQUET")
    assert [source.text for source in load_texts(["N.PARQUET"])] == ["one", "two"]


def test_a_schema_with_a_suffix_in_capitals(folder: Path) -> None:
    (folder / "S.JSON").write_text('{"type": "object"}')
    assert json.loads(load_schema("S.JSON")) == {"type": "object"}
    assert SchemaChoice(["in=S.JSON"]).source_for("in/a.txt") == "S.JSON"


def test_what_a_folder_passes_over_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "in" / "more").mkdir(parents=True)
    (folder / "in" / "a.txt").write_text("a text")
    (folder / "in" / "more" / "b.txt").write_text("another")
    for name in ("n.csv", "more/m.JSONL", "letter.docx", "noext"):
        (folder / "in" / name).write_bytes(b"?")
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "c.txt").write_text("far away")
    (folder / "in" / "link").symlink_to(folder / "elsewhere", target_is_directory=True)
    (folder / "in" / "c.txt").symlink_to(folder / "elsewhere" / "c.txt")
    assert [source.name for source in load_texts(["in"])] == ["in/a.txt", "in/c.txt", "in/more/b.txt"]
    assert capsys.readouterr().err.splitlines() == [
        "warning: in: passed over 2 tables; give each by its name: in/more/m.JSONL, in/n.csv",
        "warning: in: passed over 1 link to a folder; give it by its name: in/link",
        "warning: in: passed over 2 files of other kinds than .eml, .htm, .html, .markdown, .mbox, .md, .pdf, .txt: "
        "in/letter.docx, in/noext",
    ]


def test_long_lists_of_what_is_passed_over_are_cut(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.txt").write_text("a text")
    for number in range(30):
        (folder / f"{number:02d}.png").write_bytes(b"?")
    load_texts(["."])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warning: .: passed over 30 files of other kinds")
    assert line.endswith(": 00.png, 01.png, 02.png, 03.png, 04.png, 05.png, 06.png, 07.png, 08.png, 09.png and 20 more")


def test_links_to_nothing_are_passed_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "a.txt").write_text("a text")
    (folder / "in" / "b.txt").symlink_to(folder / "gone.txt")
    (folder / "in" / "c").symlink_to(folder / "in" / "c")
    assert [source.name for source in load_texts(["in"])] == ["in/a.txt"]
    told = "in: passed over 2 links to nothing that can be read: in/b.txt, in/c"
    assert capsys.readouterr().err == f"warning: {told}\n"
    (folder / "in" / "a.txt").unlink()
    with pytest.raises(InvalidInputError, match=r"holds no file of the kinds .*; passed over 2 links to nothing"):
        load_texts(["in"])
    with pytest.raises(InvalidInputError, match=r"there is no text file 'in/b\.txt'"):
        load_texts(["in/b.txt"])


def test_hidden_files_and_folders_are_passed_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.txt", ".b.txt", ".git/x.txt", ".git/more/y.txt", "more/.c.csv", "more/d.txt", "more/.e/z.txt"):
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_text("a text")
    (folder / "in" / ".link").symlink_to(folder / "in" / "more", target_is_directory=True)
    (folder / "in" / ".gone").symlink_to(folder / "gone")
    assert [source.name for source in load_texts(["in"])] == ["in/a.txt", "in/more/d.txt"]
    assert capsys.readouterr().err.splitlines() == [
        "warning: in: passed over 3 hidden files; give each by its name: in/.b.txt, in/.gone, in/more/.c.csv",
        "warning: in: passed over 3 hidden folders; give each by its name: in/.git, in/.link, in/more/.e",
    ]
    assert [source.name for source in load_texts(["in/.git", "in/.b.txt"])] == [
        "in/.git/more/y.txt",
        "in/.git/x.txt",
        "in/.b.txt",
    ]
    assert capsys.readouterr().err == ""


def test_a_folder_whose_texts_are_all_hidden(folder: Path) -> None:
    (folder / ".a.txt").write_text("a text")
    with pytest.raises(InvalidInputError, match=r"passed over 1 hidden file; give it by its name: \.a\.txt"):
        load_texts(["."])


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"id_field": "id"}, "--id-field is for tables (.jsonl, .csv, .tsv, .parquet): the field or column that names"),
        ({"text_field": "text"}, "--text-field is for tables (.jsonl, .csv, .tsv, .parquet): the field or column that"),
        ({"text_field": "body", "id_field": "id"}, "--text-field and --id-field are for tables"),
    ],
)
def test_fields_are_for_tables(folder: Path, fields: dict[str, str], told: str) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "n.csv").write_text("text,body,id\na,b,c\n")
    (folder / "a.txt").write_text("a text")
    for paths in (["a.txt"], ["in", "a.txt"], ["-"]):
        with pytest.raises(InvalidInputError) as error:
            load_texts(paths, **fields)  # type: ignore[arg-type]
        assert str(error.value).startswith(told)
        assert "No input is a table; leave" in str(error.value)
    assert len(load_texts(["a.txt", "in/n.csv"], **fields)) == 2  # type: ignore[arg-type]


def test_a_field_without_a_name(folder: Path) -> None:
    (folder / "n.jsonl").write_text('{"text": "one", "": "two"}\n')
    assert [source.text for source in load_texts(["n.jsonl"], "")] == ["two"]


def test_a_folder_without_texts_says_what_is_there(folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "n.csv").write_text("text\na\n")
    with pytest.raises(InvalidInputError) as error:
        load_texts(["in"])
    kinds = ".eml, .htm, .html, .markdown, .mbox, .md, .pdf, .txt"
    reason = "passed over 1 table; give it by its name: in/n.csv"
    assert str(error.value) == f"folder in holds no file of the kinds {kinds}; {reason}"


def test_folders_that_cannot_be_read_are_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "in" / "closed").mkdir(parents=True)
    (folder / "in" / "a.txt").write_text("a text")
    scan = os.scandir

    def refuse(path: str) -> Any:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr("os.scandir", refuse)
    assert [source.name for source in load_texts(["in"])] == ["in/a.txt"]
    assert capsys.readouterr().err == "warning: in: passed over 1 folder that can't be read: in/closed\n"
