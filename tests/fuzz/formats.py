"""Formats and patterns, alone and beside lengths: `python -m tests.fuzz.formats --seconds 3600 --seed 1`.

Of each schema: texts that random walks through its masks write, and changed valid ones that it takes, must be valid for
the independent checkers: those of `jsonschema`, `jsonschema_rs`, `idna`, Python's `re`. Texts that are known to be
valid, and that the documentation does not leave out, must be taken.
"""

from __future__ import annotations

import json
import random
import warnings
from typing import Any

import idna
import jsonschema_rs
from jsonschema import Draft202012Validator

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError, UnsatisfiableError
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar, Matcher

from .command import Fault, main, of_schemas
from .oracles import found_by_ecma
from .walks import VOCABULARY, DeadEndError, takes, walk

LIMITS = Limits(max_compile_seconds=5, max_mask_seconds=2)

VALID: dict[str, list[str]] = {
    "date": ["2024-02-29", "1999-12-31", "0000-02-29"],
    "time": ["08:30:06Z", "23:59:59.123+01:00"],
    "date-time": ["2024-02-29T00:00:00Z", "1985-04-12T23:20:50.52-08:00"],
    "duration": ["P1D", "P1Y2M3DT4H5M6S", "PT36H", "P4W"],
    "ipv4": ["192.168.0.1", "0.0.0.0"],
    "ipv6": ["::1", "2001:db8::ff00:42:8329", "::ffff:1.2.3.4"],
    "hostname": ["example.com", "a", "xn.example", "1.2.3.a", "a" * 63 + ".org"],
    "idn-hostname": ["münchen.de", "пример.рф", "例え.jp", "실례.테스트", "example.com", "l·l.cat"],
    "email": ["joe.bloggs@example.com", '"joe bloggs"@example.com', "a@[127.0.0.1]"],
    "idn-email": ["jürgen@münchen.de", "иван@пример.рф", "a@b.com"],
    "uri": ["https://example.com/a?b=c#d", "urn:isbn:0451450523", "mailto:a@b.c"],
    "uri-reference": ["/a/b", "../c?d", "#e", ""],
    "iri": ["https://пример.рф/путь", "http://é/ü"],
    "iri-reference": ["/é", ""],
    "uri-template": ["http://example.com/{id}", "{+path,x*}"],
    "uuid": ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"],
    "json-pointer": ["", "/a/b~0~1"],
    "relative-json-pointer": ["0", "1/a", "2#"],
    "regex": ["^a+$", "[a-z]{2,5}", "(a|b)*?", "\\d\\.\\w"],
}
PATTERNS = ["^.{0,12}$", "[a-e]", "\\d", "^\\S*$", "\\bexample\\b", "^(?!.*--)", "[0-9]+[a-z.]*$", "\\.", "^\\w"]
_OWN_WORD = frozenset({"iri", "iri-reference", "uri-template"})
"""Formats for which the RFC and the official tests allow more than the checkers do; only rejections count there."""
_CHECKER = Draft202012Validator.FORMAT_CHECKER
_PIECES = [piece.encode() for piece in ("a", "1", ".", "-", ":", "/", "@", "é", "я", "例", "T", "Z", "example", "::")]


def make(rng: random.Random) -> dict[str, Any]:
    """A schema of strings."""
    schema: dict[str, Any] = {"type": "string", "format": rng.choice(list(VALID))}
    if rng.random() < 0.2:
        schema = {"type": "string", "not": {"format": schema["format"]}}
    if rng.random() < 0.3:
        schema["maxLength"] = rng.choice([3, 8, 20, 64, 300, 2083])
    if rng.random() < 0.3:
        schema["minLength"] = rng.choice([1, 2, 9, 30])
    if rng.random() < 0.3:
        schema["pattern"] = rng.choice(PATTERNS)
    if rng.random() < 0.1:
        schema.setdefault("not", {"pattern": rng.choice(PATTERNS)})
    return schema


def find(schema: Any, rng: random.Random) -> Fault | None:
    """The first fault of a schema."""
    known = VALID.get(schema.get("format", ""), [text for texts in VALID.values() for text in texts])
    try:
        grammar = compile_grammar(VOCABULARY, json_schema=schema, cache=None, limits=LIMITS)
        return _faults(grammar, schema, known, rng)
    except UnsatisfiableError:
        taken = [text for text in known if _must_be_taken(schema, text)]
        return Fault("wrongly unsatisfiable", "", taken[0]) if taken else None
    except LimitExceededError:
        return None  # as promised: what costs too much is refused with the limit's name


def _faults(grammar: CompiledGrammar, schema: Any, known: list[str], rng: random.Random) -> Fault | None:
    return _known(grammar.matcher(), schema, known) or _walks(grammar, schema, known, rng)


def _known(matcher: Matcher, schema: Any, known: list[str]) -> Fault | None:
    for text in known:
        is_taken = takes(matcher, _spelled(text))
        if not is_taken and _must_be_taken(schema, text):
            return Fault("wrong rejection", "", text)
        if is_taken and not is_valid(schema, text):
            return Fault("wrong accept", "", text)
    return None


def _walks(grammar: CompiledGrammar, schema: Any, known: list[str], rng: random.Random) -> Fault | None:
    for _ in range(4):
        matcher = grammar.matcher()
        start = _spelled(rng.choice(known))[: rng.randint(0, 12)] if rng.random() < 0.7 else b""
        begun = next((end for end, byte in enumerate(start) if not matcher.accept_token(byte)), len(start))
        try:
            rest = walk(matcher, _PIECES, rng)
        except DeadEndError as error:
            return Fault("dead end", "", (start[:begun] + error.text).decode(errors="replace"))
        text = json.loads(start[:begun] + rest)
        if not is_valid(schema, text):
            return Fault("wrong accept", "", text)
    return None


def _spelled(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False).encode()


def _must_be_taken(schema: Any, text: str) -> bool:
    """Whether a known text is surely valid."""
    return schema.get("not", {}).get("format") is None and is_valid(schema, text)


def is_valid(schema: Any, text: Any) -> bool:
    """What the independent checkers say. text: may be another value, where a schema without its type is looked at."""
    if not isinstance(text, str):
        return "type" not in schema and "not" not in schema
    low, high = schema.get("minLength", 0), schema.get("maxLength", len(text))
    if not low <= len(text) <= high:
        return False
    if "pattern" in schema and not found_by_ecma(schema["pattern"], text):
        return False
    name, denied = schema.get("format"), schema.get("not", {})
    if "pattern" in denied and found_by_ecma(denied["pattern"], text):
        return False
    if "format" in denied and all(_says(denied["format"], text)):
        return False
    return name is None or name in _OWN_WORD or any(_says(name, text))


def _says(name: str, text: str) -> list[bool]:
    """Each checker's verdict on a format; they differ where one of them is stricter than the RFC."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        verdicts = [_CHECKER.conforms(text, name)]
        rust = jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True)
        verdicts.append(rust.is_valid(text))
        if name == "idn-hostname":
            verdicts.append(_is_idn(text))
    return verdicts


def _is_idn(text: str) -> bool:
    try:
        idna.encode(text)
    except idna.IDNAError:
        return False
    return True


if __name__ == "__main__":
    main(of_schemas(make, find), __doc__ or "")
