"""Data frames of pandas, Polars or PyArrow: reads a column of texts, and adds columns with the results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from guided.grammars.errors import InvalidInputError

from ..documents.extras import require
from .columns import SHORTENED, CellKind, Column, field_columns

FrameT = TypeVar("FrameT")

_DTYPES = {"integer": "Int64", "number": "Float64", "boolean": "Boolean", "text": "String", "json": "String"}
_PANDAS_DTYPES = {"integer": "Int64", "number": "Float64", "boolean": "boolean", "text": "string", "json": "string"}


class FrameTexts(Generic[FrameT]):
    """The texts in a column of a data frame.

    frame: a frame with its rows in memory (not a lazy frame).
    column: the column of texts; a missing value becomes None.
    Raises InvalidInputError for any other object, for duplicate columns, and for a missing column.
    """

    def __init__(self, frame: FrameT, column: str) -> None:
        if not isinstance(column, str):
            raise InvalidInputError(f"column must be a string, the name of the texts' column, not {column!r:.80}")
        self._narwhals = require("narwhals", "a frame")
        try:
            self._frame = self._narwhals.from_native(frame, eager_only=True)
        except TypeError:
            kinds = "a pandas or Polars frame or a PyArrow table"
            raise InvalidInputError(f"the frame must be {kinds} with its rows, not {type(frame).__name__}") from None
        except self._narwhals.exceptions.DuplicateError:
            raise InvalidInputError(
                f"the frame has more than one column {_shown(_repeated_names(frame))}; give each a name of its own"
            ) from None
        if column not in self._frame.columns:
            has = _shown(self._frame.columns) or "none"
            raise InvalidInputError(f"the frame has no column {column!r}; it has {has}")
        values, missing = self._frame[column].to_list(), self._frame[column].is_null().to_list()
        self.texts: list[Any] = [None if is_none else value for value, is_none in zip(values, missing, strict=True)]

    def check_new(self, columns: Sequence[Column]) -> None:
        """Raise InvalidInputError if a new column exists already."""
        taken = [column.name for column in columns if column.name in self._frame.columns]
        if taken:
            raise InvalidInputError(f"the frame has {_shown(taken)} already; give a prefix for new columns")

    def with_columns(self, columns: Sequence[Column], records: Sequence[Mapping[str, Any]]) -> FrameT:
        """The frame with new columns, from one record for each row.

        If a column can't hold a value, all new cells of that row are empty, except `error` and `shortened`.
        """
        rows = [_cells(columns, record) for record in records]
        series = [self._series(column, [row[place] for row in rows]) for place, column in enumerate(columns)]
        result: FrameT = self._frame.with_columns(*series).to_native()
        return result

    def _series(self, column: Column, cells: list[Any]) -> Any:
        if self._frame.implementation.is_pandas():  # pandas' default integers and booleans can't be missing
            pandas = self._frame.implementation.to_native_namespace()
            native = pandas.Series(cells, self._frame.to_native().index, _PANDAS_DTYPES[column.kind], column.name)
            return self._narwhals.from_native(native, series_only=True)
        dtype = getattr(self._narwhals, _DTYPES[column.kind])
        return self._narwhals.new_series(column.name, cells, dtype, backend=self._frame.implementation)


def new_columns(schema_type: Any, prefix: str, *, has_confidence: bool) -> list[Column]:
    """The columns for a type's fields, `error` and `shortened`; with `has_confidence` also `confidence`.

    Raises InvalidInputError for a prefix that is no string, and for a field with the name of one of the other columns.
    """
    if not isinstance(prefix, str):
        raise InvalidInputError(f"prefix must be a string, not {prefix!r:.80}")
    told: list[tuple[str, CellKind]] = [("error", "text"), SHORTENED]
    told += [("confidence", "json")] if has_confidence else []
    fields, others = field_columns([schema_type]), [Column(name, kind, name) for name, kind in told]
    taken = {column.name for column in fields}
    for name in (column.name for column in others if column.name in taken):
        what = "which is what a column beside the fields is called; give the field another name"
        raise InvalidInputError(f"the type has a field {name!r}, {what}")
    return [replace(column, name=prefix + column.name) for column in (*fields, *others)]


def _cells(columns: Sequence[Column], record: Mapping[str, Any]) -> list[Any]:
    try:
        return [column.cell(record) for column in columns]
    except InvalidInputError as error:
        reasons = [reason for reason in (record["error"], f"{error}; extract_each gives it") if reason is not None]
        empty = {"data": None, "error": "; ".join(reasons), "shortened": record.get("shortened")}
        return [column.cell(empty) for column in columns]


def _repeated_names(frame: Any) -> list[str]:
    # column_names: a PyArrow table; columns: a pandas frame
    names = list(getattr(frame, "column_names", frame.columns))
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]


def _shown(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))
