"""Strings and character classes of the dialects as Languages and sets of characters."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping

from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import CharSet, Language
from .source import GrammarSource


class Escapes:
    """What may follow a backslash. simple: letter -> character. coded: letter -> regex of its hexadecimal digits.

    hint: said of every other escape.
    """

    def __init__(self, simple: Mapping[str, str], coded: Mapping[str, str], hint: str) -> None:
        self._simple = dict(simple)
        self._coded = {letter: re.compile(digits) for letter, digits in coded.items()}
        self._hint = hint

    def read(self, source: GrammarSource, offset: int) -> tuple[str, int]:
        """The character of the escape whose backslash is at the offset, and where the escape ends."""
        letter = source.text[offset + 1]
        if letter in self._simple:
            return self._simple[letter], offset + 2
        if letter not in self._coded:
            raise source.error(f"unknown escape \\{letter}; {self._hint}", offset)
        digits = self._coded[letter].match(source.text, offset + 2)
        if digits is None:
            raise source.error(f"hexadecimal digits are missing after \\{letter}", offset)
        return character(source, digits.group(), offset), digits.end()

    def member(self, source: GrammarSource, offset: int) -> tuple[str, int]:
        """The character of the letter or escape at the offset, and where it ends."""
        return self.read(source, offset) if source.text[offset] == "\\" else plain_character(source, offset)


def character(source: GrammarSource, digits: str, offset: int) -> str:
    """The character of a hexadecimal code point."""
    code = int(digits, 16)
    if code > sys.maxunicode or cs.FIRST_SURROGATE <= code <= cs.LAST_SURROGATE:
        raise source.error(f"U+{digits} is not a character that UTF-8 can encode", offset)
    return chr(code)


def plain_character(source: GrammarSource, offset: int) -> tuple[str, int]:
    """The character at the offset, which stands for itself, and where it ends."""
    char = source.text[offset]
    if cs.FIRST_SURROGATE <= ord(char) <= cs.LAST_SURROGATE:
        raise source.error("a lone surrogate is not a character that UTF-8 can encode", offset)
    return char, offset + 1


def unescape(source: GrammarSource, start: int, end: int, escapes: Escapes) -> str:
    """The text of the letters and escapes from `start` to `end`."""
    plain = source.text[start:end]
    if "\\" not in plain and plain.isascii():
        return plain
    text, position = [], start
    while position < end:
        char, position = escapes.member(source, position)
        text.append(char)
    return "".join(text)


Member = Callable[[GrammarSource, int], tuple[str, int]]
"""Given where a member of a class begins: its character, and where it ends."""


def class_members(source: GrammarSource, start: int, end: int, member: Member) -> CharSet:
    """The characters and ranges that a class lists from `start` to `end`; a dash at either end is a character."""
    ranges, position = list[tuple[int, int]](), start
    while position < end:
        first_at = position
        first, position = member(source, position)
        last = first
        if source.text[position] == "-" and position + 1 < end:
            last, position = member(source, position + 1)
        if last < first:
            raise source.error(f"the range {first}-{last} is empty; its ends are in the wrong order", first_at)
        ranges.append((ord(first), ord(last)))
    return cs.from_ranges(ranges)


def char_class(source: GrammarSource, start: int, end: int, member: Member) -> Language:
    """One character of a class with its brackets; negated if `^` is its first member."""
    is_negated = source.text.startswith("^", start + 1)
    members = class_members(source, start + 1 + is_negated, end - 1, member)
    return lang.chars(cs.complement(members) if is_negated else members)


def ignoring_case(string: str) -> Language:
    """The texts that differ from the string in case only, as Python's `re.IGNORECASE` has it."""
    from ..regex.python_re import full

    return full("(?i)" + re.escape(string))
