"""Bounds and kept distances change no mask: each is compared with what a search finds anew."""

from __future__ import annotations

import random

import numpy as np
import pytest

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GrammarError
from guided.grammars.protocol import CompiledGrammar
from tests.fuzz.budgets import Maker
from tests.grammars.vocabularies import vocabulary_of

TOKENS = (b'":"', b'{"', b'"}', b'","', b"name", b"file", b"filename", b'":', b"e+", b"00", b"]}", b"SELECT ", b"ab")
VOCABULARY = vocabulary_of(*[bytes([byte]) for byte in range(256)], *TOKENS)


@pytest.mark.parametrize("seed", range(12))
def test_masks_are_those_of_a_search(seed: int) -> None:
    rng, num_drawn = random.Random(seed), 0
    for _ in range(4):
        case = Maker(rng).case()
        if "json_schema" in case:
            case["values"] = rng.choice(["any", "canonical"])
        try:
            grammar, searched = (compile_grammar(VOCABULARY, cache=None, **case) for _ in range(2))
            least = grammar.min_tokens
        except GrammarError:
            continue
        for budget in (least, least + 2, least + rng.randint(3, 30), 400, 100_000):
            num_drawn += compare(grammar, searched, budget, rng)
    assert num_drawn > 0


def compare(grammar: CompiledGrammar, searched: CompiledGrammar, budget: int, rng: random.Random) -> int:
    """Draw a text within a budget, and compare each mask and answer with those of `searched`, which keeps nothing.
    Returns the number of drawn tokens.
    """
    matcher, other = grammar.matcher(), searched.matcher()
    completion = other._completion()
    completion.surely_fits = lambda config, budget: False
    masks, num_drawn = allocate_bitmask(2, VOCABULARY.size), 0
    while num_drawn < min(budget, 40) and not matcher.is_terminated():
        left = budget - num_drawn
        matcher.fill_bitmask(masks, 0)
        other.fill_bitmask(masks, 1)
        completion.highest.clear()
        completion._distances.clear()
        assert matcher.restrict_to_budget(masks, 0, left) == other.restrict_to_budget(masks, 1, left)
        assert np.array_equal(masks[0], masks[1])
        allowed = allowed_token_ids(masks[0], VOCABULARY.size).tolist()
        if not allowed:
            break  # the vocabulary spells no further text
        token_id = rng.choice(allowed)
        for fit in (left, rng.randint(0, 12)):
            completion._distances.clear()
            assert matcher.fits_budget([token_id], fit) == other.fits_budget([token_id], fit)
            assert matcher.fits_budget([], fit) == other.fits_budget([], fit)
        assert matcher.accept_token(token_id)
        assert other.accept_token(token_id)
        num_drawn += 1
    return num_drawn


@pytest.mark.parametrize("rest", [{}, {"b": {"type": "string"}}])
def test_forced_texts_are_not_searched(monkeypatch: pytest.MonkeyPatch, rest: dict[str, object]) -> None:
    """Their fewest tokens are known, so a budget below these needs no look at the tokens of each place."""
    properties = {"a": {"const": "name" * 100}, **rest}
    schema = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    matcher = compile_grammar(VOCABULARY, json_schema=schema, whitespace="compact", cache=None).matcher()
    looks, nearest = list[int](), matcher.completion.nearest
    monkeypatch.setattr(matcher.completion, "nearest", lambda config: looks.append(config) or nearest(config))
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    matcher.fill_bitmask(bitmask)
    assert not matcher.restrict_to_budget(bitmask, 0, 70)
    assert not looks
    num_needed = len(matcher.find_shortest_completion(thorough=True))
    assert num_needed == len(matcher.find_shortest_completion()) > 100
    assert bool(looks) == bool(rest)
    if rest:
        assert not matcher.restrict_to_budget(bitmask, 0, num_needed - 1)
        assert len(looks) > 1


def test_kept_distances_count_as_memory() -> None:
    matcher = compile_grammar(VOCABULARY, json_schema={"type": "string"}, cache=None).matcher()
    matcher.fits_budget([], 50)
    completion = matcher.completion
    before = completion.num_bytes
    for kept in (completion.highest, completion._distances):
        kept.update(dict.fromkeys(range(1_000_000, 1_001_000), 5))
    assert completion.num_bytes - before > 100_000
