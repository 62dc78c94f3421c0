"""Proofs that no JSON value fits two schemas, so that their `oneOf` is a plain choice.

A proof looks at JSON types, at finite sets of values, and at required properties that are disjoint themselves (the tag
of a discriminated union). No proof does not mean that there is an overlap.
"""

from __future__ import annotations

import json
from typing import Any

from .places import Place

_TYPES = frozenset({"null", "boolean", "number", "string", "array", "object"})


def are_disjoint(first: Place, second: Place) -> bool:
    """True when it is proven that no value is valid under both."""
    first, second = _followed(first), _followed(second)
    for place, other in ((first, second), (second, first)):
        branches = _branches(place)
        if branches:
            return all(are_disjoint(branch, other) for branch in branches)
    if not types(first) & types(second):
        return True
    first_values, second_values = values(first), values(second)
    if first_values is not None and second_values is not None:
        return not first_values & second_values
    return types(first) == types(second) == {"object"} and _have_disjoint_tags(first, second)


def types(place: Place) -> frozenset[str]:
    """The JSON types that its values can have; integers count as numbers."""
    place = _followed(place)
    if place.schema is False:
        return frozenset()
    branches = _branches(place)
    if branches:
        return frozenset().union(*(types(branch) for branch in branches))
    listed = values_listed(place)
    if listed is not None:
        return frozenset(type_name(value) for value in listed)
    named = place.keywords.get("type", list(_TYPES))
    names = [named] if isinstance(named, str) else named
    return frozenset("number" if name == "integer" else name for name in names)


def values(place: Place) -> frozenset[str] | None:
    """All its values, spelled so that equal ones are spelled alike; None when there is no list of them."""
    place = _followed(place)
    listed = values_listed(place)
    if listed is not None:
        return frozenset(spelling(value) for value in listed)
    kinds = types(place)
    if kinds <= {"null", "boolean"}:
        return frozenset(["null"] * ("null" in kinds) + ["true", "false"] * ("boolean" in kinds))
    return None


def values_listed(place: Place) -> list[Any] | None:
    """The values of `const` or `enum`, None where the schema has neither."""
    if "const" in place.keywords:
        return [place.keywords["const"]]
    enum: list[Any] | None = place.keywords.get("enum")
    return enum


def type_name(value: Any) -> str:
    """The JSON type of a value; integers are numbers."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    for name, kinds in (("number", (int, float)), ("string", (str,)), ("array", (list,))):
        if isinstance(value, kinds):
            return name
    return "object"


def spelling(value: Any) -> str:
    """JSON text that is the same for values that JSON Schema calls equal: 1 and 1.0, objects in any key order."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _followed(place: Place) -> Place:
    """The schema behind `$ref` and `allOf` of one; the builder has refused cycles and other constraints beside them."""
    while True:
        if "$ref" in place.keywords:
            place = place.target()
        elif len(place.keywords.get("allOf", ())) == 1:
            place = place.child("allOf", 0)
        else:
            return place


def _branches(place: Place) -> list[Place]:
    return [place.child(key, i) for key in ("anyOf", "oneOf") for i in range(len(place.keywords.get(key, ())))]


def _have_disjoint_tags(first: Place, second: Place) -> bool:
    shared = set(first.keywords.get("required", ())) & set(second.keywords.get("required", ()))
    return any(
        are_disjoint(first.child("properties", key), second.child("properties", key))
        for key in sorted(shared)
        if key in first.keywords.get("properties", {}) and key in second.keywords.get("properties", {})
    )
