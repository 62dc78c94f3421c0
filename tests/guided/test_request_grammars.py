"""What requests compile; what the cache of compiled grammars keys on, refuses, counts and forgets."""

from __future__ import annotations

from typing import Any

import pytest

from guided.grammars.backends.base import CompiledGrammar
from guided.grammars.cache import GrammarCache
from guided.grammars.errors import InvalidSchemaError, LimitExceededError
from guided.grammars.limits import Limits
from guided.request_grammars import RequestGrammars
from guided.sampling_params import SamplingParams
from tests.grammars.vocabularies import byte_vocabulary

VOCABULARY = byte_vocabulary()


def requests(limits: Limits | None = None, **options: Any) -> RequestGrammars:
    return RequestGrammars(VOCABULARY, None, "compact", limits, GrammarCache(**options))


def compiled(grammars: RequestGrammars, **constraint: Any) -> CompiledGrammar:
    grammar = grammars.get(SamplingParams(**constraint))
    assert grammar is not None
    return grammar


def test_one_schema_is_one_grammar_however_it_is_given() -> None:
    grammars = requests()
    assert compiled(grammars, json_schema={"enum": [1]}) is compiled(grammars, json_schema='{ "enum": [1] }')
    assert compiled(grammars, json_schema={"enum": [1]}) is not compiled(grammars, json_schema={"enum": [1.5]})


def test_a_key_that_is_no_string_is_not_the_string() -> None:
    grammars = requests()
    closed = {"type": "object", "additionalProperties": False}
    compiled(grammars, json_schema=closed | {"properties": {"1": {"enum": [2]}}})
    with pytest.raises(InvalidSchemaError, match="the key 1 is not a string"):
        grammars.get(SamplingParams(json_schema=closed | {"properties": {1: {"enum": [2]}}}))


def test_a_schema_of_endless_text_is_refused_at_once() -> None:
    schema: Any = {"type": "null"}
    for _ in range(60):
        schema = {"anyOf": [schema, schema]}
    with pytest.raises(LimitExceededError, match="max_schema_bytes = 1000 "):
        requests(limits=Limits(max_schema_bytes=1000)).get(SamplingParams(json_schema=schema))


def test_limits_reach_the_backend() -> None:
    with pytest.raises(LimitExceededError, match="max_automaton_size = 100 "):
        requests(limits=Limits(max_automaton_size=100)).get(SamplingParams(regex="a{200}"))
    with pytest.raises(LimitExceededError, match="max_regex_bytes = 5 "):
        requests(limits=Limits(max_regex_bytes=5)).get(SamplingParams(regex="abcdef"))


def test_bytes_are_bounded_and_the_newest_stays() -> None:
    size = compiled(requests(), regex="[a-z]{9}").num_bytes
    grammars = requests(max_bytes=2 * size)
    first, second = compiled(grammars, regex="[a-z]{9}"), compiled(grammars, regex="[b-z]{9}")
    assert compiled(grammars, regex="[a-z]{9}") is first
    compiled(grammars, regex="[a-y]{9}")
    assert compiled(grammars, regex="[a-z]{9}") is first
    assert compiled(grammars, regex="[b-z]{9}") is not second
    large = compiled(grammars, regex="[a-z]{90}")
    assert large.num_bytes > 2 * size
    assert compiled(grammars, regex="[a-z]{90}") is large
    assert compiled(grammars, regex="[a-z]{9}") is not first


def test_a_grammar_counts_its_index_and_its_mask_rows() -> None:
    grammar = compiled(requests(), regex="[a-z]{9}")
    before = grammar.num_bytes
    assert before > 25 * 26 * 9
    grammar.matcher().find_jump_forward_tokens()
    assert grammar.num_bytes > before


def test_hits_and_misses_are_counted_and_failures_are_not_kept() -> None:
    cache = GrammarCache()
    grammars = RequestGrammars(VOCABULARY, None, "compact", cache=cache)
    compiled(grammars, json_schema={"enum": [1]})
    compiled(grammars, json_schema={"enum": [1]})
    with pytest.raises(InvalidSchemaError):
        compiled(grammars, json_schema={"type": "nothing"})
    assert (cache.hits, cache.misses, len(cache)) == (1, 2, 1)
    assert cache.num_bytes > 0
    cache.clear()
    assert len(cache) == 0
