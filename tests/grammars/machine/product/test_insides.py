"""Insides of strings and names, which walks share: the same masks as without them, and as the oracle says."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from guided.grammars import all_of, compile_grammar
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.machine.product import insides
from guided.grammars.native.product_grammar import ProductGrammar
from guided.grammars.vocabulary import Vocabulary
from tests.cases.combination_cases import CASES, CombinationCase
from tests.grammars.machine.product import test_oracle
from tests.grammars.machine.rules.brute_force import check_walk
from tests.grammars.vocabularies import BYTES, mask_of

WORDS = ["abc", "TODO", "x TO", "77", 'a":', '"a', "né", "éé", "日本", "a日", "set on", "(((", ")))", "</f>", "no}"]
WORDS += ["".join(random.Random(seed).choices('ab7TOD"é \\', k=4)) for seed in range(60)]
_TOKENS = [*BYTES, *sorted({word.encode() for word in WORDS}), b"\xc3\xa9\xe6", b"a\xe6\x97"]
SMALL = Vocabulary([*_TOKENS, None], [len(_TOKENS)])
SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["title", "tags"],
    "additionalProperties": False,
}
TEXT = json.dumps({"title": "The quick TOD brown 日本 fox", "tags": ["naïve", "two words"]}, ensure_ascii=False)
LIST = 'root ::= name (", " name)* ";"\nname ::= [a-zA-Z_] [a-zA-Z0-9_]* | "\'" [^\'\\n]* "\'" | "(" name ")"'
LARGE_CASES = {
    "schema, banned": (all_of({"json_schema": SCHEMA}, banned_substrings=["TODO", "http"]), TEXT),
    "schema, length": (all_of({"json_schema": SCHEMA}, {"regex": "(?s).{0,90}"}), TEXT),
    "ebnf, banned": (
        all_of({"ebnf": LIST, "dialect": "gbnf"}, banned_substrings=["secret", "é"]),
        "first_name, 'ein Straßenschild', X9;",
    ),
    "ebnf, length": (all_of({"ebnf": LIST, "dialect": "gbnf"}, {"regex": ".{10,40}"}), "first_name, 'Straße', X9;"),
}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_masks_of_small_vocabularies(case: CombinationCase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(insides, "LARGE", 0)
    without = compile_grammar(SMALL, **case.arguments, cache=None)
    monkeypatch.setattr(insides, "LARGE", 1)
    shared = compile_grammar(SMALL, **case.arguments, cache=None)
    for text in case.allowed:
        matchers = [grammar.matcher() for grammar in (without, shared)]
        for byte in text.encode():
            assert mask_of(matchers[0], SMALL) == mask_of(matchers[1], SMALL)
            assert all(matcher.accept_token(byte) for matcher in matchers)
    check_walk(shared.matcher(), SMALL, random.Random(case.name), 10, b'}])"<')


@pytest.mark.parametrize("seed", range(0, 40, 4))
def test_random_grammars(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(insides, "LARGE", 1)
    test_oracle.test_random_grammars_and_regexes(seed)


@pytest.mark.parametrize("name", LARGE_CASES)
def test_masks_of_a_large_vocabulary(
    name: str, deepseek: Any, deepseek_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    vocabulary = deepseek_vocabulary
    arguments, text = LARGE_CASES[name]
    shared = compile_grammar(vocabulary, **arguments, cache=None)
    monkeypatch.setattr(insides, "LARGE", 0)
    without = compile_grammar(vocabulary, **arguments, cache=None)
    matchers, masks = [grammar.matcher() for grammar in (without, shared)], allocate_bitmask(2, vocabulary.size)
    for token_id in deepseek.encode(text, add_special_tokens=False):
        for row, matcher in enumerate(matchers):
            matcher.fill_bitmask(masks, row)
            assert matcher.accept_token(token_id)
        assert (masks[0] == masks[1]).all(), np.flatnonzero(masks[0] != masks[1])
    assert isinstance(shared, ProductGrammar)
    assert shared._automaton._insides._kept or "length" in name
    assert shared.num_bytes < 10_000_000


def test_insides_are_bounded(deepseek: Any, deepseek_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(insides, "_MAX_BYTES", 0)
    arguments, text = LARGE_CASES["schema, banned"]
    grammar = compile_grammar(deepseek_vocabulary, **arguments, cache=None)
    matcher, bitmask = grammar.matcher(), allocate_bitmask(1, grammar.vocabulary.size)
    for token_id in deepseek.encode(text, add_special_tokens=False):
        matcher.fill_bitmask(bitmask)
        assert matcher.accept_token(token_id)
    assert isinstance(grammar, ProductGrammar)
    assert len(grammar._automaton._insides._kept) <= 1
