"""Hostile schemas: masked, or a typed error, within 5 s of processor time; nothing stays after an error."""

from __future__ import annotations

import gc
import json
import string
import time
from collections.abc import Callable
from typing import Any

import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.cache import PROCESS_CACHE
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import (
    GuidedError,
    InvalidSchemaError,
    LimitExceededError,
    UnsatisfiableError,
    UnsupportedSchemaError,
)
from guided.grammars.json_schema import formula
from guided.grammars.limits import Limits
from guided.grammars.machine.vocabulary_tables import vocabulary_tables_of
from guided.grammars.regex import nodes
from tests.grammars.vocabularies import byte_vocabulary

VOCABULARY = byte_vocabulary()
MAX_SECONDS = 20.0  # of CPU time; the slowest takes 3.0 on an idle machine, and took 8.9 at a load of 8 on two cores
LETTERS = string.ascii_lowercase
STRING = {"type": "string"}
PATIENT = Limits(max_compile_seconds=1e6, max_mask_seconds=1.0)
"""A limit on the clock would have a busy machine decide what is tested."""
ANY = GuidedError
"""A typed error or success: which of them depends on limits, and either is right."""


def nested(depth: int, wrap: Callable[[Any], Any], inner: Any = True) -> Any:
    """`inner`, wrapped that many times."""
    for _ in range(depth):
        inner = wrap(inner)
    return inner


def chain(length: int, make: Callable[[dict[str, str]], Any], last: Any = STRING) -> dict[str, Any]:
    """Definitions each of which is made from a reference to the next."""
    names = [f"d{i}" for i in range(length + 1)]
    links = {name: make({"$ref": f"#/$defs/{names[i + 1]}"}) for i, name in enumerate(names[:-1])}
    return {"$ref": "#/$defs/d0", "$defs": {**links, names[-1]: last}}


def numbered(count: int, value: Any = True) -> dict[str, Any]:
    return {f"key{i}": value for i in range(count)}


def many_letters(count: int) -> str:
    return "".join(f"(?=.*{letter})" for letter in LETTERS[:count])


def overlapping(count: int) -> list[dict[str, Any]]:
    return [{"properties": {f"k{i}": {"minLength": i}}, "required": [f"k{i}"]} for i in range(count)]


def empty_intersection(letter: str) -> dict[str, Any]:
    return {
        "allOf": [{"pattern": f"^({letter}|b)*{letter}.{{11}}$"}, {"pattern": f"^({letter}|b)*b.{{11}}$"}],
        "type": "string",
    }


HostileSchema = tuple[str, Callable[[], Any], type[GuidedError] | None]
SCHEMAS: list[HostileSchema] = [
    # not JSON, or not in UTF-8
    ("brackets", lambda: "[" * 100_000, LimitExceededError),
    ("braces", lambda: '{"not":' * 100_000, LimitExceededError),
    ("not JSON", lambda: "{'a': 1}", InvalidSchemaError),
    ("bytes", lambda: b"{}", InvalidSchemaError),
    ("NaN in text", lambda: '{"minimum": NaN}', InvalidSchemaError),
    ("infinity in text", lambda: '{"enum": [-Infinity]}', InvalidSchemaError),
    ("overflow in text", lambda: '{"minimum": 1e999}', InvalidSchemaError),
    ("NaN", lambda: {"const": float("nan")}, InvalidSchemaError),
    ("infinity", lambda: {"maximum": float("inf")}, InvalidSchemaError),
    ("lone surrogate", lambda: {"enum": ["\ud800"]}, InvalidSchemaError),
    ("lone surrogate as key", lambda: {"properties": {"\udfff": True}}, InvalidSchemaError),
    ("lone surrogate in a pattern", lambda: {"pattern": "\\ud800"}, ANY),
    ("same key twice", lambda: '{"type": "string", "type": "null"}', InvalidSchemaError),
    ("huge integer", lambda: '{"minimum": ' + "9" * 100_000 + "}", InvalidSchemaError),
    ("unknown draft", lambda: {"$schema": "http://example.org/draft"}, InvalidSchemaError),
    # large
    ("1 MB of text", lambda: {"description": "x" * 999_000}, None),
    ("more than 1 MB", lambda: {"description": "x" * 1_000_000}, LimitExceededError),
    ("shared parts", lambda: nested(60, lambda inner: {"allOf": [inner, inner]}), LimitExceededError),
    ("enum of 100,000 strings", lambda: {"enum": [f"{i:06}" for i in range(100_000)]}, ANY),
    ("enum of 10,000 numbers", lambda: {"enum": [i * 1.5 for i in range(10_000)]}, ANY),
    ("enum of 3,000 objects", lambda: {"enum": [{"a": i} for i in range(3_000)]}, ANY),
    ("enum of 2,000 arrays", lambda: {"enum": [[i, [i]] for i in range(2_000)]}, ANY),
    ("enum of one long text", lambda: {"const": "x" * 900_000}, ANY),
    ("not an enum", lambda: {"not": {"enum": [f"{i:06}" for i in range(50_000)]}}, ANY),
    ("5,000 properties", lambda: {"properties": numbered(5_000), "type": "object"}, ANY),
    ("5,000 required", lambda: {"required": list(numbered(5_000)), "type": "object"}, ANY),
    ("a long key", lambda: {"properties": {"x" * 500_000: True}, "type": "object"}, ANY),
    ("many definitions", lambda: {"$defs": numbered(30_000, {"type": "string"})}, None),
    ("500 patterns of keys", lambda: {"patternProperties": {f"^{i}": True for i in range(500)}}, ANY),
    (
        "30 overlapping patterns of keys",
        lambda: {"patternProperties": {f"{c}": {"minLength": 1} for c in LETTERS}},
        ANY,
    ),
    # deep
    ("deep properties", lambda: nested(60, lambda inner: {"properties": {"a": inner}, "required": ["a"]}), None),
    ("deep items", lambda: nested(60, lambda inner: {"items": inner, "type": "array", "minItems": 1}), None),
    ("too deep", lambda: nested(Limits().max_schema_depth, lambda inner: {"items": inner}), LimitExceededError),
    ("deep not", lambda: nested(120, lambda inner: {"not": inner}, {"type": "string"}), None),
    ("deep allOf", lambda: nested(60, lambda inner: {"allOf": [inner]}, {"type": "string"}), None),
    (
        "deep if",
        lambda: nested(100, lambda inner: {"if": {"minLength": 2}, "then": inner, "else": {"maxLength": 1}}),
        ANY,
    ),
    ("deep oneOf", lambda: nested(60, lambda inner: {"oneOf": [inner, {"type": "null"}]}, {"type": "string"}), ANY),
    ("a deep value", lambda: {"const": nested(100, lambda inner: [inner])}, None),
    # patterns
    ("nested stars", lambda: {"type": "string", "pattern": "^((a+)+)+$"}, None),
    ("stars of choices", lambda: {"type": "string", "pattern": "^(a|a|aa)*b(x+x+)+y$"}, None),
    ("counts of counts", lambda: {"type": "string", "pattern": "^((a{1,1000}){1,1000}){1,1000}$"}, ANY),
    ("a large count", lambda: {"type": "string", "pattern": "a{100000000}"}, ANY),
    ("far from the end", lambda: {"type": "string", "pattern": "(a|b)*a(a|b){60}$"}, ANY),
    ("far from the end, not", lambda: {"type": "string", "not": {"pattern": "(a|b)*a(a|b){60}$"}}, ANY),
    ("20 lookaheads", lambda: {"type": "string", "pattern": f"^{many_letters(20)}"}, ANY),
    ("10 lookbehinds", lambda: {"type": "string", "pattern": "".join(f"(?<={c}.*)" for c in LETTERS[:10]) + "$"}, ANY),
    ("nested lookaheads", lambda: {"type": "string", "pattern": nested(60, lambda inner: f"(?=.*{inner})", "a")}, ANY),
    ("deep brackets", lambda: {"pattern": "(" * 5_000 + ")" * 5_000}, ANY),
    ("a long choice", lambda: {"type": "string", "pattern": "|".join(f"w{i}" for i in range(20_000))}, ANY),
    (
        "long classes",
        lambda: {"type": "string", "pattern": "^([\\p{L}\\p{N}]|[^\\p{Lu}]){1,500}\\p{Script=Greek}$"},
        ANY,
    ),
    ("backreference", lambda: {"pattern": "(a)\\1"}, ANY),
    (
        "empty intersections",
        lambda: {"required": list(LETTERS), "properties": {c: empty_intersection(c) for c in LETTERS}},
        ANY,
    ),
    # references
    ("a loop", lambda: {"$ref": "#"}, InvalidSchemaError),
    (
        "a loop of two",
        lambda: {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        InvalidSchemaError,
    ),
    ("a loop in allOf", lambda: {"allOf": [{"anyOf": [{"$ref": "#"}, True]}]}, InvalidSchemaError),
    ("a loop through not", lambda: {"not": {"$ref": "#"}}, InvalidSchemaError),
    ("no end", lambda: {"properties": {"a": {"$ref": "#"}}, "required": ["a"], "type": "object"}, UnsatisfiableError),
    ("no end in arrays", lambda: {"items": {"$ref": "#"}, "minItems": 1, "type": "array"}, UnsatisfiableError),
    ("nowhere", lambda: {"$ref": "#/$defs/missing"}, InvalidSchemaError),
    ("never fetched", lambda: {"$ref": "http://localhost:1/schema.json"}, ANY),
    ("a long chain", lambda: chain(5_000, lambda following: following), LimitExceededError),
    ("a tree of allOf", lambda: chain(60, lambda following: {"allOf": [following, {"$ref": following["$ref"]}]}), ANY),
    (
        "a tree of anyOf",
        lambda: chain(40, lambda following: {"anyOf": [following, {"minLength": 1, **following}]}),
        ANY,
    ),
    (
        "a tree of oneOf",
        lambda: chain(40, lambda following: {"oneOf": [following, {"maxLength": 1, **following}]}),
        ANY,
    ),
    (
        "a tree of members",
        lambda: chain(60, lambda following: {"properties": {"a": following, "b": following}, "required": ["a", "b"]}),
        ANY,
    ),
    (
        "both ways",
        lambda: {"anyOf": [{"items": {"$ref": "#"}, "contains": {"$ref": "#"}}, {"not": {"items": {"$ref": "#"}}}]},
        ANY,
    ),
    # counts
    ("endless strings", lambda: {"type": "string", "minLength": 10**12}, ANY),
    ("endless strings of a pattern", lambda: {"type": "string", "minLength": 10**7, "pattern": "^(ab)*$"}, ANY),
    ("long strings", lambda: {"type": "string", "maxLength": 10**30}, None),
    ("endless arrays", lambda: {"type": "array", "minItems": 10**12}, ANY),
    ("endless objects", lambda: {"type": "object", "minProperties": 10**12}, ANY),
    (
        "too many of few",
        lambda: {"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": True, "minItems": 10**9},
        UnsatisfiableError,
    ),
    (
        "many different",
        lambda: {
            "type": "array",
            "items": {"pattern": "^[a-z]{9}$", "type": "string"},
            "uniqueItems": True,
            "minItems": 10**9,
        },
        ANY,
    ),
    ("counted matches", lambda: {"type": "array", "contains": {"minLength": 1}, "minContains": 10**9}, ANY),
    (
        "ten counted matches",
        lambda: {
            "type": "array",
            "allOf": [{"contains": {"minLength": i}, "minContains": 3, "maxContains": 9} for i in range(10)],
        },
        ANY,
    ),
    # numbers
    ("a large prime", lambda: {"type": "integer", "multipleOf": 999_999_937}, ANY),
    (
        "many primes",
        lambda: {"type": "integer", "allOf": [{"multipleOf": p} for p in (97, 101, 103, 107, 109)], "minimum": 1},
        ANY,
    ),
    ("tiny steps", lambda: {"type": "number", "multipleOf": 5e-324}, ANY),
    ("huge steps", lambda: {"type": "number", "multipleOf": 1.7e308}, ANY),
    (
        "long bounds",
        lambda: '{"type": "integer", "minimum": 1' + "0" * 3_000 + ', "maximum": 2' + "0" * 3_000 + "}",
        ANY,
    ),
    (
        "fine bounds",
        lambda: {"type": "number", "minimum": 1e-300, "maximum": 1.0000000000000002e-300, "multipleOf": 1e-308},
        ANY,
    ),
    (
        "empty bounds",
        lambda: {"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 1.5, "multipleOf": 0.5},
        UnsatisfiableError,
    ),
    # alternatives
    (
        "500 alternatives",
        lambda: {"anyOf": [{"properties": {"k": {"const": i}}, "required": ["k"]} for i in range(500)]},
        ANY,
    ),
    ("40 overlapping alternatives", lambda: {"oneOf": overlapping(40), "type": "object"}, ANY),
    (
        "40 overlapping alternatives inside",
        lambda: {"properties": {"x": {"oneOf": overlapping(40), "type": "object"}}},
        ANY,
    ),
    (
        "12 times 12 alternatives",
        lambda: {"allOf": [{"anyOf": overlapping(12)} for _ in range(12)], "type": "object"},
        ANY,
    ),
    (
        "nested alternatives",
        lambda: nested(
            12,
            lambda inner: {
                "type": "object",
                "oneOf": [{"required": ["a"], "properties": {"a": inner}}, *overlapping(6)],
            },
        ),
        ANY,
    ),
    (
        "alternatives in arrays",
        lambda: {"type": "array", "oneOf": [{"contains": {"minLength": i}} for i in range(20)]},
        ANY,
    ),
    (
        "30 dependencies",
        lambda: {
            "type": "object",
            "dependentSchemas": {f"k{i}": {"required": [f"k{i + 1}"], "maxProperties": 40 - i} for i in range(30)},
        },
        ANY,
    ),
    (
        "conditional patterns",
        lambda: {"unevaluatedProperties": False, "anyOf": [{"patternProperties": {c: True}} for c in LETTERS]},
        UnsupportedSchemaError,
    ),
]


def attempt(make: Callable[[], Any], limits: Limits = PATIENT, **options: Any) -> GuidedError | None:
    """Compile, make the first masks of a document; the typed error, if there is one."""
    try:
        matcher = compile_grammar(VOCABULARY, json_schema=make(), limits=limits, **options).matcher()
        bitmask = allocate_bitmask(1, VOCABULARY.size)
        for byte in b'{"k0":':
            matcher.fill_bitmask(bitmask)
            if not matcher.accept_token(byte) and not matcher.accept_token(ord('"')) and not matcher.accept_token(0x5B):
                break
    except GuidedError as error:
        return error.with_traceback(None)
    return None


@pytest.mark.parametrize(("make", "expected"), [pytest.param(*case[1:], id=case[0]) for case in SCHEMAS])
def test_a_hostile_schema_costs_little(make: Callable[[], Any], expected: type[GuidedError] | None) -> None:
    start = time.thread_time()
    error = attempt(make)
    seconds = time.thread_time() - start
    assert seconds < MAX_SECONDS, error
    if expected is None:
        assert error is None
    elif expected is not ANY:
        assert type(error) is expected, error
    PROCESS_CACHE.clear()


def test_languages_under_nested_alternatives_are_made_once() -> None:
    """Each level has the next one twice, and none of it is new, so that only a look at the time between ends it."""
    limits = Limits(max_compile_seconds=0.5)
    start = time.thread_time()
    error = attempt(
        lambda: chain(
            9,
            lambda following: {"oneOf": [{"minLength": 2, **following}, {"pattern": "^a", **following}]},
            {"pattern": "^[^\\s\\S]$"},
        ),
        limits,
    )
    assert time.thread_time() - start < 2.0  # 0.01; each level took 4 times as long as the next
    assert isinstance(error, UnsatisfiableError)


def looping(letter: str, depth: int = 7) -> dict[str, Any]:
    """Two languages with no text in common, all of whose states lead back to the first ones."""
    patterns = [f"^({letter}|b)*{last}.{{{depth}}}$" for last in (letter, "b")]
    return {"type": "string", "allOf": [{"pattern": pattern} for pattern in patterns]}


def recursive(key: str) -> dict[str, Any]:
    """Used in full by the start of a document."""
    here = {"$ref": "#"}
    inside = {"type": "array", "items": here, "contains": {"anyOf": [here, {"const": key}]}}
    return {
        "type": "object",
        "properties": {key: here, "k0": inside},
        "additionalProperties": {"oneOf": [here, inside]},
    }


LOOSE: dict[str, tuple[Callable[[str], Any], Limits]] = {
    "no text": (looping, Limits()),
    "too many states": (lambda letter: looping(letter, 14), Limits()),
    "too many plans": (lambda key: {"type": "object", "required": [key], "oneOf": overlapping(9)}, Limits(max_plans=3)),
    "no end": (lambda key: {"type": "object", "required": [key], "properties": {key: {"$ref": "#"}}}, Limits()),
    "no time": (looping, Limits(max_compile_seconds=0.02)),
    "success": (recursive, Limits()),
}


@pytest.mark.parametrize("name", LOOSE)
def test_nothing_stays(name: str) -> None:
    """After errors, and after grammars that nobody has any more."""
    make, limits = LOOSE[name]
    sizes = []
    for letter in "nopq":
        attempt(lambda letter=letter: make(letter), limits, cache=None)  # type: ignore[misc]
        while nodes._derived:  # what is kept for the next grammars, in bounds
            nodes._derived.popleft().forget_transitions()
        gc.collect()
        vocabulary_tables = vocabulary_tables_of(VOCABULARY)
        sizes.append(
            (
                len(nodes._nodes),
                len(formula._interned),
                vocabulary_tables.num_bytes,
                vocabulary_tables.lazy_dfas.num_states,
            )
        )
    growth = [last - first for first, last in zip(sizes[1], sizes[-1], strict=True)]
    assert max(growth) < 20, sizes


def test_an_error_speaks_of_the_limit() -> None:
    error = attempt(lambda: json.dumps({"const": "x" * 1_100_000}))
    assert isinstance(error, LimitExceededError)
    assert (error.limit, error.maximum, error.unit) == ("max_schema_bytes", 1_000_000, "bytes")
