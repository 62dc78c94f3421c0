"""What the backends around other libraries refuse, and their masks over a vocabulary with long and equal tokens."""

from __future__ import annotations

import gc
import random
import re
import weakref
from typing import Any

import pytest

from guided.grammars.backends.stepping import per_vocabulary
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import (
    GrammarError,
    GuidedError,
    InvalidGrammarError,
    InvalidRegexError,
    InvalidSchemaError,
    InvalidStructuralTagError,
    LimitExceededError,
    UnsatisfiableError,
    UnsupportedGrammarError,
    UnsupportedSchemaError,
)
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary
from tests.backends_table import is_installed, takes
from tests.cases.grammar_cases import ANY, const, tag
from tests.grammars.vocabularies import (
    BYTES,
    accepted_ids,
    byte_vocabulary,
    mask_of,
    matches,
    random_walk,
    vocabulary_of,
)

VOCABULARY = byte_vocabulary(num_eos=2, size=330)
OTHERS = ("interegular", "llguidance", "xgrammar")
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


def compiled(backend: str, vocabulary: Vocabulary = VOCABULARY, **arguments: Any) -> CompiledGrammar:
    if not is_installed(backend):
        pytest.skip(f"{backend} is not installed; pip install 'guided-generation[backends]'")
    return compile_grammar(vocabulary, backend=backend, cache=None, **arguments)


def test_a_value_lives_as_long_as_its_vocabulary() -> None:
    made: list[int] = []
    kept = per_vocabulary(lambda vocabulary: made.append(vocabulary.size))
    vocabulary = vocabulary_of(b"a", b"q")
    kept(vocabulary)
    kept(vocabulary_of(b"a", b"q"))  # an equal vocabulary
    assert len(made) == 1
    del vocabulary
    gc.collect()
    kept(vocabulary_of(b"a", b"q"))
    assert len(made) == 2


@pytest.mark.parametrize("backend", [*OTHERS, "outlines_core"])
def test_no_backend_keeps_a_vocabulary(backend: str) -> None:
    if not is_installed(backend):
        pytest.skip(f"{backend} is not installed")
    vocabulary = byte_vocabulary()
    matcher = compiled(backend, vocabulary, regex="a+").matcher()
    assert mask_of(matcher, vocabulary)
    found = weakref.ref(vocabulary)
    del matcher, vocabulary
    gc.collect()
    assert found() is None


GRAMMARS: list[dict[str, Any]] = [
    {"regex": "abc|ab(?:cd)*|[^x]{2}é?"},
    {"json_schema": SCHEMA},
    {"choice": ["ab", "abc", "name", '{"', "日本語"]},
    {"ebnf": 'root ::= "ab" root "é" | "12"', "dialect": "gbnf"},
    {"ebnf": 'start: "ab" start "é" | "12"', "dialect": "lark"},
    {"structural_tag": {"format": {"type": "star", "content": tag("<a>", ANY, "</a>")}}},
]


@pytest.mark.parametrize("backend", OTHERS)
@pytest.mark.parametrize("arguments", GRAMMARS, ids=lambda arguments: " ".join(map(str, arguments))[:20])
def test_masks_are_what_is_accepted(backend: str, arguments: dict[str, Any]) -> None:
    """Along random walks; the same after rollback, in a fork and after reset."""
    column = f"ebnf {arguments['dialect']}" if "ebnf" in arguments else next(iter(arguments))
    if is_installed(backend) and not takes(backend, column):
        pytest.skip(f"{backend} does not take {column}")
    grammar = compiled(backend, **arguments)
    rng = random.Random(3)
    for _ in range(3):
        matcher, masks = grammar.matcher(), []
        for _ in range(12):
            mask = mask_of(matcher, VOCABULARY)
            assert mask == accepted_ids(matcher, VOCABULARY)
            assert mask == mask_of(matcher.fork(), VOCABULARY)
            masks.append(mask)
            if matcher.is_terminated():
                break
            assert matcher.accept_token(rng.choice(mask))
        num_back = rng.randint(0, len(masks) - 1)
        matcher.rollback(num_back)
        assert mask_of(matcher, VOCABULARY) in masks
        matcher.reset()
        assert mask_of(matcher, VOCABULARY) == masks[0]


@pytest.mark.parametrize("seed", range(40))
def test_interegular_agrees_with_re(seed: int) -> None:
    """Random patterns and random texts."""
    rng = random.Random(seed)
    pattern = _random_pattern(rng, 3)
    grammar = compiled("interegular", regex=pattern)
    for _ in range(60):
        text = "".join(rng.choice("abé\n") for _ in range(rng.randint(0, 6)))
        assert matches(grammar.matcher(), text) == bool(re.fullmatch(pattern, text)), (pattern, text)
    walked = random_walk(grammar.matcher(), VOCABULARY, seed)
    assert walked is None or re.fullmatch(pattern, walked.decode()), (pattern, walked)


def _random_pattern(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["a", "b", "é", ".", "[ab]", "[^a]", "ab", "[^é\n]"])
    first, second = _random_pattern(rng, depth - 1), _random_pattern(rng, depth - 1)
    return rng.choice(
        [f"(?:{first}|{second})", first + second, f"(?:{first}){rng.choice(['*', '+', '?', '{2}', '{1,3}'])}"]
    )


TAG = {"format": const("a")}
REFUSED: list[tuple[str, dict[str, Any], type[GuidedError], str]] = [
    ("interegular", {"regex": "(a"}, InvalidRegexError, "offset"),
    ("interegular", {"regex": r"\d"}, UnsupportedGrammarError, "ASCII"),
    ("interegular", {"regex": "abc", "limits": Limits(max_automaton_states=2)}, LimitExceededError, "2 states"),
    ("interegular", {"json_schema": SCHEMA}, UnsupportedGrammarError, "does not take json_schema"),
    ("llguidance", {"json_schema": {"type": "nope"}}, InvalidSchemaError, "nope"),
    ("llguidance", {"json_schema": False}, UnsatisfiableError, "nothing satisfies"),
    ("llguidance", {"json_schema": SCHEMA, "property_order": "any"}, UnsupportedGrammarError, "schema order"),
    ("llguidance", {"json_schema": SCHEMA, "whitespace": "[ ]?"}, UnsupportedGrammarError, "whitespace"),
    ("llguidance", {"json_schema": SCHEMA, "resources": {"urn:a": True}}, UnsupportedGrammarError, "resources"),
    ("llguidance", {"json_schema": {"format": "date"}}, UnsupportedSchemaError, "takes more than 'date'"),
    ("llguidance", {"structural_tag": TAG}, UnsupportedGrammarError, "does not take structural_tag"),
    ("llguidance", {"ebnf": 'root ::= "a"', "dialect": "gbnf"}, UnsupportedGrammarError, "dialect='lark'"),
    ("llguidance", {"ebnf": 'start: "a', "dialect": "lark"}, InvalidGrammarError, "line 1"),
    ("llguidance", {"regex": "a)"}, GrammarError, "unopened group"),
    ("xgrammar", {"json_schema": {"type": "nope"}}, InvalidSchemaError, "nope"),
    ("xgrammar", {"json_schema": False}, UnsatisfiableError, "nothing satisfies"),
    ("xgrammar", {"json_schema": {"properties": {"a/b": {"not": {}}}}}, UnsupportedSchemaError, "'/properties/a~1b'"),
    ("xgrammar", {"json_schema": SCHEMA, "property_order": "any"}, UnsupportedGrammarError, "schema order"),
    ("xgrammar", {"json_schema": SCHEMA, "whitespace": "[ ]?"}, UnsupportedGrammarError, "whitespace"),
    ("xgrammar", {"json_schema": SCHEMA, "resources": {"urn:a": True}}, UnsupportedGrammarError, "resources"),
    ("xgrammar", {"ebnf": 'start: "a"', "dialect": "lark"}, UnsupportedGrammarError, "dialect='gbnf'"),
    ("xgrammar", {"ebnf": "root ::= foo", "dialect": "gbnf"}, InvalidGrammarError, "foo"),
    ("xgrammar", {"structural_tag": {"format": {"type": "nope"}}}, InvalidStructuralTagError, "'/format/type'"),
    ("xgrammar", {"structural_tag": {"format": const("<|call|>")}}, UnsupportedGrammarError, "special token"),
]


@pytest.mark.parametrize(
    ("backend", "arguments", "error", "reason"), REFUSED, ids=[f"{b} {list(a)} {r}" for b, a, _, r in REFUSED]
)
def test_refused(backend: str, arguments: dict[str, Any], error: type[GuidedError], reason: str) -> None:
    vocabulary = Vocabulary([*BYTES, None, None], [257], {"<|call|>": 256, "<|end|>": 257})
    with pytest.raises(error, match=re.escape(reason)):
        compiled(backend, vocabulary, **arguments)


@pytest.mark.parametrize("backend", OTHERS)
def test_vocabularies_that_lack_bytes_are_refused(backend: str) -> None:
    with pytest.raises(UnsupportedGrammarError, match="every byte"):
        compiled(backend, Vocabulary([b"a", b"b", None], [2]), regex="a")


def test_interegular_takes_small_vocabularies() -> None:
    with pytest.raises(UnsupportedGrammarError, match="up to 20000 tokens"):
        compiled("interegular", byte_vocabulary(size=20_001), regex="a")


@pytest.mark.parametrize("backend", OTHERS)
def test_tokens_without_text_are_never_allowed(backend: str) -> None:
    matcher = compiled(backend, regex="(?:.|\n)*").matcher()
    allowed = set(mask_of(matcher, VOCABULARY))
    assert allowed.isdisjoint(set(range(VOCABULARY.size)) - VOCABULARY.eos_token_ids - _with_text())
    assert VOCABULARY.eos_token_ids <= allowed


def _with_text() -> set[int]:
    return {token_id for token_id, token in enumerate(VOCABULARY.tokens) if token is not None}


@pytest.mark.parametrize("backend", OTHERS)
def test_grammars_say_what_they_hold(backend: str) -> None:
    grammar = compiled(backend, regex="[a-z]{3}")
    assert grammar.num_bytes > 0
    assert [(entry.pointer, entry.keyword) for entry in grammar.report] == [("", "regex")]
