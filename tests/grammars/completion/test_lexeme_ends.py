"""The search for the ends of a lexeme makes rows by the thousand, within the limit on time."""

from __future__ import annotations

import time

import pytest

from guided.grammars.completion.lexeme_ends import LexemeEnds
from guided.grammars.errors import LimitExceededError
from guided.grammars.machine.vocabulary_tables import VocabularyTables
from guided.grammars.regex import algebra as lang
from guided.grammars.watch import Watch
from tests.grammars.vocabularies import byte_vocabulary


def test_a_far_end() -> None:
    vocabulary_tables = VocabularyTables(byte_vocabulary())
    language = lang.repeat(lang.ANY_CHAR, 10**18)
    here = language
    for _ in range(5000):  # what follows is known, so that only the rows take time
        here = here.transitions()[0][1]
    state = vocabulary_tables.lazy_dfas.state((language,), "string")
    start = time.thread_time()
    with pytest.raises(LimitExceededError, match="max_mask_seconds"), Watch("max_mask_seconds", 0.1):
        vocabulary_tables.attached(LexemeEnds).of(state)
    assert time.thread_time() - start < 1
