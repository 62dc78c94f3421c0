"""`KnownValues`: a given value as a place in a document lets it be written, with the class that it then returns."""

from __future__ import annotations

import json
from typing import Any

from ..automaton import layout as at
from ..automaton.frames import Frame, Lexeme, ValueSpec
from ..automaton.words import spell
from ..regex.algebra import matches
from ..watch import checkpoint
from .other_containers import text_of_json
from .spaces import Spaces

Written = tuple[bytes, int]
"""A text with its class. Of a container: the text of what is left of it, and its class."""


class KnownValues:
    """For documents with some whitespace."""

    def __init__(self, spaces: Spaces) -> None:
        self._spaces = spaces

    def written(self, spec: ValueSpec, text: bytes) -> Written | None:
        """A value as a spec lets it be written, and what it returns; None where it may not come.

        text: of the value, as `text_of_value` writes it. Keys come in the first order that the frames take.
        """
        if text[:1] not in b"{[":
            returned = _class_of_scalar(spec, text)
            return None if returned is None else (text, returned)
        frame = spec.object if text[:1] == b"{" else spec.array
        if frame is None or text in spec.excluded_containers:
            return None
        value = json.loads(text)
        rest = self._members(frame, value, b"") if isinstance(value, dict) else self._items(frame, value)
        first = at.FIRST_KEY if isinstance(value, dict) else at.FIRST_ITEM
        return None if rest is None else (text[:1] + self._spaces.of(first) + rest[0], rest[1])

    def _items(self, frame: Frame, values: list[Any]) -> Written | None:
        """The items of an array that was opened, and its end."""
        found, separator = b"", b""
        for value in values:
            checkpoint()
            spec = frame.value_spec()
            item = None if spec is None else self.written(spec, text_of_json(value))
            if spec is None or item is None:
                return None
            text, returned = item
            following = frame.on_capture(returned, text_of_json(value)) if spec.captures else frame.on_return(returned)
            if following is None:
                return None
            found += separator + text + self._spaces.of(at.AFTER_ITEM)
            separator, frame = b"," + self._spaces.of(at.VALUE), following
        completion = frame.close_class
        return None if completion is None else (found + b"]", completion)

    def _members(self, frame: Frame, left: dict[str, Any], separator: bytes) -> Written | None:
        """The members of an object that are left, and its end."""
        checkpoint()
        if not left:
            completion = frame.close_class
            return None if completion is None else (b"}", completion)
        for name, value in left.items():
            member = _member(frame, name)
            spec = None if member is None else member.value_spec()
            found = None if spec is None else self.written(spec, text_of_json(value))
            if member is None or found is None:
                continue
            following = member.on_return(found[1])
            others = {key: other for key, other in left.items() if key != name}
            next_separator = b"," + self._spaces.of(at.KEY)
            rest = None if following is None else self._members(following, others, next_separator)
            if rest is not None:
                colon = self._spaces.of(at.COLON) + b":" + self._spaces.of(at.VALUE)
                text = separator + b'"' + spell(name) + b'"' + colon + found[0] + self._spaces.of(at.AFTER_MEMBER)
                return text + rest[0], rest[1]
        return None


def _member(frame: Frame, name: str) -> Frame | None:
    """The frame of the value of a key; None where it may not come next."""
    keys = frame.key_spec()
    if keys is None:
        return None
    if name in keys.words:
        return frame.on_return(keys.words[name])
    returned = None if name in keys.excluded else _class_in(keys.open, name)
    return None if returned is None else frame.on_capture(returned, b'"' + spell(name) + b'"')


def _class_of_scalar(spec: ValueSpec, text: bytes) -> int | None:
    """The class of a scalar that is written like this; None where it may not come."""
    if text in (b"true", b"false", b"null"):
        return dict(spec.literals).get(text)
    if text[:1] == b'"':
        word = json.loads(text)
        return None if word in spec.excluded_strings else _class_in(spec.strings, word)
    return None if text.decode() in spec.excluded_numbers else _class_in(spec.numbers, text.decode())


def _class_in(lexeme: Lexeme, word: str) -> int | None:
    return next((returned for language, returned in lexeme if matches(language, word)), None)
