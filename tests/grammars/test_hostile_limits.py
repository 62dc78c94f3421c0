"""Grammars that once ran far past their limits: compiling, masks and distances are over in time, with a typed error.

Random ones are in `tests.fuzz.hostile`.
"""

from __future__ import annotations

import random
import resource
from collections.abc import Callable
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError
from guided.grammars.limits import Limits
from tests.fuzz.command import fuzz
from tests.fuzz.hostile import LIMITS, VOCABULARY, faults_of, look
from tests.fuzz.walks import takes, try_piece

MAX_BYTES = 400_000_000  # more of resident memory than before


def numbered(count: int) -> dict[str, Any]:
    return {f"key{i}": True for i in range(count)}


def references(length: int, wrap: Callable[[dict[str, str]], dict[str, Any]]) -> dict[str, Any]:
    links = {f"d{i}": wrap({"$ref": f"#/$defs/d{i + 1}"}) for i in range(length)}
    return {"$ref": "#/$defs/d0", "$defs": {**links, f"d{length}": {"type": "object"}}}


def same_key(count: int) -> list[dict[str, Any]]:
    rng = random.Random(1)
    pieces = ["[a-m]", "[n-z]+", "(x|y)*", "[0-9]{2}", "q?"]
    patterns = ["^" + "".join(rng.choice(pieces) for _ in range(4)) + "$" for _ in range(count)]
    return [{"type": "object", "properties": {"k": {"pattern": one}}, "required": ["k"]} for one in patterns]


def satisfiability(num_variables: int, num_clauses: int) -> dict[str, Any]:
    """3-SAT, by what variables are and by whether they are there."""
    rng = random.Random(1)
    names = [f"x{i}" for i in range(num_variables)]

    def literal() -> dict[str, Any]:
        name, is_true = rng.choice(names), rng.random() < 0.5
        return {"properties": {name: {"const": is_true}}, "required": [name]}

    clauses = [{"anyOf": [literal() for _ in range(3)]} for _ in range(num_clauses)]
    return {"type": "object", "properties": {name: {"type": "boolean"} for name in names}, "allOf": clauses}


PROPERTIES = {"type": "object", "properties": numbered(10_000)}
REQUIRED = {**PROPERTIES, "required": list(numbered(10_000))}
CASES: dict[str, Callable[[], Any]] = {
    "10,000 required properties": lambda: REQUIRED,
    "10,000 properties": lambda: PROPERTIES,
    "references twice": lambda: references(40, lambda one: {"oneOf": [one, one]}),
    "references and not": lambda: references(40, lambda one: {"oneOf": [one, {"not": one}]}),
    "references and members": lambda: references(40, lambda one: {"oneOf": [one, {"properties": {"p": one}}]}),
    "1,000 patterns of one key": lambda: {"anyOf": same_key(1_000)},
    "one of 1,000 patterns": lambda: {"oneOf": same_key(1_000)},
    "3-SAT": lambda: satisfiability(50, 215),
    "200 multipleOf": lambda: {"oneOf": [{"type": "number", "multipleOf": i + 2} for i in range(200)]},
    "a million members": lambda: {"type": "object", "minProperties": 1_000_000},
    "a million items": lambda: {"type": "array", "minItems": 1_000_000, "uniqueItems": True},
    "a large multiple": lambda: {"type": "number", "multipleOf": 1e300},
    "a large prime": lambda: {"type": "integer", "multipleOf": 2_147_483_647},
    "15,000 of 20,000 members": lambda: {
        "properties": {f"k{i}": {"maxLength": i % 100} for i in range(20_000)},
        "type": "object",
        "additionalProperties": False,
        "minProperties": 15_000,
    },
    "20 contains": lambda: {"type": "array", "allOf": [{"contains": {"multipleOf": i + 2}} for i in range(20)]},
}


def exactly_one_of_references(depth: int) -> Any:
    """Each definition stands twice in the one before it, so the last stands in 2 to the power of `depth` places."""
    definitions: dict[str, Any] = {f"l{depth}": {"required": ["a"], "properties": {"a": {"const": 1}}}}
    for i in range(depth):
        following = {"$ref": f"#/$defs/l{i + 1}"}
        definitions[f"l{i}"] = {"oneOf": [following, {**following, "required": [f"k{i % 5}"]}]}
    return {"type": "object", "$ref": "#/$defs/l0", "$defs": definitions}


@pytest.mark.parametrize("order", ["schema", "any"])
def test_what_stands_in_many_places_is_looked_at_once(order: Any) -> None:
    """At 20 levels and more, compiling ran into any limit."""
    grammar = compile_grammar(VOCABULARY, json_schema=exactly_one_of_references(40), cache=None, property_order=order)
    matcher = grammar.matcher()
    assert takes(matcher, b'{"a":1}')
    assert takes(matcher, b'{"a":1,"k9":0}')
    assert not takes(matcher, b'{"a":1,"k1":0}')
    assert not takes(matcher, b'{"k9":0}')


@pytest.mark.parametrize("name", CASES)
def test_limits_hold(name: str) -> None:
    order = "any" if name.startswith("10,000") else "schema"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert faults_of(CASES[name](), random.Random(1), num_tokens=1, property_order=order) == []
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < MAX_BYTES


def test_members_that_may_come_are_counted_at_once() -> None:
    """Each key was asked how many others can follow it, one after the other: longer than any limit."""
    matcher = compile_grammar(VOCABULARY, json_schema=CASES["15,000 of 20,000 members"](), cache=None).matcher()
    assert not try_piece(matcher, b"{}")
    assert not try_piece(matcher, b'{"k20000":')
    assert try_piece(matcher, b'{"k19999":')


@pytest.mark.parametrize("first", [0, 10_000, 19_999])
def test_sets_of_two_keys_are_told_apart_at_once(first: int) -> None:
    """Ints with few bits have few hashes: frames after a second member all met in the same ones, for over 5 s."""
    matcher = compile_grammar(VOCABULARY, json_schema=CASES["15,000 of 20,000 members"](), cache=None).matcher()
    assert try_piece(matcher, b'{"k%d":0,"k5":' % first)
    assert not try_piece(matcher, b"}")


def test_a_shortest_text_of_a_billion_characters_is_refused() -> None:
    """It was written: a gigabyte."""
    matcher = compile_grammar(VOCABULARY, json_schema={"type": "string", "minLength": 10**9}, cache=None).matcher()
    with pytest.raises(LimitExceededError, match=r"shortest_text = 1e\+07 characters"):
        matcher.find_shortest_completion()


def test_random_schemas() -> None:
    assert fuzz(look, seed=1, cases=40, seconds=2) == []


def test_the_limits_are_short() -> None:
    assert Limits().max_mask_seconds > 10 * LIMITS.max_mask_seconds
