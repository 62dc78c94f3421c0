"""Rows in, rows out: JSON lines, CSV, Parquet, SQLite and frames."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from pydantic import (
    BaseModel,
)

from guided.cli.tables import check_columns, write_table
from guided.documents.rows import read_rows
from guided.extraction.columns import Column, field_columns, result_columns
from guided.extraction.extraction import ExtractionTarget
from guided.extraction.records import to_record
from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from tests.guided.extraction.test_extract import completion_of


class Line(BaseModel):
    """One line of an order."""

    product: str


class Order(BaseModel):
    """An order."""

    customer: str | None
    number: int
    total: float
    paid: bool
    lines: list[Line]
    note: str | int
    source: str


RECORDS: list[dict[str, Any]] = [
    {
        "source": "a",
        "valid": True,
        "error": None,
        "shortened": True,
        "data": {
            "customer": 'Zoë "Z"',
            "number": 2**40,
            "total": 3,
            "paid": False,
            "lines": [{"product": "ü"}],
            "note": "1",
            "source": "web",
        },
    },
    {"source": "b", "valid": False, "error": "too long,\nby far", "shortened": False, "data": None},
]
FIRST = ["a", 'Zoë "Z"', 2**40, 3.0, False, '[{"product": "ü"}]', '"1"', "web", True, None, True]
SECOND = ["b", *[None] * 7, False, "too long,\nby far", False]
NAMES = ["_source", "customer", "number", "total", "paid", "lines", "note", "source", "valid", "error", "shortened"]


@pytest.mark.parametrize(
    ("schema_type", "data", "cells"),
    [
        (dict[str, str], {"name": "Ada"}, {"data": '{"name": "Ada"}'}),
        (Line | dict[str, int], {"product": "lamp"}, {"product": '"lamp"', "data": None}),
        (Line | dict[str, int], {"Oslo": 1}, {"product": None, "data": '{"Oslo": 1}'}),
        (
            {"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}},
            {"a": "x", "b": 1},
            {"a": "x", "data": '{"a": "x", "b": 1}'},
        ),
        (
            {"type": "object", "patternProperties": {"^p": {"type": "integer"}}, "additionalProperties": False},
            {"p1": 1},
            {"data": '{"p1": 1}'},
        ),
    ],
)
def test_members_without_a_name_are_in_the_column_of_documents(schema_type: Any, data: Any, cells: Any) -> None:
    record = {"source": "a", "valid": True, "error": None, "data": data}
    assert {column.name: column.cell(record) for column in field_columns([schema_type])} == cells


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> Any:
    with LLM(str(tiny_model_folder)) as llm:
        yield llm


def write(path: Path) -> None:
    columns = result_columns([Order])
    check_columns(path, path.suffix, columns)
    write_table(path, path.suffix, columns, RECORDS)


def test_csv(tmp_path: Path) -> None:
    write(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        header, first, second = csv.reader(file)
    assert header == NAMES
    assert first == [_csv(value) for value in FIRST]
    assert second == [_csv(value) for value in SECOND]


def _csv(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_parquet(tmp_path: Path) -> None:
    write(tmp_path / "out.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == NAMES
    assert [list(row.values()) for row in table.to_pylist()] == [FIRST, SECOND]
    assert [str(field.type) for field in table.schema][2:5] == ["int64", "double", "bool"]


@pytest.mark.parametrize("suffix", ["db", "sqlite", "sqlite3"])
def test_sqlite(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"out.{suffix}").write_bytes(b"an older file")
    write(tmp_path / f"out.{suffix}")
    with closing(sqlite3.connect(tmp_path / f"out.{suffix}")) as database:
        assert database.execute("SELECT * FROM extractions").fetchall() == [tuple(FIRST), tuple(SECOND)]
        columns = database.execute("SELECT name, type FROM pragma_table_info('extractions')").fetchall()
    assert [name for name, _ in columns] == NAMES
    assert [kind for _, kind in columns][1:6] == ["TEXT", "INTEGER", "REAL", "BOOLEAN", "TEXT"]


@pytest.mark.parametrize(("field", "value"), [("number", 2**63), ("total", 2**53 + 1)])
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".sqlite"])
def test_numbers_that_a_column_cannot_hold(tmp_path: Path, field: str, value: int, suffix: str) -> None:
    """Its column is text, with all digits of all numbers; the others stay what they are."""
    path = tmp_path / f"out{suffix}"
    large = RECORDS[0] | {"source": "c", "data": RECORDS[0]["data"] | {field: value}}
    (told,) = write_table(path, suffix, result_columns([Order]), [*RECORDS, large])
    shown = str(value) if value < 10**40 else f"{str(value)[:40]}..."
    what = "integer of 64 bits" if field == "number" else "float"
    assert told == f"the column '{field}' is text, not numbers: no {what} is exactly {shown}, which c has"
    numbers = [RECORDS[0]["data"][field], None, value]
    other = "total" if field == "number" else "number"
    others = [RECORDS[0]["data"][other], None, RECORDS[0]["data"][other]]
    if suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert [row[field] for row in rows] == ["" if number is None else str(number) for number in numbers]
        assert [float(row[other]) if row[other] else None for row in rows] == others
        return
    if suffix == ".parquet":
        found = pyarrow.parquet.read_table(path).to_pylist()
    else:
        with closing(sqlite3.connect(path)) as database:
            found = [dict(zip(NAMES, row, strict=True)) for row in database.execute("SELECT * FROM extractions")]
    assert [row[field] for row in found] == [None if number is None else str(number) for number in numbers]
    assert [row[other] for row in found] == others


def test_columns_of_several_types_and_of_none() -> None:
    other = {"type": "object", "properties": {"customer": {"type": "integer"}, "x": {"type": "boolean"}}}
    kinds = {column.name: column.kind for column in result_columns([Order, other], ["confidence"])}
    assert (kinds["customer"], kinds["x"], kinds["number"]) == ("json", "boolean", "integer")
    assert list(kinds)[-1] == "confidence"
    found = {column.name: column.kind for column in result_columns([{"enum": ["a", "b"]}])}
    assert found == {"source": "text", "data": "text", "valid": "boolean", "error": "text", "shortened": "boolean"}
    assert [column.kind for column in result_columns([True])][1] == "json"
    assert [column.kind for column in result_columns([list[Line]])][1] == "json"  # type: ignore[list-item]


class Price(BaseModel):
    amount: Decimal
    amounts: list[Decimal]


def test_decimals_have_the_digits_that_were_written() -> None:
    document = '{"amount": 99.123456789012345, "amounts": [12.50, 1E2]}'
    found = ExtractionTarget[Any](Price).read(completion_of(document), {})
    record = to_record("a", found)
    assert [column.cell(record) for column in field_columns([Price])] == ["99.123456789012345", "[12.50, 1E2]"]


@pytest.mark.parametrize(
    ("kind", "value", "cell"),
    [
        ("text", 1, None),
        ("boolean", 1, None),
        ("integer", True, None),
        ("number", "1", None),
        ("number", {}, None),
        ("integer", 3.0, 3),
        ("integer", 3.5, None),
        ("number", 3, 3.0),
    ],
)
def test_cells_are_of_their_columns_kind(kind: Any, value: Any, cell: Any) -> None:
    column = Column("x", kind, "x", is_data=True)
    if cell is None:
        with pytest.raises(InvalidInputError, match=r"the column 'x' .*can't hold"):
            column.cell({"data": {"x": value}})
    else:
        found = column.cell({"data": {"x": value}})
        assert (found, type(found)) == (cell, type(cell))


def test_names_that_sqlite_takes_for_none() -> None:
    schema = {"type": "object", "properties": {"a\0b": {"type": "string"}}}
    with pytest.raises(InvalidInputError, match=r"SQLite takes no column of the name 'a\\x00b'; write \.csv"):
        check_columns(Path("out.db"), ".db", result_columns([schema]))


def test_names_that_sqlite_takes_for_one() -> None:
    schema = {"type": "object", "properties": {"Name": {"type": "string"}, "name": {"type": "string"}}}
    check_columns(Path("out.csv"), ".csv", result_columns([schema]))
    with pytest.raises(InvalidInputError, match=r"takes 'Name' and 'name' for one column"):
        check_columns(Path("out.db"), ".db", result_columns([schema]))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_rows_of_csv(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "texts.csv"
    long = "x" * 200_000
    rows = [["id", "body"], ["1", "a\nb"], ["2", f"p{delimiter}q"], [], ["3", long], ["4"], ["5", ""]]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    found = list(read_rows(str(path), "body", "id"))
    assert [row.place for row in found] == [f"{path}:{number}" for number in range(1, 6)]
    assert [row.values.get("body") for row in found] == ["a\nb", f"p{delimiter}q", long, None, ""]
    assert [row.problem is not None for row in found] == [False, False, False, True, False]
    assert "has 1 cells, and the header 2 columns" in str(found[3].problem)


def test_rows_of_parquet(tmp_path: Path) -> None:
    path = tmp_path / "texts.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"id": [7, 8], "body": ["a", None], "other": [1.5, 2.5]}), path)
    found = list(read_rows(str(path), "body", "id"))
    assert [dict(row.values) for row in found] == [{"id": 7, "body": "a"}, {"id": 8, "body": None}]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"id,text\n", r"has no column 'body'; it has 'id', 'text'"),
        ("a.csv", b"body,body\n1,2\n", r"has more than one column 'body'"),
        ("a.csv", b'body\n"a"b\n', r"is no CSV file: .* in line 2"),
        ("a.csv", b"caf\xe9\n", r"is not UTF-8 text"),
        ("a.csv", b" \n", r"holds no lines"),
        ("a.parquet", b"no such thing", r"can't read .*a.parquet as Parquet"),
        ("a.parquet", b"", r"can't read .*a.parquet as Parquet"),
    ],
)
def test_tables_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInputError, match=message):
        list(read_rows(str(tmp_path / name), "body", None))


SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "minimum": 0, "maximum": 9},
        "s": {"enum": ["a", "b"]},
        "l": {"const": [1]},
    },
    "required": ["n", "s", "l"],
    "additionalProperties": False,
}
TEXTS = ["one", None, "three", " "]
