"""Results as rows: a column for each field of the schema, beside those that say how it went.

Scalars stay what they are. What is nested, or of several types, is JSON text in its cell: the same in every kind of
table, whatever the data are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from guided.grammars.errors import InvalidInputError

from ..extraction.read_fields import WHOLE, ReadFields
from ..schemas.exact_json import write_json
from ..schemas.python_types import to_json_schema
from ..schemas.shape import Shape

Kind = Literal["text", "integer", "number", "boolean", "json"]
_SCALARS: dict[frozenset[str], Kind] = {
    frozenset({"string"}): "text",
    frozenset({"integer"}): "integer",
    frozenset({"number"}): "number",
    frozenset({"integer", "number"}): "number",
    frozenset({"boolean"}): "boolean",
}
# 3.0 is an integer in JSON
_TYPES: dict[Kind, Any] = {"text": str, "integer": int | float, "number": int | float, "boolean": bool}
DETAILS = ("confidence", "places", "conflicts")  # of records that have them
SHORTENED: tuple[str, Kind] = ("shortened", "boolean")  # a document that had to end early, and may lack things
INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class Column:
    """name: of the column. kind: of its cells, which may be empty (None). field: the key of its value in the record, or
    in its data where is_data; where is_read what was read from the quote that the data have there.

    named: of the column for whole documents, the members that have columns of their own.
    """

    name: str
    kind: Kind
    field: str
    is_data: bool = False
    is_read: bool = False
    named: frozenset[str] = frozenset()

    def cell(self, record: Mapping[str, Any]) -> Any:
        """The value of a record.

        Raises InvalidInputError for a number that the column can't hold exactly (an integer beyond 64 bits, or one that
        is no float), and for a value of another kind, such as a serializer may give.
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
        if self.is_read and "read" in record and (record["read"] is None or self.field in record["read"]):
            return None if record["read"] is None else record["read"][self.field]
        data = record["data"]
        if self.field == WHOLE:
            return None if isinstance(data, dict) and data.keys() <= self.named else data
        return data.get(self.field) if isinstance(data, dict) else None


def field_columns(schema_types: Iterable[Any]) -> list[Column]:
    """A column for each field of types or JSON Schemas; one for documents that are no objects or have other members.

    Where quotes are read as something else it has what was read, and the next one, NAME.quote, what the document has.
    Where one of a document's quotes can't be read nothing was read. What is read from a place below a field
    (`AliasPath`) has a column of its own.
    """
    types = list(schema_types)
    shapes = [Shape.of(to_json_schema(one)) for one in types]
    names = dict.fromkeys(key for shape in shapes for key in shape.keys)
    members = {name: [shape.member(name) for shape in shapes if name in shape.keys] for name in names}
    others = [shape for shape in shapes if not shape.keys or shape.kinds - {"object", "null"} or shape.is_open]
    if others:
        members[WHOLE] = others
    kinds = {name: "json" if name == WHOLE and names else _kind(some) for name, some in members.items()}
    read = _read_kinds(types, shapes)
    taken = {name.casefold() for name in kinds}
    columns = []
    for name, kind in kinds.items():
        named = frozenset(names) if name == WHOLE else frozenset()
        if name in read:
            columns.append(Column(name, "json" if name == WHOLE and names else read[name], name, True, True, named))
            columns.append(Column(_free(f"{name}.quote", taken), kind, name, True, named=named))
        else:
            columns.append(Column(name, kind, name, True, named=named))
    below = [name for name in read if name not in kinds]
    return columns + [Column(_free(name, taken), read[name], name, True, True) for name in below]


def _read_kinds(types: list[Any], shapes: list[Shape]) -> dict[str, Kind]:
    """The kinds of what is read from quotes, by the names of fields; together with those that are no quotes."""
    fields = [ReadFields(one) for one in types]
    names = dict.fromkeys(name for one in fields for name in one.shapes)
    found: dict[str, Kind] = {}
    for name in names:
        some = [one.shapes[name] for one in fields if name in one.shapes]
        some += [
            shape.member(name)
            for one, shape in zip(fields, shapes, strict=True)
            if name not in one.shapes and name in shape.keys
        ]
        found[name] = _kind(some)
    return found


def result_columns(schema_types: Iterable[Any], details: Iterable[str] = ()) -> list[Column]:
    """The columns of `guided extract`'s tables: the text's name, its fields, how it went, and details."""
    fields = field_columns(schema_types)
    taken = {column.name.casefold() for column in fields}
    told: list[tuple[str, Kind]] = [("source", "text"), ("valid", "boolean"), ("error", "text"), SHORTENED]
    told += [(name, "json") for name in DETAILS if name in details]
    source, *others = [Column(_free(name, taken), kind, name) for name, kind in told]
    return [source, *fields, *others]


def _exact(kind: type[int] | type[float], number: float) -> float | None:
    """The number as one of this type; None where it has another value there, or none."""
    try:
        found = kind(number)
    except (OverflowError, ValueError):  # an integer beyond all floats; a float that is infinite, or no number
        return None
    return found if found == number else None


def _kind(shapes: list[Shape]) -> Kind:
    kinds = [shape.kinds - {"null"} for shape in shapes]
    if not kinds or not all(kinds):  # it may be anything
        return "json"
    return _SCALARS.get(frozenset().union(*kinds), "json")


def _free(name: str, taken: set[str]) -> str:
    """The name, with underscores before it where a field has it, in any case. taken: the fields' names, case folded."""
    while name.casefold() in taken:
        name = f"_{name}"
    return name
