"""`close_objects`: a JSON Schema of arguments without the ones that nobody named, as OpenAI's strict mode asks for it.
`close_all_objects`: any schema, with `additionalProperties: false` meant wherever it names members, as others read it.

What fits the closed schema fits the one that was given. So objects are closed only where that narrows the whole: not
below `oneOf`, `not`, `if`, `contains` and their like, where a narrower part can make the whole wider, and not where
several schemas describe one object together. Of these the outermost gets `unevaluatedProperties`, which sees them all.
`close_all_objects` closes below `oneOf`, `then` and their like, too, and refuses what it can't close.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Any

from ..errors import UnsupportedSchemaError
from ..json_paths import resolve
from .keyword_table import SHAPES, held

Schema = dict[str, Any]

MAX_DEPTH = 200  # of lists and objects in a schema; what lies deeper stays as it is

_NOT_VALUES = ("$defs", "definitions", "propertyNames", "propertyDependencies", "contentSchema")
_NARROWING = ("allOf", "anyOf")
_OTHERS = ("oneOf", "not", "if", "then", "else", "contains", "dependentSchemas", "dependencies")
_CONDITIONS = ("not", "if", "contains")
_IN_PLACE = (*_NARROWING, "oneOf", "then", "else", "dependentSchemas", "dependencies")
_TOGETHER = (*_NARROWING, *_OTHERS, "$ref")
_SAYS_MORE = ("additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames", "minProperties")
_SAYS = _SAYS_MORE[:-1]
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
    uses = _uses(schema, _NARROWING, _OTHERS)
    closed: Schema = {**schema} if uses is None else _rebuilt(schema, uses)
    if any(keyword in schema for keyword in _SAYS_MORE) or not _names_members(schema, schema):
        return closed
    if any(keyword in schema for keyword in _TOGETHER):
        draft = str(schema.get("$schema", _HAS_UNEVALUATED[-1]))
        return closed | {"unevaluatedProperties": False} if any(one in draft for one in _HAS_UNEVALUATED) else closed
    return closed | _without_others(closed)


def close_all_objects(schema: Any) -> Any:
    """The schema in which each object that names members has no others, unless it says itself which.

    An object with `additionalProperties`, `unevaluatedProperties`, `patternProperties` or `propertyNames` says so.
    What is named counts wherever it stands: beside `allOf`, `if` or a reference. What stands in `not`, `if` and
    `contains` is a condition, and stays as it is.
    Raises UnsupportedSchemaError where several schemas describe an object together in a draft without
    `unevaluatedProperties`, and for references that lead out of the schema or to an anchor.
    """
    if not isinstance(schema, Mapping):
        return schema
    uses = _uses(schema, _IN_PLACE, _CONDITIONS)
    if uses is None:
        reason = 'with objects="closed" each reference must be a JSON pointer into the schema itself'
        raise UnsupportedSchemaError("", "$ref", reason, "write the schema without ids, anchors and other documents")
    draft = str(schema.get("$schema", _HAS_UNEVALUATED[-1]))
    has_unevaluated = any(one in draft for one in _HAS_UNEVALUATED)

    def closed(given: Mapping[str, Any], copied: Schema) -> Schema:
        use = uses.get(id(given))
        if use != _Use.ALONE or any(one in given for one in _SAYS) or not _names_members(given, schema):
            return copied
        together = [keyword for keyword in _TOGETHER if keyword in given and keyword not in _CONDITIONS]
        if not together:
            return copied | _without_others(copied)
        if has_unevaluated:
            return copied | {"unevaluatedProperties": False}
        if all(uses.get(id(part)) == _Use.ALONE for part in _described_with(given, schema)):
            return copied
        reason = 'with objects="closed" its draft has no keyword that closes what several schemas describe together'
        raise UnsupportedSchemaError("", together[0], reason, "name draft 2020-12, or write additionalProperties")

    return _copied(schema, closed)


def _described_with(given: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Any]:
    """The schemas that describe the same value as `given` and stand in it, or are referred to."""
    for keyword in _IN_PLACE:
        if keyword in given:
            yield from (one for _, one in held(given[keyword], SHAPES[keyword]) if isinstance(one, Mapping))
    if "$ref" in given:
        yield resolve(root, given["$ref"])


def _copied(root: Mapping[str, Any], change: Callable[[Mapping[str, Any], Schema], Schema]) -> Schema:
    """A copy of a schema in which each schema is changed, inner ones first. change: (schema, copy) -> new copy."""

    def copy(value: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            return value
        if isinstance(value, list):
            return [copy(item, depth + 1) for item in value]
        if not isinstance(value, Mapping):
            return value
        return change(value, {key: copy(item, depth + 1) for key, item in value.items()})

    copied: Schema = copy(root, 0)
    return copied


def _names_members(schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    """It lists properties, or a part that describes the same value does; also where a reference leads nowhere."""
    seen: set[int] = set()
    stack: list[Any] = [schema]
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


def _uses(root: Mapping[str, Any], in_place: tuple[str, ...], frozen: tuple[str, ...]) -> dict[int, _Use] | None:
    """The use of each schema that the root reaches, by its `id()`; None where references lead to unknown places.

    in_place: keywords whose schemas describe the same value. frozen: keywords below which nothing is narrowed.
    """
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
        stack += _parts(schema, use, in_place, frozen)
    return uses


def _parts(
    schema: Mapping[str, Any], use: _Use, in_place: tuple[str, ...], frozen: tuple[str, ...]
) -> Iterator[tuple[Any, _Use]]:
    inner = _Use.FROZEN if use == _Use.FROZEN else _Use.ALONE
    for keyword in SHAPES.keys() & schema.keys() - set(_NOT_VALUES):
        part_use = _Use.FROZEN if keyword in frozen else inner
        if keyword in in_place:
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

    def closed(given: Mapping[str, Any], copied: Schema) -> Schema:
        is_alone = given is not root and uses.get(id(given)) == _Use.ALONE
        says_more = any(keyword in given for keyword in (*_SAYS_MORE, *_TOGETHER))
        return copied | _without_others(copied) if is_alone and not says_more and "properties" in given else copied

    return _copied(root, closed)
