"""`warmup`: load or compile the kernels of closing."""

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.lexicon import lexicon_of
from ..regex import algebra as lang
from ..vocabulary import Vocabulary


def warmup(vocabulary: Vocabulary) -> None:
    """Use every kernel once; those of walks belong to intersections."""
    lexicon = lexicon_of(vocabulary)
    with lexicon.lock:
        lexicon.tools.speller.rope(b'""')
        code = lexicon.lexeme_code(((lang.ANYTHING, 0),), is_number=False)
        lexicon.tools.lexeme_ends.of(code & at.MASK32)
