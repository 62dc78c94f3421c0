"""`Tools`: what completion needs of a vocabulary: the fewest tokens of a text, and ends of lexemes."""

from __future__ import annotations

from ..machine.vocabulary_tables import VocabularyTables
from .lexeme_ends import LexemeEnds
from .spelling import Speller


class Tools:
    """Those of the tables of one vocabulary: `vocabulary_tables.attached(Tools)`. Called under its lock."""

    def __init__(self, vocabulary_tables: VocabularyTables) -> None:
        self.speller = Speller(vocabulary_tables)
        self.lexeme_ends = LexemeEnds(vocabulary_tables.lazy_dfas)
        self.vocabulary_tables = vocabulary_tables
