"""Typed objects made of an unfinished document.

`PartialBuilder` makes an instance of the type without its checks. Supported types are Pydantic models, dataclasses,
TypedDicts and lists of them.

- A finished member is the value that the type makes of it. Numbers appear when they are finished.
- A string, list or object that is being written has its content so far.
- A field that has not begun is None; a TypedDict lacks it.
- A value is plain data in three cases: the type is not known yet (a union of several); the type is not supported (a
  map, a root model, fields with an `AliasPath` or without `init`); the type's code refuses the partial value. In the
  last case, the finished extraction gives the reason.

Pydantic's own partial validation (`experimental_allow_partial`) does not fit. It refuses a model without a required
field, and reads the 12 of `{"age": 12` as the whole number.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping, Set
from typing import Annotated, Any, Union

import typing_extensions
from pydantic import BaseModel, RootModel, TypeAdapter
from pydantic.fields import FieldInfo

from guided.grammars.json_paths import escape

from ..schemas.decimal_places import DecimalPlaces
from ..schemas.python_types import type_adapter

_LISTS = (list, set, frozenset, tuple)
_Fields = Mapping[str, tuple[str, Any]]  # key in documents -> the field's name and annotation


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
        if isinstance(data, list):
            item = _item_type(kind)
            if item is None:
                return data
            return [self._build(item, one, f"{pointer}/{i}", unfinished) for i, one in enumerate(data)]
        if not isinstance(data, dict) or kind is None:
            return data
        if kind not in self._fields:
            self._fields[kind] = _fields(kind)
        fields = self._fields[kind]
        if fields is None:
            return data
        begun = {
            key: self._build(inner, data[key], f"{pointer}/{escape(key)}", unfinished)
            for key, (_, inner) in fields.items()
            if key in data
        }
        try:
            return _instance(kind, fields, begun)
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


def _kind_for(annotation: Any, data: Any) -> Any:
    """The one type in an annotation that data of this kind becomes; None: there is none, or there are several."""
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return _kind_for(typing.get_args(annotation)[0], data)
    if origin in (Union, types.UnionType):
        found = [kind for one in typing.get_args(annotation) if (kind := _kind_for(one, data)) is not None]
        return found[0] if len(found) == 1 else None
    if isinstance(data, list):
        return annotation if (origin or annotation) in _LISTS else None
    is_map = (origin or annotation) in (dict, Mapping)  # a map is an alternative to a record
    return annotation if isinstance(data, dict) and (is_map or _is_record(annotation)) else None


def _is_record(kind: Any) -> bool:
    if not isinstance(kind, type):
        return False
    return issubclass(kind, BaseModel) or dataclasses.is_dataclass(kind) or typing_extensions.is_typeddict(kind)


def _item_type(kind: Any) -> Any:
    """The type of a list's items; None: not known."""
    arguments = [one for one in typing.get_args(kind) if one is not Ellipsis]
    return arguments[0] if len(arguments) == 1 else None


def _fields(kind: Any) -> _Fields | None:
    """The fields of a type; None for a type that this module leaves as plain data."""
    if not _is_record(kind) or issubclass(kind, RootModel):
        return None
    type_adapter(kind).json_schema()  # completes a class with `defer_build`
    made = getattr(kind, "__get_pydantic_core_schema__", None)
    if made is not None and getattr(made, "__func__", None) is not BaseModel.__get_pydantic_core_schema__.__func__:  # type: ignore[attr-defined]
        return None  # the type has code of its own that reads values
    is_by_alias = getattr(kind, "model_config", {}).get("validate_by_alias", True) is not False
    found: dict[str, tuple[str, Any]] = {}
    for name, field in _declared(kind).items():
        alias = field.validation_alias if is_by_alias else None
        if not isinstance(alias, str | None) or field.init is False:
            return None
        annotation = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
        found[alias or name] = (name, annotation)
    return found


def _declared(kind: Any) -> Mapping[str, FieldInfo]:
    """The declaration of each field."""
    if issubclass(kind, BaseModel):
        declared: Mapping[str, FieldInfo] = kind.model_fields
        return declared
    hints = {name: _bare(hint) for name, hint in typing.get_type_hints(kind, include_extras=True).items()}
    names = [one.name for one in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else list(hints)
    found = {name: FieldInfo.from_annotation(hints[name]) for name in names}
    if dataclasses.is_dataclass(kind):
        for one in dataclasses.fields(kind):
            found[one.name].init = one.init
    return found | getattr(kind, "__pydantic_fields__", {})


def _bare(hint: Any) -> Any:
    """An annotation without a TypedDict's marks for required and optional members."""
    is_marked = typing.get_origin(hint) in (typing.Required, typing.NotRequired, typing_extensions.ReadOnly)
    return _bare(typing.get_args(hint)[0]) if is_marked else hint


def _instance(kind: Any, fields: _Fields, begun: dict[str, Any]) -> Any:
    """An instance with these fields, by their keys. Raises what the type's code raises."""
    if typing_extensions.is_typeddict(kind):
        return {fields[key][0]: value for key, value in begun.items()}
    values = {**dict.fromkeys(fields), **begun}
    if issubclass(kind, BaseModel):  # `model_construct` looks for a document's keys first, then for the fields' names
        return kind.model_construct(_fields_set={fields[key][0] for key in begun}, **values)
    made = object.__new__(kind)
    for key, value in values.items():
        object.__setattr__(made, fields[key][0], value)
    return made
