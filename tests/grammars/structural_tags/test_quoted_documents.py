"""Documents that are JSON but for bare names and marks around strings: arrays whose items matter, marks as tokens."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnsatisfiableError, UnsupportedSchemaError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.style_texts import any_type
from guided.grammars.styles import STYLES
from guided.grammars.vocabulary import Vocabulary
from guided.tools.styled_scanner import StyledScanner

QUOTE = '<|"|>'
WORDS = ["a:", "{a:", "[1,", ",b:", "},{", "ab", "x<", '|"|>', f"{QUOTE},", f"x{QUOTE}", f",{QUOTE}a", '"}', "</f>"]
BYTES = [bytes([byte]) for byte in range(256)]
PLAIN = Vocabulary([*BYTES, *[word.encode() for word in (*WORDS, QUOTE)], None], [256 + len(WORDS) + 1])
WITH_TOKEN = Vocabulary(
    [*BYTES, *[word.encode() for word in WORDS], None, None],
    [256 + len(WORDS) + 1],
    {QUOTE: 256 + len(WORDS), "<end>": 256 + len(WORDS) + 1},
)
DIFFERENT = {"type": "array", "uniqueItems": True}
VALUES: dict[str, dict[str, Any]] = {
    "different values": {**DIFFERENT, "items": {"enum": ["a", "b", 1, None, [1], {"a": "x"}]}, "minItems": 3},
    "different strings": {**DIFFERENT, "items": {"type": "string", "maxLength": 1}, "minItems": 2},
    "different words": {**DIFFERENT, "items": {"enum": ["a", "ab", "x"]}, "minItems": 3},
    "contains": {"type": "array", "contains": {"const": "ab"}, "minContains": 2, "maxContains": 2},
    "not different": {"type": "array", "not": {"uniqueItems": True}},
    "open names": {"minProperties": 2, "patternProperties": {"^a": {"type": "integer"}}, "type": "object"},
}


def compiled(vocabulary: Vocabulary, schema: Any) -> CompiledGrammar:
    content = {"type": "json_schema", "json_schema": schema, "style": "gemma"}
    tag = {"type": "tag", "begin": "<f>", "content": content, "end": "</f>"}
    return compile_grammar(vocabulary, structural_tag={"format": tag}, cache=None)


@pytest.mark.parametrize("kind", VALUES)
def test_walks_are_valid_and_masks_exact(kind: str) -> None:
    vocabulary = (PLAIN, WITH_TOKEN)[len(kind) % 2]
    schema = {"type": "object", "properties": {"a": VALUES[kind]}, "required": ["a"], "additionalProperties": False}
    rng, matcher, size = random.Random(kind), compiled(vocabulary, schema).matcher(), len(vocabulary.tokens)
    bitmask, chosen = allocate_bitmask(1, size), list[int]()
    for _ in range(18):
        matcher.fill_bitmask(bitmask, 0)
        tried = [one for one in range(size - 1) if matcher.fork().accept_token(one)]
        assert [one for one in allowed_token_ids(bitmask[0], size).tolist() if one < size - 1] == tried
        liked = [one for one in tried if one >= 256 or chr(one) in QUOTE + "[{},:x1"]
        if not tried:
            break
        chosen.append(rng.choice(liked or tried))
        assert matcher.accept_token(chosen[-1])
    rest = [] if matcher.is_accepting() else matcher.find_shortest_completion()
    assert all(map(matcher.accept_token, rest))
    texts = [QUOTE.encode() if text is None else text for text in vocabulary.tokens]
    text = b"".join([texts[one] for one in (*chosen, *rest) if one < size - 1]).decode()
    scanned = StyledScanner(STYLES["gemma"], any_type).push(text.removeprefix("<f>"))
    assert scanned.is_done
    assert Draft202012Validator(schema).is_valid(json.loads(scanned.arguments)), text


def test_a_schema_that_only_a_mark_makes_empty_says_so() -> None:
    with pytest.raises(UnsupportedSchemaError, match="whose name can't stand between the marks"):
        compiled(PLAIN, {"type": "object", "required": ["a:b"]})
    with pytest.raises(UnsupportedSchemaError, match="a string would hold a mark"):
        compiled(PLAIN, {"type": "object", "properties": {"a": {"const": QUOTE}}, "required": ["a"]})
    with pytest.raises(UnsatisfiableError, match="has no document"):
        compiled(PLAIN, {"type": "object", "properties": {"a": False}, "required": ["a"]})
