"""Random schemas with every keyword, through the real masks of the native backend, on real tokens.

Walks end in documents that `jsonschema` finds valid; mutated documents are accepted exactly where it finds them valid;
masks are what is accepted byte by byte. GUIDED_RANDOM_SCHEMAS=1000 runs as many schemas instead of the few below.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidSchemaError, UnsatisfiableError
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.vocabularies import byte_vocabulary

from .older_drafts import DRAFTS, VALIDATORS, in_draft
from .random_schemas import KEYWORDS, SchemaMaker, mutated, random_value
from .token_walk import Unclear, Walker, read_document, written

MORE = int(os.environ.get("GUIDED_RANDOM_SCHEMAS", "0"))
NUM_WALKED = MORE or 40
NUM_MUTATED = MORE or 30
NUM_OLDER = MORE or 20
NUM_REAL = MORE or 8
NUM_MASKS = MORE or 12

_PIECES = (
    b'", "',
    b'":',
    b'","b":',
    b'"],',
    b"],[",
    b"1,1",
    b", 1",
    b'":1,"',
    b'"a":"b","',
    b"}}",
    b'"a","a"',
    b"1,2,",
)
_TOKENS = [*byte_vocabulary().tokens[:-2], *_PIECES, b'{"a":1},', b"00", b'{"a":', b'":"a', b"]]", None, None]
PATIENT = Limits(max_compile_seconds=1e6)  # or a busy machine would decide what is tested
VOCABULARY = Vocabulary(_TOKENS, [len(_TOKENS) - 1])
WALKER = Walker(VOCABULARY)


def compiled(schema: dict[str, Any], vocabulary: Vocabulary = VOCABULARY, **options: Any) -> CompiledGrammar | None:
    """The grammar; None for a schema that is refused, and rightly so."""
    try:
        return compile_grammar(vocabulary, json_schema=schema, cache=None, limits=PATIENT, **options)
    except InvalidSchemaError as error:
        if "leads back to this schema" not in str(error):
            raise
    except UnsatisfiableError:
        rng, validator = random.Random(1), validator_of(schema)
        for value in [random_value(rng) for _ in range(50)]:
            assert not validator.is_valid(value), value
    return None


def validator_of(schema: dict[str, Any]) -> Any:
    """The validator of the draft that the schema names, formats included."""
    cls = VALIDATORS[schema.get("$schema", DRAFTS[-1])]
    return cls(schema, format_checker=cls.FORMAT_CHECKER)


def check_walks(schema: dict[str, Any], walker: Walker, seed: int, num_walks: int, **options: Any) -> list[Any]:
    """Walk, check every document, return their values."""
    grammar = compiled(schema, walker.vocabulary, **options)
    if grammar is None:
        return []
    validator, rng, values = validator_of(schema), random.Random(seed), []
    for _ in range(num_walks):
        text = walker.walk(grammar.matcher(), rng)
        value = exact_value(text)
        if value is not Unclear:
            values.append(value)
            assert validator.is_valid(value), (json.dumps(schema), text)
    return values


def exact_value(text: bytes | None) -> Any:
    """The value of a document; Unclear where there is none, or none that the validator would see as it is."""
    try:
        return Unclear if text is None else read_document(text)
    except Unclear:
        return Unclear


def test_the_schemas_have_every_keyword() -> None:
    found: set[str] = set()

    def look(value: Any) -> None:
        if isinstance(value, dict):
            found.update(value)
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            look(one)

    for seed in range(60):
        look(SchemaMaker(random.Random(seed)).document())
    assert found >= KEYWORDS


@pytest.mark.parametrize("seed", range(NUM_WALKED))
def test_walks_end_in_valid_documents(seed: int) -> None:
    schema = SchemaMaker(random.Random(seed)).document()
    check_walks(schema, WALKER, seed, 4)
    check_walks(schema, WALKER, seed, 3, property_order="any", whitespace="compact")


@pytest.mark.parametrize("seed", range(NUM_OLDER))
def test_walks_in_older_drafts(seed: int) -> None:
    schema = in_draft(SchemaMaker(random.Random(7000 + seed)).document(), DRAFTS[seed % 4])
    check_walks(schema, WALKER, seed, 4, whitespace="spaced")


@pytest.mark.parametrize("seed", range(NUM_MUTATED))
def test_mutated_documents_are_accepted_where_they_are_valid(seed: int) -> None:
    """In any order of keys exactly; in the order of the schema nothing that is not valid."""
    schema = SchemaMaker(random.Random(3000 + seed)).document()
    values = check_walks(schema, WALKER, seed, 3, property_order="any", whitespace="compact")
    rng, validator = random.Random(seed), validator_of(schema)
    values = [*map(plain, values), *(random_value(rng) for _ in range(10))]
    for _ in range(50):
        values.append(mutated(rng, rng.choice(values)))
    free, strict = (compiled(schema, property_order=order, whitespace="compact") for order in ("any", "schema"))
    for value in values if free and strict else ():
        is_valid = validator.is_valid(value)
        assert takes(free, written(value)) == is_valid, (json.dumps(schema), written(value), is_valid)
        assert is_valid or not takes(strict, written(value)), (json.dumps(schema), written(value))


def takes(grammar: CompiledGrammar | None, text: bytes) -> bool:
    """Whether the text is a document of the grammar."""
    assert grammar is not None
    matcher = grammar.matcher()
    return all(matcher.accept_token(byte) for byte in text) and matcher.is_accepting()


def plain(value: Any) -> Any:
    """The value with integers without point and exponent, which multiples and arrays of different items ask for."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [plain(one) for one in value]
    return {key: plain(one) for key, one in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("seed", range(NUM_MASKS))
def test_masks_are_what_is_accepted_byte_by_byte(seed: int) -> None:
    """At random places of random walks: a token is in the mask exactly when all of its bytes are accepted."""
    rng = random.Random(5000 + seed)
    grammar = compiled(SchemaMaker(rng).document())
    for _ in range(4 if grammar else 0):
        assert grammar is not None
        matcher, num_tokens = grammar.matcher(), 0
        while not matcher.is_terminated() and num_tokens < 60:
            allowed = WALKER.allowed(matcher)
            if rng.random() < 0.25:
                assert allowed.tolist() == by_bytes(matcher, VOCABULARY)
            assert matcher.accept_token(WALKER.choose(allowed, rng, num_tokens))
            num_tokens += 1


def by_bytes(matcher: Matcher, vocabulary: Vocabulary) -> list[int]:
    """The ids of the tokens whose bytes are accepted one after the other (ids 0 .. 255 are the bytes)."""
    found = [token_id for token_id in vocabulary.eos_token_ids if matcher.is_accepting()]
    for token_id, token in enumerate(vocabulary.tokens):
        if token is not None:
            num_accepted = 0
            while num_accepted < len(token) and matcher.accept_token(token[num_accepted]):
                num_accepted += 1
            matcher.rollback(num_accepted)
            if num_accepted == len(token):
                found.append(token_id)
    return sorted(found)


@pytest.fixture(scope="module")
def real_walker(deepseek_vocabulary: Vocabulary) -> Walker:
    return Walker(deepseek_vocabulary, max_tokens=150)


@pytest.mark.parametrize("seed", range(NUM_REAL))
def test_walks_on_a_real_vocabulary(real_walker: Walker, seed: int) -> None:
    schema = SchemaMaker(random.Random(9000 + seed)).document()
    check_walks(schema, real_walker, seed, 2)
    check_walks(schema, real_walker, seed, 1, property_order="any", whitespace="compact")


PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 40},
        "born": {"type": "string", "format": "date"},
        "height": {"type": "number", "minimum": 0, "maximum": 2.72, "multipleOf": 0.01},
        "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"}, "uniqueItems": True},
        "kind": {"enum": ["person", "people", "pet", None, 1.5]},
    },
    "required": ["name", "tags"],
    "patternProperties": {"^x-": {"type": ["integer", "boolean"]}},
    "propertyNames": {"maxLength": 12},
}
SHAPES = {
    "oneOf": [
        {
            "properties": {"shape": {"const": "circle"}, "radius": {"exclusiveMinimum": 0}},
            "required": ["shape", "radius"],
        },
        {"properties": {"shape": {"const": "square"}, "side": {"type": "integer"}}, "required": ["shape", "side"]},
    ],
    "type": "object",
    "unevaluatedProperties": False,
}
TYPICAL: list[tuple[dict[str, Any], str]] = [
    (PERSON, "{"),
    (PERSON, '{"name": "Ann'),
    (PERSON, '{"name": "Ann", "born": "19'),
    (PERSON, '{"name": "Ann", "height": 1'),
    (PERSON, '{"name": "A", "tags": ["blue-ish", "b'),
    (PERSON, '{"name": "A", "tags": [], "x-a": true, "x-'),
    (PERSON, '{"name": "A", "tags": [], "kind": "pe'),
    (SHAPES, '{"'),
    (SHAPES, '{"shape": "circle", "radius": '),
]


@pytest.mark.parametrize("index", range(len(TYPICAL)))
def test_masks_of_a_real_vocabulary(real_walker: Walker, deepseek: Any, index: int) -> None:
    """Every one of 129,280 tokens, tried out."""
    schema, text = TYPICAL[index]
    grammar = compiled(schema, real_walker.vocabulary)
    assert grammar is not None
    matcher = grammar.matcher()
    for token_id in deepseek.encode(text, add_special_tokens=False):
        assert matcher.accept_token(token_id)
    assert real_walker.allowed(matcher).tolist() == accepted_by_trial(matcher, real_walker.vocabulary.size)


@pytest.mark.parametrize("seed", range(MORE or 4))
def test_masks_of_a_real_vocabulary_at_random_places(real_walker: Walker, seed: int) -> None:
    rng = random.Random(8000 + seed)
    grammar = compiled(SchemaMaker(rng).document(), real_walker.vocabulary)
    if grammar is None:
        return
    matcher, num_tokens = grammar.matcher(), rng.randrange(1, 12)
    for place in range(num_tokens):
        if not matcher.is_terminated():
            assert matcher.accept_token(real_walker.choose(real_walker.allowed(matcher), rng, place))
    assert real_walker.allowed(matcher).tolist() == accepted_by_trial(matcher, real_walker.vocabulary.size)


def accepted_by_trial(matcher: Matcher, size: int) -> list[int]:
    """The ids that the matcher accepts, tried one by one."""
    found = []
    for token_id in range(size):
        if matcher.accept_token(token_id):
            found.append(token_id)
            matcher.rollback(1)
    return found
