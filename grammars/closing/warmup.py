"""`warmup`: load or compile the kernels of closing."""

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.lexicon import lexicon_of
from ..automaton.structs import DocumentMachine
from ..regex import algebra as lang
from ..vocabulary import Vocabulary
from .word_states import base_code, is_word_allowed


def warmup(vocabulary: Vocabulary) -> None:
    """Use every kernel once; those of walks belong to intersections."""
    lexicon = lexicon_of(vocabulary)
    with lexicon.lock:
        lexicon.tools.speller.rope(b'""')
        code = lexicon.lexeme_code(((lang.ANYTHING, 0),), is_number=False)
        lexicon.tools.lexeme_ends.of(code & at.MASK32)
    machine = DocumentMachine()
    machine.sets.ensure(1)  # no words
    machine.words.ensure(1)
    is_word_allowed(machine.address, 0, 0)
    base_code(machine.address, 0)
