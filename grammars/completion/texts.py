"""`Texts`: shortest texts of languages, and shortest ends of begun texts, in bytes as they are spelled.

From a set of words, the word with the fewest tokens is taken. `LexemeEnds` finds most ends. This module finds ends with
further conditions: some texts are excluded, or there must be a minimum number of characters.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ..errors import LimitExceededError
from ..machine import layout as at
from ..machine.codes import count_of, counter_number_of, dfa_state_of, tag_of
from ..machine.documents.words import spell
from ..machine.lexemes.lazy_dfas import Kind, LazyDfas
from ..machine.quotes.lexemes import QuoteLexemes
from ..machine.rules.counted_terminals import Counted, dfa_state_of_lexeme
from ..machine.vocabulary_tables import VocabularyTables
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..watch import checkpoint, paced, pausing
from .lexeme_ends import PREFERENCE, LexemeEnds
from .spelling import speller_of

_MAX_PLACES = 200_000

NONE_EXCLUDED: frozenset[str] = frozenset()

_Place = tuple[int, int, bytes | None]
"""(state, number of characters still needed, text so far if an excluded text begins with it, else None)."""

_Entry = tuple[int, int, _Place]
"""Entry before, byte that led on from there, place reached."""

KeptEnds = dict[_Place, tuple[int, bytes, int]]
"""Place of a search -> (number of its only language, text, index in the text where the place's shortest end begins)."""


class Texts:
    """The shortest texts that one grammar needs. quotes: the strings of its documents that are quotes."""

    def __init__(self, vocabulary_tables: VocabularyTables, quotes: QuoteLexemes | None = None) -> None:
        self.quotes = quotes
        self._vocabulary_tables = vocabulary_tables
        self.lexeme_ends = vocabulary_tables.attached(LexemeEnds)
        self._speller = speller_of(vocabulary_tables, quotes)
        self._known: dict[tuple[Language, Kind, frozenset[str]], bytes | None] = {}
        self._other_ends: dict[tuple[int, frozenset[bytes], int], dict[int, bytes]] = {}
        self._kept_ends: KeptEnds = {}  # ends of lexemes with one language and no excluded texts

    def of(self, language: Language, kind: Kind, excluded: frozenset[str] = NONE_EXCLUDED) -> bytes | None:
        """Return a shortest text that is not excluded, for strings with the closing quote; None if there is none."""
        key = (language, kind, excluded)
        if key not in self._known:
            self._known[key] = self._find(language, kind, excluded)
        return self._known[key]

    def _find(self, language: Language, kind: Kind, excluded: frozenset[str]) -> bytes | None:
        if isinstance(language, lang.Words):
            return self._speller.best([_spelled(word, kind) for word in paced(language.words - excluded)])
        if kind == "string" and self.is_quote(language):
            assert self.quotes is not None
            return self.quotes.first_end(language, frozenset([_spelled(word, kind) for word in excluded]))
        if lang.is_empty(language):
            return None
        spelled = frozenset([_spelled(word, kind) for word in excluded])
        if not language.is_plain:
            return next(iter(self.ends(self.code(language, kind), spelled, is_one=True).values()), None)
        word = lang.find_word(language)
        assert word is not None, "it has one"
        if word not in excluded:
            return _spelled(word, kind)
        state, distance = self._place(self.code(language, kind))
        ends = _find_ends(self._vocabulary_tables.lazy_dfas, state, spelled, distance, {})
        return next(iter(ends.values()), None)

    def is_quote(self, language: Language) -> bool:
        """Return True if the strings of a language are read as places in a source text."""
        return language.is_transient and self.quotes is not None and self.quotes.code(((language, 0),)) is not None

    def code(self, language: Language, kind: Kind) -> int:
        """Return the first state of a language that is not empty."""
        tables = self._vocabulary_tables
        if kind == "text":
            return pausing(None, lambda: tables.lazy_dfas.state((language,), kind))
        return pausing(None, lambda: tables.lexeme_code(((language, 0),), kind == "number"))

    def ends(self, code: int, excluded: frozenset[bytes] = frozenset(), *, is_one: bool = False) -> dict[int, bytes]:
        """Return a shortest end for each language of a lexeme, by its number, from a state on.

        code: the state.
        excluded: rests that must not be written.
        is_one: the lexeme is known to have one language.

        Ends of strings include the closing quote.
        """
        state, distance = self._place(code)
        if not distance:
            ends = self.lexeme_ends.of(state)
            if excluded.isdisjoint(ends.values()):
                return ends
        dfas, is_one = self._vocabulary_tables.lazy_dfas, is_one or tag_of(code) == at.COUNTED
        if is_one and not excluded:
            return _find_ends(dfas, state, excluded, distance, self._kept_ends)
        key = (state, excluded, distance)
        if key not in self._other_ends:
            self._other_ends[key] = _find_ends(dfas, state, excluded, distance, {} if is_one else None)
        return self._other_ends[key]

    def ends_of_units(self, state: int, counted: Counted | None, missing: int) -> list[bytes]:
        """Return shortest ends of a terminal from one of its states.

        counted: the counted terminal; None if its units are not counted.
        missing: number of units still needed, a begun one included.
        """
        dfas = self._vocabulary_tables.lazy_dfas
        if counted is None or not missing:
            return list(self.lexeme_ends.of(state).values())
        if counted.count.is_of_characters:
            missing -= not dfas.is_between(state)
            return list(_find_ends(dfas, state, frozenset(), missing, self._kept_ends).values())
        start = dfa_state_of_lexeme(counted.state)
        begun = [] if state == start else list(self.lexeme_ends.of(state).values())
        unit = counted.count.base.child if isinstance(counted.count.base, lang.Repeat) else counted.count.base
        whole = self.of(unit, "text")
        return [] if whole is None else [(begun[0] if begun else b"") + whole * (missing - len(begun))]

    def _place(self, code: int) -> tuple[int, int]:
        """Return the DFA state of a code, and the number of characters that must still begin."""
        if tag_of(code) != at.COUNTED:
            return dfa_state_of(code), 0
        low, _, _ = self._vocabulary_tables.counter(counter_number_of(code))
        return dfa_state_of(code), max(low - count_of(code), 0)  # a begun character counts already


def _spelled(word: str, kind: Kind) -> bytes:
    return spell(word) + b'"' if kind == "string" else word.encode()


def _find_ends(
    lexemes: LazyDfas, state: int, excluded: frozenset[bytes], distance: int, known: KeptEnds | None = None
) -> dict[int, bytes]:
    """Return the shortest text for each language of a lexeme that is not excluded and begins `distance` characters.

    state: state to start from.
    known: ends of places, for a lexeme with one language; the places on the way of the end found are added. None: the
        lexeme may have several languages.

    A* (Hart, Nilsson, Raphael 1968) over the state, the number of characters still needed, and the common part with an
    excluded text. The bound is that number, or the need of the only language from a state on. After the first end, only
    equally short texts are visited, for other languages.
    """
    prefixes = _continued(excluded)
    start = (state, distance, b"" if b"" in prefixes else None)
    order = count()
    entries: list[_Entry] = []
    waiting: list[tuple[int, int, int, int, _Place]] = [(distance, 0, next(order), -1, start)]
    best: dict[_Place, int] = {}
    found: dict[int, bytes] = {}
    while waiting:
        least, negative, _, entry, place = heapq.heappop(waiting)
        length = -negative
        if found and least > min(map(len, found.values())):
            break
        if known and place in known:
            index, end, begin = known[place]
            if length + len(end) - begin <= least:
                return _kept(known, start, entries, entry, index, end[begin:])
            heapq.heappush(waiting, (length + len(end) - begin, negative, next(order), entry, place))
            continue
        if best.get(place, length + 1) <= length:
            continue
        best[place] = length
        checkpoint()
        if len(best) > _MAX_PLACES:
            raise LimitExceededError("max_completion_places", _MAX_PLACES, "places", "looking for the end of a string")
        here, missing, along = place
        row, accepted = lexemes.text_row(here), lexemes.accepts(here)
        if accepted >= 0 and missing <= 0 and (along is None or along not in excluded):
            if known is not None:
                return _kept(known, start, entries, entry, accepted, b"")
            found.setdefault(accepted, _read_back(entries, entry))
        less = max(missing - lexemes.is_between(here), 0)
        for byte in _choices(row, () if along is None else prefixes[along]):
            following = int(row[byte])
            text = None if along is None else along + bytes([byte])
            if following <= at.FIRST_END:
                index = at.FIRST_END - following
                if missing <= 0 and index not in found and (text is None or text not in excluded):
                    if known is not None:
                        return _kept(known, start, entries, entry, index, bytes([byte]))
                    found[index] = _read_back(entries, entry) + bytes([byte])
                continue
            kept = text if text in prefixes else None
            for thread in lexemes.threads(following):
                needed = less if known is None else max(less, lexemes.shortest(thread))
                entries.append((entry, byte, (thread, less, kept)))
                item = (length + 1 + needed, -length - 1, next(order), len(entries) - 1, entries[-1][2])
                heapq.heappush(waiting, item)
    return found


def _choices(row: NDArray[np.int32], towards: Sequence[int]) -> list[int]:
    """Return the bytes to try: one for each state or end in a row, and each byte that continues an excluded text."""
    others = row
    if towards:
        others = row.copy()
        others[towards] = at.DEAD
    targets, places = np.unique(others[PREFERENCE], return_index=True)
    alive = (targets >= 0) | (targets <= at.FIRST_END)
    chosen: list[int] = PREFERENCE[places[alive]].tolist()
    return [*chosen, *[byte for byte in towards if row[byte] != at.DEAD]]


def _continued(excluded: frozenset[bytes]) -> dict[bytes, list[int]]:
    """Return each beginning of an excluded text, with the bytes that continue it."""
    found: dict[bytes, list[int]] = {b"": []} if excluded else {}
    for text in paced(sorted(excluded)):
        for length, byte in enumerate(text):
            known = found.setdefault(text[:length], [])
            if byte not in known:
                known.append(byte)
        found.setdefault(text, [])
    return found


def _read_back(entries: list[_Entry], entry: int) -> bytes:
    text = bytearray()
    while entry >= 0:
        entry, byte, _ = entries[entry]
        text.append(byte)
    return bytes(reversed(text))


def _kept(
    known: KeptEnds, start: _Place, entries: list[_Entry], entry: int, language: int, end: bytes
) -> dict[int, bytes]:
    """Return the end of the only language, and keep the ends of all places on its way.

    entry: the last byte on the way; `end` follows there.
    """
    whole = _read_back(entries, entry) + end
    at_byte = len(whole) - len(end)
    while entry >= 0:
        before, _, place = entries[entry]
        known.setdefault(place, (language, whole, at_byte))
        entry, at_byte = before, at_byte - 1
    known.setdefault(start, (language, whole, 0))
    return {language: whole}
