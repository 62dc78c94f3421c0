"""A typed object with what is there so far, while its document is still being written.

`PartialBuilder` makes an instance of the type itself, without its checks: of a Pydantic model, also one with a root, a
dataclass or a TypedDict, and within lists and maps. Members that are done are what the type makes of them; a string,
list or object that is being written is as far as it goes; a field that has not begun is None (a TypedDict lacks it).
Numbers are there once they are done. Where it can't be told which type a value will have (a union of several), and
where the type, or its own code, refuses what is there, it is plain data: the extraction says why in the end.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping, MutableMapping, Set
from typing import Annotated, Any, Union

import typing_extensions
from pydantic import BaseModel, RootModel, TypeAdapter

from guided.grammars.json_paths import escape

from ..schemas.python_types import type_adapter

_LISTS = (list, set, frozenset, tuple)
_MAPS = (dict, Mapping, MutableMapping)


class PartialBuilder:
    """Makes partial instances of one type. annotation: None for a JSON Schema, whose documents are plain data."""

    def __init__(self, annotation: Any | None) -> None:
        self._annotation = annotation
        self._adapters: dict[int, tuple[Any, TypeAdapter[Any]]] = {}  # by the annotation, which is kept alive
        self._fields: dict[Any, dict[str, tuple[str, Any]]] = {}  # by the type; asked again, it has new annotations

    def build(self, data: Any, unfinished: Set[str]) -> Any:
        """The object so far. unfinished: the JSON pointers of what is still being written."""
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
        fields = self._fields.get(kind)
        if fields is None:
            fields = self._fields[kind] = _fields(kind)
        found = {
            name: self._build(inner, data[key], f"{pointer}/{escape(key)}", unfinished)
            for name, (key, inner) in fields.items()
            if key in data
        }
        return _instance(kind, {**dict.fromkeys(fields), **found}, found)

    def _finished(self, annotation: Any, data: Any) -> Any:
        kept = self._adapters.get(id(annotation))
        if kept is None:
            kept = self._adapters[id(annotation)] = (annotation, type_adapter(annotation))
        try:
            return kept[1].validate_json(json.dumps(data))
        except Exception:  # noqa: BLE001 - the type's own code can raise anything
            return data


def _kind_for(annotation: Any, data: Any) -> Any:
    """The one type of an annotation that data of this kind will be; None where there are none or several."""
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
    """Of a list with one kind of items."""
    arguments = [one for one in typing.get_args(kind) if one is not Ellipsis]
    return arguments[0] if len(arguments) == 1 else None


def _fields(kind: Any) -> dict[str, tuple[str, Any]]:
    """Each field's name -> its key in documents, its annotation."""
    if issubclass(kind, BaseModel):
        found = {}
        for name, field in kind.model_fields.items():
            alias = field.validation_alias if field.validation_alias is not None else name
            annotation = field.annotation
            if isinstance(alias, str):
                found[name] = (alias, Annotated[(annotation, *field.metadata)] if field.metadata else annotation)
        return found
    return {name: (name, hint) for name, hint in _hints(kind).items()}


def _hints(kind: Any) -> dict[str, Any]:
    """The annotations, without what says of a TypedDict's member whether it must be there."""
    return {name: _bare(hint) for name, hint in typing.get_type_hints(kind, include_extras=True).items()}


def _bare(hint: Any) -> Any:
    is_marked = typing.get_origin(hint) in (typing.Required, typing.NotRequired, typing_extensions.ReadOnly)
    return _bare(typing.get_args(hint)[0]) if is_marked else hint


def _instance(kind: Any, values: dict[str, Any], found: dict[str, Any]) -> Any:
    """values: of all fields. found: of those that have begun."""
    if _is_typed_dict(kind):
        return found
    if issubclass(kind, BaseModel):
        return kind.model_construct(_fields_set=set(found), **values)
    made = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made
