"""`ReadFields`: a type's fields whose quotes are converted to another type (`Quote(as_=...)`), and their values."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping
from functools import cached_property
from operator import itemgetter
from typing import Any

import typing_extensions
from pydantic import BaseModel, RootModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import SchemaSerializer, from_json, to_json

from ..schemas.core_fields import CoreField, core_fields
from ..schemas.field_places import JsonSchema
from ..schemas.python_types import TYPE_ALIASES, is_type, to_json_schema, type_adapter
from ..schemas.shape import ValueShape
from ..schemas.typed_dicts import readable
from .quote import READ_KEYWORD, Quote
from .quote_marks import has_quotes
from .schema_walk import schemas

WHOLE = "data"
"""The key for a document that is no object."""

_UNIONS = (typing.Union, types.UnionType)
_Rank = tuple[bool, int]
"""How well a union's type fits a value; the smallest rank is the best.

First: whether the type counts only if nothing else fits (for a dict, all but TypedDicts). Second: the number of classes
between the value's class and the type.
"""


class ReadFields:
    """The converted fields of a type, or of each type of a union; a JSON Schema has none.

    shapes: attribute; document key -> shape of the values there. A field with an `AliasPath` of several parts has the
        key "sum.total". A document that is no object has the key WHOLE.
    """

    def __init__(self, schema_type: Any) -> None:
        """Raises the errors of `to_json_schema`."""
        self.shapes: dict[str, ValueShape] = {}
        self._members: list[_Object | _Whole] = []
        if is_type(schema_type) and has_quotes(to_json_schema(schema_type)):
            self._members = [_member(one) for one in _union_members(readable(schema_type))]
        for one in self._members:
            for key, shape in one.shapes.items():
                known = self.shapes.get(key)
                self.shapes[key] = shape if known is None else ValueShape((*known.facets, *shape.facets), known.root)

    def values(self, value: Any) -> dict[str, Any]:
        """The converted values as JSON data, by document key. A value without a form in JSON, NaN included, becomes
        text.

        value: an instance of the type. Its class's settings for output (`exclude`, `field_serializer`,
            `model_serializer`) are ignored. Objects inside a field have their fields' names, not aliases.
        """
        while isinstance(value, RootModel):
            value = value.root
        ranked = [(rank, one) for one in self._members if (rank := one.rank(value)) is not None]
        return min(ranked, key=itemgetter(0))[1].values(value) if ranked else {}


class _Value:
    """The values converted from quotes inside one value. core: the value's self-contained Pydantic schema. config: its
    configuration.
    """

    def __init__(self, core: Any, config: Any) -> None:
        self._core = core
        self._config = config

    @cached_property
    def is_read(self) -> bool:
        """True if the value contains converted quotes."""
        plain = _WithoutSerializers(by_alias=False).generate(self._core, mode="serialization")
        return any(READ_KEYWORD in part for part in schemas(plain))

    @cached_property
    def shape(self) -> ValueShape:
        """The shape of the values of `as_json`."""
        return ValueShape.of(_GivenOut(by_alias=False).generate(self._core, mode="serialization"))

    @cached_property
    def _serializer(self) -> SchemaSerializer:
        return SchemaSerializer(self._core, self._config)

    def as_json(self, value: Any) -> Any:
        """See `ReadFields.values`."""
        plain = self._serializer.to_python(value, mode="json", by_alias=False, fallback=str)
        return from_json(to_json(plain, inf_nan_mode="strings"))  # `to_jsonable_python` would keep NaN as a float


class _Whole:
    """A union's type whose documents are no objects with declared fields, or that reads them with its own code.

    core: the type's Pydantic schema.
    """

    def __init__(self, annotation: Any, core: Any) -> None:
        base = _base(annotation)
        is_class = isinstance(base, type) and base not in (*_UNIONS, Any)
        self._class = base if is_class else object  # a `Literal` or a `NewType` is no class
        self._value = _Value(core, None)
        self.shapes = {WHOLE: self._value.shape} if self._value.is_read else {}

    def rank(self, value: Any) -> _Rank:
        """See `_Rank`. The annotation need not be the values' class: values of `PastDate` are dates."""
        distance = _distance(value, self._class)
        return (True, len(type(value).__mro__)) if distance is None else (isinstance(value, dict), distance)

    def values(self, value: Any) -> dict[str, Any]:
        """See `ReadFields.values`."""
        return {key: self._value.as_json(value) for key in self.shapes}


class _Object:
    """A model, a dataclass or a TypedDict of a union. fields: its fields by name."""

    def __init__(self, annotation: Any, fields: Mapping[str, CoreField]) -> None:
        base = _base(annotation)
        self._class = dict if typing_extensions.is_typeddict(base) else base
        self._names = fields.keys()
        self._literals = {
            name: field.schema["expected"] for name, field in fields.items() if field.schema["type"] == "literal"
        }
        self._read: dict[str, tuple[str, _Value]] = {}
        for name, field in fields.items():
            if field.path is None:
                continue
            one = _Value(field.standalone_schema, field.config)
            if one.is_read:
                self._read[".".join(map(str, field.path))] = (name, one)
        self.shapes = {key: one.shape for key, (_, one) in self._read.items()}

    def rank(self, value: Any) -> _Rank | None:
        """See `_Rank`; None for a value of another type. For a TypedDict, the number of keys that the value lacks."""
        if self._class is dict:
            return (False, len(self._names) - len(value)) if self._is_typed_dict(value) else None
        distance = _distance(value, self._class)
        return None if distance is None else (False, distance)

    def _is_typed_dict(self, value: Any) -> bool:
        """True if the value's keys and its `Literal` members fit the TypedDict."""
        if not isinstance(value, dict) or not value.keys() <= self._names:
            return False
        return all(value[name] in some for name, some in self._literals.items() if name in value)

    def values(self, value: Any) -> dict[str, Any]:
        """See `ReadFields.values`."""
        names = [name for name, _ in self._read.values()]
        members = value if self._class is dict else {name: getattr(value, name) for name in names}
        return {key: one.as_json(members[name]) for key, (name, one) in self._read.items() if name in members}


class _GivenOut(GenerateJsonSchema):
    """Describes as any value what Pydantic can't describe, and what a serializer without return type returns."""

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchema:
        """Describe a value of a class without a JSON Schema as any value."""
        return {}

    def ser_schema(self, schema: Any) -> JsonSchema | None:
        """The schema of a serializer's results; None if the serializer keeps the value's type."""
        is_untold = schema["type"] in ("function-plain", "function-wrap") and schema.get("return_schema") is None
        return {} if is_untold else super().ser_schema(schema)


class _WithoutSerializers(_GivenOut):
    """Describes values as if they had no serializers, which would hide converted quotes."""

    def ser_schema(self, schema: Any) -> JsonSchema | None:
        """None: the value keeps its type."""
        return None


def _member(annotation: Any) -> _Object | _Whole:
    """The description of one type of a union."""
    adapter, base = type_adapter(annotation), _base(annotation)
    adapter.json_schema()  # completes the core schema of a class with `defer_build`
    is_model = isinstance(base, type) and (issubclass(base, BaseModel) or dataclasses.is_dataclass(base))
    is_object = is_model or typing_extensions.is_typeddict(base)
    fields = core_fields(adapter) if is_object else None
    return _Whole(annotation, adapter.core_schema) if fields is None else _Object(annotation, fields)


def _union_members(annotation: Any) -> Iterator[Any]:
    """The types of a union, or a single type. For a root model, those of its root."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if isinstance(annotation, TYPE_ALIASES):
        yield from _union_members(annotation.__value__)
    elif isinstance(annotation, type) and origin is None and issubclass(annotation, RootModel):
        root = annotation.model_fields["root"]
        has_more = bool(root.metadata)
        yield from _union_members(typing.Annotated[(root.annotation, *root.metadata)] if has_more else root.annotation)
    elif origin is typing.Annotated and not any(isinstance(one, Quote) for one in arguments[1:]):
        yield from _union_members(arguments[0])
    elif origin in _UNIONS:
        for one in arguments:
            yield from _union_members(one)
    elif annotation is not type(None):
        yield annotation


def _base(annotation: Any) -> Any:
    """The class of a type's values, without annotations and type arguments."""
    while typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    return typing.get_origin(annotation) or annotation


def _distance(value: Any, cls: type) -> int | None:
    """The number of classes between a value's class and `cls`; None if the value is no instance of `cls`."""
    order = type(value).__mro__
    if not isinstance(value, cls):
        return None
    return order.index(cls) if cls in order else len(order) - 1  # an abstract class may be missing in the order
