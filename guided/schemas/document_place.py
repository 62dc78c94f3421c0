"""`DocumentPlace`: which keys and indexes lead to the end of a half-written JSON document, and what is open there."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from guided.grammars.json_paths import escape

from .field_paths import ITEM, FieldPath

Mode = Literal["value", "key", "name", "colon", "after", "string", "scalar", "end"]
"""What comes next. "key": a key or the end of an object. "name", "string", "scalar": the rest of one. "after": a comma
or the end of a container. "end": nothing.
"""

_KINDS = {ord('"'): "string", ord("{"): "object", ord("["): "array", ord("t"): "boolean", ord("f"): "boolean"}


@dataclass
class OpenContainer:
    """An object or array that is not closed yet.

    members: the complete scalars in it, by key or index.
    """

    kind: Literal["object", "array"]
    members: dict[str | int, Any] = field(default_factory=dict)
    key: str | int | None = None  # key or index of the next value, the open value or the last value
    num_items: int = 0


class DocumentPlace:
    """Which place of a valid JSON document its text has reached. `feed` takes the text in pieces of any size.

    containers: the open containers, the outermost first.
    mode: what comes next.
    value_kind: the type of the open scalar or of the last value.
    part: the bytes of the open name, string or scalar.
    begun: the paths of all values so far, see `path`.
    """

    def __init__(self) -> None:
        self.containers: list[OpenContainer] = []
        self.mode: Mode = "value"
        self.value_kind: str | None = None
        self.part = bytearray()
        self.begun: set[FieldPath] = set()
        self._is_escaped = False

    @classmethod
    def after(cls, text: bytes) -> DocumentPlace:
        """The place at the end of a text."""
        place = cls()
        place.feed(text)
        return place

    @property
    def steps(self) -> list[str | int]:
        """The keys and indexes that lead from the root to the next value, the open value or the last value.

        While a key is expected or half written, the steps lead to the object that holds the key.
        """
        steps = [one.key for one in self.containers if one.key is not None]
        is_at_key = self.mode in ("key", "name") and self.containers and self.containers[-1].key is not None
        return steps[:-1] if is_at_key else steps

    @property
    def pointer(self) -> str:
        """`steps` as a JSON pointer."""
        return "".join([f"/{escape(str(step))}" for step in self.steps])

    @property
    def path(self) -> FieldPath:
        """The field of the next or open value; of the object between its members."""
        steps = self.steps[:-1] if self.mode == "after" and self.is_in_object else self.steps
        return tuple([step if isinstance(step, str) else ITEM for step in steps])

    @property
    def is_in_object(self) -> bool:
        """True if the innermost open container is an object."""
        return bool(self.containers) and self.containers[-1].kind == "object"

    @property
    def is_at_key(self) -> bool:
        """True if a key is expected or half written."""
        return self.mode in ("key", "name")

    def feed(self, text: bytes) -> None:
        """Read more of the document."""
        for byte in text:
            if self.mode in ("string", "name"):
                self._in_string(byte)
            elif byte in b" \t\r\n":
                if self.mode == "scalar":
                    self._end_scalar()
            else:
                self._structure(byte)

    def _in_string(self, byte: int) -> None:
        self.part.append(byte)
        if self._is_escaped:
            self._is_escaped = False
        elif byte == ord("\\"):
            self._is_escaped = True
        elif byte == ord('"'):
            if self.mode == "string":
                self._end_scalar()
            else:
                self.containers[-1].key = str(self._parsed())
                self.mode = "colon"

    def _structure(self, byte: int) -> None:
        if self.mode == "scalar":
            if byte not in b",]}":
                self.part.append(byte)
                return
            self._end_scalar()
        if byte in b"]}":
            self._close()
        elif byte == ord(","):
            self._next_member()
        elif byte == ord(":") and self.mode == "colon":
            self.mode = "value"
        elif self.mode == "key":
            self.part[:] = b'"'
            self.mode = "name"
        else:
            self._begin_value(byte)

    def _next_member(self) -> None:
        container = self.containers[-1]
        if container.kind == "object":
            self.mode, container.key = "key", None
            return
        container.num_items += 1
        self.mode, container.key = "value", container.num_items

    def _begin_value(self, byte: int) -> None:
        self.begun.add(self.path)
        self.value_kind = _KINDS.get(byte, "null" if byte == ord("n") else "number")
        if byte == ord("{"):
            self.containers.append(OpenContainer("object"))
            self.mode = "key"
        elif byte == ord("["):
            self.containers.append(OpenContainer("array", key=0))
            self.mode = "value"
        else:
            self.part[:] = bytes([byte])
            self.mode = "string" if byte == ord('"') else "scalar"

    def _end_scalar(self) -> None:
        if self.containers:
            container = self.containers[-1]
            assert container.key is not None
            container.members[container.key] = self._parsed()
        self._end_value()

    def _close(self) -> None:
        closed = self.containers.pop()
        self.value_kind = closed.kind
        self._end_value()

    def _end_value(self) -> None:
        self.mode = "after" if self.containers else "end"

    def _parsed(self) -> Any:
        """Return the scalar that has ended; None when it is no JSON, which only texts of other grammars contain."""
        try:
            return json.loads(self.part.decode("utf-8", "replace"), strict=False)
        except ValueError:
            return None
