"""Writes results into a table: CSV, Parquet, or a table of a SQLite database."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.extras import require

from ..extraction.columns import Column

SQLITE_TABLE = "extractions"
_SQLITE_TYPES = {"text": "TEXT", "integer": "INTEGER", "number": "REAL", "boolean": "BOOLEAN", "json": "TEXT"}
_BATCH_ROWS = 10_000
MAX_SHOWN_DIGITS = 40  # maximum length of a value in a warning

Records = Sequence[Mapping[str, Any]]


def write_table(path: Path, suffix: str, columns: Sequence[Column], records: Records) -> list[str]:
    """Write a new file of the format that `suffix` names in TABLE_WRITERS. An existing file is replaced.

    A column becomes JSON text if it can't hold one of its numbers exactly or has a value of another type. So no digit
    and no row is lost. Returns a warning for each such column.
    """
    misfits = {column: _first_misfit(column, records) for column in columns}
    TABLE_WRITERS[suffix](path, [column if one is None else _text(column) for column, one in misfits.items()], records)
    return [_told(column, one) for column, one in misfits.items() if one is not None]


def _told(column: Column, record: Mapping[str, Any]) -> str:
    """The warning about a column that became text. record: the first one with a value that the column could not
    hold.
    """
    written = _text(column).cell(record)
    shown = written if len(written) <= MAX_SHOWN_DIGITS else f"{written[:MAX_SHOWN_DIGITS]}..."
    if column.kind not in ("integer", "number") or written[0] not in "-0123456789":
        return f"the column {column.name!r} is JSON text: {record['source']} has {shown} there, of another kind"
    what = "integer of 64 bits" if column.kind == "integer" else "float"
    return (
        f"the column {column.name!r} is text, not numbers: no {what} is exactly {shown}, which {record['source']} has"
    )


def _text(column: Column) -> Column:
    """The column, with JSON text as its type."""
    return replace(column, kind="json")


def _first_misfit(column: Column, records: Records) -> Mapping[str, Any] | None:
    """The first record with a value that the column can't hold; None if there is none."""
    for record in records if column.kind != "json" else ():
        try:
            column.cell(record)
        except InvalidInputError:
            return record
    return None


def check_columns(path: Path, suffix: str, columns: Sequence[Column]) -> None:
    """Raise InvalidInputError, before there are records, for columns that `write_table` could not write."""
    if suffix == ".parquet":
        require("pyarrow.parquet", f"writing {path}")
    if TABLE_WRITERS[suffix] is not _write_sqlite:
        return
    seen: dict[str, str] = {}
    for column in columns:
        other = seen.setdefault(column.name.casefold(), column.name)
        if other != column.name:
            raise InvalidInputError(f"{path}: SQLite takes {other!r} and {column.name!r} for one column; write .csv")
        if not column.name or "\0" in column.name:
            raise InvalidInputError(f"{path}: SQLite takes no column of the name {column.name!r}; write .csv")


def _write_csv(path: Path, columns: Sequence[Column], records: Records) -> None:
    """Write CSV by RFC 4180, in UTF-8. An empty cell means null or an empty text."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([column.name for column in columns])
        for record in records:
            writer.writerow([_csv_cell(column.cell(record)) for column in columns])


def _csv_cell(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _write_parquet(path: Path, columns: Sequence[Column], records: Records) -> None:
    arrow, parquet = require("pyarrow", f"writing {path}"), require("pyarrow.parquet", f"writing {path}")
    types = {"integer": arrow.int64(), "number": arrow.float64(), "boolean": arrow.bool_()}
    schema = arrow.schema([(column.name, types.get(column.kind, arrow.string())) for column in columns])
    with parquet.ParquetWriter(path, schema) as writer:
        for rows in _batches(records):
            cells = [[column.cell(record) for record in rows] for column in columns]
            arrays = [arrow.array(one, field.type) for one, field in zip(cells, schema, strict=True)]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def _write_sqlite(path: Path, columns: Sequence[Column], records: Records) -> None:
    path.unlink(missing_ok=True)
    names = ", ".join(f"{_quoted(column.name)} {_SQLITE_TYPES[column.kind]}" for column in columns)
    places = ", ".join("?" * len(columns))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"CREATE TABLE {SQLITE_TABLE} ({names})")
        rows = ([column.cell(record) for column in columns] for record in records)
        database.executemany(f"INSERT INTO {SQLITE_TABLE} VALUES ({places})", rows)


def _quoted(name: str) -> str:
    """A quoted name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _batches(records: Records) -> Iterator[list[Mapping[str, Any]]]:
    remaining = iter(records)
    while rows := list(islice(remaining, _BATCH_ROWS)):
        yield rows


TABLE_WRITERS: dict[str, Callable[[Path, Sequence[Column], Records], None]] = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".db": _write_sqlite,
    ".sqlite": _write_sqlite,
    ".sqlite3": _write_sqlite,
}
