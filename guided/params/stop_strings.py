"""`StringSearch`: finds given strings in a text while the text arrives."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence


class StringSearch:
    """The search in one text.

    strings: the strings to find, none of them empty.
    first_open: attribute; position of the first place where the text may be the beginning of a string. If there is no
        such place, the end of the text so far.
    """

    def __init__(self, strings: Sequence[str]) -> None:
        self._strings = sorted(set(strings))
        self.first_open = 0

    def push(self, text: str, start: int, num_new: int) -> Iterator[tuple[int, int]]:
        """Read more text. Yields (end, start) of each string that ends in the new characters, in no order.

        text: the text read so far, from `start` on, with the new characters.
        start: position at which `text` begins; at most `first_open`.
        num_new: number of new characters at the end of `text`.
        """
        for string in self._strings:
            found = text.find(string, max(0, len(text) - num_new - len(string) + 1))
            while found >= 0:
                yield start + found + len(string), start + found
                found = text.find(string, found + 1)
        end = start + len(text)
        while self.first_open < end and not self._begins(text[self.first_open - start :]):
            self.first_open += 1

    def _begins(self, text: str) -> bool:
        """True if the text is a proper beginning of one of the strings."""
        place = bisect_left(self._strings, text)
        place += place < len(self._strings) and self._strings[place] == text  # skips the string that equals the text
        return place < len(self._strings) and self._strings[place].startswith(text)
