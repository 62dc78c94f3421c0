"""Table of every keyword of every draft: the check of its value, the schemas in it, the types that it constrains.

The check of a schema, the search for ids and anchors, the translation and the report all use this table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from . import value_checks as check
from .value_checks import Check

Shape = Literal["one", "many", "map", "maps", "items", "dependencies"]
"""The form of a keyword's value. "one": a schema. "many": an array of schemas. "map": an object of schemas. "maps": an
object of objects of schemas. "items": a schema or an array of schemas. "dependencies": an object whose values are
schemas or arrays of keys.
"""

Role = Literal["constrains", "names", "annotates"]

_STRINGS, _NUMBERS = frozenset({"string"}), frozenset({"number", "integer"})
_ARRAYS, _OBJECTS = frozenset({"array"}), frozenset({"object"})
_LATEST = 9999


@dataclass(frozen=True)
class Keyword:
    """A keyword, as a range of drafts defines it.

    check: check of the keyword's value, without the schemas in it; None: no check here.
    shape: form of the value if it contains schemas; None: it contains none.
    since, until: numbers of the first and the last draft with this definition.
    types: the types that the keyword constrains; empty: all.
    beside: another keyword that this one needs beside it to have an effect; "": none.
    is_in_place: True if the schemas in it describe the value itself, not its members or items.
    role: "constrains"; "names": the keyword names schemas or defines schemas to refer to; "annotates": no effect.
    """

    name: str
    check: Check | None = None
    shape: Shape | None = None
    since: int = 4
    until: int = _LATEST
    types: frozenset[str] = frozenset()
    beside: str = ""
    is_in_place: bool = False
    role: Role = "constrains"


KEYWORDS = (
    Keyword("$schema", role="names"),
    Keyword("$id", check.string, since=6, role="names"),
    Keyword("$anchor", check.string, since=2019, role="names"),
    Keyword("$dynamicAnchor", check.string, since=2020, role="names"),
    Keyword("$recursiveAnchor", check.boolean, since=2019, until=2019, role="names"),
    Keyword("definitions", check.object_of_schemas, "map", role="names"),
    Keyword("$defs", check.object_of_schemas, "map", since=2019, role="names"),
    Keyword("contentSchema", shape="one", since=2019, role="annotates"),
    Keyword("$ref"),
    Keyword("$recursiveRef", since=2019, until=2019),
    Keyword("$dynamicRef", since=2020),
    Keyword("allOf", check.schemas, "many", is_in_place=True),
    Keyword("anyOf", check.schemas, "many", is_in_place=True),
    Keyword("oneOf", check.schemas, "many", is_in_place=True),
    Keyword("not", shape="one", is_in_place=True),
    Keyword("if", shape="one", since=7, is_in_place=True),
    Keyword("then", shape="one", since=7, is_in_place=True, beside="if"),
    Keyword("else", shape="one", since=7, is_in_place=True, beside="if"),
    Keyword("type", check.type_names),
    Keyword("enum", check.enum),
    Keyword("const", since=6),
    Keyword("minLength", check.count, types=_STRINGS),
    Keyword("maxLength", check.count, types=_STRINGS),
    Keyword("pattern", types=_STRINGS),
    Keyword("format", types=_STRINGS),
    Keyword("x-quote", check.quote, types=_STRINGS),
    Keyword("minimum", check.number, types=_NUMBERS),
    Keyword("maximum", check.number, types=_NUMBERS),
    Keyword("exclusiveMinimum", check.exclusive_flag, until=4, types=_NUMBERS, beside="minimum"),
    Keyword("exclusiveMaximum", check.exclusive_flag, until=4, types=_NUMBERS, beside="maximum"),
    Keyword("exclusiveMinimum", check.exclusive_bound, since=6, types=_NUMBERS),
    Keyword("exclusiveMaximum", check.exclusive_bound, since=6, types=_NUMBERS),
    Keyword("multipleOf", check.positive, types=_NUMBERS),
    Keyword("properties", check.object_of_schemas, "map", types=_OBJECTS),
    Keyword("patternProperties", check.object_of_schemas, "map", types=_OBJECTS),
    Keyword("additionalProperties", shape="one", types=_OBJECTS),
    Keyword("unevaluatedProperties", shape="one", since=2019, types=_OBJECTS),
    Keyword("propertyNames", shape="one", since=6, types=_OBJECTS),
    Keyword("required", check.required, types=_OBJECTS),
    Keyword("minProperties", check.count, types=_OBJECTS),
    Keyword("maxProperties", check.count, types=_OBJECTS),
    Keyword("dependencies", check.dependencies, "dependencies", types=_OBJECTS, is_in_place=True),
    Keyword("dependentRequired", check.dependent_required, since=2019, types=_OBJECTS),
    Keyword("dependentSchemas", check.object_of_schemas, "map", since=2019, types=_OBJECTS, is_in_place=True),
    Keyword("propertyDependencies", check.objects_of_schemas, "maps", since=2026, types=_OBJECTS, is_in_place=True),
    Keyword("items", check.schema_or_schemas, "items", until=2019, types=_ARRAYS),
    Keyword("additionalItems", shape="one", until=2019, types=_ARRAYS, beside="items"),
    Keyword("items", check.one_schema, "one", since=2020, types=_ARRAYS),
    Keyword("prefixItems", check.schemas, "many", since=2020, types=_ARRAYS),
    Keyword("unevaluatedItems", shape="one", since=2019, types=_ARRAYS),
    Keyword("contains", shape="one", since=6, types=_ARRAYS),
    Keyword("minContains", check.count, since=2019, types=_ARRAYS, beside="contains"),
    Keyword("maxContains", check.count, since=2019, types=_ARRAYS, beside="contains"),
    Keyword("minItems", check.count, types=_ARRAYS),
    Keyword("maxItems", check.count, types=_ARRAYS),
    Keyword("uniqueItems", check.boolean, types=_ARRAYS),
)


SHAPES: Mapping[str, Shape] = {one.name: one.shape for one in reversed(KEYWORDS) if one.shape is not None}
"""Keyword -> its shape, in the earliest draft that has it: "items" may be an array there."""


def held(value: Any, shape: Shape) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yields (path, schema) for each schema in a keyword's value. Yields nothing if the value has another shape.

    Example: `held({"a": {}}, "map")` yields (("a",), {}).
    """
    if shape == "one" or (shape == "items" and not isinstance(value, list)):
        yield (), value
    elif shape in ("many", "items"):
        if isinstance(value, list):
            for index, one in enumerate(value):
                yield (index,), one
    elif isinstance(value, dict):
        for key, one in value.items():
            if shape == "maps":
                for keys, inner in held(one, "map"):
                    yield (key, *keys), inner
            elif shape == "map" or not isinstance(one, list):
                yield (key,), one
