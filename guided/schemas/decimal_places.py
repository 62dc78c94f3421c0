"""`DecimalPlaces`: passes numbers that a type reads as `Decimal` to the type exactly as written.

Pydantic's JSON parser turns numbers with a point or exponent into floats, even for a `Decimal`. For instance, 12.50
becomes Decimal("12.5"), and digits beyond the 17th are lost. From a JSON string Pydantic reads all digits. A number
therefore becomes a string if only a `Decimal` (or null) can be read at its place. Integers are exact anyway.

Some numbers stay floats. The first case is a `Decimal` in a union with another type that a number or string could be.
The second is a value that the type's own code sees before Pydantic does (validators with mode "before", "wrap" or
"plain", an `__init__`).
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
    """A float that remembers how it was written, also in copies and pickles."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str | float) -> WrittenFloat:
        """text: the text of a JSON number."""
        made = super().__new__(cls, text)
        made.text = str(text)
        return made


class DecimalPlaces:
    """The places of one type's `Decimal`s. adapter: adapter of the type."""

    def __init__(self, adapter: TypeAdapter[Any]) -> None:
        self._root = adapter.json_schema(mode="validation", schema_generator=_Marks)
        self.has_any = _DECIMAL in json.dumps(self._root, default=str)

    def text(self, data: Any) -> str:
        """A document as JSON text. Numbers (`WrittenFloat`) that are read as `Decimal` become strings."""
        return json.dumps(self._written([self._root], data))

    def _written(self, parts: Sequence[Any], data: Any) -> Any:
        """The data with such numbers as strings. parts: the schemas that describe the value."""
        if not isinstance(data, WrittenFloat | dict | list):
            return data
        facets = list(self._facets(parts))
        if isinstance(data, WrittenFloat):
            is_decimal = all(_DECIMAL in facet or facet.get("type") in _NO_NUMBER for facet in facets)
            return data.text if is_decimal and any(_DECIMAL in facet for facet in facets) else data
        facets = [facet for facet in facets if _DECIMAL not in facet and facet.get("type") not in _NO_CONTAINER]
        if any(facet.get("type") not in _NO_NUMBER for facet in facets):
            return data  # a type that accepts anything, or the type's own code, sees the value first
        if isinstance(data, list):
            arrays = [facet for facet in facets if facet["type"] == "array"]
            return [self._written([_item(facet, i) for facet in arrays], value) for i, value in enumerate(data)]
        objects = [facet for facet in facets if facet["type"] == "object" and self._may_be(facet, data)]
        return {key: self._written(list(_members(objects, key)), value) for key, value in data.items()}

    def _facets(self, parts: Sequence[Any]) -> Iterator[JsonSchema]:
        """The schemas that describe a value's type, through references and unions."""
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
        """False if a member that is a `Literal` of strings has another value. The types of a union are distinguished
        this way.
        """
        for key, schema in facet.get("properties", {}).items():
            values = schema.get("enum", [schema["const"]] if "const" in schema else []) if key in data else []
            if values and all(isinstance(one, str) for one in (data[key], *values)) and data[key] not in values:
                return False
        return True


class _Marks(FieldPlaces):
    """Marks the schemas of a `Decimal`, and those of values that the type's own code sees first."""

    def generate_inner(self, schema: Any) -> JsonSchema:
        """The schema of a part of the type."""
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
    """The schemas of a member. An object type that does not know the key refuses or drops it, so it has none."""
    for one in objects:
        if key in one.get("properties", {}):
            yield one["properties"][key]
        elif one.get("additionalProperties", False) is not False:
            yield one["additionalProperties"]
