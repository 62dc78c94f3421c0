"""Choices: all texts and no others, masks by brute force, 100,000 strings."""

from __future__ import annotations

import random
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidInputError, LimitExceededError
from guided.grammars.limits import Limits
from tests.grammars.machine.rules.brute_force import LETTERS, check_walk
from tests.grammars.vocabularies import byte_vocabulary, mask_of

BYTES = byte_vocabulary()


@pytest.mark.parametrize(
    "texts",
    [
        ["a"],
        ["", "a", "ab", "abba", "b", "ba"],
        ["aaaa", "aab", "aabb", "abab", "ababab", "bb", "bbab"],
        ["é", "è", "日本", "日", "a\x00b"],
    ],
)
def test_masks(texts: list[str]) -> None:
    for vocabulary in (LETTERS, BYTES):
        grammar = compile_grammar(vocabulary, choice=texts, cache=None)
        for seed in range(6):
            taken = check_walk(grammar.matcher(), vocabulary, random.Random(seed), 20)
            assert vocabulary.join(taken).decode() in texts
        for string in texts:
            matcher = grammar.matcher()
            assert all(matcher.accept_token(byte) for byte in string.encode())
            assert matcher.is_accepting()


def test_jump_forward() -> None:
    matcher = compile_grammar(BYTES, choice=["prefix one", "prefix two", "prefix three"], cache=None).matcher()
    assert matcher.find_jump_forward_bytes() == b"prefix "
    for byte in b"prefix t":
        assert matcher.accept_token(byte)
    assert matcher.find_jump_forward_bytes() == b""


def test_many() -> None:
    texts = [f"{number * 7919:x}" for number in range(100_000)]
    grammar = compile_grammar(BYTES, choice=texts, cache=None)
    known = set(texts)
    rng = random.Random(1)
    for string in rng.sample(texts, 20):
        matcher = grammar.matcher()
        assert all(matcher.accept_token(byte) for byte in string.encode())
        assert matcher.is_accepting()
    for _ in range(20):
        matcher, taken = grammar.matcher(), []
        while not matcher.is_terminated():
            taken.append(rng.choice(mask_of(matcher, BYTES)))
            assert matcher.accept_token(taken[-1])
        assert BYTES.join(taken).decode() in known


@pytest.mark.parametrize("choice", [[], "text", 5, ["a", 1], ["\ud800"]])
def test_refuses(choice: Any) -> None:
    with pytest.raises(InvalidInputError, match="choice"):
        compile_grammar(BYTES, choice=choice)


def test_limits_and_duplicates() -> None:
    with pytest.raises(LimitExceededError, match="max_choice_bytes"):
        compile_grammar(BYTES, choice=["abcdefgh"], limits=Limits(max_choice_bytes=8))
    grammar = compile_grammar(BYTES, choice=["b", "a", "b"], cache=None)
    assert grammar.spec.source == '["b","a"]'
