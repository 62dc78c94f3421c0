"""Data frames: the texts of a column, and new columns for what was found in them; pandas, Polars or PyArrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from guided.grammars.errors import InvalidInputError

from .columns import Column, field_columns
from .extras import require

FrameT = TypeVar("FrameT")

_DTYPES = {"integer": "Int64", "number": "Float64", "boolean": "Boolean", "text": "String", "json": "String"}
_PANDAS_DTYPES = {"integer": "Int64", "number": "Float64", "boolean": "boolean", "text": "string", "json": "string"}


class FrameTexts(Generic[FrameT]):
    """frame: a frame that holds its rows (not a lazy one). column: of the texts; a missing one is None.

    Raises InvalidInputError for what is no such frame, and for a column that is not there.
    """

    def __init__(self, frame: FrameT, column: str) -> None:
        self._narwhals = require("narwhals", "a frame")
        try:
            self._frame = self._narwhals.from_native(frame, eager_only=True)
        except TypeError:
            kinds = "a pandas or Polars frame or a PyArrow table"
            raise InvalidInputError(f"the frame must be {kinds} with its rows, not {type(frame).__name__}") from None
        if column not in self._frame.columns:
            has = ", ".join(map(repr, self._frame.columns)) or "none"
            raise InvalidInputError(f"the frame has no column {column!r}; it has {has}")
        values, missing = self._frame[column].to_list(), self._frame[column].is_null().to_list()
        self.texts: list[Any] = [None if is_none else value for value, is_none in zip(values, missing, strict=True)]

    def check_new(self, columns: Sequence[Column]) -> None:
        """Raises InvalidInputError for columns that are there already."""
        taken = [column.name for column in columns if column.name in self._frame.columns]
        if taken:
            raise InvalidInputError(
                f"the frame has {', '.join(map(repr, taken))} already; give a prefix for new columns"
            )

    def with_columns(self, columns: Sequence[Column], records: Sequence[Mapping[str, Any]]) -> FrameT:
        """The frame with new columns, a record for each row."""
        series = [self._series(column, [column.cell(record) for record in records]) for column in columns]
        result: FrameT = self._frame.with_columns(*series).to_native()
        return result

    def _series(self, column: Column, cells: list[Any]) -> Any:
        if self._frame.implementation.is_pandas():  # whose usual integers and booleans can't be missing
            pandas = self._frame.implementation.to_native_namespace()
            native = pandas.Series(cells, self._frame.to_native().index, _PANDAS_DTYPES[column.kind], column.name)
            return self._narwhals.from_native(native, series_only=True)
        dtype = getattr(self._narwhals, _DTYPES[column.kind])
        return self._narwhals.new_series(column.name, cells, dtype, backend=self._frame.implementation)


def new_columns(schema_type: Any, prefix: str, *, has_confidence: bool) -> list[Column]:
    """Those for the fields of a type, and `error`."""
    columns = [*field_columns([schema_type]), Column("error", "text", "error")]
    if has_confidence:
        columns.append(Column("confidence", "json", "confidence"))
    named = [replace(column, name=prefix + column.name) for column in columns]
    names = [column.name for column in named]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInputError(f"the type has a field {twice[0]!r}, which is what the column of errors is called")
    return named
