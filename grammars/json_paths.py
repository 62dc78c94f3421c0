"""Where a value stands in JSON, and what it is called there.

A path is cheap to extend; its JSON pointer (RFC 6901) is written only on demand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# None: the root; a text: the pointer that a reference led to; or (path of what holds it, key).
Path = Any


def pointer(path: Path) -> str:
    """The JSON pointer of the path, after the URI and "#" of its document when that is not the schema itself."""
    keys: list[str] = []
    while isinstance(path, tuple):
        path, key = path
        keys.append("/" + escape(str(key)))
    return (path or "") + "".join(reversed(keys))


def escape(key: str) -> str:
    """The key as a token of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1") if "/" in key or "~" in key else key


def unescape(token: str) -> str:
    """The key that a token of a JSON pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~") if "~" in token else token


def kind_name(value: Any) -> str:
    """What JSON calls a value, with its article."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def resolve(schema: Any, reference: Any) -> Any:
    """What a reference into the schema itself leads to; None for all others."""
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return None
    part = schema
    for name in map(unescape, reference.split("/")[1:]):
        if isinstance(part, list) and name.isdecimal() and int(name) < len(part):
            part = part[int(name)]
        else:
            part = part.get(name) if isinstance(part, Mapping) else None
    return part
