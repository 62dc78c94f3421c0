"""The same texts belong to a grammar here and for lark's Earley parser, which tries every way to cut a text."""

from __future__ import annotations

import random
import zlib

import lark
import pytest

from guided.grammars.ebnf import read_ebnf
from tests.cases.ebnf_cases import LARK_CASES, EbnfCase

from .recogniser import accepts
from .sentences import SentenceGenerator, mutated

NUM_SENTENCES = 25
NUM_MUTATIONS = 40
PLAIN_CASES = [case for case in LARK_CASES if case.is_plain_lark]


def lark_parser(grammar: str) -> lark.Lark:
    """lark's own reader of a grammar, to be asked whether a text belongs to it."""
    return lark.Lark(grammar, parser="earley", lexer="dynamic_complete")


def lark_accepts(parser: lark.Lark, text: str) -> bool:
    """True if lark finds a way to derive the text."""
    try:
        parser.parse(text)
    except lark.UnexpectedInput:
        return False
    return True


def texts_near(grammar: str, examples: tuple[str, ...]) -> list[str]:
    """The examples, random texts of a grammar, and variations of all of them."""
    rng = random.Random(zlib.crc32(grammar.encode()))
    generator = SentenceGenerator(read_ebnf(grammar, "lark"), rng)
    sentences = [*examples, *[generator.sentence() for _ in range(NUM_SENTENCES)]]
    sentences = [sentence for sentence in sentences if len(sentence) <= 40]
    alphabet = "".join(sorted(set("".join(sentences)))) or "a"
    variations = [mutated(rng.choice(sentences), rng, alphabet) for _ in range(NUM_MUTATIONS)]
    return list(dict.fromkeys([*sentences, *variations]))


@pytest.mark.parametrize("case", PLAIN_CASES, ids=lambda case: case.name)
def test_tables(case: EbnfCase) -> None:
    graph, parser = read_ebnf(case.grammar, "lark"), lark_parser(case.grammar)
    texts = texts_near(case.grammar, (*case.accepts, *case.rejects))
    assert [text for text in texts if accepts(graph, text) != lark_accepts(parser, text)] == []
