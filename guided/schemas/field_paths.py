"""Places of values: the fields that a schema describes, and the current place in a document that is being written.

A path consists of the keys from the root on, with "*" for every item of an array: ("lines", "*", "price").
"""

from __future__ import annotations

import json
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


class JsonPlace:
    """The current place in a valid JSON document that is fed in as bytes.

    path: attribute; path of the next or open value.
    begun: attribute; paths of all values so far.
    mode: attribute; the next part of the document: "value", "key" (or the object's end), "colon", "after" (a comma or
        an end). Inside a text: "string", "name" (of a member) or "scalar". After the document: "end".
    """

    def __init__(self) -> None:
        self.path: FieldPath = ()
        self.begun: set[FieldPath] = set()
        self.mode = "value"
        self._frames: list[int] = []
        self._name = bytearray()
        self._is_escaped = False

    @property
    def is_in_object(self) -> bool:
        """True if the innermost open container is an object."""
        return bool(self._frames) and self._frames[-1] == ord("{")

    def feed(self, text: bytes) -> None:
        """Read more of the document."""
        for byte in text:
            if self.mode in ("string", "name"):
                self._in_string(byte)
            elif byte in b" \t\r\n":
                if self.mode == "scalar":
                    self._end_value()
            else:
                self._structure(byte)

    def _in_string(self, byte: int) -> None:
        if self.mode == "name":
            self._name.append(byte)
        if self._is_escaped:
            self._is_escaped = False
        elif byte == ord("\\"):
            self._is_escaped = True
        elif byte == ord('"') and self.mode == "name":
            self.path += (json.loads(b'"' + self._name),)
            self.mode = "colon"
        elif byte == ord('"'):
            self._end_value()

    def _structure(self, byte: int) -> None:
        if self.mode == "scalar":
            if byte not in b",]}":
                return
            self._end_value()
        if byte in b"]}":
            self._close(byte)
        elif byte == ord(","):
            self.mode = "key" if self.is_in_object else "value"
        elif byte == ord(":") and self.mode == "colon":
            self.mode = "value"
        elif self.mode == "key":
            self._name.clear()
            self.mode = "name"
        else:
            self._begin_value(byte)

    def _begin_value(self, byte: int) -> None:
        self.begun.add(self.path)
        if byte in b"{[":
            self._frames.append(byte)
            self.mode = "key" if byte == ord("{") else "value"
            if byte == ord("["):
                self.path += (ITEM,)
        else:
            self.mode = "string" if byte == ord('"') else "scalar"

    def _close(self, byte: int) -> None:
        self._frames.pop()
        if byte == ord("]"):
            self.path = self.path[:-1]
        self._end_value()

    def _end_value(self) -> None:
        if self.is_in_object:
            self.path = self.path[:-1]
        self.mode = "after" if self._frames else "end"
