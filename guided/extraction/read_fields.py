"""`ReadFields`: the fields of a type whose quotes are read as something else (`Quote(as_=...)`), and their values."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from typing import Any

import typing_extensions
from pydantic_core import to_jsonable_python

from ..schemas.python_types import is_type, to_json_schema, type_adapter
from ..schemas.shape import Shape
from ..schemas.typed_dicts import readable
from .quote import READ_KEYWORD
from .quote_marks import has_quotes
from .schema_walk import reachable

WHOLE = "data"
"""The key of a document that is no object."""


class ReadFields:
    """Those of a type, or of each type of a union; a JSON Schema has none.

    shapes: by the document's key, of what is read there, or in it. A document that is no object has the key WHOLE.
    """

    def __init__(self, schema_type: Any) -> None:
        """Raises the errors of `to_json_schema`."""
        self.shapes: dict[str, Shape] = {}
        self._classes: list[_Class] = []
        if is_type(schema_type) and has_quotes(to_json_schema(schema_type)):
            self._classes = [_Class(one) for one in _members(readable(schema_type))]
        for one in self._classes:
            for key, shape in one.shapes.items():
                known = self.shapes.get(key)
                self.shapes[key] = shape if known is None else Shape((*known.facets, *shape.facets), known.root)

    def values(self, value: Any) -> dict[str, Any]:
        """What was read, by the document's keys, as JSON data; what JSON has no form for is its text.

        value: an instance of the type. Objects inside of a field have the names of their fields, not their aliases.
        """
        for one in self._classes:
            if one.has(value):
                return one.values(value)
        return {}


class _Class:
    """Of one type of a union."""

    def __init__(self, annotation: Any) -> None:
        self._annotation = annotation
        self._adapter = type_adapter(annotation)
        schema = self._adapter.json_schema(mode="serialization", by_alias=False)
        keys, names = (Shape.of(self._adapter.json_schema(by_alias=by_alias)).keys for by_alias in (True, False))
        self._is_object = bool(names)
        whole = Shape.of(schema)
        self._names = dict(zip(keys, names, strict=True))
        shapes = {key: whole.member(name) for key, name in self._names.items()} if names else {WHOLE: whole}
        self.shapes = {
            key: shape
            for key, shape in shapes.items()
            if any(READ_KEYWORD in part for part in reachable(schema, shape.parts))
        }

    def has(self, value: Any) -> bool:
        """Whether a value is one of this type."""
        if isinstance(self._annotation, type) and not typing_extensions.is_typeddict(self._annotation):
            return isinstance(value, self._annotation)
        return isinstance(value, dict) and value.keys() <= set(self._names.values()) if self._is_object else True

    def values(self, value: Any) -> dict[str, Any]:
        """As `ReadFields.values`."""
        plain = self._adapter.serializer.to_python(value, mode="json", by_alias=False, fallback=str)
        plain = to_jsonable_python(plain, inf_nan_mode="strings")
        if not self._is_object:
            return {WHOLE: plain} if self.shapes else {}
        return {key: plain[self._names[key]] for key in self.shapes if self._names[key] in plain}


def _members(annotation: Any) -> Iterator[Any]:
    """The types of a union; of another type it alone."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        yield from _members(typing.get_args(annotation)[0])
    elif origin in (typing.Union, types.UnionType):
        for one in typing.get_args(annotation):
            yield from _members(one)
    elif annotation is not type(None):
        yield annotation
