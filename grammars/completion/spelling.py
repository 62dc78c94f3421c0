"""`Speller`: texts in as few tokens as possible.

Works backwards from the end of a text. The fewest tokens from an offset are one more than the fewest from the end of
the best token that fits there. O(bytes x length of the longest token that fits).
"""

from __future__ import annotations

import heapq
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ..machine.quotes.lexemes import QuoteLexemes
from ..machine.vocabulary_tables import VocabularyTables
from ..watch import MANY_ITEMS, checkpoint, paced
from .kernels import UNSPELLABLE, spell_backwards
from .ropes import EMPTY, Item, Rope, best, text_of

_MANY = 20_000  # maximum number of pieces whose counts are kept
_MANY_TEXTS = 256  # maximum number of texts among which the best one is searched


def speller_of(vocabulary_tables: VocabularyTables, quotes: QuoteLexemes | None) -> Speller:
    """Return the speller that all grammars of a vocabulary share; a new one if the grammar has quotes, because
    spellers keep texts.
    """
    return vocabulary_tables.attached(Speller) if quotes is None else Speller(vocabulary_tables)


class Speller:
    """The speller of one vocabulary; see `speller_of`. Needs no lock: it changes no shared table."""

    def __init__(self, vocabulary_tables: VocabularyTables) -> None:
        self._vocabulary_tables = vocabulary_tables
        self._ropes: dict[bytes, Rope | None] = {}

    def rope(self, text: bytes) -> Rope | None:
        """Return a text as a rope; None if the vocabulary can't spell it."""
        if not text:
            return EMPTY
        if text not in self._ropes:
            if len(self._ropes) >= _MANY:
                self._ropes.clear()
            counts, _ = self._spell(text)
            self._ropes[text] = Rope(int(counts[0]), len(text), (text,)) if counts[0] < UNSPELLABLE else None
        return self._ropes[text]

    def best(self, texts: Collection[bytes]) -> bytes | None:
        """Return the text with the fewest tokens among the shortest texts; None if there are none."""
        shortest = heapq.nsmallest(_MANY_TEXTS, paced(texts), key=lambda text: (len(text), text))
        found = best([self.rope(text) for text in shortest])
        return None if found is None else text_of(found)

    def num_tokens(self, text: bytes) -> int | None:
        """Return the fewest tokens of a text, which isn't kept; None if no tokens spell it."""
        counts, _ = self._spell(text)
        return int(counts[0]) if counts[0] < UNSPELLABLE else None

    def spell(self, items: list[Item]) -> list[int] | None:
        """Return the ids of the fewest tokens that spell pieces; None if no tokens do."""
        found: list[int] = []
        for item in items:
            if isinstance(item, int):
                found.append(item)
                continue
            counts, tokens = self._spell(item)
            if counts[0] >= UNSPELLABLE:
                return None
            start = 0
            while start < len(item):
                if not len(found) % MANY_ITEMS:
                    checkpoint()
                token_id = int(tokens[start])
                found.append(token_id)
                start += len(self._vocabulary_tables.token_bytes(token_id))
        return found

    def _spell(self, text: bytes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        source = np.frombuffer(text, dtype=np.uint8)
        counts, tokens = np.zeros(len(text) + 1, dtype=np.int32), np.zeros(len(text) + 1, dtype=np.int32)
        spell_backwards(self._vocabulary_tables.tables.address, source, counts, tokens)
        return counts, tokens
