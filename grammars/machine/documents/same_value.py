"""Whether what is written of an array or object can still become the same JSON value as another.

The same value has many texts: the members of an object come in any order, and a number can be written in many ways.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from .words import quoted

_NUMBER = re.compile(rb"-?[0-9.eE+-]*")
_NUMBER_BYTES = frozenset(b"+-.0123456789eE")
_FLOAT_DIGITS = 15  # so many digits tell floats apart; further ones may not
_LITERALS = {None: b"null", True: b"true", False: b"false"}


def bytes_towards(written: bytes, text: bytes) -> frozenset[int] | None:
    """The bytes after which `written` may still become a text of the value of `text`; None when it can't any more.

    Both are canonical texts of a container (no whitespace outside of strings), `written` not to its end or to its end:
    then there are no such bytes. Of a number's bytes some may be among them that lead nowhere.
    """
    comparison = _Comparison(written)
    try:
        return frozenset() if comparison.value(_parsed(text)) else None
    except _EndOfTextError as end:
        return frozenset(end.expected)


class Number(str):
    """The text of a number inside of a parsed value."""

    __slots__ = ()


@lru_cache(maxsize=1024)
def _parsed(text: bytes) -> Any:
    return json.loads(text, parse_int=Number, parse_float=Number)


class _EndOfTextError(Exception):
    """What is written ends here, and goes well so far. expected: the bytes that may follow."""

    def __init__(self, expected: set[int]) -> None:
        super().__init__()
        self.expected = expected


class _Comparison:
    """Reads what is written beside a value. Methods say whether they read the same, and raise _EndOfTextError."""

    def __init__(self, written: bytes) -> None:
        self._written = written
        self._place = 0
        self._of_number: set[int] = set()  # what may follow a number that may go on at the end of the text

    def value(self, value: Any) -> bool:
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list):
            return self._array(value)
        if isinstance(value, Number):
            return self._number(value)
        return self._bytes(quoted(value) if isinstance(value, str) else _LITERALS[value])

    def _byte(self, expected: set[int]) -> int | None:
        """The next byte if it is one of those expected, else None."""
        if self._place == len(self._written):
            raise _EndOfTextError(expected | self._of_number)
        byte = self._written[self._place]
        self._place += 1
        return byte if byte in expected else None

    def _bytes(self, text: bytes) -> bool:
        return all(self._byte({byte}) is not None for byte in text)

    def _array(self, values: list[Any]) -> bool:
        if not self._bytes(b"["):
            return False
        for index, value in enumerate(values):
            if (index and not self._bytes(b",")) or not self.value(value):
                return False
        return self._bytes(b"]")

    def _object(self, members: dict[str, Any]) -> bool:
        if not self._bytes(b"{"):
            return False
        left = {quoted(key): value for key, value in members.items()}
        while left:
            if len(left) < len(members) and not self._bytes(b","):
                return False
            key = self._one_of(list(left))
            if key is None or not self._bytes(b":") or not self.value(left.pop(key)):
                return False
        return self._bytes(b"}")

    def _one_of(self, texts: list[bytes]) -> bytes | None:
        """The one of some strings that comes here."""
        depth = 0
        while True:
            byte = self._byte({text[depth] for text in texts})
            texts = [text for text in texts if text[depth] == byte]
            depth += 1
            if not texts or len(texts[0]) == depth:  # no string with its quotes begins with another one
                return texts[0] if texts else None

    def _number(self, value: Number) -> bool:
        match = _NUMBER.match(self._written, self._place)
        assert match is not None, "it may be empty"
        text = match[0].decode()
        self._place = match.end()
        if self._place < len(self._written):
            return text != "" and is_same_number(text, value)
        if not _may_become(text, value):
            return False
        if not (text and text[-1].isdigit() and is_same_number(text, value)):
            raise _EndOfTextError(set(_NUMBER_BYTES))
        self._of_number = set(_NUMBER_BYTES)
        return True


def is_same_number(first: str, second: str) -> bool:
    """Whether the texts of two numbers have one value, or values that validators read into the same float."""
    return _scientific(first) == _scientific(second) or float(first) == float(second)


def _may_become(text: str, value: str) -> bool:
    """Whether digits can be added to the beginning of a number so that it becomes another; yes past an exponent's e."""
    if "e" in text.lower():
        return True
    digits = text.lstrip("-").replace(".", "").lstrip("0")
    if len(digits) >= _FLOAT_DIGITS:
        return True
    is_negative, wanted, _ = _scientific(value)
    if not wanted:
        return not digits
    enough = len(digits)
    return (text[:1] == "-") == is_negative and wanted.ljust(enough, "0").startswith(digits) if text else True


def _scientific(text: str) -> tuple[bool, str, int]:
    """A number as its sign, its digits without zeros at either end, and the exponent of the last of them."""
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    significant = digits.rstrip("0")
    if not significant:
        return False, "", 0
    last = int(exponent or "0") - len(fraction) + len(digits) - len(significant)
    return text[0] == "-", significant, last
