"""Strings and character classes of the dialects as Languages and sets of characters; tokens by their ids or names."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping

from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import CharSet, Language
from ..rules.expressions import TokenRef
from ..vocabulary import Vocabulary
from .source import GrammarSource, similar


class Escapes:
    """The escapes that may follow a backslash.

    simple: letter -> character.
    coded: letter -> regex of its hexadecimal digits.
    hint: message for any other escape.
    """

    def __init__(self, simple: Mapping[str, str], coded: Mapping[str, str], hint: str) -> None:
        self._simple = dict(simple)
        self._coded = {letter: re.compile(digits) for letter, digits in coded.items()}
        self._hint = hint

    def read(self, source: GrammarSource, offset: int) -> tuple[str, int]:
        """Return the character of the escape whose backslash is at the offset, and the escape's end."""
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
        """Return the character of the letter or escape at the offset, and its end."""
        return self.read(source, offset) if source.text[offset] == "\\" else plain_character(source, offset)


def character(source: GrammarSource, digits: str, offset: int) -> str:
    """Return the character of a hexadecimal code point."""
    code = int(digits, 16)
    if code > sys.maxunicode or cs.FIRST_SURROGATE <= code <= cs.LAST_SURROGATE:
        raise source.error(f"U+{digits} is not a character that UTF-8 can encode", offset)
    return chr(code)


def plain_character(source: GrammarSource, offset: int) -> tuple[str, int]:
    """Return the character at the offset, taken literally, and its end."""
    char = source.text[offset]
    if cs.FIRST_SURROGATE <= ord(char) <= cs.LAST_SURROGATE:
        raise source.error("a lone surrogate is not a character that UTF-8 can encode", offset)
    return char, offset + 1


def unescape(source: GrammarSource, start: int, end: int, escapes: Escapes) -> str:
    """Return the text of the letters and escapes from `start` to `end`."""
    plain = source.text[start:end]
    if "\\" not in plain and plain.isascii():
        return plain
    text, position = [], start
    while position < end:
        char, position = escapes.member(source, position)
        text.append(char)
    return "".join(text)


Member = Callable[[GrammarSource, int], tuple[str, int]]
"""Takes the start of a class's member; returns its character and its end."""


def class_members(source: GrammarSource, start: int, end: int, member: Member) -> CharSet:
    """Return the characters and ranges of a class from `start` to `end`. A dash at either end is a character."""
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
    """Return one character of a class with its brackets; negated if `^` is its first member."""
    is_negated = source.text.startswith("^", start + 1)
    members = class_members(source, start + 1 + is_negated, end - 1, member)
    return lang.chars(cs.complement(members) if is_negated else members)


def ignoring_case(string: str) -> Language:
    """Return the texts that differ from the string only in case, as defined by Python's `re.IGNORECASE`."""
    from ..regex.python_re import full

    return full("(?i)" + re.escape(string))


# --- tokens


def tokens_by_id(source: GrammarSource, ids: Iterable[range], offset: int, is_negated: bool = False) -> TokenRef:
    """Return a reference to one token from ranges of ids. is_negated: True: to any other token that a text may have."""
    vocabulary = _vocabulary(source, offset)
    chosen: set[int] = set()
    for part in ids:
        if part.stop > vocabulary.size:
            reason = f"token {part.stop - 1} is outside the vocabulary of {vocabulary.size} tokens"
            raise source.error(reason, offset)
        chosen.update(part)
    return _reference(source, vocabulary, frozenset(chosen), offset, is_negated)


def token_by_name(source: GrammarSource, name: str, offset: int, is_negated: bool = False) -> TokenRef:
    """Return a reference to the token that the tokenizer writes as `name`.

    is_negated: True: a reference to any other token that may occur in a text.
    """
    vocabulary = _vocabulary(source, offset)
    token_id = vocabulary.special_tokens.get(name)
    if token_id is None:
        with_text = vocabulary.sorted_tokens.ids_of(name.encode("utf-8", "surrogatepass"))
        if not with_text:
            hint = similar(name, vocabulary.special_tokens)
            raise source.error(f"the vocabulary has no token {name}{hint}; write text as a string", offset)
        token_id = with_text[0]
    return _reference(source, vocabulary, frozenset([token_id]), offset, is_negated)


def _reference(
    source: GrammarSource, vocabulary: Vocabulary, ids: frozenset[int], offset: int, is_negated: bool
) -> TokenRef:
    if is_negated:
        ids = vocabulary.text_token_ids - ids
    if not ids:
        raise source.error("no token is left", offset)
    return TokenRef(ids, offset)


def _vocabulary(source: GrammarSource, offset: int) -> Vocabulary:
    if source.vocabulary is None:
        raise source.error("a token can only be named in a grammar that is read for a vocabulary", offset)
    return source.vocabulary
