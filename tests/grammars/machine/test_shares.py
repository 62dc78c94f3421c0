"""The states of lazy DFAs that grammars of one vocabulary share: who takes too many is ended, nobody else is."""

from __future__ import annotations

import random

import pytest

import guided
from guided.grammars.errors import LimitExceededError
from guided.grammars.machine.lexemes.lazy_dfas import MAX_STATES, LazyDfas
from guided.grammars.machine.lexemes.shares import StateShare
from tests.grammars.vocabularies import byte_vocabulary

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "pattern": "^[A-Z][a-z]{1,30}( [A-Z][a-z]{1,30})*$"}},
    "required": ["name"],
    "additionalProperties": False,
}


def test_greedy_grammars_end_themselves_alone() -> None:
    """Each of four regexes doubles its sets with every character; a schema that is in use meanwhile goes on."""
    vocabulary = byte_vocabulary()
    bitmask = guided.allocate_bitmask(1, vocabulary.size)
    person = guided.compile_grammar(vocabulary, json_schema=PERSON, cache=None).matcher()
    greedy = [guided.compile_grammar(vocabulary, regex=f".*{c}.{{17}}", cache=None).matcher() for c in "abcd"]
    for letter, matcher in zip("abcd", greedy, strict=True):
        text = random.Random(letter).choices([ord(letter), ord("z")], k=40_000)
        with pytest.raises(LimitExceededError, match="states exceeded"):
            all(map(matcher.accept_token, text))
    for token_id in b'{"name": "Ada Lovelace"}':
        person.fill_bitmask(bitmask, 0)
        assert person.accept_token(token_id)
    assert person.is_accepting()


def test_a_share_is_twice_what_is_free() -> None:
    dfas = LazyDfas()
    first, second = StateShare(dfas), StateShare(dfas)
    first.resume()
    assert dfas.pool.most_states() == dfas.num_taken + 2 * (MAX_STATES - dfas.num_taken) // 3
    second.resume()
    assert dfas.of_all_bytes == 0
    second.pause()
    first.pause()
    assert (first.num_states, second.num_states) == (1, 1)
    assert dfas.pool.most_states() == MAX_STATES
    first.num_states = 2 * MAX_STATES
    first.resume()
    with pytest.raises(LimitExceededError, match="this grammar has made"):
        dfas.dfa.states.ensure(dfas.dfa.states.capacity + 1)
    first.pause()
