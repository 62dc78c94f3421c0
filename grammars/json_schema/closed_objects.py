"""Forbids members that a JSON Schema does not name. `close_objects` does so for arguments of tools, as OpenAI's strict
mode requires. `close_all_objects` does so for any schema, like libraries that read a list of members as complete.

Every document of the closed schema fits the given one. `close_objects` therefore leaves an object open if closing it
could make the whole schema accept more documents: below `oneOf`, `not`, `if` or `contains`, where a narrower part can
widen the whole. If several schemas describe the root object together, it gets `unevaluatedProperties: false`, which
sees the members that all of them name. Inner objects with several schemas stay open. `close_all_objects` also closes
objects below `oneOf`, `then`, `else` and `dependentSchemas`, and refuses schemas with objects that it can't close.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Any

from ..errors import UnsupportedSchemaError
from ..json_paths import resolve
from .keyword_table import SHAPES, held

Schema = dict[str, Any]

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
    """The use of a part in the whole schema. If a part is used in several ways, the largest one counts."""

    ALONE = 0  # no other part describes the same value
    TOGETHER = 1  # other parts describe the same value
    FROZEN = 2  # a narrower part could widen the whole schema, so the part must stay as it is


def close_objects(schema: Mapping[str, Any]) -> Schema:
    """A copy of an object's schema that allows only named members, in this object and in the objects inside it.

    An object whose schema has `additionalProperties` or the like keeps it. An object without named members stays open.
    Example: {"properties": {"a": {}}} becomes {"properties": {"a": {}}, "additionalProperties": False}.
    """
    uses = _uses(schema, _NARROWING, _OTHERS)
    if uses is None:
        uses = {id(schema): _Use.ALONE}
    elif uses[id(schema)] != _Use.ALONE and isinstance(schema.get("$defs", {}), Mapping):
        schema = _with_root_apart(schema, uses)
        uses = _uses(schema, _NARROWING, _OTHERS) or {id(schema): _Use.ALONE}
    return _closed(schema, uses, _SAYS_MORE, is_everywhere=False)


def _with_root_apart(schema: Mapping[str, Any], uses: Mapping[int, _Use]) -> Schema:
    """An equal schema whose references to its root lead to a copy in `$defs`, so that the root itself can be closed."""
    definitions = schema.get("$defs", {})
    name = "root"
    while name in definitions:
        name += "_"

    def point_elsewhere(given: Mapping[str, Any], copied: Schema) -> Schema:
        is_to_root = id(given) in uses and given.get("$ref") == "#"
        return copied | {"$ref": f"#/$defs/{name}"} if is_to_root else copied

    copied = _copied(schema, point_elsewhere)
    inner = {key: value for key, value in copied.items() if key not in ("$defs", "$schema")}
    return copied | {"$defs": {**copied.get("$defs", {}), name: inner}}


def close_all_objects(schema: Any) -> Any:
    """Copy a schema, and forbid other members in each object that names members.

    An object stays as it is if its schema has `additionalProperties`, `unevaluatedProperties`, `patternProperties` or
    `propertyNames`. A member counts as named wherever one of the object's schemas names it: beside `allOf`, `if` or a
    reference. The schemas in `not`, `if` and `contains` are conditions and stay as they are.
    Raises UnsupportedSchemaError for references that lead out of the schema or to an anchor. Raises it also if several
    schemas describe an object together in a draft without `unevaluatedProperties`.
    """
    if not isinstance(schema, Mapping):
        return schema
    uses = _uses(schema, _IN_PLACE, _CONDITIONS)
    if uses is None:
        reason = 'with objects="closed" each reference must be a JSON pointer into the schema itself'
        raise UnsupportedSchemaError("", "$ref", reason, "write the schema without ids, anchors and other documents")
    return _closed(schema, uses, _SAYS, is_everywhere=True)


def _closed(root: Mapping[str, Any], uses: Mapping[int, _Use], says: tuple[str, ...], *, is_everywhere: bool) -> Schema:
    """Copy a schema, and close the objects that name members.

    uses: id of a schema -> its use. Only schemas that are ALONE are changed.
    says: keywords that leave an object as it is.
    is_everywhere: True: inner objects that several schemas describe are closed, too, or refused.
    """
    draft = str(root.get("$schema", _HAS_UNEVALUATED[-1]))
    has_unevaluated = any(one in draft for one in _HAS_UNEVALUATED)

    def close(given: Mapping[str, Any], copied: Schema) -> Schema:
        if uses.get(id(given)) != _Use.ALONE or any(one in given for one in says):
            return copied
        others = _CONDITIONS if is_everywhere else ()
        together = [keyword for keyword in _TOGETHER if keyword in given and keyword not in others]
        if (together and not is_everywhere and given is not root) or not _names_members(given, root):
            return copied
        if not together:
            return copied | _without_others(copied)
        if has_unevaluated:
            return copied | {"unevaluatedProperties": False}
        if not is_everywhere or all(uses.get(id(part)) == _Use.ALONE for part in _described_with(given, root)):
            return copied
        reason = 'with objects="closed" its draft has no keyword that closes what several schemas describe together'
        raise UnsupportedSchemaError("", together[0], reason, "name draft 2020-12, or write additionalProperties")

    return _copied(root, close)


def _described_with(given: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Any]:
    """The schemas inside `given` that describe the same value, and the schema that its `$ref` leads to."""
    for keyword in _IN_PLACE:
        if keyword in given:
            yield from (one for _, one in held(given[keyword], SHAPES[keyword]) if isinstance(one, Mapping))
    if "$ref" in given:
        yield resolve(root, given["$ref"])


def _copied(root: Mapping[str, Any], change: Callable[[Mapping[str, Any], Schema], Schema]) -> Schema:
    """A copy of a schema with a change applied to each JSON object in it, inner ones first.

    change: function of (object of the given schema, its copy so far) that returns the copy to use.
    """

    copies: dict[int, Any] = {}  # id of a list or object -> its copy
    begun: set[int] = set()
    waiting: list[Any] = [root]
    while waiting:
        value = waiting[-1]
        parts = value if isinstance(value, list) else list(value.values())
        if id(value) not in begun:
            begun.add(id(value))
            waiting += [part for part in parts if isinstance(part, list | Mapping) and id(part) not in begun]
            continue
        waiting.pop()
        if id(value) not in copies:
            new = [copies.get(id(part), part) for part in parts]
            copies[id(value)] = new if isinstance(value, list) else change(value, dict(zip(value, new, strict=True)))
    copied: Schema = copies[id(root)]
    return copied


def _names_members(schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    """True if the schema, or a part that describes the same value, has `properties`. True also for a reference that
    leads nowhere.
    """
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
    """The keywords that close an object. Required members count as named. {} if the given keywords are malformed."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return {}
    named = {**properties, **{name: True for name in required if isinstance(name, str) and name not in properties}}
    return {"properties": named, "additionalProperties": False}


def _uses(root: Mapping[str, Any], in_place: tuple[str, ...], frozen: tuple[str, ...]) -> dict[int, _Use] | None:
    """The use of each schema that the root reaches, by its `id()`; None if a reference can't be followed.

    in_place: keywords whose schemas describe the same value.
    frozen: keywords below which nothing may be narrowed.
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
    """The use of a part of `schema` that describes the same value, in `allOf`, in `anyOf` or by a reference."""
    parts = [keyword for keyword in _TOGETHER if keyword in schema]
    is_only = len(parts) == 1 and not (schema.keys() & {"properties", "required", *_SAYS_MORE})
    is_one = parts[0] != "allOf" or (isinstance(schema["allOf"], list) and len(schema["allOf"]) == 1)
    return use if use != _Use.ALONE or (is_only and is_one) else _Use.TOGETHER
