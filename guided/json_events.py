"""A JSON document while it is written: the values that each piece of text begins, continues and ends.

The reader also knows the place that the text has reached. Values have JSON pointers (RFC 6901). The text may come in
pieces or whole. `JsonTextError` is raised at the character where a text stops being JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from guided.grammars.errors import InvalidInputError
from guided.grammars.json_paths import escape

EventKind = Literal["start", "delta", "done"]
Mode = Literal["value", "key", "name", "colon", "after", "string", "scalar", "end"]
"""What comes next. "key": a key or the end of an object. "name", "string", "scalar": the rest of a key, a string, a
number or literal. "after": a comma or the end of a container. "end": nothing.
"""

WHITESPACE = " \t\n\r"
_SPACE = re.compile(f"[{WHITESPACE}]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]+')  # characters of a string without an escape
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_SCALAR = re.compile(r"[-+.0-9a-zA-Z]+")  # characters of numbers, true, false, null
_KINDS = {'"': "string", "{": "object", "[": "array", "t": "boolean", "f": "boolean", "n": "null"}
_HIGH_SURROGATES = range(0xD800, 0xDC00)
_LOW_SURROGATES = range(0xDC00, 0xE000)


class JsonTextError(InvalidInputError):
    """The text is not a JSON document. position: index of the first wrong character."""

    def __init__(self, reason: str, position: int) -> None:
        self.position = position
        super().__init__(f"the text is no JSON document: {reason} at character {position}")


@dataclass(frozen=True)
class FieldEvent:
    """A step of a value. Every value has a "start" and a "done"; strings, numbers and literals have deltas between.

    pointer: JSON pointer of the value; "" is the document.
    delta: new characters of a string, with escapes resolved; new text of a number or literal.
    value: with "done", the value: str, int, float, bool, None, list or dict; floats as in `Extraction.data`.
    start: index of the value's first character in the document.
    end: with "done", index after its last character.
    spans: with "done", for a quote of a source, all its places there, see `QuotePlaces`; else None.
    """

    kind: EventKind
    pointer: str
    delta: str = ""
    value: Any = None
    start: int = 0
    end: int | None = None
    spans: tuple[tuple[int, int], ...] | None = None


@dataclass
class OpenContainer:
    """A container that is being written.

    value: its complete members or items.
    start: index of its first character in the document.
    key: key of the next or newest member, in an object.
    """

    pointer: str
    value: dict[str, Any] | list[Any]
    start: int
    key: str = ""

    @property
    def step(self) -> str | int:
        """The key or index of the value that is open or comes next."""
        return len(self.value) if isinstance(self.value, list) else self.key

    @property
    def kind(self) -> Literal["object", "array"]:
        """Its type."""
        return "array" if isinstance(self.value, list) else "object"

    def put(self, value: Any) -> None:
        """Add a complete member or item."""
        if isinstance(self.value, list):
            self.value.append(value)
        else:
            self.value[self.key] = value


class JsonEventReader:
    """Reads one document. `push` takes its text in pieces of any size; `close` marks its end.

    parse_float: function that converts the text of a number with a point or an exponent.

    Attributes:
        containers: the open containers, the outermost first.
        mode: the next part of the text, see `Mode`.
        value_kind: type of the open string, number or literal, or of the last value; None before the first value.
    """

    def __init__(self, parse_float: Callable[[str], float] = float) -> None:
        self.containers: list[OpenContainer] = []
        self.mode: Mode = "value"
        self.value_kind: str | None = None
        self._parse_float = parse_float
        self._text = ""  # the text of this `push`, after what the last one could not read
        self._index = 0  # index in `_text` of the first character that is not read
        self._before = 0  # number of the document's characters before `_text`
        self._readers: Mapping[Mode, Callable[[], bool]] = {
            "value": self._read_value,
            "key": self._read_key,
            "name": self._read_string,
            "colon": self._read_colon,
            "after": self._read_separator,
            "string": self._read_string,
            "scalar": self._read_scalar,
            "end": self._read_end,
        }
        self._events: list[FieldEvent] = []
        self._pointer, self._start = "", 0  # pointer and start of the current string, number or literal
        self._parts: list[str] = []  # decoded parts of that string, number or literal
        self._may_close = False  # the container has just been opened
        self._whole: list[Any] = []  # the document, once it is complete

    @property
    def steps(self) -> list[str | int]:
        """The keys and indexes that lead from the root to the next value, the open value or the last value.

        While a key is expected or half written, the steps lead to the object that holds the key.
        """
        steps = [one.step for one in self.containers]
        if self.mode in ("key", "name"):
            del steps[-1]
        elif self.mode == "after" and isinstance(steps[-1], int):
            steps[-1] -= 1  # the last item is complete
        return steps

    @property
    def part(self) -> str:
        """The characters so far of the open key, string, number or literal, without an escape that is not complete."""
        return "".join(self._parts)

    def push(self, text: str) -> list[FieldEvent]:
        """The events of the next piece of text. Raises JsonTextError if the text can't continue as JSON."""
        self._before += self._index
        self._text, self._index = self._text[self._index :] + text, 0
        while self._index < len(self._text) and self._readers[self.mode]():
            pass
        events, self._events = self._events, []
        return events

    def close(self) -> list[FieldEvent]:
        """The last events, after the whole text. Raises JsonTextError if the document is not complete."""
        length = self._before + len(self._text)
        events = self.push(" ")  # ends a number that is the whole document
        if self.mode != "end":
            raise JsonTextError("it ends too early", length)
        return events

    def so_far(self) -> tuple[Any, frozenset[str]]:
        """The document so far (None before it begins), and the pointers of the values that are being written.

        A string has its characters so far. A number or literal appears when it has ended.
        """
        found: list[Any] = []
        unfinished = [one.pointer for one in self.containers]
        if self.mode == "string":
            found = [self.part]
            unfinished.append(self._pointer)
        for one in reversed(self.containers):
            if isinstance(one.value, list):
                found = [[*one.value, *found]]
            else:
                found = [{**one.value, **({one.key: found[0]} if found else {})}]
        return (found or self._whole or [None])[0], frozenset(unfinished)

    @property
    def _position(self) -> int:
        """Index in the document of the first character that is not read."""
        return self._before + self._index

    @property
    def _next(self) -> str:
        """The first character that is not read; "" at the end of the text so far."""
        return self._text[self._index : self._index + 1]

    def _take(self, count: int) -> str:
        start = self._index
        self._index += count
        return self._text[start : self._index]

    def _fail(self, expected: str) -> JsonTextError:
        return JsonTextError(f"{self._next!r} where {expected} is expected", self._position)

    def _skip_whitespace(self) -> bool:
        match = _SPACE.match(self._text, self._index)
        assert match is not None
        self._index = match.end()
        return self._index < len(self._text)

    def _read_value(self) -> bool:
        """Read the beginning of a value, or the end of an empty array."""
        if not self._skip_whitespace():
            return False
        first = self._next
        if first == "]" and self._may_close:
            self._close_container()
            return True
        inner = self.containers[-1] if self.containers else None
        pointer = "" if inner is None else f"{inner.pointer}/{escape(str(inner.step))}"
        self._may_close = False
        if first not in '"{[' and not _SCALAR.match(first):
            raise self._fail("a value")
        self._pointer, self._start, self._parts = pointer, self._position, []
        self._add(FieldEvent("start", pointer, start=self._start))
        self.value_kind = _KINDS.get(first, "number")
        if first in "{[":
            self._take(1)
            self.containers.append(OpenContainer(pointer, {} if first == "{" else [], self._start))
            self._may_close = True
            self.mode = "key" if first == "{" else "value"
        elif first == '"':
            self._take(1)
            self.mode = "string"
        else:
            self.mode = "scalar"
        return True

    def _add(self, event: FieldEvent) -> None:
        """Keep an event for the result of `push`."""
        self._events.append(event)

    def _read_key(self) -> bool:
        if not self._skip_whitespace():
            return False
        if self._next == "}" and self._may_close:
            self._close_container()
            return True
        if self._next != '"':
            raise self._fail("a key")
        self._take(1)
        self._may_close, self._parts = False, []
        self.mode = "name"
        return True

    def _read_string(self) -> bool:
        """Read the available part of a key's or a value's string."""
        pieces: list[str] = []
        while self._next not in ("", '"'):
            piece = self._next_characters()
            if piece is None:
                break
            pieces.append(piece)
        text = "".join(pieces)
        self._parts.append(text)
        if text and self.mode == "string":
            self._add(FieldEvent("delta", self._pointer, delta=text, start=self._start))
        if self._next != '"':
            return False
        self._take(1)
        if self.mode == "name":
            self.containers[-1].key = self.part
            self.mode = "colon"
        else:
            self._end_value(self.part, self._pointer, self._start)
        return True

    def _next_characters(self) -> str | None:
        """The next characters of a string; None while an escape is not complete."""
        plain = _PLAIN.match(self._text, self._index)
        if plain:
            return self._take(len(plain[0]))
        escape = _ESCAPE.match(self._text, self._index)
        if escape is None:
            if self._next == "\\" and len(self._text) - self._index < len("\\u0000"):
                return None
            raise self._fail("a character of a string")
        if escape[0][1] != "u":
            return _ESCAPED[self._take(2)[1]]
        code = int(escape[0][2:], 16)
        if code in _HIGH_SURROGATES:
            pair = self._text[escape.end() : escape.end() + len("\\u0000")]
            if len(pair) < len("\\u0000") and "\\u".startswith(pair[:2]):
                return None  # the other half may follow
            other = _ESCAPE.match(pair)
            if other and other[0][1] == "u" and int(other[0][2:], 16) in _LOW_SURROGATES:
                return str(json.loads(f'"{self._take(len(escape[0]) + len(other[0]))}"'))
        self._take(len(escape[0]))
        return chr(code)

    def _read_scalar(self) -> bool:
        """Read the available part of a number or literal; another character ends it."""
        match = _SCALAR.match(self._text, self._index)
        if match:
            text = self._take(len(match[0]))
            self._parts.append(text)
            self._add(FieldEvent("delta", self._pointer, delta=text, start=self._start))
        if not self._next:
            return False
        text = self.part
        try:
            value = json.loads(text, parse_float=self._parse_float, parse_constant=refuse_constant)
        except ValueError:
            raise JsonTextError(f"{text!r} is no value", self._start) from None
        self._end_value(value, self._pointer, self._start)
        return True

    def _read_colon(self) -> bool:
        if not self._skip_whitespace():
            return False
        if self._next != ":":
            raise self._fail("':'")
        self._take(1)
        self.mode = "value"
        return True

    def _read_separator(self) -> bool:
        if not self._skip_whitespace():
            return False
        is_object = self.containers[-1].kind == "object"
        if self._next == ",":
            self._take(1)
            self.mode = "key" if is_object else "value"
        elif self._next == ("}" if is_object else "]"):
            self._close_container()
        else:
            raise self._fail("',' or the end of the container")
        return True

    def _read_end(self) -> bool:
        if self._skip_whitespace():
            raise self._fail("the end of the document")
        return False

    def _close_container(self) -> None:
        self._take(1)
        self._may_close = False
        done = self.containers.pop()
        self.value_kind = done.kind
        self._end_value(done.value, done.pointer, done.start)

    def _end_value(self, value: Any, pointer: str, start: int) -> None:
        self._add(FieldEvent("done", pointer, value=value, start=start, end=self._position))
        if self.containers:
            self.containers[-1].put(value)
        else:
            self._whole = [value]
        self.mode = "after" if self.containers else "end"


def read_json_events(pieces: Iterable[str]) -> Iterator[FieldEvent]:
    """The events of a document whose text comes in pieces. Raises JsonTextError if the text is not JSON."""
    reader = JsonEventReader()
    for piece in pieces:
        yield from reader.push(piece)
    yield from reader.close()


def refuse_constant(name: str) -> None:
    """Refuse NaN and infinities, as the `parse_constant` of `json.loads`. Raises ValueError."""
    raise ValueError(f"{name} is no value of JSON")
