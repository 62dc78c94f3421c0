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

    def push(self, text: str) -> Scanned:
        """See `ArgumentScanner.push`. Raises JsonTextError if the arguments are no JSON."""
        read = self._inner.push(text)
        return read._replace(arguments=self._decoded(read.arguments))

    def finish(self, text: str) -> str:
        """See `ArgumentScanner.finish`."""
        return self._decoded(self._inner.finish(text))

    def _decoded(self, arguments: str) -> str:
        """The new characters of the text. Half of a surrogate pair becomes U+FFFD, since no text can contain it."""
        events = self._reader.push(arguments)
        text = "".join([one.delta for one in events if one.kind == "delta" and one.pointer == _POINTER])
        return _HALF_PAIR.sub(_REPLACEMENT, text)
