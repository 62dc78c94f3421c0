"""What requests compile; what the cache of compiled grammars keys on, refuses, counts and forgets."""

from __future__ import annotations

from typing import Any

import pytest

from guided.grammars.cache import GrammarCache
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidSchemaError, LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary
from guided.params.sampling_params import SamplingParams
from guided.requests.grammars import RequestGrammars
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary, mask_of

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
    with pytest.raises(LimitExceededError, match="max_repeat = 100 "):
        requests(limits=Limits(max_repeat=100)).get(SamplingParams(ebnf='root ::= "a"{200}'))
    with pytest.raises(LimitExceededError, match="max_regex_bytes = 5 "):
        requests(limits=Limits(max_regex_bytes=5)).get(SamplingParams(regex="abcdef"))
    assert requests(limits=Limits(max_regex_bytes=5)).get(SamplingParams(regex="abcdef", limits=Limits()))
    with pytest.raises(LimitExceededError, match=r"max_repeat = 9 .* limits=Limits\(max_repeat=\.\.\.\)"):
        requests().get(SamplingParams(ebnf='root ::= "a"{200}', limits=Limits(max_repeat=9)))


def texts(letter: str, length: int = 9) -> list[str]:
    """A choice whose size grows with `length`."""
    return [letter * length + end for end in "abc"]


def test_bytes_are_bounded_and_the_newest_stays() -> None:
    size = compiled(requests(), choice=texts("a")).num_bytes
    grammars = requests(max_bytes=2 * size)
    first, second = compiled(grammars, choice=texts("a")), compiled(grammars, choice=texts("b"))
    assert compiled(grammars, choice=texts("a")) is first
    compiled(grammars, choice=texts("c"))
    assert compiled(grammars, choice=texts("a")) is first
    assert compiled(grammars, choice=texts("b")) is not second
    large = compiled(grammars, choice=texts("a", 20_000))
    assert large.num_bytes > 2 * size
    assert compiled(grammars, choice=texts("a", 20_000)) is large
    assert compiled(grammars, choice=texts("a")) is not first


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


EVERY_KIND: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({"json_schema": {"enum": ["a", 1]}}, ['"a"', "1"], ["a", ""]),
    ({"regex": "[ab]{2}"}, ["ab", "bb"], ["a", "abc"]),
    ({"choice": ["yes", "no"]}, ["yes", "no"], ["y", "yesno"]),
    ({"ebnf": 'root ::= "a" root | "b"'}, ["b", "aab"], ["a", "bb"]),
    ({"ebnf": 'root ::= "\\x41" "00"', "dialect": "gbnf"}, ["A00"], ["A"]),
    (
        {"structural_tag": {"structures": [{"begin": "<f>", "schema": True, "end": "</f>"}], "triggers": ["<f"]}},
        ["", "so <f>1</f>."],
        ["<f>1", "<f"],
    ),
]


@pytest.mark.parametrize(("constraint", "valid", "invalid"), EVERY_KIND, ids=lambda value: str(value)[:40])
def test_every_kind_of_constraint(constraint: dict[str, Any], valid: list[str], invalid: list[str]) -> None:
    grammars = requests()
    grammar = compiled(grammars, **constraint)
    assert compiled(grammars, **constraint) is grammar
    for text in [*valid, *invalid]:
        matcher = grammar.matcher()
        assert (accept_bytes(matcher, text.encode()) and matcher.is_accepting()) == (text in valid)


def test_names_of_special_tokens_are_part_of_the_key() -> None:
    tokens: list[bytes | None] = [*VOCABULARY.tokens]
    [special] = [token_id for token_id, token in enumerate(tokens[:-1]) if token is None]
    tag = {"type": "structural_tag", "format": {"type": "const_string", "value": "<x>"}}
    cache = GrammarCache()
    allowed = []
    for names in ({"<x>": special}, {"<y>": special}):
        vocabulary = Vocabulary(tokens, VOCABULARY.eos_token_ids, names)
        assert vocabulary == VOCABULARY
        matcher = compile_grammar(vocabulary, structural_tag=tag, cache=cache).matcher()
        allowed.append(mask_of(matcher, vocabulary))
    assert allowed == [[special], [ord("<")]]
    assert (cache.hits, cache.misses) == (0, 2)
