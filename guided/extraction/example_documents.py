"""`ExampleWriter`: writes an instance of a type as the JSON document that the type would read it from.

Pydantic writes instances for output: with names for writing (`serialization_alias`), with computed fields, and without
excluded fields (`Field(exclude=True)`). Here each field is written where the type reads it.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, RootModel, TypeAdapter
from pydantic_core import SchemaSerializer, core_schema

from ..schemas.field_places import Path, alias_path

_LISTS = (list, tuple, set, frozenset, deque)


@dataclass(frozen=True)
class _Field:
    """A field of a class. key: its name when written. path: where it is read. excluded: its serializer if Pydantic
    excludes it, else None.
    """

    key: str
    path: Path
    excluded: SchemaSerializer | None


class ExampleWriter:
    """Writes instances of one type."""

    def __init__(self, adapter: TypeAdapter[Any]) -> None:
        self._adapter = adapter
        self._fields: dict[type, dict[str, _Field] | None] = {}

    def document(self, value: Any) -> Any:
        """The document of an instance. Raises PydanticSerializationError, ValueError or TypeError if `value` is no
        instance.
        """
        return self._read_form(value, self._adapter.dump_python(value, mode="json", by_alias=True, warnings="error"))

    def _read_form(self, value: Any, written: Any) -> Any:
        """Rewrite a value to the form that is read. written: the value as Pydantic writes it. Scalars stay as they
        are.
        """
        if isinstance(value, RootModel):
            return self._read_form(value.root, written)
        if isinstance(value, _LISTS) and isinstance(written, list) and len(value) == len(written):
            return [self._read_form(one, other) for one, other in zip(value, written, strict=True)]
        if not isinstance(written, dict):
            return written
        if isinstance(value, dict) and len(value) == len(written):
            pairs = zip(value.values(), written.items(), strict=True)
            return {key: self._read_form(one, other) for one, (key, other) in pairs}
        fields = self._fields_of(type(value))
        return written if fields is None else self._record(value, written, fields)

    def _record(self, value: Any, written: Mapping[str, Any], fields: Mapping[str, _Field]) -> dict[str, Any]:
        document: dict[str, Any] = {}
        for name, field in fields.items():
            if not hasattr(value, name):
                continue
            if field.key in written:
                _put(document, field.path, self._read_form(getattr(value, name), written[field.key]))
            elif field.excluded is not None:
                inside = getattr(value, name)
                plain = field.excluded.to_python(inside, mode="json", by_alias=True, warnings="error")
                _put(document, field.path, self._read_form(inside, plain))
        extra = value.model_extra if isinstance(value, BaseModel) else None
        for key, one in (extra or {}).items():
            if key in written:
                document[key] = self._read_form(one, written[key])
        return document

    def _fields_of(self, kind: type) -> dict[str, _Field] | None:
        """A class's fields by name; None if the class is no record or has a serializer of its own."""
        if kind not in self._fields:
            is_record = issubclass(kind, BaseModel) or dataclasses.is_dataclass(kind)
            self._fields[kind] = _record_fields(TypeAdapter(kind).core_schema) if is_record else None
        return self._fields[kind]


def _record_fields(schema: Any) -> dict[str, _Field] | None:
    definitions: list[Any] = []
    config: Any = None
    while schema["type"] not in ("model-fields", "dataclass-args"):
        if "serialization" in schema:
            return None
        if schema["type"] == "definitions":
            definitions = schema["definitions"]
        if schema["type"] in ("model", "dataclass"):
            config = schema.get("config")
        if schema["type"] == "definition-ref":
            schema = next(one for one in definitions if one.get("ref") == schema["schema_ref"])
        elif "schema" in schema:
            schema = schema["schema"]
        else:
            return None
    fields: Iterable[tuple[str, Any]] = (
        schema["fields"].items()
        if schema["type"] == "model-fields"
        else [(field["name"], field) for field in schema["fields"]]
    )
    return {name: _field(name, field, definitions, config) for name, field in fields if field.get("init") is not False}


def _field(name: str, field: Any, definitions: list[Any], config: Any) -> _Field:
    is_excluded = field.get("serialization_exclude") or field.get("serialization_exclude_if") is not None
    inside = core_schema.definitions_schema(field["schema"], definitions) if definitions else field["schema"]
    excluded = SchemaSerializer(inside, config) if is_excluded else None
    return _Field(field.get("serialization_alias", name), alias_path(field) or (name,), excluded)


def _put(document: Any, path: Path, value: Any) -> None:
    """Put a value at a path of the document, in place. Skipped items of a list become null."""
    first, *rest = path
    if isinstance(document, list) and isinstance(first, int):
        document.extend([None] * (first + 1 - len(document)))
        inside = document[first]
    else:
        inside = document.get(first)
    if not rest:
        document[first] = value
        return
    if inside is None:
        inside = document[first] = [] if isinstance(rest[0], int) else {}
    _put(inside, tuple(rest), value)
