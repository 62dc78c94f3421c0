"""The search for the ends of a lexeme makes rows by the thousand, within the limit on time."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from guided.grammars import all_of, compile_grammar
from guided.grammars.completion import lexeme_ends
from guided.grammars.completion.lexeme_ends import LexemeEnds
from guided.grammars.errors import LimitExceededError
from guided.grammars.machine.vocabulary_tables import VocabularyTables
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import python_re
from guided.grammars.watch import Watch, checkpoint
from tests.checkpoints import Counted
from tests.fuzz.walks import VOCABULARY
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


@pytest.mark.parametrize("times", [0, 3])
def test_a_search_of_many_states_comes_to_checkpoints(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """times: that others search while it pauses."""
    vocabulary_tables = VocabularyTables(byte_vocabulary())
    short, far = python_re.full("[a-c]*d"), python_re.full("(aaaa|b){3000}")
    short_state, state = (vocabulary_tables.lazy_dfas.state((language,), "text") for language in (short, far))
    expected = LexemeEnds(vocabulary_tables).of(state)
    ends, others = LexemeEnds(vocabulary_tables), list[dict[int, bytes]]()

    def search_elsewhere() -> None:
        if len(others) < times:
            others.append(ends._find(short_state))
        checkpoint()

    monkeypatch.setattr(lexeme_ends, "checkpoint", search_elsewhere)
    with Counted() as counted:
        assert ends.of(state) == expected == {0: b"b" * 3000}
    assert counted.count > 5
    assert others == [{0: b"d"}] * times


def test_the_end_of_many_words_needs_no_states() -> None:
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(8, 14))) + "é" for _ in range(100_000)]
    matcher: Any = compile_grammar(VOCABULARY, **all_of({"choice": words}), cache=None).matcher()
    lazy_dfas = matcher._automaton.vocabulary_tables.lazy_dfas
    num_states = lazy_dfas.num_states
    assert bytes(matcher.find_shortest_completion()).decode() in words
    assert lazy_dfas.num_states - num_states < 1000
