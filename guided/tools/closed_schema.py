"""`close_objects`: a JSON Schema of arguments without the ones that nobody named, as OpenAI's strict mode asks for it.

What fits the closed schema fits the one that was given. So objects are closed only where that narrows the whole: not
below `oneOf`, `not`, `if`, `contains` and their like, where a narrower part can make the whole wider, and not where
several schemas describe one object together. Of these the outermost gets `unevaluatedProperties`, which sees them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

from guided.grammars.json_schema.keyword_table import SHAPES, held

from ..schemas.field_paths import resolve

Schema = dict[str, Any]

MAX_DEPTH = 200  # of lists and objects in a schema; what lies deeper stays as it is

_NOT_VALUES = ("$defs", "definitions", "propertyNames", "propertyDependencies", "contentSchema")
_NARROWING = ("allOf", "anyOf")
_OTHERS = ("oneOf", "not", "if", "then", "else", "contains", "dependentSchemas", "dependencies")
_TOGETHER = (*_NARROWING, *_OTHERS, "$ref")
_SAYS_MORE = ("additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames", "minProperties")
_ELSEWHERE = ("$dynamicRef", "$recursiveRef", "$id", "id", "$anchor", "$dynamicAnchor")
_HAS_UNEVALUATED = ("2019-09", "2020-12")


class _Use(IntEnum):
    """How a schema is used; of several uses the largest counts."""

    ALONE = 0  # it describes a value alone
    TOGETHER = 1  # others describe the same value
    FROZEN = 2  # narrowing it can widen the whole


def close_objects(schema: Mapping[str, Any]) -> Schema:
    """The schema of an object, in which that object has no members but those that are named, and those inside neither.

    An object that says itself what others it may have keeps that, and one that names no members stays open.
    """
    uses = _uses(schema)
    closed: Schema = {**schema} if uses is None else _rebuilt(schema, uses)
    if any(keyword in schema for keyword in _SAYS_MORE) or not _names_members(schema):
        return closed
    if any(keyword in schema for keyword in _TOGETHER):
        draft = str(schema.get("$schema", _HAS_UNEVALUATED[-1]))
        return closed | {"unevaluatedProperties": False} if any(one in draft for one in _HAS_UNEVALUATED) else closed
    return closed | _without_others(closed)


def _names_members(root: Mapping[str, Any]) -> bool:
    """The root lists properties, or a part that describes the same value does; also where a reference leads nowhere."""
    seen: set[int] = set()
    stack: list[Any] = [root]
    while stack:
        schema = stack.pop()
        if not isinstance(schema, Mapping) or id(schema) in seen:
            continue
        seen.add(id(schema))
        if isinstance(schema.get("properties"), Mapping):
            return True
        if "$ref" in schema:
            target = resolve(root, schema["$ref"])
            if target is None:
                return True
            stack.append(target)
        for keyword in SHAPES.keys() & schema.keys() & set(_TOGETHER):
            stack += [one for _, one in held(schema[keyword], SHAPES[keyword])]
    return False


def _without_others(schema: Schema) -> Schema:
    """What closes an object; all that is required counts as named."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return {}
    named = {**properties, **{name: True for name in required if isinstance(name, str) and name not in properties}}
    return {"properties": named, "additionalProperties": False}


def _uses(root: Mapping[str, Any]) -> dict[int, _Use] | None:
    """The use of each schema that the root reaches, by its `id()`; None where references lead to unknown places."""
    uses: dict[int, _Use] = {}
    stack: list[tuple[Any, _Use]] = [(root, _Use.ALONE)]
    while stack:
        schema, use = stack.pop()
        if not isinstance(schema, Mapping) or uses.get(id(schema), -1) >= use:
            continue
        uses[id(schema)] = use
        if any(keyword in schema for keyword in _ELSEWHERE if schema is not root or keyword not in ("$id", "id")):
            return None
        if "$ref" in schema:
            target = resolve(root, schema["$ref"])
            if target is None:
                return None
            stack.append((target, _part_use(schema, use)))
        stack += _parts(schema, use)
    return uses


def _parts(schema: Mapping[str, Any], use: _Use) -> Iterator[tuple[Any, _Use]]:
    inner = _Use.FROZEN if use == _Use.FROZEN else _Use.ALONE
    for keyword in SHAPES.keys() & schema.keys() - set(_NOT_VALUES):
        part_use = _Use.FROZEN if keyword in _OTHERS else inner
        if keyword in _NARROWING:
            part_use = _part_use(schema, use)
        yield from ((one, part_use) for _, one in held(schema[keyword], SHAPES[keyword]))


def _part_use(schema: Mapping[str, Any], use: _Use) -> _Use:
    """Of what describes the same value as `schema`, in `allOf`, in `anyOf` or by a reference."""
    parts = [keyword for keyword in _TOGETHER if keyword in schema]
    is_only = len(parts) == 1 and not (schema.keys() & {"properties", "required", *_SAYS_MORE})
    is_one = parts[0] != "allOf" or (isinstance(schema["allOf"], list) and len(schema["allOf"]) == 1)
    return use if use != _Use.ALONE or (is_only and is_one) else _Use.TOGETHER


def _rebuilt(root: Mapping[str, Any], uses: Mapping[int, _Use]) -> Schema:
    """A copy in which every object that is alone and names its members has no others. The root stays as it is."""

    def copy(value: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            return value
        if isinstance(value, list):
            return [copy(item, depth + 1) for item in value]
        if not isinstance(value, Mapping):
            return value
        copied = {key: copy(item, depth + 1) for key, item in value.items()}
        is_alone = value is not root and uses.get(id(value)) == _Use.ALONE
        says_more = any(keyword in value for keyword in (*_SAYS_MORE, *_TOGETHER))
        return copied | _without_others(copied) if is_alone and not says_more and _names_members(value) else copied

    rebuilt: Schema = copy(root, 0)
    return rebuilt
