"""Results as table rows: a column for each field of the schema, and columns about the extraction itself.

Scalars keep their types. Nested values, and values of several types, are JSON text. The columns are the same for every
kind of table and do not depend on the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from guided.grammars.errors import InvalidInputError

from ..schemas.exact_json import write_json
from ..schemas.python_types import to_json_schema
from ..schemas.shape import ValueShape

WHOLE = "data"  # the key for a document that is no object
CellKind = Literal["text", "integer", "number", "boolean", "json"]
_SCALARS: dict[frozenset[str], CellKind] = {
    frozenset({"string"}): "text",
    frozenset({"integer"}): "integer",
    frozenset({"number"}): "number",
    frozenset({"integer", "number"}): "number",
    frozenset({"boolean"}): "boolean",
}
# JSON counts 3.0 as an integer
_TYPES: dict[CellKind, Any] = {"text": str, "integer": int | float, "number": int | float, "boolean": bool}
DETAILS = ("confidence", "places", "conflicts")  # names of columns that a table has if its records have such entries
SHORTENED: tuple[str, CellKind] = ("shortened", "boolean")  # a document that had to end early and may be incomplete
INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class Column:
    """A column of a table; cells may be empty (None).

    name: name of the column.
    kind: type of its cells.
    field: key of its value in the record; with `is_data`, key in the record's data.
    is_data: the value is in the record's data.
    named: for the column of whole documents: the members that have columns of their own.
    """

    name: str
    kind: CellKind
    field: str
    is_data: bool = False
    named: frozenset[str] = frozenset()

    def cell(self, record: Mapping[str, Any]) -> Any:
        """The cell for a record.

        Raises InvalidInputError for a number that the column can't hold exactly (an integer beyond 64 bits, or an
        integer that is no float). Also for a value of another type.
        """
        value = self._value(record)
        if value is None:
            return None
        if self.kind == "json":
            return write_json(value)
        if not isinstance(value, _TYPES[self.kind]) or isinstance(value, bool) != (self.kind == "boolean"):
            what = f"is of kind {self.kind}, and can't hold {write_json(value):.80}"
            raise InvalidInputError(f"the column {self.name!r} {what}")
        if self.kind in ("text", "boolean"):
            return value
        number = _exact(int if self.kind == "integer" else float, value)
        if number is None or (self.kind == "integer" and number not in INT64):
            raise InvalidInputError(f"the column {self.name!r} can't hold {value} exactly")
        return number

    def _value(self, record: Mapping[str, Any]) -> Any:
        if not self.is_data:
            return record.get(self.field)
        data = record["data"]
        if self.field == WHOLE:
            return None if isinstance(data, dict) and data.keys() <= self.named else data
        return data.get(self.field) if isinstance(data, dict) else None


def field_columns(schema_types: Iterable[Any]) -> list[Column]:
    """A column for each field of the types or JSON Schemas. Documents that are no objects, or that have other members,
    share one more column.
    """
    shapes = [ValueShape.of(to_json_schema(one)) for one in schema_types]
    names = dict.fromkeys(key for shape in shapes for key in shape.keys)
    members = {name: [shape.member(name) for shape in shapes if name in shape.keys] for name in names}
    others = [shape for shape in shapes if not shape.keys or shape.kinds - {"object", "null"} or shape.is_open]
    if others:
        members[WHOLE] = others
    kinds = {name: "json" if name == WHOLE and names else _kind(some) for name, some in members.items()}
    return [
        Column(name, kind, name, True, frozenset(names) if name == WHOLE else frozenset())
        for name, kind in kinds.items()
    ]


def result_columns(schema_types: Iterable[Any], details: Iterable[str] = ()) -> list[Column]:
    """The columns of `guided extract`'s tables: the text's name, the fields, the outcome, and the requested details."""
    fields = field_columns(schema_types)
    taken = {column.name.casefold() for column in fields}
    told: list[tuple[str, CellKind]] = [("source", "text"), ("valid", "boolean"), ("error", "text"), SHORTENED]
    told += [(name, "json") for name in DETAILS if name in details]
    source, *others = [Column(_free(name, taken), kind, name) for name, kind in told]
    return [source, *fields, *others]


def _exact(kind: type[int] | type[float], number: float) -> float | None:
    """The number converted to `kind`; None if the conversion fails or changes the value."""
    try:
        found = kind(number)
    except (OverflowError, ValueError):  # an integer beyond all floats; a float that is infinite or NaN
        return None
    return found if found == number else None


def _kind(shapes: list[ValueShape]) -> CellKind:
    kinds = [shape.kinds - {"null"} for shape in shapes]
    if not kinds or not all(kinds):  # any type is possible
        return "json"
    return _SCALARS.get(frozenset().union(*kinds), "json")


def _free(name: str, taken: set[str]) -> str:
    """The name, with underscores before it if a field has the same name in upper or lower case. taken: case-folded
    names of the fields.
    """
    while name.casefold() in taken:
        name = f"_{name}"
    return name
