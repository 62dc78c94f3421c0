"""Masks on a vocabulary of 129,280 tokens: a sample of tokens tried byte by byte, real texts, grammars of a batch."""

from __future__ import annotations

import random
from typing import Any

import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar, fill_bitmasks
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.vocabularies import mask_of

GRAMMARS: dict[str, tuple[dict[str, Any], str]] = {
    "expressions": (
        {
            "ebnf": r"""
root ::= line+
line ::= name " = " sum "\n"
sum ::= sum (" + " | " - ") term | term
term ::= term " * " atom | atom
atom ::= name ("(" (sum (", " sum)*)? ")")* | [0-9]+ | "'" [^'\n]* "'" | "(" sum ")" | "[" (sum (", " sum)*)? "]"
name ::= [a-zA-Z_] [a-zA-Z0-9_]*
""",
            "dialect": "gbnf",
        },
        "total = compute(first, (count + 1) * 2, [x, 'né text']) - offset()\nresult_2 = total\n",
    ),
    "regex": ({"regex": r"(?:\w+@\w+\.(?:com|org)|\d{3}-\d{4})(?:, )?"}, "someone@example.org, "),
    "choice": ({"choice": [f"option {number}" for number in range(3000)]}, "option 1234"),
    "json": (
        {"ebnf": 'root ::= "x" value\nvalue ::= "[" (value ("," value)*)? "]" | "1"', "dialect": "gbnf"},
        "x[[1,[]],1]",
    ),
}

LINE = "The keeper of the old lighthouse wrote each evening what the sea had done to it\n"
COUNTS = [
    (r"([^\n]{1,100}\n){1,160}", LINE * 160),
    (r"([^\n]{1,100}\n){1,12}", ("日本語テキスト数据" * 4 + " größer\n") * 12),
    (r"(\w{1,20} ){1,300}", "the quick brown fox jumps over one lazy dog then " * 30),
    (r"(?s).{1,100000}", LINE * 260),
]


@pytest.fixture(scope="module")
def vocabulary(deepseek_vocabulary: Vocabulary) -> Vocabulary:
    return deepseek_vocabulary


@pytest.fixture(scope="module")
def byte_ids(vocabulary: Vocabulary) -> list[int]:
    ids = {token: token_id for token_id, token in enumerate(vocabulary.tokens)}
    return [ids.get(bytes([byte]), -1) for byte in range(256)]


def _grammar(vocabulary: Vocabulary, name: str) -> CompiledGrammar:
    return compile_grammar(vocabulary, **GRAMMARS[name][0])


def _is_readable(matcher: Matcher, token: bytes, byte_ids: list[int]) -> bool:
    scout = matcher.fork()
    return all(byte_ids[byte] >= 0 and scout.accept_token(byte_ids[byte]) for byte in token)


@pytest.mark.parametrize("name", GRAMMARS)
def test_real_texts_and_sampled_tokens(name: str, vocabulary: Vocabulary, byte_ids: list[int], deepseek: Any) -> None:
    rng = random.Random(name)
    matcher = _grammar(vocabulary, name).matcher()
    sample = rng.sample([t for t, token in enumerate(vocabulary.tokens) if token is not None], 3000)
    for token_id in deepseek.encode(GRAMMARS[name][1], add_special_tokens=False):
        allowed = set(mask_of(matcher, vocabulary))
        assert token_id in allowed
        for other in [*rng.sample(sample, 150), *rng.sample(sorted(allowed), min(len(allowed), 50))]:
            token = vocabulary.tokens[other]
            if token is not None:
                assert (other in allowed) == _is_readable(matcher, token, byte_ids), (other, token)
        assert matcher.accept_token(token_id)
    assert matcher.is_accepting()
    assert not vocabulary.eos_token_ids.isdisjoint(mask_of(matcher, vocabulary))


@pytest.mark.parametrize(("pattern", "text"), COUNTS, ids=[pattern for pattern, _ in COUNTS])
def test_long_counts_reach_their_end(pattern: str, text: str, vocabulary: Vocabulary, deepseek: Any) -> None:
    """With a state for each count, masks near the bound made more states than a grammar may have."""
    matcher, bitmask = (
        compile_grammar(vocabulary, regex=pattern, cache=None).matcher(),
        allocate_bitmask(1, vocabulary.size),
    )
    token_ids = deepseek.encode(text, add_special_tokens=False)
    for place, token_id in enumerate(token_ids):
        if place % 10 == 0 or place > len(token_ids) - 20:
            matcher.fill_bitmask(bitmask)
            assert bitmask[0, token_id // 32] >> token_id % 32 & 1
        assert matcher.accept_token(token_id)
    assert matcher.is_accepting()


def test_batches(vocabulary: Vocabulary, deepseek: Any) -> None:
    matchers = []
    for name in ("expressions", "regex", "json"):
        matcher = _grammar(vocabulary, name).matcher()
        for token_id in deepseek.encode(GRAMMARS[name][1], add_special_tokens=False)[:3]:
            assert matcher.accept_token(token_id)
        matchers += [matcher.fork() for _ in range(30)]
    together, alone = (allocate_bitmask(len(matchers), vocabulary.size) for _ in range(2))
    fill_bitmasks(matchers, together)
    for row, matcher in enumerate(matchers):
        matcher.fill_bitmask(alone, row)
    assert (together == alone).all()
