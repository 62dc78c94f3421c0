"""`DecimalPlaces`: the numbers of a document that a type reads as `Decimal`, handed to it as they are written.

Pydantic's JSON parser makes floats of numbers with a point or an exponent, also where the type asks for a `Decimal`:
12.50 becomes Decimal("12.5"), and digits beyond the 17th are lost. From a JSON string it reads all digits. So numbers
become strings where a `Decimal` is all that can be read there (or null); integers are exact as they are.

What stays a float: a `Decimal` in a union with another type that a number or a string could be, and what the type's own
code sees before Pydantic does (validators with mode "before", "wrap" or "plain", an `__init__`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import core_schema

from guided.grammars.json_paths import resolve

from .field_places import FieldPlaces, JsonSchema

_DECIMAL = "x-guided-decimal"
_OPAQUE = "x-guided-opaque"
_OWN_CODE = ("function-before", "function-wrap", "function-plain")
_UNIONS = ("anyOf", "oneOf", "allOf")
_NO_NUMBER = ("null", "object", "array")
_NO_CONTAINER = ("null", "boolean", "integer", "number", "string")


class WrittenFloat(float):
    """A number that knows how it was written. Copies and pickles of it do, too."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str | float) -> WrittenFloat:
        """text: of a JSON number."""
        made = super().__new__(cls, text)
        made.text = str(text)
        return made


class DecimalPlaces:
    """Those of one type. adapter: of it."""

    def __init__(self, adapter: TypeAdapter[Any]) -> None:
        self._root = adapter.json_schema(mode="validation", schema_generator=_Marks)
        self.has_any = _DECIMAL in json.dumps(self._root, default=str)

    def text(self, data: Any) -> str:
        """A document's JSON with the numbers (`WrittenFloat`) that are to be read as `Decimal` in strings."""
        return json.dumps(self._written([self._root], data))

    def _written(self, parts: Sequence[Any], data: Any) -> Any:
        """parts: the schemas that speak of the value."""
        if not isinstance(data, WrittenFloat | dict | list):
            return data
        facets = list(self._facets(parts))
        if isinstance(data, WrittenFloat):
            is_decimal = all(_DECIMAL in facet or facet.get("type") in _NO_NUMBER for facet in facets)
            return data.text if is_decimal and any(_DECIMAL in facet for facet in facets) else data
        facets = [facet for facet in facets if _DECIMAL not in facet and facet.get("type") not in _NO_CONTAINER]
        if any(facet.get("type") not in _NO_NUMBER for facet in facets):
            return data  # a type that can hold anything, or the type's own code, sees it first
        if isinstance(data, list):
            arrays = [facet for facet in facets if facet["type"] == "array"]
            return [self._written([_item(facet, i) for facet in arrays], value) for i, value in enumerate(data)]
        objects = [facet for facet in facets if facet["type"] == "object" and self._may_be(facet, data)]
        return {key: self._written(list(_members(objects, key)), value) for key, value in data.items()}

    def _facets(self, parts: Sequence[Any]) -> Iterator[JsonSchema]:
        """The schemas that say of what type a value is, through references and unions."""
        seen: set[int] = set()
        pending = list(parts)
        while pending:
            part = pending.pop()
            if not isinstance(part, dict):
                part = {_OPAQUE: True}
            if id(part) in seen:
                continue
            seen.add(id(part))
            below = [one for keyword in _UNIONS for one in part.get(keyword, ())]
            below += [resolve(self._root, part["$ref"])] if "$ref" in part else []
            pending += below
            if not below:
                yield part

    def _may_be(self, facet: JsonSchema, data: dict[str, Any]) -> bool:
        """False where a member that is a `Literal` of strings has another one: so unions are told apart."""
        for key, schema in facet.get("properties", {}).items():
            values = schema.get("enum", [schema["const"]] if "const" in schema else []) if key in data else []
            if values and all(isinstance(one, str) for one in (data[key], *values)) and data[key] not in values:
                return False
        return True


class _Marks(FieldPlaces):
    """Says which schemas are of a `Decimal`, and which of what the type's own code sees first."""

    def generate_inner(self, schema: Any) -> JsonSchema:
        """Of a part of the type."""
        own_init = schema["type"] in ("model", "dataclass") and schema.get("custom_init")
        by_function = schema["type"] == "tagged-union" and callable(schema["discriminator"])
        if schema["type"] in _OWN_CODE or own_init or by_function:
            return {_OPAQUE: True}
        return super().generate_inner(schema)

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchema:
        return {_DECIMAL: True}

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchema:
        return {"type": "string"}

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchema:
        values = self.generate_inner(schema["values_schema"]) if "values_schema" in schema else True
        return {"type": "object", "additionalProperties": values}


def _item(array: JsonSchema, place: int) -> Any:
    first = array.get("prefixItems", ())
    return first[place] if place < len(first) else array.get("items", True)


def _members(objects: Sequence[JsonSchema], key: str) -> Iterator[Any]:
    """What an object that doesn't know the key says is nothing: it refuses or drops it."""
    for one in objects:
        if key in one.get("properties", {}):
            yield one["properties"][key]
        elif one.get("additionalProperties", False) is not False:
            yield one["additionalProperties"]
