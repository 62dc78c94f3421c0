"""`as_others_read`: rewrites a schema so that by the standard it means what other libraries read in the given one.

Some libraries match each `pattern` with the whole string; by JSON Schema it may match anywhere in the string. Some
allow only members that a schema names; JSON Schema allows any.
"""

from __future__ import annotations

from typing import Any

from ..errors import InvalidRegexError
from ..regex import ecma
from .closed_objects import close_all_objects
from .keyword_table import SHAPES, held


def as_others_read(schema: Any, pattern: str, objects: str) -> Any:
    """A rewritten copy of the schema; the given one does not change.

    pattern: "full": patterns match the whole string; else as in the standard.
    objects: "closed": objects allow only the members that they name; else as in the standard.
    Raises UnsupportedSchemaError if an object can't be closed.
    """
    if objects == "closed":
        schema = close_all_objects(schema)
    return _with_full_patterns(schema) if pattern == "full" else schema


def _with_full_patterns(schema: Any) -> Any:
    """Copy a schema, and make each `pattern` match the whole string. A later check refuses invalid patterns."""
    if not isinstance(schema, dict):
        return schema
    copied = dict(schema)
    if isinstance(schema.get("pattern"), str):
        copied["pattern"] = _full(schema["pattern"])
    for keyword in SHAPES.keys() & schema.keys():
        copied[keyword] = _changed(schema[keyword], [keys for keys, _ in held(schema[keyword], SHAPES[keyword])])
    return copied


def _changed(value: Any, places: list[tuple[str | int, ...]]) -> Any:
    """Copy a keyword's value, and apply `_with_full_patterns` to some schemas. places: paths to these schemas."""
    if () in places:
        return _with_full_patterns(value)
    if not places or not isinstance(value, dict | list):
        return value
    inner: dict[str | int, list[tuple[str | int, ...]]] = {}
    for first, *rest in places:
        inner.setdefault(first, []).append(tuple(rest))
    items = value.items() if isinstance(value, dict) else enumerate(value)
    pairs = [(key, _changed(one, inner[key]) if key in inner else one) for key, one in items]
    return dict(pairs) if isinstance(value, dict) else [one for _, one in pairs]


def _full(pattern: str) -> str:
    try:
        ecma.search(pattern)
    except InvalidRegexError:
        return pattern
    return f"^(?:{pattern})$"
