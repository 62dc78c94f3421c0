"""Typed objects made of an unfinished document.

`PartialBuilder` makes an instance of the type without its checks. It supports Pydantic models (also with a root),
dataclasses and TypedDicts, also inside lists and maps.

- A finished member is the value that the type makes of it. Numbers appear when they are finished.
- A string, list or object that is being written has its content so far.
- A field that has not begun is None; a TypedDict lacks it. A field that no document has (`field(init=False)`) has its
  default.
- The value is plain data if its type is not known yet (a union of several), or if the type or its code refuses the
  partial value. The finished extraction gives the reason.

Pydantic's own partial validation (`experimental_allow_partial`) does not fit: it refuses a model without a required
field, and reads the 12 of `{"age": 12` as the whole number.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Iterable, Mapping, MutableMapping, Sequence, Set
from typing import Annotated, Any, Union

import typing_extensions
from pydantic import BaseModel, RootModel, TypeAdapter
from pydantic.fields import FieldInfo

from guided.grammars.json_paths import escape

from ..schemas.core_fields import CoreField, core_fields
from ..schemas.decimal_places import DecimalPlaces
from ..schemas.field_places import Path
from ..schemas.python_types import type_adapter

_LISTS = (list, set, frozenset, tuple)
_MAPS = (dict, Mapping, MutableMapping)


class PartialBuilder:
    """Makes partial instances of one type.

    annotation: the type; None: a JSON Schema, whose documents are plain data.
    has_decimals: True if the type contains a `Decimal`. Numbers in documents must then be `WrittenFloat`s.
    """

    def __init__(self, annotation: Any | None, *, has_decimals: bool = False) -> None:
        self._annotation = annotation
        self._has_decimals = has_decimals
        self._readers: dict[int, _Reader] = {}  # by the annotation's id; the reader keeps the annotation alive
        self._fields: dict[Any, _Fields | None] = {}  # by type, since a type makes new annotations each time

    def build(self, data: Any, unfinished: Set[str]) -> Any:
        """The object so far. unfinished: JSON pointers of the values that are being written."""
        return data if self._annotation is None else self._build(self._annotation, data, "", unfinished)

    def _build(self, annotation: Any, data: Any, pointer: str, unfinished: Set[str]) -> Any:
        if pointer not in unfinished:
            return self._finished(annotation, data)
        kind = _kind_for(annotation, data)
        if _is_root_model(kind):
            inner = self._build(_root_type(kind), data, pointer, unfinished)
            return kind.model_construct(_fields_set={"root"}, root=inner)
        if isinstance(data, list):
            item = _item_type(kind)
            if item is None:
                return data
            return [self._build(item, one, f"{pointer}/{i}", unfinished) for i, one in enumerate(data)]
        if not isinstance(data, dict) or kind is None:
            return data
        if not _is_record(kind):
            member = typing.get_args(kind)[1]
            return {key: self._build(member, one, f"{pointer}/{escape(key)}", unfinished) for key, one in data.items()}
        if kind not in self._fields:
            self._fields[kind] = _fields(kind)
        fields = self._fields[kind]
        if fields is None:
            return data
        found: dict[str, Any] = {}
        for name, (path, inner) in fields.read.items():
            begun = _values_at(data, path)
            if begun:
                place = pointer + "".join([f"/{escape(str(one))}" for one in path])
                found[name] = self._build(inner, begun[0], place, unfinished)
        try:
            return _instance(kind, fields, found)
        except Exception:  # noqa: BLE001 - the type's own code can raise anything
            return data

    def _finished(self, annotation: Any, data: Any) -> Any:
        reader = self._readers.get(id(annotation))
        if reader is None:
            reader = self._readers[id(annotation)] = _Reader(annotation, has_decimals=self._has_decimals)
        try:
            return reader.read(data)
        except Exception:  # noqa: BLE001 - the type's own code can raise anything
            return data


class _Reader:
    """Converts finished data to values of one annotation."""

    def __init__(self, annotation: Any, *, has_decimals: bool) -> None:
        self.annotation = annotation
        self._adapter: TypeAdapter[Any] = type_adapter(annotation)
        self._decimals = DecimalPlaces(self._adapter) if has_decimals else None

    def read(self, data: Any) -> Any:
        """The converted value. Raises whatever the type raises."""
        return self._adapter.validate_json(json.dumps(data) if self._decimals is None else self._decimals.text(data))


@dataclasses.dataclass(frozen=True)
class _Fields:
    """The fields of a model, a dataclass or a TypedDict.

    read: by name, the field's path in the document's object and its annotation.
    unread: names of the fields that no document has.
    """

    names: Sequence[str]
    read: Mapping[str, tuple[Path, Any]]
    unread: Mapping[str, CoreField]

    def alias(self, name: str) -> str:
        """The key of a field in documents; the field's name if it is read from a deeper place."""
        path, _ = self.read[name]
        return str(path[0]) if len(path) == 1 else name


def _kind_for(annotation: Any, data: Any) -> Any:
    """The one type in an annotation that data of this kind becomes; None: there is none, or there are several."""
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return _kind_for(typing.get_args(annotation)[0], data)
    if origin in (Union, types.UnionType):
        found = [kind for one in typing.get_args(annotation) if (kind := _kind_for(one, data)) is not None]
        return found[0] if len(found) == 1 else None
    if _is_root_model(annotation):
        return annotation if _kind_for(_root_type(annotation), data) is not None else None
    if isinstance(data, list):
        return annotation if (origin or annotation) in _LISTS else None
    is_object = _is_record(annotation) or (origin in _MAPS and typing.get_args(annotation)[:1] == (str,))
    return annotation if isinstance(data, dict) and is_object else None


def _is_root_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, RootModel)


def _root_type(kind: Any) -> Any:
    return kind.model_fields["root"].annotation


def _is_record(kind: Any) -> bool:
    if not isinstance(kind, type):
        return False
    return issubclass(kind, BaseModel) or dataclasses.is_dataclass(kind) or _is_typed_dict(kind)


def _is_typed_dict(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, dict) and hasattr(kind, "__total__")


def _item_type(kind: Any) -> Any:
    """The type of a list's items; None: not known."""
    arguments = [one for one in typing.get_args(kind) if one is not Ellipsis]
    return arguments[0] if len(arguments) == 1 else None


def _fields(kind: Any) -> _Fields | None:
    """The fields of a type; None if the type's own code reads it."""
    fields = core_fields(type_adapter(kind))
    if fields is None:
        return None
    declared = _declared(kind, fields)
    names = [one.name for one in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else list(fields)
    read = {name: (one.path, _annotation(declared[name])) for name, one in fields.items() if one.path is not None}
    return _Fields(names, read, {name: one for name, one in fields.items() if one.path is None})


def _declared(kind: Any, names: Iterable[str]) -> Mapping[str, FieldInfo]:
    """The declaration of each field."""
    found: dict[str, FieldInfo]
    if issubclass(kind, BaseModel):
        found = kind.model_fields
    else:
        hints = _hints(kind)
        found = {name: FieldInfo.from_annotation(hints[name]) for name in names}
        found |= getattr(kind, "__pydantic_fields__", {})
    return found


def _annotation(field: FieldInfo) -> Any:
    """The annotation of a field's value, without the parts that say where the value stands."""
    return Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation


def _values_at(data: Any, path: Path) -> list[Any]:
    """The value at a path, once it has begun: one or none."""
    for one in path:
        is_item = isinstance(data, list) and isinstance(one, int) and one < len(data)
        if not is_item and not (isinstance(data, dict) and one in data):
            return []
        data = data[one]
    return [data]


def _hints(kind: Any) -> dict[str, Any]:
    """The annotations of a type, without a TypedDict's marks for required and optional members."""
    return {name: _bare(hint) for name, hint in typing.get_type_hints(kind, include_extras=True).items()}


def _bare(hint: Any) -> Any:
    is_marked = typing.get_origin(hint) in (typing.Required, typing.NotRequired, typing_extensions.ReadOnly)
    return _bare(typing.get_args(hint)[0]) if is_marked else hint


def _instance(kind: Any, fields: _Fields, found: dict[str, Any]) -> Any:
    """An instance with these fields. found: the fields that have begun. Raises what the type's code raises."""
    if _is_typed_dict(kind):
        return found
    unread = {name: one.default() for name, one in fields.unread.items()}
    values = {**dict.fromkeys(fields.names), **unread, **found}
    if issubclass(kind, BaseModel):
        by_alias = {fields.alias(name): value for name, value in values.items()}  # Pydantic looks for aliases first
        return kind.model_construct(_fields_set=set(found), **by_alias)
    made = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made
