"""Random context-free grammars against the oracle: left recursion of all kinds, empty rules, ambiguity."""

from __future__ import annotations

import itertools
import random

import pytest

from guided.grammars.errors import GrammarError
from guided.grammars.native.general_grammar import GeneralGrammar
from guided.grammars.rules.expressions import RuleGraph
from tests.grammars.machine.rules.brute_force import LETTERS, check_walk, compiled
from tests.grammars.rules.oracle import accepts, random_graph

TEXTS = ["".join(letters) for size in range(6) for letters in itertools.product("ab", repeat=size)]


def _grammar(seed: int) -> tuple[GeneralGrammar, set[str]] | None:
    """A random grammar and its short texts; None where a rule never ends."""
    graph = random_graph(random.Random(seed), 1 + seed % 4)
    try:
        return compiled(graph, LETTERS), {text for text in TEXTS if accepts(graph, text)}
    except GrammarError:
        assert any(not _ends(graph, name) for name in graph.rules)
        return None


def _ends(graph: RuleGraph, name: str) -> bool:
    """True if a short text belongs to a rule."""
    return any(accepts(RuleGraph(graph.rules, name), text) for text in TEXTS)


@pytest.mark.parametrize("seed", range(24))
def test_agrees_with_the_oracle(seed: int) -> None:
    made = _grammar(seed)
    if made is None:
        return
    grammar, belonging = made
    for text in TEXTS:
        matcher = grammar.matcher()
        is_read = all(matcher.accept_token(ord(letter)) for letter in text)
        assert (is_read and matcher.is_accepting()) == (text in belonging), text


@pytest.mark.parametrize("seed", range(24, 40))
def test_masks_of_random_grammars(seed: int) -> None:
    made = _grammar(seed)
    if made is not None:
        rng = random.Random(seed)
        for _ in range(3):
            check_walk(made[0].matcher(), LETTERS, rng, 8)
