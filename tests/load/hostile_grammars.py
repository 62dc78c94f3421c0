"""Grammars that take long to compile or to mask, each another one: arguments of `compile_grammar`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

Arguments = dict[str, Any]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def hostile_grammars(seed: int, size: float = 1.0) -> Iterator[tuple[str, Arguments]]:
    """(name, arguments) without end, in a random order. size: 1 for what is just within the limits, or less."""
    rng = random.Random(seed)
    for salt in count(seed * 1_000_000):
        name = rng.choice(list(MAKERS))
        yield name, MAKERS[name](f"s{salt}", lambda number: max(2, round(size * number)))


def response_fields(arguments: Arguments) -> dict[str, Any]:
    """The same grammar as fields of a request to the server."""
    if "json_schema" not in arguments:
        return arguments
    schema = {"name": "hostile", "schema": arguments["json_schema"]}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


Scale = Callable[[int], int]


def _schema(schema: dict[str, Any]) -> Arguments:
    return {"json_schema": schema}


def _enum(salt: str, times: Scale) -> Arguments:
    return _schema({"enum": [f"{salt} {i:06}" for i in range(times(40_000))]})


def _values(salt: str, times: Scale) -> Arguments:
    return _schema({"enum": [{salt: i} for i in range(times(2_000))]})


def _definitions(salt: str, times: Scale) -> Arguments:
    """300 KB of definitions, all of them used."""
    number = times(3_000)
    names = [f"{salt}d{i}" for i in range(number)]
    definitions = {
        name: {"type": "object", "properties": {"a": {"$ref": f"#/$defs/{names[i // 2]}"}, "b": {"maxLength": i}}}
        for i, name in enumerate(names)
    }
    properties = {name: {"$ref": f"#/$defs/{name}"} for name in names}
    return _schema({"type": "object", "properties": properties, "$defs": definitions})


def _nested(salt: str, times: Scale) -> Arguments:
    inner: dict[str, Any] = {"const": salt}
    for level in range(times(200)):
        here = {"type": "object", "properties": {f"k{level}": inner, "x": {"type": "integer"}}, "required": ["x"]}
        inner = here if level % 2 else {"type": "array", "items": here, "minItems": 1}
    return _schema(inner)


def _properties(salt: str, times: Scale) -> Arguments:
    return _schema({"type": "object", "properties": {f"{salt}{i}": {"maxLength": i} for i in range(times(5_000))}})


def _alternatives(salt: str, times: Scale) -> Arguments:
    texts = [{"type": "string", "pattern": f"^x{i}[a-f]*{i % 7}y{salt}"} for i in range(times(500))]
    return _schema({"anyOf": [{"type": "object", "properties": {"k": one}, "required": ["k"]} for one in texts]})


def _long_text(salt: str, times: Scale) -> Arguments:
    return _schema({"const": salt + "xy" * times(100_000)})


def _description(salt: str, times: Scale) -> Arguments:
    return _schema({"type": "string", "pattern": f"^{salt}", "description": "x" * times(990_000)})


def _intersections(salt: str, times: Scale) -> Arguments:
    parts = {
        c: {"type": "string", "allOf": [_far(c, c, 9, salt), _far(c, "b", 8, salt)]} for c in LETTERS[2 : 2 + times(10)]
    }
    return _schema({"type": "object", "required": list(parts), "properties": parts})


def _far(letter: str, last: str, distance: int, salt: str) -> dict[str, Any]:
    return {"pattern": f"^({letter}|b|{salt})*{last}.{{{distance}}}$"}


def _regex(salt: str, times: Scale) -> Arguments:
    return {"regex": f"{salt}(a|b)*a(a|b){{{times(14)}}}"}


def _words(salt: str, times: Scale) -> Arguments:
    return {"regex": "|".join(f"{salt}{i}(x|y{i})*" for i in range(times(6_000)))}


def _choice(salt: str, times: Scale) -> Arguments:
    return {"choice": [f"{salt} {i * 7919 % 100_003} is one of many" for i in range(times(80_000))]}


def _ebnf(salt: str, times: Scale) -> Arguments:
    number = times(4_000)
    rules = [f'r{i} ::= "{salt}{i}" r{(i * 7 + 1) % number} | [a-{LETTERS[i % 25 + 1]}]+ "{i}"' for i in range(number)]
    return {"ebnf": "root ::= r0 | r1\n" + "\n".join(rules)}


def _ambiguous(salt: str, times: Scale) -> Arguments:
    terms = " | ".join(f'"{salt}{i}" e' for i in range(times(300)))
    return {"ebnf": f'root ::= e\ne ::= e "+" e | e e | "(" e ")" | [a-z]+ | {terms}'}


MAKERS: dict[str, Callable[[str, Scale], Arguments]] = {
    "enum of 40,000 strings": _enum,
    "enum of 2,000 objects": _values,
    "3,000 definitions": _definitions,
    "200 levels": _nested,
    "5,000 properties": _properties,
    "anyOf of 500 patterns": _alternatives,
    "a text of 200 KB": _long_text,
    "a description of 990 KB": _description,
    "patterns at once": _intersections,
    "a regex of 16,384 states": _regex,
    "a regex of 6,000 words": _words,
    "a choice of 80,000": _choice,
    "4,000 rules": _ebnf,
    "ambiguous rules": _ambiguous,
}
