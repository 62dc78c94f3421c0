"""Files with a text in each row: JSON lines, CSV, Parquet. A row that can't be read gives an error, and the others go
on.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.extras import require

ROW_SUFFIXES = (".jsonl", ".csv", ".tsv", ".parquet")
_DELIMITERS = (",", ";", "\t")
_TAB_FIRST = ("\t", ",", ";")


@dataclass(frozen=True)
class Row:
    """A row of a file. place: FILE:LINE, or FILE:ROW in a table, where rows are counted from 1 without the header.
    problem: the error if the row could not be read.
    """

    place: str
    values: Mapping[str, Any]
    problem: InvalidInputError | None = None


def read_rows(path: str, text_field: str, id_field: str | None) -> Iterator[Row]:
    """The rows of a file. The file's suffix, in upper or lower case, tells the format.

    text_field, id_field: fields that are needed; a table must have such columns.
    Raises InvalidInputError for a file that can't be read, and at the end for a file without rows.
    """
    is_parquet = path.lower().endswith(".parquet")
    has_rows = False
    for row in (_parquet_rows if is_parquet else _text_rows)(path, text_field, id_field):
        has_rows = True
        yield row
    if not has_rows:
        raise InvalidInputError(f"{path} has a header and no rows; there is nothing to extract from")


def _text_rows(path: str, text_field: str, id_field: str | None) -> Iterator[Row]:
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise InvalidInputError(f"can't read text file {path!r}: {error.strerror}") from None
    if not content.strip():
        raise InvalidInputError(f"{path} holds no lines; there is nothing to extract from")
    if path.lower().endswith(".jsonl"):
        yield from _json_rows(content, path)
    else:
        yield from _csv_rows(decode(content, path), path, text_field, id_field)


def decode(content: bytes, name: str) -> str:
    """Decode UTF-8, with or without a byte order mark. name: for errors. Raises InvalidInputError for other bytes."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{name} is not UTF-8 text (byte {error.start}); convert it first") from None


def _json_rows(content: bytes, path: str) -> Iterator[Row]:
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            place = f"{path}:{number}"
            try:
                yield Row(place, _json_object(decode(line, place), place))
            except InvalidInputError as error:
                yield Row(place, {}, error)


def _json_object(line: str, place: str) -> dict[str, Any]:
    try:
        found = json.loads(line, object_pairs_hook=partial(_unique_keys, place))
    except InvalidInputError:  # InvalidInputError is also a ValueError
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{place} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise InvalidInputError(f"{place} is no JSON object with fields")
    return found


def _unique_keys(place: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises InvalidInputError for a repeated key, since the intended value is unknown."""
    found = dict(pairs)
    if len(found) < len(pairs):
        repeated = next(key for key, num in Counter(key for key, _ in pairs).items() if num > 1)
        raise InvalidInputError(f"{place} has the key {repeated!r} more than once in one object; give each key once")
    return found


def _csv_rows(text: str, path: str, text_field: str, id_field: str | None) -> Iterator[Row]:
    csv.field_size_limit(sys.maxsize)  # the limit is 131,072 characters otherwise; it applies to the whole process
    delimiter, header = _csv_header(text, path, text_field)
    _check_columns(path, header, text_field, id_field)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    next(reader)  # skips the header
    number = 0
    try:
        for cells in reader:
            if not cells:  # an empty line
                continue
            number += 1
            yield _csv_row(f"{path}:{number}", header, cells)
    except csv.Error as error:
        raise InvalidInputError(f"{path} is no CSV file: {error} in line {reader.line_num}") from None


def _csv_header(text: str, path: str, text_field: str) -> tuple[str, list[str]]:
    """The delimiter and the header: the first delimiter whose header contains the field, else the one with the most
    columns.

    A delimiter that makes the header unreadable is skipped. Raises InvalidInputError if no delimiter remains.
    """
    found: list[tuple[str, list[str]]] = []
    problems = []
    for delimiter in _TAB_FIRST if path.lower().endswith(".tsv") else _DELIMITERS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            found.append((delimiter, next(reader, [])))
        except csv.Error as error:
            problems.append(f"{error} in line {reader.line_num}")
    if not found:
        raise InvalidInputError(f"{path} is no CSV file: {problems[0]}")
    widest = max(found, key=lambda one: len(one[1]))
    return next((one for one in found if text_field in one[1]), widest)


def _csv_row(place: str, header: list[str], cells: list[str]) -> Row:
    if len(cells) == len(header):
        return Row(place, dict(zip(header, cells, strict=True)))
    return Row(place, {}, InvalidInputError(f"{place} has {len(cells)} cells, and the header {len(header)} columns"))


def _parquet_rows(path: str, text_field: str, id_field: str | None) -> Iterator[Row]:
    parquet = require("pyarrow.parquet", f"reading {path}")
    try:
        file = parquet.ParquetFile(path)
    except (OSError, ValueError) as error:  # pyarrow's own errors are ValueErrors
        raise InvalidInputError(f"can't read {path} as Parquet: {error}") from None
    with file:
        _check_columns(path, file.schema_arrow.names, text_field, id_field)
        columns = [text_field] if id_field is None else [text_field, id_field]
        number = 0
        for batch in file.iter_batches(columns=columns):
            for values in batch.to_pylist():
                number += 1
                yield Row(f"{path}:{number}", values)


def _check_columns(path: str, names: list[str], text_field: str, id_field: str | None) -> None:
    for name in (text_field,) if id_field is None else (text_field, id_field):
        if names.count(name) != 1:
            what = "no column" if name not in names else "more than one column"
            has = ", ".join(map(repr, names)) or "none"
            raise InvalidInputError(f"{path} has {what} {name!r}; it has {has}")
