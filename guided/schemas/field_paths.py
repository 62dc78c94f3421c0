"""`field_paths`: the fields that a schema describes.

A path consists of the keys from the root on, with "*" for every item of an array: ("lines", "*", "price").
"""

from __future__ import annotations

from collections import deque
from typing import Any

from guided.grammars.json_paths import resolve

FieldPath = tuple[str, ...]
ITEM = "*"
MAX_PATHS = 2_000
MAX_DEPTH = 12
_SAME_VALUE = ("allOf", "anyOf", "oneOf")


def field_paths(schema: Any) -> list[FieldPath]:
    """The fields of a schema from its `properties` and items, without the root, outer ones first.

    References into the schema itself are followed, recursive ones once. At most MAX_PATHS fields, MAX_DEPTH deep.
    """
    found: dict[FieldPath, None] = {}
    pending: deque[tuple[Any, FieldPath, tuple[str, ...]]] = deque([(schema, (), ())])
    seen: set[tuple[int, FieldPath]] = set()
    while pending and len(found) < MAX_PATHS:
        part, path, references = pending.popleft()
        if not isinstance(part, dict) or (id(part), path) in seen or len(path) > MAX_DEPTH:
            continue
        seen.add((id(part), path))
        if path:
            found[path] = None
        pending += [(one, path, references) for one in _of_the_same_value(part)]
        pending += [(one, path + (key,), references) for key, one in _members(part)]
        reference = part.get("$ref")
        if isinstance(reference, str) and reference not in references:
            pending.append((resolve(schema, reference), path, references + (reference,)))
    return list(found)


def _of_the_same_value(part: dict[str, Any]) -> list[Any]:
    branches = [branch for keyword in _SAME_VALUE if isinstance(part.get(keyword), list) for branch in part[keyword]]
    return branches + [part[keyword] for keyword in ("then", "else") if keyword in part]


def _members(part: dict[str, Any]) -> list[tuple[str, Any]]:
    properties = part.get("properties")
    members = list(properties.items()) if isinstance(properties, dict) else []
    items = part.get("items")
    for item in items if isinstance(items, list) else [items]:
        members.append((ITEM, item))
    members += [(ITEM, item) for item in part.get("prefixItems", []) if isinstance(part.get("prefixItems"), list)]
    return members
