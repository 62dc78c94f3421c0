"""`TextScanner`: reads the text of a custom tool's call from its arguments while they are written."""

from __future__ import annotations

import json
import re

from .arguments import ArgumentScanner, Scanned
from .custom import PARAMETER

_REPLACEMENT = "\ufffd"
_BEFORE = re.compile(rf'\s*\{{\s*"{PARAMETER}"\s*:\s*"')
_CHARACTER = re.compile(r'[^"\\]+|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^u]')
_PART_OF_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?$")


class TextScanner(ArgumentScanner):
    """Reads the text from the JSON that another scanner returns."""

    def __init__(self, inner: ArgumentScanner) -> None:
        self._inner = inner
        self._rest = ""
        self._is_begun = self._is_ended = False

    def push(self, text: str) -> Scanned:
        """See `ArgumentScanner.push`."""
        read = self._inner.push(text)
        return read._replace(arguments=self._decoded(read.arguments))

    def finish(self, text: str) -> str:
        """See `ArgumentScanner.finish`."""
        return self._decoded(self._inner.finish(text))

    def _decoded(self, arguments: str) -> str:
        """The new characters of the text."""
        self._rest += arguments
        if not self._is_begun and (before := _BEFORE.match(self._rest)) is not None:
            self._is_begun, self._rest = True, self._rest[before.end() :]
        if not self._is_begun or self._is_ended:
            return ""
        place, found = 0, []
        while (character := _CHARACTER.match(self._rest, place)) and not _PART_OF_PAIR.match(self._rest, place):
            found.append(_value(character[0]))
            place = character.end()
        self._is_ended = self._rest.startswith('"', place)
        self._rest = self._rest[place:]
        return "".join(found)


def _value(spelled: str) -> str:
    """The characters of a part of a JSON string. Half of a surrogate pair becomes U+FFFD, since no text can contain
    it.
    """
    value: str = json.loads(f'"{spelled}"')
    return _REPLACEMENT if "\ud800" <= value <= "\udfff" else value
