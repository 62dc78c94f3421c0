"""`Tools`: what closing needs for a vocabulary: the fewest tokens of a text, ends of lexemes, walks of all tokens."""

from __future__ import annotations

from ..automaton.lexicon import Lexicon
from ..limits import Limits
from .lexeme_ends import LexemeEnds
from .spelling import Speller
from .walk import TokenWalk


class Tools:
    """Those of one lexicon: `lexicon.attached(Tools)`. Called under its lock."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.speller = Speller(lexicon)
        self.lexeme_ends = LexemeEnds(lexicon.lexemes)
        self._lexicon = lexicon
        self._walk: TokenWalk | None = None

    def walk(self, limits: Limits) -> TokenWalk:
        """Walks of the vocabulary, within these limits; their tables are made when they are first needed."""
        if self._walk is None:
            self._walk = TokenWalk(self._lexicon, limits)
        self._walk.bound(limits)
        return self._walk
