"""`Texts`: shortest texts of languages, and shortest ends of begun texts, in bytes as they are spelled.

From a set of words, the word with the fewest tokens is taken. `LexemeEnds` finds most ends. This module finds ends with
further conditions: some texts are excluded, or there must be a minimum number of characters.
"""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ..errors import LimitExceededError
from ..machine import layout as at
from ..machine.documents.words import spell
from ..machine.lexemes.lazy_dfas import Kind, LazyDfas
from ..machine.quotes.lexemes import QuoteLexemes
from ..machine.rules.counted_terminals import Counted, dfa_state_of
from ..machine.vocabulary_tables import VocabularyTables
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..watch import checkpoint, paced, pausing
from .lexeme_ends import PREFERENCE, LexemeEnds
from .spelling import Speller

_MAX_PLACES = 200_000

NONE_EXCLUDED: frozenset[str] = frozenset()


class Texts:
    """The shortest texts that one grammar needs. quotes: the strings of its documents that are quotes."""

    def __init__(self, vocabulary_tables: VocabularyTables, quotes: QuoteLexemes | None = None) -> None:
        self.quotes = quotes
        self._vocabulary_tables = vocabulary_tables
        self.lexeme_ends = vocabulary_tables.attached(LexemeEnds)
        self._speller = vocabulary_tables.attached(Speller)
        self._known: dict[tuple[Language, Kind, frozenset[str]], bytes | None] = {}
        self._other_ends: dict[tuple[int, frozenset[bytes], int], dict[int, bytes]] = {}

    def of(self, language: Language, kind: Kind, excluded: frozenset[str] = NONE_EXCLUDED) -> bytes | None:
        """Return a shortest text that is not excluded, for strings with the closing quote; None if there is none."""
        key = (language, kind, excluded)
        if key not in self._known:
            self._known[key] = self._find(language, kind, excluded)
        return self._known[key]

    def _find(self, language: Language, kind: Kind, excluded: frozenset[str]) -> bytes | None:
        if isinstance(language, lang.Words):
            return self._speller.best([_spelled(word, kind) for word in paced(language.words - excluded)])
        if self.is_quote(language):
            assert self.quotes is not None
            return self.quotes.first_end(language, frozenset([_spelled(word, kind) for word in excluded]))
        if lang.is_empty(language):
            return None
        spelled = frozenset([_spelled(word, kind) for word in excluded])
        if not language.is_plain:
            return next(iter(self.ends(self.code(language, kind), spelled).values()), None)
        word = lang.find_word(language)
        assert word is not None, "it has one"
        if word not in excluded:
            return _spelled(word, kind)
        state, distance = self._place(self.code(language, kind))
        ends = _find_ends(self._vocabulary_tables.lazy_dfas, state, spelled, distance, is_one=True)
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

    def ends(self, code: int, excluded: frozenset[bytes] = frozenset()) -> dict[int, bytes]:
        """Return a shortest end for each language of a lexeme, by its number, from a state on.

        code: the state.
        excluded: rests that must not be written.

        Ends of strings include the closing quote.
        """
        state, distance = self._place(code)
        if not distance:
            ends = self.lexeme_ends.of(state)
            if excluded.isdisjoint(ends.values()):
                return ends
        key = (state, excluded, distance)
        if key not in self._other_ends:
            self._other_ends[key] = _find_ends(self._vocabulary_tables.lazy_dfas, state, excluded, distance)
        return self._other_ends[key]

    def ends_of_units(self, state: int, counted: Counted | None, missing: int) -> list[bytes]:
        """Return shortest ends of a terminal from one of its states.

        counted: the counted terminal; None if its units are not counted.
        missing: number of units still needed, including the one that has begun.
        """
        dfas = self._vocabulary_tables.lazy_dfas
        if counted is None or not missing:
            return list(self.lexeme_ends.of(state).values())
        if counted.count.is_of_characters:
            missing -= not dfas.is_between(state)
            return list(_find_ends(dfas, state, frozenset(), missing, is_one=True).values())
        start = dfa_state_of(counted.state)
        begun = [] if state == start else list(self.lexeme_ends.of(state).values())
        unit = counted.count.base.child if isinstance(counted.count.base, lang.Repeat) else counted.count.base
        whole = self.of(unit, "text")
        return [] if whole is None else [(begun[0] if begun else b"") + whole * (missing - len(begun))]

    def _place(self, code: int) -> tuple[int, int]:
        """Return the DFA state of a code, and the number of characters that must still begin."""
        if code >> at.TAG_SHIFT != at.COUNTED:
            return code & at.MASK32, 0
        low, _, _ = self._vocabulary_tables.counter(code >> (at.COUNT_BITS + at.STATE_BITS) & (at.MAX_COUNTERS - 1))
        count = (code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)  # a begun character counts already
        return code & (at.MAX_STATES - 1), max(low - count, 0)


def _spelled(word: str, kind: Kind) -> bytes:
    return spell(word) + b'"' if kind == "string" else word.encode()


def _find_ends(
    lexemes: LazyDfas, state: int, excluded: frozenset[bytes], distance: int, *, is_one: bool = False
) -> dict[int, bytes]:
    """Return the shortest text for each language of a lexeme that is not excluded and begins `distance` characters.

    state: state to start from.
    is_one: True if the lexeme has one language.

    A* (Hart, Nilsson, Raphael 1968) over the state, the number of characters still needed, and the common part with an
    excluded text. The bound is that number, or the need of the only language from a state on. After the first end, only
    equally short texts are visited.
    """
    prefixes = {text[:length] for text in paced(excluded) for length in range(len(text) + 1)}
    order = count()
    entries: list[tuple[int, int]] = []  # pairs: entry before, byte that led on from there
    waiting = [(distance, 0, next(order), -1, state, distance, b"" if b"" in prefixes else None)]
    best: dict[tuple[int, int, bytes | None], int] = {}
    found: dict[int, bytes] = {}
    while waiting:
        least, negative, _, entry, here, missing, along = heapq.heappop(waiting)
        length = -negative
        if found and least > min(map(len, found.values())):
            break
        if best.get((here, missing, along), length + 1) <= length:
            continue
        best[here, missing, along] = length
        checkpoint()
        if len(best) > _MAX_PLACES:
            raise LimitExceededError("max_completion_places", _MAX_PLACES, "places", "looking for the end of a string")
        row, accepted = lexemes.text_row(here), lexemes.accepts(here)
        if accepted >= 0 and missing <= 0 and (along is None or along not in excluded):
            found.setdefault(accepted, _read_back(entries, entry))
        less = max(missing - lexemes.is_between(here), 0)
        for byte in _choices(row, along, prefixes):
            following = int(row[byte])
            text = None if along is None else along + bytes([byte])
            if following <= at.FIRST_END:
                index = at.FIRST_END - following
                if missing <= 0 and index not in found and (text is None or text not in excluded):
                    found[index] = _read_back(entries, entry) + bytes([byte])
                continue
            entries.append((entry, byte))
            kept = text if text in prefixes else None
            for thread in lexemes.threads(following):
                needed = max(less, lexemes.shortest(thread)) if is_one else less
                item = (length + 1 + needed, -length - 1, next(order), len(entries) - 1, thread, less, kept)
                heapq.heappush(waiting, item)
    return found


def _choices(row: NDArray[np.int32], along: bytes | None, prefixes: set[bytes]) -> list[int]:
    """Return the bytes to try: one for each state or end in a row, and each byte that continues an excluded text."""
    in_order = row[PREFERENCE]
    targets, places = np.unique(in_order, return_index=True)
    alive = (targets >= 0) | (targets <= at.FIRST_END)
    chosen: list[int] = PREFERENCE[places[alive]].tolist()
    if along is None:
        return chosen
    towards = [byte for byte in range(256) if along + bytes([byte]) in prefixes and row[byte] not in (at.DEAD,)]
    others = [int(byte) for byte in PREFERENCE if byte not in towards and row[byte] != at.DEAD]
    first: dict[int, int] = {}
    for byte in others:
        first.setdefault(int(row[byte]), byte)
    return [*first.values(), *towards]


def _read_back(entries: list[tuple[int, int]], entry: int) -> bytes:
    text = bytearray()
    while entry >= 0:
        entry, byte = entries[entry]
        text.append(byte)
    return bytes(reversed(text))
