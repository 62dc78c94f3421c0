"""Finds the text of the value or key that has just ended, by searching backwards in the written text."""

from __future__ import annotations

import re
from collections.abc import Callable

_SCALAR = frozenset(b"+-.0123456789Eaeflnrstu")
_STRING_OR_SPACE = re.compile(rb'("(?:[^"\\]|\\.)*")|[ \t\n\r]+', re.DOTALL)
_QUOTE, _BACKSLASH = 0x22, 0x5C


def ended_text(tail: Callable[[int], tuple[bytes, bool]]) -> bytes:
    """Return the canonical bytes (no whitespace between tokens) of the value or key that ends where the text ends.

    tail: takes a length; gives about that many of the last bytes, and True if these are all.
    """
    length = 16
    while True:
        text, is_all = tail(length)
        start = _start(text)
        if start is not None and (start > 0 or is_all):
            return _STRING_OR_SPACE.sub(lambda match: match[1] or b"", text[start:])
        assert not is_all, "a value has a beginning"
        length *= 4


def text_after(opening: bytes, tail: Callable[[int], tuple[bytes, bool]]) -> bytes:
    """Return the text behind the last mark that ends with `opening`. tail: as in `ended_text`."""
    length = 64
    while True:
        text, is_all = tail(length)
        place = text.rfind(opening)
        if place >= 0:
            return text[place + len(opening) :]
        assert not is_all, "a name has a mark before it"
        length *= 4


def _start(text: bytes) -> int | None:
    """Return the index where the last value begins; None if the given text does not reach that far back."""
    last = text[-1]
    if last == _QUOTE:
        return _string_start(text, len(text) - 1)
    if last in b"}]":
        return _container_start(text)
    index = len(text)
    while index and text[index - 1] in _SCALAR:
        index -= 1
    return index


def _string_start(text: bytes, end: int) -> int | None:
    """Return the index where the string with its closing quote at `end` begins; None if that is further back."""
    while True:
        end = text.rfind(b'"', 0, end)
        if end < 0:
            return None
        before = end
        while before and text[before - 1] == _BACKSLASH:
            before -= 1
        if (end - before) % 2 == 0:
            return end if before or end == 0 else None


def _container_start(text: bytes) -> int | None:
    """Return the index where the object or array closed by the last byte begins; None if that is further back."""
    depth, index = 0, len(text) - 1
    while index >= 0:
        byte = text[index]
        if byte == _QUOTE:
            start = _string_start(text, index)
            if start is None:
                return None
            index = start
        elif byte in b"}]":
            depth += 1
        elif byte in b"{[":
            depth -= 1
            if depth == 0:
                return index
        index -= 1
    return None
