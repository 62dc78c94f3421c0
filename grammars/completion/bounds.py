"""`LexemeBounds`: how far texts of a regular expression can be from their ends.

Mostly the expression's structure decides. A derivative of a concatenation, union or repetition is made of derivatives
of its parts. The rest of a text is therefore bounded by the rests of the parts. Complements, most intersections and
machines have no such bound: their automaton is searched, if it is small.
"""

from __future__ import annotations

from ..machine import layout as at
from ..machine.codes import dfa_state_of, tag_of
from ..machine.documents.words import spell
from ..machine.lexemes.lazy_dfas import Kind
from ..regex import algebra as lang
from ..regex import charset as charsets
from ..regex.algebra import Language
from ..watch import paced
from .texts import Texts

FAR = 1 << 60

_IN_CHARACTER = 6
"""Maximum number of bytes that a begun character may still need."""

_MAX_BYTES = 6
"""Maximum number of bytes of a character, as it is spelled."""

_PLAIN = ((32, 33), (35, 91), (93, 126))
"""Characters of one byte, also in JSON."""


class _UnknownError(Exception):
    """The structure gives no bound."""


class LexemeBounds:
    """The bounds of one grammar's lexemes."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._most: dict[tuple[Language, Kind], int] = {}
        self._known: dict[Language, tuple[int, int]] = {}

    def most(self, language: Language, kind: Kind) -> int:
        """Return the maximum number of bytes that any beginning of a text needs to become a text; FAR if unknown.

        The closing quote is included.
        """
        key = (language, kind)
        if key not in self._most and self._texts.is_quote(language):
            assert self._texts.quotes is not None
            gap = self._texts.quotes.widest_gap(language)
            self._most[key] = FAR if gap is None else gap + 1
        if key not in self._most:
            try:
                shortest, left = self._of(language)
                more = 0 if isinstance(language, lang.Words) else _IN_CHARACTER
                self._most[key] = max(shortest, left) + more + 1
            except _UnknownError:
                self._most[key] = self._in_automaton(language, kind)
        return self._most[key]

    def _in_automaton(self, language: Language, kind: Kind) -> int:
        """Like `most`, from the automaton. For texts with a minimum length, starts with the longest way to an end."""
        code = self._texts.code(language, kind)
        most = self._texts.lexeme_ends.most(dfa_state_of(code))
        whole = self._texts.of(language, kind) if tag_of(code) == at.COUNTED else b""
        return FAR if most is None or whole is None else most + len(whole)

    def _of(self, language: Language) -> tuple[int, int]:
        """Return the bytes of a shortest text, and the maximum that may be left of a text after its first character."""
        found = self._known.get(language)
        if found is None:
            found = self._known[language] = self._find(language)
        return found

    def _find(self, language: Language) -> tuple[int, int]:
        match language:
            case lang.Chars():
                return 1 if charsets.intersection(language.charset, _PLAIN) else _MAX_BYTES, 0
            case lang.Words():
                lengths = [len(spell(word)) for word in paced(language.sorted_words)]
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
            case lang.MachineLanguage():
                most_left: int | None = getattr(language.machine, "most_left", None)
                if most_left is not None:
                    return self._of_word(language), _MAX_BYTES * most_left
        raise _UnknownError

    def _of_bounded(self, language: lang.Intersection) -> tuple[int, int]:
        """Like `_of`, for an intersection with a maximum length, if nothing else restricts completions.

        If any text of a derivative is short enough, its shortest text is.
        """
        for part in language.parts:
            if isinstance(part, lang.Repeat) and part.child is lang.ANY_CHAR and part.low <= 1:
                others = [other for other in language.parts if other is not part]
                if len(others) == 1:
                    return self._of_word(language), self._of(others[0])[1]
        raise _UnknownError

    @staticmethod
    def _of_word(language: Language) -> int:
        word = lang.find_word(language)
        if word is None:
            raise _UnknownError
        return len(spell(word))

    def _of_sequence(self, language: Language) -> tuple[int, int]:
        *parts, last = lang.sequence_of(language)
        shortest, left = self._of(last)
        for part in reversed(parts):
            shortest_part, left_of_part = self._of(part)
            left = max(left_of_part + shortest, left)
            shortest += shortest_part
        return shortest, left
