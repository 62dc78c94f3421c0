"""`JsonObjectScanner`: where a JSON object in a growing text ends."""

from __future__ import annotations

import re

_BRACKET_OR_QUOTE = re.compile(r'[{}\[\]"]')
_QUOTE_OR_ESCAPE = re.compile(r'["\\]')


class JsonObjectScanner:
    """Counts brackets outside of strings. The text is known to be JSON, so nothing else has to be looked at."""

    def __init__(self) -> None:
        self._depth = 0
        self._is_in_string = False
        self._is_escaped = False

    def push(self, text: str) -> int | None:
        """Take more of the text; the index in it just after the object's end, or None where the object goes on."""
        position = 0
        while position < len(text):
            position = self._in_string(text, position) if self._is_in_string else self._outside(text, position)
            if self._depth == 0 and position and not self._is_in_string:
                return position
        return None

    def _outside(self, text: str, position: int) -> int:
        found = _BRACKET_OR_QUOTE.search(text, position)
        if found is None:
            return len(text)
        if found[0] == '"':
            self._is_in_string = True
        else:
            self._depth += 1 if found[0] in "{[" else -1
        return found.end()

    def _in_string(self, text: str, position: int) -> int:
        if self._is_escaped:
            self._is_escaped = False
            return position + 1
        found = _QUOTE_OR_ESCAPE.search(text, position)
        if found is None:
            return len(text)
        if found[0] == '"':
            self._is_in_string = False
        else:
            self._is_escaped = True
        return found.end()
