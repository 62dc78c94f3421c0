"""Events of a JSON document while it is written: the values that each piece of text begins, continues and ends.

Values have JSON pointers (RFC 6901). The text may come in pieces or whole. `JsonTextError` is raised at the character
where a text stops being JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from guided.grammars.errors import InvalidInputError
from guided.grammars.json_paths import escape

EventKind = Literal["start", "delta", "done"]

WHITESPACE = " \t\n\r"
_PLAIN = re.compile(r'[^"\\\x00-\x1f]+')  # characters of a string without an escape
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_SCALAR = re.compile(r"[-+.0-9a-zA-Z]+")  # numbers, true, false, null
_HIGH_SURROGATES = range(0xD800, 0xDC00)
_LOW_SURROGATES = range(0xDC00, 0xE000)


class JsonTextError(InvalidInputError):
    """The text is not a JSON document. position: index of the first wrong character."""

    def __init__(self, reason: str, position: int) -> None:
        self.position = position
        super().__init__(f"the text is no JSON document: {reason} at character {position}")


@dataclass(frozen=True)
class FieldEvent:
    """One step of one value. Every value has a "start" and a "done"; strings, numbers and literals have deltas between.

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
class _Open:
    """A container that is being written. key: key of the next member, in an object."""

    pointer: str
    value: dict[str, Any] | list[Any]
    start: int
    key: str = ""

    def child_pointer(self) -> str:
        name = str(len(self.value)) if isinstance(self.value, list) else escape(self.key)
        return f"{self.pointer}/{name}"

    def put(self, value: Any) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        else:
            self.value[self.key] = value


class JsonEventReader:
    """Reads one document. `push` takes its text in pieces of any size; `close` marks its end.

    parse_float: function that converts the text of a number with a point or an exponent.
    """

    def __init__(self, parse_float: Callable[[str], float] = float) -> None:
        self._parse_float = parse_float
        self._rest = ""  # text that can't be read before more arrives
        self._position = 0  # index of `_rest` in the document
        self._open: list[_Open] = []
        self._state: Callable[[], bool] = self._read_value
        self._events: list[FieldEvent] = []
        self._pointer, self._start = "", 0  # pointer and start of the current string, number or literal
        self._parts: list[str] = []  # its decoded parts
        self._is_key = False
        self._may_close = False  # the container has just been opened
        self._whole: list[Any] = []  # the document, once it is complete

    def push(self, text: str) -> list[FieldEvent]:
        """The events of the next piece of text. Raises JsonTextError if the text can't continue as JSON."""
        self._rest += text
        while self._rest and self._state():
            pass
        events, self._events = self._events, []
        return events

    def close(self) -> list[FieldEvent]:
        """The last events, after the whole text. Raises JsonTextError if the document is not complete."""
        length = self._position + len(self._rest)
        events = self.push(" ")  # ends a number that is the whole document
        if self._state != self._read_end:
            raise JsonTextError("it ends too early", length)
        return events

    def so_far(self) -> tuple[Any, frozenset[str]]:
        """The document so far (None before it begins), and the pointers of the values that are being written.

        A string has its characters so far. A number or literal appears when it has ended.
        """
        found: list[Any] = []
        unfinished = [one.pointer for one in self._open]
        if self._state == self._read_string and not self._is_key:
            found = ["".join(self._parts)]
            unfinished.append(self._pointer)
        for one in reversed(self._open):
            if isinstance(one.value, list):
                found = [[*one.value, *found]]
            else:
                found = [{**one.value, **({one.key: found[0]} if found else {})}]
        return (found or self._whole or [None])[0], frozenset(unfinished)

    def _take(self, count: int) -> str:
        taken, self._rest = self._rest[:count], self._rest[count:]
        self._position += count
        return taken

    def _fail(self, expected: str) -> JsonTextError:
        return JsonTextError(f"{self._rest[0]!r} where {expected} is expected", self._position)

    def _skip_whitespace(self) -> bool:
        self._take(len(self._rest) - len(self._rest.lstrip(WHITESPACE)))
        return bool(self._rest)

    def _read_value(self) -> bool:
        """Read the beginning of a value, or the end of an empty array."""
        if not self._skip_whitespace():
            return False
        first = self._rest[0]
        if first == "]" and self._may_close:
            self._close_container()
            return True
        pointer = self._open[-1].child_pointer() if self._open else ""
        self._may_close = False
        if first not in '"{[' and not _SCALAR.match(first):
            raise self._fail("a value")
        self._pointer, self._start, self._parts = pointer, self._position, []
        self._events.append(FieldEvent("start", pointer, start=self._start))
        if first in "{[":
            self._take(1)
            self._open.append(_Open(pointer, {} if first == "{" else [], self._start))
            self._may_close = True
            self._state = self._read_key if first == "{" else self._read_value
        elif first == '"':
            self._take(1)
            self._is_key = False
            self._state = self._read_string
        else:
            self._state = self._read_scalar
        return True

    def _read_key(self) -> bool:
        if not self._skip_whitespace():
            return False
        if self._rest[0] == "}" and self._may_close:
            self._close_container()
            return True
        if self._rest[0] != '"':
            raise self._fail("a key")
        self._take(1)
        self._may_close, self._is_key, self._parts = False, True, []
        self._state = self._read_string
        return True

    def _read_string(self) -> bool:
        """Read the available part of a key's or a value's string."""
        pieces: list[str] = []
        while self._rest and self._rest[0] != '"':
            piece = self._next_characters()
            if piece is None:
                break
            pieces.append(piece)
        text = "".join(pieces)
        self._parts.append(text)
        if text and not self._is_key:
            self._events.append(FieldEvent("delta", self._pointer, delta=text, start=self._start))
        if not self._rest or self._rest[0] != '"':
            return False
        self._take(1)
        if self._is_key:
            self._open[-1].key = "".join(self._parts)
            self._state = self._read_colon
        else:
            self._end_value("".join(self._parts), self._pointer, self._start)
        return True

    def _next_characters(self) -> str | None:
        """The next characters of a string; None while an escape is not complete."""
        plain = _PLAIN.match(self._rest)
        if plain:
            return self._take(plain.end())
        escape = _ESCAPE.match(self._rest)
        if escape is None:
            if self._rest[0] == "\\" and len(self._rest) < len("\\u0000"):
                return None
            raise self._fail("a character of a string")
        code = int(escape[0][2:], 16) if escape[0][1] == "u" else 0
        if code in _HIGH_SURROGATES:
            pair = self._rest[escape.end() :]
            if len(pair) < len("\\u0000") and "\\u".startswith(pair[:2]):
                return None  # the other half may follow
            other = _ESCAPE.match(pair)
            if other and other[0][1] == "u" and int(other[0][2:], 16) in _LOW_SURROGATES:
                return str(json.loads(f'"{self._take(escape.end() + other.end())}"'))
        return str(json.loads(f'"{self._take(escape.end())}"'))

    def _read_scalar(self) -> bool:
        """Read the available part of a number or literal; another character ends it."""
        match = _SCALAR.match(self._rest)
        if match:
            text = self._take(match.end())
            self._parts.append(text)
            self._events.append(FieldEvent("delta", self._pointer, delta=text, start=self._start))
        if not self._rest:
            return False
        text = "".join(self._parts)
        try:
            value = json.loads(text, parse_float=self._parse_float, parse_constant=refuse_constant)
        except ValueError:
            raise JsonTextError(f"{text!r} is no value", self._start) from None
        self._end_value(value, self._pointer, self._start)
        return True

    def _read_colon(self) -> bool:
        if not self._skip_whitespace():
            return False
        if self._rest[0] != ":":
            raise self._fail("':'")
        self._take(1)
        self._state = self._read_value
        return True

    def _read_separator(self) -> bool:
        if not self._skip_whitespace():
            return False
        is_object = isinstance(self._open[-1].value, dict)
        if self._rest[0] == ",":
            self._take(1)
            self._state = self._read_key if is_object else self._read_value
        elif self._rest[0] == ("}" if is_object else "]"):
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
        done = self._open.pop()
        self._end_value(done.value, done.pointer, done.start)

    def _end_value(self, value: Any, pointer: str, start: int) -> None:
        self._events.append(FieldEvent("done", pointer, value=value, start=start, end=self._position))
        if self._open:
            self._open[-1].put(value)
        else:
            self._whole = [value]
        self._state = self._read_separator if self._open else self._read_end


def read_json_events(pieces: Iterable[str]) -> Iterator[FieldEvent]:
    """The events of a document whose text comes in pieces. Raises JsonTextError if the text is not JSON."""
    reader = JsonEventReader()
    for piece in pieces:
        yield from reader.push(piece)
    yield from reader.close()


def refuse_constant(name: str) -> None:
    """Refuse NaN and infinities, as the `parse_constant` of `json.loads`. Raises ValueError."""
    raise ValueError(f"{name} is no value of JSON")
