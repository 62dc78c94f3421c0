"""Finds the text of the value or key that has just ended, by searching backwards in the written text."""

from __future__ import annotations

import re
from collections.abc import Callable
from json.encoder import encode_basestring

_SCALAR = frozenset(b"+-.0123456789Eaeflnrstu")
_STRING_OR_SPACE = re.compile(rb'("(?:[^"\\]|\\.)*")|[ \t\n\r]+', re.DOTALL)
_SPACES = re.compile(rb"[ \t\n\r]+")
_QUOTE, _BACKSLASH = 0x22, 0x5C


def ended_text(tail: Callable[[int], tuple[bytes, bool]], quote: bytes = b"") -> bytes:
    """Return the canonical bytes (no whitespace between tokens) of the value or key that ends where the text ends.

    tail: takes a length; gives about that many of the last bytes, and True if these are all.
    quote: mark around strings, in documents with bare names; empty for JSON.
    """
    length = 16
    while True:
        text, is_all = tail(length)
        start = _marked_start(text, quote) if quote else _start(text)
        if start is not None and (start > 0 or is_all):
            ended = text[start:]
            return _without_marks(ended, quote) if quote else _STRING_OR_SPACE.sub(lambda one: one[1] or b"", ended)
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


# ---- Strings between marks.


def _marked_start(text: bytes, quote: bytes) -> int | None:
    """Like `_start`, if strings stand between marks. The text may also end with a name's colon."""
    if text.endswith(b":"):
        index = max(text.rfind(b"{"), text.rfind(b",")) + 1
        return len(text) - len(text[index:].lstrip()) if index else None
    depth, index = 0, len(text)
    while index > 0:
        if text.endswith(quote, 0, index):
            index = text.rfind(quote, 0, index - len(quote))
            if index < 0:
                return None
        elif text[index - 1] in b"}]":
            depth, index = depth + 1, index - 1
        elif text[index - 1] in b"{[":
            depth, index = depth - 1, index - 1
        elif depth == 0:
            return _start(text[:index])
        else:
            index -= 1
        if depth == 0:
            return index
    return None


def _without_marks(text: bytes, quote: bytes) -> bytes:
    """A value, or a name with its colon, as canonical JSON."""
    found, place = bytearray(), 0
    mark = re.escape(quote)
    for match in re.finditer(rb"%b(.*?)%b|([^\s,{}\[\]:][^,{}\[\]:]*):" % (mark, mark), text, re.DOTALL):
        found += _SPACES.sub(b"", text[place : match.start()])
        string = match[2] if match[1] is None else match[1]
        found += encode_basestring(string.decode()).encode() + (b":" if match[1] is None else b"")
        place = match.end()
    return bytes(found + _SPACES.sub(b"", text[place:])).removesuffix(b":")
