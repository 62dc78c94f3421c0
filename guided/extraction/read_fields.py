"""`ReadFields`: the fields of a type whose quotes are read as something else (`Quote(as_=...)`), and their values."""

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
from ..schemas.shape import Shape
from ..schemas.typed_dicts import readable
from .quote import READ_KEYWORD, Quote
from .quote_marks import has_quotes
from .schema_walk import schemas

WHOLE = "data"
"""The key of a document that is no object."""

_UNIONS = (typing.Union, types.UnionType)
_Rank = tuple[bool, int]
"""How well a type of a union fits a value: the least is the value's own type, the first of equal ones.

Whether it counts only where nothing else fits (for a dict, all but TypedDicts), and how many classes are between the
value's and the type's.
"""


class ReadFields:
    """Those of a type, or of each type of a union; a JSON Schema has none.

    shapes: by the document's key, of what is read there, or in it. A field with an `AliasPath` of several parts has
    them with points between them, "sum.total"; a document that is no object has the key WHOLE.
    """

    def __init__(self, schema_type: Any) -> None:
        """Raises the errors of `to_json_schema`."""
        self.shapes: dict[str, Shape] = {}
        self._members: list[_Object | _Whole] = []
        if is_type(schema_type) and has_quotes(to_json_schema(schema_type)):
            self._members = [_member(one) for one in _union_members(readable(schema_type))]
        for one in self._members:
            for key, shape in one.shapes.items():
                known = self.shapes.get(key)
                self.shapes[key] = shape if known is None else Shape((*known.facets, *shape.facets), known.root)

    def values(self, value: Any) -> dict[str, Any]:
        """What was read, by the document's keys, as JSON data; what JSON has no form for is its text, NaN as well.

        value: an instance of the type. How its class gives out its fields (`exclude`, `field_serializer`,
        `model_serializer`) does not count. Objects inside of a field have the names of their fields, not their aliases.
        """
        while isinstance(value, RootModel):
            value = value.root
        ranked = [(rank, one) for one in self._members if (rank := one.rank(value)) is not None]
        return min(ranked, key=itemgetter(0))[1].values(value) if ranked else {}


class _Value:
    """What is read from quotes in one value. core: its schema for Pydantic, which needs no other one. config: its."""

    def __init__(self, core: Any, config: Any) -> None:
        self._core = core
        self._config = config

    @cached_property
    def is_read(self) -> bool:
        """Whether something is."""
        plain = _WithoutSerializers(by_alias=False).generate(self._core, mode="serialization")
        return any(READ_KEYWORD in part for part in schemas(plain))

    @cached_property
    def shape(self) -> Shape:
        """Of `as_json`."""
        return Shape.of(_GivenOut(by_alias=False).generate(self._core, mode="serialization"))

    @cached_property
    def _serializer(self) -> SchemaSerializer:
        return SchemaSerializer(self._core, self._config)

    def as_json(self, value: Any) -> Any:
        """As `ReadFields.values`."""
        plain = self._serializer.to_python(value, mode="json", by_alias=False, fallback=str)
        return from_json(to_json(plain, inf_nan_mode="strings"))  # `to_jsonable_python` leaves NaN a float


class _Whole:
    """A type of a union whose documents are no objects with declared fields, or are read by its own code.

    core: its schema.
    """

    def __init__(self, annotation: Any, core: Any) -> None:
        base = _base(annotation)
        is_class = isinstance(base, type) and base not in (*_UNIONS, Any)
        self._class = base if is_class else object  # a `Literal` or a `NewType` is no class
        self._value = _Value(core, None)
        self.shapes = {WHOLE: self._value.shape} if self._value.is_read else {}

    def rank(self, value: Any) -> _Rank:
        """As `_Rank` says. The class need not be that of the values: those of `PastDate` are dates."""
        distance = _distance(value, self._class)
        return (True, len(type(value).__mro__)) if distance is None else (isinstance(value, dict), distance)

    def values(self, value: Any) -> dict[str, Any]:
        """As `ReadFields.values`."""
        return {key: self._value.as_json(value) for key in self.shapes}


class _Object:
    """A model, a dataclass or a TypedDict of a union. fields: its own, by their names."""

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
        """As `_Rank` says; None for a value of another type. Of TypedDicts counts how many keys the value lacks."""
        if self._class is dict:
            return (False, len(self._names) - len(value)) if self._is_typed_dict(value) else None
        distance = _distance(value, self._class)
        return None if distance is None else (False, distance)

    def _is_typed_dict(self, value: Any) -> bool:
        """Its keys and its `Literal` members fit."""
        if not isinstance(value, dict) or not value.keys() <= self._names:
            return False
        return all(value[name] in some for name, some in self._literals.items() if name in value)

    def values(self, value: Any) -> dict[str, Any]:
        """As `ReadFields.values`."""
        names = [name for name, _ in self._read.values()]
        members = value if self._class is dict else {name: getattr(value, name) for name in names}
        return {key: one.as_json(members[name]) for key, (name, one) in self._read.items() if name in members}


class _GivenOut(GenerateJsonSchema):
    """Describes as anything what a serializer without a return type gives, and what Pydantic can't describe."""

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchema:
        """Of a value of a class that is known to the type alone."""
        return {}

    def ser_schema(self, schema: Any) -> JsonSchema | None:
        """Of what a serializer gives; None for one that leaves the kind of the value as it is."""
        is_untold = schema["type"] in ("function-plain", "function-wrap") and schema.get("return_schema") is None
        return {} if is_untold else super().ser_schema(schema)


class _WithoutSerializers(_GivenOut):
    """Describes values as if they had no serializers, which hide what is read from quotes."""

    def ser_schema(self, schema: Any) -> JsonSchema | None:
        """None: as the value is."""
        return None


def _member(annotation: Any) -> _Object | _Whole:
    """Of one type of a union."""
    adapter, base = type_adapter(annotation), _base(annotation)
    adapter.json_schema()  # completes the core schema of a class with `defer_build`
    is_model = isinstance(base, type) and (issubclass(base, BaseModel) or dataclasses.is_dataclass(base))
    is_object = is_model or typing_extensions.is_typeddict(base)
    fields = core_fields(adapter) if is_object else None
    return _Whole(annotation, adapter.core_schema) if fields is None else _Object(annotation, fields)


def _union_members(annotation: Any) -> Iterator[Any]:
    """The types of a union; of another type it alone. Those of its root for a root model."""
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
    """The class of a type's values, or what else it is made of."""
    while typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    return typing.get_origin(annotation) or annotation


def _distance(value: Any, cls: type) -> int | None:
    """How many classes are between a value's class and one that it is an instance of; None where it is not."""
    order = type(value).__mro__
    if not isinstance(value, cls):
        return None
    return order.index(cls) if cls in order else len(order) - 1  # an abstract class need not be there
