"""`Bounds`: how far from their ends texts of a regular expression can be, from its structure alone.

A derivative of a concatenation, union or repetition is made of derivatives of the parts, so what is left of a text is
bounded by what can be left of the parts. No automaton is looked at. Expressions with complements have no such bound,
nor have most intersections and machines.
"""

from __future__ import annotations

from collections.abc import Callable

from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.charset import CharSet

_IN_CHARACTER = 6
"""Bytes that a character which is begun may still need."""

_MAX_BYTES = 6
"""Of a character, as it is spelled."""


class _UnknownError(Exception):
    """The structure does not say."""


class Bounds:
    """length_of: how many bytes the shortest character of a set takes; spelled_length: how many a word takes."""

    def __init__(self, length_of: Callable[[CharSet], int], spelled_length: Callable[[str], int]) -> None:
        self._length_of = length_of
        self._spelled_length = spelled_length
        self._known: dict[Language, tuple[int, int]] = {}

    def most(self, language: Language) -> int | None:
        """No beginning of a text needs more bytes to become one; None where the structure does not say."""
        try:
            shortest, left = self._of(language)
        except _UnknownError:
            return None
        return max(shortest, left) + _IN_CHARACTER

    def _of(self, language: Language) -> tuple[int, int]:
        """The bytes of a shortest text, and the most that may be left of one after its first character."""
        found = self._known.get(language)
        if found is None:
            found = self._known[language] = self._find(language)
        return found

    def _find(self, language: Language) -> tuple[int, int]:
        match language:
            case lang.Chars():
                return self._length_of(language.charset), 0
            case lang.Words():
                lengths = [self._spelled_length(word) for word in language.words]
                return min(lengths, default=0), max(lengths, default=0)
            case lang.Concat():
                return self._of_sequence(language)
            case lang.Union():
                parts = [self._of(part) for part in language.parts]
                return min([shortest for shortest, _ in parts]), max([left for _, left in parts])
            case lang.Repeat():
                shortest, left = self._of(language.child)
                return language.low * shortest, left + max(language.low - 1, 0) * shortest
            case lang.Intersection():
                return self._of_bounded(language)
            case lang.MachineLanguage() if hasattr(language.machine, "most_left"):
                return self._of_word(language), _MAX_BYTES * language.machine.most_left
        raise _UnknownError

    def _of_bounded(self, language: lang.Intersection) -> tuple[int, int]:
        """As `_of`, for an intersection with "at most so many characters": nothing else limits how texts are completed.

        If any text of a derivative is short enough, then its shortest one is.
        """
        for part in language.parts:
            if isinstance(part, lang.Repeat) and part.child is lang.ANY_CHAR and part.low <= 1:
                others = [other for other in language.parts if other is not part]
                if len(others) == 1:
                    return self._of_word(language), self._of(others[0])[1]
        raise _UnknownError

    def _of_word(self, language: Language) -> int:
        word = lang.find_word(language)
        if word is None:
            raise _UnknownError
        return self._spelled_length(word)

    def _of_sequence(self, language: Language) -> tuple[int, int]:
        parts = []
        while isinstance(language, lang.Concat):
            parts.append(language.head)
            language = language.tail
        shortest, left = self._of(language)
        for part in reversed(parts):
            shortest_part, left_of_part = self._of(part)
            left = max(left_of_part + shortest, left)
            shortest += shortest_part
        return shortest, left
