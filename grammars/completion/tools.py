"""`Tools`: what completion needs of a vocabulary: the fewest tokens of a text, ends of lexemes, walks of all tokens."""

from __future__ import annotations

from ..automaton.vocabulary_tables import VocabularyTables
from ..limits import Limits
from .lexeme_ends import LexemeEnds
from .spelling import Speller
from .walk import TokenWalk


class Tools:
    """Those of the tables of one vocabulary: `vocabulary_tables.attached(Tools)`. Called under its lock."""

    def __init__(self, vocabulary_tables: VocabularyTables) -> None:
        self.speller = Speller(vocabulary_tables)
        self.lexeme_ends = LexemeEnds(vocabulary_tables.lazy_dfas)
        self.vocabulary_tables = vocabulary_tables
        self._walk: TokenWalk | None = None

    def walk(self, limits: Limits) -> TokenWalk:
        """Walks of the vocabulary, within these limits; their tables are made when they are first needed."""
        if self._walk is None:
            self._walk = TokenWalk(self.vocabulary_tables, limits)
        self._walk.bound(limits)
        return self._walk
