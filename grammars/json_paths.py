"""Paths of values in JSON, and JSON's words for values.

A path is cheap to extend; the JSON pointer (RFC 6901) of a path is written only on demand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

_INDEX = re.compile("0|[1-9][0-9]{0,17}")  # an index by RFC 6901; a longer one is larger than any list

# A path: None for the root; a str, the pointer that a reference led to; or a tuple (path of the container, key).
Path = Any


def pointer(path: Path) -> str:
    """Return the path's JSON pointer. A path in another document begins with that document's URI and "#"."""
    keys: list[str] = []
    while isinstance(path, tuple):
        path, key = path
        keys.append("/" + escape(str(key)))
    return (path or "") + "".join(reversed(keys))


def escape(key: str) -> str:
    """Return a key escaped as one token of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1") if "/" in key or "~" in key else key


def unescape(token: str) -> str:
    """Return the key that one token of a JSON pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~") if "~" in token else token


def pointer_of(keys: Iterable[str | int]) -> str:
    """Return the JSON pointer of keys and indexes, the outermost first."""
    return "".join([f"/{escape(str(key))}" for key in keys])


def keys_of(pointer: str) -> tuple[str, ...]:
    """Return the keys in a JSON pointer, the outermost first. An index is a key, too."""
    return tuple(map(unescape, pointer.split("/")[1:]))


def kind_name(value: Any) -> str:
    """Return JSON's word for a value's type, with its article: "an object", "a string", "null"."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def resolve(schema: Any, reference: Any) -> Any:
    """Return the part of `schema` that a local reference such as "#/$defs/a" names; None for all other references."""
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return None
    part = schema
    for token in unquote(reference).split("/")[1:]:
        try:
            part = part_at(part, unescape(token))
        except LookupError:
            return None
    return part


def part_at(value: Any, key: str) -> Any:
    """Return the part of a JSON value that one key of a pointer names. Raises LookupError if there is none."""
    if isinstance(value, Mapping):
        return value[key]
    if isinstance(value, list) and _INDEX.fullmatch(key):
        return value[int(key)]
    raise LookupError(key)
