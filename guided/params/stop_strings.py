"""`StringSearch`: where a text meets one of some strings, while it comes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence


class StringSearch:
    """One text. strings: what is looked for, none of them empty. first_open: where the first string begins that is not
    all there; the end of what was read, if there is none."""

    def __init__(self, strings: Sequence[str]) -> None:
        self._strings = sorted(set(strings))
        self.first_open = 0

    def push(self, text: str, start: int, num_new: int) -> Iterator[tuple[int, int]]:
        """Read more text. Each place where a string ends in it, and where this string began; in no order.

        text: what was read from `start` on, which is not behind `first_open`. num_new: characters of it that are new.
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
        """Whether more text may make one of the strings of this one."""
        place = bisect_left(self._strings, text)
        place += place < len(self._strings) and self._strings[place] == text  # this one is all there
        return place < len(self._strings) and self._strings[place].startswith(text)
