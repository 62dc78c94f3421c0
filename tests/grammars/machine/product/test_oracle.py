"""Masks against languages that are written out, and random combinations against their parts."""

from __future__ import annotations

import json
import random
import re
from collections import deque
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from guided.grammars import Limits, all_of, compile_grammar
from guided.grammars.errors import GrammarError, UnsatisfiableError
from guided.grammars.native.product_grammar import ProductGrammar
from guided.grammars.native.regular import regular_language
from guided.grammars.protocol import Matcher
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.machine.rules.brute_force import LETTERS, check_walk
from tests.grammars.machine.rules.test_random_grammars import TEXTS
from tests.grammars.rules.oracle import accepts, random_graph
from tests.grammars.vocabularies import BYTES, mask_of

WORDS = (b'":', b'","', b'"}', b'"]', b"],", b"ab", b'{"a', b"]]", b"[[", b",1", b"true", b"12", b"a1")
TOKENS = Vocabulary([*BYTES, *WORDS, None], [256 + len(WORDS)])
LETTERS_OF_JSON = b'{}[]",:ab12'
_MANY = 4000
PATTERNS = ("(ab|b)*a?", "[ab]{0,4}", "a*b{0,2}a{1,2}", "(a|bb){1,2}", "(?!ab)[ab]{2,5}", "b?a?b?a?b?", "(?:..)*")


def language_of(
    matcher: Matcher, letters: bytes, is_prefix: Callable[[bytes], bool], size: int
) -> tuple[set[bytes], int]:
    """The texts of a matcher over some bytes, up to a size, and the size: as many as there is time for.

    Only beginnings that `is_prefix` takes are followed.
    """
    found: set[bytes] = set()
    waiting = deque([(matcher, b"")])
    while waiting:
        here, text = waiting.popleft()
        if here.is_accepting():
            found.add(text)
        if len(text) == size:
            continue
        if len(waiting) > _MANY:
            size = len(text) - 1
            return {text for text in found if len(text) <= size}, size
        for byte in letters:
            longer = text + bytes([byte])
            if is_prefix(longer):
                following = here.fork()
                if following.accept_token(byte):
                    waiting.append((following, longer))
    return found, size


def check_masks(
    matcher: Matcher, texts: set[bytes], vocabulary: Vocabulary, num_prefixes: int, rng: random.Random
) -> None:
    """Compare the masks at beginnings of texts with what is written out."""
    prefixes = {text[:end] for text in texts for end in range(len(text) + 1)}
    for prefix in rng.sample(sorted(prefixes), min(num_prefixes, len(prefixes))):
        matcher.reset()
        assert all(matcher.accept_token(byte) for byte in prefix), prefix
        expected = [
            token_id
            for token_id, token in enumerate(vocabulary.tokens)
            if (token is not None and prefix + token in prefixes)
            or (token_id in vocabulary.eos_token_ids and prefix in texts)
        ]
        assert mask_of(matcher, vocabulary) == expected, prefix


@pytest.mark.parametrize("seed", range(40))
def test_random_grammars_and_regexes(seed: int) -> None:
    """The texts of a random grammar that are short, because the regex says so."""
    rng = random.Random(seed)
    graph, pattern = random_graph(rng, 1 + seed % 4), rng.choice(PATTERNS)
    spec = GrammarSpec(
        "all_of",
        "",
        parts=(GrammarSpec("regex", pattern), GrammarSpec("regex", ".{0,5}")),
        banned_substrings=tuple(rng.sample(["aa", "bab", "abb", "bbb"], rng.randint(0, 2))),
    )
    banned = spec.banned_substrings
    texts = {
        text.encode()
        for text in TEXTS
        if re.fullmatch(pattern, text) and not any(part in text for part in banned) and accepts(graph, text)
    }
    try:
        grammar = ProductGrammar(spec, LETTERS, graph, regular_language(spec), Limits(), lambda: ())
    except UnsatisfiableError:
        assert not texts
        return
    except GrammarError:
        return  # a rule that never ends
    assert texts
    check_masks(grammar.matcher(), texts, LETTERS, 40, rng)


def random_schema(rng: random.Random, depth: int) -> Any:
    """A schema whose documents may be short."""
    kinds = ["string", "integer", "enum", "boolean", "true", "any"] + ["object", "array", "array", "object"] * (
        depth > 0
    )
    kind = rng.choice(kinds)
    if kind == "object":
        names = rng.sample(["a", "b", "ab"], rng.randint(0, 2))
        return {
            "type": "object",
            "properties": {name: random_schema(rng, depth - 1) for name in names},
            "required": [name for name in names if rng.random() < 0.5],
            "additionalProperties": rng.choice([False, False, {"type": "integer"}, True]),
        }
    if kind == "array":
        schema = {"type": "array", "items": random_schema(rng, depth - 1)}
        return schema | rng.choice(
            [{}, {"minItems": 1}, {"maxItems": 2}, {"uniqueItems": True}, {"contains": {"enum": [1]}}]
        )
    if kind == "any":
        return rng.choice([{}, {"not": {"type": "string"}}, {"anyOf": [{"type": "array"}, {"const": "a"}]}])
    simple: dict[str, Any] = {
        "string": {"type": "string", "maxLength": rng.randint(1, 3)},
        "integer": {"type": "integer", "minimum": rng.randint(-1, 12)},
        "enum": {"enum": rng.sample(["a", "b", "ab", 1, 12, True, [], ["a"], {"a": 1}, None], 3)},
        "boolean": {"type": "boolean"},
        "true": True,
    }
    return simple[kind]


RULES = (
    r"[^\]]*\]?",
    r"(?s).*[12].*",
    r"\[.*\]|\{.*\}",
    r"[^b]*",
    r'(?:\{"a":|\[).*',
    r".{2,6}",
    r'[^"]*("[^"]*"[^"]*){0,2}',
    r"(?!.*11).*",
    r'\["[ab]"(,"[ab]")*\]',
    r'\{("[ab]{1,2}":[12],?)*\}',
)


@pytest.mark.parametrize("seed", range(50))
def test_random_schemas_and_regexes(seed: int) -> None:
    """Masks at all beginnings of all short documents that both sides take."""
    rng = random.Random(seed)
    schema, rule = random_schema(rng, 2), rng.choice(RULES)
    banned = rng.sample(["]]", "ab", '",', "a1", "[1", "}}", "2", "true"], rng.randint(0, 2))
    alphabet = re.escape(LETTERS_OF_JSON.decode())

    def is_prefix(text: bytes) -> bool:
        return not any(part.encode() in text for part in banned)

    try:
        alone = compile_grammar(TOKENS, json_schema=schema, whitespace="compact", cache=None)
    except UnsatisfiableError:
        return  # the schema itself
    texts, size = language_of(alone.matcher(), LETTERS_OF_JSON, is_prefix, 12)
    texts = {text for text in texts if re.fullmatch(rule, text.decode())}
    short = {"regex": f"[{alphabet}]{{0,{size}}}"}
    schema_part = {"json_schema": schema, "whitespace": "compact"}
    both = all_of(schema_part, {"regex": rule}, short, banned_substrings=banned)
    try:
        grammar = compile_grammar(TOKENS, **both, cache=None)
    except UnsatisfiableError:
        assert not texts
        return
    assert texts
    for text in texts:
        jsonschema.validate(json.loads(text), schema)
    check_masks(grammar.matcher(), texts, TOKENS, 60, rng)


@pytest.mark.parametrize("seed", range(40))
def test_random_walks_end_in_both(seed: int) -> None:
    """Without a bound of the length: what comes out validates, matches, and holds nothing banned."""
    rng = random.Random(1000 + seed)
    schema, rule = random_schema(rng, 2), rng.choice(RULES)
    banned = rng.sample(["]]", "ab", '", ', "a1", "e", "0"], rng.randint(0, 3))
    try:
        grammar = compile_grammar(
            TOKENS, **all_of({"json_schema": schema}, {"regex": rule}, banned_substrings=banned), cache=None
        )
    except UnsatisfiableError:
        return
    for _ in range(3):
        matcher = grammar.matcher()
        taken = check_walk(matcher, TOKENS, rng, 15, b'"}],')
        if taken[-1] in TOKENS.eos_token_ids:
            text = TOKENS.join(taken).decode()
            jsonschema.validate(json.loads(text), schema)
            assert re.fullmatch(rule, text)
            assert not any(part in text for part in banned)
