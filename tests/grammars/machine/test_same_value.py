"""What is written of a container beside the texts of a value."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.machine.documents.same_value import bytes_towards, is_same_number
from guided.grammars.vocabulary import Vocabulary

SPELLINGS = {
    0: ["0", "-0", "0.0", "0e5"],
    1: ["1", "1.0", "1.00", "10e-1", "0.1e1", "1e0"],
    -2: ["-2", "-2.0", "-20e-1"],
}


def text_of(value: Any, rng: random.Random) -> str:
    """One of the texts of a value, without whitespace."""
    if isinstance(value, dict):
        members = [f"{json.dumps(key)}:{text_of(item, rng)}" for key, item in value.items()]
        rng.shuffle(members)
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(text_of(item, rng) for item in value) + "]"
    if isinstance(value, int) and not isinstance(value, bool):
        return rng.choice(SPELLINGS[value])
    return json.dumps(value)


def random_container(rng: random.Random, depth: int = 2) -> Any:
    """A small object or array."""
    scalars = [0, 1, -2, "", "a", "ab", 'q"', True, False, None]
    items = [
        random_container(rng, depth - 1) if depth and rng.random() < 0.3 else rng.choice(scalars)
        for _ in range(rng.randint(0, 3))
    ]
    return dict(zip(["a", "ab", "b"], items, strict=False)) if rng.random() < 0.6 else items


@pytest.mark.parametrize("seed", range(200))
def test_every_beginning_of_every_text_leads_there(seed: int) -> None:
    rng = random.Random(seed)
    value = random_container(rng)
    goal, text = text_of(value, rng).encode(), text_of(value, rng).encode()
    for config in range(len(text)):
        expected = bytes_towards(text[:config], goal)
        assert expected is not None, text[:config]
        assert text[config] in expected, text[:config]
    assert bytes_towards(text, goal) == frozenset()


@pytest.mark.parametrize("seed", range(200))
def test_other_values_do_not(seed: int) -> None:
    rng = random.Random(seed)
    first, second = random_container(rng), random_container(rng)
    is_same = json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)
    found = bytes_towards(text_of(first, rng).encode(), text_of(second, rng).encode())
    assert (found == frozenset()) == is_same
    assert is_same or found is None


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [("1", "1.0", True), ("100", "1e2", True), ("-0", "0", True), ("1", "-1", False), ("12", "1.2", False)]
    + [("0.1", "0.10000000000000000001", True)],
)
def test_numbers(first: str, second: str, is_same: bool) -> None:
    assert is_same_number(first, second) == is_same


def test_digits_that_lead_away_are_seen_at_once() -> None:
    assert bytes_towards(b"[12", b"[1]") is None
    assert bytes_towards(b"[-1", b"[1]") is None
    assert bytes_towards(b"[10", b"[1]") is not None  # 10e-1
    assert bytes_towards(b"[1", b"[120]") is not None


@pytest.mark.parametrize("second", [{"b": 2, "a": 1}, {"a": 1, "b": 2}, {"b": 2, "a": 1, "c": 3}, {"b": 2}])
def test_masks_agree_with_what_is_accepted(second: dict[str, int]) -> None:
    vocabulary = Vocabulary([bytes([byte]) for byte in range(256)] + [b"}]", b"},", b"2}", b'":', None], [260])
    matcher = compile_grammar(vocabulary, json_schema={"uniqueItems": True}).matcher()
    bitmask = allocate_bitmask(1, vocabulary.size)
    is_refused = False
    for byte in json.dumps([{"a": 1, "b": 2}, second]).encode():
        matcher.fill_bitmask(bitmask)
        for token_id in range(vocabulary.size - 1):
            is_allowed = bool(bitmask[0, token_id >> 5] >> (token_id & 31) & 1)
            assert matcher.fork().accept_token(token_id) == is_allowed, vocabulary.tokens[token_id]
        if not matcher.accept_token(byte):
            is_refused = True
            break
    assert is_refused == (second == {"a": 1, "b": 2})
