"""Schemas with quotes beside texts to quote: `python -m tests.fuzz.quotes --seconds 3600 --seed 1`.

Random schemas (quotes in every kind of place, beside patterns, lengths, constants and excluded values) and random texts
(repetitive, of many scripts, with control characters and what JSON escapes). The oracle is `jsonschema` with a keyword
of its own, which asks `SourceText.places`. What random walks write must be valid; every factor of the text that is
valid must be taken; and along the walks each token must be allowed exactly where its bytes, one by one, are.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from jsonschema import Draft202012Validator, ValidationError, validators

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import NoCompletionError, UnsatisfiableError
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.quotes import QuoteOptions, SourceText
from guided.grammars.vocabulary import Vocabulary

from .command import Fault, main, of_schemas
from .walks import LIMITS, DeadEndError, allowed, takes, try_piece

ALPHABETS = (
    *("a", "ab ", "ab \n\t", "aB bA.", "a1,. 2-", 'a"\\/\x00\x1f', "äß \u017fsK\u212ak", "日本 語a", "אב ב\u200fa"),
    *(
        "e\u0301\u200da ",
        "жЖ \u0440\u0420\u1c81",
        "σςΣ Ω\u2126ω",
        "\u13a0\uab70 \U00010400\U00010428",
        "\u023a\u2c65a \u01c5\u01c4",
    ),
)
PIECES = (
    *("Ada Ho", "3.5", "2026-05-03", "can't", "👩\u200d👩\u200d👧 ", "🇩🇪🇫🇷", "\r\n", "\u00a0", "e\u0301", "don"),
    *("a-b", "A.", "x "),
)
# None with \s or \S: ECMA-262 and Python's `re`, which the oracle asks, mean other characters by them.
PATTERNS = ("^a", "b$", "^.{2,4}$", "[0-9]", "^[^ \\n]+$", "^[a-b ]*$", "a.*b", "^(?!.*a)", "\\.")
TOKENS = sorted(
    {
        "".join(parts).encode()
        for count in (2, 3)
        for parts in itertools.product(["a", "b", " ", '"', ",", "ä"], repeat=count)
    }
    | {piece.encode() for piece in (*PIECES, '":"', '"a":', '","', '"]', '"}', '",', '\\"', "\\u00", "\\n", "null")}
    | {
        "日".encode()[:2],
        "本".encode()[1:],
        "👩".encode()[2:],
        "ж".encode()[:1],
        "ж\u0440".encode()[1:],
        b"\xc5",
        b"\xbf ",
        b"k\xe2\x84",
        b"\xaaS",
        b' "',
        b'a"}',
        b'b",',
        b"a.",
        b"1,",
    }
)
VOCABULARY = Vocabulary([*[bytes([byte]) for byte in range(256)], None, *TOKENS], [256])
_FORMS: list[Callable[[Any], dict[str, Any]]] = [
    *[lambda schema: {"json_schema": schema, "whitespace": "compact"}] * 5,
    lambda schema: {"structural_tag": {"format": {"type": "json_schema", "json_schema": schema}}},
    lambda schema: {"ebnf": f"start: %json {json.dumps(schema)}", "dialect": "lark"},
    lambda schema: {"all_of": [{"json_schema": schema, "whitespace": "compact"}, {"banned_substrings": ["\x7f"]}]},
]
"""The ways to ask for the documents of a schema."""
_END = 256
_MAX_BYTES = 40
_NUM_WALKS = 4
_MOST_FACTORS = 300


def make_text(rng: random.Random) -> str:
    """A text to quote."""
    length = rng.choice([0, 1, 2, 4, 8, 16, 40])
    if rng.random() < 0.4:
        return "".join(rng.choices(PIECES, k=length // 2))
    letters = rng.choice(ALPHABETS) + rng.choice(["", "", rng.choice(ALPHABETS)])
    text = "".join(rng.choices(letters, k=length))
    return text * rng.choice([1, 1, 2, 5])


def make(rng: random.Random) -> Any:
    """A schema."""
    chosen = rng.random()
    if chosen < 0.45:
        return _leaf(rng, 2)
    if chosen < 0.6:
        array = {"type": "array", "items": _leaf(rng, 1), "minItems": rng.choice([0, 1]), "maxItems": 2}
        return array | rng.choice([{}, {"uniqueItems": True}, {"contains": _leaf(rng, 1)}])
    if chosen < 0.7:
        names = {"propertyNames": _leaf(rng, 1), "maxProperties": 2, "minProperties": rng.choice([0, 1])}
        return {"type": "object", "additionalProperties": {"type": "null"}} | names
    keys = rng.sample(["a", "b", "c"], rng.choice([1, 2]))
    members = {key: _leaf(rng, 1) for key in keys}
    return {"type": "object", "properties": members, "required": keys, "additionalProperties": False}


def _leaf(rng: random.Random, depth: int) -> dict[str, Any]:
    """A schema of strings, mostly."""
    chosen = rng.random()
    if depth and chosen < 0.15:
        return {rng.choice(["anyOf", "oneOf", "allOf"]): [_leaf(rng, depth - 1), _leaf(rng, depth - 1)]}
    if depth and chosen < 0.25:
        return {"type": "string", "maxLength": rng.choice([1, 2, 4]), "not": {"enum": ["a", "b", "Ada", ", "]}}
    if depth and chosen < 0.3:
        return {"if": _leaf(rng, 0), "then": _leaf(rng, 0), "else": {"type": "null"}}
    if chosen < 0.4:
        return {"anyOf": [_quote(rng), {"type": "null"}]}
    return _quote(rng)


def make_options(rng: random.Random, share: float) -> dict[str, str]:
    """How the text is quoted, where it is not left to the default. share: of the options that are said."""
    return {
        name: rng.choice(values)
        for name, values in (
            ("boundaries", ["words", "any"]),
            ("whitespace", ["collapse", "exact"]),
        )
        if rng.random() < share
    }


def _quote(rng: random.Random) -> dict[str, Any]:
    options = make_options(rng, 0.3)
    schema: dict[str, Any] = {"type": "string", "x-quote": {"source": "text", **options} if options else "text"}
    if rng.random() < 0.2:
        schema["pattern"] = rng.choice(PATTERNS)
    if rng.random() < 0.15:
        schema["minLength"] = rng.choice([1, 2, 5, 12])
    if rng.random() < 0.15:
        schema["maxLength"] = rng.choice([1, 2, 5, 12, 20])
    if rng.random() < 0.05:
        schema["format"] = "date"
    if rng.random() < 0.1:
        schema["enum"] = ["a", "b", "Ada", "3.5", "ab", None]
    if rng.random() < 0.1:
        schema["not"] = rng.choice([{"const": "a"}, {"pattern": "a"}])
    return schema


class Oracle:
    """What `jsonschema` says of values, for a text to quote."""

    def __init__(self, text: str, schema: Any) -> None:
        self._text = text
        self._prepared: dict[QuoteOptions, SourceText] = {}
        keywords = validators.extend(Draft202012Validator, {"x-quote": self._quote})
        self._validator = keywords(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)

    def is_valid(self, value: Any) -> bool:
        """Whether a value is valid."""
        return bool(self._validator.is_valid(value))

    def prepared(self, options: QuoteOptions) -> SourceText:
        """The text, prepared for the options."""
        if options not in self._prepared:
            self._prepared[options] = SourceText(self._text, options)
        return self._prepared[options]

    def _quote(self, _: Any, asked: Any, instance: Any, __: Any) -> Iterator[Any]:
        if isinstance(instance, str):
            options = {} if isinstance(asked, str) else {name: one for name, one in asked.items() if name != "source"}
            if not self.prepared(QuoteOptions(**options)).places(instance):
                yield ValidationError("not a quote")


def find(schema: Any, rng: random.Random) -> Fault | None:
    """The first fault of a schema beside a random text."""
    text = make_text(rng)
    oracle = Oracle(text, schema)
    documents = list(_documents(schema, _candidates(oracle, rng), rng))
    try:
        form: dict[str, Any] = rng.choice(_FORMS)(schema)
        grammar = compile_grammar(VOCABULARY, sources={"text": text}, limits=LIMITS, cache=None, **form)
    except UnsatisfiableError:
        found = next((one for one in documents if oracle.is_valid(one)), None)
        return None if found is None else Fault("wrongly unsatisfiable", "", f"{found!r} of {text!r}")
    return _known(grammar, oracle, documents, text) or _walks(grammar, oracle, text, rng)


def _candidates(oracle: Oracle, rng: random.Random) -> list[str]:
    """Factors of the text, whole quotes or not, and what is none."""
    text = oracle.prepared(QuoteOptions(whitespace=rng.choice(["collapse", "exact"]))).text
    places = range(len(text) + 1)
    factors = {text[start:end] for start in places for end in places[start + 1 : start + 20]} | {text}
    chosen = sorted(factors) if len(factors) <= _MOST_FACTORS else rng.sample(sorted(factors), _MOST_FACTORS)
    swapped, longer = [one.swapcase() for one in chosen[:50]], [one + " " for one in chosen[:9]]
    return [*chosen, *sorted({"", "a", "b", "ab", "Ada", "3.5", *swapped, *longer})]


def _documents(schema: Any, strings: list[str], rng: random.Random) -> Iterator[Any]:
    if schema.get("type") == "array":
        yield from ([], *[rng.choices([*strings, None], k=rng.choice([1, 2])) for _ in strings])
    elif schema.get("type") == "object" and "properties" in schema:
        names = list(schema["properties"])
        yield from ({name: rng.choice([*strings, None]) for name in names} for _ in strings)
    elif schema.get("type") == "object":
        yield from (dict.fromkeys(rng.sample(strings, min(len(strings), rng.choice([1, 2])))) for _ in strings)
    else:
        yield from [*strings, None]


def _known(grammar: CompiledGrammar, oracle: Oracle, documents: list[Any], text: str) -> Fault | None:
    matcher = grammar.matcher()
    for one in documents:
        is_taken = takes(matcher, json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode())
        if is_taken != oracle.is_valid(one):
            return Fault("wrong accept" if is_taken else "wrong rejection", "", f"{one!r} of {text!r}")
    return None


def _walks(grammar: CompiledGrammar, oracle: Oracle, text: str, rng: random.Random) -> Fault | None:
    for _ in range(_NUM_WALKS):
        written = bytearray()
        try:
            wrong = _walk(grammar.matcher(), written, rng)
        except DeadEndError as error:
            return Fault("dead end", "", f"{error} of {text!r}")
        except _WrongEndError as error:
            return Fault("wrong end of a quote", "", f"{error} after {bytes(written)!r} of {text!r}")
        if wrong is not None:
            return Fault("wrong mask", "", f"{VOCABULARY.tokens[wrong]!r} after {bytes(written)!r} of {text!r}")
        if not oracle.is_valid(json.loads(bytes(written))):
            return Fault("wrong accept", "", f"{bytes(written)!r} of {text!r}")
    return None


def _walk(matcher: Matcher, written: bytearray, rng: random.Random) -> int | None:
    """A walk to the end; or the first token whose bit in a mask is wrong."""
    while True:
        token_ids = allowed(matcher, VOCABULARY)
        if rng.random() < 0.3:
            wrong = wrong_token(matcher, set(token_ids))
            if wrong is not None:
                return wrong
            _check_end(matcher, rng)
        if not token_ids:
            raise DeadEndError(bytes(written), is_empty=True)
        if len(written) > _MAX_BYTES:
            break
        token_id = rng.choice(token_ids)
        if not matcher.accept_token(token_id):
            return token_id
        if token_id == _END:
            return None
        written += VOCABULARY.tokens[token_id] or b""
    try:
        completion = matcher.find_shortest_completion(thorough=True)
    except NoCompletionError as error:
        raise DeadEndError(bytes(written), is_empty=False) from error
    for token_id in completion:
        if not matcher.accept_token(token_id):
            return token_id
        written += VOCABULARY.tokens[token_id] or b""
    if not matcher.is_accepting():
        raise DeadEndError(bytes(written), is_empty=False)
    return None


class _WrongEndError(Exception):
    """`find_quote_end` says what is not so."""


def _check_end(matcher: Matcher, rng: random.Random) -> None:
    """Where a quote may end ahead, its closing mark is found and all behind it is forced; and nothing elsewhere."""
    before = matcher.find_quote_continuation(rng.randint(1, 9))
    if not before:
        return
    most = rng.randint(1, 20)
    end = matcher.find_quote_end(before, most)
    closed = before + b'"'
    if try_piece(matcher, closed) != bool(end) or len(end) > most or end[:1] not in (b"", b'"'):
        raise _WrongEndError(before, end)
    for place in range(1, len(end)):
        following = {VOCABULARY.tokens[token_id] for token_id in allowed(matcher, VOCABULARY)}
        if {token[:1] for token in following if token} != {end[place : place + 1]} or None in following:
            raise _WrongEndError(before, end)
        matcher.accept_token(end[place])
    if end:
        matcher.rollback(len(before) + len(end))


def wrong_token(matcher: Matcher, token_ids: set[int]) -> int | None:
    """A token that the mask allows and whose bytes can't be written, one by one; or the other way round."""
    for token_id, token in enumerate(VOCABULARY.tokens):
        if token is not None:
            is_taken = try_piece(matcher, token)
            if is_taken:
                matcher.rollback(len(token))
            if is_taken != (token_id in token_ids):
                return token_id
    return None


if __name__ == "__main__":
    main(of_schemas(make, find), __doc__)
