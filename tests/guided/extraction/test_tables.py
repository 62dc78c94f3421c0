"""Rows in, rows out: JSON lines, CSV, Parquet, SQLite and frames."""

from __future__ import annotations

import csv
import datetime as dt
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import narwhals
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PastDate,
    PlainSerializer,
    PlainValidator,
    RootModel,
    field_serializer,
    model_serializer,
)
from pydantic_core.core_schema import CoreSchema, json_or_python_schema
from typing_extensions import TypeAliasType

from guided.cli.tables import check_columns, write_table
from guided.documents.rows import read_rows
from guided.engines.settings import EngineSettings
from guided.extraction.columns import Column, field_columns, result_columns
from guided.extraction.extraction import ExtractionTarget
from guided.extraction.frames import FrameTexts, new_columns
from guided.extraction.quote import Quote
from guided.extraction.read_fields import ReadFields
from guided.extraction.records import to_record
from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from guided.remote import RemoteLLM
from tests.guided.engines.openai.fake_endpoint import fake_endpoint, one_by_one, stream_of, text
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


class Position(BaseModel):
    price: Annotated[Decimal, Quote(as_=Decimal)]


class Bill(BaseModel):
    number: Annotated[str, Quote()]
    total: Annotated[float, Quote(as_=float)]
    pieces: Annotated[int, Quote(as_=int)] | None = Field(alias="count")
    day: Annotated[dt.date, Quote(as_=dt.date)]
    shout: Annotated[str, Quote(as_=str.upper)]
    positions: list[Position]


BILL = {"number": "7", "total": "1,299.50 EUR", "count": "3", "day": "3 May 2026", "shout": "it", "positions": []}
BILL_TEXT = "Bill 7 is 1,299.50 EUR for 3 at 2.10, 3 May 2026: pay it."


def bill_record(schema_type: Any = Bill, **changes: Any) -> dict[str, Any]:
    found = ExtractionTarget[Any](schema_type).read(completion_of(json.dumps(BILL | changes)), {"text": BILL_TEXT})
    return to_record("a", found, ReadFields(schema_type))


def test_what_is_read_from_a_quote_has_a_column_and_the_quote_another_one() -> None:
    columns = result_columns([Bill])
    assert {column.name: column.kind for column in columns} == {
        "source": "text",
        "number": "text",
        "total": "number",
        "total.quote": "text",
        "count": "integer",
        "count.quote": "text",
        "day": "text",
        "day.quote": "text",
        "shout": "text",
        "shout.quote": "text",
        "positions": "json",
        "positions.quote": "json",
        "valid": "boolean",
        "error": "text",
        "shortened": "boolean",
    }
    record = bill_record(positions=[{"price": "2.10"}])
    assert record["read"] == {
        "total": 1299.5,
        "count": 3,
        "day": "2026-05-03",
        "shout": "IT",
        "positions": [{"price": "2.10"}],
    }
    cells = {column.name: column.cell(record) for column in columns}
    assert cells == {
        "source": "a",
        "number": "7",
        "total": 1299.5,
        "total.quote": "1,299.50 EUR",
        "count": 3,
        "count.quote": "3",
        "day": "2026-05-03",
        "day.quote": "3 May 2026",
        "shout": "IT",
        "shout.quote": "it",
        "positions": '[{"price": "2.10"}]',
        "positions.quote": '[{"price": "2.10"}]',
        "valid": True,
        "error": None,
        "shortened": False,
    }
    nothing = {column.name: column.cell(bill_record(count=None)) for column in columns}
    assert (nothing["count"], nothing["count.quote"]) == (None, None)


def test_a_quote_that_cannot_be_read_leaves_its_column_empty() -> None:
    record = bill_record(total="Bill")
    cells = {column.name: column.cell(record) for column in result_columns([Bill])}
    assert (record["read"], cells["total"], cells["total.quote"]) == (None, None, "Bill")
    assert "'Bill' is not one number" in cells["error"]
    others = {name: (cells[name], cells[f"{name}.quote"]) for name in ("day", "count")}
    assert others == {"day": (None, "3 May 2026"), "count": (None, "3")}


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".sqlite"])
def test_tables_of_what_was_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"
    write_table(path, suffix, result_columns([Bill]), [bill_record(), bill_record(total="Bill")])
    if suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            found = [(row["total"], row["total.quote"]) for row in csv.DictReader(file)]
        assert found == [("1299.5", "1,299.50 EUR"), ("", "Bill")]
    elif suffix == ".parquet":
        assert pyarrow.parquet.read_table(path)["total"].to_pylist() == [1299.5, None]
    else:
        with closing(sqlite3.connect(path)) as database:
            assert database.execute('SELECT total, "total.quote" FROM extractions').fetchall() == [
                (1299.5, "1,299.50 EUR"),
                (None, "Bill"),
            ]


def test_names_of_quotes_that_are_taken_and_types_that_differ() -> None:
    class Plain(BaseModel):
        total: float

    class Odd(BaseModel):
        total: Annotated[int, Quote(as_=int)]
        other: str = Field(alias="total.quote")

    names = [column.name for column in result_columns([Odd])]
    assert names[1:4] == ["total", "_total.quote", "total.quote"]
    columns = result_columns([Bill, Plain])
    total, quote = (next(one for one in columns if one.name == name) for name in ("total", "total.quote"))
    plain = {"source": "b", "data": {"total": 2.5}}
    assert (total.kind, total.cell(bill_record()), total.cell(plain)) == ("number", 1299.5, 2.5)
    assert (quote.kind, quote.cell(bill_record()), quote.cell(plain)) == ("json", '"1,299.50 EUR"', "2.5")


def test_what_is_read_in_unions_lists_and_other_types() -> None:
    @dataclass
    class Sum:
        total: Annotated[float, Quote(as_=float)]

    class Amount(TypedDict):
        total: Annotated[Decimal, Quote(as_=Decimal)]

    assert bill_record(Bill | Line)["read"]["total"] == 1299.5
    for schema_type, value in ((Sum, 1299.5), (Amount, "1299.50"), (list[Sum], [{"total": 1299.5}])):
        document: Any = {"total": "1,299.50"}
        document = [document] if isinstance(value, list) else document
        found = ExtractionTarget[Any](schema_type).read(completion_of(json.dumps(document)), {"text": BILL_TEXT})
        record = to_record("a", found, ReadFields(schema_type))
        assert list(record["read"].values()) == [value]
        name = "data" if isinstance(value, list) else "total"
        cells = {column.name: column.cell(record) for column in result_columns([schema_type])}
        assert cells[name] == (json.dumps(value) if isinstance(value, list) else value)
        assert cells[f"{name}.quote"] == (json.dumps(document) if isinstance(value, list) else "1,299.50")
    assert "read" not in to_record("a", found, ReadFields(Line))
    assert ReadFields({"type": "object", "properties": {"a": {"type": "string", "x-quote": "text"}}}).shapes == {}


class Price(BaseModel):
    amount: Decimal
    amounts: list[Decimal]


def test_decimals_have_the_digits_that_were_written() -> None:
    document = '{"amount": 99.123456789012345, "amounts": [12.50, 1E2]}'
    found = ExtractionTarget[Any](Price).read(completion_of(document), {})
    record = to_record("a", found, ReadFields(Price))
    assert [column.cell(record) for column in field_columns([Price])] == ["99.123456789012345", "[12.50, 1E2]"]
    frame = FrameTexts(polars.DataFrame({"text": ["a"]}), "text")
    (row,) = frame.with_columns(new_columns(Price, "", has_confidence=False), [record]).to_dicts()
    assert (row["amount"], row["error"]) == ("99.123456789012345", None)


Amount = Annotated[float, Quote(as_=float)]
Past = Annotated[PastDate, Quote(as_=dt.date)]


class Odd(BaseModel):
    """A serializer that says that it gives what it does not."""

    total: Annotated[float, Quote(as_=float), PlainSerializer(lambda value: f"{value:.2f} EUR", return_type=float)]
    name: str


class Untold(BaseModel):
    total: Annotated[float, Quote(as_=float), PlainSerializer(lambda value: f"{value:.2f} EUR")]


class GivenOutByField(BaseModel):
    total: Amount

    @field_serializer("total")
    def in_euros(self, value: float) -> str:
        return f"{value:.2f} EUR"


class GivenOutWhole(BaseModel):
    total: Amount

    @model_serializer
    def in_words(self) -> str:
        return "a bill"


class GivenOutWholly(GivenOutByField):
    @model_serializer
    def in_words(self):  # type: ignore[no-untyped-def]
        return "a bill"


class NotGivenOut(BaseModel):
    model_config = ConfigDict(defer_build=True)
    total: Amount = Field(exclude=True)


@pytest.mark.parametrize("schema_type", [GivenOutByField, GivenOutWhole, GivenOutWholly, NotGivenOut])
def test_what_was_read_is_not_what_the_class_gives_out(schema_type: Any) -> None:
    found = ExtractionTarget[Any](schema_type).read(completion_of('{"total": "12.50"}'), {"text": "12.50"})
    record = to_record("a", found, ReadFields(schema_type))
    assert record["read"] == {"total": 12.5}
    assert [(one.name, one.kind, one.cell(record)) for one in field_columns([schema_type])] == [
        ("total", "number", 12.5),
        ("total.quote", "text", "12.50"),
    ]


class Net(BaseModel):
    total: Amount


class Gross(Net):
    tax: Amount


class NetDict(TypedDict):
    total: Amount


class GrossDict(TypedDict):
    total: Amount
    tax: Amount


class PaidDict(TypedDict):
    total: Amount
    tax: NotRequired[Amount]


class Weighed(TypedDict):
    kind: Literal["weighed"]
    size: Amount


class Dated(TypedDict):
    kind: Literal["dated"]
    size: Annotated[dt.date, Quote(as_=dt.date)]


class Rate(BaseModel):
    rate: Amount


class NetRoot(RootModel[Net | list[Rate]]):
    pass


Sums = TypeAliasType("Sums", Net | list[Rate])
GROSS, GROSS_READ = {"total": "1.5", "tax": "2.5"}, {"total": 1.5, "tax": 2.5}


@pytest.mark.parametrize(
    ("schema_type", "document", "read"),
    [
        (Net | Gross, GROSS, GROSS_READ),
        (Gross | Net, GROSS, GROSS_READ),
        (Gross | Net, {"total": "1.5"}, {"total": 1.5}),
        (GrossDict | NetDict, {"total": "1.5"}, {"total": 1.5}),
        (NetDict | GrossDict, GROSS, GROSS_READ),
        (list[Net] | Rate, {"rate": "2.5"}, {"rate": 2.5}),
        (Rate | list[Net], [{"total": "1.5"}], {"data": [{"total": 1.5}]}),
        (list[Net] | None, [{"total": "1.5"}], {"data": [{"total": 1.5}]}),
        (Literal["none"] | Net, {"total": "1.5"}, {"total": 1.5}),
        (Literal["none"] | Net, "none", {}),
        (NetRoot, {"total": "1.5"}, {"total": 1.5}),
        (NetRoot | Gross, GROSS, GROSS_READ),
        (NetRoot, [{"rate": "2.5"}], {"data": [{"rate": 2.5}]}),
        (Sums, {"total": "1.5"}, {"total": 1.5}),
        (Annotated[Net | Rate, Field(title="sums")], {"rate": "2.5"}, {"rate": 2.5}),
        (dict[str, Amount] | PaidDict, {"total": "1.5"}, {"total": 1.5}),
        (dict[str, Amount] | PaidDict, {"other": "1.5"}, {"data": {"other": 1.5}}),
        (Mapping[str, Amount] | dict[str, Amount], {"other": "1.5"}, {"data": {"other": 1.5}}),
        (Net | Any, {"total": "1.5"}, {"total": 1.5}),
        (Past | Net, "2 May 2020", {"data": "2020-05-02"}),
        (Past | Net, {"total": "1.5"}, {"total": 1.5}),
        (Amount, "1,254.40", {"data": 1254.4}),
        (RootModel[Amount], "1,254.40", {"data": 1254.4}),
        (Annotated[float | None, Quote(as_=float)], "1,254.40", {"data": 1254.4}),
        (Amount | None, "1,254.40", {"data": 1254.4}),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("error")
def test_what_is_read_is_that_of_the_values_own_type(schema_type: Any, document: Any, read: Any) -> None:
    sources = {"text": "1.5 2.5 1,254.40 2 May 2020"}
    found = ExtractionTarget[Any](schema_type).read(completion_of(json.dumps(document)), sources)
    record = to_record("a", found, ReadFields(schema_type))
    assert (record["error"], record["read"]) == (None, read)
    cells = {column.name: column.cell(record) for column in field_columns([schema_type])}
    told = {name: cell for name, cell in cells.items() if cell is not None and not name.endswith(".quote")}
    expected = {name: one if isinstance(one, float) else json.dumps(one) for name, one in read.items()}
    assert told == (expected or {"data": '"none"'})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("kind", "quote", "read"), [("weighed", "1.5", 1.5), ("dated", "2 May 2020", "2020-05-02")])
def test_typed_dicts_are_told_apart_by_their_literals(kind: str, quote: str, read: Any) -> None:
    document = json.dumps({"kind": kind, "size": quote})
    found = ExtractionTarget[Any](Weighed | Dated).read(completion_of(document), {"text": quote})
    assert to_record("a", found, ReadFields(Weighed | Dated))["read"] == {"size": read}


class ReadByOwnCode(BaseModel):
    total: Amount

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        made = handler(source)
        return json_or_python_schema(json_schema=made, python_schema=made)


def test_what_is_read_by_a_types_own_code_is_read_as_a_whole() -> None:
    found = ExtractionTarget[Any](ReadByOwnCode).read(completion_of('{"total": "12.50"}'), {"text": "12.50"})
    record = to_record("a", found, ReadFields(ReadByOwnCode))
    assert [(one.name, one.cell(record)) for one in field_columns([ReadByOwnCode])] == [
        ("total", "12.50"),
        ("data", '{"total": 12.5}'),
    ]


class Money:
    """A class that JSON has no form for."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return f"money: {self.text}"


@dataclass
class Paid:
    """Also with a field that no document has."""

    total: Annotated[Money, PlainValidator(Money, json_schema_input_type=str), Quote(as_=str)]
    tax: Amount = field(init=False, default=1.5)


def test_what_json_has_no_form_for_is_its_text() -> None:
    found = ExtractionTarget[Any](Paid).read(completion_of('{"total": "12.50"}'), {"text": "12.50"})
    record = to_record("a", found, ReadFields(Paid))
    assert record["read"] == {"total": "money: 12.50"}
    assert [(one.name, one.cell(record)) for one in field_columns([Paid])] == [
        ("total", '"money: 12.50"'),
        ("total.quote", "12.50"),
    ]


def test_names_of_quotes_are_taken_in_any_case() -> None:
    """SQLite takes `Total.quote` and `total.quote` for one column."""

    class Cased(BaseModel):
        Total: Amount
        said: Annotated[str, Field(alias="total.quote")]

    columns = result_columns([Cased])
    assert [column.name for column in columns][1:4] == ["Total", "_Total.quote", "total.quote"]
    check_columns(Path("out.db"), ".db", columns)


class Sizes(BaseModel):
    some: Annotated[list[float], Quote(as_=lambda quote: [float(word) for word in quote.split()])]
    size: Annotated[int | float, Quote(as_=lambda quote: 10**30 if quote == "many" else float(quote))]


def test_what_is_read_is_json_in_any_case() -> None:
    target = ExtractionTarget[Any](Sizes)
    for size, read in (("many", 10**30), ("0.1", 0.1), ("nan", "NaN")):
        found = target.read(
            completion_of(json.dumps({"some": "1.5 inf nan", "size": size})), {"text": f"1.5 inf nan {size}"}
        )
        assert to_record("a", found, ReadFields(Sizes))["read"] == {"some": [1.5, "Infinity", "NaN"], "size": read}


class Nested(BaseModel):
    total: Amount = Field(validation_alias=AliasPath("sum", "total"))
    first: Amount = Field(validation_alias=AliasPath("rates", 0))
    tax: Amount = Field(validation_alias=AliasChoices(AliasPath("sum", "tax"), "Tax"))
    currency: str = Field(validation_alias=AliasPath("sum", "currency"))


def test_what_is_read_from_a_path_has_a_column_beside_those_of_the_document() -> None:
    document = {"sum": {"total": "12.50", "currency": "EUR"}, "rates": ["1.5"], "Tax": "2.5"}
    found = ExtractionTarget[Any](Nested).read(completion_of(json.dumps(document)), {"text": "12.50 1.5 2.5"})
    record = to_record("a", found, ReadFields(Nested))
    assert record["read"] == {"sum.total": 12.5, "rates.0": 1.5, "Tax": 2.5}
    assert [(one.name, one.kind, one.cell(record)) for one in field_columns([Nested])] == [
        ("sum", "json", '{"total": "12.50", "currency": "EUR"}'),
        ("rates", "json", '["1.5"]'),
        ("Tax", "number", 2.5),
        ("Tax.quote", "text", "2.5"),
        ("sum.total", "number", 12.5),
        ("rates.0", "number", 1.5),
    ]
    unread = ExtractionTarget[Any](Nested).read(
        completion_of(json.dumps(document | {"Tax": "x"})), {"text": "x 12.50 1.5"}
    )
    record = to_record("a", unread, ReadFields(Nested))
    assert [one.cell(record) for one in field_columns([Nested])][2:] == [None, "x", None, None]


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".sqlite"])
def test_what_a_column_cannot_hold_makes_it_text(tmp_path: Path, suffix: str) -> None:
    documents = ['{"total": "12.50", "name": "Ada"}', '{"total": "7", "name": "Bo"}']
    target, fields = ExtractionTarget[Any](Odd), ReadFields(Odd)
    found = [target.read(completion_of(one), {"text": "12.50 7"}) for one in documents]
    records = [to_record(source, one, fields) for source, one in zip("ab", found, strict=True)]
    path = tmp_path / f"out{suffix}"
    (told,) = write_table(path, suffix, result_columns([Odd]), records)
    assert told == """the column 'total' is JSON text: a has "12.50 EUR" there, of another kind"""
    if suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            rows = [(row["total"], row["name"]) for row in csv.DictReader(file)]
    elif suffix == ".parquet":
        rows = [(row["total"], row["name"]) for row in pyarrow.parquet.read_table(path).to_pylist()]
    else:
        with closing(sqlite3.connect(path)) as database:
            rows = database.execute("SELECT total, name FROM extractions").fetchall()
    assert rows == [('"12.50 EUR"', "Ada"), ('"7.00 EUR"', "Bo")]


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


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_a_value_of_another_kind_is_the_error_of_its_row() -> None:
    found = ExtractionTarget[Any](Odd).read(completion_of('{"total": "12.50", "name": "Ada"}'), {"text": "12.50"})
    frame = FrameTexts(polars.DataFrame({"text": ["a"]}), "text")
    columns = new_columns(Odd, "", has_confidence=False)
    (row,) = frame.with_columns(columns, [to_record("0", found, ReadFields(Odd))]).to_dicts()
    assert row["error"] == """the column 'total' is of kind number, and can't hold "12.50 EUR"; extract_each gives it"""
    found = ExtractionTarget[Any](Untold).read(completion_of('{"total": "12.50"}'), {"text": "12.50"})
    columns = new_columns(Untold, "", has_confidence=False)
    (row,) = frame.with_columns(columns, [to_record("0", found, ReadFields(Untold))]).to_dicts()
    assert (row["total"], row["error"]) == ('"12.50 EUR"', None)


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


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_frame_in_a_frame_out(llm: LLM, kind: str) -> None:
    columns = {"id": [1, 2, 3, 4], "body": TEXTS}
    if kind == "pandas":
        frame: Any = pandas.DataFrame(columns, index=[9, 7, 5, 3])
        found = llm.extract_frame(frame, SCHEMA, column="body", prefix="x_", confidence=True)
        assert list(found.index) == [9, 7, 5, 3]
        assert list(frame.columns) == ["id", "body"]
        values = found.astype(object).where(found.notna(), None).to_dict("list")
    else:
        frame = polars.DataFrame(columns) if kind == "polars" else pyarrow.table(columns)
        found = llm.extract_frame(frame, SCHEMA, column="body", prefix="x_", confidence=True)
        values = found.to_dict(as_series=False) if kind == "polars" else found.to_pydict()
    assert type(found) is type(frame)
    assert list(values) == ["id", "body", "x_n", "x_s", "x_l", "x_error", "x_shortened", "x_confidence"]
    assert values["body"] == TEXTS
    expected = [llm.extract(text, SCHEMA) if text and text.strip() else None for text in TEXTS]
    assert values["x_n"] == [one and one["n"] for one in expected]
    assert values["x_s"] == [one and one["s"] for one in expected]
    assert values["x_l"] == ["[1]", None, "[1]", None]
    assert [error is None for error in values["x_error"]] == [True, False, True, False]
    assert set(json.loads(values["x_confidence"][0])) == {"", "/n", "/s", "/l", "/l/0"}


class Answer(Enum):
    """A label."""

    YES = "yes"
    NO = "no"


def test_labels_in_a_frame(llm: LLM) -> None:
    found = llm.extract_frame(polars.DataFrame({"text": ["a", "b"]}), Answer)
    assert set(found["data"]) <= {"yes", "no"}


class Count(BaseModel):
    n: int
    rate: float | None = None


LARGE = 12345678901234567890123


@pytest.mark.parametrize(
    "make", [pandas.DataFrame, polars.DataFrame, pyarrow.table], ids=["pandas", "polars", "pyarrow"]
)
@pytest.mark.parametrize(("field", "number"), [("n", LARGE), ("n", -(2**63) - 1), ("rate", LARGE), ("rate", 10**400)])
def test_a_number_that_is_too_large_is_the_error_of_its_row(make: Any, field: str, number: int) -> None:
    answers = [{"n": 1, "rate": 1.5}, {"n": 2, "rate": 2.5} | {field: number}, {"n": -(2**63), "rate": 2.0**80}]
    with fake_endpoint() as endpoint:
        endpoint.answer = one_by_one(*(stream_of(text(json.dumps(answer))) for answer in answers))
        with RemoteLLM(endpoint.url, engine_settings=EngineSettings(max_batch_size=1)) as llm:
            found = llm.extract_frame(make({"text": ["a", "b", "c"]}), Count, prefix="x_", bounds=None)
    rows = narwhals.from_native(found, eager_only=True).to_arrow().to_pylist()
    error = f"the column 'x_{field}' can't hold {number} exactly; extract_each gives it"
    assert rows == [
        {"text": "a", "x_n": 1, "x_rate": 1.5, "x_error": None, "x_shortened": False},
        {"text": "b", "x_n": None, "x_rate": None, "x_error": error, "x_shortened": False},
        {"text": "c", "x_n": -(2**63), "x_rate": 2.0**80, "x_error": None, "x_shortened": False},
    ]


def test_a_row_with_two_errors_tells_both() -> None:
    frame = FrameTexts(polars.DataFrame({"text": ["a"]}), "text")
    columns = new_columns(Count, "", has_confidence=True)
    record = {"source": "0", "data": {"n": LARGE}, "error": "it is odd", "shortened": True, "confidence": {}}
    (row,) = frame.with_columns(columns, [record]).to_dicts()
    error = f"it is odd; the column 'n' can't hold {LARGE} exactly; extract_each gives it"
    nothing = {"n": None, "rate": None, "confidence": None}
    assert row == {"text": "a", "error": error, "shortened": True, **nothing}


def test_documents_that_had_to_end_early_are_told() -> None:
    whole = completion_of('{"product": "lamp"}')
    completions = [whole, replace(whole, closed_in_budget=True), replace(whole, text="{", closed_in_budget=True)]
    target = ExtractionTarget[Any](Line)
    records = [to_record(str(row), target.read(one)) for row, one in enumerate(completions)]
    assert [record["shortened"] for record in records] == [False, True, False], "the last one has an error"
    frame = FrameTexts(polars.DataFrame({"text": ["a", "b", "c"]}), "text")
    found = frame.with_columns(new_columns(Line, "x_", has_confidence=False), records)
    assert found["x_shortened"].to_list() == [False, True, False]
    assert found.schema["x_shortened"] == polars.Boolean
    (column,) = [one for one in result_columns([Line]) if one.name == "shortened"]
    assert [column.cell(record) for record in records] == [False, True, False]
    assert column.cell({"source": "of an older version"}) is None


@pytest.mark.parametrize("name", ["error", "shortened", "confidence"])
def test_fields_that_are_called_as_other_columns(name: str) -> None:
    schema = {"type": "object", "properties": {name: {}}}
    with pytest.raises(InvalidInputError) as error:
        new_columns(schema, "x_", has_confidence=True)
    what = "which is what a column beside the fields is called; give the field another name"
    assert str(error.value) == f"the type has a field '{name}', {what}"
    assert len(new_columns({"properties": {"confidence": {}}, "type": "object"}, "", has_confidence=False)) == 3


def test_frames_with_two_columns_of_one_name(llm: LLM) -> None:
    arrays = [pyarrow.array([one]) for one in "abcd"]
    names = ["text", "x", "x", "text"]
    for frame in (pandas.DataFrame([list("abcd")], columns=names), pyarrow.Table.from_arrays(arrays, names=names)):
        with pytest.raises(InvalidInputError, match="more than one column 'text', 'x'; give each a name of its own"):
            llm.extract_frame(frame, SCHEMA)


def test_names_that_are_no_strings(llm: LLM) -> None:
    frame = pandas.DataFrame({0: ["a"], "text": ["b"]})
    with pytest.raises(InvalidInputError, match="column must be a string, the name of the texts' column, not 0"):
        llm.extract_frame(frame, SCHEMA, column=0)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="prefix must be a string, not 0"):
        llm.extract_frame(frame, SCHEMA, prefix=0)  # type: ignore[arg-type]
    assert list(llm.extract_frame(frame, SCHEMA).columns) == [0, "text", "n", "s", "l", "error", "shortened"]


def test_frames_that_are_refused(llm: LLM) -> None:
    with pytest.raises(InvalidInputError, match="the frame has no column 'text'; it has 'n'"):
        llm.extract_frame(pandas.DataFrame({"n": [1]}), SCHEMA)
    with pytest.raises(InvalidInputError, match="the frame has 'n' already; give a prefix"):
        llm.extract_frame(pandas.DataFrame({"text": ["a"], "n": [1]}), SCHEMA)
    with pytest.raises(InvalidInputError, match="must be a pandas or Polars frame or a PyArrow table"):
        llm.extract_frame({"text": ["a"]}, SCHEMA)
    with pytest.raises(InvalidInputError, match="must be a pandas or Polars frame"):
        llm.extract_frame(polars.LazyFrame({"text": ["a"]}), SCHEMA)
    with pytest.raises(InvalidInputError, match="the type has a field 'error'"):
        llm.extract_frame(polars.DataFrame({"text": ["a"]}), {"type": "object", "properties": {"error": {}}})
