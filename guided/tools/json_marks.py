"""`JsonMarks`: the strings and the end of a JSON text, found by its quotes and brackets alone."""

from __future__ import annotations

import re

_OUTSIDE = re.compile(r'[{}\[\]"]')
_IN_STRING = re.compile(r'\\.?|"', re.DOTALL)


class JsonMarks:
    """Follows one JSON text. `read` takes its pieces, of any size. A text that is no JSON gives no error.

    string_start: attribute; position after the opening quote of the open string or key; None outside of strings.
    is_over: attribute; the outermost array or object has been closed.
    """

    def __init__(self) -> None:
        self.string_start: int | None = None
        self.is_over = False
        self._num_read = 0
        self._depth = 0
        self._is_escaped = False

    def read(self, text: str) -> int:
        """Read on, at most to the end of the JSON text. Returns the number of characters read."""
        place = 0
        if self._is_escaped and text:
            place, self._is_escaped = 1, False
        while not self.is_over and (
            found := (_OUTSIDE if self.string_start is None else _IN_STRING).search(text, place)
        ):
            place = found.end()
            if found[0] == '"':
                self.string_start = None if self.string_start is not None else self._num_read + place
            elif self.string_start is not None:
                self._is_escaped = found[0] == "\\"  # the text ends before the escaped character
            else:
                self._depth += 1 if found[0] in "{[" else -1
                self.is_over = self._depth == 0
        num_read = place if self.is_over else len(text)
        self._num_read += num_read
        return num_read
