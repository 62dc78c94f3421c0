"""`TextScanner`: reads the text of a custom tool's call from its arguments while they are written."""

from __future__ import annotations

import re

from ..json_events import JsonEventReader
from .arguments import ArgumentScanner, Scanned
from .custom import PARAMETER

_POINTER = f"/{PARAMETER}"
_REPLACEMENT = "\ufffd"
_HALF_PAIR = re.compile("[\ud800-\udfff]")


class TextScanner(ArgumentScanner):
    """Reads the text from the JSON that another scanner returns."""

    def __init__(self, inner: ArgumentScanner) -> None:
        self._inner = inner
        self._reader = JsonEventReader()
        self._num_chars = 0  # number of characters of the arguments so far
        self._is_text: bool | None = None  # the parameter's first value is being read, and is a string; None: not begun

    def push(self, text: str) -> Scanned:
        """See `ArgumentScanner.push`. Raises JsonTextError if the arguments are no JSON."""
        read = self._inner.push(text)
        return read._replace(arguments=self._decoded(read.arguments))

    def finish(self, text: str) -> str:
        """See `ArgumentScanner.finish`."""
        return self._decoded(self._inner.finish(text))

    def _decoded(self, arguments: str) -> str:
        """The new characters of the text. Half of a surrogate pair becomes U+FFFD, since no text can contain it."""
        text = ""
        for event in self._reader.push(arguments):
            if event.pointer != _POINTER:
                continue
            if event.kind == "start" and self._is_text is None:
                self._is_text = arguments[event.start - self._num_chars] == '"'
            elif event.kind == "done":
                self._is_text = False  # a repeated key changes nothing
            elif self._is_text:
                text += event.delta
        self._num_chars += len(arguments)
        return _HALF_PAIR.sub(_REPLACEMENT, text)
