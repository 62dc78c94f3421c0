"""`types_alone`: reduces a schema to the types of its values.

Arguments of a tool that is not enforced are read by this reduced schema. A schema with an error or a passed limit
therefore still provides types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from guided.grammars.json_paths import resolve
from guided.grammars.styles import JSON_TYPES, JsonType, type_of

_MAX_DEPTH = 64  # maximum depth in the schema; deeper values may have any type
_BY_NAME = ("properties", "$defs", "definitions")
_ALTERNATIVES = ("anyOf", "oneOf")


def types_alone(schema: Mapping[str, Any]) -> Any:
    """A schema that only requires types; it accepts everything that the given schema accepts, and undeclared
    members.
    """
    return _types_alone(schema, schema, _MAX_DEPTH)


def _types_alone(schema: Any, root: Any, depth: int) -> Any:
    if not isinstance(schema, Mapping) or not depth:
        return True
    kept: dict[str, Any] = {}
    types = _own_types(schema)
    if types != JSON_TYPES:
        kept["type"] = sorted(types)
    for name in _BY_NAME:
        if isinstance(schema.get(name), Mapping):
            kept[name] = {key: _types_alone(one, root, depth - 1) for key, one in schema[name].items()}
    if resolve(root, schema.get("$ref")) is not None:
        kept["$ref"] = schema["$ref"]
    if isinstance(schema.get("additionalProperties"), Mapping) and "patternProperties" not in schema:
        kept["additionalProperties"] = _types_alone(schema["additionalProperties"], root, depth - 1)
    return kept | _items(schema, root, depth) | _in_place(schema, root, depth)


def _own_types(schema: Mapping[str, Any]) -> frozenset[JsonType]:
    """The types that the schema itself requires; all types if it names none or an unknown one."""
    named = schema.get("type")
    names = ["number" if one == "integer" else one for one in (named if isinstance(named, list) else [named])]
    is_known = all(one in get_args(JsonType) for one in names)
    types = frozenset(one for one in JSON_TYPES if one in names) if is_known else JSON_TYPES
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    of_values = types & {type_of(value) for value in values} if isinstance(values, list) else types
    return of_values or types or JSON_TYPES


def _items(schema: Mapping[str, Any], root: Any, depth: int) -> dict[str, Any]:
    """The reduced schemas of an array's items, with the keywords of the newest draft."""
    items = schema.get("items")
    first = items if isinstance(items, list) else schema.get("prefixItems")
    others = schema.get("additionalItems") if isinstance(items, list) else items
    found: dict[str, Any] = {}
    if isinstance(first, list) and first:
        found["prefixItems"] = [_types_alone(one, root, depth - 1) for one in first]
    return found | ({"items": _types_alone(others, root, depth - 1)} if isinstance(others, Mapping) else {})


def _in_place(schema: Mapping[str, Any], root: Any, depth: int) -> dict[str, Any]:
    """The reduced schemas that apply to the same value. `oneOf` becomes `anyOf`, since several parts may have the same
    types.
    """
    together = schema.get("allOf")
    parts = [_types_alone(one, root, depth - 1) for one in together] if isinstance(together, list) else []
    for name in _ALTERNATIVES:
        if isinstance(schema.get(name), list) and schema[name]:
            parts.append({"anyOf": [_types_alone(one, root, depth - 1) for one in schema[name]]})
    return {"allOf": parts} if parts else {}
