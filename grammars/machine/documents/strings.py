"""`Strings`: the first states of the strings, keys and numbers of one machine.

Languages that are sets of words, and words that are excluded from a language, become word sets beside the DFA of the
rest. The DFA of "any string" therefore serves every open key and every array of different strings.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import LimitExceededError
from ...regex import algebra as lang
from ...watch import paced
from .. import layout as at
from ..frames import NO_TEXTS, KeySpec, Lexeme, Marks, ValueSpec
from ..machine import Machine
from ..quotes.lexemes import QuoteLexemes
from ..requests import Requests
from ..vocabulary_tables import VocabularyTables
from .words import Family, WordSets

BARE_NAME_END = ":"
_MANY = 1000  # texts; more than grammars exclude in practice


class Strings:
    """Makes codes for one machine."""

    def __init__(
        self,
        machine: Machine,
        vocabulary_tables: VocabularyTables,
        requests: Requests,
        quotes: QuoteLexemes | None,
    ) -> None:
        self.vocabulary_tables = vocabulary_tables
        self._quotes = quotes
        self._requests = requests
        self._words = WordSets(machine)
        self._families: dict[tuple[int, frozenset[str], str | None], tuple[Family, Mapping[str, int]]] = {}
        self._has_many: dict[lang.Language, bool] = {}
        self._string_codes: dict[tuple[object, ...], int] = {}

    def number_code(self, spec: ValueSpec) -> int:
        numbers = spec.numbers
        if spec.excluded_numbers:
            excluded = lang.words(spec.excluded_numbers)
            left = [(lang.difference(language, excluded), returned) for language, returned in numbers]
            numbers = tuple([pair for pair in left if not lang.is_empty(pair[0])])
        return self.vocabulary_tables.lexeme_code(numbers, True) if numbers else -1

    def string_code(self, strings: Lexeme, excluded: frozenset[str], marks: Marks | None = None) -> int:
        """Return the code of a string's first state, behind its opening mark."""
        if marks is not None:
            return self.text_code(strings, marks.opening.decode(), excluded)
        key = (strings, excluded)
        code = self._string_codes.get(key)
        if code is None:
            code = self._string_codes[key] = self._new_code(strings, None, excluded)
        return code

    def text_code(self, texts: Lexeme, end: str, excluded: frozenset[str] = NO_TEXTS) -> int:
        """The code of the first state of texts that stand as they are, with the mark behind them; -1 for none."""
        key = (texts, excluded, end)
        code = self._string_codes.get(key)
        if code is None:
            code = self._string_codes[key] = self._new_code(texts, end, excluded) if texts else at.DEAD
        return code

    def _new_code(self, texts: Lexeme, end: str | None, excluded: frozenset[str]) -> int:
        words = self._requests.ask(lambda: _words_in(texts, excluded))
        others = tuple([pair for pair in texts if not isinstance(pair[0], lang.Words)])
        if len(others) == 1:
            others, peeled = _without_words(others[0])
            excluded |= peeled
        base = self._base_code(others, end) if others else at.DEAD
        if others and not words and not excluded:
            return base
        family = self._family(words, excluded if others else frozenset(), end)
        return self._words.code(family, (1 << len(words)) - 1, base)

    def _base_code(self, lexeme: Lexeme, end: str | None) -> int:
        """Return the code of the first state of a lexeme without words; for a quote, the code of its first place.

        end: as in `words.spelled`.
        """
        if end is not None:
            return self.vocabulary_tables.text_code(lexeme, end)
        code = None if self._quotes is None else self._quotes.code(lexeme)
        return self.vocabulary_tables.lexeme_code(lexeme, False) if code is None else code

    def key_code(self, spec: KeySpec, end: str | None) -> int:
        """Return the code of a key's first state; -1 if no key can come. end: as in `words.spelled`."""
        if not (spec.words or spec.open):
            return -1
        declared = spec.words if spec.declared is None else spec.declared
        base, family = self.open_keys(declared, spec.open, spec.excluded, end)
        bits = {name: 1 << bit for bit, name in enumerate(declared) if name in spec.words}
        return self._words.code(family, sum(bits.values()), base)

    def open_keys(
        self, declared: Mapping[str, int], open: Lexeme, excluded: frozenset[str], end: str | None
    ) -> tuple[int, Family]:
        """Return the code of undeclared keys (DEAD for none), and the family of declared and excluded keys."""
        base = at.DEAD
        if open:
            lexeme, peeled = _without_words(open[0]) if len(open) == 1 else (open, frozenset())
            base, excluded = self._base_code(lexeme, end), excluded | peeled
        known = self._families.get((id(declared), excluded, end))
        if known is None:
            family = self._family(declared, excluded, end)
            known = self._families[id(declared), excluded, end] = family, declared
        return base, known[0]

    def words(self, declared: Mapping[str, int]) -> Family:
        """Return the family of words with their classes."""
        return self._family(declared, NO_TEXTS, None)

    def _family(self, declared: Mapping[str, int], excluded: frozenset[str], end: str | None) -> Family:
        entries = self._requests.ask(lambda: self._words.entries(declared, excluded, end))
        return self._words.family(entries)

    def with_excluded(self, family: Family, key: str, end: str | None) -> Family:
        """Return a family of keys with one more excluded key."""
        return self._words.with_excluded(family, key, end)

    def is_robust(self, lexeme: Lexeme, excluded: frozenset[str]) -> bool:
        """Return True if some language has many more texts than are excluded."""
        if not may_be_robust(len(excluded)):
            return False
        for language, _ in lexeme:
            if language not in self._has_many:
                try:
                    is_robust = self._quotes is not None and self._quotes.has_many(language, _MANY)
                    self._has_many[language] = is_robust or lang.count_words(language, _MANY) >= _MANY
                except LimitExceededError:
                    self._has_many[language] = False
            if self._has_many[language]:
                return True
        return False


def _words_in(strings: Lexeme, excluded: frozenset[str]) -> dict[str, int]:
    """Return the words of the languages that are sets of words, with the classes of these languages."""
    return {
        text: returned
        for language, returned in strings
        if isinstance(language, lang.Words)
        for text in paced(language.sorted_words)
        if text not in excluded
    }


def may_be_robust(num_excluded: int) -> bool:
    """Return False if too many texts are excluded for the check of `is_robust`."""
    return num_excluded + 2 <= _MANY


def _without_words(pair: tuple[lang.Language, int]) -> tuple[Lexeme, frozenset[str]]:
    """Split a language into a simpler one and words excluded from it."""
    language, returned = pair
    if isinstance(language, lang.Complement) and isinstance(language.child, lang.Words):
        return ((lang.ANYTHING, returned),), language.child.words
    if isinstance(language, lang.Intersection):
        for part in language.parts:
            if isinstance(part, lang.Complement) and isinstance(part.child, lang.Words):
                rest = lang.intersect(*[other for other in language.parts if other is not part])
                return ((rest, returned),), part.child.words
    return (pair,), frozenset()
