"""Masks and languages against languages that are written out, and random combinations against their parts."""

from __future__ import annotations

import json
import random
import re
from collections import deque
from collections.abc import Callable, Iterator
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
        grammar = ProductGrammar(spec, LETTERS, graph, regular_language(spec), Limits())
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


def texts_in(value: Any) -> Iterator[str]:
    """The strings and keys of a JSON value."""
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_in(one)
    yield from value if isinstance(value, dict) else ()


def is_clean(text: str, banned: list[str]) -> bool:
    """True if no string and no key of a document has a banned substring."""
    return not any(part in one for part in banned for one in texts_in(json.loads(text)))


BANNED = ("ab", "b", "1", "a1", "ba", "a", "2a", "aa", "[", "}", ",", "true")


@pytest.mark.parametrize("seed", range(50))
def test_random_schemas_and_banned_substrings(seed: int) -> None:
    """All short documents, and the masks at their beginnings."""
    rng = random.Random(seed)
    schema, banned = random_schema(rng, 2), rng.sample(BANNED, rng.randint(1, 3))
    schema_part = {"json_schema": schema, "whitespace": "compact"}
    try:
        alone = compile_grammar(TOKENS, **schema_part, cache=None)
    except UnsatisfiableError:
        return  # the schema itself
    texts, size = language_of(alone.matcher(), LETTERS_OF_JSON, lambda _: True, 9)
    texts = {text for text in texts if is_clean(text.decode(), banned)}
    try:
        grammar = compile_grammar(TOKENS, **all_of(schema_part, banned_substrings=banned), cache=None)
    except UnsatisfiableError:
        assert not texts
        return
    found, same_size = language_of(grammar.matcher(), LETTERS_OF_JSON, lambda _: True, size)
    assert found == {text for text in texts if len(text) <= same_size}
    for _ in range(2):
        check_walk(grammar.matcher(), TOKENS, rng, 12, b'}])"')


@pytest.mark.parametrize("seed", range(40))
def test_random_walks_end_in_clean_documents(seed: int) -> None:
    """Alone and between free texts: what comes out validates, and holds nothing banned."""
    rng = random.Random(1000 + seed)
    schema, banned = random_schema(rng, 2), rng.sample(BANNED, rng.randint(1, 3))
    form = {
        "type": "triggered_tags",
        "triggers": ["<"],
        "tags": [{"begin": "<", "content": schema_format(schema), "end": ">"}],
    }
    for grammar_part in ({"json_schema": schema}, {"structural_tag": {"format": form}}):
        try:
            grammar = compile_grammar(TOKENS, **all_of(grammar_part, banned_substrings=banned), cache=None)
        except UnsatisfiableError:
            continue
        for _ in range(3):
            matcher = grammar.matcher()
            taken = check_walk(matcher, TOKENS, rng, 15, b'<>"}],')
            text = TOKENS.join(taken if matcher.is_terminated() else [*taken, *matcher.find_shortest_completion()])
            free, documents = parts_of(text.decode()) if "structural_tag" in grammar_part else ([], [text.decode()])
            assert not any(part in one for part in banned for one in free), text
            for document in documents:
                jsonschema.validate(json.loads(document), schema)
                assert is_clean(document, banned), text


def schema_format(schema: Any) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": schema}


def parts_of(text: str) -> tuple[list[str], list[str]]:
    """The texts between documents, with the marks around these, and the documents."""
    free, documents, decoder = [], list[str](), json.JSONDecoder()
    begun = ""
    while "<" in text:
        before, _, text = text.partition("<")
        free.append(begun + before + "<")
        text = text.lstrip(" \n\r\t")
        _, end = decoder.raw_decode(text)
        documents.append(text[:end])
        begun, text = ">", text[end:].lstrip(" \n\r\t").removeprefix(">")
    return [*free, begun + text], documents
